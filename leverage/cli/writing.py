"""Writing one file: whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report.newfile import beside

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    Raises:
        ConfigurationError: it cannot be written there.
    """
    part: Path | None = None
    try:
        handle, part = beside(path)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def cannot_write(path: Path, error: OSError) -> ConfigurationError:
    """The failure to write to a place that the user chose."""
    return ConfigurationError(
        Problem(
            "cannot-write",
            f"cannot be written: {error.strerror or error}",
            Location(str(path)),
            hint="name a place that you may write to and that has room",
        )
    )
