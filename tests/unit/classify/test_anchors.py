"""What a port hands to its substrate tells the stage of the code, and of what that code calls."""

from __future__ import annotations

import pytest
from leverage.classify.anchors import How, anchors, table
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.resolve.program import read_program

PORT = {
    "port/__init__.py": b"",
    "port/lower.py": b"""
from torch._inductor.lowering import register_lowering, make_fallback
from torch._inductor.ir import Pointwise

@register_lowering("aten.mm")
def lower_mm(x):
    return helper(x)

def helper(x):
    return shared(x)

def shared(x):
    return x

def never_called(x):
    return x
""",
    "port/sched.py": b"""
from torch._inductor.scheduler import BaseScheduling
from torch._inductor.codegen.triton import TritonScheduling
from port.lower import shared

class ChipScheduling(BaseScheduling):
    def can_fuse_vertical(self, a, b):
        return shared(a)

    def codegen_node(self, node):
        return node

    def own(self):
        return 1
""",
    "port/patches.py": b"""
import torch._inductor.config as config
import torch._inductor.memory as memory
import torch.utils

def my_pass(graph):
    return graph

def planned(nodes):
    return nodes

def enable():
    config.post_grad_custom_post_pass = my_pass
    memory.estimate_peak_memory = planned
    torch.utils.rename_privateuse1_backend("chip")
""",
}


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], list[tuple[str, How]]]:
    return {place: [(each.stage, each.how) for each in held] for place, held in anchors(read_program(PORT)).items()}


def test_a_registered_function_has_the_stage_of_its_hook(found: dict[tuple[str, str], list[tuple[str, How]]]) -> None:
    assert found["port/lower.py", "lower_mm"] == [("lowering", How.HOOK)]
    assert found["port/patches.py", "my_pass"] == [("graph_rewrite", How.HOOK)]
    assert found["port/patches.py", "enable"] == [("device_registration", How.HOOK)]


def test_a_method_that_overrides_does_what_upstreams_does(found: dict[tuple[str, str], list[tuple[str, How]]]) -> None:
    assert found["port/sched.py", "ChipScheduling"] == [("scheduling", How.CLASS)]
    assert found["port/sched.py", "ChipScheduling.own"] == [("scheduling", How.CLASS)]
    assert found["port/sched.py", "ChipScheduling.can_fuse_vertical"][0] == ("fusion", How.OVERRIDE)
    assert found["port/sched.py", "ChipScheduling.codegen_node"][0] == ("codegen", How.OVERRIDE)


def test_a_function_in_place_of_upstreams_does_what_that_does(
    found: dict[tuple[str, str], list[tuple[str, How]]],
) -> None:
    assert found["port/patches.py", "planned"] == [("memory_planning", How.OVERRIDE)]


def test_what_is_reached_from_one_stage_is_told_apart_from_what_several_reach(
    found: dict[tuple[str, str], list[tuple[str, How]]],
) -> None:
    assert found["port/lower.py", "helper"] == [("lowering", How.REACHED)]
    assert {stage for stage, _ in found["port/lower.py", "shared"]} >= {"lowering", "fusion"}
    assert {how for _, how in found["port/lower.py", "shared"]} == {How.REACHED}
    assert ("port/lower.py", "never_called") not in found


def test_every_stage_and_divergence_of_the_table_is_one_of_the_vocabulary() -> None:
    known = table()
    meanings = [*known.hooks.values(), *known.upstream.values()]
    assert {each.stage for each in meanings} <= {*STAGE_IDS, ""}
    assert {each.divergence for each in meanings} <= {*DIVERGENCE_IDS, ""}
    assert all(each.stage for each in known.hooks.values())


@pytest.mark.parametrize(
    ("symbol", "stage"),
    [
        ("torch._inductor.scheduler.BaseScheduling.can_fuse_vertical", "fusion"),
        ("torch._inductor.codegen.wrapper.PythonWrapperCodegen", "codegen"),
        ("torch._inductor.lowering.make_pointwise", "lowering"),
        ("torch._dynamo.device_interface.DeviceInterface", "device_registration"),
        ("torch._dynamo.variables.base.VariableTracker", "capture"),
        ("torch.distributed.ProcessGroup", "distributed"),
    ],
)
def test_upstreams_own_rules_tell_what_its_names_mean(symbol: str, stage: str) -> None:
    meaning = table().of_upstream(symbol)
    assert meaning is not None
    assert meaning.stage == stage


@pytest.mark.parametrize("symbol", ["numpy.array", "torch.nn.Module", "torch", ""])
def test_other_names_mean_nothing(symbol: str) -> None:
    assert table().of_upstream(symbol) is None
