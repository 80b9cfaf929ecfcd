"""Systems side by side as a page, as Markdown, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from leverage import __version__
from leverage.report.charts import palette
from leverage.report.display import visible
from leverage.report.format import count_text, percent_text, ratio_text
from leverage.report.html import environment_of_pages, policy, resource
from leverage.report.markdown import code, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from leverage.claims.sidebyside import Cell, Ratio, Row, SideBySide

FORMAT = 1
"""Version of the JSON."""
UNKNOWN = "unknown"
SHORT_COMMIT = 12
"""Digits of a commit that people are shown; JSON and CSV have all."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
SHARE, TIMES = "share", "x"
"""Units whose numbers are fractions."""


def number_text(value: int | Fraction | str, unit: str) -> str:
    """A value of a row as people read it."""
    if isinstance(value, str):
        return value[:SHORT_COMMIT] if _COMMIT.fullmatch(value) else value
    if unit == SHARE:
        return percent_text(Fraction(value))
    return ratio_text(Fraction(value)) if unit == TIMES else count_text(int(value))


def cell_text(cell: Cell, unit: str) -> str:
    """A cell in words; its interval where it is not certain."""
    if cell.value is None:
        return UNKNOWN
    text = number_text(cell.value, unit)
    if cell.low is None or cell.high is None or cell.low == cell.high:
        return text
    return f"{text} ({number_text(cell.low, unit)} to {number_text(cell.high, unit)})"


def ratio_words(ratio: Ratio, first: str) -> str:
    """A ratio in one sentence: what it is, how certain, and whether it may be called comparable."""
    if ratio.value is None:
        return f"{ratio.side} against {first}: unknown"
    text = f"{ratio.side} is {ratio_text(ratio.value)} the size of {first}"
    if ratio.low is not None and ratio.high is not None and ratio.low != ratio.high:
        text += f" ({ratio_text(ratio.low)} to {ratio_text(ratio.high)})"
    return f"{text}; not comparable: {', '.join(ratio.flags)}" if ratio.flags else f"{text}; comparable"


def to_json(found: SideBySide) -> str:
    """The comparison as JSON; fractions are ``numerator/denominator``, so nothing is rounded."""
    told = {"format": FORMAT, "tool": f"leverage {__version__}", **_plain(asdict(found))}
    return json.dumps(told, indent=1, ensure_ascii=True) + "\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a value holds
    match value:
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def to_csv(found: SideBySide) -> str:
    """One line for each row and side."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["group", "row", "unit", "side", "value", "low", "high", "origin", "why", "known"])
    for row in found.rows:
        for name, cell in zip(found.names, row.cells, strict=True):
            exact = ["" if each is None else str(each) for each in (cell.value, cell.low, cell.high)]
            known = f"{row.comparable} of {len(row.cells)}"
            line = [row.group, row.label, row.unit, name, *exact, cell.origin.value, cell.why, known]
            writer.writerow([visible(each) for each in line])
    return text.getvalue()


def to_markdown(found: SideBySide) -> str:
    """The comparison as Markdown: whether it is fair comes first."""
    first = found.names[0]
    lines = [
        f"# {escaped(' beside '.join(found.names))}",
        "",
        f"Cut at the boundary {code(found.boundary)}; a line is code under {code(found.convention)}.",
        "",
        *(f"- {escaped(ratio_words(each, first))}" for each in found.ratios),
        "",
        "## Is it fair?",
        "",
        _heads(["question", *found.names, "fair"]),
        *(_line([each.question, *each.answers, each.fair]) for each in found.checks),
    ]
    for group, rows in groupby(found.rows, key=lambda row: row.group):
        lines += ["", f"## {group}", "", _heads(["", *found.names, "known"])]
        for row in rows:
            label = f"{row.label} ({row.unit})" if row.unit else row.label
            cells = [cell_text(cell, row.unit) for cell in row.cells]
            lines.append(_line([label, *cells, f"{row.comparable} of {len(row.cells)}"]))
    if found.lacks:
        lines += ["", "## Stages that not all have", "", _heads(["stage", "have it", "lack it", "may have it"])]
        lines += [_line([each.stage, *map(", ".join, (each.have, each.lack, each.open))]) for each in found.lacks]
    return "\n".join(lines) + "\n"


def _heads(heads: list[str]) -> str:
    return f"{_line(heads)}\n|{'---|' * len(heads)}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(escaped(each) for each in cells)} |"


def to_html(found: SideBySide) -> str:
    """One page that loads nothing."""
    style = palette.style_rules() + resource("style.css")
    groups = [(group, list(rows)) for group, rows in groupby(found.rows, key=lambda row: row.group)]
    return (
        environment_of_pages()
        .get_template("comparison.html.j2")
        .render(
            found=found,
            groups=groups,
            cell_text=cell_text,
            ratio_words=ratio_words,
            widest=_widest,
            origins=_origins(found),
            style=Markup(style),  # noqa: S704 - ours
            policy=policy(style, ""),
            version=__version__,
        )
    )


def _origins(found: SideBySide) -> list[str]:
    """Who vouches for the figures of each side; a side without any is unknown."""
    told = []
    for at in range(len(found.names)):
        known = {row.cells[at].origin.value for row in found.rows if row.cells[at].value is not None}
        told.append(", ".join(sorted(known)) or UNKNOWN)
    return told


def _widest(rows: list[Row]) -> int:
    """The largest number of lines in some rows, for bars of one scale."""
    return max((cell.value for row in rows for cell in row.cells if isinstance(cell.value, int)), default=0)


VIEWS: Mapping[str, Callable[[SideBySide], str]] = MappingProxyType(
    {"markdown": to_markdown, "html": to_html, "json": to_json, "csv": to_csv}
)
"""How a comparison can be written, by the name of the form."""
