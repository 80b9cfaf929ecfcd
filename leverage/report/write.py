"""Writing a report: all of it is rendered before the first byte is written, and a file appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report.csvout import column_meanings, file_name, to_csv
from leverage.report.jsonview import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.report.view import ReportV1, Table


def render_report(report: ReportV1, tables: Sequence[Table]) -> dict[str, bytes]:
    """All files of a report: path below the output directory, with ``/``, to content."""
    from leverage.report.charts import draw_charts  # noqa: PLC0415 - loads matplotlib
    from leverage.report.html import to_html  # noqa: PLC0415 - loads jinja2
    from leverage.report.markdown import to_markdown  # noqa: PLC0415 - as above

    charts = draw_charts(report)
    files = {
        "index.html": to_html(report, tables, charts),
        "report.json": to_json(report),
        "report.md": to_markdown(report),
        "tables/columns.json": column_meanings(tables),
    }
    for table in tables:
        path = f"tables/{file_name(table)}"
        if path in files:
            raise ValueError(f"two tables are called {table.name!r}")
        files[path] = to_csv(table)
    for chart in charts:
        files[f"charts/{chart.name}.svg"] = chart.document
    return {path: text.encode("utf-8") for path, text in files.items()}


def write_report(report: ReportV1, tables: Sequence[Table], out: Path) -> list[Path]:
    """Render a report and write it below ``out``, which is made where it is missing. Returns the files written.

    Raises:
        ConfigurationError: ``out`` cannot be written to.
    """
    return write_files(render_report(report, tables), out)


def write_files(files: Mapping[str, bytes], out: Path) -> list[Path]:
    """Write all files under temporary names beside their places, then rename them. Other files in ``out`` stay."""
    ready: list[tuple[Path, Path]] = []
    target = out
    try:
        for path, content in files.items():
            target = out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
            ready.append((Path(temporary), target))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).chmod(0o644)  # a temporary file is private, a report is not
        for part, target in ready:
            part.replace(target)
    except OSError as error:
        raise ConfigurationError(
            Problem(
                slug="cannot-write",
                what=f"cannot write the report: {error.strerror or error}",
                where=Location(str(target)),
                why="a report is one set of files that belong together",
                hint="name a directory that you may write to and that has room",
            )
        ) from error
    finally:
        for part, _ in ready:
            part.unlink(missing_ok=True)
    return [target for _, target in ready]
