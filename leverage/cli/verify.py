"""`leverage verify`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.attest import SALT_SUFFIX, attested_now, read_salt
from leverage.cli.gather import measure_systems, recorded_facts
from leverage.cli.options import chosen_systems, record_option, session, session_options
from leverage.evidence.attest import LARGEST, MADE_BY, contradictions, read_attestation
from leverage.evidence.collect import recorded_folder
from leverage.evidence.compare import differences
from leverage.evidence.facts import SystemFacts
from leverage.model.errors import ConfigurationError, ExitCode, Problem
from leverage.spec.lock import Lock
from leverage.spec.types import PathSource

if TYPE_CHECKING:
    from leverage.cli.options import Session, Settings

SHOWN = 20
"""Differences printed for a system before the rest is counted only."""


@click.command("verify")
@click.argument("systems", nargs=-1)
@session_options
@record_option
@click.option(
    "--attestation",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Prove or disprove a file that `leverage attest` wrote, in place of records.",
)
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="PATH",
    help="The checkout to measure for --attestation.",
)
@click.option(
    "--salt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The owner's salt; by default the file beside the attestation, if it is there.",
)
def command(
    settings: Settings,
    *,
    systems: tuple[str, ...],
    record: Path | None,
    attestation: Path | None,
    against: Path | None,
    salt: Path | None,
) -> int:
    """Measure SYSTEMS (all by default) again and prove or disprove the recorded evidence.

    One line a system. Exit code 1: a record is wrong. Exit code 3: none is wrong, but one could not be checked.
    """
    opened = session(settings)
    if attestation is not None:
        if against is None or systems:
            raise click.UsageError("--attestation FILE needs --against PATH, and names its system itself")
        return _attested(opened, attestation, against, salt)
    if against or salt:
        raise click.UsageError("--against and --salt belong to --attestation FILE")
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


def _attested(opened: Session, file: Path, checkout: Path, salt_file: Path | None) -> int:
    """Measure a checkout as the configuration describes the attested system, and compare."""
    with file.open("rb") as handle:
        given = read_attestation(handle.read(LARGEST + 1), str(file))
    (name,) = chosen_systems(opened, (given["system"],))
    beside = file.with_name(file.name + SALT_SUFFIX)
    salt_path = salt_file or (beside if beside.exists() else None)
    spec = opened.loaded.spec
    here = replace(spec.systems[name], source=PathSource(path=str(checkout.absolute())))
    loaded = replace(opened.loaded, spec=replace(spec, systems={**spec.systems, name: here}))
    others = {each: entry for each, entry in opened.lock.systems.items() if each != name}
    measured = attested_now(
        replace(opened, loaded=loaded, lock=Lock(systems=others)), name, read_salt(salt_path) if salt_path else b""
    )
    rows = contradictions(given, measured)
    if not rows:
        unsalted = "" if salt_path else "; without the salt the hashes of files, globs and rules were not checked"
        click.echo(f"proved    {name}: every attested count equal{unsalted}")
        return ExitCode.DONE
    # Another version may count the same code otherwise, which disproves nothing.
    other = [key for key in MADE_BY if given.get(key) != measured[key]]
    head = f"unchecked {name}: attested by another {', '.join(other)}" if other else f"DISPROVED {name}"
    more = [f"  and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    click.echo("\n".join([f"{head}: {plural(len(rows), 'difference')}", *(f"  {row}" for row in rows[:SHOWN]), *more]))
    return ExitCode.UNCHECKABLE if other else ExitCode.FAILS


def _compared(name: str, kept: SystemFacts, measured: SystemFacts | Problem) -> tuple[ExitCode, list[str]]:
    if isinstance(measured, Problem):
        return ExitCode.UNCHECKABLE, [f"unchecked {name}: {measured.what}"]
    rows = differences(kept, measured)
    if not rows:
        return ExitCode.DONE, [f"proved    {name}: {plural(len(measured.files), 'file')}, every count equal"]
    more = [f"  and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    head = f"DISPROVED {name}: {plural(len(rows), 'difference')}"
    return ExitCode.FAILS, [head, *(f"  {row}" for row in rows[:SHOWN]), *more]
