"""Names that are defined by each other: answered in bounded time, the same whatever is asked first."""

from __future__ import annotations

import ast
import itertools
import random
from typing import TYPE_CHECKING

import pytest
from leverage.model.touchpoints import TouchKind
from leverage.resolve.program import nodes_of, read_program
from leverage.resolve.sites import touch_sites
from leverage.resolve.values import Upstream

if TYPE_CHECKING:
    from leverage.model.touchpoints import Touchpoint
    from leverage.resolve.program import Program
    from leverage.resolve.scopes import ClassScope
    from leverage.resolve.values import Value


def program(text: str) -> Program:
    return read_program({"port/__init__.py": b"", "port/a.py": text.encode()})


def rows(text: str) -> list[Touchpoint]:
    return list(touch_sites(program(text), members=None)[0])


def test_functions_that_return_each_other_are_each_evaluated_a_few_times() -> None:
    """Each of forty functions returns what three others return; followed path by path this would never end."""
    chance = random.Random(3)  # noqa: S311 - a draw that stays the same
    lines = ["import torch._inductor.ir as ir"]
    for number in range(40):
        others = [chance.randrange(40) for _ in range(3)]
        calls = " or ".join(f"f{other}(x)" for other in others)
        lines.append(f"def f{number}(x):\n    return {calls} or ir.Buffer(x)")
    lines.append("def use(x):\n    y = f0(x)\n    y._private = 1")
    planted = [row for row in rows("\n".join(lines)) if row.symbol.endswith("._private")]
    assert [row.symbol for row in planted] == ["torch._inductor.ir.Buffer._private"]


def test_a_long_chain_ends_and_what_it_begins_with_is_known() -> None:
    lines = ["import torch._inductor.ir as ir", "def f0(x):\n    return ir.Buffer(x)"]
    lines += [f"def f{number}(x):\n    return f{number - 1}(x)" for number in range(1, 300)]
    lines.append("def use(x):\n    f3(x)._near = 1")
    assert "torch._inductor.ir.Buffer._near" in {row.symbol for row in rows("\n".join(lines))}


def test_a_step_down_in_a_loop_goes_down_once() -> None:
    text = (
        "from torch._inductor.ir import Buffer\n"
        "def down(x: Buffer):\n    while x.own:\n        x = x.own\n    x._mark = 1\n"
    )
    marks = {row.symbol for row in rows(text) if row.symbol.endswith("._mark")}
    assert marks <= {"torch._inductor.ir.Buffer._mark", "torch._inductor.ir.Buffer.own._mark"}
    assert marks


def test_a_tuple_that_holds_itself_is_tested_for() -> None:
    text = (
        "import torch\nkinds = (torch.Tensor,)\nkinds = (kinds, torch.Size)\n"
        "def f(x):\n    if isinstance(x, kinds):\n        x._mark = 1\n"
    )
    assert any(row.symbol.endswith("._mark") for row in rows(text))


CIRCLE = """\
import torch._inductor.ir as ir
import torch._inductor.scheduler as scheduler

def first(x):
    return second(x) or ir.Buffer(x)

def second(x):
    return third(x) or scheduler.Scheduler(x)

def third(x):
    return first(x)

a = first(1)
b = second(1)
c = third(1)
"""


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_what_a_circle_holds_does_not_depend_on_what_is_asked_first(order: tuple[int, ...]) -> None:
    read = program(CIRCLE)
    read.evaluator.forget()
    module = read.modules["port.a"]
    calls = [
        (node.value, scope) for node, scope in nodes_of(module) if isinstance(node, ast.Assign) and scope.parent is None
    ]
    found = {}
    for at in order:
        values = read.evaluator.values(*calls[at])
        found[at] = {value.path for value in values if isinstance(value, Upstream)}
    both = {"torch._inductor.ir.Buffer", "torch._inductor.scheduler.Scheduler"}
    assert found == {0: both, 1: both, 2: both}


def test_a_long_chain_of_classes_is_gone_up_once_a_class() -> None:
    """Each of two thousand classes would ask all those above it for what all those above them are."""
    lines = [
        "from torch._inductor.scheduler import Scheduler",
        "class K0(Scheduler):\n    def fuse(self): return self.nodes",
    ]
    lines += [
        f"class K{number}(K{number - 1}):\n    def fuse(self):\n        return super().fuse()"
        for number in range(1, 2_000)
    ]
    whole = program("\n".join(lines))
    asked = 0
    bases = whole.evaluator.bases

    def counted(scope: ClassScope) -> list[Value]:
        nonlocal asked
        asked += 1
        return bases(scope)

    whole.evaluator.bases = counted  # type: ignore[method-assign]
    whole.evaluator.forget()
    found = list(touch_sites(whole, members=None)[0])
    assert asked < 2_000 * 600
    assert {row.symbol for row in found if row.kind is TouchKind.SUBCLASS} == {"torch._inductor.scheduler.Scheduler"}
