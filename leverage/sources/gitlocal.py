"""Open a commit of a repository on this machine, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.model.files import EntryKind
from leverage.sources.base import Missing, Snapshot
from leverage.sources.gitobjects import OpenCommit, list_commit, read_commit
from leverage.sources.gitplace import find_repository, head_commit
from leverage.sources.wording import failure, shown

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.model.provenance import Pin


def absent(path: Path, commit: str) -> str:
    """Why a commit cannot be read from a local repository, in words; empty where it can.

    Raises:
        SourceError: the id names something that is not a commit, or the repository is of an unreadable kind.
    """
    if not path.exists():
        return "there is no such directory"
    repository = find_repository(path)
    if repository is None:
        return "it is not a git repository"
    kind, data = read_commit(repository.objects, commit)
    if isinstance(data, Missing):
        if data.reason != "object-missing":
            return data.detail
        if not head_commit(repository) and _is_empty(repository.objects):
            return "the repository is empty: it has no commit yet"
        return "it does not have the commit"
    if kind != "commit":
        raise _not_a_commit(commit, kind, data)
    return ""


def _not_a_commit(commit: str, kind: str, data: bytes) -> Exception:
    hint = "write the id of a commit"
    if kind == "tag" and data.startswith(b"object ") and data[47:60] == b"\ntype commit\n":
        hint = f'write commit: "{data[7:47].decode("ascii", "replace")}", which the tag points to'
    return failure(
        "not-a-commit",
        f"{commit} is the id of a {kind}, not of a commit",
        why="a pin names a commit: it alone has a tree and a date",
        hint=hint,
    )


def _is_empty(objects: Path) -> bool:
    return not any(True for folder in objects.iterdir() if folder.name != "info" for _ in folder.iterdir())


def open_commit(path: Path, commit: str, *, location: str, answered_by: str, note: str = "") -> OpenCommit:
    """Open a commit of the repository at ``path``, one that `absent` has found there.

    Raises:
        SourceError: the repository is gone or unreadable, or a tree is missing or malformed.
    """
    repository = find_repository(path)
    if repository is None:
        raise failure(
            "not-a-repository",
            f"{shown(str(path))} is not a git repository",
            hint="give the directory that holds .git, or a bare repository, not one below it",
        )
    _kind, data = read_commit(repository.objects, commit)
    if isinstance(data, Missing):
        raise failure(data.reason, f"commit {commit} cannot be read: {data.detail}")
    pin, files = list_commit(repository.objects, commit, data)
    return OpenCommit(
        repository.objects,
        Snapshot(pin=pin, location=location, answered_by=answered_by, files=files, note=note),
    )


def is_complete(opened: OpenCommit) -> bool:
    """Whether the repository holds every file of the commit."""
    return all(file.size >= 0 for file in opened.snapshot.files if file.kind is not EntryKind.SUBMODULE)


def check_tree(pin: Pin, expect: Pin | None) -> None:
    """Compare a commit with what the lock says of it.

    Raises:
        SourceError: the lock names another tree.
    """
    if expect and expect.tree and expect.tree != pin.tree:
        raise failure(
            "lock-mismatch",
            f"commit {pin.id} has tree {pin.tree}, but repos.lock says {shown(expect.tree)}",
            why="a commit id determines its tree, so the lock was edited or belongs to another commit",
            hint="run: leverage lock",
        )
