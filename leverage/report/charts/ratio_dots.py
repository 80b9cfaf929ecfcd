"""The ratio under each denominator: one row for each pair, on a log axis with rules at parity and at the claim."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import BODY, MARGIN, NARROW, SMALL, STACKED, Canvas, draw, fit
from leverage.report.charts.scale import Log2Scale, log2_scale, times_text
from leverage.report.display import prose
from leverage.report.format import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from leverage.report.charts.palette import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import DenominatorView, PairView, ReportV1

AXIS, HEAD, GAP, ROW = 36.0, 24.0, 12.0, 22.0


@dataclass(frozen=True, slots=True)
class _Plot:
    """What every row needs: sizes in pixels, the axis, the claimed figure, colours."""

    stacked: bool
    row: float
    width: int
    scale: Log2Scale
    claimed: Fraction | None
    series: Mapping[str, tuple[Colour, str]]


def draw_ratios(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no denominator has a pair."""
    groups = _groups(report)
    if not groups:
        return None
    claimed = lookup.claimed_figure(report)
    values = [
        value
        for item in report.denominators
        for pair in lookup.compared_pairs(item)
        for value in lookup.pair_value(pair)
    ]
    stacked = width < STACKED
    ends = (14.0, width - 14.0) if stacked else (178.0, width - 236.0)
    scale = log2_scale([*values, 1, *([claimed] if claimed else [])], *ends)
    plot = _Plot(stacked, 36.0 if stacked else ROW, width, scale, claimed, palette.series_of(report))
    _, right = lookup.sides(report)
    height = AXIS + sum(HEAD + sum(_room(plot, pair) for pair in pairs) + GAP for _, _, pairs in groups)

    def paint(canvas: Canvas, top: float) -> None:
        _axis(canvas, plot, top)
        y = top + AXIS
        for title, bold, pairs in groups:
            canvas.bar(0, y, width, HEAD - 4, palette.BAND)
            # On a phone the id alone tells the groups apart; the sentence stands in the table below.
            shown = title if width > NARROW else title.partition(": ")[0]
            canvas.text(MARGIN + 4, y + 14, fit(shown, width - 12), bold=bold)
            y += HEAD
            tops = list(itertools.accumulate((_room(plot, pair) for pair in pairs), initial=y))
            _rules(canvas, plot, _spans(plot, tops, pairs))
            for row_top, pair in zip(tops, pairs, strict=False):
                _row(canvas, pair, plot, row_top)
            y = tops[-1]
            y += GAP

    sides = [pair.left for item in report.denominators for pair in item.pairs]
    return draw(
        name=name,
        title=_title(report),
        subtitle=prose(
            f"Size of the left side divided by the size of {right}, log scale. A mark is one pair, its line what "
            f"doubtful assignments allow. {findings.left_sides(report)}"
        ),
        footer=[lookup.pins_text(report, [*sides, right]), lookup.made_by(report)],
        description=" ".join(_describe(item) for item in report.denominators),
        width=width,
        height=height,
        paint=paint,
    )


def _groups(report: ReportV1) -> list[tuple[str, bool, list[PairView]]]:
    """Title, emphasis and rows of each group. A side that is unknown under every denominator is said once, first."""
    items = [item for item in report.denominators if item.pairs]
    measured = {pair.left for item in items for pair in item.pairs if pair.status != lookup.UNKNOWN}
    never: dict[str, PairView] = {}
    for pair in (pair for item in items for pair in item.pairs):
        if pair.left not in measured:
            never.setdefault(pair.left, pair)
    groups = [("Under every denominator", False, list(never.values()))] if never else []
    for item in items:
        pairs = [pair for pair in item.pairs if pair.left in measured]
        if pairs:
            groups.append((prose(f"{item.id}: {item.sentence}" if item.sentence else item.id), item.headline, pairs))
    return groups


def _title(report: ReportV1) -> str:
    claimed, verdict = findings.claimed_text(report), report.verdict
    if not verdict.comparable:
        return "No pair can be compared"
    spread = f"{verdict.lowest} to {verdict.highest}"
    reading = "at_least" if "at_least" in verdict.reaching else "about"
    if not claimed or reading not in verdict.reaching:
        return prose(f"The ratio runs from {spread}")
    reach = verdict.reaching[reading]
    return prose(
        f"{spread}: {count_text(reach)} of {count_text(verdict.comparable)} pairs {'is' if reach == 1 else 'are'} "
        f"{findings.READINGS[reading]} {claimed}"
    )


