"""What `leverage count` prints: a table for people, JSON and CSV for programs. Functions from rows to text.

JSON, format 1: ``code``, ``documentation``, ``comment`` and ``blank`` are lines under the named convention, null where
it does not know the language; ``lines`` are physical lines, null where the bytes are not at hand. Fields are added,
never renamed, within a format. Totals are of counted files; ``unique`` counts each content once.
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

from leverage.cli.aligned import Column, number, plural, table
from leverage.cli.sums import Row, Sum, Totals, parts_of, projected, totals, unique
from leverage.measure.conventions import Part, Projected
from leverage.measure.languages import languages
from leverage.model.files import State
from leverage.model.lines import FIELDS, LineClass, LineCounts
from leverage.report.csvout import cell_text
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

FORMAT = 1
PARTS = tuple(part.value for part in Part)
CLASS_COLUMNS = tuple(f"class_{name}" for name in FIELDS)
"""Columns of CSV: a line class and a part of a convention can have the same name."""
NARROWEST = 24
"""Columns that text takes at least, however narrow the terminal is."""


@dataclass(frozen=True, slots=True)
class View:
    """What to show.

    Attributes:
        rows: the files, in the order of targets and paths.
        by: ``language``, ``file`` or ``class``.
        convention: id of the convention that splits lines into parts.
        every: ids of the conventions to show beside it; empty where one is enough.
        width: columns of the terminal.
    """

    rows: Sequence[Row]
    by: str
    convention: str
    every: tuple[str, ...]
    width: int


def as_json(view: View) -> str:
    """The whole contract, one file a line."""
    found = totals(view.rows)
    once = totals(unique(view.rows))
    head = f'{{"format":{FORMAT},"convention":{json.dumps(view.convention)},"files":['
    files = ",\n".join(_compact(_file(view, row)) for row in view.rows)
    return f'{head}\n{files}\n],"totals":{json.dumps(_totals(view, found, once), indent=1)}}}\n'


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _file(view: View, row: Row) -> dict[str, object]:
    facts = row.facts
    entry: dict[str, object] = {
        "path": row.path,
        "language": facts.language,
        "lines": _known(facts.physical),
        **_parts(_of(view.convention, row)),
        "classes": _classes(facts.lines),
        "disposition": facts.disposition.state.value,
        "reason": facts.disposition.reason,
    }
    if view.every:
        entry["conventions"] = {name: _sums(_of(name, row)) for name in view.every}
    return entry


def _totals(view: View, found: Totals, once: Totals) -> dict[str, object]:
    entry = {
        **_amounts(view, found),
        "unique": _amounts(view, once),
        "tracked": len(view.rows),
        "excluded": _left_out(found, State.EXCLUDED),
        "unknown": _left_out(found, State.UNKNOWN),
        "unanswered": {name: found.unanswered(name) for name in view.every or (view.convention,)},
        "languages": {
            one.language: {
                "files": one.files,
                "lines": one.counts.physical,
                **_parts(one.under(view.convention)),
                "classes": _classes(one.counts),
            }
            for one in found.sums
        },
    }
    if view.every:
        entry["conventions"] = {name: _sums(found.under(name)) for name in view.every}
    return entry


def _amounts(view: View, found: Totals) -> dict[str, object]:
    counts = found.counts
    return {
        "files": found.files,
        "lines": counts.physical,
        **_parts(found.under(view.convention)),
        "classes": _classes(counts),
    }


def _left_out(found: Totals, state: State) -> dict[str, object]:
    groups = found.of(state)
    return {
        "files": sum(group.files for group in groups),
        "lines": sum(group.lines for group in groups),
        "reasons": {group.reason: group.files for group in groups},
    }


def _known(lines: int) -> int | None:
    return None if lines < 0 else lines


def _of(convention: str, row: Row) -> Projected | None:
    facts = row.facts
    return None if facts.lines is None else projected(convention, facts.language, facts.lines)


def _parts(found: Projected | None) -> dict[str, int | None]:
    return dict.fromkeys(PARTS) if found is None else asdict(found)


def _sums(found: Projected | None) -> dict[str, int] | None:
    return None if found is None else asdict(found)


def _classes(counts: LineCounts | None) -> dict[str, int]:
    return {} if counts is None else {each.label: counts[each] for each in LineClass if counts[each]}


def as_csv(view: View) -> str:
    """One row per file, language or line class; empty cells are not known."""
    heading, rows = _CSV[view.by](view)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(["" if cell is None else cell_text(cell) for cell in row] for row in rows)
    return out.getvalue()


Cell = str | int | None


def _csv_files(view: View) -> tuple[list[str], Iterable[list[Cell]]]:
    heading = ["path", "language", "lines", *PARTS, *_code_columns(view), *CLASS_COLUMNS, "disposition", "reason"]
    return heading, (
        [
            row.path,
            row.facts.language,
            _known(row.facts.physical),
            *_parts(_of(view.convention, row)).values(),
            *(_code(_of(name, row)) for name in view.every),
            *_class_cells(row.facts.lines),
            row.facts.disposition.state.value,
            row.facts.disposition.reason,
        ]
        for row in view.rows
    )


def _csv_languages(view: View) -> tuple[list[str], Iterable[list[Cell]]]:
    heading = ["language", "files", "lines", *PARTS, *_code_columns(view), *CLASS_COLUMNS]
    return heading, (
        [
            one.language,
            one.files,
            one.counts.physical,
            *_parts(one.under(view.convention)).values(),
            *(_code(one.under(name)) for name in view.every),
            *_class_cells(one.counts),
        ]
        for one in _by_code(view, totals(view.rows))
    )


def _csv_classes(view: View) -> tuple[list[str], Iterable[list[Cell]]]:
    found = totals(view.rows)
    counts = found.counts
    names = view.every or (view.convention,)
    return ["class", "lines", *names, "meaning"], (
        [each.label, counts[each], *(" ".join(parts_of(found.sums, name, each)) for name in names), each.meaning]
        for each in LineClass
    )


def _code_columns(view: View) -> list[str]:
    return [f"code_{name}" for name in view.every]


def _class_cells(counts: LineCounts | None) -> list[Cell]:
    return [None if counts is None else counts[each] for each in LineClass]


def _code(found: Projected | None) -> int | None:
    return None if found is None else found.code


def as_table(view: View) -> str:
    """Aligned text: the rows, the totals, what was left out and why, and the convention."""
    found = totals(view.rows)
    once = totals(unique(view.rows))
    notes = [line for note in _notes(view, found, once) for line in textwrap.wrap(note, max(view.width, NARROWEST))]
    return "\n".join([_TABLES[view.by](view, found, once), "", *notes]) + "\n"


def _table_languages(view: View, found: Totals, once: Totals) -> str:
    columns = [Column("language", right=False), Column("files"), *_figure_columns(view)]
    rows = [
        [_name(one.language), number(one.files), *_figures(view, one.counts.physical, one.under)]
        for one in _by_code(view, found)
    ]
    last = [
        [label, number(each.files), *_figures(view, each.counts.physical, each.under)]
        for label, each in _last_rows(found, once)
    ]
    if any(unanswered := [found.unanswered(name) for name in view.every]):
        last.append(["files left out", "", *map(number, unanswered)])
    return table(columns, rows, last=last, width=view.width)


def _table_files(view: View, found: Totals, once: Totals) -> str:
    columns = [*_figure_columns(view), Column("language", right=False), Column("path", right=False)]
    counted = sorted(
        (row for row in view.rows if row.counted), key=lambda row: -(_code(_of(view.convention, row)) or 0)
    )
    rows = [
        [
            *_figures(view, row.facts.physical, partial(_of, row=row)),
            _name(row.facts.language),
            visible(row.path),
        ]
        for row in counted
    ]
    last = [
        [*_figures(view, each.counts.physical, each.under), "", f"{label} of {plural(each.files, 'file')}"]
        for label, each in _last_rows(found, once)
    ]
    shown = table(columns, rows, last=last, width=view.width, folded=False)
    others = [row for row in view.rows if not row.counted]
    if not others:
        return shown
    left_out = table(
        [
            Column("not counted", right=False),
            Column("reason", right=False),
            Column("lines"),
            Column("path", right=False),
        ],
        [
            [
                row.facts.disposition.state.value,
                row.facts.disposition.reason,
                number(_known(row.facts.physical)),
                visible(row.path),
            ]
            for row in others
        ],
        width=view.width,
        folded=False,
    )
    return f"{shown}\n\n{left_out}"


def _table_classes(view: View, found: Totals, once: Totals) -> str:  # noqa: ARG001 - the signature of all tables
    names = view.every or (view.convention,)
    counts = found.counts
    columns = [Column("class", right=False), Column("lines"), *(Column(name, right=False) for name in names)]
    rows = [
        [each.label, number(counts[each]), *("/".join(parts_of(found.sums, name, each)) or "-" for name in names)]
        for each in LineClass
    ]
    shown = table(columns, rows, last=[["total", number(counts.physical), *("" for _ in names)]], width=view.width)
    indent = max(len(name) for name in FIELDS) + 2
    meanings = [
        line
        for each in LineClass
        for line in textwrap.wrap(
            each.meaning,
            max(view.width, indent + NARROWEST),
            initial_indent=each.label.ljust(indent),
            subsequent_indent=" " * indent,
        )
    ]
    return "\n".join([shown, "", *meanings])


def _last_rows(found: Totals, once: Totals) -> list[tuple[str, Totals]]:
    copies = [] if once.files == found.files else [("without copies", once)]
    return [("total", found), *copies]


def _figure_columns(view: View) -> list[Column]:
    return [Column(name) for name in (view.every or ("lines", *PARTS))]


def _figures(view: View, lines: int, under: Callable[[str], Projected | None]) -> list[str]:
    """The cells below `_figure_columns`: code under each convention, or lines and the four parts under one."""
    if view.every:
        return [number(_code(under(name))) for name in view.every]
    return [number(lines), *map(number, _parts(under(view.convention)).values())]


def _by_code(view: View, found: Totals) -> list[Sum]:
    return sorted(found.sums, key=lambda one: (-(_code(one.under(view.convention)) or 0), one.language))


def _name(language: str) -> str:
    return languages()[language].name if language else "(empty file)"


def _notes(view: View, found: Totals, once: Totals) -> list[str]:
    notes = []
    for state in (State.EXCLUDED, State.UNKNOWN):
        if groups := found.of(state):
            files = sum(group.files for group in groups)
            lines = sum(group.lines for group in groups)
            reasons = ", ".join(f"{group.files:,} {group.reason}" for group in groups)
            notes.append(f"{state.value}: {plural(files, 'file')} with {plural(lines, 'line')} ({reasons})")
    if notes and view.by != "file":
        notes[-1] += "; --by file lists them"
    if copies := found.files - once.files:
        notes.append(f"copies: {plural(copies, 'file')} with the content of another; they are part of the total")
    if view.every:
        column = "what that convention calls such lines" if view.by == "class" else "code lines under that convention"
        notes.append(f"each column: {column}; - where it has no answer")
        return notes
    silent = found.unanswered(view.convention)
    if silent:
        notes.append(f"- : {plural(silent, 'file')} in languages that the convention {view.convention} does not know")
    notes.append(f"convention: {view.convention}")
    return notes


_CSV: Mapping[str, Callable[[View], tuple[list[str], Iterable[list[Cell]]]]] = {
    "language": _csv_languages,
    "file": _csv_files,
    "class": _csv_classes,
}
_TABLES: Mapping[str, Callable[[View, Totals, Totals], str]] = {
    "language": _table_languages,
    "file": _table_files,
    "class": _table_classes,
}
VIEWS: Mapping[str, Callable[[View], str]] = {"table": as_table, "json": as_json, "csv": as_csv}
"""By `--format`: from a view to text that ends with a line end."""
