"""Trend lines as inline SVG: time to the right, one line for each series, each point with what it says.

Drawn by hand rather than by matplotlib: an index of many reports has many small figures, and each of these is 2 kB.
Colours are classes and attributes, so that the page can recolour them and no style attribute is needed. The vertical
axis starts at zero. A line has a gap, with a hatched mark, where the figure is unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from leverage.report.charts.palette import CLAIM, FAINT, INK, MUTED, RULE, series
from leverage.report.charts.scale import round_ticks
from leverage.report.display import name as shown
from leverage.report.format import TIMES, count_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from leverage.report.charts.palette import Colour

WIDE, NARROW = 720, 400
HEIGHT, TOP, BOTTOM, LEFT = 250, 16, 30, 52
SIDE = {WIDE: 190, NARROW: 130}
"""Pixels to the right of the lines, for their names."""
APART = 15
"""Pixels between two names."""
DATES_APART = 84
LONGEST = {WIDE: 22, NARROW: 13}
_REACH = 4  # pixels from the middle of a mark to its edge


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of one report; ``value`` is None where it is unknown, and ``why`` says why.

    ``other_rules``: the rules of counting are not those of the report before, so the two cannot be told apart by code.
    """

    day: str
    report: str
    value: Fraction | int | None
    low: Fraction | int | None
    high: Fraction | int | None
    text: str
    why: str
    other_rules: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A series of points, in the order of time."""

    name: str
    points: list[Point]


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure.

    Attributes:
        id: unique on the page; ids inside begin with it.
        title: what is drawn, such as ``Ratio to torch-spyre``.
        measure: unit and denominator, in words.
        times: whether the values are ratios.
        lines: the series, with the same reports in the same order.
        figure: the claimed ratio, None without one.
        claimed: the same as text.
    """

    id: str
    title: str
    measure: str
    times: bool
    lines: list[Line]
    figure: Fraction | None = None
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class _Plot:
    """From days and values to pixels."""

    width: int
    first: int
    last: int
    top: int

    @property
    def right(self) -> int:
        return self.width - SIDE[self.width]

    def x(self, day: str) -> float:
        span = self.last - self.first or 1
        return round(LEFT + (date.fromisoformat(day).toordinal() - self.first) / span * (self.right - LEFT - 8), 1)

    def y(self, value: Fraction | float) -> float:
        return round(HEIGHT - BOTTOM - float(value / self.top) * (HEIGHT - TOP - BOTTOM), 1)


def trend_figure(trend: Trend) -> Markup:
    """A trend as a ``<figure>``: what happened in words, what was measured, drawn for wide and for narrow pages."""
    finding = f"{trend.title}: {'; '.join(map(_moved, trend.lines))}."
    return Markup(
        '<figure id="{}"><p class="finding">{}</p><p class="note">{}</p>'
        '<div class="wide">{}</div><div class="narrow">{}</div></figure>'
    ).format(
        trend.id,
        shown(finding, 1500),
        shown(trend.measure, 600),
        _drawing(trend, finding, WIDE),
        _drawing(trend, finding, NARROW),
    )


def _moved(line: Line) -> str:
    """What became of a series, in words."""
    known = [point for point in line.points if point.value is not None]
    if not known:
        return f"{line.name} unknown"
    first, last = known[0], known[-1]
    if len({point.value for point in known}) == 1:
        told = f"{line.name} {last.text} throughout"
    else:
        told = f"{line.name} {first.text} to {last.text}"
    return told if len(known) == len(line.points) else f"{told}, where known"


def _drawing(trend: Trend, finding: str, width: int) -> Markup:
    days = [date.fromisoformat(point.day).toordinal() for line in trend.lines for point in line.points]
    highest = [point.high for line in trend.lines for point in line.points if point.high is not None]
    top = _round_up(max([1, *map(math.ceil, highest), *([math.ceil(trend.figure)] if trend.figure else [])]))
    plot = _Plot(width, min(days), max(days), top)
    body = [*_axes(plot, trend)]
    if trend.figure is not None:
        body.append(_claim(plot, trend.figure, trend.claimed))
    for at, line in enumerate(trend.lines):
        body += _line(plot, line, *series(at))
    body += _names(plot, trend.lines)
    return Markup(
        '<svg class="chart" role="img" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-labelledby="{n}-t {n}-d" '
        'font-size="12"><title id="{n}-t">{title}</title><desc id="{n}-d">{desc}</desc>{body}</svg>'
    ).format(
        w=width,
        h=HEIGHT,
        n=f"{trend.id}-{width}",
        title=shown(finding, 600),
        desc=shown(trend.measure, 600),
        body=Markup("\n").join(body),
    )


def _round_up(value: int) -> int:
    """The next value that an axis may end at: 1, 2 or 5 with zeros."""
    power = 1
    while True:
        for step in (1, 2, 5):
            if step * power >= value:
                return step * power
        power *= 10


def _ink(colour: Colour, how: str) -> Markup:
    """Fill or stroke, as the class that the page recolours and the attribute without it."""
    return Markup('class="{}-{}" {}="{}"').format(how[0], colour.name, how, colour.light)


