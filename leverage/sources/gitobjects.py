"""Read a commit out of an object directory: the listing once, then every blob through one stream.

Every object is hashed as it arrives and compared with the id it was asked for, from the commit down to each blob. So
what is measured is what the commit id names, whatever the repository, its indexes or its server did.
"""

from __future__ import annotations

import re
import tempfile
from datetime import UTC, datetime
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from leverage.model.files import EntryKind, SourceFile
from leverage.model.provenance import Pin
from leverage.sources.base import LARGEST_FILE, Missing, Snapshot
from leverage.sources.blobid import object_id
from leverage.sources.gitcommand import GitProcess, make_git_directory, reading_environment
from leverage.sources.wording import failure, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GROUP = 500  # requests in flight: their 41 bytes each fit into any pipe, so that neither side ever waits for the other
SILENCE = 60.0  # seconds that reading a local object may take
MOST_ENTRIES = 2_000_000  # a tree can name itself many times over and so list more entries than any disk has room for
DEEPEST = 200  # directories inside directories; real trees stay below 40
RAW_ID = 20

Item = TypeVar("Item")


def grouped(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of up to ``size`` consecutive items."""
    iterator = iter(items)
    while group := list(islice(iterator, size)):
        yield group


class ObjectReader:
    """Answers requests for objects of one object directory; a context manager that owns one child process at a time."""

    def __init__(self, objects: Path, *, command: str = "--batch") -> None:
        self._objects = objects.absolute()
        self._command = command
        self._folder = tempfile.TemporaryDirectory(prefix="leverage-")
        self._git_directory = Path(self._folder.name)
        make_git_directory(self._git_directory)
        self._process: GitProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._stop()
        self._folder.cleanup()

    def _start(self) -> GitProcess:
        if self._process is None:
            self._process = GitProcess(
                ["cat-file", self._command],
                directory=self._git_directory,
                environment=reading_environment(self._git_directory, self._objects),
                silence=SILENCE,
            )
        return self._process

    def _stop(self) -> str:
        """End the process and return its last words."""
        if self._process is None:
            return ""
        self._process.close()
        words = self._process.error_text
        self._process = None
        return words

    def sizes(self, ids: Iterable[str]) -> Iterator[int]:
        """The size of each object in bytes, -1 where it is missing or damaged. Needs ``command="--batch-check"``."""
        for group in grouped(ids, GROUP):
            done = 0
            while done < len(group):
                try:
                    process = self._start()
                    process.send("".join(f"{name}\n" for name in group[done:]).encode())
                    while done < len(group):
                        _kind, size = _header(process.line())
                        done += 1
                        yield size
                except (EOFError, TimeoutError):
                    self._stop()  # git gives up on a damaged object: go on behind it
                    done += 1
                    yield -1

    def contents(self, ids: Iterable[str], *, limit: int) -> Iterator[tuple[str, bytes | Missing]]:
        """Kind and content of each object, checked against its id. Content above ``limit`` bytes is not loaded."""
        for group in grouped(ids, GROUP):
            done = 0
            while done < len(group):
                try:
                    process = self._start()
                    process.send("".join(f"{name}\n" for name in group[done:]).encode())
                    while done < len(group):
                        answer = _answer(process, group[done], limit)
                        done += 1
                        yield answer
                except (EOFError, TimeoutError) as error:
                    words = shown(self._stop()) or str(error) or "git ended"
                    done += 1
                    yield "", Missing("unreadable", f"the object is damaged: {words}")


def _header(line: bytes) -> tuple[str, int]:
    """Kind and size out of git's answer; size -1 where there is no such object."""
    parts = line.split(b" ")
    if len(parts) == 3 and parts[2].isdigit():  # noqa: PLR2004 - id, kind, size
        return parts[1].decode(), int(parts[2])
    return "", -1


def _answer(process: GitProcess, name: str, limit: int) -> tuple[str, bytes | Missing]:
    kind, size = _header(process.line())
    if size < 0:
        return "", Missing("object-missing", f"the repository does not hold object {name}")
    if size > limit:
        process.skip(size + 1)
        return kind, Missing("too-large", f"{size} bytes, more than the {limit} that are read")
    data = process.exactly(size)
    process.skip(1)
    if object_id(kind, data) != name:
        return kind, Missing("unreadable", f"the content stored for object {name} is not the content of that id")
    return kind, data


_COMMITTER = re.compile(rb"^committer .*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)
_TREE = re.compile(rb"tree ([0-9a-f]{40})\n")
_PARENT = re.compile(rb"tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n")


def commit_tree(data: bytes) -> str:
    """Id of the tree that a commit object names; empty where it names none."""
    return found[1].decode() if (found := _TREE.match(data)) else ""


def first_parent(data: bytes) -> str:
    """Id of the first parent that a commit object names; empty where it has none."""
    return found[1].decode() if (found := _PARENT.match(data)) else ""


def commit_date(data: bytes) -> str:
    """Committer date of a commit object as ISO 8601 in UTC; empty where it has none that a calendar can hold."""
    head, _, _message = data.partition(b"\n\n")
    if not (found := _COMMITTER.search(head)):
        return ""
    try:
        return datetime.fromtimestamp(int(found[1]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return ""


_ENTRY = re.compile(rb"([0-7]{1,7}) ([^\0]*)\0(.{20})", re.DOTALL)
_FRAME = 2 + RAW_ID  # bytes of an entry beside its mode and name


def parse_tree(data: bytes, name: str) -> list[tuple[bytes, bytes, bytes]]:
    """Mode in octal digits, name and raw id of each entry of a tree object.

    Raises:
        SourceError: it is not a tree as git would write it.
    """
    entries: list[tuple[bytes, bytes, bytes]] = _ENTRY.findall(data)
    if sum(len(mode) + len(leaf) + _FRAME for mode, leaf, _ in entries) != len(data):  # something lies between them
        raise bad_tree(f"tree {name} is malformed")
    return entries


def kind_of(mode: bytes) -> EntryKind | None:
    """What an entry of a tree is; None for a directory."""
    kind = int(mode, 8) & _TYPE
    if kind == _DIRECTORY:
        return None
    return _KINDS.get(kind, EntryKind.FILE)


def bad_tree(what: str) -> Exception:
    """The failure to read a listing; ``what`` says what is wrong with it."""
    return failure(
        "tree-invalid",
        what,
        why="a listing that git itself would not write cannot be counted file by file",
        hint="check the repository with git fsck, or fetch the commit from another place",
    )


_TYPE, _DIRECTORY = 0o170000, 0o040000
_KINDS = {0o120000: EntryKind.SYMLINK, 0o160000: EntryKind.SUBMODULE}


def _walk(reader: ObjectReader, root: str) -> Iterator[tuple[bytes, EntryKind, str]]:
    level: list[tuple[bytes, str]] = [(b"", root)]
    count = 0
    for _depth in range(DEEPEST):
        if not level:
            return
        below: list[tuple[bytes, str]] = []
        for group in grouped(level, GROUP):
            answers = reader.contents((name for _, name in group), limit=LARGEST_FILE)
            for (prefix, name), (kind, data) in zip(group, answers, strict=True):
                if isinstance(data, Missing) or kind != "tree":
                    detail = data.detail if isinstance(data, Missing) else f"object {name} is a {kind}, not a tree"
                    where = shown(prefix.decode("utf-8", "surrogateescape")) or "the root"
                    raise failure(
                        "tree-missing",
                        f"the listing of {where} cannot be read: {detail}",
                        why="without it nobody knows which files there are",
                        hint="fetch the commit again from a complete repository",
                    )
                for mode, leaf, entry in parse_tree(data, name):
                    count += 1
                    found = kind_of(mode)
                    if found is None:
                        below.append((prefix + leaf + b"/", entry.hex()))
                    else:
                        yield prefix + leaf, found, entry.hex()
                if count > MOST_ENTRIES:
                    raise bad_tree(f"the tree lists more than {MOST_ENTRIES} entries")
        level = below
    raise bad_tree(f"directories are nested deeper than {DEEPEST}")


def read_commit(objects: Path, commit: str) -> tuple[str, bytes | Missing]:
    """Kind and content of the object that ``commit`` names."""
    with ObjectReader(objects) as reader:
        return next(reader.contents([commit], limit=LARGEST_FILE))


def list_commit(objects: Path, commit: str, data: bytes) -> tuple[Pin, tuple[SourceFile, ...]]:
    """The pin and the sorted listing of a commit whose object content is ``data``.

    Raises:
        SourceError: a tree is missing, damaged or not one that git would write.
    """
    if not (root := commit_tree(data)):
        raise bad_tree(f"commit {commit} names no tree")
    with ObjectReader(objects) as reader:
        entries = sorted(_walk(reader, root))
    for (path, _, _), (following, _, _) in pairwise(entries):
        if path == following:
            raise bad_tree(f"the tree lists {shown(path.decode('utf-8', 'surrogateescape'))} twice")
    with ObjectReader(objects, command="--batch-check") as reader:
        known = reader.sizes(name for _, kind, name in entries if kind is not EntryKind.SUBMODULE)
        files = tuple(
            SourceFile(
                path=path.decode("utf-8", "surrogateescape"),
                blob=name,
                size=0 if kind is EntryKind.SUBMODULE else next(known),
                kind=kind,
            )
            for path, kind, name in entries
        )
    return Pin(kind="git", id=commit, tree=root, date=commit_date(data)), files


class OpenCommit:
    """A commit of a local object directory, ready to be read; an `OpenSource`."""

    def __init__(self, objects: Path, snapshot: Snapshot) -> None:
        self._objects = objects
        self._snapshot = snapshot

    @property
    def snapshot(self) -> Snapshot:
        """The listing."""
        return self._snapshot

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        """Yield each file with its bytes in the order given; see `OpenSource.read`."""
        with ObjectReader(self._objects) as reader:
            for group in grouped(files, GROUP):
                yield from self._read_group(reader, group)

    def _read_group(
        self, reader: ObjectReader, group: Sequence[SourceFile]
    ) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        reasons = [_unread(file) for file in group]
        wanted = [file.blob for file, reason in zip(group, reasons, strict=True) if reason is None]
        answers = reader.contents(wanted, limit=LARGEST_FILE)
        for file, reason in zip(group, reasons, strict=True):
            if reason is not None:
                yield file, reason
                continue
            kind, data = next(answers)
            if isinstance(data, bytes) and kind != "blob":
                data = Missing("unreadable", f"the tree calls it a file, but object {file.blob} is a {kind}")
            yield file, data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        """Nothing is held open between reads."""


def _unread(file: SourceFile) -> Missing | None:
    """Why the content of an entry is not asked for; None where it is."""
    if file.kind is not EntryKind.FILE:
        return Missing("not-a-file", f"a {file.kind} is listed, never followed")
    if file.size < 0:
        return Missing("object-missing", f"the repository does not hold object {file.blob}")
    if file.size > LARGEST_FILE:
        return Missing("too-large", f"{file.size} bytes, more than the {LARGEST_FILE} that are read")
    return None
