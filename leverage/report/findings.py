"""One plain sentence for each section, computed from the report's own figures. Nothing here rounds or judges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from leverage.report import lookup
from leverage.report.format import TIMES, count_text, exact_text, part_text, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from leverage.report.view import (
        DenominatorView,
        IdentityView,
        RatioView,
        ReportV1,
        RequiredView,
        SpreadView,
        SwingView,
        WitnessRow,
    )

_VERDICTS = ("holds", "holds only under", "does not hold", "not comparable", "cannot be checked")
_ANSWERS = {
    "yes": "met",
    "no": "not met",
    "partly": "met in part",
    "measured": "measured, but with no bound to judge it by",
}
READINGS = {"about": "about", "at_least": "at least"}
READING_WORDS = {"about": "within 10 % of the figure", "at_least": "not smaller than the figure"}
"""The readings of a claimed ratio in plain words; other readings are in plain words already."""


def listed(items: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def claimed_text(report: ReportV1) -> str:
    """The claimed ratio, such as seven times; empty where none is claimed."""
    figure = lookup.claimed_figure(report)
    return "" if figure is None else claim_text(figure)


def claim_text(figure: Fraction) -> str:
    """A claimed ratio with its sign."""
    return exact_text(figure) + TIMES


def ratio_finding(report: ReportV1) -> str:
    """How far the ratios spread, and how many reach the claimed figure."""
    left, right = lookup.sides(report)
    verdict = report.verdict
    if not report.denominators:
        return "No denominator is declared, so there is no ratio."
    if not verdict.comparable:
        return f"None of {plural(verdict.pairs, 'pair')} can be compared, so there is no ratio."
    what = f"Public stand-ins for {left}" if stood_in(report) else left
    spread = f"{verdict.lowest} to {verdict.highest}" if verdict.lowest != verdict.highest else verdict.lowest
    verb = "measure" if stood_in(report) else "measures"
    over = plural(len(report.denominators), "denominator")
    sentence = f"{what} {verb} {spread} the size of {right} over {over}"
    figure = claimed_text(report)
    if figure and verdict.reaching:
        reached = [
            f"{count_text(count)} {'is' if count == 1 else 'are'} {READINGS.get(reading, reading)} {figure}"
            for reading, count in sorted(verdict.reaching.items())
        ]
        sentence += f"; of {plural(verdict.comparable, 'comparable pair')}, {listed(reached)}"
    return f"{sentence}."


def stood_in(report: ReportV1) -> bool:
    """Whether stand-ins are counted in place of the left side, because it is not measured."""
    return report.verdict.subject != lookup.sides(report)[0]


def left_sides(report: ReportV1) -> str:
    """What the left sides of a figure are, in one sentence."""
    left = lookup.sides(report)[0]
    return (
        f"Left sides are public stand-ins for {left}."
        if stood_in(report)
        else f"{left} is measured; the other left sides stand in for it."
    )


def stand_in_sizes(item: DenominatorView) -> dict[str, int]:
    """Measured sizes of the stand-ins under a denominator, comparable or not."""
    return {pair.left: pair.numerator.value for pair in item.pairs if pair.numerator is not None and pair.stands_in_for}


def stand_ins(items: Iterable[DenominatorView]) -> list[str]:
    """All stand-ins that have a measured size under some denominator, in order."""
    return list(dict.fromkeys(side for item in items for side in stand_in_sizes(item)))


def span_text(required: RequiredView) -> str:
    """A required size without its unit, such as ``82,713 to 101,093``."""
    low = count_text(required.low)
    return f"at least {low}" if required.high is None else f"{low} to {count_text(required.high)}"


def ends_text(low: int, high: int | None) -> str:
    """Two ends of a range of sizes; one number where they are the same."""
    return count_text(low) if high in {None, low} else f"{count_text(low)} to {count_text(high or 0)}"


def inside(required: RequiredView, value: int) -> bool:
    """Whether a size lies in what the reported figure requires."""
    return required.low <= value and (required.high is None or value <= required.high)


def required_finding(report: ReportV1) -> str:
    """The size that would make the reported figure true under the headline, and how many stand-ins have that size."""
    chosen = lookup.headline(report)
    needed = chosen.required[0] if chosen is not None and chosen.required else None
    if chosen is None or needed is None:
        return "No figure is reported for a system without bytes, so no size is required."
    left, right = lookup.sides(report)
    # Only sides of like height: another side's size says nothing about what is required.
    pairs = lookup.compared_pairs(chosen)
    sizes = {pair.left: pair.ratio.numerator.value for pair in pairs if pair.ratio and pair.stands_in_for}
    hits = [name for name, value in sizes.items() if inside(needed, value)]
    figure = f"{READINGS.get(needed.reading, needed.reading)} {needed.figure}{TIMES}"
    sentence = f"For {right} to be {figure} smaller, {left} would need {needed.text} under the headline denominator"
    own = next((pair.ratio.numerator.value for pair in pairs if pair.ratio and not pair.stands_in_for), None)
    if own is not None:
        sentence += f"; it has {count_text(own)}"
    if sizes:
        verb = "has" if len(hits) == 1 else "have"
        sentence += f"; {len(hits)} of {plural(len(sizes), 'public stand-in')} {verb} such a size"
    return f"{sentence}."


def value_text(value: str) -> str:
    """A value on an axis as it stands in a sentence."""
    return value.replace("_", " ")


def is_still(swing: SwingView) -> bool:
    """Whether no value on an axis moves the ratio."""
    low, high = swing.low, swing.high
    return (low.numerator, low.denominator) == (high.numerator, high.denominator)


def moves_title(report: ReportV1) -> str:
    """The widest swing of all left sides, short."""
    moved = [(one, one.swings[0]) for one in report.moves if one.swings]
    if not moved:
        return "Nothing can be varied"
    parts = [f"{swing.title.lower()} for {one.left}" for one, swing in moved]
    return f"What moves the ratio most: {listed(parts)}"


def moves_finding(report: ReportV1) -> str:
    """Which choice moves each ratio most, from the headline."""
    moved = [(one, swing) for one in report.moves for swing in one.swings[:1]]
    if not moved:
        return "No family of denominators is declared whose members can be compared, so nothing is varied."
    parts = [
        f"{swing.title.lower()} for {one.left} (from {swing.low.ratio}, {value_text(swing.low.value)}, "
        f"to {swing.high.ratio}, {value_text(swing.high.value)})"
        for one, swing in moved
    ]
    return f"From the headline, one choice at a time, what moves the ratio most is {listed(parts)}."


def grid_finding(report: ReportV1) -> str:
    """How many members there are, how many differ, how many can be compared, how many reach the figure."""
    grid = report.grid
    if not grid.declared:
        return "No family of denominators is declared."
    sentence = (
        f"{plural(grid.declared, 'denominator')} are declared by families; {count_text(grid.comparable)} give a ratio, "
        f"and {count_text(grid.distinct)} of these differ in some amount"
    )
    figure = claimed_text(report)
    if figure and grid.reaching:
        reached = [
            f"{count_text(count)} {'is' if count == 1 else 'are'} {READINGS.get(reading, reading)} {figure}"
            for reading, count in sorted(grid.reaching.items())
        ]
        sentence += f"; of their {plural(grid.pairs, 'ratio')}, {listed(reached)}"
    return f"{sentence}."


def spread_text(spread: SpreadView) -> str:
    """Smallest to largest ratio; the one ratio where they are the same."""
    return spread.lowest if spread.lowest == spread.highest else f"{spread.lowest} to {spread.highest}"


def reaching_text(spread: SpreadView) -> str:
    """How many members reach the claimed figure by each reading: ``1 about, 2 at least of 9``."""
    hits = [
        f"{count_text(count)} {READINGS.get(reading, reading)}" for reading, count in sorted(spread.reaching.items())
    ]
    of = f"of {count_text(spread.ratios)}"
    return f"{', '.join(hits)}, {of}" if hits else of


def _largest_stages(report: ReportV1) -> tuple[str, int, list[str]]:
    """The system that the report is about, its lines, and its three largest stages with their shares."""
    view = report.stages
    right = lookup.base(lookup.sides(report)[1])
    system = next((name for name in view.systems if lookup.base(name) == right), next(iter(view.systems), ""))
    total = view.totals.get(system, 0)
    lines = lookup.stage_lines(view).get(system, Counter())
    titles = {term.id: term.title for term in view.stages}
    largest = sorted(lines.items(), key=lambda item: (-item[1], item[0]))[:3]
    return system, total, [f"{titles.get(stage, stage)} ({part_text(count, total)})" for stage, count in largest]


def stages_title(report: ReportV1) -> str:
    """The largest stages of the right side, short."""
    system, total, parts = _largest_stages(report)
    return f"Largest in {system}: {listed(parts)}" if total and parts else "No code was classified"


def stages_finding(report: ReportV1) -> str:
    """The largest stages of the right side, and how much of it no rule reached."""
    system, total, parts = _largest_stages(report)
    if not total:
        return "No code was classified."
    missed = report.stages.undetermined.get(system, 0)
    reach = f"no rule reached {part_text(missed, total)} of its" if missed else "rules reached all of its"
    largest = f"the largest stages of {system} are {listed(parts)}; " if parts else f"in {system}, "
    return f"{largest[0].upper()}{largest[1:]}{reach} {count_text(total)} lines."


def code_finding(report: ReportV1) -> str:
    """How many systems and components there are, and how many have no bytes."""
    if not report.systems:
        return "No system is declared."
    measured = [system for system in report.systems if system.components]
    without = [system.id for system in report.systems if not system.components]
    parts = sum(len(system.components) for system in measured)
    sentence = f"{plural(len(measured), 'system')} with {plural(parts, 'component')} were counted"
    return f"{sentence}; {listed(without)} could not be." if without else f"{sentence}."


def provenance_finding(report: ReportV1) -> str:
    """Where the figures come from."""
    groups = lookup.by_origin(report, (system.id for system in report.systems))
    words = {
        "measured": "measured here",
        "recorded": "read from recorded evidence",
        "attested": "attested",
        "reported": "only reported",
        "unknown": "unknown",
    }
    if not groups:
        return "There is no source."
    parts = [f"{count_text(len(names))} {words.get(origin, origin)}" for origin, names in groups]
    return f"Of {plural(len(report.systems), 'system')}, {listed(parts)}."


def adds_up(item: IdentityView) -> bool:
    """Whether tracked = counted + excluded + unknown, in files and in lines."""
    return (
        item.tracked_files == item.counted_files + item.excluded_files + item.unknown_files
        and item.tracked_lines == item.counted_lines + item.excluded_lines + item.unknown_lines
    )


def identity_finding(report: ReportV1) -> str:
    """Whether every tracked file is accounted for."""
    if not report.identity:
        return "No tree was read, so there is nothing to account for."
    wrong = [item.system for item in report.identity if not adds_up(item)]
    if wrong:
        return f"The account does not add up for {listed(wrong)}: do not use these figures."
    tracked = sum(item.tracked_files for item in report.identity)
    unknown = sum(item.unknown_files for item in report.identity)
    rest = f"{plural(unknown, 'file')} could not be judged" if unknown else "none is unknown"
    return f"Each of {plural(tracked, 'tracked file')} is counted, excluded for a reason, or unknown; {rest}."


def witness_finding(report: ReportV1) -> str:
    """On how many files the independent witness disagrees."""
    if not report.identity:
        return "Nothing was counted, so there is nothing to compare with the independent witness."
    if not report.witness:
        return "The independent witness agrees on every file that both can count."
    return f"The independent witness disagrees beyond the threshold on {plural(len(report.witness), 'file')}."


_FARES = {
    "holds": ("holds", "hold"),
    "holds only under": ("holds only under named readings", "hold only under named readings"),
    "does not hold": ("does not hold", "do not hold"),
    "not comparable": ("is not comparable", "are not comparable"),
    "exceeded": ("is exceeded", "are exceeded"),
}


def claims_finding(report: ReportV1) -> str:
    """How the claims fare."""
    return _fared("claim", [claim.verdict for claim in report.claims])


def claim_counts(report: ReportV1) -> list[tuple[str, int]]:
    """How many claims have each verdict, in the order of the verdicts; those that none has are left out."""
    counted = Counter(claim.verdict for claim in report.claims)
    order = [*_VERDICTS, *sorted(counted.keys() - set(_VERDICTS))]
    return [(word, counted[word]) for word in order if counted[word]]


def transfer_finding(report: ReportV1) -> str:
    """How the conditions stand for the port of the comparison, else for the first one."""
    right = lookup.base(lookup.sides(report)[1])
    port = next((one for one in report.transfer if one.port == right), next(iter(report.transfer), None))
    if port is None:
        return "No port is declared."
    counted = Counter(condition.answer for condition in port.conditions)
    parts = [
        f"{count_text(count)} {'is' if count == 1 else 'are'} {_ANSWERS.get(word, word)}"
        for word, count in sorted(counted.items(), key=lambda item: item[0] == "measured")
    ]
    return f"Of {plural(len(port.conditions), 'condition')} for {port.name}, {listed(parts)}."


def budgets_finding(report: ReportV1) -> str:
    """How the budgets fare."""
    return _fared("budget", [item.status for item in report.budgets])


def _fared(noun: str, words: list[str]) -> str:
    if not words:
        return f"No {noun} is declared."
    counted = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{count_text(count)} {_FARES.get(word, (word, word))[count != 1]}" for word, count in counted]
    return f"Of {plural(len(words), noun)}, {listed(parts)}."


def range_text(ratio: RatioView) -> str:
    """What doubtful assignments allow: ``exact`` only where nothing is in doubt."""
    top, bottom = ratio.numerator, ratio.denominator
    if top.low == top.high and bottom.low == bottom.high:
        return "exact"
    return ratio.low_text if ratio.low_text == ratio.high_text else f"{ratio.low_text} to {ratio.high_text}"


def position(item: DenominatorView, required: RequiredView, side: str, value: int) -> str:
    """Where a side lies against what is required: ``below``, ``inside`` or ``above``; an unlike height is named."""
    word = "below" if value < required.low else "inside" if inside(required, value) else "above"
    return word if any(pair.left == side for pair in lookup.compared_pairs(item)) else f"{word}, other height"


def largest_disagreements(report: ReportV1) -> list[WitnessRow]:
    """Disagreements with the witness, the largest first."""
    return sorted(report.witness, key=lambda row: (-abs(row.ours - row.witness), row.system, row.path))
