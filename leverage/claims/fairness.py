"""Whether it is fair to set systems side by side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.coupling import written
from leverage.claims.parties import sums_of
from leverage.claims.select import Gap, Side
from leverage.model.decisions import UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.claims.parties import Party
    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

NOT_DECLARED = "not declared"
COPIED_APART = Fraction(1, 20)
"""Shares of copied code that are this far apart make a ratio of sizes unfair."""
OPEN_MOST = Fraction(1, 20)
"""Share of undetermined code above which stages cannot be compared."""
DAYS_APART = 183
"""Days between the revisions above which age alone may explain a difference."""


@dataclass(frozen=True, slots=True)
class Check:
    """A question of fairness.

    Attributes:
        id: its slug.
        question: in words.
        answers: what is known of each side.
        fair: yes, no, or unknown.
        why: what the answer rests on.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    fair: str
    why: str = ""


def fairness(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[Check]:
    """Every question of fairness, answered.

    Args:
        evidence: what was measured or recorded.
        sides: who is compared.
        cut: the denominator under which they are.
    """
    heights = [None if isinstance(one.chosen, Gap) else one.chosen.steps for one in sides]
    covers = tuple(one.chosen.why if isinstance(one.chosen, Gap) else one.chosen.covers for one in sides)
    profiles = tuple(
        f"profile {one.chosen.profile}" if isinstance(one.chosen, Side) and one.chosen.profile else "whole"
        for one in sides
    )
    several = tuple(
        f"{len(one.system.profiles)} profiles, {told}" if one.system.profiles else "one"
        for one, told in zip(sides, profiles, strict=True)
    )
    purposes = ", ".join(each.value for each in cut.purposes)
    dates = [_date(evidence, one) for one in sides]
    shown_dates = tuple(each.isoformat() if each else "unknown" for each in dates)
    return [
        _same("release", "Do they build on the same release?", [one.system.builds_on for one in sides]),
        Check("height", "Are they cut at the same height of the stack?", covers, _all_same(heights)),
        Check(
            "purpose", "Is the same kind of code counted?", (purposes,) * len(sides), "yes", "one denominator for all"
        ),
        Check(
            "back-ends",
            "Is one back end counted of each?",
            several,
            "no"
            if any(one.system.profiles and told == "whole" for one, told in zip(sides, profiles, strict=True))
            else "yes",
        ),
        _copied(evidence, sides),
        _open(evidence, sides, cut),
        Check("age", "Are the revisions of like age?", shown_dates, _of_age(dates), f"within {DAYS_APART} days"),
    ]


def _same(id_: str, question: str, values: Sequence[str | None]) -> Check:
    return Check(id_, question, tuple(each or NOT_DECLARED for each in values), _all_same(values))


def _all_same(values: Sequence[object]) -> str:
    if any(each is None for each in values):
        return "unknown"
    return "yes" if len(set(values)) == 1 else "no"


def _copied(evidence: Evidence, sides: Sequence[Party]) -> Check:
    shares: list[Fraction | None] = []
    for one in sides:
        found = written(evidence, one.asked)
        known = None if isinstance(found, Gap) or found.copied is None or not found.raw.value else found
        shares.append(Fraction(known.copied or 0, known.raw.value) if known else None)
    known_shares = [each for each in shares if each is not None]
    fair = "unknown"
    if len(known_shares) == len(shares):
        fair = "yes" if max(known_shares) - min(known_shares) <= COPIED_APART else "no"
    answers = tuple("unknown" if each is None else f"{float(100 * each):.1f} % copied" for each in shares)
    why = f"shares within {float(100 * COPIED_APART):.0f} points"
    return Check("copies", "Is a like share of each copied from the substrate?", answers, fair, why)


def _open(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> Check:
    shares: list[Fraction | None] = []
    for one in sides:
        sums = sums_of(evidence, one, cut, "stage")
        total = sum(sums.values()) if sums else 0
        shares.append(Fraction(sums.get(UNDETERMINED, 0), total) if sums and total else None)
    fair = "unknown" if None in shares else "yes" if all(each is None or each <= OPEN_MOST for each in shares) else "no"
    answers = tuple("unknown" if each is None else f"{float(100 * each):.1f} % undetermined" for each in shares)
    return Check("undetermined", "Is the stage of nearly all code known?", answers, fair, "5 % of each at most")


def _date(evidence: Evidence, one: Party) -> date | None:
    facts = evidence.facts.get(one.id)
    day = facts.provenance.pin.date[:10] if facts and facts.provenance.pin else ""
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def _of_age(dates: Sequence[date | None]) -> str:
    known = [each for each in dates if each is not None]
    if len(known) < len(dates):
        return "unknown"
    return "yes" if (max(known) - min(known)).days <= DAYS_APART else "no"
