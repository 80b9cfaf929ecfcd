"""The forms in which `leverage diff` is printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from leverage.cli.aligned import Column, plural, table
from leverage.cli.differences import CODE, signed
from leverage.cli.sticky import comment
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from leverage.cli.differences import Difference, Row, Section, Value

FORMAT = 1
MOST_ROWS = 20
"""Rows of a section that people are shown; JSON holds all."""
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#|~"})


def _table(found: Difference, width: int) -> str:
    if found.nothing:
        return _nothing(found)
    blocks = ["\n".join([_heading(found), *_causes(found)]), found.sentence]
    for section in found.sections:
        cells, more = _shown(section)
        columns = [Column(section.title, right=False), Column("before"), Column("after"), Column("change")]
        if _several(found):
            columns.append(Column("can be due to", right=False))
            cells = [[*row, one.cause] for row, one in zip(cells, section.rows, strict=False)]
        text = table(columns, [[visible(cell) for cell in row] for row in cells], width=width)
        blocks.append("\n".join([f"{section.unit}:", text, *more]))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _heading(found: Difference) -> str:
    return f"{visible(found.before)} to {visible(found.after)}"


def _nothing(found: Difference) -> str:
    return f"{_heading(found)}: nothing changed, neither code nor rules nor tool\n"


def _several(found: Difference) -> bool:
    """Whether something but the code can have caused a change, so that each row has to say what."""
    return any(row.cause != CODE for section in found.sections for row in section.rows)


def _causes(found: Difference) -> Iterator[str]:
    for cause, changed in found.causes.items():
        yield f"{cause} changed: {'; '.join(map(visible, changed)) or 'no'}"


def _shown(section: Section) -> tuple[list[list[str]], list[str]]:
    cells = [
        [row.key, _value(row.before), _value(row.after), "" if row.change is None else signed(row.change)]
        for row in section.rows[:MOST_ROWS]
    ]
    rest = len(section.rows) - len(cells)
    return cells, [f"and {plural(rest, 'more row')}; --format json has them"] if rest else []


def _value(value: Value) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else value


def _markdown(found: Difference, _width: int) -> str:
    """For a pull request: one sentence, then what it is made of behind a fold."""
    if found.nothing:
        return _escaped(_nothing(found))
    lines = [f"**{_escaped(found.sentence)}**" if found.sentence else f"**{_escaped(_heading(found))}**", ""]
    lines += [f"- {_escaped(line)}" for line in _causes(found)]
    for section in found.sections:
        cells, more = _shown(section)
        lines += ["", f"<details><summary>{_escaped(section.title)} ({_escaped(section.unit)})</summary>", ""]
        lines += list(_rows(section, cells, several=_several(found)))
        lines += ["", *(f"{_escaped(line)}" for line in more), "</details>"]
    return "\n".join(lines) + "\n"


def _rows(section: Section, cells: Sequence[Sequence[str]], *, several: bool) -> Iterator[str]:
    yield f"| {_escaped(section.title)} | before | after | change |" + (" can be due to |" if several else "")
    yield "|---|---:|---:|---:|" + ("---|" if several else "")
    for row, one in zip(cells, section.rows, strict=False):
        last = [one.cause] if several else []
        yield "| " + " | ".join(map(_escaped, [*row, *last])) + " |"


def _escaped(text: str) -> str:
    return visible(text.rstrip("\n")).translate(_MARKS) + ("\n" if text.endswith("\n") else "")


def _json(found: Difference, _width: int) -> str:
    document = {
        "format": FORMAT,
        "before": visible(found.before),
        "after": visible(found.after),
        "changed": not found.nothing,
        "sentence": visible(found.sentence),
        "causes": {cause: [visible(one) for one in changed] for cause, changed in found.causes.items()},
        "sections": [
            {"title": section.title, "unit": section.unit, "rows": [_row(row) for row in section.rows]}
            for section in found.sections
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def _row(row: Row) -> dict[str, Value]:
    return {
        "key": visible(row.key),
        "before": row.before,
        "after": row.after,
        "change": row.change,
        "cause": row.cause,
    }


def _comment(found: Difference, _width: int) -> str:
    return comment(found)


VIEWS: Mapping[str, Callable[[Difference, int], str]] = {
    "table": _table,
    "markdown": _markdown,
    "comment": _comment,
    "json": _json,
}
"""Name of a form -> text of a difference at a width."""
