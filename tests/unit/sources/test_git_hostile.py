"""Repositories that try to run something, to lead elsewhere or to hang whoever reads them."""

import os
import subprocess
from pathlib import Path

import pytest
from leverage.model.errors import ConfigurationError, LeverageError, SourceError
from leverage.sources.base import Missing
from leverage.sources.git import open_git
from leverage.spec.types import GitSource, PathSource
from tests.unit.sources.tools import Repository, World, contents


def program(path: Path, marker: Path) -> str:
    path.write_text(f"#!/bin/sh\ntouch {marker}\nexit 0\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def armed(world: World) -> tuple[Repository, str, Path]:
    """A repository whose every hook and setting that names a program names one that leaves a mark."""
    marker = world.path / "ran"
    run = program(world.path / "run.sh", marker)
    origin = world.repository()
    commit = origin.commit({"a.py": b"a = 1\n", ".gitattributes": b"* filter=evil diff=evil\n"})
    for key in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "core.pager",
        "core.editor",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "uploadpack.packObjectsHook",
        "gpg.program",
        "sequence.editor",
    ):
        origin.git("config", key, run)
    origin.git("config", "filter.evil.required", "true")
    origin.git("config", "alias.cat-file", f"!{run}")
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman", "post-index-change"):
        program(origin.git_directory / "hooks" / hook, marker)
    return origin, commit, marker


def test_nothing_that_a_repository_names_is_run_when_it_is_read(
    armed: tuple[Repository, str, Path], world: World
) -> None:
    origin, commit, marker = armed
    source = open_git(GitSource(git=str(origin.path), commit=commit), world.access())
    assert contents(source)["a.py"] == b"a = 1\n"
    assert not marker.exists()


def test_nothing_is_run_when_its_work_tree_is_looked_at(armed: tuple[Repository, str, Path], world: World) -> None:
    origin, _, marker = armed
    (origin.path / "a.py").write_bytes(b"a = 2\n")
    (origin.path / "new.py").write_bytes(b"n\n")
    source = world.open(PathSource(path="origin"))
    assert source.snapshot.pin.kind == "directory"
    assert contents(source)["a.py"] == b"a = 2\n"
    assert not marker.exists()
    # The bait works: git itself, asked the same, runs it.
    subprocess.run(["git", "-C", str(origin.path), "status"], capture_output=True, check=False)
    assert marker.exists()


def test_a_clean_work_tree_with_filters_runs_nothing_either(armed: tuple[Repository, str, Path], world: World) -> None:
    _, commit, marker = armed
    source = world.open(PathSource(path="origin"))
    assert source.snapshot.pin.id == commit
    assert not marker.exists()


def test_a_configuration_that_includes_a_pipe_or_another_file_does_not_matter(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"1"})
    pipe = world.path / "pipe"
    os.mkfifo(pipe)
    config = origin.git_directory / "config"
    config.write_text(config.read_text() + f'[include]\n\tpath = {pipe}\n[includeIf "gitdir:/"]\n\tpath = {pipe}\n')
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {"a": b"1"}


@pytest.mark.parametrize("name", ["config", "HEAD", "packed-refs", "commondir", "objects/info/alternates"])
def test_a_pipe_in_place_of_a_file_does_not_hang(name: str, world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"1"})
    path = origin.git_directory / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    source = GitSource(git=str(origin.path), commit=commit)
    if refused := {"HEAD": "commit-not-found", "objects/info/alternates": "git-borrowed-objects"}.get(name):
        with pytest.raises(SourceError, match=refused):
            open_git(source, world.access())
    else:
        assert contents(open_git(source, world.access())) == {"a": b"1"}


