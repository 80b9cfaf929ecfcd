"""Ratios of two sides under each denominator, cut at the same height or marked not comparable."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.select import Gap, Selection, Side, side
from leverage.model.amounts import Amount, Ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

ABOUT = Fraction(1, 10)
"""`about` is read as: within this share of the claimed figure."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides under one denominator: their amounts, and the ratio where there is one.

    Attributes:
        left: resolved left side, or why it cannot be resolved.
        right: likewise.
        left_name: name of the left side as declared.
        right_name: likewise.
        stands_in_for: system that the left side stands in for, or empty.
        numerator: amount of the left side, or why there is none.
        denominator: amount of the right side, or why there is none.
        ratio: None where the sides cannot be compared.
        status: ``ratio``, ``not comparable`` or ``unknown``.
        why: reason where there is no ratio.
    """

    left: Side | Gap
    right: Side | Gap
    left_name: str
    right_name: str
    stands_in_for: str
    numerator: Amount | Gap
    denominator: Amount | Gap
    ratio: Ratio | None
    status: str
    why: str


def lefts(evidence: Evidence) -> list[tuple[str, str]]:
    """The left sides of the declared comparison: itself, then its stand-ins, as (name, stands in for)."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return []
    stand_ins = [name for name, system in spec.systems.items() if system.stands_in_for == spec.compare.left]
    return [(spec.compare.left, ""), *((name, spec.compare.left) for name in stand_ins)]


def pairs(evidence: Evidence, denominator: Denominator, selection: Selection) -> list[Pair]:
    """Every left side against the right side of the declared comparison under a denominator."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return []
    right = spec.compare.right
    return [pair(evidence, denominator, left, right, role, selection=selection) for left, role in lefts(evidence)]


def pair(
    evidence: Evidence,
    denominator: Denominator,
    left: str,
    right: str,
    stands_in_for: str = "",
    *,
    selection: Selection | None = None,
) -> Pair:
    """Compare two named sides under a denominator; a ``selection`` of the same evidence saves looking again."""
    chosen = selection or Selection(evidence)
    a, b = side(evidence, left, denominator.boundary), side(evidence, right, denominator.boundary)
    x = a if isinstance(a, Gap) else chosen.amount(a, denominator)
    y = b if isinstance(b, Gap) else chosen.amount(b, denominator)
    ratio, status, why = _compare(a, b, x, y)
    return Pair(a, b, left, right, stands_in_for, x, y, ratio, status, why)


def grid(evidence: Evidence) -> Mapping[str, list[Pair]]:
    """All pairs by id of the denominator."""
    selection, declared = Selection(evidence), evidence.loaded.spec.denominators
    return {name: pairs(evidence, denominator, selection) for name, denominator in declared.items()}


def reaches(ratio: Ratio, claimed: Fraction, reading: str) -> str:
    """Whether a ratio reaches a claimed figure: ``yes``, ``no`` or ``in doubt``; on exact fractions and intervals."""
    inside = [_reaches(value, claimed, reading) for value in (ratio.low, ratio.high)]
    if all(inside) and (reading == "at_least" or _reaches(ratio.value, claimed, reading)):
        return "yes"
    if any(inside) or _reaches(ratio.value, claimed, reading) or _spans(ratio, claimed, reading):
        return "in doubt"
    return "no"


def required(smaller: Amount, claimed: Fraction, reading: str) -> tuple[int, int | None]:
    """Size that the larger side needs for a claimed ratio over `smaller`: whole units, lowest and highest.

    ``about`` gives an interval within 10 % of the figure; ``at_least`` has no upper end.
    """
    if reading == "at_least":
        return _ceil(claimed * smaller.low), None
    return _ceil(claimed * (1 - ABOUT) * smaller.low), int(claimed * (1 + ABOUT) * smaller.high)


def _compare(a: Side | Gap, b: Side | Gap, x: Amount | Gap, y: Amount | Gap) -> tuple[Ratio | None, str, str]:
    gaps = [part.why for part in (x, y) if isinstance(part, Gap)]
    if any(isinstance(part, Gap) and part.undeclared for part in (a, b)):
        return None, "not comparable", "; ".join(gaps)
    # Likeness first: two sides of unlike height stay not comparable whatever their sizes turn out to be.
    if isinstance(a, Side) and isinstance(b, Side) and a.steps != b.steps:
        return None, "not comparable", f"{a.name} covers {a.covers}, {b.name} covers {b.covers}"
    if isinstance(a, Gap) or isinstance(b, Gap) or isinstance(x, Gap) or isinstance(y, Gap):
        return None, "unknown", "; ".join(gaps)
    for one, size, least in ((b, y, y.low), (a, x, x.value)):
        if least == 0 and size.high:
            files = f"{size.unsized:,} file{'' if size.unsized == 1 else 's'}"
            return (
                None,
                "unknown",
                f"{one.name} may have nothing under this denominator: the size of {files} is unknown",
            )
        if least == 0:
            return None, "not comparable", f"{one.name} has nothing under this denominator"
    return Ratio(x, y), "ratio", ""


def _reaches(value: Fraction, claimed: Fraction, reading: str) -> bool:
    if reading == "at_least":
        return value >= claimed
    return abs(value - claimed) <= claimed * ABOUT


def _spans(ratio: Ratio, claimed: Fraction, reading: str) -> bool:
    """Whether the whole of an `about` band lies inside the interval, so that its ends both miss it."""
    return reading == "about" and ratio.low < claimed * (1 - ABOUT) and ratio.high > claimed * (1 + ABOUT)


def _ceil(value: Fraction) -> int:
    return -int(-value // 1)
