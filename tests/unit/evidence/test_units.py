"""A file whose parts were decided apart: what is kept of it, recorded, proved, and put into tables."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.classify.pack import load_pack
from leverage.evidence.build import build
from leverage.evidence.collect import as_recorded
from leverage.evidence.compare import differences
from leverage.evidence.identity import identity
from leverage.evidence.store import read_facts, write_facts
from leverage.evidence.units import kept_units, rules_digest, rules_of
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.measure.extents import Extent
from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.pipeline import measure
from leverage.measure.units import read_units
from leverage.model.decisions import Confidence, Decision
from leverage.model.errors import ConfigurationError
from leverage.model.lines import LineCounts
from leverage.model.units import Unit, UnitKind
from leverage.spec.load import parse_spec
from tests.unit.measure.fakes import FakeSource
from tests.world import SPEC, cut, fact, facts

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.evidence.facts import SystemFacts

LOADED = parse_spec(SPEC.encode(), "repos.yaml")
WHOLE = Decision("lowering", "none", "port/all", "because", Confidence.DECLARED)
TILING = Decision("tiling", "work_distribution", "anchor", "reached", Confidence.DECLARED, "lowering")


def rest(code: int, last: int, comment: int = 1, blank: int = 1) -> Unit:
    return Unit("", UnitKind.REST, 1, last, LineCounts(code=code, comment=comment, blank=blank))


def function(name: str, first: int, code: int) -> Unit:
    return Unit(name, UnitKind.FUNCTION, first, first + code - 1, LineCounts(code=code))


def divided() -> SystemFacts:
    """`core/a.py` has 30 code lines: 20 of them in two functions that tile."""
    return cut(
        facts(LOADED, "port", [fact("core/a.py", "python", 30), fact("core/b.py", "python", 5)]),
        {"core/a.py": [(rest(10, 32), WHOLE), (function("f", 3, 12), TILING), (function("g", 20, 8), TILING)]},
    )


def test_a_file_is_kept_whole_where_its_parts_agree_with_it() -> None:
    decided = {
        "a.py": [(rest(2, 9), WHOLE), (function("f", 3, 4), WHOLE)],
        "b.py": [(rest(2, 9), WHOLE), (function("f", 3, 4), TILING)],
        "c.py": [(rest(2, 9), TILING), (function("f", 3, 4), TILING)],
        # A rest without a line of its own has nothing to say.
        "d.py": [(rest(0, 4, comment=0, blank=0), TILING), (function("f", 1, 4), WHOLE)],
    }
    kept = kept_units(decided, lambda _: WHOLE)
    assert [(row.path, row.unit.symbol, row.decision.stage) for row in kept] == [
        ("b.py", "", "lowering"),
        ("b.py", "f", "tiling"),
        ("c.py", "", "tiling"),
    ]
    assert (kept[2].unit.first, kept[2].unit.last) == (1, 9)
    assert kept[2].unit.lines == LineCounts(code=6, comment=1, blank=1)


def test_the_whole_is_what_the_pack_says_of_the_path() -> None:
    rules = rules_of(None, lambda _path: True)
    assert rules.whole("core/a.py").stage == "undetermined"
    assert rules.digest == rules_digest(None)
    assert rules_of(load_pack("glow"), lambda _path: True).digest == rules_digest(load_pack("glow")) != rules.digest


def test_units_are_recorded_and_read_back(tmp_path: Path) -> None:
    written = as_recorded(divided(), "2026-12-01")
    names = [path.name for path in write_facts(written, tmp_path)]
    assert names == ["port.csv", "port+units.csv", "port.json"]
    assert read_facts(tmp_path, "port") == written


def test_a_record_without_units_removes_the_table_of_an_earlier_one(tmp_path: Path) -> None:
    write_facts(as_recorded(divided(), "2026-12-01"), tmp_path)
    write_facts(as_recorded(replace(divided(), units=()), "2026-12-02"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["port.csv", "port.json"]


@pytest.mark.parametrize(
    ("old", "new"), [(",12,0,", ",11,0,"), ("f,function", "g,function"), (",20,27,", ",20,99,"), ("core/a", "core/z")]
)
def test_units_that_are_not_the_lines_of_their_file_are_refused(tmp_path: Path, old: str, new: str) -> None:

    _, table, head = write_facts(as_recorded(divided(), "2026-12-01"), tmp_path)
    text = table.read_text()
    assert old in text
    forged = text.replace(old, new).encode()
    table.write_bytes(forged)
    stated = json.loads(head.read_text())
    stated["tables"][table.name] = hashlib.sha256(forged).hexdigest()
    head.write_text(json.dumps(stated, indent=1, sort_keys=True) + "\n")
    with pytest.raises(ConfigurationError, match="record-damaged"):
        read_facts(tmp_path, "port")


def test_a_table_that_no_record_has_is_not_read(tmp_path: Path) -> None:
    _, head = write_facts(as_recorded(replace(divided(), units=()), "2026-12-01"), tmp_path)
    stated = json.loads(head.read_text())
    stated["tables"]["../secret.csv"] = "0" * 64
    head.write_text(json.dumps(stated, indent=1, sort_keys=True) + "\n")
    with pytest.raises(ConfigurationError, match="which no record has"):
        read_facts(tmp_path, "port")


def test_extents_belong_to_counted_files() -> None:
    with pytest.raises(AssertionError, match="is not counted"):
        identity(replace(divided(), extents={"core/none.py": Extent(1, 1, 1)}))
    with pytest.raises(AssertionError, match="less than nothing"):
        identity(replace(divided(), extents={"core/a.py": Extent(1, -1, 1)}))


def test_units_decided_by_the_same_rules_are_compared() -> None:
    other = replace(divided(), units=divided().units[:1])
    assert differences(divided(), other) == ["'core/a.py': its units differ"]
    assert differences(divided(), replace(other, decided_by="others")) == []


def test_an_extent_that_changed_is_a_difference() -> None:
    before = replace(divided(), extents={"core/a.py": Extent(9, 5, 1)})
    after = replace(divided(), extents={"core/a.py": Extent(9, 6, 1)})
    assert differences(before, before) == []
    assert "tokens=6" in differences(before, after)[0]


def test_the_rows_of_a_file_add_up_to_its_own_under_every_convention() -> None:
    evidence = build(LOADED, {"port": divided()}, {}, {})
    (file,) = (row for row in evidence.files.to_dict("records") if row["path"] == "core/a.py")
    assert file["units"] == len(evidence.units) == 3
    for name in CONVENTIONS:
        assert (
            evidence.units[f"code_{name}"].sum()
            == file[f"code_{name}"]
            == code_lines(name, "python", LineCounts(code=30, comment=1, blank=1))
        )
    assert list(evidence.units["stage"]) == ["lowering", "tiling", "tiling"]
    assert evidence.outdated == ()


def test_units_decided_by_other_rules_are_not_used() -> None:
    evidence = build(LOADED, {"port": replace(divided(), decided_by="sha256:old")}, {}, {})
    assert evidence.outdated == ("port",)
    assert len(evidence.units) == 0
    assert set(evidence.files["units"]) == {0}


def test_a_convention_that_does_not_know_a_language_says_so() -> None:
    rows = [fact("core/a.td", "tablegen", 3), fact("core/none.td", "tablegen", 0)]
    empty = replace(rows[1], lines=LineCounts(), physical=0, nonblank=0)
    evidence = build(LOADED, {"port": facts(LOADED, "port", [rows[0], empty])}, {}, {})
    assert list(evidence.files["code_tokei"]) == [-1, 0]
    assert list(evidence.files["code_leverage"]) == [3, 0]
    assert list(evidence.files["zstd"]) == [12, 0]


PYTHON = b'''"""Words."""

import os


class Pass:
    """More."""

    def run(self, graph):
        return graph

    def cost(self):
        # nothing
        return 0


@os.wraps
def lower(x):
    return x
'''
CPP = b"""#include <x>