def test_an_environment_that_points_git_elsewhere_does_not_matter(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin, other = world.repository(), world.repository("other")
    commit = origin.commit({"a": b"1"})
    marker = world.path / "ran"
    run = program(world.path / "run.sh", marker)
    monkeypatch.setenv("GIT_DIR", str(other.git_directory))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.git_directory / "objects"))
    monkeypatch.setenv("GIT_COMMON_DIR", str(other.git_directory))
    monkeypatch.setenv("GIT_INDEX_FILE", str(world.path / "no-index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor={run}'")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", run)
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {"a": b"1"}
    assert world.open(PathSource(path=str(origin.path))).snapshot.pin.id == commit
    assert not marker.exists()


def test_replace_refs_and_grafts_do_not_change_what_is_read(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"true"})
    blob = origin.git("rev-parse", "HEAD:a")
    origin.git("replace", blob, origin.git("hash-object", "-w", "--stdin", data=b"forged"))
    other = origin.commit({"a": b"other"})
    origin.git("replace", commit, other)
    assert origin.git("show", f"{commit}:a") == "other"  # git itself is taken in
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {"a": b"true"}


def test_a_forged_object_is_noticed(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"true", "b": b"fine"})
    blob = origin.git("rev-parse", "HEAD:a")
    forged = origin.put("blob", b"forged")
    origin.loose(blob).chmod(0o644)
    origin.loose(blob).write_bytes(origin.loose(forged).read_bytes())
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {
        "a": "unreadable",
        "b": b"fine",
    }


def test_a_forged_tree_is_refused(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"true"})
    tree = origin.git("rev-parse", "HEAD^{tree}")
    forged = origin.put_tree([("100644", b"a", origin.put("blob", b"forged"))])
    origin.loose(tree).chmod(0o644)
    origin.loose(tree).write_bytes(origin.loose(forged).read_bytes())
    with pytest.raises(SourceError, match="not the content of that id"):
        open_git(GitSource(git=str(origin.path), commit=commit), world.access())


def test_borrowed_objects_are_refused_with_the_way_out(world: World) -> None:
    private = world.repository("private")
    commit = private.commit({"secret": b"s"})
    bait = world.repository("bait")
    (bait.git_directory / "objects/info/alternates").write_text(f"{private.git_directory}/objects\n")
    with pytest.raises(SourceError, match="git-borrowed-objects") as caught:
        open_git(GitSource(git=str(bait.path), commit=commit), world.access())
    assert "repack -a -d" in str(caught.value)


def test_an_inherited_alternate_is_not_used(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    private, bait = world.repository("private"), world.repository("bait")
    commit = private.commit({"secret": b"s"})
    bait.commit({"a": b"1"})
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(private.git_directory / "objects"))
    with pytest.raises(SourceError, match="does not have the commit"):
        open_git(GitSource(git=str(bait.path), commit=commit), world.access())


def test_a_partial_clone_is_never_completed_behind_our_back(world: World) -> None:
    origin = world.repository()
    origin.git("config", "uploadpack.allowFilter", "true")
    commit = origin.commit({"a": b"1", "dir/b": b"2"})
    clone = world.path / "partial"
    origin.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{origin.path}", str(clone))
    marker = world.path / "ran"
    run = program(world.path / "run.sh", marker)
    subprocess.run(["git", "-C", str(clone), "config", "remote.origin.uploadpack", run], check=True)
    source = open_git(GitSource(git=str(clone), commit=commit), world.access())
    assert [(file.path, file.size) for file in source.snapshot.files] == [("a", -1), ("dir/b", -1)]
    assert contents(source) == {"a": "object-missing", "dir/b": "object-missing"}
    assert not marker.exists()
    subprocess.run(["git", "-C", str(clone), "cat-file", "-p", f"{commit}:a"], capture_output=True, check=False)
    assert marker.exists()  # git itself would have fetched


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user_is_read(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"1"})
    subprocess.run(["chown", "-R", "12345:12345", str(origin.path)], check=True)
    with pytest.raises(subprocess.CalledProcessError):
        origin.git("log")  # git itself refuses: dubious ownership
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {"a": b"1"}
    assert contents(world.open(PathSource(path="origin"))) == {"a": b"1"}


NAMES = [
    b"-rf",
    b"..",
    b"--upload-pack=x",
    b".git",
    b"with\nnewline",
    b"with\ttab",
    b"\xe2\x80\xaegnp.exe",
    b"latin\xe9",
    b"\xed\xa0\x80",
    b"C:evil",
    b"back\\slash",
    b"<script>",
    b"UPPER",
    b"upper",
]


