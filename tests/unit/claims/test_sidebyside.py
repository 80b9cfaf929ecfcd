"""Systems side by side: exact figures, what is unknown, what is unfair."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from leverage.claims.sidebyside import Row, SideBySide, side_by_side
from leverage.model.provenance import Origin
from leverage.report.comparison import VIEWS, number_text, ratio_words
from tests.world import world


@pytest.fixture(scope="module")
def found() -> SideBySide:
    return side_by_side(world(), ["port", "like"])


def row(found: SideBySide, group: str, label: str) -> Row:
    (one,) = (each for each in found.rows if (each.group, each.label) == (group, label))
    return one


def test_sizes_are_those_of_the_denominator(found: SideBySide) -> None:
    evidence = world()
    for at, name in enumerate(("port", "like")):
        files = evidence.files[(evidence.files["system"] == name) & (evidence.files["state"] == "counted")]
        cell = row(found, "Size", "code, leverage").cells[at]
        assert isinstance(cell.value, int)
        assert 0 < cell.value <= files["code_leverage"].clip(lower=0).sum()
        assert cell.low is not None
        assert cell.low <= cell.value


def test_stages_add_up_to_the_size(found: SideBySide) -> None:
    for at in range(2):
        total = sum(each.cells[at].value or 0 for each in found.rows if each.group == "Stages")  # type: ignore[misc]
        assert total == row(found, "Size", "code, leverage").cells[at].value
        by_divergence = sum(each.cells[at].value or 0 for each in found.rows if each.group == "Divergences")  # type: ignore[misc]
        assert by_divergence == total
        assert sum(lines[at] for _, _, lines in found.matrix) == total


def test_the_ratio_is_exact_and_carries_the_flags_of_its_pair(found: SideBySide) -> None:
    (ratio,) = found.ratios
    sizes = [cell.value for cell in row(found, "Size", "code, leverage").cells]
    assert ratio.value == Fraction(sizes[1], sizes[0])  # type: ignore[arg-type]
    assert ratio.low is not None
    assert ratio.high is not None
    assert ratio.low <= ratio.value <= ratio.high
    assert set(ratio.flags) == {check.id for check in found.checks if check.fair != "yes"}
    assert "not comparable: " in ratio_words(ratio, "port")


def test_a_ratio_is_comparable_only_where_nothing_is_unfair(found: SideBySide) -> None:
    (ratio,) = found.ratios
    assert ratio_words(replace(ratio, flags=()), "port").endswith("; comparable")
    assert ratio_words(replace(ratio, value=None), "port") == f"{ratio.side} against port: unknown"


def test_a_closed_system_is_unknown_and_not_zero() -> None:
    found = side_by_side(world(), ["port", "closed"])
    cell = row(found, "Size", "code, leverage").cells[1]
    assert (cell.value, cell.origin) == (None, Origin.UNKNOWN)
    assert "closed" in cell.why
    assert row(found, "Size", "code, leverage").comparable == 1
    assert found.ratios[0].value is None
    assert "height" in found.ratios[0].flags
    assert not any("closed" in each.lack for each in found.lacks)


def test_a_system_beside_itself_is_fair_where_everything_is_known() -> None:
    found = side_by_side(world(), ["port@narrow", "port@narrow"])
    assert [check.id for check in found.checks if check.fair == "no"] == ["undetermined"]  # it has no rules
    assert found.ratios[0].value == 1


def test_every_form_holds_every_side_and_hostile_text_stays_text(found: SideBySide) -> None:
    hostile = replace(found, names=("<script>alert(1)</script>|x", "b\nc"))
    for form, view in VIEWS.items():
        text = view(hostile)
        assert text.endswith("\n")
        assert ("<script>alert" in text) == (form in {"json", "csv"})
    told = json.loads(VIEWS["json"](found))
    assert told["format"] == 1
    assert told["ratios"][0]["value"].count("/") == 1
    assert "<script" not in VIEWS["html"](found)
    assert "Content-Security-Policy" in VIEWS["html"](found)


def test_numbers_are_told_by_their_unit() -> None:
    assert number_text(1234, "lines") == "1,234"
    assert number_text(Fraction(1, 8), "share") == "12.5 %"
    assert number_text(Fraction(63, 10), "x") == "6.3\N{MULTIPLICATION SIGN}"
    assert number_text("a" * 40, "") == "a" * 12