namespace n {
int tile(int a) {
  return a;
}

struct S {
  int f() { return 1; }
};
}
"""
SOURCES = {
    "core/a.py": PYTHON,
    "core/b.cpp": CPP,
    "core/c.td": b"def A : Op {\n  let x = 1;\n}\n\nclass B<int n> {\n}\n",
    "core/empty.py": b"",
    "core/broken.py": b"def (:\n  x\n",
}


def test_the_units_that_files_are_read_into_are_kept_whole_and_add_up() -> None:
    """Every other unit is of another stage: what is kept are the lines of the files, no more and no less."""
    source = FakeSource(SOURCES)
    files = measure(source, source.files, context=source.files)
    decided = {}
    for fact_ in files:
        if fact_.lines is None:
            continue
        text = SOURCES[fact_.file.path]
        classes = SCANNERS[languages()[fact_.language].family].scan(text)
        units = read_units(fact_.language, text, bytes(classes)).units
        decided[fact_.file.path] = [(unit, TILING if index % 2 else WHOLE) for index, unit in enumerate(units)]
    kept = kept_units(decided, lambda _: WHOLE)
    assert {row.path for row in kept} == {"core/a.py", "core/b.cpp", "core/c.td"}
    assert {"Pass.run", "Pass.cost", "lower", "Pass"} <= {row.unit.symbol for row in kept}
    stated = facts(LOADED, "port", files)
    identity(replace(stated, units=kept, extents={}))
    evidence = build(LOADED, {"port": replace(stated, units=kept, decided_by=rules_digest(None))}, {}, {})
    for path in ("core/a.py", "core/b.cpp", "core/c.td"):
        (file,) = (row for row in evidence.files.to_dict("records") if row["path"] == path)
        rows = evidence.units[evidence.units["path"] == path]
        assert [rows[f"code_{name}"].clip(lower=0).sum() for name in CONVENTIONS] == [
            max(file[f"code_{name}"], 0) for name in CONVENTIONS
        ]
