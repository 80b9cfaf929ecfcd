"""Verdicts on claims, computed once, on exact integers and intervals; shown everywhere from here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.decided import decided_in
from leverage.claims.outcome import Outcome
from leverage.claims.ratios import Pair, pair, reaches
from leverage.claims.share import share
from leverage.claims.source import arithmetic, consistent, found, probe_input
from leverage.claims.touching import left_alone, runs_beneath, touches
from leverage.claims.transfer import has_second_stage, has_second_vendor
from leverage.model.verdicts import Verdict
from leverage.spec.claimcheck import claim_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Claim

READINGS = {"about": "within 10 % of the figure", "at_least": "not smaller than the figure"}


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim with its verdict.

    Attributes:
        id: id of the claim.
        claim: as declared.
        kind: the key of the claim that says how it is tested; empty where nothing does.
        outcome: what the test gave.
    """

    id: str
    claim: Claim
    kind: str
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """One of the five."""
        return self.outcome.verdict

    @property
    def as_expected(self) -> bool | None:
        """Whether the verdict is the expected one; None where none is declared."""
        return None if self.claim.expect is None else self.verdict.value == self.claim.expect

    @property
    def holds(self) -> bool | None:
        """For `leverage check`: True when it holds, False when it fails, None when it could not be checked."""
        if self.as_expected is not None:
            return self.as_expected
        match self.verdict:
            case Verdict.HOLDS:
                return True
            case Verdict.HOLDS_ONLY_UNDER | Verdict.DOES_NOT_HOLD:
                return False
            case Verdict.NOT_COMPARABLE | Verdict.CANNOT_BE_CHECKED:
                return None


def judge(evidence: Evidence) -> list[ClaimResult]:
    """Judge every declared claim, in order."""
    return [_judge(evidence, name, claim) for name, claim in evidence.loaded.spec.claims.items()]


def verdict_of(outcomes: Mapping[str, str]) -> tuple[Verdict, str]:
    """The verdict for one reading from the outcome under each comparable denominator.

    Args:
        outcomes: ``yes``, ``no`` or ``in doubt`` by id of the denominator.

    Returns:
        The verdict and its reason.
    """
    yes = [name for name, outcome in outcomes.items() if outcome == "yes"]
    doubt = [name for name, outcome in outcomes.items() if outcome == "in doubt"]
    if not outcomes:
        return Verdict.NOT_COMPARABLE, "no denominator gives two sides of like height and known size"
    if len(yes) == len(outcomes):
        return Verdict.HOLDS, f"all {len(outcomes)} comparable denominators reach it"
    if yes:
        return (
            Verdict.HOLDS_ONLY_UNDER,
            f"{len(yes)} of {len(outcomes)} comparable denominators reach it: {', '.join(yes)}",
        )
    if doubt:
        return Verdict.CANNOT_BE_CHECKED, f"whether {', '.join(doubt)} reach it is in doubt, the others do not"
    return Verdict.DOES_NOT_HOLD, f"none of {len(outcomes)} comparable denominators reaches it"


def claimed_figure(claim: Claim) -> Fraction | None:
    """The claimed ratio as an exact fraction."""
    return None if claim.value is None else Fraction(claim.value)


def _judge(evidence: Evidence, name: str, claim: Claim) -> ClaimResult:
    kind = claim_kind(claim)
    return ClaimResult(name, claim, kind, _with_inputs(evidence, claim, _TESTS[kind](evidence, claim)))


def _with_inputs(evidence: Evidence, claim: Claim, outcome: Outcome) -> Outcome:
    """The outcome with the further probes that the claim shows."""
    known = {one.name for one in outcome.inputs}
    more = tuple(probe_input(evidence, name) for name in claim.inputs if name not in known)
    return replace(outcome, inputs=(*outcome.inputs, *more))


def _missing(_evidence: Evidence, claim: Claim) -> Outcome:
    missing = claim.needs or "an expression that tests it"
    return Outcome("none", Verdict.CANNOT_BE_CHECKED, f"missing: {missing}", f"to have: {missing}")