def _describe(item: DenominatorView) -> str:
    pairs = [
        f"{pair.left} {pair.ratio.text}" if pair.ratio is not None else f"{pair.left} {pair.status}"
        for pair in item.pairs
    ]
    return f"{item.id}: {', '.join(pairs)}."


def _axis(canvas: Canvas, plot: _Plot, top: float) -> None:
    scale = plot.scale
    for exponent in scale.ticks():
        canvas.text(
            scale.at(exponent), top + AXIS - 8, times_text(exponent), size=SMALL, colour=palette.MUTED, align="center"
        )
    edge = scale(1) < MARGIN + 30
    at = MARGIN if edge else scale(1)
    canvas.text(at, top + 13, "same size", size=SMALL, colour=palette.MUTED, align="left" if edge else "center")
    if plot.claimed:
        at_end = scale(plot.claimed) > scale.right - 34
        canvas.text(
            scale(plot.claimed) + (14 if at_end else 0),
            top + 13,
            f"claimed {findings.claim_text(plot.claimed)}",
            size=SMALL,
            colour=palette.CLAIM,
            align="right" if at_end else "center",
            bold=True,
        )


def _room(plot: _Plot, pair: PairView) -> float:
    """Height of a row; without a mark there is no need for a second line."""
    return ROW if pair.ratio is None else plot.row


def _spans(plot: _Plot, tops: Sequence[float], pairs: Sequence[PairView]) -> list[tuple[float, float]]:
    """From y to y, where the grid is drawn: behind rows with a mark; with text above marks, only beside the marks."""
    before, after = (-18.0, 33.0) if plot.stacked else (4.0, 18.0)
    spans: list[tuple[float, float]] = []
    for top, pair in zip(tops, pairs, strict=False):
        if pair.ratio is None:
            continue
        if spans and spans[-1][1] >= top - before:
            spans[-1] = (spans[-1][0], top + after)
        else:
            spans.append((top - before, top + after))
    return spans


def _rules(canvas: Canvas, plot: _Plot, spans: Sequence[tuple[float, float]]) -> None:
    """Grid, parity and claim over the given spans of y."""
    heights = [y for start, end in spans for y in (start, end, math.nan)]
    for exponent in plot.scale.ticks():
        colour = palette.RULE if exponent == 0 else palette.FAINT
        canvas.line([plot.scale.at(exponent)] * len(heights), heights, colour)
    if plot.claimed:
        x = plot.scale(plot.claimed)
        canvas.line([x] * len(heights), heights, palette.CLAIM, width=1.4, dashed=not plot.stacked)


def _row(canvas: Canvas, pair: PairView, plot: _Plot, y: float) -> None:
    scale, words = plot.scale, y + 13
    middle = y + 25.5 if plot.stacked else y + 9
    canvas.text(MARGIN + 4, words, fit(pair.left, plot.width * 0.4 if plot.stacked else scale.left - 24))
    if pair.ratio is None:
        start = plot.width * 0.42 if plot.stacked else scale.left
        canvas.bar(start, words - 9, 40, 10, palette.HATCH, hatched=True)
        reason = pair.status if plot.stacked or not pair.why else f"{pair.status}: {pair.why}"
        room = plot.width - start - 52
        canvas.text(start + 47, words, fit(prose(reason), room, BODY * 0.92), colour=palette.MUTED)
        return
    colour, marker = plot.series[pair.left]
    low, value, high = lookup.pair_value(pair)
    if low != high:
        canvas.line((scale(low), scale(high)), (middle, middle), colour, width=2.2)
    canvas.mark(scale(value), middle, colour, marker)
    top, bottom = pair.ratio.numerator, pair.ratio.denominator
    integers = f"{count_text(top.value)} ÷ {count_text(bottom.value)}"
    edge = plot.width - MARGIN
    if plot.stacked:
        canvas.text(edge - 50, words, integers, size=SMALL, colour=palette.MUTED, align="right")
        canvas.text(edge, words, pair.ratio.text, align="right", bold=True)
    else:
        canvas.text(plot.width - 160, words, pair.ratio.text, size=BODY + 1, align="right", bold=True)
        canvas.text(edge, words, integers, colour=palette.MUTED, align="right")
