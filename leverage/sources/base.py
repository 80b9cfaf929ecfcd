"""What every kind of source offers: a snapshot (an immutable listing) and its bytes, in one stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from leverage.model.files import SourceFile
from leverage.model.provenance import Pin


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A source resolved to something immutable.

    Attributes:
        pin: what was resolved.
        location: the public place (URL, distribution name, path) without credentials.
        answered_by: the place that really delivered it, without credentials.
        files: every tracked entry, sorted by path (as UTF-8 bytes with surrogate escapes).
    """

    pin: Pin
    location: str
    answered_by: str
    files: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands for bytes that are not at hand; a value, never an exception.

    Attributes:
        reason: slug: ``object-missing``, ``too-large``, ``not-fetched``, ``unreadable``.
        detail: what was seen, in words.
    """

    reason: str
    detail: str


class OpenSource(Protocol):
    """A source that is ready to be read. Also a context manager that releases processes and files."""

    @property
    def snapshot(self) -> Snapshot:
        """The listing."""
        ...

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        """Yield each file with its bytes, in the order given, one stream for all; content that cannot be had is `Missing`."""
        ...

    def __enter__(self) -> OpenSource: ...

    def __exit__(self, *exc: object) -> None: ...


Progress = Callable[[str], None]
"""Receives one short line of text for people, such as "receiving objects 40 %"; never data."""


def silent(_text: str) -> None:
    """A `Progress` that says nothing."""
