"""The first-parent history of a commit: its commits, what each of them changed, and the contents that they brought.

One process of git answers everything. A tree is read once however many commits share it, and two trees are compared
name by name, so that a folder which a commit left alone is never looked into. Every object is hashed as it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from leverage.model.errors import SourceError
from leverage.model.files import EntryKind
from leverage.sources import gitobjects
from leverage.sources.base import LARGEST_FILE, Missing, Progress, silent
from leverage.sources.gitobjects import (
    ObjectReader,
    commit_date,
    commit_tree,
    first_parent,
    kind_of,
    parse_tree,
)
from leverage.sources.wording import failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

LARGEST_COMMIT = 2**20
"""Bytes: commit objects above this size are not read."""
MOST_COMMITS = 2_000_000
KEPT_ENTRIES = 150_000
"""Entries of trees kept between two calls of `changes`; an entry takes about 150 bytes."""
_STEP = 500  # commits between two signs of life
_LINKS = 5  # tags of tags followed


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a history.

    Attributes:
        id: 40 hex digits.
        tree: id of its tree.
        date: committer date, ISO 8601 in UTC; empty where it has none that a calendar can hold.
        parent: id of its first parent; empty where it has none.
    """

    id: str
    tree: str
    date: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tree entry; its content is named by ``blob``."""

    blob: str
    kind: EntryKind


Changes = dict[str, Entry | None]
"""Path -> what stands there afterwards, None where nothing does; only paths at which something changed."""

_Tree = dict[bytes, tuple[bytes, bytes]]  # name -> mode, raw id


class History:
    """The first-parent commits of a repository on this machine up to one of them; a context manager.

    Args:
        objects: the object directory.
        head: id of the last commit.
    """

    def __init__(self, objects: Path, head: str) -> None:
        self._reader = ObjectReader(objects)
        self._head = head
        self._trees: dict[str, _Tree | Missing] = {}
        self._entries = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._reader.__exit__(*exc)

    def commits(self, progress: Progress = silent) -> tuple[tuple[Commit, ...], str]:
        """The commits, oldest first, and why there are no older ones; an empty text where the first is the first.

        Raises:
            SourceError: the last commit itself is not at hand.
        """
        found = [self.last()]
        cut = ""
        while name := found[-1].parent:
            commit = self._commit(name)
            if isinstance(commit, Missing):
                cut = f"the repository ends before {found[-1].id[:12]}: {commit.detail}"
                break
            found.append(commit)
            if len(found) % _STEP == 0:
                progress(f"listing commits, {len(found):,} so far")
            if len(found) >= MOST_COMMITS:
                cut = f"only the last {MOST_COMMITS:,} commits are looked at"
                break
        return tuple(reversed(found)), cut

    def last(self) -> Commit:
        """The last commit.

        Raises:
            SourceError: it is not at hand.
        """
        commit = self._commit(self._head)
        if isinstance(commit, Missing):
            raise failure("commit-not-found", f"commit {self._head} cannot be read: {commit.detail}")
        return commit

    def _commit(self, name: str) -> Commit | Missing:
        kind, data = next(self._reader.contents([name], limit=LARGEST_COMMIT))
        if isinstance(data, Missing):
            return data
        if kind != "commit" or not commit_tree(data):
            return Missing("unreadable", f"object {name} is no commit with a tree")
        return Commit(name, commit_tree(data), commit_date(data), first_parent(data))

    def peeled(self, name: str) -> str:
        """Id of the commit that an object is or, as an annotated tag, points to; empty where there is none."""
        for _ in range(_LINKS):
            kind, data = next(self._reader.contents([name], limit=LARGEST_COMMIT))
            if kind == "commit":
                return name
            if kind != "tag" or isinstance(data, Missing) or not data.startswith(b"object "):
                break
            name = data[7:47].decode("ascii", "replace")
        return ""

    def paths(self) -> tuple[str, ...]:
        """The files of the last commit, in no order.

        Raises:
            SourceError: the commit or a folder of it is not at hand.
        """
        (found,) = self.changes([("", self.last().tree)])
        if isinstance(found, Missing):
            raise failure("tree-missing", f"the listing of commit {self._head} cannot be read: {found.detail}")
        return tuple(found)

    def contents(self, blobs: Iterable[str]) -> Iterator[bytes | Missing]:
        """The bytes of each blob, in order; `Missing` where they are not at hand."""
        names = list(blobs)
        for name, (kind, data) in zip(names, self._reader.contents(names, limit=LARGEST_FILE), strict=True):
            if isinstance(data, bytes) and kind != "blob":
                yield Missing("unreadable", f"the tree calls it a file, but object {name} is a {kind}")
            else:
                yield data

    def changes(self, pairs: Sequence[tuple[str, str]]) -> list[Changes | Missing]:
        """What changed between the trees of each pair (ids; an empty one is an empty tree).

        All pairs descend together, so that a level costs one request however many pairs there are.

        Returns:
            For each pair the changes, or `Missing` where a folder that changed cannot be read.
        """
        self._forget()
        found: list[Changes | Missing] = [{} for _ in pairs]
        level = [(number, b"", old, new) for number, (old, new) in enumerate(pairs) if old != new]
        for _depth in range(gitobjects.DEEPEST):
            self._load(name for _, _, old, new in level for name in (old, new) if name)
            below: list[tuple[int, bytes, str, str]] = []
            for number, prefix, old, new in level:
                changes = found[number]
                if isinstance(changes, Missing):
                    continue
                before, after = self._tree(old), self._tree(new)
                if isinstance(after, Missing):
                    found[number] = after
                    continue
                if isinstance(before, Missing):
                    found[number] = before
                    continue
                folders = _compared(before, after, prefix, changes)
                below += [(number, *folder) for folder in folders]
                if len(changes) + len(below) > gitobjects.MOST_ENTRIES:
                    found[number] = Missing("unreadable", f"more than {gitobjects.MOST_ENTRIES} entries changed")
            if not (level := below):
                return found
        for number, *_ in level:
            found[number] = Missing("unreadable", f"directories are nested deeper than {gitobjects.DEEPEST}")
        return found

    def _tree(self, name: str) -> _Tree | Missing:
        return self._trees[name] if name else {}

    def _forget(self) -> None:
        """Stay within the bound; what is needed again is read again."""
        if self._entries > KEPT_ENTRIES:
            self._trees.clear()
            self._entries = 0

    def _load(self, names: Iterable[str]) -> None:
        wanted = [name for name in dict.fromkeys(names) if name not in self._trees]
        for name, (kind, data) in zip(wanted, self._reader.contents(wanted, limit=LARGEST_FILE), strict=True):
            tree = self._trees[name] = _read(name, kind, data)
            self._entries += 1 if isinstance(tree, Missing) else len(tree)


def _read(name: str, kind: str, data: bytes | Missing) -> _Tree | Missing:
    if isinstance(data, Missing):
        return data
    if kind != "tree":
        return Missing("unreadable", f"object {name} is a {kind}, not a tree")
    try:
        entries = parse_tree(data, name)
    except SourceError as error:
        return Missing("unreadable", error.problems[0].what)
    tree = {leaf: (mode, raw) for mode, leaf, raw in entries}
    return tree if len(tree) == len(entries) else Missing("unreadable", f"tree {name} lists a name twice")


def _compared(before: _Tree, after: _Tree, prefix: bytes, changes: Changes) -> Iterator[tuple[bytes, str, str]]:
    """Put what differs between two folders into ``changes``, and yield the folders in them that differ."""
    for name in sorted({name for name, _ in before.items() ^ after.items()}):
        old, new = before.get(name), after.get(name)
        old_kind = kind_of(old[0]) if old else EntryKind.FILE
        new_kind = kind_of(new[0]) if new else EntryKind.FILE
        path = prefix + name
        if (old and old_kind is not None) or (new and new_kind is not None):
            there = Entry(new[1].hex(), new_kind) if new and new_kind is not None else None
            changes[path.decode("utf-8", "surrogateescape")] = there
        if old_kind is None or new_kind is None:
            # Of a file that became a folder, or the other way round, only one side has anything below it.
            below = old[1].hex() if old and old_kind is None else "", new[1].hex() if new and new_kind is None else ""
            if below[0] != below[1]:  # else only the mode differs, in how many zeros it is written with
                yield path + b"/", *below
