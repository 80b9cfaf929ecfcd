"""Directories: plain ones, work trees clean and changed, and what lies in wait in them."""

from __future__ import annotations

import errno
import os
import socket
from typing import TYPE_CHECKING, Any

import pytest
from leverage.model.errors import SourceError
from leverage.sources.base import Missing
from leverage.sources.blobid import blob_id, content_id
from leverage.spec.types import PathSource
from tests.unit.sources.tools import contents

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.sources.tools import World


def fill(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def test_a_plain_directory(world: World) -> None:
    fill(
        world.path / "src", {"b": b"2", "a/x": b"1", "a.py": b"3", ".git-not/x": b"4", "a/.svn/x": b"5", ".hg/y": b"6"}
    )
    source = world.open(PathSource(path="src"))
    expected = {".git-not/x": b"4", "a.py": b"3", "a/x": b"1", "b": b"2"}
    assert contents(source) == expected
    assert list(contents(source)) == list(expected)  # sorted
    pin = source.snapshot.pin
    assert (pin.kind, pin.date, pin.artifact) == ("directory", "", "")
    assert pin.id == pin.tree == content_id((path, blob_id(data)) for path, data in expected.items())
    assert "unpinned" in source.snapshot.note
    assert (source.snapshot.location, source.snapshot.answered_by) == ("src", "src")


def test_the_same_content_elsewhere_has_the_same_id(world: World) -> None:
    for name in ("one", "two"):
        fill(world.path / name, {"a": b"1", "b/c": b"2"})
    one, two = (world.open(PathSource(path=name)).snapshot.pin for name in ("one", "two"))
    assert one == two
    (world.path / "two/a").rename(world.path / "two/d")
    assert world.open(PathSource(path="two")).snapshot.pin != one


def test_what_is_out_of_scope_is_listed_without_being_read(world: World) -> None:
    fill(world.path / "src", {"a": b"1", "b": b"22"})
    source = world.open(PathSource(path="src"), wanted=lambda path: path == "a")
    assert [(file.path, file.blob, file.size) for file in source.snapshot.files] == [
        ("a", blob_id(b"1"), 1),
        ("b", "", 2),
    ]


def test_links_are_never_followed_and_pipes_never_opened(world: World) -> None:
    root = world.path / "src"
    fill(root, {"a": b"1"})
    fill(world.path / "outside", {"secret": b"s"})
    (root / "file-link").symlink_to(world.path / "outside/secret")
    (root / "directory-link").symlink_to(world.path / "outside")
    (root / "loop").symlink_to(".")
    (root / "nowhere").symlink_to("does/not/exist")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "socket"))
        source = world.open(PathSource(path="src"))
        found = contents(source)
    links = {"file-link", "directory-link", "loop", "nowhere"}
    assert found == {"a": b"1", "pipe": "unreadable", "socket": "unreadable", **dict.fromkeys(links, "not-a-file")}
    assert {file.path for file in source.snapshot.files if str(file.kind) == "symlink"} == links


def test_names_that_are_not_text(world: World) -> None:
    root = world.path / "src"
    root.mkdir()
    names = [b"latin\xe9", b"new\nline", b"-rf", "\u202egnp".encode(), b"back\\slash"]
    for name in names:
        (root / os.fsdecode(name)).write_bytes(name)
    assert {
        path.encode("utf-8", "surrogateescape"): data
        for path, data in contents(world.open(PathSource(path="src"))).items()
    } == {name: name for name in names}


def test_a_file_that_is_swapped_for_a_link_after_listing(world: World) -> None:
    fill(world.path / "src", {"a": b"1", "b": b"2", "c/d": b"3", "e": b"4"})
    fill(world.path / "outside", {"secret": b"1", "d": b"3"})
    source = world.open(PathSource(path="src"))
    root = world.path / "src"
    (root / "a").unlink()
    (root / "a").symlink_to(world.path / "outside/secret")
    (root / "b").write_bytes(b"changed")
    (root / "c/d").unlink()
    (root / "c").rmdir()
    (root / "c").symlink_to(world.path / "outside")
    (root / "e").unlink()
    assert contents(source) == {"a": "not-a-file", "b": "unreadable", "c/d": "unreadable", "e": "object-missing"}


def test_a_huge_file_is_not_loaded(world: World) -> None:
    fill(world.path / "src", {"a": b"1", "huge": b""})
    os.truncate(world.path / "src/huge", 65 * 1024 * 1024)
    source = world.open(PathSource(path="src"))
    assert contents(source) == {"a": b"1", "huge": "too-large"}
    # git hash-object of 65 MiB of zeros
    assert source.snapshot.files[1].blob == blob_id(b"\0" * 65 * 1024 * 1024)


