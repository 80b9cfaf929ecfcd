"""The index that comes with leverage."""

from __future__ import annotations

from importlib.resources import files

from leverage.coupling.releases.names import ReleaseNames
from leverage.coupling.releases.series import Series, read_series

ENDING = ".xz"


def shipped_series(substrate: str) -> Series | None:
    """The shipped index of a substrate; None where there is none. Each call opens it anew.

    Args:
        substrate: import name of its main package.
    """
    if not substrate.isidentifier():
        return None
    place = files("leverage.coupling.releases") / "data" / f"{substrate}{ENDING}"
    return read_series(place.read_bytes(), place.name) if place.is_file() else None


def releases_of(series: Series) -> list[ReleaseNames]:
    """The names of each release of an index, in order."""
    return [ReleaseNames(series, number) for number in range(len(series.releases))]
