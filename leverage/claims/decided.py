"""Where decisions are made: code of named stages within what may run with some function, and outside of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.headline import headline_convention
from leverage.claims.outcome import NO, VERDICT_OF, YES, Input, Outcome, joined, only_under, over_readings
from leverage.claims.places import stage_at
from leverage.claims.select import Gap, Side, amount, pieces, selected, side
from leverage.claims.source import probe_fact, probe_input
from leverage.evidence.columns import code_column
from leverage.measure.conventions import code_lines
from leverage.model.verdicts import Verdict
from leverage.spec.types import Denominator

if TYPE_CHECKING:
    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.evidence.facts import ReachFact
    from leverage.spec.types import DecidedIn

MOST_NAMED = 3
"""Functions outside that a reason names for each decision, the largest first."""
READINGS = ("some of each", "more than half of each", "all of each")


@dataclass(frozen=True, slots=True)
class Decided:
    """Code lines of one decision: in all, in functions, in those within reach, and the others, the largest first."""

    whole: int
    functions: int
    within: int
    outside: tuple[tuple[str, int], ...]


def decided_in(evidence: Evidence, claim: DecidedIn) -> Outcome:
    """Whether code of each decision lies within reach: some of it, more than half of it, all of it."""
    named = ", ".join(f"{decision} ({', '.join(stages)})" for decision, stages in claim.decisions.items())
    expression = (
        f"code lines of {claim.of}, boundary {claim.boundary}, in {named}, in functions that {claim.reach} reaches"
    )
    fact = probe_fact(evidence, claim.reach)
    chosen = side(evidence, claim.of, claim.boundary)
    convention = headline_convention(evidence)
    denominator = Denominator(boundary=claim.boundary, convention=convention)
    size = chosen if isinstance(chosen, Gap) else amount(evidence, chosen, denominator)
    if isinstance(chosen, Gap) or isinstance(size, Gap) or not fact.value:
        why = chosen.why if isinstance(chosen, Gap) else size.why if isinstance(size, Gap) else fact.why
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, why, f"the source of {claim.of}")
    found = _decisions(evidence, claim, chosen, selected(evidence, chosen, denominator), convention)
    empty = [decision for decision, one in found.items() if not one.functions]
    if empty:
        because = f"no function of {claim.of} is in the stages of {', '.join(empty)}"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, "other rules of classification")
    tests = (
        all(one.within for one in found.values()),
        all(2 * one.within > one.functions for one in found.values()),
        all(one.within == one.functions for one in found.values()),
    )
    outcomes = {reading: YES if holds else NO for reading, holds in zip(READINGS, tests, strict=True)}
    said = [f"{decision}: {_words(one)}" for decision, one in found.items()]
    inputs = (
        probe_input(evidence, claim.reach),
        *(
            Input(
                name,
                chosen.system,
                f"{one.within:,} of {one.functions:,} code lines in functions",
                note=f"{one.whole:,} code lines in all",
            )
            for name, one in found.items()
        ),
    )
    return Outcome(
        expression,
        over_readings(outcomes),
        joined([*only_under(outcomes), *said]),
        "other rules of classification; code that is reached in a way that a reader of the source cannot follow",
        inputs,
        {reading: VERDICT_OF[outcome] for reading, outcome in outcomes.items()},
    )


def _words(one: Decided) -> str:
    text = f"{one.within:,} of {one.functions:,} code lines in functions are reached"
    if one.outside:
        named = ", ".join(f"`{name}` ({lines:,})" for name, lines in one.outside[:MOST_NAMED])
        text += f"; {len(one.outside):,} function{' is' if len(one.outside) == 1 else 's are'} not, such as {named}"
    return text


def _decisions(
    evidence: Evidence, claim: DecidedIn, chosen: Side, files: pd.DataFrame, convention: str
) -> dict[str, Decided]:
    rows = pieces(evidence, files)
    column = code_column(convention)
    paths, stage_of = set(files["path"]), stage_at(evidence, chosen.system)
    functions = [
        (row, stage_of(row.path, row.first), _code(row, convention))
        for row in evidence.facts[chosen.system].reached
        if row.probe == claim.reach and row.path in paths
    ]
    found = {}
    for decision, stages in claim.decisions.items():
        mine = [(row, code) for row, stage, code in functions if stage in stages and code]
        missed = sorted((-code, f"{row.path}:{row.symbol}") for row, code in mine if not row.reached)
        found[decision] = Decided(
            int(rows[rows["stage"].isin(stages)][column].sum()),
            sum(code for _, code in mine),
            sum(code for row, code in mine if row.reached),
            tuple((name, -negative) for negative, name in missed),
        )
    return found


def _code(row: ReachFact, convention: str) -> int:
    return code_lines(convention, "python", row.lines) or 0
