"""Open a path: a local repository at a commit, a work tree that is clean at HEAD, or plain files on disk (unpinned)."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from leverage.model.files import EntryKind, SourceFile
from leverage.model.provenance import Pin
from leverage.sources.base import LARGEST_FILE, Access, Missing, OpenSource, Snapshot
from leverage.sources.blobid import blob_id, content_id
from leverage.sources.gitcommand import git_process, make_git_directory, reading_environment
from leverage.sources.gitlocal import absent, check_tree, open_commit
from leverage.sources.gitobjects import MOST_ENTRIES, SILENCE
from leverage.sources.gitplace import LocalRepository, find_repository, head_commit
from leverage.sources.places import local_path
from leverage.sources.wording import failure, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from leverage.spec.types import PathSource

VERSION_CONTROL = frozenset({b".git", b".hg", b".svn", b".bzr", b".jj", b"_darcs", b"CVS"})
_CHUNK = 1 << 20
_DIRECTORY_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
# Without O_NONBLOCK, opening a named pipe waits for a writer that never comes.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_path(source: PathSource, access: Access) -> OpenSource:
    """Open a local repository at ``commit``, or without one a directory as it stands.

    A directory that is a git work tree is read at HEAD, pinned, if every file in scope on disk is what HEAD holds; else
    what lies on disk is read (tracked files, and untracked ones that are not ignored), and a note says that it is
    unpinned.

    Raises:
        SourceError: there is no such directory, repository or commit.
    """
    path = local_path(source.path, access.base)
    if not path.is_dir():
        raise failure(
            "no-such-directory",
            f"{shown(source.path)} is {'not a directory' if path.exists() else 'not there'}",
            why="nothing can be counted in it",
            hint=f"correct `path:`; it was looked for at {shown(str(path))}",
        )
    if source.commit:
        if answer := absent(path, source.commit):
            raise failure(
                "commit-not-found",
                f"commit {source.commit} of {shown(source.path)} cannot be read: {answer}",
                why="only the pinned commit is measured, so that anyone can repeat the figures",
                hint="fetch the commit into that repository, correct `commit:`, or leave it out to measure the disk",
            )
        opened = open_commit(path, source.commit, location=source.path, answered_by=source.path)
        check_tree(opened.snapshot.pin, access.expect)
        return opened
    repository = find_repository(path)
    if repository is None:
        return open_disk(path, source.path, sorted(walk(path)), access, "a plain directory: unpinned, it can change")
    if not os.path.lexists(path / ".git"):
        raise failure(
            "bare-repository",
            f"{shown(source.path)} is a bare repository and has no files of its own",
            why="which commit to measure has to be said",
            hint=f'add commit: "{head_commit(repository) or "<full id>"}"',
        )
    return _open_work_tree(path, source.path, repository, access)


def _open_work_tree(path: Path, location: str, repository: LocalRepository, access: Access) -> OpenSource:
    entries = list_work_tree(path, repository)
    commit = head_commit(repository)
    if not commit:
        return open_disk(path, location, entries, access, "a git work tree without a commit: unpinned, it can change")
    opened = open_commit(path, commit, location=location, answered_by=location)
    changed = _first_change(path, opened.snapshot.files, entries, access.wanted)
    if not changed:
        check_tree(opened.snapshot.pin, access.expect)
        return opened
    note = f"a git work tree that differs from its commit {commit} (first at {shown(changed)}): unpinned, it can change"
    return open_disk(path, location, entries, access, note)


def _first_change(
    path: Path, committed: tuple[SourceFile, ...], entries: list[bytes], wanted: Callable[[str], bool]
) -> str:
    """First path in scope that is not on disk what the commit holds; empty where there is none."""
    tracked = {file.path for file in committed}
    for file in committed:
        if file.kind is not EntryKind.SUBMODULE and wanted(file.path):
            found = _look(path, _raw(file.path), read=True)
            if (found.blob, found.kind) != (file.blob, file.kind):
                return file.path
    return next((name for name in map(_text, entries) if name not in tracked and wanted(name)), "")


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def list_work_tree(path: Path, repository: LocalRepository) -> list[bytes]:
    """Tracked paths and untracked ones that the repository's own rules do not ignore, sorted; some may be gone."""
    with tempfile.TemporaryDirectory(prefix="leverage-") as name:
        git_directory = Path(name)
        make_git_directory(git_directory)
        environment = {
            **reading_environment(git_directory, repository.objects.absolute()),
            "GIT_INDEX_FILE": str((repository.git_directory / "index").absolute()),
            "GIT_WORK_TREE": str(path.absolute()),
            # The user's own ignore file would make the same tree count differently on two machines.
            "XDG_CONFIG_HOME": name,
            "HOME": name,
        }
        arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        exclude = repository.common_directory / "info" / "exclude"
        if exclude.is_file():
            arguments.append(f"--exclude-from={exclude.absolute()}")
        with git_process(
            ["-C", str(path.absolute()), *arguments], directory=git_directory, environment=environment, silence=SILENCE
        ) as process:
            try:
                output = process.rest()
                status = process.finish(SILENCE)
                words = process.error_text
            except TimeoutError as error:
                status, output, words = 1, b"", str(error)
        if status:
            raise failure(
                "work-tree-unreadable",
                f"the files of the work tree {shown(str(path))} cannot be listed: {shown(words)}",
                why="without the list nobody knows what is tracked",
                hint="give `commit:` to read a commit instead, or a directory without .git",
            )
    return sorted(set(output.split(b"\0")) - {b""})


