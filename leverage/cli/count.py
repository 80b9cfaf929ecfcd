"""`leverage count`."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import UNBOUNDED
from leverage.cli.console import progress_on_terminal, warn
from leverage.cli.countviews import VIEWS, View
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.sums import Row
from leverage.cli.watched import Watched
from leverage.cli.workers import jobs_option, usual_jobs
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.pipeline import measure
from leverage.model.errors import ConfigurationError, LeverageError, Problem
from leverage.report.display import visible
from leverage.sources.target import open_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.cache import Cache
    from leverage.sources.base import Progress

ALL = "all"
DEFAULT = "leverage"


@click.command("count")
@click.argument("targets", nargs=-1, metavar="[PATH | REPO@REV]...")
@click.option(
    "--by",
    type=click.Choice(["language", "file", "class"]),
    default="language",
    show_default=True,
    help="What a row of the table or CSV is; JSON always holds all three.",
)
@click.option(
    "--convention",
    type=click.Choice([*CONVENTIONS, ALL]),
    default=DEFAULT,
    show_default=True,
    help=f"The rule by which a line is code; `{ALL}` shows each.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(VIEWS)),
    default="table",
    show_default=True,
    help="How the counts are printed.",
)
@jobs_option
def command(targets: tuple[str, ...], by: str, convention: str, form: str, jobs: int | None) -> None:
    """Count lines of code, documentation, comment and blank lines.

    PATH is a file or a folder, the current folder by default. In a git work tree, tracked files and untracked ones that
    are not ignored are counted. REPO@REV is a local repository, bare or not, at a branch, tag or commit; `.@HEAD` is
    the last commit here. A file that several arguments name is counted once; a symbolic link is not followed, but for
    a folder's with a slash behind it. What is not counted is listed with its reason by `--by file`.
    """
    names = list(dict.fromkeys(targets or (".",)))
    rows: dict[tuple[str, str], Row] = {}  # by what a file is, however it was named
    problems: list[LeverageError] = []
    with opened_cache(counts_file(home())) as cache, progress_on_terminal(names) as talk:
        for name in names:
            try:
                for identity, row in _rows(name, talk[name], cache, jobs or usual_jobs(), alone=len(names) == 1):
                    rows.setdefault(identity, row)
            except LeverageError as error:
                problems.append(error)
    if problems:
        raise type(problems[0])(*(problem for error in problems for problem in error.problems))
    everything = convention == ALL
    width = shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns
    view = View(
        list(rows.values()), by, DEFAULT if everything else convention, tuple(CONVENTIONS) if everything else (), width
    )
    click.echo(VIEWS[form](view), nl=False)


def _rows(name: str, talk: Progress, cache: Cache, jobs: int, *, alone: bool) -> Iterator[tuple[tuple[str, str], Row]]:
    """The files of a target, each with what it is: the place on disk or the commit, and the path there."""
    _check(name)
    target = open_target(name, talk)
    if target.note:
        warn(target.note)
    with target.source as source:
        talk(f"counting {len(target.files):,} files")
        facts = measure(Watched(source, talk), target.files, context=source.snapshot.files, cache=cache, jobs=jobs)
    talk("")
    pin = source.snapshot.pin
    on_disk = pin.kind == "directory"
    root = os.path.realpath(_expanded(name)) if on_disk else pin.id
    for fact in facts:
        path = fact.file.path.removeprefix(target.below).removeprefix("/") if on_disk else fact.file.path
        identity = (f"{root}/{path}" if path else root, "") if on_disk else (root, path)
        yield identity, Row(target.shown(fact.file.path, alone=alone), fact)


def _expanded(name: str) -> str:
    return os.path.expanduser(name)  # noqa: PTH111 - an unknown ~user is no error here, and a slash at the end stays


def _check(name: str) -> None:
    """Refuse what can only be a slip, before anything is opened."""
    if os.path.islink(_expanded(name)):  # noqa: PTH114 - with a slash behind it, it is what it leads to
        raise ConfigurationError(
            Problem(
                "symlink",
                f"{visible(name)} is a symbolic link, and links are not followed",
                why="what a link leads to may be counted elsewhere, or lie outside what was asked for",
                hint=f"name what it leads to, or write {visible(name)}/ for the folder behind it",
            )
        )
    if name.endswith("@") and not os.path.lexists(name):
        raise ConfigurationError(
            Problem(
                "no-revision",
                f"{visible(name)} names no revision",
                hint=f"write a branch, tag or commit after the @, such as {visible(name)}HEAD",
            )
        )
