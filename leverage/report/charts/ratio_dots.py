"""The ratio under each denominator: one row for each pair, on a log axis with rules at parity and at the claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import BODY, MARGIN, SMALL, Canvas, draw, fit
from leverage.report.charts.scale import Log2Scale, log2_scale, times_text
from leverage.report.display import prose, visible
from leverage.report.format import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from leverage.report.charts.canvas import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import DenominatorView, PairView, ReportV1

AXIS, HEAD, GAP = 34.0, 24.0, 12.0
STACKED = 520
"""Width below which names and numbers stand above their row."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things stand; all in pixels."""

    stacked: bool
    row: float
    left: float
    right: float
    ratio: float
    width: int


def _layout(width: int) -> _Layout:
    if width < STACKED:
        return _Layout(stacked=True, row=36, left=12, right=width - 12, ratio=width - MARGIN, width=width)
    return _Layout(stacked=False, row=22, left=178, right=width - 236, ratio=width - 160, width=width)


def series_of(report: ReportV1) -> dict[str, tuple[Colour, str]]:
    """Colour and marker of each measured left side, the same in every figure of a report."""
    names = dict.fromkeys(
        pair.left for item in report.denominators for pair in item.pairs if pair.numerator is not None
    )
    return {name: palette.series(index) for index, name in enumerate(names)}


def draw_ratios(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no denominator has a pair."""
    items = [item for item in report.denominators if item.pairs]
    if not items:
        return None
    layout, claimed = _layout(width), lookup.claimed_figure(report)
    values = [value for item in items for pair in lookup.compared_pairs(item) for value in lookup.pair_value(pair)]
    scale = log2_scale([*values, 1, *([claimed] if claimed else [])], layout.left, layout.right)
    series = series_of(report)
    left, right = lookup.sides(report)
    height = AXIS + sum(HEAD + layout.row * len(item.pairs) + GAP for item in items)

    def paint(canvas: Canvas, top: float) -> None:
        _axis(canvas, scale, top, height, claimed)
        y = top + AXIS
        for item in items:
            y = _group(canvas, item, layout, scale, series, y)

    return draw(
        name=name,
        title=_title(report),
        subtitle=prose(f"Size of the left side divided by the size of {right}, log scale. Each mark is one pair; its "
                       "line is what doubtful assignments allow. Left sides are public stand-ins "
                       f"for {left}, unless they are {left} itself."),
        footer=_footer(report, [pair.left for item in items for pair in item.pairs] + [right]),
        description=visible(" ".join(_describe(item) for item in items)),
        width=width,
        height=height,
        paint=paint,
    )  # fmt: skip


def _title(report: ReportV1) -> str:
    claimed, verdict = findings.claimed_text(report), report.verdict
    if not verdict.comparable:
        return "No pair can be compared"
    reach = verdict.reaching.get("at_least", verdict.reaching.get("about"))
    if not claimed or reach is None:
        return prose(f"The ratio runs from {verdict.lowest} to {verdict.highest}")
    word = "at least" if "at_least" in verdict.reaching else "about"
    return prose(
        f"{verdict.lowest} to {verdict.highest}: {count_text(reach)} of {count_text(verdict.comparable)} pairs "
        f"{'is' if reach == 1 else 'are'} {word} {claimed}"
    )


def _footer(report: ReportV1, ids: list[str]) -> list[str]:
    return [visible(lookup.pins_text(report, ids)), visible(lookup.made_by(report))]


def _describe(item: DenominatorView) -> str:
    pairs = [
        f"{pair.left} {pair.ratio.text}" if pair.ratio is not None else f"{pair.left} {pair.status}"
        for pair in item.pairs
    ]
    return f"{item.id}: {', '.join(pairs)}."


def _axis(canvas: Canvas, scale: Log2Scale, top: float, height: float, claimed: Fraction | None) -> None:
    bottom = top + height - GAP
    for exponent in scale.ticks():
        x = scale.left + (exponent - scale.low) / (scale.high - scale.low) * (scale.right - scale.left)
        canvas.line((x, x), (top + AXIS - 6, bottom), palette.RULE if exponent == 0 else palette.FAINT)
        canvas.text(x, top + AXIS - 11, times_text(exponent), size=SMALL, colour=palette.MUTED, align="center")
    canvas.text(scale(1), top + 10, "same size", size=SMALL, colour=palette.MUTED, align="center")
    if claimed:
        x = scale(claimed)
        canvas.line((x, x), (top + 14, bottom), palette.CLAIM, width=1.4, dashed=True)
        near_end = x > (scale.left + scale.right) / 2
        canvas.text(x + (4 if near_end else -4) * 0, top + 10, f"claimed {findings.exact_text(claimed)}×", size=SMALL,
                    colour=palette.CLAIM, align="right" if x > scale.right - 30 else "center", bold=True)  # fmt: skip


def _group(canvas: Canvas, item: DenominatorView, layout: _Layout, scale: Log2Scale,
           series: Mapping[str, tuple[Colour, str]], y: float) -> float:  # fmt: skip
    """One denominator with its rows; returns the y below it."""
    canvas.bar(0, y, layout.width, HEAD - 4, palette.BAND)
    label = f"{item.id}: {item.sentence}" if item.sentence else item.id
    canvas.text(MARGIN + 4, y + 14, fit(prose(label), layout.width - 12), bold=item.headline)
    y += HEAD
    for pair in item.pairs:
        _row(canvas, pair, layout, scale, series, y)
        y += layout.row
    return y + GAP


def _row(canvas: Canvas, pair: PairView, layout: _Layout, scale: Log2Scale,
         series: Mapping[str, tuple[Colour, str]], y: float) -> None:  # fmt: skip
    words = y + 13
    middle = y + 25 if layout.stacked else y + 9
    room = (layout.width * 0.45 if layout.stacked else layout.left - 24)
    canvas.text(MARGIN + 4, words, fit(pair.left, room))
    if pair.ratio is None:
        canvas.bar(layout.left, middle - 5, 44, 10, palette.HATCH, hatched=True)
        reason = pair.status if layout.stacked else f"{pair.status}: {pair.why}"
        canvas.text(layout.left + 52, middle + 4, fit(prose(reason), layout.width - layout.left - 56),
                    colour=palette.MUTED)  # fmt: skip
        return
    colour, marker = series[pair.left]
    low, value, high = lookup.pair_value(pair)
    if low != high:
        canvas.line((scale(low), scale(high)), (middle, middle), colour, width=2.2)
    canvas.mark(scale(value), middle, colour, marker)
    top, bottom = pair.ratio.numerator, pair.ratio.denominator
    integers = f"{count_text(top.value)} ÷ {count_text(bottom.value)}"
    if layout.stacked:
        canvas.text(layout.ratio, words, f"{integers} = {pair.ratio.text}", size=SMALL + 0.5, align="right")
    else:
        canvas.text(layout.ratio, words, pair.ratio.text, size=BODY + 1, align="right", bold=True)
        canvas.text(layout.width - MARGIN, words, integers, colour=palette.MUTED, align="right")
