from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.report.format import TIMES, count_text, exact_text, part_text, percent_text, plural, ratio_text

SEVEN = Fraction(7)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(697, 100), "6.97"),  # never 7.0
        (Fraction(6999, 1000), "6.999"),
        (Fraction(7), "7"),
        (Fraction(7001, 1000), "7.001"),
        (Fraction(69999999, 10**7), "<7"),
        (Fraction(70000001, 10**7), ">7"),
        (Fraction(5194, 1000), "5.2"),
        (Fraction(8), "8.0"),
        (Fraction(1), "1"),
        (Fraction(999, 1000), "0.999"),
        (Fraction(1001, 1000), "1.001"),
        (Fraction(27, 100), "0.27"),
        (Fraction(123, 10000), "0.012"),
        (Fraction(124, 10), "12.4"),
        (Fraction(98765, 10), "9,876"),  # half to even
        (Fraction(0), "0"),
        (Fraction(1, 10**9), ">0"),
    ],
)
def test_ratio_against_seven(value: Fraction, shown: str) -> None:
    assert ratio_text(value, SEVEN) == shown + TIMES


def test_further_figures_are_not_crossed_either() -> None:
    assert ratio_text(Fraction(7704, 1000), SEVEN) == "7.7" + TIMES
    assert ratio_text(Fraction(7704, 1000), SEVEN, also=[Fraction(77, 10)]) == "7.704" + TIMES


def test_a_claim_with_decimals_is_shown_exactly() -> None:
    assert ratio_text(Fraction(13, 2), Fraction("6.5")) == "6.5" + TIMES
    assert ratio_text(Fraction(20, 3), Fraction(20, 3)) == "20/3" + TIMES


def test_negative_ratios_are_a_defect() -> None:
    with pytest.raises(ValueError, match="negative"):
        ratio_text(Fraction(-1), SEVEN)


def side(text: str, figure: Fraction) -> int:
    """On which side of a figure a text places its value."""
    number = text.removesuffix(TIMES).removesuffix(" %").replace(",", "")
    if number[0] in "<>":
        bound = Fraction(number[1:])
        if bound == figure:
            return -1 if number[0] == "<" else 1
        return (bound > figure) - (bound < figure)
    return (Fraction(number) > figure) - (Fraction(number) < figure)


def true_side(value: Fraction, figure: Fraction) -> int:
    return (value > figure) - (value < figure)


claims = st.decimals(min_value="0.1", max_value=1000, places=3).map(Fraction)
gaps = st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 10**14))


@given(claims, gaps)
def test_rounding_never_crosses_the_claim_parity_or_zero(claimed: Fraction, gap: Fraction) -> None:
    value = abs(claimed + gap)
    text = ratio_text(value, claimed)
    for figure in (Fraction(0), Fraction(1), claimed):
        assert side(text, figure) == true_side(value, figure), text


@given(st.fractions(min_value=0, max_value=10**6), claims)
def test_any_ratio_keeps_its_side_and_is_near(value: Fraction, claimed: Fraction) -> None:
    text = ratio_text(value, claimed)
    for figure in (Fraction(0), Fraction(1), claimed):
        assert side(text, figure) == true_side(value, figure), text
    if text[0] not in "<>":
        shown = Fraction(text.removesuffix(TIMES).replace(",", ""))
        assert abs(shown - value) <= max(value / 15, Fraction(1, 10**6)), text


@given(st.fractions(min_value=0, max_value=1), st.fractions(min_value=0, max_value=1, max_denominator=1000))
def test_percent_is_nothing_or_all_only_when_it_is(share: Fraction, limit: Fraction) -> None:
    text = percent_text(share, limit)
    assert (text == "0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)
    if exact_text(limit * 100).count("/") == 0:
        assert side(text, limit * 100) == true_side(share, limit)


def test_percent_examples() -> None:
    assert percent_text(Fraction(14, 1000)) == "1.4 %"
    assert percent_text(Fraction(1, 10**6)) == ">0 %"
    assert percent_text(Fraction(10**6 - 1, 10**6)) == "<100 %"
    assert percent_text(Fraction(5004, 100000), Fraction(5, 100)) == ">5 %"
    assert part_text(1, 8) == "12.5 %"
    assert part_text(0, 0) == "0 of 0"


def test_counts_and_nouns() -> None:
    assert count_text(1234567) == "1,234,567"
    assert plural(1, "file") == "1 file"
    assert plural(2048, "file") == "2,048 files"
    assert plural(2, "file was", "files were") == "2 files were"


def test_exact_text() -> None:
    assert exact_text(Fraction(7)) == "7"
    assert exact_text(Fraction(13, 8)) == "1.625"
    assert exact_text(Fraction(-1, 4)) == "-0.25"
    assert exact_text(Fraction(1, 3)) == "1/3"
