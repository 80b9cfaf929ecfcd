"""Reading a configuration file: bounded, and with a message where it cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000  # YAML is read at about 200 kB/s, and a large real file has 50 kB


def read_file(path: Path, *, noun: str, missing_hint: str) -> bytes:
    """Bytes of a configuration file.

    Args:
        path: the file.
        noun: what the file is, for messages.
        missing_hint: what to do where it is not there.

    Raises:
        ConfigurationError: it cannot be read, or is larger than `MAX_BYTES`.
    """
    place = Location(str(path))
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigurationError(
            Problem("file-missing", f"there is no {noun} here", place, hint=missing_hint)
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            Problem("file-unreadable", f"the {noun} cannot be read: {reason}", place, hint="give a readable file")
        ) from None
    if len(data) > MAX_BYTES:
        raise ConfigurationError(
            Problem(
                "file-too-large",
                f"the {noun} is larger than {MAX_BYTES:,} bytes",
                place,
                why="a file of this size was not written by hand and would take minutes to check",
                hint="check that this is the right file, or cut it in two",
            )
        )
    return data
