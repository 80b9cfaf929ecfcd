from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.model.amounts import Amount, Ratio, Unit
from leverage.model.errors import IncommensurableError

amounts = st.builds(
    lambda low, more, most: Amount(low + more, Unit.CODE, "leverage", "all", low, low + more + most),
    st.integers(1, 10**9),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
)


def code(value: int, **changes: object) -> Amount:
    fields: dict[str, object] = {"unit": Unit.CODE, "convention": "leverage", "scope": "production", **changes}
    return Amount(value, **fields)  # type: ignore[arg-type]


def test_an_amount_without_doubt_is_its_own_interval() -> None:
    assert (code(5).low, code(5).high, code(5).exact) == (5, 5, True)


@pytest.mark.parametrize(("low", "high"), [(6, 9), (0, 4), (7, 3)])
def test_the_value_lies_inside_its_interval(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="low <= value <= high"):
        Amount(5, Unit.CODE, "leverage", "all", low, high)


@pytest.mark.parametrize(
    "other", [code(2, unit=Unit.PHYSICAL), code(2, convention="cloc"), code(2, scope="production+test")]
)
def test_amounts_of_another_measure_are_neither_added_nor_divided(other: Amount) -> None:
    with pytest.raises(IncommensurableError):
        code(1) + other
    with pytest.raises(IncommensurableError):
        code(1) / other


def test_a_ratio_over_what_may_be_zero_is_refused() -> None:
    with pytest.raises(ZeroDivisionError):
        code(5) / Amount(1, Unit.CODE, "leverage", "production", 0, 2)


def test_the_interval_of_a_ratio_takes_the_far_ends() -> None:
    ratio = Ratio(Amount(10, Unit.CODE, "leverage", "all", 9, 12), Amount(2, Unit.CODE, "leverage", "all", 2, 3))
    assert (ratio.low, ratio.value, ratio.high) == (Fraction(3), Fraction(5), Fraction(6))


@given(amounts, amounts)
def test_a_ratio_times_its_inverse_is_one_and_lies_inside_its_interval(a: Amount, b: Amount) -> None:
    assert (a / b).value * (b / a).value == 1
    assert (a / b).low <= (a / b).value <= (a / b).high


@given(amounts, amounts, amounts)
def test_addition_is_associative_and_commutative(a: Amount, b: Amount, c: Amount) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
