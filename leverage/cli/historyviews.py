"""The forms in which `leverage history` is printed."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from leverage.cli.aligned import Column, number, table
from leverage.cli.historysvg import drawn
from leverage.cli.series import TOTAL
from leverage.measure.conventions import CONVENTIONS
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from leverage.cli.series import Point, Series

FORMAT = 1
_SHORT = 12


def _table(series: Series, width: int) -> str:
    """One row a commit: under every convention, or apart under one of them."""
    apart = series.by != TOTAL
    headings = [visible(key) for key in series.keys] if apart else list(CONVENTIONS)
    columns = [Column("date", right=False), Column("commit", right=False), Column("files")]
    columns += [Column("total")] if apart else []
    columns += [Column(heading) for heading in headings]
    rows = [_row(series, point, apart=apart) for point in series.points]
    remarks = [_remark(point) for point in series.points]
    if any(remarks):
        columns.append(Column("remark", right=False))
        rows = [[*row, remark] for row, remark in zip(rows, remarks, strict=True)]
    what = "all files" if series.everything or series.by == "purpose" else "production code"
    foot = f"code lines of {what}" + (f", convention: {series.convention}" if apart else "")
    return f"{table(columns, rows, width=width)}\n\n{foot}\n"


def _row(series: Series, point: Point, *, apart: bool) -> list[str]:
    def size(known: int) -> str:
        return number(None if point.gap else known)

    head = [point.commit.date[:10], point.commit.id[:_SHORT], size(sum(point.files.values()))]
    if not apart:
        return [*head, *(size(sum(point.lines.get(name, {}).values())) for name in CONVENTIONS)]
    found = point.lines.get(series.convention, {})
    return [*head, size(sum(found.values())), *(size(found.get(key, 0)) for key in series.keys)]


def _remark(point: Point) -> str:
    if point.gap:
        return visible(point.gap)
    return f"{point.missing:,} files missing" if point.missing else ""


def _csv(series: Series, _width: int) -> str:
    """One row for each commit and what it is told apart by; a gap is one row without figures."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["date", "commit", series.by, "files", *CONVENTIONS, "missing_files", "gap"])
    for point in series.points:
        head = [point.commit.date, point.commit.id]
        if point.gap:
            writer.writerow([*head, "", "", *("" for _ in CONVENTIONS), "", _cell(point.gap)])
            continue
        for key in _keys(series, point):
            sizes = (point.lines[name].get(key, 0) for name in CONVENTIONS)
            writer.writerow([*head, _cell(key), point.files.get(key, 0), *sizes, point.missing, ""])
    return out.getvalue()


def _keys(series: Series, point: Point) -> list[str]:
    """What a point has of the series; a commit without code has a total of none."""
    return [TOTAL] if series.by == TOTAL else [key for key in series.keys if key in point.files]


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    plain = visible(text)
    return f"'{plain}" if plain.startswith(("=", "+", "-", "@")) else plain


def _json(series: Series, _width: int) -> str:
    """Everything, under every convention."""
    document = {
        "format": FORMAT,
        "target": visible(series.target),
        "location": visible(series.location),
        "by": series.by,
        "purposes": "all" if series.everything or series.by == "purpose" else "production",
        "convention": series.convention,
        "notes": [visible(note) for note in series.notes],
        "samples": [_sample(series, point) for point in series.points],
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def _sample(series: Series, point: Point) -> dict[str, object]:
    head: dict[str, object] = {"date": point.commit.date, "commit": point.commit.id}
    if point.gap:
        return {**head, "gap": visible(point.gap), "missing_files": None, "sizes": None}
    sizes = {
        visible(key): {"files": point.files.get(key, 0)} | {name: point.lines[name].get(key, 0) for name in CONVENTIONS}
        for key in _keys(series, point)
    }
    return {**head, "gap": "", "missing_files": point.missing, "sizes": sizes}


def _svg(series: Series, _width: int) -> str:
    return drawn(series)


VIEWS: Mapping[str, Callable[[Series, int], str]] = {"table": _table, "csv": _csv, "json": _json, "svg": _svg}
"""Name of a form -> text of a series at a width."""
