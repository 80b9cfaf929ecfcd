"""Reading a `report.json` from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report.jsonview import from_json

if TYPE_CHECKING:
    from os import PathLike

    from leverage.report.view import ReportV1

NAME = "report.json"
LARGEST = 256 * 2**20
"""Bytes of a report that is read."""


def report_file(path: str | PathLike[str]) -> Path:
    """The file that a path means: itself, or `report.json` in the folder that it is."""
    place = Path(path)
    return place / NAME if place.is_dir() else place


def read_report(path: str | PathLike[str]) -> ReportV1:
    """Read a report.

    Args:
        path: `report.json`, or the folder that holds it.

    Raises:
        ConfigurationError: there is none, or it is no report of a format that this version knows.
    """
    place = report_file(path)
    try:
        size = place.stat().st_size
        text = place.read_text(encoding="utf-8") if size <= LARGEST else ""
    except (OSError, ValueError) as error:
        raise _no_report(getattr(error, "strerror", None) or str(error), place) from error
    if size > LARGEST:
        raise _no_report(f"{size:,} bytes are more than {LARGEST:,}", place)
    return from_json(text, str(place))


def _no_report(answer: str, place: Path) -> ConfigurationError:
    what = f"there is no report that can be read: {answer}"
    return ConfigurationError(Problem("no-report", what, Location(str(place)), hint="make one with: leverage report"))
