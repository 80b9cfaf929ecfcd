import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.report.csvout import FORMULA_STARTS, column_meanings, file_name, to_csv
from leverage.report.display import visible
from leverage.report.view import Table
from tests.unit.report.sample import HOSTILE, sample_tables


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_a_table_as_text() -> None:
    assert to_csv(sample_tables()[1]) == "path,physical\na.py,3\n'=cmd|' /C calc'!A0,7\n'-1+1.py,-1\n"


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_no_cell_is_a_formula_and_one_apostrophe_undoes_it(start: str) -> None:
    cell = f'{start}HYPERLINK("x")'
    table = Table("t", (("path", "a path"),), ((cell,),))
    shown = read(to_csv(table))[1][0]
    assert shown[0] == "'"
    assert shown[1:] == cell


def test_tabs_and_line_ends_cannot_start_a_formula_or_a_row() -> None:
    table = Table("t", (("path", "a path"),), (("\t=1+1",), ("\r\n=1+1",), ("a\nb",)))
    rows = read(to_csv(table))
    assert [row[0] for row in rows[1:]] == ["⟨U+0009⟩=1+1", "⟨U+000D⟩⟨U+000A⟩=1+1", "a⟨U+000A⟩b"]
    assert to_csv(table).count("\n") == 4


def test_negative_numbers_stay_numbers() -> None:
    assert to_csv(Table("t", (("n", "a number"),), ((-1,),))) == "n\n-1\n"


def test_hostile_names_stay_one_cell_on_one_line() -> None:
    table = Table("t", (("path", "a path"), ("n", "a number")), tuple((text, 1) for text in HOSTILE))
    rows = read(to_csv(table))
    assert len(rows) == len(HOSTILE) + 1
    assert all(len(row) == 2 for row in rows)
    to_csv(table).encode("utf-8")


@given(st.lists(st.text(st.characters(codec=None)), min_size=1))
def test_any_cell_comes_back_as_it_is_shown(cells: list[str]) -> None:
    table = Table("t", (("path", "a path"), ("n", "a number")), tuple((text, 1) for text in cells))
    back = [row[0].removeprefix("'") for row in read(to_csv(table))[1:]]
    assert back == [visible(text) for text in cells]


def test_a_row_of_another_length_is_a_defect() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        to_csv(Table("t", (("a", ""), ("b", "")), ((1,),)))


@pytest.mark.parametrize("name", ["../x", "a/b", "", "A", "x.csv", "-x"])
def test_a_table_cannot_leave_its_directory(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        file_name(Table(name, (), ()))


def test_the_sidecar_explains_every_column() -> None:
    sidecar = json.loads(column_meanings(sample_tables()))
    assert sidecar["tables"]["files.csv"]["rows"] == 3
    assert sidecar["tables"]["files.csv"]["columns"][1] == {
        "name": "physical",
        "meaning": "physical lines; -1 where unknown",
    }
    assert any("one '" in note for note in sidecar["notes"])
