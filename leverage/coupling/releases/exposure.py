"""How much of a port hangs on each touched name, and how restless the name is: what to upstream or drop first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.coupling.releases.matrix import Status, compared
from leverage.coupling.releases.names import Found
from leverage.model.touchpoints import TouchKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.coupling.releases.matrix import Matrix
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.model.touchpoints import Touchpoint

WEIGHTS: Mapping[TouchKind, int] = {
    TouchKind.MONKEY_PATCH: 8,
    TouchKind.OVERRIDE: 4,
    TouchKind.CONTAINER_MUTATION: 4,
    TouchKind.COPIED: 4,
    TouchKind.SUBCLASS: 3,
    TouchKind.CONFIG_KEY: 2,
    TouchKind.REGISTRATION: 2,
    TouchKind.ATTRIBUTE_USE: 1,
    TouchKind.IMPORT: 1,
}
"""How much a change of a name matters, by what the port does with it: a patch leans on a body, an import on a name."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """A touched name.

    Attributes:
        symbol: the name.
        private: whether it is private.
        sites: touchpoints.
        lines: lines of port code in the functions and classes that touch it; each line once; 0 where nothing told.
        changes: releases of the series in which it became something else, gone or new, beside the release before.
        steps: neighbouring releases of which at least one has it.
        rank: what the list is sorted by: the weight of what is done with it, times one more than its changes.
    """

    symbol: str
    private: bool
    sites: int
    lines: int
    changes: int
    steps: int
    rank: int


def exposure(
    touchpoints: Sequence[Touchpoint],
    matrix: Matrix,
    releases: Sequence[ReleaseNames],
    spans: Mapping[tuple[str, str], int] | None = None,
) -> tuple[Exposed, ...]:
    """Every touched name that some release has, the most exposed first.

    Args:
        touchpoints: those of a port.
        matrix: their names.
        releases: those of the matrix, in order.
        spans: lines of each function or class of the port, by path and dotted name; None where not measured.
    """
    sites: dict[str, list[Touchpoint]] = defaultdict(list)
    for each in touchpoints:
        sites[each.symbol].append(each)
    found = []
    for row in matrix.rows:
        if not row.base:
            continue
        several = sites[row.symbol]
        changes, steps = churn(row.symbol, releases)
        weight = sum(WEIGHTS[each.kind] for each in several)
        places = {(each.path, each.within) for each in several if each.within}
        lines = sum((spans or {}).get(place, 0) for place in places)
        private = any(each.private for each in several)
        found.append(Exposed(row.symbol, private, len(several), lines, changes, steps, weight * (1 + changes)))
    return tuple(sorted(found, key=lambda each: (-each.rank, each.symbol)))


def churn(symbol: str, releases: Sequence[ReleaseNames]) -> tuple[int, int]:
    """In how many steps from one release to the next a name became something else, came or went; of how many steps."""
    answers = [each.find(symbol) for each in releases]
    changes = steps = 0
    for at in range(1, len(answers)):
        old, new = answers[at - 1], answers[at]
        if isinstance(old, Found) and isinstance(new, Found):
            steps += 1
            changes += compared(old, new, releases[at - 1], releases[at]).status is not Status.OK
        elif isinstance(old, Found) or isinstance(new, Found):
            steps += 1
            changes += 1
    return changes, steps