def walk(root: Path) -> Iterator[bytes]:
    """Every entry below a directory but the directories that can be listed, these being walked; no link is followed."""
    waiting = [b""]
    count = 0
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.fsencode(root) + b"/" + folder) as found:
                for entry in found:
                    count += 1
                    if count > MOST_ENTRIES:
                        raise failure(
                            "directory-too-large", f"{shown(str(root))} holds more than {MOST_ENTRIES} entries"
                        )
                    path = folder + entry.name
                    if not entry.is_dir(follow_symlinks=False):
                        yield path
                    elif entry.name not in VERSION_CONTROL:
                        waiting.append(path + b"/")
        except PermissionError:
            yield folder.rstrip(b"/")


@dataclass(frozen=True, slots=True)
class _Found:
    """What is on disk under a path."""

    kind: EntryKind
    size: int
    blob: str
    data: bytes | Missing


def _look(root: Path, path: bytes, *, read: bool) -> _Found:
    """Look at one entry below ``root`` without following a link in any part of its path. Never waits."""
    *folders, leaf = path.split(b"/")
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            inner = os.open(folder, _DIRECTORY_FLAGS, dir_fd=handle)
            os.close(handle)
            handle = inner
        return _look_at(handle, leaf, read=read)
    except OSError as error:
        slug = "unreadable" if error.errno != errno.ENOENT else "object-missing"
        return _Found(EntryKind.FILE, -1, "", Missing(slug, error.strerror or "it cannot be opened"))
    finally:
        os.close(handle)


def _look_at(folder: int, leaf: bytes, *, read: bool) -> _Found:
    status = os.lstat(leaf, dir_fd=folder)
    if stat.S_ISLNK(status.st_mode):
        target = os.readlink(leaf, dir_fd=folder)
        return _Found(EntryKind.SYMLINK, len(target), blob_id(target), Missing("not-a-file", "a symlink"))
    if stat.S_ISDIR(status.st_mode):
        # git lists a directory only as a whole: a submodule, or a repository inside this one
        os.close(os.open(leaf, _DIRECTORY_FLAGS, dir_fd=folder))
        return _Found(EntryKind.SUBMODULE, 0, "", Missing("not-a-file", "a repository inside this one"))
    if not stat.S_ISREG(status.st_mode):
        return _Found(
            EntryKind.FILE, -1, "", Missing("unreadable", "a device, socket or named pipe, which is not opened")
        )
    if not read:
        return _Found(EntryKind.FILE, status.st_size, "", Missing("not-fetched", "out of scope"))
    handle = os.open(leaf, _FILE_FLAGS, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        size = os.fstat(handle).st_size
        if size <= LARGEST_FILE:
            data = file.read(LARGEST_FILE + 1)
            return _Found(EntryKind.FILE, len(data), blob_id(data), data)
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while piece := file.read(_CHUNK):
            digest.update(piece)
        reason = Missing("too-large", f"{size} bytes, more than the {LARGEST_FILE} that are read")
        return _Found(EntryKind.FILE, size, digest.hexdigest(), reason)


def open_disk(path: Path, location: str, entries: list[bytes], access: Access, note: str) -> OpenSource:
    """Entries below a directory as they are on disk now; unpinned, since the next moment may change them."""
    access.progress(f"{shown(location)}: reading {len(entries)} files from disk")
    files = []
    for raw in entries:
        name = _text(raw.rstrip(b"/"))
        found = _look(path, raw.rstrip(b"/"), read=access.wanted(name))
        if isinstance(found.data, Missing) and found.data.reason == "object-missing":
            continue  # tracked, but deleted on disk: what is measured is the disk
        files.append(SourceFile(path=name, blob=found.blob, size=found.size, kind=found.kind))
    content = content_id((file.path, file.blob) for file in files if file.blob)
    pin = Pin(kind="directory", id=content, tree=content)
    snapshot = Snapshot(pin=pin, location=location, answered_by=location, files=tuple(files), note=note)
    return OpenDirectory(path, snapshot)


class OpenDirectory:
    """Files on disk, ready to be read; an `OpenSource`."""

    def __init__(self, path: Path, snapshot: Snapshot) -> None:
        self._path = path
        self._snapshot = snapshot

    @property
    def snapshot(self) -> Snapshot:
        """The listing."""
        return self._snapshot

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        """Yield each file with its bytes in the order given; see `OpenSource.read`."""
        for file in files:
            if file.kind is not EntryKind.FILE:
                yield file, Missing("not-a-file", f"a {file.kind} is listed, never followed")
                continue
            found = _look(self._path, _raw(file.path), read=True)
            if file.blob and isinstance(found.data, bytes) and found.blob != file.blob:
                yield file, Missing("unreadable", "the file changed while it was measured")
            else:
                yield file, found.data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        """Nothing is held open between reads."""
