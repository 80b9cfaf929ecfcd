"""A source that says how far its reading has come: counting a large tree for the first time takes minutes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leverage.model.files import SourceFile
    from leverage.sources.base import Missing, OpenSource, Progress, Snapshot

STEP = 20
"""Files between two signs of life."""


@dataclass(frozen=True, slots=True)
class Watched:
    """An `OpenSource` that reads another one and tells ``talk`` about it."""

    source: OpenSource
    talk: Progress

    @property
    def snapshot(self) -> Snapshot:
        """The listing."""
        return self.source.snapshot

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        """Yield each file with its bytes; see `OpenSource.read`."""
        total = len(self.source.snapshot.files)
        for number, answer in enumerate(self.source.read(files)):
            if number % STEP == 0:
                self.talk(f"counting {total:,} files, {number:,} read")
            yield answer

    def __enter__(self) -> Self:
        self.source.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.source.__exit__(*exc)
