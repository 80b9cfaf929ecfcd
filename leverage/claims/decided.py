"""Where decisions are made: code of named stages within what may run with some function, and outside of it."""

from __future__ import annotations

from collections import Counter
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

MOST_FILES = 2
"""Files outside that a reason names for each decision, the largest first."""
READINGS = ("some of each", "more than half of each", "all of each")


@dataclass(frozen=True, slots=True)
class Decided:
    """Code lines of one decision: all, those within reach, and where the others are, the largest part first."""

    whole: int
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
    files = selected(evidence, chosen, denominator)
    found = _decisions(evidence, claim, chosen, files, convention)
    empty = [decision for decision, one in found.items() if not one.whole]
    if empty:
        because = f"no code of {claim.of} is in the stages of {', '.join(empty)}"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, "other rules of classification")
    tests = (
        all(one.within for one in found.values()),
        all(2 * one.within > one.whole for one in found.values()),
        all(one.within == one.whole for one in found.values()),
    )
    outcomes = {reading: YES if holds else NO for reading, holds in zip(READINGS, tests, strict=True)}
    said = [f"{decision}: {_words(one)}" for decision, one in found.items()]
    inputs = (
        probe_input(evidence, claim.reach),
        *(Input(name, chosen.system, f"{one.within:,} of {one.whole:,} code lines") for name, one in found.items()),
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
    text = f"{one.within:,} of {one.whole:,} code lines are reached"
    if one.outside:
        text += (
            f", most of the others in {', '.join(f'`{path}` ({lines:,})' for path, lines in one.outside[:MOST_FILES])}"
        )
    return text


def _decisions(
    evidence: Evidence, claim: DecidedIn, chosen: Side, files: pd.DataFrame, convention: str
) -> dict[str, Decided]:
    rows = pieces(evidence, files)
    column = code_column(convention)
    reached = _reached(evidence, claim, chosen, files, convention)
    found = {}
    for decision, stages in claim.decisions.items():
        mine = rows[rows["stage"].isin(stages)]
        by_path = mine.groupby("path", sort=True)[column].sum()
        # A unit never holds more code than it has, whatever lines a decorator or a lambda shares with others.
        within = {
            str(path): min(int(whole), sum(reached[str(path), stage] for stage in stages))
            for path, whole in by_path.items()
        }
        outside = {str(path): int(whole) - within[str(path)] for path, whole in by_path.items()}
        largest = sorted(
            ((path, lines) for path, lines in outside.items() if lines), key=lambda each: (-each[1], each[0])
        )
        found[decision] = Decided(int(by_path.sum()), sum(within.values()), tuple(largest))
    return found


def _reached(
    evidence: Evidence, claim: DecidedIn, chosen: Side, files: pd.DataFrame, convention: str
) -> Counter[tuple[str, str]]:
    """Code lines within reach by path and stage."""
    paths, stage_of = set(files["path"]), stage_at(evidence, chosen.system)
    counted: Counter[tuple[str, str]] = Counter()
    for row in evidence.facts[chosen.system].reached:
        if row.probe == claim.reach and row.path in paths:
            counted[row.path, stage_of(row.path, row.first)] += _code(row, convention)
    return counted


def _code(row: ReachFact, convention: str) -> int:
    return code_lines(convention, "python", row.lines) or 0
