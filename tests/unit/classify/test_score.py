"""The score of a classification, worked by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ground_truth.score import Judged, Pair, Row, accuracy, compared, judged, kappa, main, rows, table

if TYPE_CHECKING:
    from pathlib import Path


def _pairs(*counts: tuple[str, str, int]) -> list[Pair]:
    return [Pair(truth, answer, 1) for truth, answer, number in counts for _ in range(number)]


def _unit(**changes: object) -> Judged:
    values: dict[str, object] = {"path": "a.py", "symbol": "f", "first": 10, "last": 19, "code": 8}
    return Judged(**(values | {"stage": "tiling", "divergence": "none"} | changes))  # type: ignore[arg-type]


def test_kappa_of_full_agreement_is_one() -> None:
    assert kappa(_pairs(("tiling", "tiling", 3), ("layout", "layout", 2))) == 1


def test_kappa_of_independent_answers_is_zero() -> None:
    assert kappa(_pairs(("a", "a", 1), ("a", "b", 1), ("b", "a", 1), ("b", "b", 1))) == 0


def test_kappa_worked_by_hand() -> None:
    # 20 and 15 of 50 agree: 7/10. Chance: (25 * 30 + 25 * 20) / 2500 = 1/2. (7/10 - 1/2) / (1 - 1/2) = 2/5.
    assert kappa(_pairs(("a", "a", 20), ("a", "b", 5), ("b", "a", 10), ("b", "b", 15))) == Fraction(2, 5)


def test_kappa_of_swapped_answers_is_minus_one() -> None:
    assert kappa(_pairs(("a", "b", 2), ("b", "a", 2))) == -1


def test_kappa_needs_two_words() -> None:
    assert kappa(_pairs(("a", "a", 4))) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_does_not_mind_who_is_who_and_never_passes_agreement(words: list[tuple[str, str]]) -> None:
    there = [Pair(one, two, 1) for one, two in words]
    back = [Pair(two, one, 1) for one, two in words]
    value = kappa(there)
    assert value == kappa(back)
    assert value is None or value <= accuracy(there, by_lines=False)


def test_accuracy_by_units_and_by_lines() -> None:
    pairs = [Pair("a", "a", 30), Pair("a", "b", 10), Pair("b", "a", 60)]
    assert accuracy(pairs, by_lines=False) == Fraction(1, 3)
    assert accuracy(pairs, by_lines=True) == Fraction(3, 10)


def test_most_shared_lines_decide_and_the_tightest_of_equals() -> None:
    whole = Row("a.py", 1, 100, "support", "none")
    before = Row("a.py", 1, 12, "capture", "none")
    tight = Row("a.py", 9, 19, "tiling", "on_chip_storage")
    other = Row("b.py", 10, 19, "layout", "none")
    (found,) = compared([_unit()], [whole, before, tight, other])
    assert found.row == tight
    (found,) = compared([_unit()], [before, whole])
    assert found.row == whole


@pytest.mark.parametrize(
    "answers", [[], [Row("a.py", 1, 9, "tiling", "none")], [Row("c.py", 10, 19, "tiling", "none")]]
)
def test_a_unit_without_a_row_is_undetermined(answers: list[Row]) -> None:
    (found,) = compared([_unit()], answers)
    assert found.row is None
    assert found.stage.answer == "undetermined"
    assert found.divergence.answer == "undetermined"


def test_a_second_stage_is_right_only_where_it_is_asked_for() -> None:
    (found,) = compared([_unit(also="layout")], [Row("a.py", 10, 19, "layout", "none")])
    assert accuracy([found.stage], by_lines=False) == 0
    assert accuracy([found.either_stage], by_lines=False) == 1
    (found,) = compared([_unit(also="layout")], [Row("a.py", 10, 19, "fusion", "none")])
    assert accuracy([found.either_stage], by_lines=False) == 0


def test_table() -> None:
    units = [_unit(), _unit(path="b.py", stage="layout", code=2)]
    found = compared(units, [Row("a.py", 10, 19, "tiling", "none")])
    lines = table({"one": found}).splitlines()
    assert "| one | 2 | 1 | stage | 50.0% | 80.0% | 0.333 |" in lines
    assert "| one | layout | undetermined | 1 | 2 |" in lines
    assert not any(line.startswith("| all ") for line in lines)
    assert any(line.startswith("| all | 4 | 2 | stage |") for line in table({"one": found, "two": found}).splitlines())


def test_rows_of_the_contract_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = [
        {
            "path": unit.path,
            "symbol": unit.symbol,
            "first": unit.first,
            "last": unit.last,
            "lines": unit.code,
            "stage": unit.stage,
            "divergence": unit.divergence,
            "purpose": "production",
            "confidence": 1.0,
            "rule": "by hand",
            "runner_up": None,
        }
        for unit in judged("popart")
    ]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    assert len(rows(path.read_text(encoding="utf-8"))) == 30
    assert main([f"popart={path}"]) == 0
    assert "| popart | 30 | 0 | stage | 100.0% | 100.0% | 1.000 |" in capsys.readouterr().out


def test_usage() -> None:
    assert main([]) != 0
    assert main(["popart"]) != 0
