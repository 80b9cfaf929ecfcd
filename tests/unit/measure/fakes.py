"""A source that serves bytes from memory, as every test of the pipeline needs one."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Self

from leverage.model.files import EntryKind, SourceFile
from leverage.model.provenance import Pin
from leverage.sources.base import Missing, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class FakeSource:
    def __init__(self, contents: Mapping[str, bytes | Missing | EntryKind], *, ids: bool = True) -> None:
        self.contents = contents
        self.reads: list[str] = []
        self.ids = ids

    @property
    def files(self) -> list[SourceFile]:
        return [self._file(path, content) for path, content in sorted(self.contents.items())]

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(Pin("directory", "content:0", "0"), "fake", "fake", tuple(self.files))

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        for file in files:
            self.reads.append(file.path)
            content = self.contents[file.path]
            assert not isinstance(content, EntryKind), "links and submodules are never read"
            yield file, content

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def _file(self, path: str, content: bytes | Missing | EntryKind) -> SourceFile:
        if isinstance(content, EntryKind):
            return SourceFile(path, hashlib.sha1(path.encode()).hexdigest(), 7, content)  # noqa: S324 - as git does
        if isinstance(content, Missing):
            return SourceFile(path, hashlib.sha1(path.encode()).hexdigest(), -1)  # noqa: S324
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324
        return SourceFile(path, blob if self.ids else "", len(content))
