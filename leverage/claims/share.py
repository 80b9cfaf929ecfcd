"""Whether code of named kinds is more than a share of a system's code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.headline import headline_convention
from leverage.claims.outcome import IN_DOUBT, NO, VERDICT_OF, YES, Input, Outcome, joined, only_under, over_readings
from leverage.claims.select import Gap, Side, amount, pieces, selected, side
from leverage.claims.stages import is_weak
from leverage.classify.vocabulary import DIVERGENCES, STAGES
from leverage.evidence.columns import code_column
from leverage.model.decisions import UNDETERMINED
from leverage.model.verdicts import Verdict
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import Denominator

if TYPE_CHECKING:
    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Share

GLUE = "substrate_glue"
NOT_DEPARTING = ("none", GLUE)
"""Divergences of code that does not depart from the substrate's assumptions about hardware: neutral code, and glue that
upstream hooks would make vanish."""
BASES = {"all": "of all code", "departing": "of departing code"}


@dataclass(frozen=True, slots=True)
class Part:
    """Code lines of named kinds within a base, and the lines of which it is not known whether they belong to either."""

    named: int
    base: int
    doubt: int

    @property
    def low(self) -> Fraction:
        """The smallest share: no doubtful line is of the named kinds, all are in the base."""
        return Fraction(self.named, self.base + self.doubt)

    @property
    def high(self) -> Fraction:
        """The largest share: all doubtful lines are of the named kinds."""
        return Fraction(self.named + self.doubt, self.base + self.doubt)

    def more_than(self, bound: Fraction) -> str:
        """Whether the share is above a bound, whatever the doubtful lines turn out to be."""
        return YES if self.low > bound else NO if self.high <= bound else IN_DOUBT


def share(evidence: Evidence, claim: Share) -> Outcome:
    """Test a share under each reading of what is named and of what it is a share of."""
    words = {one.id for one in (STAGES if claim.by == "stage" else DIVERGENCES)}
    named = ", ".join(f"{reading} ({', '.join(kinds)})" for reading, kinds in claim.readings.items())
    bound = Fraction(claim.more_than)
    bases = " or ".join(BASES[base] for base in claim.against)
    expression = f"code lines of {claim.of}, boundary {claim.boundary}, in {named}: more than {bound} {bases}"
    unknown = [kind for kinds in claim.readings.values() for kind in kinds if kind not in words]
    if unknown:
        because = f"there is no {claim.by} {shown(unknown[0])}; {did_you_mean(unknown[0], words, f'{claim.by}s')}"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, f"an existing {claim.by}")
    convention = headline_convention(evidence)
    denominator = Denominator(boundary=claim.boundary, convention=convention)
    chosen = side(evidence, claim.of, claim.boundary)
    size = chosen if isinstance(chosen, Gap) else amount(evidence, chosen, denominator)
    if isinstance(chosen, Gap) or isinstance(size, Gap):
        why = chosen.why if isinstance(chosen, Gap) else size.why if isinstance(size, Gap) else ""
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, why, f"the source of {claim.of}")
    files = selected(evidence, chosen, denominator)
    rows = pieces(evidence, files)
    column = code_column(convention)
    unread = size.high - size.value
    parts = {
        (f"{reading}, {BASES[base]}" if len(claim.against) > 1 else reading): _part(
            rows if base == "all" else rows[~rows["divergence"].isin(NOT_DEPARTING)],
            column,
            claim.by,
            kinds,
            divided=claim.by == "divergence" or base == "departing",
            unread=unread,
        )
        for base in claim.against
        for reading, kinds in claim.readings.items()
    }
    if not all(part.base + part.doubt for part in parts.values()):
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, f"{claim.of} has no such code lines", "other code")
    outcomes = {reading: part.more_than(bound) for reading, part in parts.items()}
    said = [f"{reading}: {_words(part, outcomes[reading], bound)}" for reading, part in parts.items()]
    because = joined([*only_under(outcomes), *said])
    inputs = tuple(
        Input(reading, chosen.system, f"{part.named:,} of {part.base:,} code lines", note=_doubt(part))
        for reading, part in parts.items()
    )
    by_reading = {reading: VERDICT_OF[outcome] for reading, outcome in outcomes.items()}
    finer = "" if (files["units"] > 0).any() else "rules on functions in place of files, "
    would = f"other rules of classification, {finer}or another bound"
    return Outcome(expression, over_readings(outcomes), because, would, inputs, by_reading)


@dataclass(frozen=True, slots=True)
class Departures:
    """How far a side departs from its substrate's assumptions about hardware: files with such code, and code lines."""

    files: int
    lines: int
    glue: int
    undetermined: int
    whole: int


def departures(evidence: Evidence, chosen: Side, denominator: Denominator) -> Departures:
    """Count what departs on a side, beside glue, undetermined and all code."""
    rows = pieces(evidence, selected(evidence, chosen, denominator))
    column = code_column(denominator.convention)
    departing = rows[~rows["divergence"].isin([*NOT_DEPARTING, UNDETERMINED]) & (rows[column] > 0)]
    glue, undetermined = (int(rows[rows["divergence"] == one][column].sum()) for one in (GLUE, UNDETERMINED))
    files = len(departing[["system", "path"]].drop_duplicates())
    return Departures(files, int(departing[column].sum()), glue, undetermined, int(rows[column].sum()))


def _part(base: pd.DataFrame, column: str, by: str, kinds: tuple[str, ...], *, divided: bool, unread: int) -> Part:
    """The named kinds within a base; what is undetermined may belong to them, or not even to the base.

    So may what was decided on weak evidence for another stage than came second; which divergence came second is not
    known, so such code is open wherever divergences decide.
    """
    weak = is_weak(base)
    if not divided:
        weak &= base["stage"].isin(kinds) != base["runner_up"].isin(kinds)
    undecided = [by, "divergence"] if divided else [by]
    open_ = base[(base[undecided] == UNDETERMINED).any(axis=1) | weak]
    sure = base.drop(open_.index)
    named = int(sure[sure[by].isin(kinds)][column].sum())
    return Part(named, int(sure[column].sum()), int(open_[column].sum()) + unread)


def _words(part: Part, outcome: str, bound: Fraction) -> str:
    answer = {YES: f"more than {bound}", NO: f"not more than {bound}", IN_DOUBT: f"more than {bound} or not"}[outcome]
    return f"{part.named:,} of {part.base:,} code lines, {answer}" + (f" ({_doubt(part)})" if part.doubt else "")


def _doubt(part: Part) -> str:
    return f"{part.doubt:,} more are undetermined or in doubt" if part.doubt else ""
