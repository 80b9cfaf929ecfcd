"""The sections on the grid and the swings: sentences, table for spreadsheets, figure."""

import re
from dataclasses import replace

from leverage.report import findings, lookup
from leverage.report.buildgrid import grid_table
from leverage.report.charts import draw_charts
from leverage.report.charts.tornado import draw_moves
from leverage.report.csvout import to_csv
from leverage.report.format import TIMES
from leverage.report.html import to_html
from leverage.report.markdown import to_markdown
from tests.unit.report.sample import empty_report, hostile_report, sample_report, sample_tables


def page() -> str:
    report = sample_report()
    return to_html(report, sample_tables(), draw_charts(report))


def test_the_grid_is_said_in_one_sentence() -> None:
    assert findings.grid_finding(sample_report()) == (
        f"5 denominators are declared by families; 4 give a ratio, and 3 of these differ in some amount; of their "
        f"5 ratios, 1 is about 7{TIMES} and 1 is at least 7{TIMES}."
    )
    assert findings.grid_finding(empty_report()) == "No family of denominators is declared."


def test_the_widest_swing_is_said_with_both_ends() -> None:
    assert findings.moves_finding(sample_report()) == (
        "From the headline, one choice at a time, what moves the ratio most is unit for onnx-mlir "
        f"(from 4.8{TIMES}, code, to 7.4{TIMES}, bytes)."
    )
    assert "nothing is varied" in findings.moves_finding(empty_report())


def test_the_table_has_a_row_for_each_member_and_left_side() -> None:
    table = grid_table(sample_report())
    names = [name for name, _ in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert len(rows) == 5 * 2
    folded = next(row for row in rows if row["member"] == "extension/production/code:scc/programming")
    assert (folded["standing"], folded["left_amount"]) == ("same amounts", 63_000)
    assert folded["same_as"] == "extension/production/code:cloc/programming"
    last = rows[-1]
    assert (last["ratio"], last["left_amount"], last["right_amount"]) == ("", 48_000, 160_000)
    assert to_csv(table).count("\n") == 11


def test_members_that_are_not_counted_stand_with_their_reason() -> None:
    assert lookup.uncounted(sample_report().grid) == [
        (
            "not comparable",
            "onnx-mlir declares no boundary 'with_substrate'",
            ["with_substrate/production/code:leverage/programming"],
        )
    ]
    assert lookup.folded(sample_report().grid) == [
        ("extension/production/code:cloc/programming", ["extension/production/code:scc/programming"])
    ]
    section = re.search(r'<section id="grid".*?</section>', page(), re.DOTALL)
    assert section
    for words in ("declares no boundary", "file counts of one language", "not measured yet", "unit operators"):
        assert words in section[0]


def test_the_two_widest_choices_are_a_table_with_words_where_there_is_no_ratio() -> None:
    section = re.search(r'<section id="moves".*?</section>', page(), re.DOTALL)
    assert section
    cross = re.search(r'<table class="cross">.*?</table>', section[0], re.DOTALL)
    assert cross
    assert cross[0].count("not comparable") == 2
    assert f"7.4{TIMES}" in cross[0]


def test_few_of_many_names_are_shown() -> None:
    assert lookup.briefly([f"m{index}" for index in range(8)]) == "m0, m1, m2, m3, m4, m5 and 2 more in tables/grid.csv"
    assert lookup.briefly(["m"]) == "m"


def test_the_figure_names_every_choice_with_its_ends() -> None:
    for width in (350, 920):
        chart = draw_moves(sample_report(), "moves", width)
        assert chart is not None
        assert f"headline 4.8{TIMES}" in chart.body
        assert "no value changes it" in chart.body  # the boundary has one value with a ratio
        assert f"bytes 7.4{TIMES}" in chart.body
        assert f"claimed 7{TIMES}" in chart.body
    assert draw_moves(empty_report(), "moves", 920) is None


def test_a_hostile_figure_is_drawn() -> None:
    chart = draw_moves(hostile_report(), "moves", 920)
    assert chart is not None
    assert "<script" not in chart.body


def test_an_axis_with_one_end_is_still() -> None:
    swing = sample_report().moves[0].swings[1]
    assert findings.is_still(swing)
    assert not findings.is_still(replace(swing, high=sample_report().moves[0].swings[0].high))


def test_the_markdown_has_the_short_form() -> None:
    text = to_markdown(sample_report())
    assert "## What moves it" in text
    assert "## Every denominator" in text
    assert "- `extension/production/bytes/programming`: onnx-mlir 7.4" in text
