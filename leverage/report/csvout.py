"""`tables/*.csv` and the sidecar that says what each column means.

UTF-8, comma, LF, one row per line whatever the cells hold: control and format characters are written out as on the
page. A text cell that a spreadsheet would take for a formula gets one apostrophe in front; since cells that begin with
an apostrophe get one too, taking one leading apostrophe away always gives the cell back.
"""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.report.view import Table

FORMULA_STARTS = "=+-@＝＋－＠'"  # noqa: RUF001 - the wide forms are what some spreadsheets also evaluate
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")

_FORMULAS = (
    "A text cell that begins with one of = + - @ (or their wide forms) or ' has one ' put before it, so that a "
    "spreadsheet shows it and does not run it. Take one leading ' away to get the cell back."
)
NOTES = [
    "UTF-8, comma separated, one header line, LF line ends, rows in stable order.",
    "Control, format and undecodable characters in names are written out, such as ⟨U+202E⟩ or ⟨0x80⟩.",
    _FORMULAS,
    "Numbers are exact integers; -1 means that it could not be known.",
]


def cell_text(value: str | int) -> str:
    """A cell as it is written."""
    if isinstance(value, int):
        return str(value)
    shown = visible(value)
    return f"'{shown}" if shown.startswith(tuple(FORMULA_STARTS)) else shown


def to_csv(table: Table) -> str:
    """A table as CSV text.

    Raises:
        ValueError: a row does not have one cell for each column.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(cell_text(name) for name, _ in table.columns)
    for row in table.rows:
        if len(row) != len(table.columns):
            raise ValueError(f"table {table.name}: a row of {len(row)} cells under {len(table.columns)} columns: {row}")
        writer.writerow(cell_text(value) for value in row)
    return out.getvalue()


def file_name(table: Table) -> str:
    """The table's file name.

    Raises:
        ValueError: the table's name is not made of lower-case letters, digits, ``_`` and ``-``.
    """
    if not _NAME.fullmatch(table.name):
        raise ValueError(f"a table cannot be called {table.name!r}")
    return f"{table.name}.csv"


def column_meanings(tables: Sequence[Table]) -> str:
    """The sidecar `tables/columns.json`: what each column of each table means, and how the files are written."""
    meanings = {
        "notes": NOTES,
        "tables": {
            file_name(table): {
                "rows": len(table.rows),
                "columns": [{"name": name, "meaning": meaning} for name, meaning in table.columns],
            }
            for table in tables
        },
    }
    return json.dumps(meanings, indent=1) + "\n"
