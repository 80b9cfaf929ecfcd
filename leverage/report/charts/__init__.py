"""Figures: functions from the report to SVG. A new figure is one module and one line in `FIGURES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.report.charts import ratio_dots, required, stage_bars, tornado
from leverage.report.charts.canvas import NARROW, WIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.report.charts.svg import Chart
    from leverage.report.view import ReportV1

FIGURES: dict[str, Callable[[ReportV1, str, int], Chart | None]] = {
    "ratio": ratio_dots.draw_ratios,
    "moves": tornado.draw_moves,
    "required": required.draw_required,
    "stages": stage_bars.draw_stages,
}
"""Figure by the section it belongs to: (report, name, width in pixels) to a chart, or None with nothing to draw."""


def draw_charts(report: ReportV1) -> list[Chart]:
    """Every figure twice, for a screen and for a phone (``-narrow``), in the order of `FIGURES`."""
    charts = [
        figure(report, f"{section}{suffix}", width)
        for section, figure in FIGURES.items()
        for suffix, width in (("", WIDE), ("-narrow", NARROW))
    ]
    return [chart for chart in charts if chart is not None]
