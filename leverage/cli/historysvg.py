"""A history as a figure: stacked areas on one scale, in the order of the legend; a gap is hatched, never a zero."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from leverage.report.charts.palette import CLAIM, FAINT, INK, MUTED, RULE, SERIES
from leverage.report.charts.svg import FONT
from leverage.report.display import visible
from leverage.report.format import count_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.cli.series import Point, Series

WIDTH, HEIGHT = 920, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 200, 54, 42
MOST = 11
"""Areas that are drawn on their own; the rest is one."""
_REST = "all others"
_TICKS = 5
_STEPS = (1, 2, 5)
_DAY_WIDTH = 120  # pixels between two dates
_OPACITY = (1.0, 0.55)  # the colours come round a second time, paler


def drawn(series: Series) -> str:
    """The ``<svg>`` document of a series under its convention."""
    known = [point for point in series.points if not point.gap]
    keys = list(series.keys[:MOST]) + ([_REST] if len(series.keys) > MOST else [])
    stacks = [_stack(series, point, keys) for point in known]
    highest = _nice(max((stack[-1] for stack in stacks if stack), default=0))
    title = f"{series.target}: code lines over time, by {series.by}"
    first, last = (known[0], known[-1]) if known else (None, None)
    described = (
        f"{len(series.points):,} commits from {first.commit.date[:10]} to {last.commit.date[:10]}; "
        f"{count_text(stacks[-1][-1] if stacks[-1] else 0)} code lines under the convention {series.convention} "
        "at the end."
        if first and last
        else "No commit could be read."
    )
    scale = _Scale(series.points, highest)
    body = [*_axes(scale, highest), *_areas(scale, known, keys, stacks), *_gaps(scale, series.points), *_legend(keys)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" aria-labelledby="history-title history-desc" '
        f'font-family={quoteattr(FONT)} font-size="12">'
    )
    head = [
        f'<title id="history-title">{_text(title)}</title><desc id="history-desc">{_text(described)}</desc>',
        '<defs><pattern id="history-gap" width="6" height="6" patternUnits="userSpaceOnUse">',
        f'<path d="M0 6L6 0" stroke="{MUTED.light}"/></pattern></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="600" fill="{INK.light}">{_text(title)}</text>',
        f'<text x="{LEFT}" y="40" fill="{MUTED.light}">{_text(described)}</text>',
    ]
    return "\n".join([opening, *head, *body, "</svg>"]) + "\n"


class _Scale:
    """From commits and lines to pixels. The horizontal axis is time; where dates go back it stays."""

    def __init__(self, points: Sequence[Point], highest: int) -> None:
        seconds: list[float] = []
        for point in points:
            here = datetime.fromisoformat(point.commit.date).timestamp() if point.commit.date else 0.0
            seconds.append(max(here, seconds[-1] if seconds else here))
        self._at = {point.commit.id: second for point, second in zip(points, seconds, strict=True)}
        self._first = seconds[0] if seconds else 0.0
        self._span = (seconds[-1] - self._first if seconds else 0.0) or 1.0
        self._highest = highest
        self.points = points

    def x(self, point: Point) -> float:
        return round(LEFT + (self._at[point.commit.id] - self._first) / self._span * (WIDTH - LEFT - RIGHT), 1)

    def y(self, lines: float) -> float:
        return round(HEIGHT - BOTTOM - lines / self._highest * (HEIGHT - TOP - BOTTOM), 1)


def _stack(series: Series, point: Point, keys: Sequence[str]) -> list[int]:
    """Upper edge of each area."""
    lines = point.lines.get(series.convention, {})
    tops, height = [], 0
    for key in keys:
        height += sum(lines.get(other, 0) for other in series.keys[MOST:]) if key == _REST else lines.get(key, 0)
        tops.append(height)
    return tops


def _nice(value: int) -> int:
    """The next round number, for the end of an axis."""
    power = 1
    while True:
        for step in _STEPS:
            if step * power >= value:
                return step * power
        power *= 10


def _axes(scale: _Scale, highest: int) -> Iterator[str]:
    right = WIDTH - RIGHT
    muted = f'fill="{MUTED.light}"'
    for tick in range(_TICKS + 1):
        lines = highest * tick / _TICKS
        y = scale.y(lines)
        yield f'<path d="M{LEFT} {y}H{right}" stroke="{FAINT.light if tick else RULE.light}"/>'
        if lines == int(lines):
            yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" {muted}>{count_text(int(lines))}</text>'
    last: float = LEFT - _DAY_WIDTH
    for point in [point for point in scale.points if point.commit.date]:
        x = scale.x(point)
        if x - last >= _DAY_WIDTH:
            last = x
            day, y = point.commit.date[:10], HEIGHT - BOTTOM + 18
            yield f'<text x="{x}" y="{y}" text-anchor="middle" {muted}>{day}</text>'


def _areas(
    scale: _Scale, points: Sequence[Point], keys: Sequence[str], stacks: Sequence[Sequence[int]]
) -> Iterator[str]:
    """Each area once, from the top of the one below to its own; a size holds until the next commit changes it."""
    for at, key in enumerate(keys):
        upper = _steps(scale, points, [stack[at] for stack in stacks])
        lower = _steps(scale, points, [stack[at - 1] if at else 0 for stack in stacks])
        if upper:
            path = "L".join([*upper, *reversed(lower)])
            colour, opacity = _colour(at)
            yield f'<path d="M{path}Z" fill="{colour}" fill-opacity="{opacity}"><title>{_text(key)}</title></path>'


def _steps(scale: _Scale, points: Sequence[Point], values: Sequence[int]) -> list[str]:
    corners: list[str] = []
    before: int | None = None
    for at, (point, value) in enumerate(zip(points, values, strict=True)):
        if value == before and at < len(points) - 1:
            continue
        x = scale.x(point)
        if before is not None:
            corners.append(f"{x} {scale.y(before)}")
        corners.append(f"{x} {scale.y(value)}")
        before = value
    return corners


def _gaps(scale: _Scale, points: Sequence[Point]) -> Iterator[str]:
    """A stretch that nobody can read, from its first commit to the next one that can be."""
    for at, point in enumerate(points):
        if point.gap and (at == 0 or not points[at - 1].gap):
            after = next((later for later in points[at:] if not later.gap), points[-1])
            x, end = scale.x(point), scale.x(after)
            yield (
                f'<rect x="{x}" y="{TOP}" width="{max(2.0, round(end - x, 1))}" height="{HEIGHT - TOP - BOTTOM}" '
                f'fill="url(#history-gap)" stroke="{CLAIM.light}"><title>not at hand: {_text(point.gap)}</title></rect>'
            )


def _legend(keys: Sequence[str]) -> Iterator[str]:
    x, y = WIDTH - RIGHT + 20, TOP + 6
    for at, key in reversed(list(enumerate(keys))):
        colour, opacity = _colour(at)
        yield f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}" fill-opacity="{opacity}"/>'
        yield f'<text x="{x + 18}" y="{y}" fill="{INK.light}">{_text(key[:24])}</text>'
        y += 20


def _colour(at: int) -> tuple[str, float]:
    return SERIES[at % len(SERIES)][0].light, _OPACITY[at // len(SERIES) % len(_OPACITY)]


def _text(text: str) -> str:
    return escape(visible(text))