def _awaited(_evidence: Evidence, claim: Claim) -> Outcome:
    missing = "; ".join(claim.awaits)
    return Outcome("none yet", Verdict.CANNOT_BE_CHECKED, f"not measured yet: {missing}", f"to have: {missing}")


def _ratio(evidence: Evidence, claim: Claim) -> Outcome:
    figure = claimed_figure(claim)
    if claim.ratio_of is None or figure is None:
        return _missing(evidence, claim)
    larger, smaller = claim.ratio_of
    expression = f"size of {larger} over size of {smaller}, under every declared denominator, against {figure}"
    system = evidence.loaded.spec.systems[larger]
    if system.source is None:
        needed = system.needed or f"the source of {larger}"
        because = (
            f"{system.name or larger} is closed, so its size is not known; the reported figure is the claim itself and "
            "is no evidence for it"
        )
        would = f"{needed}; put a source in place of `reported` and every row becomes measured"
        readings: dict[str, Verdict] = dict.fromkeys(claim.readings, Verdict.CANNOT_BE_CHECKED)
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, would, by_reading=readings)
    compared = {
        denominator: pair(evidence, spec, larger, smaller)
        for denominator, spec in evidence.loaded.spec.denominators.items()
    }
    return _weigh(claim, expression, figure, compared)


def _weigh(claim: Claim, expression: str, figure: Fraction, compared: Mapping[str, Pair]) -> Outcome:
    verdicts: dict[str, Verdict] = {}
    reasons: list[str] = []
    for reading in claim.readings:
        outcomes = {
            denominator: reaches(one.ratio, figure, reading)
            for denominator, one in compared.items()
            if one.ratio is not None
        }
        verdicts[reading], reason = verdict_of(outcomes)
        reasons.append(f"read as {READINGS[reading]}: {reason}")
    unknown = [denominator for denominator, one in compared.items() if one.status == "unknown"]
    first = verdicts[claim.readings[0]]
    if first is Verdict.NOT_COMPARABLE and unknown:
        first = Verdict.CANNOT_BE_CHECKED
    would = "other revisions, or other code on either side"
    if unknown:
        would = f"the missing side of {', '.join(unknown)}"
    return Outcome(expression, first, "; ".join(reasons), would, by_reading=verdicts)


def _share(evidence: Evidence, claim: Claim) -> Outcome:
    return _missing(evidence, claim) if claim.share is None else share(evidence, claim.share)


def _consistent(evidence: Evidence, claim: Claim) -> Outcome:
    return _missing(evidence, claim) if claim.consistent is None else consistent(claim.consistent)


def _touching(evidence: Evidence, claim: Claim) -> Outcome:
    if claim.touches is not None:
        return touches(evidence, claim.touches)
    if claim.left_alone is not None:
        return left_alone(evidence, claim.left_alone)
    return _missing(evidence, claim) if claim.runs_beneath is None else runs_beneath(evidence, claim.runs_beneath)


def _decided(evidence: Evidence, claim: Claim) -> Outcome:
    return _missing(evidence, claim) if claim.decided_in is None else decided_in(evidence, claim.decided_in)


_TESTS: Mapping[str, Callable[[Evidence, Claim], Outcome]] = {
    "": _missing,
    "needs": _missing,
    "awaits": _awaited,
    "ratio_of": _ratio,
    "found": found,
    "arithmetic": arithmetic,
    "share": _share,
    "consistent": _consistent,
    "touches": _touching,
    "left_alone": _touching,
    "runs_beneath": _touching,
    "decided_in": _decided,
    "second_stage_of": lambda evidence, claim: has_second_stage(evidence, claim.second_stage_of or ""),
    "second_vendor_of": lambda evidence, claim: has_second_vendor(evidence, claim.second_vendor_of or ""),
}
"""How each kind of claim is tested; the kinds are those of `leverage.spec.claimcheck.TESTS`."""
