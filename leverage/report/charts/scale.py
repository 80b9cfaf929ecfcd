"""Axes: from exact numbers to pixels, with ticks that a reader would choose."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report.format import TIMES, count_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

MOST_TICKS = 9
_FRACTIONS = {-1: "½", -2: "¼", -3: "⅛"}


@dataclass(frozen=True, slots=True)
class Log2Scale:
    """A logarithmic axis from ``2**low`` to ``2**high`` over pixels ``left`` to ``right``."""

    low: int
    high: int
    left: float
    right: float

    def __call__(self, value: Fraction | int) -> float:
        """Pixel of a value; values outside the axis are held at its ends, zero at the left one."""
        return self.at(min(max(math.log2(value), self.low), self.high) if value > 0 else self.low)

    def at(self, exponent: float) -> float:
        """Pixel of a power of two."""
        return self.left + (exponent - self.low) / (self.high - self.low) * (self.right - self.left)

    def ticks(self) -> list[int]:
        """Exponents that get a tick."""
        step = max(1, math.ceil((self.high - self.low) / (MOST_TICKS - 1)))
        return [exponent for exponent in range(self.low, self.high + 1) if exponent % step == 0]


def log2_scale(values: Iterable[Fraction | int], left: float, right: float) -> Log2Scale:
    """The smallest whole-power axis that holds all values above zero."""
    places = [math.log2(value) for value in values if value > 0] or [0.0]
    low, high = math.floor(min(places) + 1e-9), math.ceil(max(places) - 1e-9)
    return Log2Scale(low, max(high, low + 1), left, right)


def times_text(exponent: int) -> str:
    """A power of two as a ratio, such as a quarter, one or eight times."""
    if exponent >= 0:
        return count_text(2**exponent) + TIMES
    return _FRACTIONS.get(exponent, f"1/{count_text(2**-exponent)}") + TIMES


def decade_ticks(scale: Log2Scale, apart: float) -> list[int]:
    """Values such as 1,000, 2,000 and 5,000 on a log axis that keep ``apart`` pixels from each other."""
    for factors in ((1, 2, 5), (1, 3), (1,)):
        values = [factor * 10**power for power in range(16) for factor in factors]
        inside = [value for value in values if scale.low <= math.log2(value) <= scale.high]
        if all(scale(after) - scale(before) >= apart for before, after in itertools.pairwise(inside)):
            return inside
    return []


def short_count(value: int) -> str:
    """A count on an axis: ``512``, ``8k``, ``64k``, ``2M``; only for round tick values."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return str(value)


def round_ticks(top: int, most: int = 4) -> list[int]:
    """At most ``most`` + 1 round values from 0 to just below or at ``top``."""
    if top <= 0:
        return [0]
    step = 10 ** max(0, len(str(top)) - 2)
    factors = (1, 2, 5, 10, 20, 50, 100)
    step = next(step * factor for factor in factors if top // (step * factor) <= most)
    return list(range(0, top + 1, step))
