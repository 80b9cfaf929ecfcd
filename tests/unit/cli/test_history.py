"""`leverage history`: what is sampled, what is summed, and every form of the answer."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from leverage.cli.series import sampled
from leverage.measure.conventions import CONVENTIONS
from leverage.sources.githistory import Commit
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place


@pytest.fixture
def grown(world: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The port after two more commits: one adds four lines of code, one renames a file. No folder here has its name."""
    (world.path / "here").mkdir()
    monkeypatch.chdir(world.path / "here")
    monkeypatch.setenv("LEVERAGE_CONFIG", "../repos.yaml")
    port = Repository(world.path / "port")
    port.commit({"core/new.py": b"a = 1\nb = 2\nc = 3\n", "rest/n.cpp": b"int n;\n"})
    port.git("mv", "core/new.py", "core/renamed.py")
    world.commits["port"] = port.commit({})
    world.spec()
    return world


def shown(place: Place, *words: str) -> dict[str, Any]:
    ran = place.run("history", "--format", "json", *words)
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def sizes(place: Place, *words: str) -> list[dict[str, int]]:
    """Code lines of each sample by what it is told apart by."""
    samples = shown(place, *words)["samples"]
    return [{key: size["leverage"] for key, size in sample["sizes"].items()} for sample in samples]


def test_a_system_is_summed_under_every_convention_at_every_commit(grown: Place) -> None:
    # core/a.py 3, core/b.py 3 (made.py is generated), rest/c.cpp 4; tests are no production code.
    assert sizes(grown, "port") == [{"total": 10}, {"total": 14}, {"total": 14}]
    first = shown(grown, "port")["samples"][0]["sizes"]["total"]
    assert first["files"] == 3
    assert set(first) == {"files", *CONVENTIONS}
    assert first["physical"] == 8 + 3 + 4
    assert first["pygount"] == 10 - 1 - 1  # a bracket in b.py and one in c.cpp


def test_a_system_may_be_told_apart(grown: Place) -> None:
    assert sizes(grown, "port", "--by", "component") == [
        {"core": 6, "rest": 4},
        {"core": 9, "rest": 5},
        {"core": 9, "rest": 5},
    ]
    assert sizes(grown, "port", "--by", "language")[-1] == {"python": 9, "cpp": 5}
    assert sizes(grown, "port", "--by", "purpose")[-1] == {"production": 14, "test": 2, "data": 1}  # the attributes
    assert sizes(grown, "port", "--by", "stage")[-1] == {"undetermined": 14}
    assert sizes(grown, "port", "--all")[-1] == {"total": 17}


def test_a_system_ends_at_its_pin_or_where_it_is_told_to(grown: Place) -> None:
    assert len(shown(grown, "port@HEAD~1")["samples"]) == 2
    grown.commits["port"] = subprocess.run(
        ["git", "-C", "../port", "rev-parse", "HEAD~2"], check=True, capture_output=True, text=True
    ).stdout.strip()
    grown.spec()
    assert len(shown(grown, "port")["samples"]) == 1
    assert len(shown(grown, "port@main")["samples"]) == 3


def test_a_path_needs_no_configuration(grown: Place) -> None:
    (grown.path / "repos.yaml").unlink()
    # docs are prose, tests are tests, the picture is binary; the folder is the component.
    assert sizes(grown, "../port", "--by", "component")[-1] == {"core": 9, "rest": 5}
    assert sizes(grown, "../port/core") == [{"total": 6}, {"total": 9}, {"total": 9}]
    assert len(sizes(grown, "../port@HEAD~1")) == 2


def test_the_table_names_the_convention(grown: Place) -> None:
    ran = grown.run("history", "port", "--by", "component", "--convention", "pygount")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["date", "commit", "files", "total", "core", "rest"]
    assert lines[2].split() == ["2026-03-02", lines[2].split()[1], "3", "8", "5", "3"]
    assert lines[-1] == "code lines of production code, convention: pygount"


