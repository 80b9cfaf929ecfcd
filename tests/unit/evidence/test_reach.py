"""What may run with a function, as lines; and counting probes, which say how many of something a source has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.evidence.collect import as_recorded
from leverage.evidence.facts import ReachFact
from leverage.evidence.probes import probe_digest, take_probes
from leverage.evidence.reach import take_reach
from leverage.evidence.store import read_facts, write_facts
from leverage.measure.cache import Cache
from leverage.model.lines import LineCounts
from leverage.spec.load import parse_spec
from tests.unit.measure.fakes import FakeSource
from tests.world import SPEC, fact, facts

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.evidence.facts import ProbeFact
    from leverage.spec.types import Probe

PASSES = b"""from .work import divide

class Passes:
    def __init__(self):
        self.passes = [divide, tile]

    def __call__(self, graph):
        for one in self.passes:
            one(graph)

def tile(graph):
    # a comment
    def inner():
        return 1

    return inner()

def unused(graph):
    return divide(graph)
"""
WORK = b"def divide(graph):\n    return split(graph)\n\ndef split(graph):\n    return graph\n\ndef other():\n    pass\n"
FILES = {"port/__init__.py": b"", "port/passes.py": PASSES, "port/work.py": WORK}


def probe(text: str) -> tuple[Probe, str]:
    spec = parse_spec((SPEC + f"probes:\n  p: {{system: port, {text}}}\n").encode(), "repos.yaml").spec
    return spec.probes["p"], probe_digest(spec.probes["p"])


def counted(text: str, files: dict[str, bytes]) -> ProbeFact:
    spec = parse_spec((SPEC + f"probes:\n  p: {{system: port, {text}}}\n").encode(), "repos.yaml").spec
    (found,) = take_probes(spec, "port", FakeSource(files))
    return found


REACHES = "path: port/passes.py, reaches: [Passes.__init__, Passes.__call__]"


def test_functions_that_are_called_and_those_in_the_list_that_is_gone_through_are_reached() -> None:
    source = FakeSource(FILES)
    found = take_reach(source, source.files, {"p": probe(REACHES)}, cache=None)["p"]
    rows = [
        (row.path, row.first, row.last, row.symbol, row.reached, row.lines.code, row.lines.comment)
        for row in found.rows
    ]
    assert rows == [
        ("port/passes.py", 4, 5, "Passes.__init__", "yes", 2, 0),
        ("port/passes.py", 7, 9, "Passes.__call__", "yes", 3, 0),
        # What is inside a function is among its lines, so it is no row of its own.
        ("port/passes.py", 11, 16, "tile", "yes", 4, 1),
        ("port/passes.py", 18, 19, "unused", "", 2, 0),
        ("port/work.py", 1, 2, "divide", "yes", 2, 0),
        ("port/work.py", 4, 5, "split", "yes", 2, 0),
        ("port/work.py", 7, 8, "other", "", 1, 0),  # a lone `pass` is no code
    ]
    assert (found.fact.value, [site.line for site in found.fact.sites]) == ("6", [4, 7])


def test_a_function_that_alone_is_reached_takes_its_lines_from_the_one_around_it() -> None:
    source = FakeSource(
        {"a.py": b"def out():\n    def inner():\n        return 1\n\n    return inner\n\ndef run():\n    return 2\n"}
    )
    asked = {"p": probe("path: a.py, reaches: [out.inner, run]")}
    found = take_reach(source, source.files, asked, cache=None)["p"]
    assert [(row.symbol, row.reached, row.lines.code) for row in found.rows] == [
        ("out", "", 2),
        ("out.inner", "yes", 2),
        ("run", "yes", 2),
    ]


def test_a_function_that_is_not_there_is_a_reason_and_no_number() -> None:
    source = FakeSource(FILES)
    asked = {"p": probe("path: port/passes.py, reaches: [Passes.__cal__]")}
    found = take_reach(source, source.files, asked, cache=None)["p"]
    assert (found.rows, found.fact.value) == ((), "")
    assert "has no function `Passes.__cal__`; did you mean `Passes.__call__`?" in found.fact.why


def test_what_is_cached_reads_nothing_until_the_source_or_the_probe_is_another(tmp_path: Path) -> None:
    source = FakeSource(FILES)
    with Cache(tmp_path / "counts") as cache:
        first = take_reach(source, source.files, {"p": probe(REACHES)}, cache=cache)
        read = len(source.reads)
        assert take_reach(source, source.files, {"p": probe(REACHES)}, cache=cache) == first
        assert len(source.reads) == read
        other = take_reach(source, source.files, {"p": probe("path: port/work.py, reaches: [split]")}, cache=cache)
        assert [row.symbol for row in other["p"].rows if row.reached] == ["split"]
    assert take_reach(source, source.files, {}, cache=None) == {}


def test_reach_is_recorded_and_read_back(tmp_path: Path) -> None:
    loaded = parse_spec(SPEC.encode(), "repos.yaml")
    rows = (
        ReachFact("p", "core/a.py", 3, 9, "f.<locals>,\n", "yes", LineCounts(code=5)),
        ReachFact("p", "core/b.py", 1, 1, "g", "", LineCounts()),
    )
    stated = as_recorded(replace(facts(loaded, "port", [fact("core/a.py", "python", 9)]), reached=rows), "2026-12-01")
    assert [path.name for path in write_facts(stated, tmp_path)] == ["port.csv", "port+reached.csv", "port.json"]
    assert read_facts(tmp_path, "port") == stated
    assert [row.lines for row in stated.reached] == [LineCounts(code=5), LineCounts()]


LOWERINGS = b"""import x
@register_lowering(aten.mm.default, broadcast=True)
def mm(): pass
@lowering.register_lowering([aten.add, torch.ops.aten.mm.out, prims.mul])
def more(): pass
for op in ops:
    register_lowering(op)
register_lowering()
unregister_lowering(aten.sub)
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("counts: [register_lowering]", "5"),
        ("counts: [register_lowering], namespace: aten", "2"),
        ("counts: [unregister_lowering, register_lowering], namespace: aten", "3"),
        ("counts: [register_lowering], namespace: quantized", "0"),
    ],
)
def test_different_first_arguments_are_counted_once_whatever_the_file(text: str, value: str) -> None:
    found = counted(
        f"path: '**/*.py', {text}", {"a.py": LOWERINGS, "b/c.py": b"register_lowering(aten.mm)\n", "d.py": b""}
    )
    # As written `aten.mm` is one more; as an operator it is the same.
    assert found.value == (str(int(value) + 1) if "namespace" not in text else value)
    assert found.searched == 3


def test_a_file_that_cannot_be_searched_leaves_no_number() -> None:
    found = counted("path: '*.py', counts: [f]", {"a.py": b"f(1)\n", "b.py": b"f(\n"})
    assert found.value == ""
    assert "could not be searched" in found.why
    assert "no file at the pin" in counted("path: 'c/*.py', counts: [f]", {"a.py": b""}).why


def test_names_that_a_module_and_its_classes_assign_are_settings() -> None:
    source = b"""a = 1
a = 2
b: int = 3
c: int
d, e = 1, 2
if a:
    f = 1
else:
    g = 1
class triton:
    h = 1
    class inner:
        i: bool = True
    def method(self): j = 1
def k(): l = 1
"""
    # `c` is announced and not assigned; a pair on the left names no setting.
    found = counted("path: a.py, settings: all", {"a.py": source})
    assert found.value == str(len({"a", "b", "f", "g", "triton.h", "triton.inner.i"}))
    assert "cannot be parsed" in counted("path: a.py, settings: all", {"a.py": b"a = ("}).why
