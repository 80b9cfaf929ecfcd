"""Systems that are compared, each with what is asked of it again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.select import Gap, Side, amount, pieces, selected, side
from leverage.evidence.columns import code_column
from leverage.model.provenance import Origin
from leverage.spec.select import parse_side

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.model.amounts import Amount
    from leverage.spec.types import Denominator, System


@dataclass(frozen=True, slots=True)
class Party:
    """A system that is compared.

    Attributes:
        asked: as it was asked for.
        id: id of the system.
        system: its entry.
        chosen: its side at the boundary, or why there is none.
        origin: who vouches for its figures.
    """

    asked: str
    id: str
    system: System
    chosen: Side | Gap
    origin: Origin

    @property
    def name(self) -> str:
        """The system with its profile."""
        return self.asked if isinstance(self.chosen, Gap) else self.chosen.name


def party(evidence: Evidence, name: str, cut: Denominator) -> Party:
    """The party of a name, ``system`` or ``system@profile``, cut where a denominator says."""
    system_id, _ = parse_side(name)
    facts = evidence.facts.get(system_id)
    system = evidence.loaded.spec.systems[system_id]
    origin = facts.provenance.origin if facts else Origin.REPORTED if system.reported else Origin.UNKNOWN
    return Party(name, system_id, system, side(evidence, name, cut.boundary), origin)


def size_of(evidence: Evidence, one: Party, cut: Denominator) -> Amount | Gap:
    """Its amount under a denominator, or why there is none."""
    return one.chosen if isinstance(one.chosen, Gap) else amount(evidence, one.chosen, cut)


def sums_of(evidence: Evidence, one: Party, cut: Denominator, word: str) -> dict[str, int] | None:
    """Its code lines by ``stage`` or ``divergence``; None where it is not measured."""
    if isinstance(one.chosen, Gap) or isinstance(size_of(evidence, one, cut), Gap):
        return None
    code = pieces(evidence, selected(evidence, one.chosen, cut))
    sums = code.groupby(word)[code_column(cut.convention)].sum()
    return {str(term): int(lines) for term, lines in sums.items()}
