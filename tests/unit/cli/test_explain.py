"""`leverage explain`: files and lines, on disk, of systems, and from the record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.evidence.facts import UnitFact
from leverage.evidence.store import read_facts, write_facts
from leverage.model.decisions import Confidence, Decision
from leverage.model.lines import LineCounts
from leverage.model.units import Unit, UnitKind

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place


def test_a_file_of_a_system(world: Place) -> None:
    ran = world.run("explain", "port:core/b.py")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "port:core/b.py (measured)"
    assert lines[1].split() == ["component", "core", "(repos.yaml:12:7)"]
    assert lines[2].split() == ["disposition", "counted"]
    assert lines[3] == "  language      Python (suffix .py)"
    assert lines[4] == "  size          3 physical lines, 3 non-blank, 15 bytes"
    assert lines[5] == "  line classes  2 code, 1 bracket"
    assert lines[6].split() == ["code", "under", "leverage", "3"]
    assert "                pygount    2" in lines
    assert "  witness       pygount itself: 2 source lines" in lines
    assert "  stage         undetermined, divergence undetermined" in lines
    assert world.run("explain", "core/b.py").out == ran.out, "found without its system"


def test_files_that_are_not_counted(world: Place) -> None:
    assert "disposition   excluded, generated: core/.gitattributes:1" in world.run("explain", "port:core/made.py").out
    ran = world.run("explain", "port:docs/read.md")
    assert ran.code == 0
    assert ran.out == ("port:docs/read.md\n  disposition   excluded, outside-components: no component includes it\n")


@pytest.mark.parametrize(
    ("line", "mark", "told", "counts"),
    [
        (
            1,
            '"""Doc."""',
            "documentation: a docstring",
            {"code": "tokei, physical, nonblank", "documentation": "leverage"},
        ),
        (2, "", "blank: only white space, outside any literal", {"code": "physical"}),
        (7, "# comment", "comment: only comment", {"code": "physical, nonblank", "comment": "leverage, cloc"}),
        (8, "return", "code: at least one token", {"code": "leverage, cloc, scc, tokei, pygount"}),
    ],
)
def test_a_line(world: Place, line: int, mark: str, told: str, counts: dict[str, str]) -> None:
    of_system = world.run("explain", f"port:core/a.py:{line}")
    on_disk = world.run("explain", f"port/core/a.py:{line}")
    assert (of_system.code, on_disk.code) == (0, 0)
    assert of_system.out.splitlines()[0] == f"port:core/a.py:{line} (measured)"
    assert on_disk.out.splitlines()[0] == f"port/core/a.py:{line} (on disk)"
    assert of_system.out.splitlines()[1:] == on_disk.out.splitlines()[1:]
    lines = on_disk.out.splitlines()
    assert lines[1].startswith(f"{line:>6} | ")
    if mark:
        start = lines[1].index(mark)
        assert lines[2] == " " * 7 + "| " + " " * (start - 9) + "^" * len(mark)
    assert any(each.startswith(f"  class         {told}") for each in lines)
    for part, names in counts.items():
        assert any(part in each and names in each for each in lines if each.startswith(("  counts as", " " * 16)))


def test_a_line_of_an_excluded_file_says_that_no_total_has_it(world: Place) -> None:
    ran = world.run("explain", "port:core/made.py:1")
    assert ran.code == 0
    assert "  but           the file is excluded (generated): no total has it" in ran.out


def test_a_local_file_needs_no_configuration(place: Place) -> None:
    (place.path / "a.py").write_text("x = 1\n")
    ran = place.run("explain", "a.py")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("a.py (on disk)\n  disposition   counted\n  language      Python (suffix .py)\n")
    assert place.run("explain", "a.py:1").code == 0


def test_the_local_file_wins_and_says_how_to_ask_for_the_other(world: Place) -> None:
    (world.path / "core").mkdir()
    (world.path / "core/a.py").write_text("y = 2\n")
    ran = world.run("explain", "core/a.py")
    assert "1 physical line," in ran.out
    assert ran.err == "this is the file on disk; for a system's file write SYSTEM:core/a.py\n"
    assert "8 physical lines," in world.run("explain", "port:core/a.py").out


def test_a_name_that_ends_like_a_line_number_is_a_name(place: Place) -> None:
    (place.path / "a:12").write_text("#!/bin/sh\n")
    assert place.run("explain", "a:12").out.startswith("a:12 (on disk)")
    assert place.run("explain", "a:12:1").out.startswith("a:12:1 (on disk)")


def test_lines_that_are_none(world: Place) -> None:
    for target, answer in (
        ("port:core/a.py:9", "port:core/a.py:9: there is no line 9 [no-such-line]\n  what to do: the file has 8 lines"),
        ("port/core/a.py:0", "there is no line 0"),
        ("port/blob.bin:1", "its lines have no classes (binary: NUL in the first 8192 bytes)"),
    ):
        ran = world.run("explain", target)
        assert ran.code == 2, target
        assert answer in ran.err
        assert ran.out == ""


def test_a_file_that_is_not_there_is_looked_for(world: Place) -> None:
    ran = world.run("explain", "port:a.py")
    assert ran.code == 2
    assert "has a file a.py" in ran.err.replace("`", "")
    assert "did you mean port:core/a.py?" in ran.err
    ran = world.run("explain", "prot:a.py")
    assert ran.code == 2
    assert "there is no system `prot`" in ran.err
    assert "did you mean port:a.py?" in ran.err
    assert "[no-such-file]" in world.run("explain", "zzz:a.py").err


def test_a_folder_is_counted_not_explained(place: Place) -> None:
    ran = place.run("explain", ".")
    assert ran.code == 2
    assert "count it with: leverage count ." in ran.err


def test_the_record_explains_files_but_no_lines(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert world.run("record", "--into", "kept").code == 0
    measured = world.run("explain", "port:core/a.py", "--record", "kept").out
    ran = world.run("explain", "port:core/a.py", "--recorded", "--record", "kept")
    assert ran.code == 0
    assert ran.out == measured.replace("(measured)", "(recorded on 1970-01-02)")
    ran = world.run("explain", "port:core/a.py:7", "--recorded", "--record", "kept")
    assert ran.code == 3
    assert "line 7 cannot be explained from what is recorded: the source is not at hand" in ran.err
    told = ran.out.splitlines()[1:]
    assert told[: len(measured.splitlines()) - 1] == measured.splitlines()[1:]
    assert "its stage" in told[len(measured.splitlines())]  # what the unit of the line was decided as


def test_a_system_that_cannot_be_searched_is_not_passed_over(world: Place) -> None:
    world.spec((world.commits["base"], "e" * 40))
    ran = world.run("explain", "nowhere.py")
    assert ran.code == 3
    assert "warning: base was not searched: commit" in ran.err
    assert "no system that could be searched has a file" in ran.err
    assert world.run("explain", "core/a.py").code == 0


def test_hostile_content_does_not_reach_the_terminal(place: Place) -> None:
    (place.path / "a.py").write_bytes(b"\tx = '\x1b[2J\xff\xe2\x80\xae'  # " + b"y" * 500 + b"\n" + b"z" * 300 + b"\n")
    ran = place.run("explain", "a.py:1")
    assert ran.code == 0
    assert not {"\x1b", "\u202e"} & set(ran.out)
    assert all(len(line) < 130 for line in ran.out.splitlines()[1:3])
    assert place.run("explain", "a.py:2").out.splitlines()[1].endswith("…")


def test_text_is_folded_to_the_terminal(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        for target in ("port:core/a.py", "port:core/a.py:7"):
            ran = world.run("explain", target)
            assert all(len(line) <= width for line in ran.out.splitlines())


def test_without_a_file_and_a_configuration_both_are_named(place: Place) -> None:
    ran = place.run("explain", "a.py:3")
    assert ran.code == 2
    assert "there is no file `a.py` here, and no repos.yaml that names systems" in ran.err


def test_a_mistyped_path_of_a_recorded_system_opens_nothing(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    for repository in ("port", "base"):
        (world.path / repository).rename(world.path / f"{repository}-away")
    for target, hint in (
        ("port:core/aa.py", "did you mean port:core/a.py?"),
        ("core/aa.py", "did you mean port:core/a.py?"),
        ("port:a.py", "did you mean port:core/a.py?"),
        ("prot:core/a.py", "did you mean port:core/a.py?"),
        ("nothing/like/it.rs", "name the system: SYSTEM:nothing/like/it.rs"),
    ):
        ran = world.run("explain", target, "--record", "kept")
        assert ran.code == 2, target
        assert hint in " ".join(ran.err.split()), target
        assert "was not searched" not in ran.err, target


def test_a_file_outside_every_component_of_a_recorded_system_is_found_when_its_system_is_named(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    ran = world.run("explain", "port:docs/read.md", "--record", "kept")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "port:docs/read.md")
    assert world.run("explain", "docs/read.md", "--record", "kept").code == 2


def test_only_the_systems_that_have_a_path_are_opened(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    (world.path / "base").rename(world.path / "away")
    ran = world.run("explain", "core/a.py", "--record", "kept")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("port:core/a.py (measured)")


def test_the_unit_of_a_line_is_told_where_a_file_was_decided_in_parts(world: Place) -> None:
    assert world.run("record", "port", "--into", "kept").code == 0
    kept = read_facts(world.path / "kept", "port")
    assert kept is not None
    # `core/a.py`: a docstring, an import, and from line 6 on a function of two code lines and a comment.
    rest = Unit("", UnitKind.REST, 1, 8, LineCounts(code=1, documentation=1, blank=3))
    function = Unit("f", UnitKind.FUNCTION, 6, 8, LineCounts(code=2, comment=1))
    tiling = Decision("tiling", "work_distribution", "anchor", "reached from a hook", Confidence.DECLARED, "lowering")
    other = Decision("lowering", "none", "words", "its names", Confidence.NONE)
    units = (UnitFact("core/a.py", rest, other), UnitFact("core/a.py", function, tiling))
    write_facts(replace(kept, units=units), world.path / "kept")
    ran = world.run("explain", "port:core/a.py", "--record", "kept")
    assert ran.code == 0
    assert "  in parts      2 units decided one by one; code lines by stage: tiling 2, lowering 1" in ran.out
    ran = world.run("explain", "port:core/a.py:8", "--record", "kept")
    assert ran.out.splitlines()[-3:] == [
        "  unit          function f, lines 6 to 8",
        "  its stage     tiling, divergence work_distribution",
        "                anchor (declared): reached from a hook; lowering came second",
    ]
    assert (
        "unit          the rest of the file, lines 1 to 8"
        in world.run("explain", "port:core/a.py:3", "--record", "kept").out
    )
    write_facts(replace(kept, units=units, decided_by="sha256:other"), world.path / "kept")
    assert "in parts" not in world.run("explain", "port:core/a.py", "--record", "kept").out
    ran = world.run("report", "--recorded", "--record", "kept")
    assert ran.code == 0
    assert "the functions of port were decided by other rules" in (world.path / "reports/out/report.json").read_text()
