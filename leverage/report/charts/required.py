"""The size that the unmeasured side would need under each denominator, beside the public stand-ins' own sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import BODY, MARGIN, SMALL, STACKED, Canvas, draw, fit
from leverage.report.charts.scale import Log2Scale, decade_ticks, log2_scale, short_count
from leverage.report.display import prose
from leverage.report.format import TIMES, count_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.report.charts.palette import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import DenominatorView, ReportV1

AXIS, KEY, GAP = 26.0, 24.0, 14.0


@dataclass(frozen=True, slots=True)
class _Plot:
    """One dimension: the rows that measure it, on an axis of their own, and the size of everything in pixels."""

    dimension: str
    items: list[DenominatorView]
    scale: Log2Scale
    stacked: bool
    width: int
    series: Mapping[str, tuple[Colour, str]]

    @property
    def row(self) -> float:
        """Height of a row."""
        return 46.0 if self.stacked else 34.0

    @property
    def height(self) -> float:
        """Height with the axis."""
        return AXIS + self.row * len(self.items)


def draw_required(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no denominator requires a size."""
    items = [item for item in report.denominators if item.required]
    if not items:
        return None
    sides = findings.stand_ins(items)
    series = {side: style for side, style in palette.series_of(report).items() if side in sides}
    plots = [
        _plot(dimension, [item for item in items if lookup.dimension(item.unit) == dimension], series, width)
        for dimension in dict.fromkeys(lookup.dimension(item.unit) for item in items)
    ]
    keys = _key_lines(series, width)
    left, right = lookup.sides(report)

    def paint(canvas: Canvas, top: float) -> None:
        _key(canvas, keys, series, top)
        y = top + KEY * len(keys)
        for plot in plots:
            _axis(canvas, plot, y)
            for index, item in enumerate(plot.items):
                _row(canvas, item, plot, y + AXIS + index * plot.row)
            y += plot.height + GAP

    return draw(
        name=name,
        title=_title(report),
        subtitle=prose(
            f"Band: sizes of {left} at which {right} is about that much smaller; arrow: at least that much. Marks: "
            "measured sizes of public compilers of that kind, hollow where the sides are not of like height. Log scale."
        ),
        footer=[lookup.pins_text(report, [*series, right]), lookup.made_by(report)],
        description=" ".join(_describe(item) for item in items),
        width=width,
        height=KEY * len(keys) + sum(plot.height + GAP for plot in plots) - GAP,
        paint=paint,
    )


def _plot(dimension: str, items: list[DenominatorView], series: Mapping[str, tuple[Colour, str]], width: int) -> _Plot:
    values = [size for item in items for size in findings.stand_in_sizes(item).values()]
    values += [end for item in items for need in item.required for end in (need.low, need.high) if end]
    stacked = width < STACKED
    ends = (10.0, width - 10.0) if stacked else (196.0, width - 176.0)
    return _Plot(dimension, items, log2_scale(values, *ends), stacked, width, series)


def _axis(canvas: Canvas, plot: _Plot, y: float) -> None:
    """Ticks of one dimension over its rows."""
    if not plot.stacked:  # on a phone each row says its unit
        canvas.text(MARGIN + 4, y + AXIS - 11, plot.dimension, size=SMALL, colour=palette.MUTED)
    for value in decade_ticks(plot.scale, 42):
        x = plot.scale(value)
        canvas.line((x, x), (y + AXIS - 6, y + plot.height), palette.FAINT)
        canvas.text(x, y + AXIS - 11, short_count(value), size=SMALL, colour=palette.MUTED, align="center")


def _title(report: ReportV1) -> str:
    chosen = lookup.headline(report)
    left, _ = lookup.sides(report)
    if chosen is None or not chosen.required:
        return prose(f"How large {left} would have to be")
    need = chosen.required[0]
    return prose(f"For {need.figure}{TIMES}, {left} would need {need.text} (headline)")


def _describe(item: DenominatorView) -> str:
    needs = ", ".join(f"{findings.READINGS.get(need.reading, need.reading)}: {need.text}" for need in item.required)
    sizes = ", ".join(f"{side} {count_text(size)}" for side, size in findings.stand_in_sizes(item).items())
    return f"{item.id}: required {needs}; measured {sizes or 'none'}."


def _key_lines(series: Mapping[str, tuple[Colour, str]], width: int) -> list[list[tuple[str, float]]]:
    """The key's entries with the pixel at which each begins, broken into lines."""
    lines: list[list[tuple[str, float]]] = [[]]
    x = MARGIN + 8.0
    for side in series:
        advance = len(fit(side, 220)) * BODY * 0.56 + 36
        if lines[-1] and x + advance > width:
            lines.append([])
            x = MARGIN + 8.0
        lines[-1].append((side, x))
        x += advance
    return lines


def _key(
    canvas: Canvas, lines: list[list[tuple[str, float]]], series: Mapping[str, tuple[Colour, str]], top: float
) -> None:
    for index, line in enumerate(lines):
        for side, x in line:
            canvas.mark(x, top + 8 + index * KEY, *series[side])
            canvas.text(x + 10, top + 12 + index * KEY, fit(side, 220))


def _row(canvas: Canvas, item: DenominatorView, plot: _Plot, y: float) -> None:
    scale = plot.scale
    middle, words = (y + 33, y + 14) if plot.stacked else (y + 16, y + 15)
    for need in item.required:
        low = scale(need.low)
        if need.high is None:
            canvas.line((low, scale.right), (middle, middle), palette.CLAIM, width=1.2, dashed=True)
            canvas.mark(scale.right, middle, palette.CLAIM, ">", size=6)
        else:
            canvas.bar(low, middle - 9, max(2.0, scale(need.high) - low), 18, palette.NEED)
    comparable = {pair.left for pair in lookup.compared_pairs(item)}
    for side, size in findings.stand_in_sizes(item).items():
        colour, marker = plot.series[side]
        canvas.mark(scale(size), middle, colour, marker, hollow=side not in comparable)
    canvas.text(MARGIN + 4, words, fit(item.id, plot.width * 0.4 if plot.stacked else 180), bold=item.headline)
    noun = f" {plot.dimension}" if plot.stacked and plot.dimension != "lines" else ""
    canvas.text(plot.width - MARGIN, words, findings.span_text(item.required[0]) + noun, align="right")
    if not plot.stacked:
        canvas.text(MARGIN + 4, words + 13, fit(_unit(item), 180, SMALL), size=SMALL, colour=palette.MUTED)


def _unit(item: DenominatorView) -> str:
    noun = lookup.unit_noun(item.unit)
    return noun if item.convention in {"", "exact"} else f"{noun} ({item.convention})"
