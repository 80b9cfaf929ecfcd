"""Lines that stand verbatim in what a system builds on: found, cached, recorded, put into tables, taken out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.claims.families import members
from leverage.claims.select import Side, amount, side
from leverage.claims.waterfall import waterfall
from leverage.evidence.build import Evidence, build
from leverage.evidence.collect import as_recorded
from leverage.evidence.compare import differences
from leverage.evidence.copies import Substrate, take_copies
from leverage.evidence.identity import identity
from leverage.evidence.store import read_facts, write_facts
from leverage.measure.cache import Cache
from leverage.measure.pipeline import measure
from leverage.model.amounts import Amount
from leverage.model.lines import LineCounts
from leverage.spec.load import parse_spec
from leverage.spec.types import Denominator
from tests.unit.measure.fakes import FakeSource
from tests.world import SPEC, fact, facts, world

if TYPE_CHECKING:
    from pathlib import Path

UPSTREAM = b"""def order_nodes(graph, limit):
    pending = list(graph.nodes)
    ordered = []
    while pending and len(ordered) < limit:
        node = pending.pop(0)
        if any(user not in ordered for user in node.users):
            pending.append(node)
            continue
        ordered.append(node)
        graph.mark(node, len(ordered))
    # what is left has no order
    ordered.extend(sorted(pending, key=lambda node: node.name))
    return ordered
"""
OWN = b"""

def own(device):
    return device.cores * device.lanes
"""
TREE = "f" * 40
"""What the small world's sources have as their tree."""
BUILDS_ON = SPEC.replace("    role: extension\n", "    role: extension\n    builds_on: like\n")


def opened(contents: dict[str, bytes]) -> tuple[list[str], Substrate]:
    """A substrate, and a list that grows whenever it is read."""
    read: list[str] = []

    def files() -> dict[str, bytes]:
        read.append("read")
        return contents

    return read, Substrate(TREE, files)


def test_the_lines_of_a_copied_function_are_counted_by_class() -> None:
    source = FakeSource({"a.py": UPSTREAM + OWN, "b.py": OWN, "c.cpp": UPSTREAM})
    _, substrate = opened({"up.py": UPSTREAM})
    listed = measure(source, source.files, context=source.files)
    found = take_copies(source, listed, substrate, cache=None)
    # Twelve statements, each a line of its own; the comment between them is no statement. Only Python is looked into.
    assert found == {"a.py": LineCounts(code=12)}


def test_what_is_cached_opens_no_substrate_until_the_substrate_is_another(tmp_path: Path) -> None:
    source = FakeSource({"a.py": UPSTREAM + OWN, "b.py": OWN})
    listed = measure(source, source.files, context=source.files)
    read, substrate = opened({"up.py": UPSTREAM})
    with Cache(tmp_path / "counts") as cache:
        first = take_copies(source, listed, substrate, cache=cache)
        assert take_copies(source, listed, substrate, cache=cache) == first
        assert read == ["read"]
        assert take_copies(source, listed, replace(substrate, tree="e" * 40), cache=cache) == first
        assert read == ["read", "read"]


def test_copies_are_recorded_proved_and_compared(tmp_path: Path) -> None:
    loaded = parse_spec(SPEC.encode(), "repos.yaml")
    stated = facts(loaded, "port", [fact("core/a.py", "python", 30), fact("core/b.py", "python", 5)])
    stated = replace(stated, copied={"core/a.py": LineCounts(code=12)}, copied_from=TREE)
    written = as_recorded(stated, "2026-12-01")
    assert [path.name for path in write_facts(written, tmp_path)] == ["port.csv", "port+copied.csv", "port.json"]
    assert read_facts(tmp_path, "port") == written
    other = replace(stated, copied={"core/a.py": LineCounts(code=11)})
    assert differences(stated, other) == ["'core/a.py': its copied lines differ"]
    assert differences(stated, replace(other, copied_from="e" * 40)) == []
    with pytest.raises(AssertionError, match=r"more of 'core/a.py' is copied than it has"):
        identity(replace(stated, copied={"core/a.py": LineCounts(code=31)}))
    write_facts(as_recorded(replace(stated, copied={}), "2026-12-01"), tmp_path)
    assert not (tmp_path / "port+copied.csv").exists()


def copying(copied_from: str = TREE, spec: str = BUILDS_ON) -> Evidence:
    """The port of the small world builds on `like`; 12 of the 60 code lines of one of its files stand there."""
    whole = world(spec)
    port = replace(whole.facts["port"], copied={"core/a.py": LineCounts(code=12)}, copied_from=copied_from)
    return build(whole.loaded, {**whole.facts, "port": port}, {}, {})


def sized(evidence: Evidence, name: str, unit: str = "code", convention: str = "leverage") -> Amount:
    chosen = side(evidence, name, "extension")
    assert isinstance(chosen, Side)
    found = amount(evidence, chosen, Denominator(boundary="extension", copies="out", unit=unit, convention=convention))  # type: ignore[arg-type]
    assert isinstance(found, Amount)
    return found


@pytest.mark.parametrize(
    ("unit", "convention", "expected"),
    [
        ("code", "leverage", 100 - 12),
        ("code", "cloc", 88),
        ("physical", "leverage", 104 - 12),
        ("nonblank", "leverage", 90),
    ],
)
def test_what_is_copied_is_taken_out_of_every_kind_of_line(unit: str, convention: str, expected: int) -> None:
    found = sized(copying(), "port", unit, convention)
    assert (found.value, found.low, found.high, found.unsized) == (expected, expected, expected, 0)
    assert found.scope.endswith("own lines")


def test_a_stack_from_scratch_copies_nothing_and_a_port_without_a_substrate_is_unknown() -> None:
    assert sized(world(), "like").low == 690
    found = sized(world(), "port")
    assert (found.low, found.value, found.high, found.unsized) == (0, 100, 100, 2)


def test_copies_from_another_tree_are_not_known() -> None:
    found = sized(copying(copied_from="e" * 40), "port")
    assert (found.low, found.value) == (0, 100)
    assert sized(copying(copied_from=""), "port").low == 0


def test_the_steps_to_an_amount_without_copies() -> None:
    evidence = copying()
    chosen = side(evidence, "port", "extension")
    assert isinstance(chosen, Side)
    for unit, end in (
        ("code", [("selected", 104), ("not-code", 4), ("copied", 12), ("amount", 88)]),
        ("physical", [("selected", 104), ("copied", 12), ("amount", 92)]),
    ):
        denominator = Denominator(boundary="extension", copies="out", unit=unit)  # type: ignore[arg-type]
        found = waterfall(evidence, chosen, denominator, sized(evidence, "port", unit))
        assert [(one.id, one.lines) for one in found[-len(end) :]] == end
        assert next(one.what for one in found if one.id == "copied") == "lines that stand verbatim in like"


def test_copies_are_an_axis_where_lines_are_counted() -> None:
    families = "families:\n  own: {vary: {copies: all, unit: [code, bytes]}}\n"
    found = [one.id for one in members(world(SPEC + families).loaded.spec)]
    assert found == [
        "extension/production/code:leverage/programming",
        "extension/production/code:leverage/programming/own",
        "extension/production/bytes/programming",
    ]
