"""Open any kind of source: the one dict from what the user wrote to what opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from leverage.sources.base import Access, OpenSource, Progress, silent
from leverage.sources.directory import open_path
from leverage.sources.git import open_git
from leverage.sources.pypi import open_pypi
from leverage.sources.wording import failure, shown
from leverage.spec.types import GitSource, PathSource, PypiSource, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from leverage.model.provenance import Pin

OPENERS: Mapping[type, Callable[[Any, Access], OpenSource]] = {
    GitSource: open_git,
    PypiSource: open_pypi,
    PathSource: open_path,
}


def open_source(
    source: Source,
    *,
    base: Path,
    store: Path,
    mirrors: Mapping[str, str],
    offline: bool,
    wanted: Callable[[str], bool],
    expect: Pin | None = None,
    progress: Progress = silent,
    timeout: float = 60.0,
) -> OpenSource:
    """Resolve a source to a snapshot and open it for reading. The arguments are those of `Access`.

    Raises:
        ConfigurationError: the source as written cannot be used (exit code 2).
        SourceError: it cannot be fetched, opened or read (exit code 3); nothing half-fetched is left behind.
    """
    access = Access(
        base=base,
        store=store,
        mirrors=mirrors,
        offline=offline,
        wanted=wanted,
        expect=expect,
        progress=progress,
        timeout=timeout,
    )
    try:
        return OPENERS[type(source)](source, access)
    except OSError as error:
        raise failure(
            "source-io",
            shown(str(error)),
            why="the source cannot be read, or what is fetched cannot be stored",
            hint=f"see that the disk has room and that {shown(str(store))} can be written",
        ) from error
