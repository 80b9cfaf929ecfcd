"""What somebody names on a command line: a file, a folder, or ``REPO@REV``.

A file counts the same however it was asked for: its language and its attributes are decided by the whole work tree that
it stands in, of which only the part that was asked for is read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Problem, SourceError
from leverage.sources.base import Access, Progress, silent
from leverage.sources.directory import list_work_tree, open_disk, walk
from leverage.sources.gitlocal import open_commit
from leverage.sources.gitplace import find_repository
from leverage.sources.revision import resolve
from leverage.sources.wording import failure, shown
from leverage.spec.text import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leverage.model.files import SourceFile
    from leverage.sources.base import OpenSource
    from leverage.sources.gitplace import LocalRepository


@dataclass(frozen=True, slots=True)
class Target:
    """Something that was asked for, opened.

    Attributes:
        name: as it was asked for.
        source: the work tree, folder or commit around it; its listing is the context of the files.
        files: what was asked for.
        below: the part of their paths that was asked for and need not be repeated; the whole path for a single file.
        note: what the reader should know about what is read, in one sentence; empty mostly.
    """

    name: str
    source: OpenSource
    files: tuple[SourceFile, ...]
    below: str
    note: str = ""

    def shown(self, path: str, *, alone: bool) -> str:
        """The path of a file of this target as people are told it; with the target's name unless it stands alone."""
        rest = path.removeprefix(self.below).removeprefix("/")
        if not rest or alone:
            return rest or self.name
        return f"{self.name.rstrip('/')}/{rest}"


def open_target(name: str, progress: Progress = silent) -> Target:
    """Open a path, or a revision of a local repository. Nothing is fetched, no configuration of a repository is obeyed.

    A folder in a git work tree means its tracked files and the untracked ones that are not ignored, as they are on
    disk; another folder means all its files but those of version control. A path that exists is a path, whatever it
    holds; else ``REPO@REV`` is split at the first ``@`` before which a folder stands.

    Raises:
        ConfigurationError: there is no such path.
        SourceError: the repository, the revision or the folder cannot be read.
    """
    if not name:  # `Path("")` is the current folder, and nobody means that by nothing
        raise _no_such_path(name, "nothing is named")
    try:
        path = Path(name).expanduser()
        if os.path.lexists(path):
            return _open_path(name, path.resolve(strict=True), progress)
    except (OSError, RuntimeError, ValueError) as error:  # a dangling or circular link, a NUL, an unknown ~user
        raise _no_such_path(name, getattr(error, "strerror", None) or str(error)) from error
    for at, char in enumerate(name):
        folder = Path(name[:at] or ".").expanduser() if char == "@" else None
        if folder is not None and folder.is_dir():
            return _open_revision(name, folder.resolve(), name[at + 1 :])
    raise _no_such_path(name, "it is not there")


def _no_such_path(name: str, answer: str) -> ConfigurationError:
    folder, _, leaf = name.rpartition("/")
    try:
        beside = [entry.name for entry in Path(folder or ("/" if name.startswith("/") else ".")).iterdir()]
    except (OSError, ValueError):
        beside = []
    close = closest(leaf, beside)
    hint = f"did you mean {shown(f'{folder}/{close}' if folder else close)}?" if close else ""
    return ConfigurationError(
        Problem(
            "no-such-path",
            f"{shown(name) if name else 'an empty path'} cannot be counted: {answer}",
            hint=hint or "name a file, a folder, or a local repository with a revision, such as .@HEAD",
        )
    )


def _open_path(name: str, path: Path, progress: Progress) -> Target:
    if not path.is_dir() and not path.is_file():
        raise failure("not-a-file", f"{shown(name)} is neither a file nor a folder", hint="name a file or a folder")
    folder = path if path.is_dir() else path.parent
    try:
        root, repository = _around(folder)
    except SourceError as error:
        note = f"{error.problems[0].what}; what git ignores is counted too"
        return _open_plain(name, path, folder, progress, note)
    if repository is None:
        return _open_plain(name, path, folder, progress, "")
    if repository.git_directory == root:
        raise failure(
            "bare-repository",
            f"{shown(name)} is a bare repository and has no files of its own",
            why="which commit to count has to be said",
            hint=f"write {shown(name)}@HEAD, or another revision after the @",
        )
    below = _text(path.relative_to(root)) if path != root else ""
    entries = list_work_tree(root, repository)
    opened = _opened(name, root, entries, below, progress)
    if opened.files or not any(True for _ in walk(folder)):
        return opened
    note = f"git ignores all of {shown(name)}; it is counted because it was named"
    return _open_plain(name, path, folder, progress, note)


def _open_plain(name: str, path: Path, folder: Path, progress: Progress, note: str) -> Target:
    """Files outside git: all below a folder, or one file, which the names beside it help to understand."""
    entries = walk(folder) if path == folder else _beside(folder)
    below = "" if path == folder else _text(Path(path.name))
    return _opened(name, folder, sorted(entries), below, progress, note=note)


def _beside(folder: Path) -> Iterator[bytes]:
    with os.scandir(os.fsencode(folder)) as found:
        yield from (entry.name for entry in found if not entry.is_dir(follow_symlinks=False))


def _opened(name: str, root: Path, entries: list[bytes], below: str, progress: Progress, *, note: str = "") -> Target:
    access = Access(
        base=root,
        store=root,
        mirrors={},
        offline=True,
        wanted=lambda path: _within(path, below),
        progress=progress,
    )
    source = open_disk(root, name, entries, access, "")
    return Target(name, source, tuple(_asked(source.snapshot.files, below)), below, note)


def _open_revision(name: str, folder: Path, revision: str) -> Target:
    place = shown(name[: -len(revision) - 1] or ".")
    root, repository = _around(folder)
    if repository is None:
        raise failure(
            "not-a-repository",
            f"{place} is neither a git repository nor in one, so it has no revision {shown(revision)}",
            hint="name a repository before the @, or leave the @ and what follows it out",
        )
    commit = resolve(repository, revision, place)
    source = open_commit(root, commit, location=place, answered_by=place)
    below = "" if root in {folder, repository.git_directory} else _text(folder.relative_to(root))
    files = tuple(_asked(source.snapshot.files, below))
    if below and not files:
        raise failure("no-such-path", f"{place} is not there in {shown(revision)} (commit {commit})")
    return Target(name, source, files, below)


def _text(path: Path) -> str:
    """A path as listings have it: UTF-8, whatever the locale of this process makes of file names."""
    return os.fsencode(path.as_posix()).decode("utf-8", "surrogateescape")


def _around(folder: Path) -> tuple[Path, LocalRepository | None]:
    """The nearest folder, from here up, that is a repository or its work tree."""
    for root in (folder, *folder.parents):
        if repository := find_repository(root):
            return root, repository
    return folder, None


def _asked(files: Iterable[SourceFile], below: str) -> Iterator[SourceFile]:
    return (file for file in files if _within(file.path, below))


def _within(path: str, below: str) -> bool:
    return not below or path == below or path.startswith(f"{below}/")
