"""What moves the ratio: from the headline, one axis at a time, one panel for each left side, all on one log axis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import MARGIN, SMALL, STACKED, Canvas, draw, fit
from leverage.report.charts.scale import Log2Scale, log2_scale, times_text
from leverage.report.display import prose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.report.charts.palette import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import ChoiceView, ReportV1, SwingView, TornadoView

AXIS, HEAD, GAP = 36.0, 26.0, 12.0
LABELS, ENDS = 118.0, 172.0
"""Pixels for the axes' names, and for the text at either end of a bar, on a screen."""


@dataclass(frozen=True, slots=True)
class _Plot:
    """What every row needs: sizes in pixels, the axis, the claimed figure, colours."""

    stacked: bool
    width: int
    scale: Log2Scale
    claimed: Fraction | None
    series: Mapping[str, tuple[Colour, str]]

    @property
    def row(self) -> float:
        """Height of a row."""
        return 34.0 if self.stacked else 26.0

    def panel(self, one: TornadoView) -> float:
        """Height of a panel."""
        return HEAD + self.row * len(one.swings) + GAP


def draw_moves(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where nothing can be varied."""
    panels = [one for one in report.moves if one.swings]
    if not panels:
        return None
    claimed = lookup.claimed_figure(report)
    values = [ratio_of(each) for one in panels for swing in one.swings for each in (swing.low, swing.high)]
    stacked = width < STACKED
    ends = (14.0, width - 14.0) if stacked else (LABELS + ENDS, width - ENDS)
    scale = log2_scale([*values, 1, *([claimed] if claimed else [])], *ends)
    plot = _Plot(stacked, width, scale, claimed, palette.series_of(report))
    _, right = lookup.sides(report)

    def paint(canvas: Canvas, top: float) -> None:
        _axis(canvas, plot, top)
        y = top + AXIS
        for one in panels:
            _panel(canvas, plot, one, y)
            y += plot.panel(one)

    return draw(
        name=name,
        title=prose(findings.moves_title(report)),
        subtitle=prose(
            f"Ratio to {right}, log scale. A bar is one choice varied over all its declared values while the others "
            f"stay as in the headline (line across the bars). {findings.left_sides(report)}"
        ),
        footer=[lookup.pins_text(report, [*(one.left for one in panels), right]), lookup.made_by(report)],
        description=" ".join(_describe(one) for one in panels),
        width=width,
        height=AXIS + sum(plot.panel(one) for one in panels) - GAP,
        paint=paint,
    )


def ratio_of(choice: ChoiceView) -> Fraction:
    """The exact ratio of a choice that has one."""
    if choice.numerator is None or not choice.denominator:
        raise ValueError(f"{choice.member} has no ratio")
    return Fraction(choice.numerator, choice.denominator)


def _axis(canvas: Canvas, plot: _Plot, top: float) -> None:
    scale = plot.scale
    for exponent in scale.ticks():
        x = scale.at(exponent)
        canvas.text(x, top + AXIS - 8, times_text(exponent), size=SMALL, colour=palette.MUTED, align="center")
    edge = scale(1) < MARGIN + 30
    at = MARGIN if edge else scale(1)
    canvas.text(at, top + 13, "same size", size=SMALL, colour=palette.MUTED, align="left" if edge else "center")
    if plot.claimed:
        text = f"claimed {findings.claim_text(plot.claimed)}"
        canvas.text(scale(plot.claimed), top + 13, text, size=SMALL, colour=palette.CLAIM, align="center", bold=True)


def _panel(canvas: Canvas, plot: _Plot, one: TornadoView, y: float) -> None:
    scale = plot.scale
    canvas.bar(0, y, plot.width, HEAD - 4, palette.BAND)
    canvas.text(MARGIN + 4, y + 15, fit(one.left, plot.width * 0.5), bold=True)
    canvas.text(plot.width - MARGIN - 4, y + 15, f"headline {one.base.ratio}", colour=palette.MUTED, align="right")
    top, bottom = y + HEAD, y + HEAD + plot.row * len(one.swings)
    if not plot.stacked:  # on a phone the words stand over the bars, and lines would run through them
        for exponent in scale.ticks():
            colour = palette.RULE if exponent == 0 else palette.FAINT
            canvas.line([scale.at(exponent)] * 2, [top - 2, bottom], colour)
        if plot.claimed:
            canvas.line([scale(plot.claimed)] * 2, [top - 2, bottom], palette.CLAIM, width=1.4, dashed=True)
    for index, swing in enumerate(one.swings):
        _row(canvas, plot, one, swing, top + index * plot.row)


def _row(canvas: Canvas, plot: _Plot, one: TornadoView, swing: SwingView, y: float) -> None:
    scale, colour = plot.scale, plot.series[one.left][0]
    low, high, base = scale(ratio_of(swing.low)), scale(ratio_of(swing.high)), scale(ratio_of(one.base))
    bar, thick = (y + 20, 9.0) if plot.stacked else (y + 6, 13.0)
    words = y + 13 if plot.stacked else y + 16.5
    still = findings.is_still(swing)
    if plot.stacked and plot.claimed:
        canvas.line([scale(plot.claimed)] * 2, [bar - 3, bar + thick + 3], palette.CLAIM, width=1.4)
    canvas.bar(low, bar, max(2.0, high - low), thick, colour)
    canvas.line([base, base], [bar - 3, bar + thick + 3], palette.INK, width=2.0)
    canvas.text(MARGIN + 4, words, swing.title)
    ends = "no value changes it" if still else ""
    if plot.stacked:
        text = ends or f"{_end(swing.low)} to {_end(swing.high)}"
        room = plot.width - 8 - 100
        canvas.text(plot.width - MARGIN, words, fit(text, room, SMALL), size=SMALL, colour=palette.MUTED, align="right")
        return
    _beside(canvas, high + 8, words, ends or _end(swing.high))
    if not still:
        _beside(canvas, low - 8, words, _end(swing.low), before=True)


def _beside(canvas: Canvas, x: float, words: float, text: str, *, before: bool = False) -> None:
    """Text at the end of a bar, on paper of its own, so that no line of the grid runs through it."""
    shown = fit(text, ENDS - 10, SMALL)
    room = len(shown) * SMALL * 0.54
    canvas.bar(x - room if before else x, words - 10, room, 12.5, palette.PAPER)
    canvas.text(x, words, shown, size=SMALL, colour=palette.MUTED, align="right" if before else "left")


def _end(choice: ChoiceView) -> str:
    return f"{findings.value_text(choice.value)} {choice.ratio}"


def _describe(one: TornadoView) -> str:
    parts = ", ".join(f"{swing.title} {_end(swing.low)} to {_end(swing.high)}" for swing in one.swings)
    return f"{one.left}, headline {one.base.ratio}: {parts}."
