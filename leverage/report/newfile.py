"""New files beside the place that they are for: nothing is seen of a file until it is whole."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ATTEMPTS = 100


def beside(target: Path) -> tuple[int, Path]:
    """Make an empty file in the folder of a target, under a name of its own, with the mode that the user's umask gives.

    Returns:
        A descriptor that is open for writing, and the path.

    Raises:
        OSError: it cannot be made.
    """
    for _ in range(ATTEMPTS):
        path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        try:
            # Not `tempfile`, whose files are private whatever the user wants: what was asked for is as open as any.
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), path
        except FileExistsError:
            continue
    raise FileExistsError(f"no free name beside {target}")
