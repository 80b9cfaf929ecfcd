"""The size that the unmeasured side would need under each denominator, beside the public stand-ins' own sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import BODY, MARGIN, SMALL, Canvas, draw, fit
from leverage.report.charts.ratio_dots import STACKED, series_of
from leverage.report.charts.scale import Log2Scale, log2_scale, short_count
from leverage.report.display import prose, visible
from leverage.report.format import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.report.charts.canvas import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import DenominatorView, ReportV1

AXIS, KEY = 24.0, 24.0


def draw_required(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no denominator requires a size."""
    items = [item for item in report.denominators if item.required]
    if not items:
        return None
    stacked = width < STACKED
    row = 46.0 if stacked else 34.0
    start, end = (10.0, width - 10.0) if stacked else (190.0, width - 200.0)
    sizes = [size for item in items for size in findings.stand_in_sizes(item).values()]
    ends = [size for item in items for need in item.required for size in (need.low, need.high) if size]
    scale = log2_scale([*sizes, *ends], start, end)
    series = {name: style for name, style in series_of(report).items()
              if any(name in findings.stand_in_sizes(item) for item in items)}  # fmt: skip
    keys = _key_lines(series, width)
    left, right = lookup.sides(report)
    height = KEY * len(keys) + AXIS + row * len(items)

    def paint(canvas: Canvas, top: float) -> None:
        for index, line in enumerate(keys):
            x = MARGIN + 8.0
            for label, advance in line:
                canvas.mark(x, top + 8 + index * KEY, *series[label])
                canvas.text(x + 10, top + 12 + index * KEY, label if len(label) < 40 else fit(label, 220))
                x += advance
        y = top + KEY * len(keys) + AXIS
        _axis(canvas, scale, y, top + height)
        for item in items:
            _row(canvas, item, scale, series, y, row, stacked=stacked)
            y += row

    return draw(
        name=name,
        title=_title(report),
        subtitle=prose(
            f"Orange band: the sizes of {left} at which {right} is about that much smaller; an arrow is \"at least\". "
            "Marks: measured sizes of public compilers of that kind; hollow where the two sides are not of like height. "
            "Log scale; the unit stands under each denominator."
        ),
        footer=[visible(lookup.pins_text(report, [*series, right])), visible(lookup.made_by(report))],
        description=visible(" ".join(_describe(item) for item in items)),
        width=width,
        height=height,
        paint=paint,
    )


def _title(report: ReportV1) -> str:
    chosen = lookup.headline(report)
    left, _ = lookup.sides(report)
    if chosen is None or not chosen.required:
        return prose(f"How large {left} would have to be")
    need = chosen.required[0]
    return prose(f"For {need.figure}×, {left} would need {need.text} {lookup.unit_noun(chosen.unit)} (headline)")


def _describe(item: DenominatorView) -> str:
    needs = ", ".join(f"{findings.READINGS.get(need.reading, need.reading)}: {need.text}" for need in item.required)
    sizes = ", ".join(f"{name} {count_text(size)}" for name, size in findings.stand_in_sizes(item).items())
    return f"{item.id}: required {needs}; measured {sizes or 'none'}."


def _key_lines(series: Mapping[str, tuple[Colour, str]], width: int) -> list[list[tuple[str, float]]]:
    """The key's entries with the pixels each takes, broken into lines."""
    lines: list[list[tuple[str, float]]] = [[]]
    used = 0.0
    for label in series:
        advance = min(len(label), 40) * BODY * 0.56 + 36
        if lines[-1] and used + advance > width:
            lines.append([])
            used = 0.0
        lines[-1].append((label, advance))
        used += advance
    return lines


def _axis(canvas: Canvas, scale: Log2Scale, top: float, bottom: float) -> None:
    for exponent in scale.ticks():
        x = scale.left + (exponent - scale.low) / (scale.high - scale.low) * (scale.right - scale.left)
        canvas.line((x, x), (top - 6, bottom), palette.FAINT)
        canvas.text(x, top - 11, short_count(2**exponent), size=SMALL, colour=palette.MUTED, align="center")


def _row(canvas: Canvas, item: DenominatorView, scale: Log2Scale, series: Mapping[str, tuple[Colour, str]],
         y: float, row: float, *, stacked: bool) -> None:  # fmt: skip
    middle = y + (33 if stacked else row / 2)
    words = y + (14 if stacked else row / 2 + 4)
    for need in item.required:
        low = scale(need.low)
        if need.high is None:
            canvas.line((low, scale.right), (middle, middle), palette.CLAIM, width=1.2, dashed=True)
            canvas.mark(scale.right, middle, palette.CLAIM, ">", size=6)
        else:
            canvas.bar(low, middle - 8, max(2.0, scale(need.high) - low), 16, palette.NEED)
    comparable = {pair.left for pair in lookup.compared_pairs(item)}
    for label, size in findings.stand_in_sizes(item).items():
        colour, marker = series[label]
        canvas.mark(scale(size), middle, colour, marker, hollow=label not in comparable)
    canvas.text(MARGIN + 4, words, fit(item.id, 160 if not stacked else canvas.width * 0.4), bold=item.headline)
    need_text = item.required[0].text
    canvas.text(canvas.width - MARGIN, words, fit(prose(need_text), 190), align="right", size=BODY)
    if not stacked:
        canvas.text(MARGIN + 4, words + 12, fit(lookup.measure_text(item), 175, SMALL), size=SMALL, colour=palette.MUTED)