def test_any_name_is_kept_exactly(world: World) -> None:
    origin = world.repository()
    entries = [("100644", name, origin.put("blob", name)) for name in NAMES]
    inner = origin.put_tree([("100644", b"..", origin.put("blob", b"inner"))])
    commit = origin.put_commit(origin.put_tree([*entries, ("40000", b"dir", inner)]))
    found = contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access()))
    assert {path.encode("utf-8", "surrogateescape"): data for path, data in found.items()} == {
        **{name: name for name in NAMES},
        b"dir/..": b"inner",
    }
    ordered = [path.encode("utf-8", "surrogateescape") for path in found]
    assert ordered == sorted(ordered)


def test_symlinks_and_submodules_are_listed_and_never_followed(world: World) -> None:
    (world.path / "secret").write_text("s")
    origin = world.repository()
    target = b"../secret"
    tree = origin.put_tree(
        [
            ("120000", b"link", origin.put("blob", target)),
            ("160000", b"module", "12" * 20),
            ("100755", b"run", origin.put("blob", b"#!")),
        ]
    )
    source = open_git(GitSource(git=str(origin.path), commit=origin.put_commit(tree)), world.access())
    assert [(file.path, str(file.kind), file.size) for file in source.snapshot.files] == [
        ("link", "symlink", len(target)),
        ("module", "submodule", 0),
        ("run", "file", 2),
    ]
    assert contents(source) == {"link": "not-a-file", "module": "not-a-file", "run": b"#!"}


def test_a_huge_blob_is_not_loaded(world: World) -> None:
    origin = world.repository()
    huge = origin.put("blob", b"x" * 100, size=200 * 1024 * 1024)
    commit = origin.put_commit(origin.put_tree([("100644", b"a", origin.put("blob", b"1")), ("100644", b"huge", huge)]))
    source = open_git(GitSource(git=str(origin.path), commit=commit), world.access())
    assert source.snapshot.files[1].size == 200 * 1024 * 1024
    assert contents(source) == {"a": b"1", "huge": "too-large"}


def test_a_blob_that_grows_between_listing_and_reading_is_skipped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = world.repository()
    commit = origin.commit({"a": b"12345", "b": b"1"})
    source = open_git(GitSource(git=str(origin.path), commit=commit), world.access())
    monkeypatch.setattr("leverage.sources.gitobjects.LARGEST_FILE", 3)
    with source:
        small = [file for file in source.snapshot.files if file.path == "b"]
        lying = [file.__class__(file.path, file.blob, 1) for file in source.snapshot.files if file.path == "a"]
        got = [(file.path, data) for file, data in source.read([*lying, *small])]
    assert isinstance(got[0][1], Missing)
    assert got[0][1].reason == "too-large"
    assert got[1] == ("b", b"1")


def test_a_damaged_object_costs_only_itself(world: World) -> None:
    origin = world.repository()
    commit = origin.commit({name: name.encode() * 50 for name in "abcde"})
    for name in "bd":
        blob = origin.loose(origin.git("rev-parse", f"HEAD:{name}"))
        blob.chmod(0o644)
        blob.write_bytes(blob.read_bytes()[:-9] + b"\0" * 9)
    found = contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access()))
    assert {path for path, data in found.items() if data == path.encode() * 50} == {"a", "c", "e"}
    assert {found["b"], found["d"]} <= {"unreadable", "object-missing"}


def test_a_tree_that_multiplies_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.sources.gitobjects.MOST_ENTRIES", 5000)
    origin = world.repository()
    tree = origin.put_tree([("100644", b"f%d" % i, origin.put("blob", b"x")) for i in range(10)])
    for _ in range(9):
        tree = origin.put_tree([("40000", b"d%d" % i, tree) for i in range(10)])
    with pytest.raises(SourceError, match="more than 5000 entries"):
        open_git(GitSource(git=str(origin.path), commit=origin.put_commit(tree)), world.access())


