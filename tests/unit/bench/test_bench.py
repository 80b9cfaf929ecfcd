"""The arithmetic of the benchmarks and their readers; their figures are asserted nowhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bench import machine
from bench.corpora import OHCOUNT, as_ohcount, by_convention, labelled, score, stated
from bench.corpora import Case as CorpusCase
from bench.counting import Row, named, ratios, sample, table
from bench.peers import Counts
from leverage.model.lines import LineClass, LineCounts

RESULTS = Path(machine.RESULTS)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"// 48 lines 36 code 6 comments 6 blanks\n", Counts(36, 6, 6)),
        (b"#!/bin/sh\n# 16 lines, 9 code, 5 blanks, 2 comments\nx 7 code\n", Counts(9, 2, 5)),
        (b"// 48 lines\n", None),
        (b"", None),
    ],
)
def test_what_a_text_states(head: bytes, expected: Counts | None) -> None:
    assert stated(head) == expected


def test_labels_are_summed_over_languages() -> None:
    labels = b"html\tcode\t<p>\njavascript\tcomment\t// a\tb\nhtml\tblank\t\njavascript\tcode\tf()\n"
    assert labelled(labels) == Counts(2, 1, 1)


def test_projections_lose_no_line() -> None:
    each = LineCounts(*(2**n for n in range(len(LineClass))))
    assert OHCOUNT.keys() == set(LineClass)
    assert as_ohcount("python", each).lines == each.physical
    assert by_convention("tokei")("python", each).lines == each.physical
    assert as_ohcount("python", LineCounts(shebang=3, inactive=2, blank_in_string=1)) == Counts(2, 3, 1)


def test_score_counts_only_what_was_answered() -> None:
    cases = [CorpusCase(name, b"", Counts(1, 2, 3)) for name in "abcd"]
    found = {"a": Counts(1, 2, 3), "b": Counts(1, 3, 2), "c": Counts(2, 2, 2)}
    result = score(cases, found)
    assert (result.cases, result.counted, result.exact, result.code) == (4, 3, 1, 2)


def test_medians_are_taken_field_by_field() -> None:
    timings = [machine.Timing(3, 1, 5), machine.Timing(1, 2, 4), machine.Timing(2, 3, 9)]
    assert machine.middle(timings) == machine.Timing(2, 2, 5)


def test_ratios_are_to_the_first_row_and_extrapolation_is_said() -> None:
    rows = [
        Row("ours", "1", machine.Timing(2.0, 4.0, 1.0), 100, 60),
        Row("slow", "2", machine.Timing(5.0, 2.0, 1.0), 100, 60, "extrapolated from a sample of 10 lines"),
    ]
    assert ratios(rows[1], rows[0]) == (2.5, 0.5)
    lines = table(rows).splitlines()
    assert "slow (*)" in lines[2]
    assert lines[3] == "(*) slow: extrapolated from a sample of 10 lines"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("/a/owner+tree/repo", "tree"),
        ("/a/tree.git", "tree"),
        ("/a/tree/.git", "tree"),
        ("tree", "tree"),
        (".", "tree"),
    ],
)
def test_a_tree_is_named_by_what_says_something(place: str, name: str) -> None:
    assert named(place) == name


def test_a_sample_is_the_same_each_time(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for number in range(20):
        (tree / f"{number}.py").write_text("x = 1\n" * 10)
    (tree / "picture.bin").write_bytes(b"\0" * 100)
    (tree / "link.py").symlink_to("0.py")
    chosen = []
    for name in "ab":
        assert sample(tree, tmp_path / name, lines=55) == 60
        chosen.append(sorted(path.name for path in (tmp_path / name).iterdir()))
    assert chosen[0] == chosen[1]
    assert len(chosen[0]) == 6


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="not a git command"):
        machine.run(("git", "no-such-command"), cwd=tmp_path)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_results_name_no_place_of_a_machine(path: Path) -> None:
    text = path.read_text()
    assert json.loads(text)["format"] == 1
    assert not re.search(r'"(?:/|~|[A-Za-z]:\\)', text)
