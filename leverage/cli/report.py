"""`leverage report`."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import click

from leverage.cli.console import say
from leverage.cli.evidence import evidence_of
from leverage.cli.options import session, session_options


@click.command("report")
@session_options
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports/out"),
    show_default=True,
    help="Folder that is written: index.html, report.json, report.md, tables/, charts/.",
)
@click.option("--recorded", is_flag=True, help="Use the recorded evidence only, even where a source is at hand.")
def command(config: Path, mirror: str | None, offline: bool, jobs: int | None, out: Path, recorded: bool) -> None:
    """Measure what is stale and write page, JSON, Markdown and tables.

    Prints the path of the page. Whatever the verdicts, the exit code is 0 once everything is written.
    """
    from leverage.report.build import Context, build_report, build_tables
    from leverage.report.write import write_report

    opened = session(config, mirror, offline=offline, jobs=jobs)
    evidence, gathered = evidence_of(opened, recorded_only=recorded)
    lock = opened.lock_path
    context = Context(
        command="leverage report" + (" --recorded" if recorded else ""),
        lock_digest=f"sha256:{hashlib.sha256(lock.read_bytes()).hexdigest()}" if lock.is_file() else "",
        date=source_date(),
        warnings=gathered.warnings,
    )
    report = build_report(evidence, context)
    written = write_report(report, build_tables(evidence, report), out)
    say(f"{report.verdict.sentence}")
    for sentence in report.verdict.then:
        say(f"  {sentence}")
    say(f"{len(written)} files written")
    click.echo(out / "index.html")


def source_date() -> str:
    """The date that SOURCE_DATE_EPOCH gives, as ISO 8601; empty without it, so that the same input gives the same bytes.

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
