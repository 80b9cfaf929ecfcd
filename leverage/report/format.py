"""Text of numbers, made at the edge. A rounded figure never crosses a figure that it is judged against.

`6.97` beside "fails 7x" must not be shown as `7.0`: digits are added until the side is visible, and where that takes
more digits than anyone reads, an inequality is shown instead. Equality is shown as the figure itself, without decimals
that it does not have.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_DIGITS = 6
"""Decimals after which an inequality is easier to read than the number."""

TIMES = "\N{MULTIPLICATION SIGN}"
"""The sign behind a ratio."""


def count_text(value: int) -> str:
    """An integer with thousands separators, such as ``20,652``."""
    return f"{value:,}"


def plural(value: int, noun: str, nouns: str = "") -> str:
    """A count with its noun: ``1 file``, ``2,048 files``; ``nouns`` where the plural is not formed with an s."""
    return f"{count_text(value)} {noun if value == 1 else nouns or noun + 's'}"


def ratio_text(value: Fraction, claimed: Fraction | None = None, *, also: Iterable[Fraction] = ()) -> str:
    """A ratio as text, such as 6.97 times, 7 times (exactly), or "<7" times: below by less than can be read.

    Args:
        value: the exact ratio, at least zero.
        claimed: the figure it is judged against; its side stays visible.
        also: further figures whose side must stay visible, such as the ends of the "about" reading. Parity (1) and
            zero are always among them.
    """
    if value < 0:
        raise ValueError(f"a ratio of counts cannot be negative, got {value}")
    figures = {Fraction(0), Fraction(1), *also, *(() if claimed is None else (claimed,))}
    return guarded_text(value, figures, _usual_digits(value)) + TIMES


def percent_text(share: Fraction, limit: Fraction | None = None) -> str:
    """A share as text with one decimal or more, such as ``1.4 %``; ``0 %`` and ``100 %`` only where they are exact.

    Args:
        share: the exact share, usually between 0 and 1.
        limit: a share that it is judged against; its side stays visible.
    """
    figures = {Fraction(0), Fraction(100), *(() if limit is None else (limit * 100,))}
    return guarded_text(share * 100, figures, 1, most=2) + " %"


def part_text(part: int, whole: int) -> str:
    """`percent_text` of a part of a whole; ``0 of 0`` where there is no whole."""
    return percent_text(Fraction(part, whole)) if whole else "0 of 0"


def guarded_text(value: Fraction, figures: Iterable[Fraction], digits: int, *, most: int = MAX_DIGITS) -> str:
    """The value rounded half to even, with at least ``digits`` decimals, on the same side of every figure as it is.

    With more than ``most`` decimals (or ``digits``, if that is more) the answer is ``<figure`` or ``>figure``.
    """
    ordered = sorted(figures)
    if value in ordered:
        return exact_text(value)
    for places in range(digits, max(most, digits) + 1):
        shown = _rounded(value, places)
        if all((shown > figure) == (value > figure) and shown != figure for figure in ordered):
            return f"{_decimal(shown, places)}"
    nearest = min(ordered, key=lambda figure: abs(figure - value))
    return f"{'<' if value < nearest else '>'}{exact_text(nearest)}"


def exact_text(value: Fraction) -> str:
    """The value without rounding: ``7``, ``6.5``, or ``20/3`` where no decimal is exact."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return _decimal(value, max(twos, fives)) if rest == 1 else f"{value.numerator}/{value.denominator}"


def _usual_digits(value: Fraction) -> int:
    """Decimals for about two significant digits: ``124``, ``12.4``, ``1.2``, ``0.12``, ``0.012``."""
    if value >= 1:
        return 0 if value >= 100 else 1  # noqa: PLR2004 - a hundred is where decimals stop carrying anything
    digits = 2
    while digits < MAX_DIGITS and value * 10 ** (digits - 1) < 1:
        digits += 1
    return digits


def _rounded(value: Fraction, places: int) -> Fraction:
    return Fraction(round(value * 10**places), 10**places)


def _decimal(value: Fraction, places: int) -> str:
    """A value that has at most ``places`` decimals, written with exactly as many."""
    scaled = abs(value) * 10**places
    whole, part = divmod(scaled.numerator, 10**places)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole:,}.{part:0{places}d}" if places else f"{sign}{whole:,}"
