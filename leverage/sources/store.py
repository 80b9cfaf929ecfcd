"""The store: what was fetched, kept by place and content. Things enter it whole, by one rename, or not at all."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STALE = 24 * 3600  # seconds after which what an interrupted fetch has left is removed


@contextmanager
def working_directory(store: Path) -> Iterator[Path]:
    """A new directory in the store's file system, gone when the block is left.

    Work on something there, check it, and rename it to its final name. What a killed process leaves here has no final
    name, looks complete to nobody, and is removed a day later.
    """
    incoming = store / "incoming"
    incoming.mkdir(parents=True, exist_ok=True)
    for old in incoming.iterdir():
        if time.time() - old.lstat().st_mtime > STALE:
            shutil.rmtree(old, ignore_errors=True)
    directory = Path(tempfile.mkdtemp(prefix="work-", dir=incoming))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
