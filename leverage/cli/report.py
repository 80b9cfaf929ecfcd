"""`leverage report`."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say
from leverage.cli.options import record_option, recorded_option, session, session_options

if TYPE_CHECKING:
    from leverage.cli.options import Settings


@click.command("report")
@session_options
@record_option
@recorded_option
@click.option(
    "--trace",
    "traces",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What ran while a port compiled a model, as `leverage trace` writes it; repeatable. Takes the place of the "
    "recorded trace of that port.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports/out"),
    show_default=True,
    help="Folder that is written: index.html, report.json, report.md, tables/, charts/.",
)
def command(settings: Settings, *, record: Path | None, recorded: bool, traces: tuple[Path, ...], out: Path) -> None:
    """Measure what is stale and write page, JSON, Markdown and tables.

    Prints the path of the page. Whatever the verdicts, the exit code is 0 once everything is written. A source that
    cannot be had is replaced by its record, or is unknown; both are said on the page.
    """
    opened = session(settings)
    date = source_date()
    from leverage.cli.evidence import evidence_of  # noqa: PLC0415 - these load pandas, and `--help` comes this far
    from leverage.report.build import Context, build_report  # noqa: PLC0415
    from leverage.report.buildtables import build_tables  # noqa: PLC0415
    from leverage.report.write import write_report  # noqa: PLC0415

    evidence, gathered = evidence_of(opened, record, recorded_only=recorded, traces=traces)
    lock = opened.lock_path
    context = Context(
        command="leverage report"
        + (" --recorded" if recorded else "")
        + "".join(f" --trace {one.name}" for one in traces),
        lock_digest=f"sha256:{hashlib.sha256(lock.read_bytes()).hexdigest()}" if lock.is_file() else "",
        date=date,
        warnings=gathered.warnings,
    )
    report = build_report(evidence, context)
    written = write_report(report, build_tables(evidence, report), out)
    say(report.verdict.sentence)
    for sentence in report.verdict.then:
        say(f"  {sentence}")
    say(f"{plural(len(written), 'file')} written")
    click.echo(out / "index.html")


def source_date() -> str:
    """The date that SOURCE_DATE_EPOCH gives, as ISO 8601; empty without it, so that equal input gives equal bytes.

    Raises:
        click.UsageError: the variable is not a number of seconds.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return ""
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise click.UsageError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {epoch!r}") from error
