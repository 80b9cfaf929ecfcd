"""Where leverage keeps what it need not do twice: fetched sources and counts by content."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.cli.console import warn
from leverage.measure.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "LEVERAGE_CACHE_DIR"


def home() -> Path:
    """The folder that `LEVERAGE_CACHE_DIR` names, else the one that this system keeps for caches."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    import platformdirs  # noqa: PLC0415 - not needed where the variable is set

    return platformdirs.user_cache_path("leverage")


def counts_file(folder: Path) -> Path:
    """The file of counts by content."""
    return folder / "counts.sqlite"


@contextmanager
def opened_cache(path: Path) -> Iterator[Cache]:
    """The counts by content for the length of a block; what went wrong with them is said once, when it ends."""
    with Cache(path) as cache:
        try:
            yield cache
        finally:
            for problem in dict.fromkeys(cache.problems):
                warn(problem)
