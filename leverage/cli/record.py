"""`leverage record`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say
from leverage.cli.gather import measure_systems
from leverage.cli.options import chosen_systems, session, session_options
from leverage.cli.report import source_date
from leverage.cli.traces import read_traces, taken_traces
from leverage.cli.writing import cannot_write, write_whole
from leverage.evidence.collect import as_recorded, recorded_folder
from leverage.evidence.facts import SystemFacts
from leverage.evidence.store import write_facts
from leverage.evidence.traces import trace_fact_text, traces_name
from leverage.model.errors import UncheckableError

if TYPE_CHECKING:
    from leverage.cli.options import Settings


@click.command("record")
@click.argument("systems", nargs=-1)
@session_options
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the record, to be named by --record later; by default the one shipped with leverage.",
)
@click.option(
    "--trace",
    "traces",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What ran while one of SYSTEMS compiled a model, as `leverage trace` writes it; repeatable. Its figures "
    "are kept in place of those that were there.",
)
def command(settings: Settings, *, systems: tuple[str, ...], into: Path | None, traces: tuple[Path, ...]) -> None:
    """Measure SYSTEMS (all by default) and keep the measurement as evidence for work without network.

    Nothing is written unless every system could be measured. Prints the files written.
    """
    given = read_traces(traces)
    on = source_date() or datetime.now(UTC).date().isoformat()
    opened = session(settings)
    measured = measure_systems(opened, chosen_systems(opened, systems))
    if problems := [found for found in measured.values() if not isinstance(found, SystemFacts)]:
        raise UncheckableError(*problems)
    folder = into or recorded_folder()
    taken = [as_recorded(found, on) for found in measured.values() if isinstance(found, SystemFacts)]
    ran = taken_traces(given, {found.system: found for found in taken}, on)
    try:
        written = [path for found in taken for path in write_facts(found, folder)]
        for name, fact in ran.items():
            path = folder / traces_name(name)
            write_whole(path, trace_fact_text(fact).encode())
            written.append(path)
    except OSError as error:
        raise cannot_write(folder, error) from error
    for path in written:
        click.echo(path)
    say(f"{plural(len(measured), 'system')} recorded on {on}")
