"""`leverage compare`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.classify.pack import shipped_packs
from leverage.cli.console import say
from leverage.cli.options import record_option, recorded_option, session, session_options
from leverage.cli.writing import make_folder, write_all
from leverage.model.errors import ConfigurationError, ExitCode, Problem
from leverage.spec.lock import Lock
from leverage.spec.select import parse_side
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import GitSource, PathSource

if TYPE_CHECKING:
    from leverage.cli.options import Session, Settings

FORMS = {"markdown": "md", "html": "html", "json": "json", "csv": "csv"}
LEAST = 2
_COMMIT = re.compile(r"[0-9a-f]{40}")


@click.command("compare")
@click.argument("names", metavar="SYSTEM SYSTEM...", nargs=-1, required=True)
@session_options
@record_option
@recorded_option
@click.option("--boundary", default="", help="Where the systems are cut; that of the headline by default.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="markdown",
    show_default=True,
    help="How the comparison is printed; with --out all four are written.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that is written: comparison.html, .md, .json, .csv. Prints the path of the page.",
)
def command(
    settings: Settings,
    *,
    names: tuple[str, ...],
    record: Path | None,
    recorded: bool,
    boundary: str,
    form: str,
    out: Path | None,
) -> int:
    """Set systems side by side: first whether that is fair, then size, stages, reuse, tests, languages.

    A SYSTEM is an id of the configuration, with @PROFILE where it has some, or with @COMMIT for another revision of it
    (40 digits), which is measured now. To compare one that is not described yet: leverage init --from URL --into .
    A ratio is called comparable only where every question of fairness is answered with yes.
    """
    if len(set(names)) < LEAST:
        raise click.UsageError("name two different systems at least")
    opened = session(settings)
    opened, sides = _with_revisions(opened, names)
    _known(opened, sides)
    _declared(opened, sides, boundary)
    from leverage.claims.sidebyside import side_by_side  # noqa: PLC0415 - these load pandas, and `--help` comes this far
    from leverage.cli.evidence import evidence_of  # noqa: PLC0415
    from leverage.report.comparison import VIEWS  # noqa: PLC0415

    wanted = _needed(opened, sides)
    evidence, _ = evidence_of(wanted, record, recorded_only=recorded)
    found = side_by_side(evidence, sides, boundary)
    unread = [side for side in sides if parse_side(side)[0] in evidence.gaps]
    code = ExitCode.UNCHECKABLE if unread else ExitCode.DONE
    if out is None:
        click.echo(VIEWS[form](found), nl=False)
        return code
    make_folder(out)
    write_all({out / f"comparison.{ending}": VIEWS[each](found).encode() for each, ending in FORMS.items()})
    say(f"{len(FORMS)} files written")
    click.echo(out / "comparison.html")
    return code


def _with_revisions(opened: Session, names: tuple[str, ...]) -> tuple[Session, list[str]]:
    """The session with a system more for each ``SYSTEM@COMMIT``, and the names of the sides in it."""
    spec = opened.loaded.spec
    systems = dict(spec.systems)
    sides: list[str] = []
    for name in dict.fromkeys(names):
        system_id, revision = parse_side(name)
        source = systems[system_id].source if system_id in systems else None
        if not _COMMIT.fullmatch(revision):
            sides.append(name)
            continue
        if not isinstance(source, GitSource | PathSource):
            raise ConfigurationError(
                Problem("no-such-revision", f"{shown(system_id)} is no repository, so it has no revision {revision}")
            )
        short = f"{system_id}-{revision[:10]}"
        pack = systems[system_id].pack or (system_id if system_id in shipped_packs() else "")
        systems[short] = replace(systems[system_id], source=replace(source, commit=revision), pack=pack)
        sides.append(short)
    return replace(opened, loaded=replace(opened.loaded, spec=replace(spec, systems=systems))), sides


def _known(opened: Session, sides: list[str]) -> None:
    systems = opened.loaded.spec.systems
    problems = []
    for name in sides:
        system_id, profile = parse_side(name)
        if system_id not in systems:
            what = f"there is no system {shown(system_id)}"
            hint = did_you_mean(system_id, systems, "systems")
            problems.append(Problem("no-such-system", what, hint=hint))
        elif name.endswith("@"):
            problems.append(Problem("no-such-profile", f"{shown(name)} names no profile and no commit after its @"))
        elif profile and profile not in systems[system_id].profiles:
            what = f"{system_id} has no profile {shown(profile)}, and that is no full commit either"
            hint = did_you_mean(profile, systems[system_id].profiles, "profiles")
            problems.append(Problem("no-such-profile", what, hint=hint))
    if problems:
        raise ConfigurationError(*problems)


def _declared(opened: Session, sides: list[str], boundary: str) -> None:
    """Raise if no side declares the boundary that was asked for."""
    systems = opened.loaded.spec.systems
    declared = {each for side in sides for each in systems[parse_side(side)[0]].boundaries}
    if boundary and boundary not in declared:
        what = f"none of {', '.join(sides)} declares a boundary {shown(boundary)}"
        hint = did_you_mean(boundary, sorted(declared), "boundaries")
        raise ConfigurationError(Problem("no-such-boundary", what, hint=hint))


def _needed(opened: Session, sides: list[str]) -> Session:
    """The session with those systems only that the sides need: themselves, what they build on, and what is below."""
    systems = opened.loaded.spec.systems
    needed: list[str] = []
    waiting = [parse_side(name)[0] for name in sides]
    while waiting:
        name = waiting.pop(0)
        if name in needed or name not in systems:
            continue
        needed.append(name)
        system = systems[name]
        owners = [part.rpartition(".")[0] for parts in system.boundaries.values() for part in parts]
        waiting += [*([system.builds_on] if system.builds_on else []), *system.below, *filter(None, owners)]
    kept = {name: system for name, system in systems.items() if name in needed}
    spec = replace(opened.loaded.spec, systems=kept, probes={}, claims={}, budgets=())
    lock = Lock(systems={name: entry for name, entry in opened.lock.systems.items() if name in kept})
    return replace(opened, loaded=replace(opened.loaded, spec=spec), lock=lock)