def _axes(plot: _Plot, trend: Trend) -> Iterator[Markup]:
    for tick in round_ticks(plot.top):
        y = plot.y(tick)
        yield Markup('<path d="M{} {}H{}" {}/>').format(LEFT, y, plot.right, _ink(FAINT if tick else RULE, "stroke"))
        label = f"{count_text(tick)}{TIMES if trend.times and tick else ''}"
        yield Markup('<text x="{}" y="{}" text-anchor="end" {}>{}</text>').format(
            LEFT - 8, y + 4, _ink(MUTED, "fill"), label
        )
    last = -float(DATES_APART)
    for day in sorted({point.day for line in trend.lines for point in line.points}):
        x = plot.x(day)
        if x - last >= DATES_APART:
            last = x
            yield Markup('<text x="{}" y="{}" text-anchor="{}" {}>{}</text>').format(
                x, HEIGHT - 8, "start" if x < LEFT + DATES_APART / 2 else "middle", _ink(MUTED, "fill"), day
            )


def _claim(plot: _Plot, figure: Fraction, text: str) -> Markup:
    y = plot.y(figure)
    return Markup('<path d="M{} {}H{}" stroke-dasharray="2 3" {}/><text x="{}" y="{}" {}>claimed {}</text>').format(
        LEFT, y, plot.right, _ink(CLAIM, "stroke"), LEFT + 4, y - 5, _ink(CLAIM, "fill"), text
    )


def _line(plot: _Plot, line: Line, colour: Colour, marker: str) -> Iterator[Markup]:
    for before, after in pairwise(line.points):
        if before.value is not None and after.value is not None:
            dashes = Markup(' stroke-dasharray="5 4"') if after.other_rules else ""
            yield Markup('<path fill="none" stroke-width="1.6" d="M{} {}L{} {}" {}{}/>').format(
                plot.x(before.day),
                plot.y(before.value),
                plot.x(after.day),
                plot.y(after.value),
                _ink(colour, "stroke"),
                dashes,
            )
    for point in line.points:
        x = plot.x(point.day)
        label = f"{shown(line.name, 60)}, {shown(point.report, 60)}, {point.day}: "
        if point.value is None or point.low is None or point.high is None:
            yield Markup(
                '<rect x="{}" y="{}" width="8" height="14" fill="url(#hatch)" {}><title>{}</title></rect>'
            ).format(
                x - 4, HEIGHT - BOTTOM - 14, _stroke_only(CLAIM), f"{label}unknown {shown(point.why, 200)}".strip()
            )
            continue
        if point.low != point.high:
            yield Markup('<path d="M{} {}V{}" {}/>').format(
                x, plot.y(point.low), plot.y(point.high), _ink(colour, "stroke")
            )
        also = "; other rules of counting than the report before" if point.other_rules else ""
        yield Markup('<path d="{}" {}><title>{}</title></path>').format(
            _mark(marker, x, plot.y(point.value)), _ink(colour, "fill"), f"{label}{point.text}{also}"
        )


def _stroke_only(colour: Colour) -> Markup:
    return Markup('class="s-{}" stroke="{}" stroke-width=".7"').format(colour.name, colour.light)


def _mark(marker: str, x: float, y: float) -> str:
    """The outline of a mark; its shape tells series apart where colour does not."""
    r = _REACH
    match marker:
        case "D":
            corners = [(0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)]
        case "s":
            corners = [(-r, -r), (r, -r), (r, r), (-r, r)]
        case "^":
            corners = [(0, -r - 1), (r + 1, r), (-r - 1, r)]
        case "v":
            corners = [(0, r + 1), (r + 1, -r), (-r - 1, -r)]
        case "P":
            corners = [
                (-1, -r),
                (1, -r),
                (1, -1),
                (r, -1),
                (r, 1),
                (1, 1),
                (1, r),
                (-1, r),
                (-1, 1),
                (-r, 1),
                (-r, -1),
                (-1, -1),
            ]
        case _:
            return f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
    return f"M{'L'.join(f'{x + dx:.1f} {y + dy:.1f}' for dx, dy in corners)}z"


def _names(plot: _Plot, lines: Sequence[Line]) -> Iterator[Markup]:
    """Names at the ends of the lines, from the bottom up, none on another."""
    ends = []
    for at, line in enumerate(lines):
        last = next((point for point in reversed(line.points) if point.value is not None), None)
        if last is not None and last.value is not None:
            ends.append((plot.y(last.value), at, line.name, last.text))
    below = float(HEIGHT)
    for y, at, name, text in sorted(ends, reverse=True):
        below = min(y + 4, below - APART)
        colour, _ = series(at)
        yield Markup('<text x="{}" y="{}" {}>{} <tspan font-weight="600" {}>{}</tspan></text>').format(
            plot.right + 12,
            round(below, 1),
            _ink(colour, "fill"),
            shown(name, LONGEST[plot.width])
            if len(name) <= LONGEST[plot.width]
            else f"{shown(name[: LONGEST[plot.width] - 1])}…",
            _ink(INK, "fill"),
            text,
        )
