"""Growth: worked out by hand, and what has to hold for every curve."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.growth import (
    Crossing,
    Rate,
    Size,
    break_even,
    crossing,
    implied_baseline,
    rate,
    reached_by,
    size_on,
)

START = date(2025, 11, 26)


def curve(*sizes: int, step: int = 1) -> list[Size]:
    return [Size(START + timedelta(days=step * at), size) for at, size in enumerate(sizes)]


def day(number: int) -> date:
    return START + timedelta(days=number)


def test_a_size_holds_until_the_next_sample() -> None:
    grown = [Size(day(0), 10), Size(day(5), 20)]
    assert [size_on(grown, day(at)) for at in (-1, 0, 4, 5, 9)] == [None, 10, 10, 20, 20]


def test_a_crossing_is_told_from_staying() -> None:
    grown = curve(1, 5, 3, 6, 7)
    assert crossing(grown, 5) == Crossing(day(1), day(3))
    assert crossing(grown, 8) == Crossing(None, None)
    assert crossing(grown, 1) == Crossing(day(0), day(0))
    assert crossing(curve(1, 5, 3), 5) == Crossing(day(1), None)


def test_break_even_is_exact() -> None:
    # 70,367 lines are 7 times 10,052.43 lines: 10,052 is still more than 7 times smaller, 10,053 is not.
    assert break_even(curve(9_000, 10_052, 10_053), 70_367, Fraction(7)) == Crossing(day(2), day(2))
    assert break_even(curve(10), 70, Fraction(7)) == Crossing(day(0), day(0))
    assert break_even(curve(9), 70, Fraction(7)).first is None
    assert implied_baseline(13_129, Fraction(15, 2)) == Fraction(196_935, 2)


def test_a_line_has_its_slope_and_no_interval_to_speak_of() -> None:
    found = rate(curve(100, 110, 120, 130))
    assert found == Rate(3652.5, 3652.5, 3652.5, 4)


def test_a_rate_worked_out_by_hand() -> None:
    # Days 0, 1, 2; sizes 0, 3, 0: slope 0, residuals -1, 2, -1, so s^2 = 6 and the error is sqrt(6 / 2).
    found = rate(curve(0, 3, 0))
    assert found is not None
    assert found.each_year == 0
    assert found.high == pytest.approx(12.706 * 3**0.5 * 365.25)
    assert found.low == -found.high


def test_too_little_has_no_rate() -> None:
    assert rate([]) is None
    assert rate(curve(1, 2)) is None
    assert rate([Size(START, 1), Size(START, 2), Size(START, 3)]) is None


def test_a_projection_has_two_ends() -> None:
    grown = curve(100, 110, 120)
    assert reached_by(grown, Rate(3652.5, 1826.25, 7305.0, 3), 220) == (day(2 + 5), day(2 + 20))
    assert reached_by(grown, Rate(3652.5, -1.0, 7305.0, 3), 220) == (day(2 + 5), None)
    assert reached_by(grown, Rate(0.0, 0.0, 1e-9, 3), 220) == (None, None)
    assert reached_by(grown, Rate(3652.5, 0.0, 0.0, 3), 120) == (day(2), day(2))


CURVES = st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 10**7)), min_size=3, max_size=40).map(
    lambda pairs: sorted(Size(day(at), size) for at, size in pairs)
)


@given(CURVES, st.integers(1, 10**6))
def test_scale_and_shift_of_sizes(grown: list[Size], factor: int) -> None:
    found = rate(grown)
    other = rate([Size(each.day, each.size * factor + 17) for each in grown])
    assert (found is None) == (other is None)
    if found and other:
        assert other.each_year == pytest.approx(found.each_year * factor)
        assert found.low <= found.each_year <= found.high


@given(CURVES, st.integers(0, 10**7))
def test_a_crossing_agrees_with_the_sizes(grown: list[Size], size: int) -> None:
    found = crossing(grown, size)
    assert (found.first is None) == all(each.size < size for each in grown)
    if found.first:
        assert max(each.size for each in grown if each.day == found.first) >= size
    assert (found.since is None) == (grown[-1].size < size)
    if found.since:
        assert all(each.size >= size for each in grown if each.day > found.since)
