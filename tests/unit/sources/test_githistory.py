"""First-parent histories: which commits there are, what each changed, and what is not at hand."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from leverage.model.errors import SourceError
from leverage.model.files import EntryKind
from leverage.sources.base import Missing
from leverage.sources.githistory import Changes, Entry, History

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.sources.tools import Repository, World


def opened(repository: Repository, head: str) -> History:
    return History(repository.git_directory / "objects", head)


def blob(repository: Repository, data: bytes) -> Entry:
    return Entry(repository.put("blob", data), EntryKind.FILE)


def applied(changes: list[Changes | Missing]) -> dict[str, Entry]:
    """The tree that changes lead to, one after the other."""
    tree: dict[str, Entry] = {}
    for each in changes:
        assert not isinstance(each, Missing)
        for path, entry in each.items():
            if entry is None:
                del tree[path]
            else:
                tree[path] = entry
    return tree


def test_commits_follow_first_parents_only_and_come_oldest_first(world: World) -> None:
    origin = world.repository()
    first = origin.commit({"a": b"1"})
    origin.git("checkout", "-q", "-b", "side")
    origin.commit({"b": b"1"})
    origin.git("checkout", "-q", "main")
    second = origin.commit({"c": b"1"})
    origin.git("merge", "-q", "--no-ff", "-m", "m", "side")
    merge = origin.git("rev-parse", "HEAD")
    with opened(origin, merge) as history:
        commits, cut = history.commits()
    assert [commit.id for commit in commits] == [first, second, merge]
    assert [commit.date for commit in commits] == ["2026-03-02T04:30:00Z"] * 3
    assert cut == ""


def test_changes_are_what_differs_and_nothing_else(world: World) -> None:
    origin = world.repository()
    origin.commit({"top": b"1", "same/deep/x": b"x", "d/a": b"1", "d/b": b"1", "was/file": b"1"})
    shutil.rmtree(origin.path / "was")
    (origin.path / "d/b").unlink()
    origin.commit({"d/a": b"2", "was": b"now a file", "new/deep/y": b"y"})
    (origin.path / "was").unlink()
    last = origin.commit({"was/file": b"1"})
    with opened(origin, last) as history:
        commits, _ = history.commits()
        trees = [commit.tree for commit in commits]
        first, second, third = history.changes([("", trees[0]), (trees[0], trees[1]), (trees[1], trees[2])])
        assert history.changes([(trees[0], trees[0])]) == [{}]
        assert history.changes([(trees[2], "")]) == [
            dict.fromkeys(["d/a", "new/deep/y", "same/deep/x", "top", "was/file"])
        ]
    assert sorted(applied([first])) == ["d/a", "d/b", "same/deep/x", "top", "was/file"]
    assert second == {
        "d/a": blob(origin, b"2"),
        "d/b": None,
        "new/deep/y": blob(origin, b"y"),
        "was": blob(origin, b"now a file"),
        "was/file": None,
    }
    assert third == {"was": None, "was/file": blob(origin, b"1")}


def test_an_unchanged_folder_is_never_looked_into(world: World) -> None:
    origin = world.repository()
    untouched = origin.put("tree", b"this is no tree")
    one = origin.put_tree([("100644", b"a", origin.put("blob", b"1")), ("40000", b"deep", untouched)])
    two = origin.put_tree([("100644", b"a", origin.put("blob", b"2")), ("40000", b"deep", untouched)])
    with opened(origin, origin.put_commit(two)) as history:
        assert history.changes([(one, two)]) == [{"a": blob(origin, b"2")}]
        (whole,) = history.changes([("", two)])
    assert isinstance(whole, Missing)
    assert "malformed" in whole.detail


def test_links_modules_and_odd_names_are_entries(world: World) -> None:
    origin = world.repository()
    data = origin.put("blob", b"1")
    tree = origin.put_tree([("120000", b"\xff\n", data), ("160000", b"module", "12" * 20), ("100755", b"run", data)])
    with opened(origin, origin.put_commit(tree)) as history:
        (found,) = history.changes([("", tree)])
    assert found == {
        "\udcff\n": Entry(data, EntryKind.SYMLINK),
        "module": Entry("12" * 20, EntryKind.SUBMODULE),
        "run": Entry(data, EntryKind.FILE),
    }


def test_a_tree_that_lists_a_name_twice_is_missing(world: World) -> None:
    origin = world.repository()
    one, two = origin.put("blob", b"1"), origin.put("blob", b"2")
    tree = origin.put_tree([("100644", b"a", one), ("100644", b"a", two)])
    with opened(origin, origin.put_commit(tree)) as history:
        (found,) = history.changes([("", tree)])
    assert isinstance(found, Missing)
    assert "twice" in found.detail


def test_a_tree_that_multiplies_is_missing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.sources.gitobjects.MOST_ENTRIES", 5000)
    origin = world.repository()
    tree = origin.put_tree([("100644", b"f%d" % i, origin.put("blob", b"x")) for i in range(10)])
    for _ in range(9):
        tree = origin.put_tree([("40000", b"d%d" % i, tree) for i in range(10)])
    with opened(origin, origin.put_commit(tree)) as history:
        (found,) = history.changes([("", tree)])
    assert isinstance(found, Missing)


def test_a_tree_without_a_floor_is_missing(world: World) -> None:
    origin = world.repository()
    tree = origin.put_tree([("100644", b"f", origin.put("blob", b"x"))])
    for _ in range(250):
        tree = origin.put_tree([("40000", b"d", tree)])
    with opened(origin, origin.put_commit(tree)) as history:
        (found,) = history.changes([("", tree)])
    assert isinstance(found, Missing)
    assert "nested deeper" in found.detail


def test_a_shallow_clone_says_where_it_ends(world: World) -> None:
    origin = world.repository()
    origin.commit({"a": b"1"})
    origin.commit({"a": b"2"})
    last = origin.commit({"a": b"3"})
    place = world.path / "shallow"
    command = ["git", "clone", "-q", "--bare", "--depth=2", f"file://{origin.path}", str(place)]
    subprocess.run(command, check=True, capture_output=True)
    with History(place / "objects", last) as history:
        commits, cut = history.commits()
    assert [commit.id for commit in commits][1:] == [last]
    assert len(commits) == 2
    assert "does not hold object" in cut


def test_contents_that_are_not_at_hand_are_values(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.sources.githistory.LARGEST_FILE", 10)
    origin = world.repository()
    tree = origin.put_tree([])
    names = [origin.put("blob", b"1"), "34" * 20, origin.put("blob", b"x" * 11), tree, origin.put("blob", b"2")]
    with opened(origin, origin.put_commit(tree)) as history:
        found = list(history.contents(names))
    reasons = [data.reason if isinstance(data, Missing) else data for data in found]
    assert reasons == [b"1", "object-missing", "too-large", "unreadable", b"2"]


def test_a_head_that_is_not_at_hand_is_refused(world: World) -> None:
    origin = world.repository()
    with opened(origin, "56" * 20) as history, pytest.raises(SourceError, match="cannot be read"):
        history.commits()


def test_a_forged_commit_ends_the_history(world: World, tmp_path: Path) -> None:
    origin = world.repository()
    first = origin.commit({"a": b"1"})
    last = origin.commit({"a": b"2"})
    other = origin.put("commit", b"tree " + b"9" * 40 + b"\n\n")
    loose = origin.loose(first)
    loose.chmod(0o644)
    loose.write_bytes(origin.loose(other).read_bytes())
    with opened(origin, last) as history:
        commits, cut = history.commits()
    assert [commit.id for commit in commits] == [last]
    assert "ends before" in cut
