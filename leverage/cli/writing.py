"""Writing files that the user named: whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report.newfile import beside

if TYPE_CHECKING:
    from collections.abc import Mapping

_LIVE = ("/dev/", "/proc/")  # `/dev/stdout` may lead to a regular file that somebody else holds open


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    A link is followed, so that it stays one. What is no regular file (a pipe, ``/dev/null``) is written into.

    Raises:
        ConfigurationError: it cannot be written there.
    """
    write_all({path: content})


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write several files as `write_whole` does, none of them under its name before all are written.

    Raises:
        ConfigurationError: one of them cannot be written.
    """
    ready: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, content in files.items():
            if _is_live(path):
                path.write_bytes(content)
                continue
            target = path.resolve() if path.is_symlink() else path
            handle, part = beside(target)
            ready.append((part, target))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
        for part, path in ready:
            part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        for part, _ in ready:
            part.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder for files that the user asked for, where there is none.

    Raises:
        ConfigurationError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


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


def _is_live(path: Path) -> bool:
    """Whether a path leads to something that is written into, and must not be replaced by a file."""
    if str(path).startswith(_LIVE):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # nothing there, or nothing that can be seen: making the file will say
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
