"""Sums of rows and the tables that show them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from leverage.cli.aligned import Column, number, plural, table
from leverage.cli.sums import Row, add, totals, unique
from leverage.measure.conventions import CONVENTIONS
from leverage.model.files import COUNTED, Disposition, FileFacts, SourceFile, State
from leverage.model.lines import FIELDS, LineCounts

COUNTS = st.builds(LineCounts, *[st.integers(0, 50)] * len(FIELDS))
BLOBS = st.sampled_from(["", "a" * 40, "b" * 40, "c" * 40])


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Rows as they can be: equal blobs have equal facts."""
    by_blob = {blob: (draw(COUNTS), draw(st.sampled_from(["python", "cpp", "mlir", "yaml"]))) for blob in "abc"}
    found = []
    for at, blob in enumerate(draw(st.lists(BLOBS, max_size=8))):
        counts, language = by_blob[blob[0]] if blob else (draw(COUNTS), "python")
        kind = draw(st.sampled_from(["counted", "binary", "unknown-language"]))
        file = SourceFile(f"{at}", blob, 1)
        if kind == "counted":
            facts = FileFacts(file, COUNTED, language, "x", counts.physical, 0, counts)
        elif kind == "binary":
            facts = FileFacts(file, Disposition(State.EXCLUDED, kind, "x"), "", "", 0, 0)
        else:
            facts = FileFacts(file, Disposition(State.UNKNOWN, kind, "x"), "", "", draw(st.integers(-1, 9)), 0)
        found.append(Row(file.path, facts))
    return found


@given(rows())
def test_every_row_is_in_exactly_one_place(found: list[Row]) -> None:
    whole = totals(found)
    assert whole.files + sum(group.files for group in whole.groups) == len(found)
    assert whole.counts.physical + sum(group.lines for group in whole.groups) == sum(
        max(row.facts.physical, 0) for row in found
    )


@given(rows())
def test_totals_are_the_sum_of_the_files_under_every_convention(found: list[Row]) -> None:
    whole = totals(found)
    for name in CONVENTIONS:
        parts = [totals([row]).under(name) for row in found]
        assert whole.under(name).code == sum(part.code for part in parts)
        assert whole.under(name).blank == sum(part.blank for part in parts)
        assert whole.unanswered(name) == sum(totals([row]).unanswered(name) for row in found)
    physical = whole.under("physical")
    assert physical.code == whole.counts.physical
    assert (physical.documentation, physical.comment, physical.blank) == (0, 0, 0)


@given(rows(), rows())
def test_totals_add_up(one: list[Row], other: list[Row]) -> None:
    assert totals(one + other).counts == add([totals(one).counts, totals(other).counts])
    assert totals(one + other).files == totals(one).files + totals(other).files


@given(rows())
def test_unique_keeps_each_content_once_and_everything_else(found: list[Row]) -> None:
    kept = unique(found)
    assert unique(kept) == kept
    assert [row for row in kept if not row.counted] == [row for row in found if not row.counted]
    blobs = [row.facts.file.blob for row in kept if row.counted and row.facts.file.blob]
    assert len(blobs) == len(set(blobs))
    assert {row.facts.file.blob for row in kept if row.counted} == {row.facts.file.blob for row in found if row.counted}
    assert totals(found + found).files == 2 * totals(found).files


def test_no_rows_are_zero() -> None:
    assert totals([]).counts == LineCounts()
    assert totals([]).under("cloc").code == 0


def test_an_empty_file_is_zero_under_every_convention() -> None:
    row = Row(
        "a", FileFacts(SourceFile("a", "", 0), Disposition(State.COUNTED, "counted", "empty file"), lines=LineCounts())
    )
    assert [totals([row]).unanswered(name) for name in CONVENTIONS] == [0] * len(CONVENTIONS)


CELLS = st.text("ab,1", min_size=1, max_size=12)


@given(
    st.integers(1, 6).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=4)),
    st.integers(10, 60),
)
def test_a_table_shows_every_cell_and_is_no_wider_than_it_must_be(cells: list[list[str]], width: int) -> None:
    columns = [Column(f"c{at}", right=at % 2 == 0) for at in range(len(cells[0]) if cells else 1)]
    text = table(columns, cells, width=width)
    blocks = text.split("\n\n")
    assert all(len(block.splitlines()) == 2 + len(cells) for block in blocks)
    widest = max([2, *(len(row[0]) for row in cells)]) + 2 + max([2, *(len(cell) for row in cells for cell in row)])
    assert all(len(line) <= max(width, widest) for line in text.splitlines())
    for at, row in enumerate(cells):
        shown = " ".join(block.splitlines()[2 + at] for block in blocks)
        assert all(cell in shown for cell in row)
    assert sum(block.splitlines()[0].split().count(columns[-1].heading) for block in blocks) >= 1


def test_numbers() -> None:
    assert [number(each) for each in (None, 0, 1234567)] == ["-", "0", "1,234,567"]
    assert [plural(each, "file") for each in (0, 1, 1000)] == ["0 files", "1 file", "1,000 files"]
