"""`leverage site`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say, warn
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.spec.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.report.view import ReportV1

RESERVED = frozenset({"index.html", "columns.json", "trend.csv", "report-files.json"})
LONGEST = 80


@dataclass(frozen=True, slots=True)
class Named:
    """A report that was asked for: what it is called, the folder it is in, and the report."""

    name: str
    place: Path
    report: ReportV1


@click.command("site")
@click.argument("folders", nargs=-1, required=True, metavar="[NAME=]FOLDER...")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder that is written: index.html, trend.csv, and a copy of each report that lies elsewhere.",
)
@click.option("--title", default="Reports", show_default=True, help="Title of the index.")
def command(folders: tuple[str, ...], out: Path, title: str) -> None:
    """Build a static index over several reports, with trend lines.

    FOLDER is what `leverage report` has written, or a folder with a `report.json` alone; NAME is what the index calls
    it, else the folder's own name. The pages are published as they are: name reports that you trust. Prints the path
    of the index.
    """
    from leverage.report.reading import read_report  # noqa: PLC0415 - `--help` comes this far

    problems: list[Problem] = []
    found: list[Named] = []
    for name, place in _named(folders):
        try:
            found.append(Named(name, place, read_report(place)))
        except ConfigurationError as error:
            problems += error.problems
        if place.resolve() == out.resolve():
            problems.append(_own_folder(out))
    if (out / "report.json").exists():
        problems.append(_own_folder(out))
    if problems:
        raise ConfigurationError(*dict.fromkeys(problems))
    _write(found, out, title)
    say(f"{plural(len(found), 'report')} on the index")
    click.echo(out / "index.html")


def _own_folder(out: Path) -> Problem:
    return Problem(
        "report-in-the-way",
        "the index would take the place of a report's page",
        Location(str(out)),
        hint="name another folder with --out",
    )


def _named(folders: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Names and folders; a name is given once, a second report of it gets a number."""
    given: dict[str, int] = {}
    for text in folders:
        name, equals, path = text.partition("=")
        place = Path(text) if Path(text).exists() or not equals else Path(path)
        if place.name == "report.json":
            place = place.parent
        if Path(text).exists() or not equals or not name:
            name = place.resolve().name
        given[name] = given.get(name, 0) + 1
        yield (name if given[name] == 1 else f"{name} ({given[name]})"), place


def _write(found: Sequence[Named], out: Path, title: str) -> None:
    from leverage.report.site import Kept, render_site  # noqa: PLC0415 - load jinja2
    from leverage.report.write import write_files  # noqa: PLC0415

    taken = set(RESERVED)
    placed = [(one, _inside(one.place, out)) for one in found]
    taken |= {inside.split("/", 1)[0].lower() for _, inside in placed if inside}
    kept, copies = [], []
    for one, inside in placed:
        files = {} if inside else _copied(one)
        folder = inside or _free(one.name, taken)
        page = (one.place / "index.html").is_file() if inside else "index.html" in files
        kept.append(Kept(one.name, folder, page, one.report))
        if not inside:
            copies.append((folder, files))
    index = render_site(kept, title)
    for folder, files in copies:
        if (out / folder).is_symlink():
            raise ConfigurationError(
                Problem(
                    "cannot-write",
                    "is a link, and what is written would land where it leads",
                    Location(str(out / folder)),
                )
            )
        write_files(files, out / folder)
    write_files(index, out)


def _inside(place: Path, out: Path) -> str:
    """The path of a report below the output folder, with ``/``; empty where it lies elsewhere."""
    here, there = place.resolve(), out.resolve()
    return here.relative_to(there).as_posix() if here.is_relative_to(there) else ""


def _free(name: str, taken: set[str]) -> str:
    """A folder's name for a report that no other has, on disks that do not tell capitals too."""
    slug = re.sub(r"[^a-z0-9._-]+", "-", name.lower())[:LONGEST].strip("-.") or "report"
    free, again = slug, 2
    while free in taken:
        free, again = f"{slug}-{again}", again + 1
    taken.add(free)
    return free


def _copied(one: Named) -> dict[str, bytes]:
    """What is copied of a report: its data, and the files of its manifest that are still what was written."""
    from leverage.report.write import is_untouched, listed_files  # noqa: PLC0415 - load jinja2

    listed = listed_files(one.place)
    whole = {path for path, digest in listed.items() if is_untouched(one.place / path, digest, one.place)}
    if changed := sorted(listed.keys() - whole - {"report.json"}):
        warn(
            f"{one.place}: {plural(len(changed), 'file')} not copied, because they are not what the report wrote: "
            f"{', '.join(map(shown, changed[:5]))}"
        )
    if "report.json" in listed and "report.json" not in whole:
        warn(f"{one.place}: report.json was changed after it was written; its page is not copied")
        whole = set()
    return {path: (one.place / path).read_bytes() for path in sorted(whole | {"report.json"})}
