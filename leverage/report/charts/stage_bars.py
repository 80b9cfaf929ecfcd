"""Code lines by compiler stage, in pipeline order, one panel for each system, all on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import MARGIN, SMALL, STACKED, Canvas, draw, fit
from leverage.report.charts.scale import round_ticks, short_count
from leverage.report.display import prose
from leverage.report.format import count_text

if TYPE_CHECKING:
    from leverage.report.charts.palette import Colour
    from leverage.report.charts.svg import Chart
    from leverage.report.view import ReportV1

ROW, HEAD, GAP = 18.0, 44.0, 18.0
MOST_PANELS = 12
"""Systems that are drawn; the table has them all."""
NUMBER = 58.0
"""Pixels that the longest bar leaves for its number and for the gap to the next panel."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """One system: its rows are (lines, whether the bar is hatched) in the order of the labels."""

    system: str
    total: int
    bold: bool
    colour: Colour
    rows: list[tuple[int, bool]]


def draw_stages(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no system was classified."""
    labels, panels = _panels(report)
    if not panels:
        return None
    top_value = max(1, *(count for panel in panels for count, _ in panel.rows))
    stacked = width < STACKED
    label = 112.0 if stacked else 140.0
    most = 2 if stacked else 5
    across = -(-len(panels) // -(-len(panels) // most))  # as even as can be: 4 and 3, not 5 and 2
    room = (width - label) / across
    block = HEAD + ROW * len(labels) + GAP

    def paint(canvas: Canvas, top: float) -> None:
        for index, panel in enumerate(panels):
            line, place = divmod(index, across)
            y = top + line * block
            if not place:
                for row, title in enumerate(labels):
                    canvas.text(MARGIN, y + HEAD + row * ROW + 13, fit(title, label - 8))
            _paint(canvas, panel, x=label + place * room, y=y, room=room, top_value=top_value)

    grid = ", ".join(short_count(tick) for tick in round_ticks(top_value, 2))
    systems = [panel.system for panel in panels]
    return draw(
        name=name,
        title=prose(findings.stages_title(report)),
        subtitle=prose(
            f"{report.stages.unit}; stages in pipeline order, one scale for all panels (grid at {grid}). "
            "Hatched: no rule reached these lines."
        ),
        footer=[lookup.pins_text(report, systems), lookup.made_by(report)],
        description=" ".join(_describe(labels, panel) for panel in panels),
        width=width,
        height=block * -(-len(panels) // across),
        paint=paint,
    )


def _panels(report: ReportV1) -> tuple[list[str], list[_Panel]]:
    """Labels of the rows that hold something in some system, and the panels."""
    view = report.stages
    systems = [system for system in view.systems if system in view.totals][:MOST_PANELS]
    lines, colours = lookup.stage_lines(view), palette.series_of(report)
    terms = [
        term
        for term in view.stages
        if term.id != lookup.UNDETERMINED and any(lines[system][term.id] for system in systems)
    ]
    right = lookup.base(lookup.sides(report)[1])
    panels = [
        _Panel(
            system,
            view.totals[system],
            lookup.base(system) == right,
            colours[system][0],
            [*((lines[system][term.id], False) for term in terms), (view.undetermined.get(system, 0), True)],
        )
        for system in systems
    ]
    return [*(prose(term.title) for term in terms), "Undetermined"], panels


def _paint(canvas: Canvas, panel: _Panel, *, x: float, y: float, room: float, top_value: int) -> None:
    inner = room - NUMBER
    canvas.text(x, y + 14, fit(panel.system, room - 10), bold=panel.bold)
    canvas.text(x, y + 29, f"{count_text(panel.total)} lines", size=SMALL, colour=palette.MUTED)
    for tick in round_ticks(top_value, 2):
        place = x + tick / top_value * inner
        canvas.line((place, place), (y + HEAD - 6, y + HEAD + ROW * len(panel.rows)), palette.FAINT)
    for row, (count, hatched) in enumerate(panel.rows):
        middle, length = y + HEAD + row * ROW, count / top_value * inner
        if count:
            colour = palette.HATCH if hatched else panel.colour
            canvas.bar(x, middle + 3, max(1.0, length), ROW - 6, colour, hatched=hatched)
        canvas.text(x + length + 4, middle + 13, count_text(count), size=SMALL, colour=palette.MUTED)


def _describe(labels: list[str], panel: _Panel) -> str:
    parts = [f"{label} {count_text(count)}" for label, (count, _) in zip(labels, panel.rows, strict=True) if count]
    return f"{panel.system}: {', '.join(parts) or 'nothing'}."
