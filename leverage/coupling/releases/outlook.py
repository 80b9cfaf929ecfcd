"""A whole port beside releases: what happens at each site, a verdict for each release, and the span it supports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.coupling.releases.matrix import Status
from leverage.coupling.releases.outcomes import Outcome, Surroundings, Verdict, asks_first, verdicts_of
from leverage.model.touchpoints import TouchKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.coupling.releases.matrix import Matrix
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.model.touchpoints import Touchpoint

_AT_RISK = frozenset({Outcome.REVIEW, Outcome.POSITION_MOVED, Outcome.DEGRADES, Outcome.COLLIDES, Outcome.LEAKY})


@dataclass(frozen=True, slots=True)
class Summary:
    """One release, for a port.

    Attributes:
        version: the release.
        imports: sites where an import would fail.
        breaks: sites that raise, those among them.
        silently_dead: patches that nothing would call.
        at_risk: sites to be looked at.
        symbols: touched names by status, those that are fine left out.
        verdict: in a few words.
    """

    version: str
    imports: int
    breaks: int
    silently_dead: int
    at_risk: int
    symbols: Mapping[Status, int]
    verdict: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """A port beside all releases.

    Attributes:
        sites: for each touchpoint, what happens by version; in the order of the touchpoints.
        summaries: one for each release, in order.
        span: first and last release, around the one it is written for, in which nothing breaks or goes dead; None
            where that one itself has such a site.
    """

    sites: Mapping[Touchpoint, Mapping[str, Verdict]]
    summaries: tuple[Summary, ...]
    span: tuple[str, str] | None


def outlook_of(touchpoints: Sequence[Touchpoint], matrix: Matrix, releases: Sequence[ReleaseNames]) -> Outlook:
    """Judge every site of a port in every release.

    Args:
        touchpoints: the sites.
        matrix: their names.
        releases: those of the matrix, in order.
    """
    rows = {row.symbol: row for row in matrix.rows}
    around = Surroundings(
        matrix.pin,
        frozenset(each.symbol for each in touchpoints if each.kind is TouchKind.MONKEY_PATCH),
        frozenset(
            (each.path, each.symbol) for each in touchpoints if each.kind is TouchKind.IMPORT and asks_first(each)
        ),
    )
    sites = {each: verdicts_of(each, rows[each.symbol], releases, around) for each in touchpoints}
    summaries = tuple(_summary(version, sites, matrix) for version in matrix.versions)
    return Outlook(sites, summaries, _span(summaries, matrix))


def _summary(version: str, sites: Mapping[Touchpoint, Mapping[str, Verdict]], matrix: Matrix) -> Summary:
    found = Counter(verdicts[version].outcome for verdicts in sites.values())
    imports = sum(
        verdicts[version].outcome is Outcome.BREAKS and site.kind is TouchKind.IMPORT and not site.within
        for site, verdicts in sites.items()
    )
    symbols = Counter(row.cells[version].status for row in matrix.rows if version in row.cells)
    del symbols[Status.OK]
    breaks, dead = found[Outcome.BREAKS], found[Outcome.SILENTLY_DEAD]
    risk = sum(found[each] for each in _AT_RISK)
    parts = []
    if imports:
        parts.append(f"import fails at {imports}")
    if breaks - imports:
        parts.append(f"breaks at {breaks - imports}")
    if dead:
        parts.append(f"silently dead at {dead}")
    if risk:
        parts.append(f"to be looked at: {risk}")
    return Summary(
        version, imports, breaks, dead, risk, dict(sorted(symbols.items())), ", ".join(parts) or "nothing changes"
    )


def _span(summaries: Sequence[Summary], matrix: Matrix) -> tuple[str, str] | None:
    fine = [not (each.breaks or each.silently_dead) for each in summaries]
    first = last = matrix.versions.index(matrix.pin)
    if not fine[first]:
        return None
    while first > 0 and fine[first - 1]:
        first -= 1
    while last + 1 < len(fine) and fine[last + 1]:
        last += 1
    return matrix.versions[first], matrix.versions[last]
