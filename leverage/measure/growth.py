"""How something grew: its size on a day, its rate with an interval, the day on which it reached a size.

Pure functions on a curve: days and sizes, oldest first, as a history gives them. A size holds until the next sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DAYS_OF_A_YEAR = Fraction("365.25")
FEWEST = 3
"""Samples below which a rate has no interval: two points lie on a line whatever they are."""
# Two-sided 95 % points of Student's distribution for 1 to 30 degrees of freedom; beyond them the normal one is near.
# fmt: off
_STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
# fmt: on
_NORMAL = 1.960


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """What something measured on a day (unit: that of the curve, such as code lines)."""

    day: date
    size: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Growth per year, by least squares over the samples, with its 95 % interval.

    The interval assumes that samples stray from the line independently, which neighbouring ones never quite do; take
    samples a month apart. It says how well a line describes the past, not what the future brings.

    Attributes:
        each_year: change of size in a year (units of the curve per year).
        low: lower end of the interval.
        high: upper end of the interval.
        samples: number of samples.
    """

    each_year: float
    low: float
    high: float
    samples: int


@dataclass(frozen=True, slots=True)
class Crossing:
    """When a curve came to a size.

    Attributes:
        first: the first day on which it was at least that large; None where it never was.
        since: the day from which on it stayed at least that large; None where it is smaller at its end.
    """

    first: date | None
    since: date | None


def size_on(curve: Sequence[Size], day: date) -> int | None:
    """The size on a day; None before the first sample."""
    return next((each.size for each in reversed(curve) if each.day <= day), None)


def crossing(curve: Sequence[Size], size: int) -> Crossing:
    """When a curve came to a size, and from when on it stayed there."""
    first = next((each.day for each in curve if each.size >= size), None)
    since: date | None = None
    for each in curve:
        if each.size < size:
            since = None
        elif since is None:
            since = each.day
    return Crossing(first, since)


def break_even(curve: Sequence[Size], baseline: int, ratio: Fraction) -> Crossing:
    """When a port became so large that a baseline is no more than ``ratio`` times its size.

    Args:
        curve: the port, in code lines.
        baseline: size of what it is compared with, in the same unit.
        ratio: the claimed ratio, such as 7; above 0.

    Returns:
        The days on which ``baseline / size <= ratio`` first held, and from when on it holds: until the day before, the
        port was more than ``ratio`` times smaller.
    """
    return crossing(curve, math.ceil(Fraction(baseline) / ratio))


def implied_baseline(size: int, ratio: Fraction) -> Fraction:
    """How large a baseline has to be for a port of a size to be ``ratio`` times smaller, exactly."""
    return size * ratio


def rate(curve: Sequence[Size]) -> Rate | None:
    """Growth per year with its interval; None for fewer than `FEWEST` samples or samples of one day."""
    count = len(curve)
    if count < FEWEST:
        return None
    first = curve[0].day
    days = [(each.day - first).days for each in curve]
    sizes = [each.size for each in curve]
    # Exact sums of integers: the figures do not depend on the order of additions.
    spread = count * sum(day * day for day in days) - sum(days) ** 2
    if not spread:
        return None
    slope = Fraction(count * sum(map(_product, days, sizes)) - sum(days) * sum(sizes), spread)
    level = Fraction(sum(sizes), count) - slope * Fraction(sum(days), count)
    left = sum((size - level - slope * day) ** 2 for day, size in zip(days, sizes, strict=True))
    variance = left / (count - 2) * Fraction(count, spread)
    freedom = count - 2
    reach = (_STUDENT[freedom - 1] if freedom <= len(_STUDENT) else _NORMAL) * math.sqrt(variance)
    each_year, reach = float(slope * DAYS_OF_A_YEAR), reach * float(DAYS_OF_A_YEAR)
    return Rate(each_year, each_year - reach, each_year + reach, count)


def _product(one: int, other: int) -> int:
    return one * other


def reached_by(curve: Sequence[Size], found: Rate, size: int) -> tuple[date | None, date | None]:
    """If a curve went on at its rate: the earliest and the latest day on which it would come to a size.

    A projection, to be shown as one. None stands for never, at the slower or the faster end of the interval.

    Args:
        curve: at least one sample.
        found: its rate.
        size: the size in question; where it is reached already, both are the day of the last sample.
    """
    last = curve[-1]
    if last.size >= size:
        return last.day, last.day
    missing = size - last.size
    return _after(last.day, missing, found.high), _after(last.day, missing, found.low)


def _after(day: date, missing: int, each_year: float) -> date | None:
    if each_year <= 0:
        return None
    days = missing / each_year * float(DAYS_OF_A_YEAR)
    return day + timedelta(days=math.ceil(days)) if days < (date.max - day).days else None
