"""Writing one file: whole or not at all."""

from __future__ import annotations

import tempfile
from pathlib import Path

from leverage.model.errors import ConfigurationError, Location, Problem


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    Raises:
        ConfigurationError: it cannot be written there.
    """
    part: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False
        ) as file:
            part = Path(file.name)
            file.write(content)
        part.chmod(0o644)  # a temporary file is private, what was asked for is not
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
