"""Reading commits of local repositories of every shape."""

import os
import subprocess

import pytest
from leverage.model.errors import SourceError
from leverage.model.provenance import Pin
from leverage.sources.base import OpenSource
from leverage.sources.git import open_git
from leverage.spec.types import GitSource, PathSource
from tests.unit.sources.tools import Repository, World, contents

FILES = {"a.py": b"a = 1\n", "dir/b.txt": b"", "dir/deep/c": b"\0\xff\r\n", "z": b"last"}
COMMITTED = "2026-03-02T04:30:00Z"


@pytest.fixture
def origin(world: World) -> Repository:
    origin = world.repository()
    origin.commit(FILES)
    return origin


def test_listing_and_bytes(origin: Repository, world: World) -> None:
    commit = origin.git("rev-parse", "HEAD")
    source = open_git(GitSource(git=str(origin.path), commit=commit), world.access())
    assert source.snapshot.pin == Pin("git", commit, origin.git("rev-parse", "HEAD^{tree}"), COMMITTED)
    assert [(file.path, file.size) for file in source.snapshot.files] == [
        ("a.py", 6),
        ("dir/b.txt", 0),
        ("dir/deep/c", 4),
        ("z", 4),
    ]
    assert source.snapshot.files[1].blob == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git's id of nothing
    assert contents(source) == FILES


def test_order_and_repetition_are_the_callers(origin: Repository, world: World) -> None:
    source = open_git(GitSource(git=str(origin.path), commit=origin.git("rev-parse", "HEAD")), world.access())
    first, *_, last = source.snapshot.files
    with source:
        assert [data for _, data in source.read([last, first, last, last])] == [b"last", b"a = 1\n", b"last", b"last"]
        assert list(source.read([])) == []
        stream = source.read(source.snapshot.files)
        next(stream)
        del stream  # a reader that stops half way leaves the next one undisturbed
        assert [data for _, data in source.read([first])] == [b"a = 1\n"]


def test_more_files_than_one_group_of_requests(world: World) -> None:
    origin = world.repository()
    files = {f"d{i % 700}/f{i}": b"%d" % i * 40 for i in range(1500)}
    commit = origin.commit(files)
    origin.git("gc", "-q")
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == files


@pytest.mark.parametrize("shape", ["non-bare", "bare", "mirror", "shallow", "worktree", "packed", "submodule", "split"])
def test_every_shape_of_repository(shape: str, origin: Repository, world: World) -> None:
    commit = origin.git("rev-parse", "HEAD")
    path = world.path / "shape"
    if shape in {"bare", "mirror"}:
        origin.git("clone", "-q", f"--{shape}", str(origin.path), str(path))
    elif shape == "shallow":
        origin.commit({"new": b"1"})
        commit = origin.git("rev-parse", "HEAD")
        origin.git("clone", "-q", "--depth=1", f"file://{origin.path}", str(path))
    elif shape == "worktree":
        origin.git("worktree", "add", "-q", "--detach", str(path))
    elif shape == "packed":
        origin.git("gc", "-q")
        path = origin.path
    elif shape == "submodule":
        outer = world.path / "outer"
        subprocess.run(["git", "init", "-q", str(outer)], check=True)
        origin.git(
            "-c", "protocol.file.allow=always", "-C", str(outer), "submodule", "add", "-q", str(origin.path), "inner"
        )
        path = outer / "inner"
        assert (path / ".git").is_file()
    elif shape == "split":
        origin.git("clone", "-q", f"--separate-git-dir={world.path / 'elsewhere'}", str(origin.path), str(path))
    else:
        path = origin.path
    expected = {**FILES, "new": b"1"} if shape == "shallow" else FILES
    assert contents(open_git(GitSource(git=str(path), commit=commit), world.access())) == expected


@pytest.mark.parametrize("written", ["origin", "./origin", "{}/origin", "file://{}/origin", "FILE://{}/origin"])
def test_a_local_path_is_read_in_place_and_shown_as_written(written: str, origin: Repository, world: World) -> None:
    written = written.format(world.path)
    source = open_git(GitSource(git=written, commit=origin.git("rev-parse", "HEAD")), world.access())
    assert (source.snapshot.location, source.snapshot.answered_by) == (written, written)
    assert not (world.path / "store").exists()


def test_the_home_directory(origin: Repository, world: World) -> None:
    origin.path.rename(world.path / "home" / "origin")
    origin.path = world.path / "home" / "origin"
    source = open_git(GitSource(git="~/origin", commit=origin.git("rev-parse", "HEAD")), world.access())
    assert source.snapshot.location == "~/origin"


