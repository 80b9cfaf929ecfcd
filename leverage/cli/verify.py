"""`leverage verify`."""

from __future__ import annotations

from pathlib import Path

import click

from leverage.cli.gather import measure_systems, usable_record
from leverage.cli.options import chosen_systems, session, session_options
from leverage.evidence.collect import recorded_folder
from leverage.evidence.compare import differences
from leverage.evidence.facts import SystemFacts
from leverage.evidence.store import read_facts
from leverage.model.errors import ExitCode

SHOWN = 20
"""Differences printed for a system before the rest is counted only."""


@click.command("verify")
@click.argument("systems", nargs=-1)
@session_options
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of the record; the one shipped with the package by default.",
)
def command(
    systems: tuple[str, ...], config: Path, mirror: str | None, offline: bool, jobs: int | None, record: Path | None
) -> int:
    """Measure SYSTEMS (all by default) again and prove or disprove the recorded evidence.

    One line a system. Exit code 1: a record is wrong. Exit code 3: none is wrong, but one could not be checked.
    """
    opened = session(config, mirror, offline=offline, jobs=jobs)
    names = chosen_systems(opened, systems)
    measured = measure_systems(opened, names)
    wrong = unchecked = False
    for name in names:
        found = measured[name]
        kept = usable_record(opened.loaded.spec.systems[name], read_facts(record or recorded_folder(), name))
        if not isinstance(kept, SystemFacts):
            unchecked = True
            click.echo(f"unchecked {name}: {kept}")
        elif not isinstance(found, SystemFacts):
            unchecked = True
            click.echo(f"unchecked {name}: {found.what}")
        elif rows := differences(kept, found):
            wrong = True
            click.echo(f"DISPROVED {name}: {len(rows)} differences")
            for row in rows[:SHOWN]:
                click.echo(f"  {row}")
            if len(rows) > SHOWN:
                click.echo(f"  and {len(rows) - SHOWN} more")
        else:
            click.echo(f"proved    {name}: {len(found.files):,} files, every count equal")
    return ExitCode.FAILS if wrong else ExitCode.UNCHECKABLE if unchecked else ExitCode.DONE
