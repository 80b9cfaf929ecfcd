"""What every kind of source offers: a snapshot (an immutable listing) and its bytes, in one stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.model.files import SourceFile
    from leverage.model.provenance import Pin

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes: content above this size is never loaded and comes back as `Missing` with reason ``too-large``."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A source resolved to something immutable.

    Attributes:
        pin: what was resolved.
        location: the public place (URL, distribution name, path) without credentials.
        answered_by: the place that really delivered it, without credentials.
        files: every tracked entry, sorted by path (as UTF-8 bytes with surrogate escapes); no path stands twice.
        note: what a reader of the figures must know about how they were obtained, in one sentence; empty mostly.
    """

    pin: Pin
    location: str
    answered_by: str
    files: tuple[SourceFile, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands for bytes that are not at hand; a value, never an exception.

    Attributes:
        reason: slug: ``object-missing``, ``too-large``, ``not-fetched``, ``unreadable``, ``not-a-file`` (a symlink or
            submodule, which is listed and never followed).
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
        """Yield each file with its bytes, in the order given, one stream for all.

        The files are entries of this snapshot. Content that cannot be had is `Missing`.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


FIRST_SIGN = 20.0
"""Seconds that a server may take to say anything: behind a firewall that swallows packets nobody ever answers."""


Progress = Callable[[str], None]
"""Receives one short line of text for people, such as "receiving objects 40 %"; never data."""


def silent(_text: str) -> None:
    """A `Progress` that says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How sources may be reached; the same for every source of a run but for ``wanted`` and ``expect``.

    Attributes:
        base: directory that relative paths start from (where `repos.yaml` lies).
        store: directory for what was fetched; made when needed, shared by processes.
        mirrors: place -> local path. A place is a URL or ``pypi:<name>==<version>``.
        offline: never connect.
        wanted: whether a path is in scope. Package artifacts are chosen by it, directories compared by it.
        expect: the pin of `repos.lock`; None where nothing is locked. A source that is something else is refused.
        progress: receives short lines for people.
        timeout: seconds of silence after which a connection is given up; before a server has said anything at all,
            `FIRST_SIGN` at most.
    """

    base: Path
    store: Path
    mirrors: Mapping[str, str]
    offline: bool
    wanted: Callable[[str], bool]
    expect: Pin | None = None
    progress: Progress = silent
    timeout: float = 60.0
