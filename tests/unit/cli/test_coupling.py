"""`leverage coupling`: a dirty checkout and a configured system, every form of the answer, and the baseline."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.cli.conftest import BASE, PORT
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

INSTALL = b"""\
import up
from up.core import Base, registry


def install():
    old = Base.run

    def run(self):
        return old(self)

    Base.run = run
    Base.extra = 1
    registry["key"] = run
"""
FILES = {
    "port/__init__.py": b"",
    "port/install.py": INSTALL,
    "port/own.cpp": b"#include <torch/torch.h>\n",
    "tests/test_port.py": b"from up.core import Base\nBase.gone = 1\n",
    "setup.py": b"import up\n",
    "README.md": b"# A port\n",
}
UPSTREAM = {
    "site/up/__init__.py": b"",
    "site/up/core.py": b"class Base:\n    def run(self): ...\nregistry = {}\n",
}


def write(place: Place, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = place.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.fixture
def port(place: Place) -> Place:
    """A port of `up` in a plain folder, and `up` beside it."""
    write(place, {f"checkout/{name}": data for name, data in FILES.items()} | UPSTREAM)
    return place


def found(place: Place, *words: str, code: int = 0) -> dict[str, Any]:
    """The JSON of a run that must end with a code."""
    ran = place.run("coupling", "--format", "json", "--substrate", "up", *words)
    assert ran.code == code, ran.err
    answer: dict[str, Any] = json.loads(ran.out)
    return answer


def rows(answer: dict[str, Any], *fields: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in fields) for row in answer["touchpoints"]]


def changes(answer: dict[str, Any], *fields: str) -> list[tuple[object, ...]]:
    kinds = ("monkey_patch", "container_mutation")
    return [tuple(row[name] for name in fields) for row in answer["touchpoints"] if row["kind"] in kinds]


def test_a_checkout_without_configuration(port: Place) -> None:
    answer = found(port, "checkout")
    assert answer["format"] == 1
    assert changes(answer, "path", "line", "kind", "symbol", "scope", "wraps", "confidence") == [
        ("port/install.py", 11, "monkey_patch", "up.core.Base.run", "global", True, "certain"),
        ("port/install.py", 12, "monkey_patch", "up.core.Base.extra", "global", None, "certain"),
        ("port/install.py", 13, "container_mutation", "up.core.registry", "global", None, "certain"),
    ]
    contract = {"path", "line", "kind", "symbol", "private", "scope", "restored", "wraps", "resolution", "confidence"}
    assert all(contract <= row.keys() for row in answer["touchpoints"])
    assert answer["files"] == {"python": 2, "cpp": 1, "set_aside": {"build": 1, "test": 1}}
    assert answer["totals"]["monkey_patch"] == {
        "sites": 2,
        "private": 0,
        "public": 2,
        "global": 2,
        "instance": 0,
        "restored": 0,
        "symbols": 2,
        "files": 1,
    }
    assert answer["totals"]["all"]["sites"] == len(answer["touchpoints"])
    assert sum(symbol["sites"] for symbol in answer["symbols"]) == len(answer["touchpoints"])


def test_the_current_folder_and_a_folder_inside_a_package(port: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(port.path / "checkout")
    assert {path for (path,) in changes(found(port, "."), "path")} == {"port/install.py"}
    assert {path for (path,) in changes(found(port, "port"), "path")} == {"install.py"}


def test_an_uncommitted_change_is_seen(port: Place) -> None:
    Repository(port.path / "checkout").commit({"port/__init__.py": b"", "port/a.py": b""})
    write(port, {"checkout/port/a.py": b"import up.core\nup.core.Base.new = 1\n"})
    assert ("port/a.py", 2, "up.core.Base.new") in changes(found(port, "checkout"), "path", "line", "symbol")
    assert {path for (path,) in changes(found(port, "checkout@HEAD"), "path")} == {"port/install.py"}


def test_all_reads_tests_as_well(port: Place) -> None:
    answer = found(port, "checkout", "--all")
    assert ("tests/test_port.py", "up.core.Base.gone") in changes(answer, "path", "symbol")
    assert answer["files"] == {"python": 4, "cpp": 1, "set_aside": {}}


def test_patches_and_additions_are_told_apart_where_upstream_is_at_hand(port: Place) -> None:
    answer = found(port, "checkout", "--kind", "monkey_patch")
    assert rows(answer, "symbol", "effect") == [("up.core.Base.run", "unknown"), ("up.core.Base.extra", "unknown")]
    answer = found(port, "checkout", "--kind", "monkey_patch", "--upstream", "site")
    assert rows(answer, "symbol", "effect") == [("up.core.Base.run", "patch"), ("up.core.Base.extra", "add")]
    assert answer["totals"]["effects"] == {"patch": 1, "add": 1, "unknown": 0}


def test_names_of_a_package_can_be_given(place: Place) -> None:
    write(place, {"part/a.py": b"from .b import Base\nBase.run = 1\n", "part/b.py": b"from up.core import Base\n"})
    write(place, {"part/c.py": b"from whole.part.b import Base\nBase.go = 1\n", "part/__init__.py": b""})
    answer = found(place, "part", "--package", "whole.part")
    assert changes(answer, "path", "symbol") == [("a.py", "up.core.Base.run"), ("c.py", "up.core.Base.go")]


def test_the_table_has_totals_symbols_and_patches(port: Place) -> None:
    ran = port.run("coupling", "checkout", "--substrate", "up", "--upstream", "site")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^monkey_patch +2 +0 +2 +2 +0 +0 +2 +1$", ran.out, re.MULTILINE)
    assert re.search(
        r"^port/install.py:11 +monkey_patch +assignment global patch wraps +up.core.Base.run$", ran.out, re.MULTILINE
    )
    added = r"^port/install.py:12 +monkey_patch +assignment global add +up.core.Base.extra$"
    assert re.search(added, ran.out, re.MULTILINE)
    assert "of 2 rows of monkey patches: 1 of a name that upstream has, 1 of a name that the port adds" in ran.out
    assert "read: 2 Python files, 1 file of C++" in ran.out
    assert ran.out.endswith("set aside by their paths: 1 build, 1 test; --all reads them too\n")


def test_csv_has_a_row_for_each(port: Place) -> None:
    ran = port.run("coupling", "checkout", "--substrate", "up", "--format", "csv", "--kind", "container_mutation")
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert (row["path"], row["line"], row["symbol"]) == ("port/install.py", "13", "up.core.registry")
    assert (row["private"], row["wraps"], row["effect"]) == ("false", "", "")


def test_markdown_for_a_job_summary(port: Place) -> None:
    ran = port.run("coupling", "checkout", "--substrate", "up", "--format", "markdown")
    assert ran.out.startswith("## Touchpoints\n")
    assert "| `port/install.py:11` | monkey_patch | assignment global wraps | `up.core.Base.run` |" in ran.out


def test_sarif_for_code_review(port: Place) -> None:
    ran = port.run("coupling", "checkout", "--substrate", "up", "--format", "sarif", "--kind", "monkey_patch")
    (run,) = json.loads(ran.out)["runs"]
    places = [each["locations"][0]["physicalLocation"] for each in run["results"]]
    assert places[0] == {"artifactLocation": {"uri": "checkout/port/install.py"}, "region": {"startLine": 11}}
    assert [each["level"] for each in run["results"]] == ["warning", "warning"]
    assert len({each["partialFingerprints"]["leverage/touchpoint/v1"] for each in run["results"]}) == 2
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {rules[each["ruleIndex"]] for each in run["results"]} == {"monkey_patch"}


def test_a_baseline_accepts_what_is_known_and_news_fails(port: Place) -> None:
    ran = port.run("coupling", "checkout", "--substrate", "up", "--write-baseline", "known.json")
    assert ran.code == 0
    assert "accepted in known.json" in ran.err
    assert found(port, "checkout", "--baseline", "known.json")["touchpoints"] == []
    write(port, {"checkout/port/install.py": b"# moved\n" + INSTALL + b"    Base.later = 2\n"})
    answer = found(port, "checkout", "--baseline", "known.json", code=1)
    assert rows(answer, "line", "symbol") == [(15, "up.core.Base.later")]
    assert answer["baseline"]["gone"] == 0
    assert answer["totals"]["monkey_patch"]["sites"] == 3
    shown = port.run("coupling", "checkout", "--substrate", "up", "--baseline", "known.json")
    assert shown.code == 1
    assert re.search(r"^port/install.py:15 +monkey_patch", shown.out, re.MULTILINE)
    assert ":12" not in shown.out
    write(port, {"checkout/port/install.py": b""})
    assert found(port, "checkout", "--baseline", "known.json")["baseline"]["gone"] > 0


def test_a_system_reads_its_production_components_and_its_substrate(place: Place) -> None:
    port_files = PORT | {"core/p.py": b"from up.core import Base\nBase.run = 1\nBase.extra = 1\n"}
    port_files |= {"tests/more.py": b"from up.core import Base\nBase.late = 1\n"}
    base_files = BASE | {name.removeprefix("site/"): data for name, data in UPSTREAM.items()}
    for name, files in (("port", port_files), ("base", base_files)):
        place.commits[name] = Repository(place.path / "repos" / name).commit(files)
    sources = {name: f'{{path: repos/{name}, commit: "{place.commits[name]}"}}' for name in place.commits}
    place.spec(
        ("    boundaries: {extension: [core]}", "    builds_on: base\n    boundaries: {extension: [core]}"), **sources
    )
    answer = found(place, "port", "--kind", "monkey_patch")
    assert rows(answer, "path", "symbol", "effect") == [
        ("core/p.py", "up.core.Base.run", "patch"),
        ("core/p.py", "up.core.Base.extra", "add"),
    ]
    assert answer["files"]["set_aside"] == {"test": 2}


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("bad.py", b"def (:\n", "does not parse"),
        ("old.py", b"print 'two'\n", "does not parse"),
        ("zero.py", b"a = 1\0\n", "does not parse"),
        ("deep.py", b"x = " + b"(" * 3000 + b")" * 3000 + b"\n", "does not parse"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_a_row(place: Place, name: str, data: bytes, why: str) -> None:
    write(place, {f"port/{name}": data, "port/good.py": b"import up\nup.f = 1\n"})
    answer = found(place, "port")
    assert [(each["path"], each["kind"]) for each in answer["unresolved"]] == [(name, None)]
    assert why in answer["unresolved"][0]["why"]
    assert changes(answer, "symbol") == [("up.f",)]


def test_a_name_that_is_neither_path_nor_system(world: Place) -> None:
    ran = world.run("coupling", "prot")
    assert ran.code == 2
    assert "neither a path nor a system" in ran.err
    assert "port" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gone",), "cannot be counted"),
        ((".", "--package", "a-b"), "no import name"),
        ((".", "--substrate", "a.b"), "no import name"),
        ((".", "--kind", "patch"), "is not one of"),
        ((".", "--upstream", ".", "--substrate", "up"), "holds no package up"),
        ((".", "--baseline", "known.json"), "no baseline of touchpoints"),
    ],
)
def test_mistakes_are_told(place: Place, words: tuple[str, ...], message: str) -> None:
    write(place, {"known.json": b"[]"})
    ran = place.run("coupling", *words)
    assert ran.code == 2
    assert message in ran.err