def test_a_mirror_answers_for_a_url_however_it_is_spelt(origin: Repository, world: World) -> None:
    commit = origin.git("rev-parse", "HEAD")
    mirrors = {"https://example.org/o/n.git": str(origin.path)}
    for url in ("https://example.org/o/n", "https://user:pass@example.org/o/n.git", "https://example.org/o/n/"):
        source = open_git(GitSource(git=url, commit=commit), world.access(mirrors=mirrors))
        assert source.snapshot.answered_by.startswith("local mirror of https://example.org/o/n")
        assert "pass" not in repr(source.snapshot)
        assert str(origin.path) not in repr(source.snapshot)


def test_the_second_place_answers_when_the_first_has_not_the_commit(origin: Repository, world: World) -> None:
    other = world.repository("other")
    other.commit({"x": b"1"})
    commit = origin.git("rev-parse", "HEAD")
    mirrors = {"https://example.org/upstream": str(other.path), "https://example.org/fork": str(origin.path)}
    source = open_git(
        GitSource(git="https://example.org/upstream", commit=commit, also=("https://example.org/fork",)),
        world.access(mirrors=mirrors),
    )
    assert source.snapshot.location == "https://example.org/upstream"
    assert source.snapshot.answered_by == "local mirror of https://example.org/fork"


def test_a_missing_commit_says_what_each_place_answered(origin: Repository, world: World) -> None:
    (world.path / "plain").mkdir()
    subprocess.run(["git", "init", "-q", "--bare", str(world.path / "empty")], check=True)
    source = GitSource(
        git=str(origin.path),
        commit="0" * 39 + "1",
        also=("plain", "empty", "nowhere", "https://user:secret@example.org/x"),
    )
    with pytest.raises(SourceError) as caught:
        open_git(source, world.access())
    text = str(caught.value)
    assert f"{origin.path}: it does not have the commit" in text
    assert "plain: it is not a git repository" in text
    assert "empty: the repository is empty" in text
    assert "nowhere: there is no such directory" in text
    assert "https://example.org/x: not asked, for we are offline" in text
    assert "secret" not in text
    assert "--mirror" in text
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(("what", "kind"), [("HEAD^{tree}", "tree"), ("HEAD:a.py", "blob"), ("v1", "tag")])
def test_an_id_that_is_not_a_commits(what: str, kind: str, origin: Repository, world: World) -> None:
    origin.git("tag", "-a", "-m", "t", "v1")
    with pytest.raises(SourceError, match=f"is the id of a {kind}") as caught:
        open_git(GitSource(git=str(origin.path), commit=origin.git("rev-parse", what)), world.access())
    if kind == "tag":
        assert origin.git("rev-parse", "HEAD") in str(caught.value)


def test_a_repository_with_sha256_ids(world: World) -> None:
    other = world.repository("other", "--object-format=sha256")
    other.commit({"a": b"1"})
    with pytest.raises(SourceError, match="git-sha256"):
        open_git(GitSource(git=str(other.path), commit="a" * 40), world.access())


def test_a_lock_that_names_another_tree_is_refused(origin: Repository, world: World) -> None:
    commit, tree = origin.git("rev-parse", "HEAD"), origin.git("rev-parse", "HEAD^{tree}")
    source = GitSource(git=str(origin.path), commit=commit)
    assert open_git(source, world.access(expect=Pin("git", commit, tree))).snapshot.pin.tree == tree
    with pytest.raises(SourceError, match="lock-mismatch"):
        open_git(source, world.access(expect=Pin("git", commit, "1" * 40)))


def test_a_path_with_a_commit(origin: Repository, world: World) -> None:
    commit = origin.git("rev-parse", "HEAD")
    origin.commit({"a.py": b"changed"})

    def opened(path: str, commit: str) -> OpenSource:
        return world.open(PathSource(path=path, commit=commit))

    assert contents(opened("origin", commit)) == FILES
    with pytest.raises(SourceError, match="does not have the commit"):
        opened("origin", "a" * 40)
    with pytest.raises(SourceError, match="is not there"):
        opened("nowhere", commit)


def test_git_is_not_installed(origin: Repository, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "git", None)
    with pytest.raises(SourceError, match="git-not-found"):
        open_git(GitSource(git=str(origin.path), commit="a" * 40), world.access())


def test_no_process_and_no_directory_is_left_behind(
    origin: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(world.path / "home"))
    source = open_git(GitSource(git=str(origin.path), commit=origin.git("rev-parse", "HEAD")), world.access())
    contents(source)
    stream = source.read(source.snapshot.files)
    next(stream)
    del stream
    running = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=True).stdout
    mine = [line for line in running.splitlines() if line.split()[0] == str(os.getpid())]
    assert not [line for line in mine if "cat-file" in line]
    assert list((world.path / "home").iterdir()) == []
