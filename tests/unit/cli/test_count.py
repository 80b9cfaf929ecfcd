"""`leverage count`: what is counted, under which paths, and every form of the answer."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from leverage.measure.conventions import CONVENTIONS
from leverage.model.lines import FIELDS
from tests.unit.cli.conftest import MISSING, PORT
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place


def counted(place: Place, *words: str) -> dict[str, Any]:
    """The JSON of a count that must succeed."""
    ran = place.run("count", "--format", "json", *words)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def paths(place: Place, *words: str) -> list[str]:
    return [file["path"] for file in counted(place, *words)["files"]]


def write(place: Place, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = place.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_the_table_by_language(world: Place) -> None:
    ran = world.run("count", "port")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    # The name of a language belongs to the language table; the figures are worked out by hand.
    assert [line.split()[-6:] for line in lines[2:6]] == [
        ["3", "13", "8", "1", "1", "3"],
        ["1", "4", "4", "0", "0", "0"],
        ["1", "1", "1", "0", "0", "0"],
        ["1", "1", "0", "1", "0", "0"],
    ]
    assert lines[2].startswith("Python ")
    assert lines[3].startswith("C++ ")
    assert lines[0].split() == ["language", "files", "lines", "code", "documentation", "comment", "blank"]
    assert lines[7].split() == ["total", "6", "19", "13", "2", "1", "3"]
    assert lines[8:] == [
        "",
        "excluded: 2 files with 1 line (1 binary, 1 generated); --by file lists them",
        "convention: leverage",
    ]
    assert len({len(line) for line in lines[:8]}) == 1, "aligned"


def test_the_current_folder_is_counted_without_a_path(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    there = world.run("count", "port").out
    monkeypatch.chdir(world.path / "port")
    assert world.run("count").out == there
    assert world.run("count", ".").out == there


def test_the_contract_of_json(place: Place) -> None:
    write(place, {"a.py": PORT["core/a.py"], "b.bin": b"\0", "sub/copy.py": PORT["core/a.py"]})
    assert counted(place) == {
        "format": 1,
        "convention": "leverage",
        "files": [
            {
                "path": "a.py",
                "language": "python",
                "lines": 8,
                "code": 3,
                "documentation": 1,
                "comment": 1,
                "blank": 3,
                "classes": {"code": 3, "documentation": 1, "comment": 1, "blank": 3},
                "disposition": "counted",
                "reason": "counted",
            },
            {
                "path": "b.bin",
                "language": "",
                "lines": 0,
                "code": None,
                "documentation": None,
                "comment": None,
                "blank": None,
                "classes": {},
                "disposition": "excluded",
                "reason": "binary",
            },
            {
                "path": "sub/copy.py",
                "language": "python",
                "lines": 8,
                "code": 3,
                "documentation": 1,
                "comment": 1,
                "blank": 3,
                "classes": {"code": 3, "documentation": 1, "comment": 1, "blank": 3},
                "disposition": "counted",
                "reason": "counted",
            },
        ],
        "totals": {
            "files": 2,
            "lines": 16,
            "code": 6,
            "documentation": 2,
            "comment": 2,
            "blank": 6,
            "classes": {"code": 6, "documentation": 2, "comment": 2, "blank": 6},
            "unique": {
                "files": 1,
                "lines": 8,
                "code": 3,
                "documentation": 1,
                "comment": 1,
                "blank": 3,
                "classes": {"code": 3, "documentation": 1, "comment": 1, "blank": 3},
            },
            "tracked": 3,
            "excluded": {"files": 1, "lines": 0, "reasons": {"binary": 1}},
            "unknown": {"files": 0, "lines": 0, "reasons": {}},
            "unanswered": {"leverage": 0},
            "languages": {
                "python": {
                    "files": 2,
                    "lines": 16,
                    "code": 6,
                    "documentation": 2,
                    "comment": 2,
                    "blank": 6,
                    "classes": {"code": 6, "documentation": 2, "comment": 2, "blank": 6},
                }
            },
        },
    }


def test_copies_are_told_beside_the_total_never_dropped(place: Place) -> None:
    write(place, {"a.py": b"x = 1\n", "b.py": b"x = 1\n", "c.py": b"y = 1\n"})
    lines = place.run("count").out.splitlines()
    assert lines[4].split() == ["total", "3", "3", "3", "0", "0", "0"]
    assert lines[5].split() == ["without", "copies", "2", "2", "2", "0", "0", "0"]
    assert "copies: 1 file with the content of another; they are part of the total" in lines


def test_parts_are_those_of_the_convention(world: Place) -> None:
    under = {name: counted(world, "port/core/a.py", "--convention", name)["totals"] for name in CONVENTIONS}
    assert {name: found["code"] for name, found in under.items()} == {
        "leverage": 3,
        "cloc": 3,
        "scc": 3,
        "tokei": 4,
        "pygount": 3,
        "sloccount": 3,
        "physical": 8,
        "nonblank": 5,
    }
    for found in under.values():
        assert sum(found[part] for part in ("code", "documentation", "comment", "blank")) == found["lines"] == 8


def test_every_convention_at_once(world: Place) -> None:
    every = counted(world, "port", "--convention", "all")
    assert every["convention"] == "leverage"
    for name in CONVENTIONS:
        alone = counted(world, "port", "--convention", name)
        parts = ("code", "documentation", "comment", "blank")
        assert every["totals"]["conventions"][name] == {part: alone["totals"][part] for part in parts}
        assert every["totals"]["unanswered"][name] == alone["totals"]["unanswered"][name]
        for both, one in zip(every["files"], alone["files"], strict=True):
            expected = None if one["code"] is None else {part: one[part] for part in parts}
            assert both["conventions"][name] == expected


def test_a_convention_that_does_not_know_a_language_says_so(place: Place) -> None:
    write(place, {"a.py": b"x = 1\n", "b.yaml": b"a: 1\n"})
    found = counted(place, "--convention", "sloccount")
    assert [file["code"] for file in found["files"]] == [1, None]
    assert found["totals"]["code"] == 1
    assert found["totals"]["unanswered"] == {"sloccount": 1}
    lines = place.run("count", "--convention", "sloccount").out.splitlines()
    assert lines[3].split() == ["YAML", "1", "1", "-", "-", "-", "-"]
    assert "1 file in languages that the convention sloccount does not know" in lines[-2]
    assert lines[-1] == "convention: sloccount"
    lines = place.run("count", "--convention", "all").out.splitlines()
    assert lines[0].split() == ["language", "files", *CONVENTIONS]
    assert lines[6].split()[:4] == ["files", "left", "out", "0"]


def test_a_narrow_terminal_gets_the_columns_in_blocks(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    narrow = world.run("count", "port", "--convention", "all").out
    assert all(len(line) <= 80 for line in narrow.splitlines())
    monkeypatch.setenv("COLUMNS", "120")
    wide = world.run("count", "port", "--convention", "all").out
    assert all(len(line) <= 120 for line in wide.splitlines())
    assert wide.count("language ") == 1
    assert narrow.count("language ") == 2
    cells = [
        sorted({word for word in text.split() if word.isalnum()} & {*CONVENTIONS, *"0123456789"})
        for text in (narrow, wide)
    ]
    assert cells[0] == cells[1]


def test_by_file(world: Place) -> None:
    lines = world.run("count", "port", "--by", "file").out.splitlines()
    assert lines[0].split() == ["lines", "code", "documentation", "comment", "blank", "language", "path"]
    assert [line.split()[-1] for line in lines[2:8]] == [
        "rest/c.cpp",
        "core/a.py",
        "core/b.py",
        "tests/t.py",
        "core/.gitattributes",
        "docs/read.md",
    ]
    assert lines[3].split()[:5] == ["8", "3", "1", "1", "3"]
    assert lines[9].split()[:5] == ["19", "13", "2", "1", "3"]
    assert lines[9].endswith("total of 6 files")
    assert lines[11].split() == ["not", "counted", "reason", "lines", "path"]
    assert [line.split() for line in lines[13:15]] == [
        ["excluded", "binary", "0", "blob.bin"],
        ["excluded", "generated", "1", "core/made.py"],
    ]
    assert lines[16:] == ["excluded: 2 files with 1 line (1 binary, 1 generated)", "convention: leverage"]


def test_by_class(world: Place) -> None:
    lines = world.run("count", "port", "--by", "class").out.splitlines()
    assert lines[0].split() == ["class", "lines", "leverage"]
    assert [line.split()[0] for line in lines[2:18]] == list(FIELDS)
    assert lines[2].split() == ["code", "10", "code"]
    assert lines[4].split() == ["bracket", "3", "code"]
    assert lines[19].split() == ["total", "19"]
    assert any(line.startswith("bracket  ") and "a lone `pass`" in line for line in lines[15:])
    lines = world.run("count", "port", "--by", "class", "--convention", "all").out.splitlines()
    assert lines[0].split() == ["class", "lines", *CONVENTIONS]
    assert lines[4].split() == ["bracket", "3", "code", "code", "code", "code", "blank", "code", "code", "code"]


def test_csv_by_file_language_and_class(world: Place) -> None:
    rows = list(csv.DictReader(io.StringIO(world.run("count", "port", "--by", "file", "--format", "csv").out)))
    assert [row["path"] for row in rows] == sorted(PORT)
    assert rows[2]["path"] == "core/a.py"
    assert (rows[3]["code"], rows[3]["class_code"], rows[3]["class_bracket"]) == ("3", "2", "1")
    assert (rows[2]["lines"], rows[2]["code"], rows[2]["blank"], rows[2]["disposition"]) == ("8", "3", "3", "counted")
    assert (rows[0]["path"], rows[0]["code"], rows[0]["class_bracket"], rows[0]["reason"]) == (
        "blob.bin",
        "",
        "",
        "binary",
    )
    rows = list(csv.DictReader(io.StringIO(world.run("count", "port", "--format", "csv", "--convention", "all").out)))
    assert [row["language"] for row in rows][:2] == ["python", "cpp"]
    assert (rows[0]["code"], rows[0]["code_pygount"], rows[0]["code_physical"]) == ("8", "6", "13")
    rows = list(csv.DictReader(io.StringIO(world.run("count", "port", "--by", "class", "--format", "csv").out)))
    assert [(row["class"], row["lines"], row["leverage"]) for row in rows][:3] == [
        ("code", "10", "code"),
        ("string", "0", ""),
        ("bracket", "3", "code"),
    ]


def test_names_cannot_reach_a_spreadsheet_or_a_terminal(place: Place) -> None:
    hostile = [b"=cmd|'!A1.py", b"\x1b[2J.py", b"\xff\xfe.py", "\u202etxt.py".encode(), b"new\nline.py", b"a,b.py"]
    for name in hostile:
        with open(name, "wb") as file:  # noqa: PTH123 - a Path cannot be made of bytes
            file.write(b"x = 1\n")
    for form in ("table", "csv", "json"):
        ran = place.run("count", "--by", "file", "--format", form)
        assert ran.code == 0, ran.err
        assert not {"\x1b", "\u202e", "\udcff"} & set(ran.out)
    rows = list(csv.reader(io.StringIO(place.run("count", "--by", "file", "--format", "csv").out)))
    assert len(rows) == 1 + len(hostile)
    assert all(not row[0].startswith(("=", "+", "-", "@")) for row in rows)
    found = [file["path"].encode("utf-8", "surrogateescape") for file in counted(place)["files"]]
    assert found == sorted(hostile)
    assert len(place.run("count", "--by", "file").out.splitlines()) == 2 + len(hostile) + 3 + 3


def test_paths_are_relative_to_what_was_asked_and_prefixed_where_there_is_more(world: Place) -> None:
    assert paths(world, "port/core") == [".gitattributes", "a.py", "b.py", "made.py"]
    assert paths(world, "port/core/a.py") == ["port/core/a.py"]
    assert paths(world, "base", "port/tests", "port/core/a.py") == [
        "base/lower/l.py",
        "base/upper/u.cpp",
        "port/tests/t.py",
        "port/core/a.py",
    ]
    assert paths(world, "base/", "port@HEAD")[:3] == ["base/lower/l.py", "base/upper/u.cpp", "port@HEAD/blob.bin"]
    assert paths(world, "base", "base") == ["lower/l.py", "upper/u.cpp"], "asked twice, counted once"


def test_a_work_tree_is_what_is_tracked_and_what_is_not_ignored(world: Place) -> None:
    write(
        world,
        {
            "port/.gitignore": b"build/\n*.log\n",
            "port/build/made.py": b"x = 1\n",
            "port/new.py": b"x = 1\n",
            "port/a.log": b"x\n",
            "port/core/deep/new.py": b"x = 1\n",
            "port/core/deep/x.log": b"x\n",
        },
    )
    (world.path / "port/docs/read.md").unlink()
    (world.path / "port/core/b.py").write_bytes(b"changed = 1\n")
    found = {file["path"]: file for file in counted(world, "port")["files"]}
    assert set(found) == set(PORT) - {"docs/read.md"} | {".gitignore", "new.py", "core/deep/new.py"}
    assert found["core/b.py"]["lines"] == 1
    assert paths(world, "port/core/deep") == ["new.py"]
    ran = world.run("count", "port/build", "--format", "json")
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["made.py"]
    assert "git ignores all of port/build; it is counted because it was named" in ran.err
    ran = world.run("count", "port/a.log", "--format", "json")
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["port/a.log"]


def test_a_part_of_a_tree_counts_as_it_does_in_the_whole(world: Place) -> None:
    write(
        world,
        {
            "port/.gitattributes": b"core/b.py linguist-vendored\n",
            "port/inc/x.h": b"int f();\n",
            "port/src/x.cpp": b"int f() { return 1; }\n" * 3,
        },
    )
    whole = {file["path"]: file for file in counted(world, "port")["files"]}
    assert whole["inc/x.h"]["language"] == "cpp"
    for part in ("core", "inc", "core/made.py", "core/b.py", "inc/x.h"):
        for file in counted(world, f"port/{part}")["files"]:
            name = file["path"].removeprefix("port/")
            same = whole[name if name in whole else f"{part}/{name}"]
            assert {**file, "path": ""} == {**same, "path": ""}
    assert whole["core/b.py"]["reason"] == "vendored"
    assert whole["core/made.py"]["reason"] == "generated"


def test_a_plain_folder_is_all_but_version_control(place: Place) -> None:
    write(place, {"f/a.py": b"x = 1\n", "f/.hg/store.py": b"x = 1\n", "f/.hidden/b.py": b"x = 1\n"})
    (place.path / "f/link.py").symlink_to("a.py")
    (place.path / "f/loop").symlink_to(".")
    os.mkfifo(place.path / "f/pipe.py")
    found = {file["path"]: file["reason"] for file in counted(place, "f")["files"]}
    assert found == {
        ".hidden/b.py": "counted",
        "a.py": "counted",
        "link.py": "symlink",
        "loop": "symlink",
        "pipe.py": "unreadable",
    }
    assert counted(place, "f")["totals"]["unknown"] == {"files": 1, "lines": 0, "reasons": {"unreadable": 1}}


def test_a_link_that_is_named_is_not_followed(place: Place) -> None:
    write(place, {"real/a.py": b"x = 1\n"})
    (place.path / "link").symlink_to("real")
    (place.path / "file").symlink_to("real/a.py")
    for name in ("link", "file", "real/../link"):
        ran = place.run("count", name)
        assert ran.code == 2
        assert f"{name} is a symbolic link" in ran.err
    assert paths(place, "link/") == ["a.py"]


def test_a_file_that_is_named_in_several_ways_is_counted_once(place: Place) -> None:
    write(place, {"real/a.py": b"x = 1\n", "real/b.py": b"y = 1\n"})
    (place.path / "link").symlink_to("real")
    whole = str(place.path / "real/a.py")
    found = counted(place, "real/a.py", "./real/a.py", whole, "real", "real/../real/b.py", "link/")
    assert [file["path"] for file in found["files"]] == ["real/a.py", "real/b.py"]
    assert found["totals"]["code"] == 2


def test_a_commit_that_is_named_in_several_ways_is_counted_once(world: Place) -> None:
    commit = world.commits["port"]
    once = counted(world, f"port@{commit}")
    assert counted(world, f"port@{commit}", f"./port@{commit[:12]}", "port@HEAD")["totals"] == once["totals"]
    assert counted(world, f"port@{commit}", "port")["totals"]["files"] == 2 * once["totals"]["files"]


def test_an_empty_revision_is_a_slip(world: Place) -> None:
    ran = world.run("count", "port@")
    assert ran.code == 2
    assert "port@ names no revision" in ran.err


def test_an_empty_folder_is_no_error(place: Place) -> None:
    (place.path / "empty").mkdir()
    found = counted(place, "empty")
    assert (found["files"], found["totals"]["tracked"], found["totals"]["code"]) == ([], 0, 0)
    ran = place.run("count", "empty")
    assert ran.code == 0
    assert "total" in ran.out
    Repository(place.path / "repository")
    assert counted(place, "repository")["files"] == []


@pytest.fixture
def history(place: Place) -> Repository:
    """A repository with two commits, a branch, an annotated tag, and the same as a bare clone."""
    made = Repository(place.path / "repo")
    made.commit({"lib/a.py": b"x = 1\n", "old.py": b"x = 1\n"})
    made.git("tag", "-a", "-m", "m", "v1")
    made.git("branch", "feature/x")
    (made.path / "old.py").unlink()
    made.commit({"lib/a.py": b"x = 1\ny = 2\n"})
    made.git("clone", "-q", "--bare", ".", "../bare.git")
    return made


@pytest.mark.parametrize("place_name", ["repo", "bare.git", "./repo"])
def test_revisions(place: Place, history: Repository, place_name: str) -> None:
    first, head = history.git("rev-parse", "v1^{commit}"), history.git("rev-parse", "HEAD")
    for revision in (
        "v1",
        "feature/x",
        "HEAD~1",
        "HEAD^",
        "main~1",
        first,
        first[:10],
        "refs/tags/v1",
        "v1^{commit}",
        "v1^{}",
    ):
        assert paths(place, f"{place_name}@{revision}") == ["lib/a.py", "old.py"], revision
    for revision in ("HEAD", "main", head):
        assert paths(place, f"{place_name}@{revision}") == ["lib/a.py"], revision
    history.git("pack-refs", "--all")
    assert paths(place, "repo@v1") == ["lib/a.py", "old.py"]


def test_a_revision_of_a_folder_and_of_here(place: Place, history: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths(place, "repo/lib@v1") == ["a.py"]
    monkeypatch.chdir(history.path)
    assert paths(place, ".@v1") == paths(place, "@v1") == ["lib/a.py", "old.py"]
    monkeypatch.chdir(history.path / "lib")
    assert counted(place, ".@v1")["totals"]["lines"] == 1
    assert counted(place, ".")["totals"]["lines"] == 2
    (history.path / "new").mkdir()
    ran = place.run("count", "../new@v1")
    assert ran.code == 3
    assert "../new is not there in v1" in ran.err


def test_a_path_that_exists_wins_over_a_revision(place: Place, history: Repository) -> None:
    write(place, {"repo@v1/z.py": b"z = 1\n", "repo@main": b"#!/bin/sh\necho\n"})
    assert history.path.is_dir()
    assert paths(place, "repo@v1") == ["z.py"]
    assert paths(place, "repo@main") == ["repo@main"]
    history.git("branch", "a@b")
    assert paths(place, "repo@a@b") == ["lib/a.py"]


@pytest.mark.parametrize(
    ("revision", "answer"),
    [
        ("nope", "there is no such branch, tag or commit"),
        (MISSING, "there is no such commit"),
        ("abcd", "there is no such commit"),
        ("HEAD~9", "there is no such commit"),
        ("HEAD@{1}", "it is not written as the name of a revision"),
        ("../../etc/passwd", "it is not written as the name of a revision"),
        ("--help", "it is not written as the name of a revision"),
        ("HEAD:lib", "it is not written as the name of a revision"),
        (":/x", "it is not written as the name of a revision"),
        ("a..b", "it is not written as the name of a revision"),
    ],
)
def test_revisions_that_are_none(place: Place, history: Repository, revision: str, answer: str) -> None:
    ran = place.run("count", f"{history.path}@{revision}")
    assert ran.code == 3
    assert answer in ran.err
    assert "[no-such-revision]" in ran.err
    assert ran.out == ""


def test_a_tree_or_blob_is_no_revision(place: Place, history: Repository) -> None:
    ran = place.run("count", f"repo@{history.git('rev-parse', 'HEAD^{tree}')}")
    assert ran.code == 3
    assert "there is no such commit" in ran.err


def test_a_bare_repository_wants_a_revision(place: Place, history: Repository) -> None:
    assert history.path.is_dir()
    ran = place.run("count", "bare.git")
    assert ran.code == 3
    assert "write bare.git@HEAD" in ran.err


def test_targets_that_are_none_are_told_at_once(place: Place) -> None:
    write(place, {"module.py": b"x = 1\n"})
    ran = place.run("count", "modul.py", "nowhere/x", "what@HEAD", "a\x1bb", "module.py")
    assert ran.code == 2
    assert ran.err.count("[no-such-path]") == 4
    assert "did you mean module.py?" in ran.err
    assert "\x1b" not in ran.err
    assert ran.out == ""


def test_a_repository_that_borrows_objects_is_counted_with_a_warning(place: Place, history: Repository) -> None:
    history.git("clone", "-q", "--shared", ".", "../shared")
    ran = place.run("count", "shared", "--format", "json")
    assert ran.code == 0
    assert "warning: shared borrows objects" in ran.err.replace(f"{place.path}/", "")
    assert "what git ignores is counted too" in ran.err
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["lib/a.py"]


def test_the_number_of_workers_changes_nothing(place: Place) -> None:
    write(place, {f"{number}.py": b"x = %d\n" % number * 80_000 for number in range(8)})
    one = place.run("count", "--jobs", "1", "--format", "json").out
    place.run("cache", "prune")
    assert place.run("count", "--jobs", "2", "--format", "json").out == one


def test_a_damaged_cache_is_said_once_and_changes_nothing(world: Place) -> None:
    first = world.run("count", "port")
    database = world.path.parent / "cache/counts.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE facts SET value = replace(value, 'c', 'x')")
    connection.close()
    ran = world.run("count", "port")
    assert ran.out == first.out
    assert ran.err.count("warning: ") == 1
    assert "damaged rows; those files are measured again" in ran.err
    database.write_bytes(b"no database" * 1000)
    ran = world.run("count", "port")
    assert ran.out == first.out
    assert ran.err.count("warning: ") == 1


def test_a_cache_that_cannot_be_kept_is_said_and_changes_nothing(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = world.run("count", "port")
    (world.path / "file").write_text("")
    monkeypatch.setenv("LEVERAGE_CACHE_DIR", str(world.path / "file/below"))
    ran = world.run("count", "port")
    assert (ran.code, ran.out) == (0, first.out)
    assert "counting goes on without it" in ran.err


def test_a_linked_work_tree_and_a_submodule(place: Place, history: Repository) -> None:
    history.git("worktree", "add", "-q", "../linked", "v1")
    (place.path / "linked/.gitignore").write_text("*.log\n")
    (place.path / "linked/x.log").write_text("x\n")
    assert paths(place, "linked") == [".gitignore", "lib/a.py", "old.py"]
    assert paths(place, "linked@HEAD") == ["lib/a.py", "old.py"]
    outer = Repository(place.path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(history.path), "sub")
    outer.commit({"b.py": b"x = 1\n"})
    found = {file["path"]: file["reason"] for file in counted(place, "outer")["files"]}
    assert found == {".gitmodules": "counted", "b.py": "counted", "sub": "submodule"}
    assert paths(place, "outer/sub") == ["lib/a.py"], "named, it is a work tree of its own"


def test_a_repository_of_another_object_format_is_counted_from_disk(place: Place) -> None:
    Repository(place.path / "repo", "--object-format=sha256").commit({"a.py": b"x = 1\n"})
    ran = place.run("count", "repo", "--format", "json")
    assert ran.code == 0
    assert "SHA-256" in ran.err
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["a.py"]
    assert place.run("count", "repo@HEAD").code == 3


def test_a_broken_work_tree_is_said(place: Place, history: Repository) -> None:
    (history.path / ".git/index").write_bytes(b"nothing that git would write")
    ran = place.run("count", "repo")
    assert ran.code == 3
    assert "cannot be listed" in ran.err
    assert paths(place, "repo@HEAD") == ["lib/a.py"]
