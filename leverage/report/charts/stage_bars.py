"""Code lines by compiler stage, in pipeline order, one panel for each system, all on one scale."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from leverage.report import findings, lookup
from leverage.report.charts import palette
from leverage.report.charts.canvas import BODY, MARGIN, SMALL, Canvas, draw, fit
from leverage.report.charts.ratio_dots import STACKED
from leverage.report.charts.scale import round_ticks, short_count
from leverage.report.display import prose, visible
from leverage.report.format import count_text

if TYPE_CHECKING:
    from leverage.report.charts.svg import Chart
    from leverage.report.view import ReportV1, StagesView

ROW, BLOCK_HEAD, BLOCK_GAP = 18.0, 44.0, 18.0
UNDETERMINED = "undetermined"
MOST_PANELS = 12
"""Systems that are drawn; the table has them all."""


def stage_lines(view: StagesView) -> dict[str, Counter[str]]:
    """System to stage to lines, without what is undetermined."""
    lines: dict[str, Counter[str]] = {system: Counter() for system in view.systems}
    for cell in view.cells:
        if cell.stage != UNDETERMINED and cell.system in lines:
            lines[cell.system][cell.stage] += cell.lines
    return lines


def draw_stages(report: ReportV1, name: str, width: int) -> Chart | None:
    """Draw the figure; None where no system was classified."""
    view = report.stages
    systems = [system for system in view.systems if system in view.totals][:MOST_PANELS]
    if not systems:
        return None
    lines = stage_lines(view)
    rows = [term for term in view.stages if term.id != UNDETERMINED and any(lines[item][term.id] for item in systems)]
    top_value = max([1, *(count for item in systems for count in lines[item].values()),
                     *(view.undetermined.get(item, 0) for item in systems)])  # fmt: skip
    stacked = width < STACKED
    label = 112.0 if stacked else 140.0
    across = 2 if stacked else min(len(systems), 5)
    across = min(across, len(systems))
    panel = (width - label) / across
    blocks = [systems[index : index + across] for index in range(0, len(systems), across)]
    block_height = BLOCK_HEAD + ROW * (len(rows) + 1) + BLOCK_GAP

    def paint(canvas: Canvas, top: float) -> None:
        for index, block in enumerate(blocks):
            y = top + index * block_height
            for place, system in enumerate(block):
                _panel(canvas, label + place * panel, panel, y, system)
            for line, title in enumerate([*(term.title for term in rows), "Undetermined"]):
                canvas.text(MARGIN, y + BLOCK_HEAD + line * ROW + 13, fit(title, label - 8), size=BODY,
                            colour=palette.MUTED if line == len(rows) else palette.INK)  # fmt: skip

    def _panel(canvas: Canvas, x: float, room: float, y: float, system: str) -> None:
        inner = room - 12 - 46  # the longest bar leaves room for its number
        right = system == lookup.sides(report)[1]
        canvas.text(x, y + 14, fit(system, room - 8, BODY), bold=right)
        canvas.text(x, y + 29, f"{count_text(view.totals[system])} lines", size=SMALL, colour=palette.MUTED)
        for tick in round_ticks(top_value, 2):
            place = x + tick / top_value * inner
            canvas.line((place, place), (y + BLOCK_HEAD - 6, y + BLOCK_HEAD + ROW * (len(rows) + 1)), palette.FAINT)
        for line, term in enumerate(rows):
            _bar(canvas, x, y + BLOCK_HEAD + line * ROW, lines[system][term.id], inner, hatched=False)
        _bar(canvas, x, y + BLOCK_HEAD + len(rows) * ROW, view.undetermined.get(system, 0), inner, hatched=True)

    def _bar(canvas: Canvas, x: float, y: float, count: int, inner: float, *, hatched: bool) -> None:
        length = count / top_value * inner
        if count:
            canvas.bar(x, y + 3, max(1.0, length), ROW - 6, palette.HATCH if hatched else palette.BLUE, hatched=hatched)
        canvas.text(x + length + 4, y + 13, count_text(count) if count else "0", size=SMALL,
                    colour=palette.MUTED if count else palette.RULE)  # fmt: skip

    ticks = [short_count(tick) for tick in round_ticks(top_value, 2)]
    return draw(
        name=name,
        title=prose(findings.stages_title(report)),
        subtitle=prose(f"{view.unit}; stages in pipeline order; one scale for all panels, grid at {', '.join(ticks)}; "
                       "hatched: no rule reached these lines."),
        footer=[visible(lookup.pins_text(report, systems)), visible(lookup.made_by(report))],
        description=visible(_describe(report, systems)),
        width=width,
        height=block_height * len(blocks),
        paint=paint,
    )  # fmt: skip


def _describe(report: ReportV1, systems: list[str]) -> str:
    lines = stage_lines(report.stages)
    return " ".join(
        f"{system}: "
        + ", ".join(f"{stage} {count_text(count)}" for stage, count in lines[system].most_common())
        + f", undetermined {count_text(report.stages.undetermined.get(system, 0))}."
        for system in systems
    )
