"""A sheet of paper measured in pixels, drawn on by matplotlib: what all figures have in common.

Everything is placed by hand in pixels from the upper left corner, so a figure does not depend on the fonts, settings or
cache directory of the machine: matplotlib's own defaults are used, never a user's ``matplotlibrc``. Mathematical
markup is off: a ``$`` in a name is a ``$``.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from typing import TYPE_CHECKING, Any, Literal

from leverage.report.charts import palette
from leverage.report.charts.svg import Chart, finish
from leverage.report.display import name as shown_name
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from leverage.report.charts.palette import Colour

WIDE = 920
NARROW = 350
MARGIN = 2
STACKED = 520
"""Width below which names and numbers stand above what they name."""

TITLE, BODY, SMALL = 15.0, 12.0, 10.5
"""Text sizes in pixels."""

Align = Literal["left", "center", "right"]


class Canvas:
    """A figure under construction. Coordinates are pixels, y grows downwards; later marks lie on earlier ones."""

    def __init__(self, axes: Axes, width: int) -> None:
        self._axes = axes
        self._layer = 0
        self.width = width

    def _next_layer(self) -> int:
        self._layer += 1
        return self._layer

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = BODY,
        colour: Colour = palette.INK,
        align: Align = "left",
        bold: bool = False,
    ) -> None:
        """One line of text whose baseline is at ``y``."""
        self._axes.text(
            x,
            y,
            text,
            fontsize=size,
            color=colour.light,
            ha=align,
            va="baseline",
            weight="bold" if bold else "normal",
            parse_math=False,
            zorder=self._next_layer(),
            clip_on=False,
        )

    def line(
        self,
        x: Sequence[float],
        y: Sequence[float],
        colour: Colour,
        *,
        width: float = 1.0,
        dashed: bool = False,
    ) -> None:
        """A line through points; ``nan`` lifts the pen."""
        self._axes.plot(
            x,
            y,
            color=colour.light,
            linewidth=width,
            linestyle=(0, (4, 3)) if dashed else "-",
            solid_capstyle="butt",
            zorder=self._next_layer(),
            clip_on=False,
        )

    def bar(self, x: float, y: float, width: float, height: float, colour: Colour, *, hatched: bool = False) -> None:
        """A filled rectangle; hatched on paper where what it stands for is not known."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415 - loads matplotlib

        self._axes.add_patch(
            Rectangle(
                (x, y),
                width,
                height,
                facecolor=palette.PAPER.light if hatched else colour.light,
                edgecolor=colour.light if hatched else "none",
                linewidth=0.8 if hatched else 0,
                hatch="/////" if hatched else None,
                zorder=self._next_layer(),
                clip_on=False,
            )
        )

    def mark(self, x: float, y: float, colour: Colour, marker: str, *, size: float = 8.0, hollow: bool = False) -> None:
        """A data point; hollow where it may be shown but not compared."""
        self._axes.plot(
            [x],
            [y],
            marker=marker,
            markersize=size,
            color=colour.light,
            markeredgewidth=1.4,
            markerfacecolor=palette.PAPER.light if hollow else colour.light,
            linestyle="none",
            zorder=self._next_layer(),
            clip_on=False,
        )


def wrap(text: str, width: float, size: float = BODY) -> list[str]:
    """Lines of text that fit into ``width`` pixels, by a cautious average width of a letter."""
    return textwrap.wrap(text, max(12, int(width / (size * 0.54))), break_on_hyphens=False) or [""]


def fit(text: str, width: float, size: float = BODY) -> str:
    """A name cut to ``width`` pixels; whole names stand in the table below the figure."""
    letters = max(6, int(width / (size * 0.56)))
    shown = visible(text)
    return shown if len(shown) <= letters else f"{shown[: letters - 1]}…"


def draw(
    *,
    name: str,
    title: str,
    subtitle: str,
    footer: Sequence[str],
    description: str,
    width: int,
    height: float,
    paint: Callable[[Canvas, float], None],
) -> Chart:
    """Draw a figure with its head and foot, so that a picture of it alone explains itself.

    Args:
        name: file name and prefix of ids.
        title: the finding.
        subtitle: unit and denominator.
        footer: what was read and when; one entry per line, wrapped where it is long.
        description: what the figure shows, for those who cannot see it.
        width: pixels.
        height: pixels that ``paint`` needs.
        paint: draws the figure's body; gets the canvas and the y at which the body begins.
    """
    from matplotlib import rc_context, rcParamsDefault  # noqa: PLC0415 - half a second that `--help` must not pay
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    inner = width - 2 * MARGIN
    title, subtitle, description = shown_name(title, 300), shown_name(subtitle, 600), shown_name(description, 4000)
    heads = [(line, TITLE, palette.INK, True) for line in wrap(title, inner * 0.94, TITLE)]
    heads += [(line, BODY, palette.MUTED, False) for line in wrap(subtitle, inner)]
    feet = [line for entry in footer for line in wrap(shown_name(entry, 2000), inner, SMALL)]
    top = sum(size * 1.4 for _, size, _, _ in heads) + 14
    total = top + height + 10 + len(feet) * SMALL * 1.45 + 4
    settings = {
        **rcParamsDefault,
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "hatch.linewidth": 0.8,
        "font.family": ["DejaVu Sans"],
        "path.simplify": False,
    }
    settings.pop("backend", None)  # looking it up would load a windowing system
    with rc_context(settings), warnings.catch_warnings():
        # text stays text, so letters that matplotlib's own font lacks are drawn by the reader's fonts
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from", category=UserWarning)
        figure = Figure(figsize=(width / 72, total / 72), dpi=72, frameon=False)
        axes = figure.add_axes((0, 0, 1, 1), frameon=False, xticks=[], yticks=[])
        axes.set_xlim(0, width)
        axes.set_ylim(total, 0)
        axes.set_autoscale_on(False)
        canvas = Canvas(axes, width)
        y = 0.0
        for line, size, colour, bold in heads:
            y += size * 1.4
            canvas.text(MARGIN, y - size * 0.3, line, size=size, colour=colour, bold=bold)
        paint(canvas, top)
        y = top + height + 10
        for line in feet:
            y += SMALL * 1.45
            canvas.text(MARGIN, y - 3, line, size=SMALL, colour=palette.MUTED)
        out = io.BytesIO()
        sheet: Any = FigureCanvasSVG(figure)  # matplotlib's writers carry no types
        sheet.print_svg(out, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return finish(out.getvalue().decode("utf-8"), name=name, title=title, description=description)
