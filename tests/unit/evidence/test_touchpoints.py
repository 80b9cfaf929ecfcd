"""Where a port touches its substrate: found, cached, recorded, proved, put into a table, refused where it is stale."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.coupling.tree import Tree
from leverage.evidence import touchpoints
from leverage.evidence.build import Evidence, build
from leverage.evidence.collect import as_recorded
from leverage.evidence.compare import differences
from leverage.evidence.facts import TouchFact
from leverage.evidence.store import read_facts, write_facts
from leverage.evidence.touchpoints import Below, take_touchpoints, touch_version
from leverage.measure.cache import Cache
from leverage.model.errors import ConfigurationError
from leverage.spec.load import parse_spec
from tests.unit.measure.fakes import FakeSource
from tests.world import SPEC, fact, facts, world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UPSTREAM = {"torch/__init__.py": b"", "torch/graph.py": b"class Lowering:\n    def codegen(self): pass\n"}
PORT = b"""import torch.graph
from torch.graph import Lowering

def codegen(self): pass

Lowering.codegen = codegen
Lowering._new = 1

class Mine(Lowering):
    def codegen(self): pass

def broken(thing):
    setattr(thing, "x", 1)
"""
TREE = "f" * 40
ROWS = (
    TouchFact("core/a.py", 1, 0, "import", "import", "torch.graph", scope="none", certainty="certain"),
    TouchFact(
        *("core/a.py", 6, 0, "monkey_patch", "assignment", "torch.graph.Lowering._x"),
        scope="global",
        wraps="no",
        certainty="certain",
    ),
    TouchFact("core/a.py", 9, 0, "unresolved", "monkey_patch", "", detail="what it is, a 'name', could not be told"),
)


def opened() -> tuple[list[str], Below]:
    """A substrate, and a list that grows whenever it is opened."""
    times: list[str] = []

    @contextmanager
    def names() -> Iterator[Tree]:
        times.append("opened")
        yield Tree(UPSTREAM.get)

    return times, Below(TREE, names)


def short(rows: tuple[TouchFact, ...]) -> list[tuple[int, str, str, str, str]]:
    return [(row.line, row.kind, row.symbol, row.effect, row.wraps) for row in rows if row.kind != "attribute_use"]


def test_patches_are_told_from_additions_and_overrides_are_found_against_the_substrate() -> None:
    source = FakeSource({"a.py": PORT, "b.cpp": b"#include <torch/all.h>", "c.py": b"def broken(:"})
    _, below = opened()
    found = take_touchpoints(source, source.files, below, cache=None)
    assert short(found) == [
        (1, "import", "torch.graph", "", ""),
        (2, "import", "torch.graph.Lowering", "", ""),
        (6, "monkey_patch", "torch.graph.Lowering.codegen", "patch", "no"),
        (7, "monkey_patch", "torch.graph.Lowering._new", "add", ""),
        (9, "subclass", "torch.graph.Lowering", "", ""),
        (10, "override", "torch.graph.Lowering.codegen", "", "no"),
        (13, "unresolved", "", "", ""),
        (1, "unresolved", "", "", ""),
    ]
    assert {row.path for row in found} == {"a.py", "c.py"}
    assert "does not parse" in found[-1].detail
    without = take_touchpoints(source, source.files, None, cache=None)
    assert [row.effect for row in without if row.kind == "monkey_patch"] == ["unknown", "unknown"]


def test_what_was_copied_is_told_with_what_touches_and_is_not_private() -> None:
    body = "".join(f"    step_{n} = device.method_{n}(node, {n}) + limit_{n}\n" for n in range(12))
    upstream = f"def order(device, node):\n{body}    return node\n".encode()
    source = FakeSource({"a.py": PORT + upstream})
    _, below = opened()
    found = take_touchpoints(source, source.files, below, lambda: {"torch/_in.py": upstream}, cache=None)
    (row,) = [row for row in found if row.kind == "copied"]
    assert (row.line, row.form, row.symbol, row.within) == (14, "function", "torch._in.order", "order")
    assert not touchpoints.touches_private(row)
    assert touchpoints.as_touchpoint(row).private is False


def test_what_is_cached_opens_no_substrate_until_something_that_decides_is_another(tmp_path: Path) -> None:
    times, below = opened()
    source = FakeSource({"a.py": PORT})
    with Cache(tmp_path / "counts") as cache:
        first = take_touchpoints(source, source.files, below, cache=cache)
        assert take_touchpoints(source, source.files, below, cache=cache) == first
        assert (len(times), source.reads) == (1, ["a.py"])
        take_touchpoints(source, source.files, replace(below, tree="e" * 40), cache=cache)
        other = FakeSource({"a.py": PORT + b"Lowering.more = 1\n"})
        assert len(take_touchpoints(other, other.files, below, cache=cache)) == len(first) + 1
        assert len(times) == 3
        # A plain folder has no ids of contents, so nothing can be known of it beforehand.
        plain = FakeSource({"a.py": PORT}, ids=False)
        assert take_touchpoints(plain, plain.files, below, cache=cache) == first
        assert len(times) == 4


def test_touchpoints_are_recorded_proved_and_compared(tmp_path: Path) -> None:
    loaded = parse_spec(SPEC.encode(), "repos.yaml")
    stated = facts(loaded, "port", [fact("core/a.py", "python", 30)])
    plain = as_recorded(stated, "2026-12-01")
    assert [path.name for path in write_facts(plain, tmp_path)] == ["port.csv", "port.json"]
    assert b"touched" not in (tmp_path / "port.json").read_bytes()
    stated = replace(stated, touched=ROWS, touched_by=touch_version(), touched_against=TREE)
    written = as_recorded(stated, "2026-12-01")
    assert [path.name for path in write_facts(written, tmp_path)] == ["port.csv", "port+touchpoints.csv", "port.json"]
    assert read_facts(tmp_path, "port") == written
    table = tmp_path / "port+touchpoints.csv"
    table.write_bytes(table.read_bytes().replace(b"core/a.py,6,", b"core/a.py,06,"))
    with pytest.raises(ConfigurationError, match="does not have the hash"):
        read_facts(tmp_path, "port")
    other = replace(stated, touched=ROWS[1:])
    assert differences(stated, other) == ["'core/a.py': its touchpoints differ"]
    assert differences(stated, replace(other, touched_by="0-0")) == []
    write_facts(plain, tmp_path)
    assert not table.exists()


@pytest.mark.parametrize(
    ("before", "after"), [("monkey_patch", "monkeys"), (",global,", ",galaxy,"), (",no,", ",nay,")]
)
def test_a_record_with_words_that_no_touchpoint_has_is_refused(tmp_path: Path, before: str, after: str) -> None:
    loaded = parse_spec(SPEC.encode(), "repos.yaml")
    stated = facts(loaded, "port", [fact("core/a.py", "python", 30)])
    write_facts(as_recorded(replace(stated, touched=ROWS, touched_by=touch_version()), "2026-12-01"), tmp_path)
    table, head = tmp_path / "port+touchpoints.csv", tmp_path / "port.json"
    old = table.read_bytes()
    new = old.replace(before.encode(), after.encode(), 1)
    assert new != old
    table.write_bytes(new)
    digest, forged = (hashlib.sha256(data).hexdigest() for data in (old, new))
    head.write_text(head.read_text().replace(digest, forged))
    with pytest.raises(ConfigurationError, match="the record of port cannot be used"):
        read_facts(tmp_path, "port")


def touching(spec: str = SPEC, **more: str) -> Evidence:
    """The port of the small world with the rows above."""
    whole = world(spec)
    stated = {"touched_by": touch_version(), "touched_against": TREE, **more}
    port = replace(whole.facts["port"], touched=ROWS, **stated)  # type: ignore[arg-type]
    return build(whole.loaded, {**whole.facts, "port": port}, {}, {})


def test_each_place_is_a_row_that_says_whether_it_is_private() -> None:
    evidence = touching()
    assert evidence.untouched == {}
    rows = evidence.touchpoints[["system", "line", "kind", "private"]].to_numpy().tolist()
    assert rows == [["port", 1, "import", ""], ["port", 6, "monkey_patch", "yes"], ["port", 9, "unresolved", ""]]


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ({"touched_by": ""}, "the record of port holds none"),
        ({"touched_by": "0-0"}, "the record of port has those that version 0-0 finds, this version has"),
        ({"touched_against": "e" * 40}, "those of port were found against another tree of like"),
    ],
)
def test_what_another_version_found_or_another_tree_decided_is_not_used(stated: dict[str, str], why: str) -> None:
    evidence = touching(SPEC.replace("    role: extension\n", "    role: extension\n    builds_on: like\n"), **stated)
    assert evidence.touchpoints.empty
    assert evidence.untouched["port"].startswith(why)
    assert evidence.untouched["port"].endswith("`leverage record port` makes it anew")


def test_only_what_extends_something_is_a_port() -> None:
    spec = parse_spec(SPEC.encode(), "repos.yaml").spec
    assert [name for name, system in spec.systems.items() if touchpoints.is_port(system)] == ["port"]
