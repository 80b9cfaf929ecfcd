"""`leverage index`."""

from __future__ import annotations

import re
from pathlib import Path

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say
from leverage.cli.indexing import release_of_folder, release_of_package
from leverage.cli.workers import jobs_option, usual_jobs
from leverage.cli.writing import write_whole
from leverage.coupling.releases.series import MOST_RELEASES, packed, series_of
from leverage.model.errors import ConfigurationError, Problem
from leverage.spec.mirrors import VARIABLE as MIRRORS_VARIABLE
from leverage.spec.text import shown

_PACKAGE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)")


@click.command("index")
@click.argument("releases", nargs=-1, required=True, metavar="PACKAGE==VERSION | FOLDER ...")
@click.option(
    "--into",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="File of the index; `leverage coupling --against FILE` compares with it.",
)
@click.option(
    "--substrate",
    default="torch",
    show_default=True,
    metavar="PACKAGE",
    help="Import name of what the releases are of.",
)
@click.option(
    "--mirror", envvar=MIRRORS_VARIABLE, metavar="FILE", help="YAML file that maps pypi:NAME==VERSION to local wheels."
)
@click.option("--offline", is_flag=True, envvar="LEVERAGE_OFFLINE", help="Never connect.")
@jobs_option
def command(
    *, releases: tuple[str, ...], into: Path, substrate: str, mirror: str | None, offline: bool, jobs: int | None
) -> None:
    """Index releases of a substrate: every name with its signature and what it does, for --against.

    PACKAGE==VERSION is read from the smallest wheel that the package index has, FOLDER from a checkout, a nightly or a
    site-packages folder that holds the package. Several are put into one index, the oldest first. Only source is read;
    nothing is installed or imported.
    """
    if not substrate.isidentifier():
        raise click.UsageError(f"{substrate!r} is no import name of a package at the top, such as torch")
    if len(releases) > MOST_RELEASES:
        raise click.UsageError(f"an index holds {MOST_RELEASES} releases at most")
    found = []
    for word in releases:
        package = _PACKAGE.fullmatch(word)
        if package is not None:
            read = release_of_package(
                package[1], package[2], substrate, mirror, offline=offline, jobs=jobs or usual_jobs()
            )
        elif (Path(word).expanduser() / substrate).is_dir():
            read = release_of_folder(Path(word).expanduser(), substrate, jobs)
        else:
            raise ConfigurationError(
                Problem(
                    "no-such-release",
                    f"{shown(word)} is neither PACKAGE==VERSION nor a folder that holds {substrate}",
                    hint=f"write {substrate}==2.11.0, or name the folder that holds {substrate}/",
                )
            )
        found.append(read)
    content = packed(series_of(substrate, found))
    write_whole(into, content)
    click.echo(into)
    names = sum(len(module.entries) for _, modules in found for module in modules.values())
    say(f"{plural(len(found), 'release')}, {names:,} names, {len(content):,} bytes")
