"""`leverage diff`: what changed, and what it can be due to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

REPORT = Path(__file__).parents[3] / "reports/default/report.json"


@pytest.fixture
def grown(world: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    (world.path / "here").mkdir()
    monkeypatch.chdir(world.path / "here")
    monkeypatch.setenv("LEVERAGE_CONFIG", "../repos.yaml")
    port = Repository(world.path / "port")
    world.commits["port"] = port.commit({"core/new.py": b"a = 1\nb = 2\n", "core/b.py": b"A = 1\n", "tests/t.py": b""})
    world.spec()
    return world


def differing(place: Place, *words: str) -> dict[str, Any]:
    ran = place.run("diff", "--format", "json", *words)
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def section(found: dict[str, Any], title: str) -> dict[str, tuple[object, object, object]]:
    (rows,) = [each["rows"] for each in found["sections"] if each["title"] == title]
    return {row["key"]: (row["before"], row["after"], row["change"]) for row in rows}


def test_two_revisions_of_a_system(grown: Place) -> None:
    found = differing(grown, "port@HEAD~1", "port")
    assert found["changed"] is True
    assert found["sentence"] == "+0 code lines of production code, 10 to 10"
    assert [bool(found["causes"][cause]) for cause in ("code", "rules", "tool")] == [True, False, False]
    assert section(found, "convention") == {"pygount": (8, 9, 1)}  # one bracket less
    assert section(found, "file") == {"core/b.py": (3, 1, -2), "core/new.py": (None, 2, 2)}
    assert section(found, "purpose") == {"test": (2, 0, -2)}


def test_a_folder_needs_no_configuration(grown: Place) -> None:
    (grown.path / "repos.yaml").unlink()
    found = differing(grown, "../port@HEAD~1", "../port@HEAD")
    assert section(found, "file") == {"core/b.py": (3, 1, -2), "core/new.py": (None, 2, 2)}


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_no_change_is_one_line(form: str, grown: Place) -> None:
    ran = grown.run("diff", "port@HEAD", "port", "--format", form)
    assert ran.code == 0
    assert ran.out.count("\n") == 1
    assert "nothing changed, neither code nor rules nor tool" in ran.out


def test_the_table_and_the_pull_request(grown: Place) -> None:
    table = grown.run("diff", "port@HEAD~1", "port").out
    assert "rules changed: no\ntool changed: no\n" in table
    assert ["core/b.py", "3", "1", "-2"] in [line.split() for line in table.splitlines()]
    text = grown.run("diff", "port@HEAD~1", "port", "--format", "markdown").out
    assert text.startswith("**+0 code lines of production code, 10 to 10**\n")
    assert "| core/b.py | 3 | 1 | -2 |" in text


def test_names_of_others_do_not_break_the_markdown(grown: Place) -> None:
    port = Repository(grown.path / "port")
    port.commit({"core/<img src=x>|`a`.py": b"x = 1\n"})
    text = grown.run("diff", "port@HEAD~1", "port@HEAD", "--format", "markdown").out
    assert not re.search(r"(?<!\\)[<`]", re.sub(r"</?(?:details|summary)>", "", text))
    assert "\\<img src=x\\>\\|\\`a\\`.py" in text


def changed(place: Place, change: Any) -> str:
    """The committed report with a change, beside the configuration."""
    document = json.loads(REPORT.read_text())
    change(document)
    path = place.path / "changed.json"
    path.write_text(json.dumps(document))
    return str(path)


def test_two_reports_that_are_equal(world: Place) -> None:
    assert differing(world, str(REPORT), str(REPORT))["changed"] is False


def test_a_figure_names_what_can_have_changed_it(world: Place) -> None:
    def change(document: dict[str, Any]) -> None:
        port = next(system for system in document["systems"] if system["id"] == "torch-spyre")
        port["pin"]["id"] = "0" * 40
        port["components"][0]["code"]["leverage"] += 320
        document["provenance"]["packs"]["torch-npu"] = "another"
        for cell in document["stages"]["cells"]:
            if cell["system"] == "torch-npu@one-back-end" or cell["system"] == "onnx-mlir":
                cell["lines"] += 1

    found = differing(world, str(REPORT), changed(world, change))
    assert [len(found["causes"][cause]) for cause in ("code", "rules", "tool")] == [1, 1, 0]
    (rows,) = [each["rows"] for each in found["sections"] if each["title"] == "component"]
    assert [(row["change"], row["cause"]) for row in rows] == [(320, "code")]
    (rows,) = [each["rows"] for each in found["sections"] if each["title"] == "stage"]
    assert {(row["key"].partition(":")[0], row["cause"]) for row in rows} == {
        ("onnx-mlir", "unexplained"),
        ("torch-npu@one-back-end", "rules"),
    }


def test_a_new_line_rule_is_the_tool(world: Place) -> None:
    def change(document: dict[str, Any]) -> None:
        document["provenance"]["rule_version"] = "2-x"
        document["claims"][0]["verdict"] = "holds"

    found = differing(world, str(REPORT), changed(world, change))
    assert section(found, "claim") == {"s1": ("cannot be checked", "holds", None)}
    assert len(found["causes"]["tool"]) == 1
    assert found["causes"]["tool"][0].endswith(" to 2-x")
    assert found["sections"][0]["rows"][0]["cause"] == "tool"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 2}', '{"format": 1}', '{"format": 1, "systems": 3}'])
def test_what_is_no_report_is_refused(text: str, world: Place) -> None:
    (world.path / "odd.json").write_text(text)
    ran = world.run("diff", str(REPORT), "odd.json")
    assert ran.code == 2
    assert "not-a-report" in ran.err
    assert ran.out == ""


def test_a_report_and_a_revision_cannot_be_compared(world: Place) -> None:
    ran = world.run("diff", str(REPORT), "port")
    assert ran.code == 2
    assert "of one kind" in ran.err