def test_what_may_not_be_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(world.path / "src", {"a": b"1", "closed/b": b"2", "c": b"3"})
    real_open, real_scandir = os.open, os.scandir

    def denied(path: object, *arguments: Any, **keywords: Any) -> Any:  # root may read everything, so chmod is no test
        if path == b"c":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real_open(path, *arguments, **keywords)  # type: ignore[arg-type]

    def closed(path: bytes) -> Any:
        if path.endswith(b"closed/"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real_scandir(path)

    monkeypatch.setattr(os, "open", denied)
    monkeypatch.setattr(os, "scandir", closed)
    found = contents(world.open(PathSource(path="src")))
    assert found["a"] == b"1"
    assert found["c"] == "unreadable"
    assert set(found) == {"a", "c", "closed"}
    assert found["closed"] != b"2"


def test_a_clean_work_tree_is_its_commit(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a.py": b"1", ".gitignore": b"*.o\n"})
    origin.write({"junk.o": b"ignored"})
    source = world.open(PathSource(path="origin"))
    assert (source.snapshot.pin.kind, source.snapshot.pin.id) == ("git", commit)
    assert source.snapshot.note == ""
    assert contents(source) == {".gitignore": b"*.o\n", "a.py": b"1"}


@pytest.mark.parametrize("change", ["edit", "delete", "new", "link", "mode only", "staged"])
def test_a_changed_work_tree_is_read_from_disk_and_says_so(change: str, world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a.py": b"1", "b/c.py": b"2", ".gitignore": b"*.o\n"})
    origin.write({"junk.o": b"ignored"})
    expected: dict[str, bytes | str] = {"a.py": b"1", "b/c.py": b"2", ".gitignore": b"*.o\n"}
    if change == "edit":
        origin.write({"a.py": b"!"})
        expected["a.py"] = b"!"
    elif change == "delete":
        (origin.path / "a.py").unlink()
        del expected["a.py"]
    elif change == "new":
        origin.write({"n.py": b"3"})
        expected["n.py"] = b"3"
    elif change == "link":
        (origin.path / "a.py").unlink()
        (origin.path / "a.py").symlink_to("b/c.py")
        expected["a.py"] = "not-a-file"
    elif change == "staged":
        origin.write({"s.py": b"4"})
        origin.git("add", "s.py")
        expected["s.py"] = b"4"
    else:
        (origin.path / "a.py").chmod(0o755)
    source = world.open(PathSource(path="origin"))
    assert contents(source) == expected
    if change == "mode only":  # not one byte differs
        assert source.snapshot.pin.id == commit
    else:
        assert source.snapshot.pin.kind == "directory"
        assert commit in source.snapshot.note
        assert "unpinned" in source.snapshot.note


def test_changes_out_of_scope_leave_the_pin(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"src/a.py": b"1", "notes": b"2"})
    origin.write({"notes": b"changed", "new-notes": b"3"})
    source = world.open(PathSource(path="origin"), wanted=lambda path: path.startswith("src/"))
    assert source.snapshot.pin.id == commit


def test_a_tracked_path_behind_a_link_is_not_read_through_it(world: World) -> None:
    origin = world.repository()
    origin.commit({"d/f": b"inside", "x": b"1"})
    fill(world.path / "outside", {"f": b"inside"})
    (origin.path / "d/f").unlink()
    (origin.path / "d").rmdir()
    (origin.path / "d").symlink_to(world.path / "outside")
    found = contents(world.open(PathSource(path="origin")))
    assert b"inside" not in found.values()
    assert found["d"] == "not-a-file"


def test_ignore_rules_are_the_repositorys_own(world: World) -> None:
    origin = world.repository()
    origin.commit({"a": b"1"})
    origin.write({"by-user": b"2", "by-exclude": b"3"})
    (origin.git_directory / "info/exclude").write_text("by-exclude\n")
    config = world.path / "home/config/git"
    config.mkdir(parents=True)
    (config / "ignore").write_text("by-user\n")
    assert contents(world.open(PathSource(path="origin"))) == {"a": b"1", "by-user": b"2"}


def test_a_repository_inside_is_listed_as_one_entry(world: World) -> None:
    origin = world.repository()
    origin.commit({"a": b"1"})
    inner = world.repository("origin/inner")
    inner.commit({"x": b"2"})
    source = world.open(PathSource(path="origin"))
    assert [(file.path, str(file.kind)) for file in source.snapshot.files] == [("a", "file"), ("inner", "submodule")]


def test_a_work_tree_without_a_commit_and_linked_work_trees(world: World) -> None:
    world.repository("new").write({"a": b"1"})
    source = world.open(PathSource(path="new"))
    assert contents(source) == {"a": b"1"}
    assert "without a commit" in source.snapshot.note
    origin = world.repository()
    commit = origin.commit({"a": b"1"})
    origin.git("worktree", "add", "-q", "../linked", "-b", "side")
    assert world.open(PathSource(path="linked")).snapshot.pin.id == commit
    origin.git("pack-refs", "--all")
    assert world.open(PathSource(path="linked")).snapshot.pin.id == commit


def test_what_cannot_be_opened_says_what_to_do(world: World) -> None:
    world.repository("bare", "--bare")
    (world.path / "file").write_text("x")
    with pytest.raises(SourceError, match="bare-repository"):
        world.open(PathSource(path="bare"))
    with pytest.raises(SourceError, match="is not a directory"):
        world.open(PathSource(path="file"))
    with pytest.raises(SourceError, match="is not there") as caught:
        world.open(PathSource(path="~/nowhere"))
    assert str(world.path / "home/nowhere") in str(caught.value)


def test_a_damaged_index(world: World) -> None:
    origin = world.repository()
    origin.commit({"a": b"1"})
    (origin.git_directory / "index").write_bytes(b"DIRC" + b"\xff" * 100)
    with pytest.raises(SourceError, match="work-tree-unreadable"):
        world.open(PathSource(path="origin"))


def test_too_many_entries(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.sources.directory.MOST_ENTRIES", 5)
    fill(world.path / "src", {f"{i}": b"" for i in range(7)})
    with pytest.raises(SourceError, match="more than 5 entries"):
        world.open(PathSource(path="src"))


def test_reading_something_that_is_gone(world: World) -> None:
    fill(world.path / "src", {"a": b"1"})
    source = world.open(PathSource(path="src"))
    (world.path / "src/a").unlink()
    [(_, data)] = source.read(source.snapshot.files)
    assert isinstance(data, Missing)
