"""Sizes divided by what they do: lines per covered stage and per divergence, where both sides have the base."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.ratios import lefts, pair
from leverage.claims.select import Side, pieces, selected
from leverage.model.decisions import UNDETERMINED

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.model.amounts import Ratio
    from leverage.spec.types import Denominator

NEUTRAL = "none"
"""The divergence of code that departs from nothing."""

BASES = {"stage": frozenset({UNDETERMINED}), "divergence": frozenset({UNDETERMINED, NEUTRAL})}
"""Column of the table of files -> values in it that are no base."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """One pair, both sides divided by how many different stages or divergences they cover.

    Attributes:
        base: ``stage`` or ``divergence``.
        left: the left side.
        ratio: of the sizes.
        left_covers: number of different bases that the left side's code has.
        right_covers: likewise.
    """

    base: str
    left: str
    ratio: Ratio
    left_covers: int
    right_covers: int

    @property
    def value(self) -> Fraction:
        """Ratio of the sizes per base."""
        return self.ratio.value * Fraction(self.right_covers, self.left_covers)


def normalised(evidence: Evidence, denominator: Denominator) -> list[Normalised]:
    """Every pair that has a ratio under a denominator, by each base that both sides have."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return []
    pairs = [pair(evidence, denominator, left, spec.compare.right, role) for left, role in lefts(evidence)]
    found: list[Normalised] = []
    for base, without in BASES.items():
        for one in pairs:
            if one.ratio is None or not isinstance(one.left, Side) or not isinstance(one.right, Side):
                continue
            left, right = (
                len(set(pieces(evidence, selected(evidence, side, denominator))[base]) - without)
                for side in (one.left, one.right)
            )
            if left and right:
                found.append(Normalised(base, one.left.name, one.ratio, left, right))
    return found