def test_a_tree_without_a_floor_is_refused(world: World) -> None:
    origin = world.repository()
    tree = origin.put_tree([("100644", b"f", origin.put("blob", b"x"))])
    for _ in range(250):
        tree = origin.put_tree([("40000", b"d", tree)])
    with pytest.raises(SourceError, match="nested deeper"):
        open_git(GitSource(git=str(origin.path), commit=origin.put_commit(tree)), world.access())


@pytest.mark.parametrize(
    "data",
    [
        b"100644 a",
        b"100644 a\0short",
        b"x a\0" + b"1" * 20,
        b"\0" * 40,
        b"100644a\0" + b"1" * 20,
        b"100644 a\0" + b"1" * 20 + b"7",
    ],
)
def test_a_malformed_tree_is_refused(data: bytes, world: World) -> None:
    origin = world.repository()
    with pytest.raises(SourceError, match="tree-invalid"):
        open_git(GitSource(git=str(origin.path), commit=origin.put_commit(origin.put("tree", data))), world.access())


def test_a_path_listed_twice_is_refused(world: World) -> None:
    origin = world.repository()
    one, two = origin.put("blob", b"1"), origin.put("blob", b"2")
    tree = origin.put_tree([("100644", b"a", one), ("100644", b"a", two)])
    with pytest.raises(SourceError, match="twice"):
        open_git(GitSource(git=str(origin.path), commit=origin.put_commit(tree)), world.access())


def test_a_file_entry_that_is_a_tree_and_a_directory_entry_that_is_a_file(world: World) -> None:
    origin = world.repository()
    empty, blob = origin.put_tree([]), origin.put("blob", b"1")
    commit = origin.put_commit(origin.put_tree([("100644", b"a", empty)]))
    assert contents(open_git(GitSource(git=str(origin.path), commit=commit), world.access())) == {"a": "unreadable"}
    commit = origin.put_commit(origin.put_tree([("40000", b"a", blob)]))
    with pytest.raises(SourceError, match="is a blob, not a tree"):
        open_git(GitSource(git=str(origin.path), commit=commit), world.access())


@pytest.mark.parametrize("date", ["9" * 12 + " +0000", "-5 +0000", "never", "1767225600"])
def test_a_commit_without_a_usable_date_has_none(date: str, world: World) -> None:
    origin = world.repository()
    commit = origin.put_commit(origin.put_tree([]), date=date)
    assert open_git(GitSource(git=str(origin.path), commit=commit), world.access()).snapshot.pin.date == ""


UNSAFE = [
    "ext::sh -c 'touch ran'",
    "fd::17",
    "foo::bar",
    "::x",
    "--upload-pack=touch ran",
    "-oProxyCommand=touch",
    "ssh://-oProxyCommand=touch/x",
    "ssh://-l@host/x",
    "-x@host:path",
    "host:-path",
    "http:///nohost",
    "ftp://host/x",
    "EXT::sh",
    "gopher://host/x",
    "file://host/etc",
    "https://host/a\nb",
    "https://[::1",
    "\0",
    "  ",
]


@pytest.mark.parametrize("url", UNSAFE)
@pytest.mark.parametrize("also", ["", "also"])
def test_urls_that_are_commands_or_options_are_refused_before_anything_is_asked(
    url: str, also: str, world: World
) -> None:
    source = GitSource(git="https://127.0.0.1:1/x" if also else url, commit="a" * 40, also=(url,) if also else ())
    with pytest.raises(ConfigurationError, match="url-refused"):
        open_git(source, world.access(offline=False))
    assert list(world.path.glob("**/ran")) == []
    assert not (world.path / "store").exists()


def test_messages_show_no_control_characters_of_others(world: World) -> None:
    with pytest.raises(LeverageError) as caught:
        open_git(GitSource(git="https://host/\x1b]0;x\x07\u202e", commit="a" * 40), world.access())
    assert not {"\x1b", "\x07", "\u202e"} & set(str(caught.value))