def test_csv_has_a_row_for_each_commit_and_key(grown: Place) -> None:
    ran = grown.run("history", "port", "--by", "component", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [(row["component"], row["files"], row["leverage"], row["gap"]) for row in rows] == [
        ("core", "2", "6", ""),
        ("rest", "1", "4", ""),
        ("core", "3", "9", ""),
        ("rest", "2", "5", ""),
        ("core", "3", "9", ""),
        ("rest", "2", "5", ""),
    ]
    assert ran.out == grown.run("history", "port", "--by", "component", "--format", "csv").out


def test_the_figure_is_written_and_says_what_it_shows(grown: Place) -> None:
    ran = grown.run("history", "port", "--by", "component", "--format", "svg", "-o", "out.svg")
    assert (ran.code, ran.out) == (0, "")
    root = ET.fromstring((grown.path / "here/out.svg").read_bytes())  # noqa: S314 - written a moment ago
    told = [element.text or "" for element in root.iter() if element.tag.endswith(("title", "desc", "text"))]
    assert any("14 code lines" in text for text in told)
    assert {"core", "rest"} <= set(told)


def test_a_gap_is_shown_as_a_gap(grown: Place) -> None:
    port = Repository(grown.path / "port")
    port.loose(port.git("rev-parse", "HEAD~1:core")).unlink()
    ran = grown.run("history", "port", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["leverage"] for row in rows] == ["10", "", "14"]
    assert rows[1]["gap"]
    assert "1 of 3 commits cannot be read" in ran.err
    table = grown.run("history", "port").out.splitlines()
    assert table[3].split()[2] == "-"
    assert "pattern" in grown.run("history", "port", "--format", "svg").out
    assert "url(#history-gap)" in grown.run("history", "port", "--format", "svg").out


def test_missing_contents_make_lower_bounds(grown: Place) -> None:
    port = Repository(grown.path / "port")
    port.loose(port.git("rev-parse", "HEAD:rest/c.cpp")).unlink()
    ran = grown.run("history", "port", "--format", "csv")
    assert [row["missing_files"] for row in csv.DictReader(io.StringIO(ran.out))] == ["1", "1", "1"]
    assert "lower bounds" in ran.err


def test_a_shallow_clone_says_that_older_commits_are_missing(grown: Place) -> None:
    url = f"file://{grown.path / 'port'}"
    subprocess.run(["git", "clone", "-q", "--depth=2", url, "young"], check=True, capture_output=True)
    ran = grown.run("history", "young", "--format", "csv")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 1 + 2
    assert "older commits are missing" in ran.err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("nothing",), 2, "neither a folder nor a system"),
        (("prot",), 2, "did you mean `port`"),
        (("port@nowhere",), 3, "no such branch"),
        (("port", "--since", "soon"), 2, "not a day"),
        (("closed",), 2, "neither a folder nor a system with a source"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], code: int, told: str, grown: Place) -> None:
    ran = grown.run("history", *words)
    assert ran.code == code
    assert told in ran.err
    assert ran.out == ""


def test_a_system_that_is_not_on_this_machine_says_how_to_get_it(grown: Place) -> None:
    grown.spec(base='{git: "https://example.invalid/x/y", commit: "' + "a" * 40 + '"}')
    ran = grown.run("history", "base")
    assert ran.code == 3
    assert "git clone --bare" in ran.err


def commit(number: int, date: str) -> Commit:
    return Commit(f"{number:040}", "t", date and f"{date}T00:00:00Z")


def test_sampling_takes_the_last_of_a_week_or_month_and_always_the_end() -> None:
    dates = ["2025-12-29", "2026-01-01", "2026-01-04", "2026-01-05", "2026-01-31", "2026-01-02", "2026-02-03"]
    commits = [commit(number, date) for number, date in enumerate(dates)]

    def taken(every: str, since: str = "", tagged: dict[str, str] | None = None) -> list[int]:
        return [int(one.id) for one in sampled(commits, every, since, tagged or {})]

    assert taken("commit") == [0, 1, 2, 3, 4, 5, 6]
    # 2025-12-29 is the Monday of the first week of 2026; a clock that went back counts as the latest day before it.
    assert taken("week") == [2, 3, 5, 6]
    assert taken("month") == [0, 5, 6]
    assert taken("month", "2026-02-01") == [6]
    assert taken("commit", "2026-01-31") == [4, 5, 6]
    assert taken("tag", tagged={commits[1].id: "v1"}) == [1, 6]
    assert taken("commit", "2027-01-01") == []


def test_tags_are_found_packed_loose_and_annotated(grown: Place) -> None:
    port = Repository(grown.path / "port")
    port.git("tag", "loose", "HEAD~2")
    port.git("tag", "-a", "-m", "m", "annotated", "HEAD~1")
    port.git("pack-refs", "--all")
    assert len(shown(grown, "port", "--every", "tag")["samples"]) == 3
    port.git("tag", "-d", "annotated")
    assert len(shown(grown, "port", "--every", "tag")["samples"]) == 2
