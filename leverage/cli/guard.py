"""`leverage guard`."""

from __future__ import annotations

from pathlib import Path

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say, warn
from leverage.cli.coupling import pinned_port
from leverage.cli.options import Settings, session_options
from leverage.cli.writing import write_whole
from leverage.coupling.releases.watching import fingerprint, guard_text, patched_places
from leverage.coupling.tree import MOST_BYTES
from leverage.model.errors import ConfigurationError, Problem
from leverage.spec.text import shown


@click.command("guard")
@click.argument("target", metavar="SYSTEM | PATH | REPO@REV")
@click.option(
    "--upstream",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Folder that holds the substrate as the port is written for it, such as a site-packages: what the patched "
    "functions are like is read from there.",
)
@click.option(
    "--into", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE", help="The test file."
)
@click.option("--pin", default="", metavar="VERSION", help="Release that the port is written for.")
@click.option(
    "--package", default="", metavar="NAME", help="Import name of the package that PATH is, if it is inside one."
)
@click.option(
    "--substrate", default="torch", show_default=True, metavar="PACKAGE", help="Import name of the substrate."
)
@session_options
def command(
    settings: Settings, *, target: str, upstream: Path, into: Path, pin: str, package: str, substrate: str
) -> None:
    """Write a test for a port that fails when upstream code that it patches or overrides changes.

    The file needs nothing but pytest and the substrate, which it does not import. Put it among the port's tests; when
    it fails, look at the patch, then write the file anew.
    """
    port, names = pinned_port(settings, target, package=package, substrate=substrate, pin=pin)
    places = patched_places(port.touchpoints, names)
    found, missing = [], []
    for module, path in places:
        printed = _printed(upstream, module, path)
        if printed is None:
            missing.append(f"{module}.{path}")
        else:
            found.append((module, path, printed))
    if not found:
        raise ConfigurationError(
            Problem(
                "nothing-to-guard",
                f"of {plural(len(places), 'patched name')} none is in {shown(str(upstream))}",
                why="a test that watches nothing would never fail",
                hint=f"name the folder that holds {substrate}/ of release {names.version}",
            )
        )
    if missing:
        warn(f"not in {upstream}, and not watched: {', '.join(missing[:5])}{' ...' if len(missing) > 5 else ''}")  # noqa: PLR2004 - five are told
    write_whole(into, guard_text(found, names.version).encode())
    click.echo(into)
    say(f"{plural(len(found), 'name')} of {substrate} {names.version} watched")


def _printed(folder: Path, module: str, path: str) -> str | None:
    stem = folder.joinpath(*module.split("."))
    for place in (stem.with_suffix(".py"), stem / "__init__.py"):
        if place.is_file() and place.stat().st_size <= MOST_BYTES:
            return fingerprint(place.read_bytes(), path)
    return None
