"""What each indexed release of a substrate does to the names that a port touches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from leverage.claims.coupling import touched
from leverage.claims.select import Gap
from leverage.coupling.releases.matrix import Status, matrix_of, symbols_of
from leverage.coupling.releases.shipped import releases_of, shipped_series
from leverage.evidence.touchpoints import UNRESOLVED, as_touchpoint
from leverage.spec.types import PypiSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.coupling.releases.names import ReleaseNames
    from leverage.evidence.build import Evidence

SUBSTRATE = "torch"
"""Import name of the substrate whose releases are indexed."""


@dataclass(frozen=True, slots=True)
class Fates:
    """What a release does to names.

    Attributes:
        pin: release that the port is written for.
        version: the release.
        names: number of names of which it can be told.
        by_status: how many of them have which status.
    """

    pin: str
    version: str
    names: int
    by_status: Mapping[Status, int]


@cache
def indexed() -> tuple[ReleaseNames, ...]:
    """The releases of the shipped index, the oldest first."""
    series = shipped_series(SUBSTRATE)
    return () if series is None else tuple(releases_of(series))


def fates(evidence: Evidence, port: str) -> list[Fates] | Gap:
    """What the port's own release and each later one do to the names that it touches, the oldest first."""
    found = touched(evidence, port)
    if isinstance(found, Gap):
        return found
    systems = evidence.loaded.spec.systems
    below = systems.get(systems[port].builds_on or "")
    if below is None or not isinstance(below.source, PypiSource):
        return Gap(f"the release that {port} is written for is not declared")
    releases = indexed()
    minor = below.source.version.rpartition(".")[0]
    pin = next((at for at, one in enumerate(releases) if one.version.rpartition(".")[0] == minor), None)
    if pin is None:
        return Gap(f"{below.source.version} is not among the releases that are indexed")
    sites = [as_touchpoint(row) for row in evidence.facts[port].touched if row.kind != UNRESOLVED]
    matrix = matrix_of(symbols_of(sites), releases, pin, "declared")
    told = []
    for one in releases[pin:]:
        counted = Counter(row.cells[one.version].status for row in matrix.rows if one.version in row.cells)
        told.append(Fates(matrix.pin, one.version, counted.total(), dict(counted)))
    return told
