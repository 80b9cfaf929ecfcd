"""Writing a report: all of it is rendered before the first byte is written, and a file appears whole or not at all.

`report-files.json` lists what was written. A later report takes away what an earlier one left and it no longer has,
such as the figures of a comparison; a file that somebody else put there, or changed, stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report.badge import badge_of, to_badge_json, to_badge_svg
from leverage.report.csvout import column_meanings, file_name, to_csv
from leverage.report.jsonview import to_json
from leverage.report.newfile import beside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from leverage.report.view import ReportV1, Table

MANIFEST = "report-files.json"
FORMAT = 1
LONGEST = 1_000_000
"""Bytes of a manifest that is read."""
_OURS = re.compile(r"(?:tables/|charts/)?[a-z0-9][a-z0-9_.-]*")


def render_report(report: ReportV1, tables: Sequence[Table]) -> dict[str, bytes]:
    """All files of a report: path below the output directory, with ``/``, to content."""
    from leverage.report.charts import draw_charts  # noqa: PLC0415 - loads matplotlib
    from leverage.report.html import to_html  # noqa: PLC0415 - loads jinja2
    from leverage.report.markdown import to_markdown  # noqa: PLC0415 - as above

    charts = draw_charts(report)
    badge = badge_of(report)
    files = {
        "index.html": to_html(report, tables, charts),
        "report.json": to_json(report),
        "report.md": to_markdown(report),
        "badge.svg": to_badge_svg(badge),
        "badge.json": to_badge_json(badge),
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
    """Write all files and a manifest under temporary names beside their places, then rename them.

    What an earlier manifest lists and ``files`` lack is removed; other files in ``out`` stay.
    """
    ready: list[tuple[Path, Path]] = []
    target = out
    try:
        earlier = listed_files(out)
        for path, content in {**files, MANIFEST: _manifest(files)}.items():
            target = out / path
            _make_folder(target.parent, out)
            handle, temporary = beside(target)
            ready.append((temporary, target))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
        for part, target in ready:
            part.replace(target)
        for path in earlier.keys() - files.keys():
            target = out / path
            if is_untouched(target, earlier[path], out):
                target.unlink()
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


def _make_folder(folder: Path, out: Path) -> None:
    """Make a folder of the report.

    Raises:
        OSError: it cannot be made, or is a link to somewhere else.
    """
    if folder != out and folder.is_symlink():
        raise OSError(f"{folder.name} is a link, and what is written would land where it leads")
    folder.mkdir(parents=True, exist_ok=True)


def _manifest(files: Mapping[str, bytes]) -> bytes:
    listed = {path: f"sha256:{hashlib.sha256(content).hexdigest()}" for path, content in sorted(files.items())}
    return (json.dumps({"format": FORMAT, "files": listed}, indent=1) + "\n").encode()


def listed_files(out: Path) -> dict[str, str]:
    """What the manifest in a folder lists, path to hash; nothing where there is none, or none of ours."""
    path = out / MANIFEST
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LONGEST:
        return {}
    try:
        stated = json.loads(path.read_bytes())
        files = stated["files"] if stated["format"] == FORMAT else {}
        return {name: digest for name, digest in files.items() if _OURS.fullmatch(name) and isinstance(digest, str)}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}  # somebody else's file of this name: it says nothing about ours


def is_untouched(path: Path, digest: str, out: Path) -> bool:
    """Whether a file is still what an earlier report wrote, inside its folder."""
    if path.is_symlink() or not path.is_file() or (path.parent != out and path.parent.is_symlink()):
        return False
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}" == digest
