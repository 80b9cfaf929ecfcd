"""`leverage verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.gather import measure_systems, recorded_facts
from leverage.cli.options import chosen_systems, record_option, session, session_options
from leverage.evidence.collect import recorded_folder
from leverage.evidence.compare import differences
from leverage.evidence.facts import SystemFacts
from leverage.model.errors import ConfigurationError, ExitCode, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.cli.options import Settings

SHOWN = 20
"""Differences printed for a system before the rest is counted only."""


@click.command("verify")
@click.argument("systems", nargs=-1)
@session_options
@record_option
def command(settings: Settings, *, systems: tuple[str, ...], record: Path | None) -> int:
    """Measure SYSTEMS (all by default) again and prove or disprove the recorded evidence.

    One line a system. Exit code 1: a record is wrong. Exit code 3: none is wrong, but one could not be checked.
    """
    opened = session(settings)
    names = chosen_systems(opened, systems)
    verdicts: dict[str, tuple[ExitCode, list[str]]] = {}
    kept: dict[str, SystemFacts] = {}
    for name in names:
        try:
            found = recorded_facts(opened, record or recorded_folder(), name)
        except ConfigurationError as error:  # not what was written: wrong before anything is compared
            verdicts[name] = ExitCode.FAILS, [f"DISPROVED {name}: {error.problems[0].what}"]
            continue
        if isinstance(found, SystemFacts):
            kept[name] = found
        else:
            verdicts[name] = ExitCode.UNCHECKABLE, [f"unchecked {name}: {found}"]
    for name, measured in measure_systems(opened, kept).items():
        verdicts[name] = _compared(name, kept[name], measured)
    for name in names:
        click.echo("\n".join(verdicts[name][1]))
    codes = {code for code, _ in verdicts.values()}
    # Wrong weighs more than unchecked.
    return next((code for code in (ExitCode.FAILS, ExitCode.UNCHECKABLE) if code in codes), ExitCode.DONE)


def _compared(name: str, kept: SystemFacts, measured: SystemFacts | Problem) -> tuple[ExitCode, list[str]]:
    if isinstance(measured, Problem):
        return ExitCode.UNCHECKABLE, [f"unchecked {name}: {measured.what}"]
    rows = differences(kept, measured)
    if not rows:
        return ExitCode.DONE, [f"proved    {name}: {plural(len(measured.files), 'file')}, every count equal"]
    more = [f"  and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    head = f"DISPROVED {name}: {plural(len(rows), 'difference')}"
    return ExitCode.FAILS, [head, *(f"  {row}" for row in rows[:SHOWN]), *more]
