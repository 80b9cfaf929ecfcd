"""`leverage record`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from leverage.cli.console import say
from leverage.cli.gather import measure_systems
from leverage.cli.options import chosen_systems, session, session_options
from leverage.cli.report import source_date
from leverage.evidence.collect import as_recorded, recorded_folder
from leverage.evidence.facts import SystemFacts
from leverage.evidence.store import write_facts
from leverage.model.errors import UncheckableError


@click.command("record")
@click.argument("systems", nargs=-1)
@session_options
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the record; the one shipped with the package by default.",
)
def command(
    systems: tuple[str, ...], config: Path, mirror: str | None, offline: bool, jobs: int | None, into: Path | None
) -> None:
    """Measure SYSTEMS (all by default) and keep the measurement as evidence for work without network.

    Nothing is written unless every system could be measured. Prints the files written.
    """
    opened = session(config, mirror, offline=offline, jobs=jobs)
    names = chosen_systems(opened, systems)
    measured = measure_systems(opened, names)
    problems = [found for found in measured.values() if not isinstance(found, SystemFacts)]
    if problems:
        raise UncheckableError(*problems)
    on = source_date() or datetime.now(UTC).date().isoformat()
    for found in measured.values():
        if isinstance(found, SystemFacts):
            for path in write_facts(as_recorded(found, on), into or recorded_folder()):
                click.echo(path)
    say(f"{len(measured)} systems recorded on {on}")
