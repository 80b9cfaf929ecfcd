"""The strip at the head of the page: what can be confirmed, and what can be said instead, each from exact numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.claims.budgets import undetermined_share
from leverage.claims.denominators import sentence
from leverage.claims.headline import headline_convention
from leverage.claims.ratios import reaches, required
from leverage.claims.verdict import READINGS
from leverage.model.amounts import Amount, Unit
from leverage.report.format import exact_text, percent_text, plural, ratio_text
from leverage.report.view import VerdictView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from leverage.claims.ratios import Pair
    from leverage.claims.verdict import ClaimResult
    from leverage.evidence.build import Evidence
    from leverage.model.amounts import Ratio

STAND_INS = "stand-ins"
NOTHING = VerdictView(
    sentence="No comparison is declared, so no ratio is claimed or judged here.",
    then=[],
    claim="",
    verdict="",
    subject="",
    comparable=0,
    pairs=0,
    reaching={},
    headline="",
    lowest="",
    highest="",
    undetermined={},
)


def verdict_strip(
    evidence: Evidence, claims: Sequence[ClaimResult], rows: Mapping[str, list[Pair]], figure: Fraction | None
) -> VerdictView:
    """The strip. Counts are of the left side itself where it is measured, else of its stand-ins.

    Args:
        evidence: what the report stands on.
        claims: the judged claims.
        rows: pairs by denominator, the left side itself first.
        figure: the claimed ratio; None where there is none.
    """
    compare = evidence.loaded.spec.compare
    if compare is None or not rows:
        return NOTHING
    about = next((one for one in claims if one.claim.ratio_of == (compare.left, compare.right)), None)
    measured = evidence.loaded.spec.systems[compare.left].source is not None
    chosen = [one for row in rows.values() for one in row if bool(one.stands_in_for) != measured]
    ratios = sorted((one.ratio for one in chosen if one.ratio is not None), key=lambda ratio: ratio.value)
    head = [one for one in rows[compare.headline] if bool(one.stands_in_for) != measured]
    first = rows[compare.headline][0]
    hits = (
        {reading: sum(reaches(ratio, figure, reading) == "yes" for ratio in ratios) for reading in READINGS}
        if figure is not None
        else {}
    )
    return VerdictView(
        sentence=_measured(evidence, first, figure) if measured else _closed(evidence),
        then=[
            *([_judged(about)] if measured and about is not None else []),
            *([] if measured else _port(evidence, first, figure)),
            *_stand_ins(evidence, rows, figure),
        ],
        claim=about.id if about else "",
        verdict=about.verdict.value if about else "",
        subject=compare.left if measured else STAND_INS,
        comparable=len(ratios),
        pairs=len(chosen),
        reaching=hits,
        headline=_spread([one.ratio for one in head if one.ratio is not None], figure),
        lowest=ratio_text(ratios[0].value, figure) if ratios else "",
        highest=ratio_text(ratios[-1].value, figure) if ratios else "",
        undetermined=_undetermined(evidence),
    )


def _name(evidence: Evidence, system: str) -> str:
    return evidence.loaded.spec.systems[system].name or system


def _sides(evidence: Evidence) -> tuple[str, str, str]:
    """Names of both sides, and the headline denominator in words."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        raise AssertionError("there is a comparison where its sides are named")
    head = spec.denominators[spec.compare.headline]
    return _name(evidence, spec.compare.left), _name(evidence, spec.compare.right), sentence(head)


def _closed(evidence: Evidence) -> str:
    left, _, _ = _sides(evidence)
    return f"{left} is closed: nobody outside can count it, so the claim as such cannot be confirmed or refuted here."


def _measured(evidence: Evidence, first: Pair, figure: Fraction | None) -> str:
    """The first sentence where both sides are measured: both integers and the ratio, or why there is none."""
    left, right, words = _sides(evidence)
    if first.ratio is None:
        return f"{left} and {right} cannot be compared under the headline denominator: {first.why}."
    noun = Unit(first.ratio.numerator.unit).noun
    return (
        f"{left} is {ratio_text(first.ratio.value, figure)} the size of {right}: {first.ratio.numerator.value:,} "
        f"against {first.ratio.denominator.value:,} {noun} ({words})."
    )


def _judged(about: ClaimResult) -> str:
    return f"Of the claimed figure: {about.outcome.because}."


def _port(evidence: Evidence, first: Pair, figure: Fraction | None) -> list[str]:
    """The size of the measured side under the headline, and the size that the closed side would need."""
    left, right, words = _sides(evidence)
    if not isinstance(first.denominator, Amount):
        return [f"The size of {right} under the headline denominator is unknown: {first.denominator.why}."]
    noun = Unit(first.denominator.unit).noun
    said = [f"{right} has {first.denominator.value:,} {noun} under the headline denominator ({words})."]
    if figure is not None:
        low, high = required(first.denominator, figure, "about")
        said.append(
            f"For “about {exact_text(figure)}x” to be true under it, {left} would need {low:,} to {high:,} {noun}."
        )
    return said


def _stand_ins(evidence: Evidence, rows: Mapping[str, list[Pair]], figure: Fraction | None) -> list[str]:
    """What stand-ins show, as compilers counted in several ways: their ratios are not independent of each other."""
    left, _, _ = _sides(evidence)
    found = [one for row in rows.values() for one in row if one.stands_in_for and one.ratio is not None]
    if not found or figure is None:
        return []
    names = list(dict.fromkeys(one.left_name for one in found))
    ways = sum(any(one.stands_in_for and one.ratio is not None for one in row) for row in rows.values())
    reached = {
        reading: [one for one in found if one.ratio is not None and reaches(one.ratio, figure, reading) == "yes"]
        for reading in READINGS
    }
    units = sorted({Unit(one.ratio.numerator.unit).noun for one in reached["at_least"] if one.ratio is not None})
    by_what = f" (counting {' and '.join(units)})" if units else ""
    claimed = f"{exact_text(figure)}x"
    recount = ", which recount the same code and are not independent" if ways > 1 else ""
    text = (
        f"{plural(len(names), 'public compiler')} stand{'s' if len(names) == 1 else ''} in for {left} "
        f"({', '.join(names)}): like height gives {plural(len(found), 'ratio')} "
        f"under {plural(ways, 'denominator')}{recount}. "
        f"{_lie(len(reached['about']))} within 10 % of {claimed}, {_are(len(reached['at_least']))} at least "
        f"{claimed}{by_what}. "
        f"A stand-in is evidence about compilers of that kind, not about {left}."
    )
    return [text]


def _lie(count: int) -> str:
    return {0: "None lies", 1: "1 lies"}.get(count, f"{count} lie")


def _are(count: int) -> str:
    return {0: "none is", 1: "1 is"}.get(count, f"{count} are")


def _spread(ratios: list[Ratio], figure: Fraction | None) -> str:
    """One ratio, or the least and the greatest of several, as text."""
    values = sorted(ratio.value for ratio in ratios)
    if not values:
        return ""
    ends = [ratio_text(value, figure) for value in (values[0], values[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _undetermined(evidence: Evidence) -> dict[str, str]:
    convention = headline_convention(evidence)
    shares = {name: undetermined_share(evidence, [name], convention) for name in evidence.facts}
    return {name: percent_text(share) for name, share in shares.items() if share is not None}
