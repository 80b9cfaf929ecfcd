"""`leverage count`."""

from __future__ import annotations

import shutil
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import UNBOUNDED
from leverage.cli.console import progress, warn
from leverage.cli.countviews import VIEWS, View
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.sums import Row
from leverage.cli.watched import Watched
from leverage.cli.workers import jobs_option, usual_jobs
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.pipeline import measure
from leverage.model.errors import LeverageError
from leverage.sources.base import silent
from leverage.sources.target import open_target

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

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
    the last commit here. What is not counted is listed with its reason by `--by file`.
    """
    names = list(dict.fromkeys(targets or (".",)))
    rows: list[Row] = []
    problems: list[LeverageError] = []
    with opened_cache(counts_file(home())) as cache, _talk(names) as talk:
        for name in names:
            try:
                rows += _rows(name, talk[name], cache, jobs or usual_jobs(), alone=len(names) == 1)
            except LeverageError as error:
                problems.append(error)
    if problems:
        raise type(problems[0])(*(problem for error in problems for problem in error.problems))
    everything = convention == ALL
    width = shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns
    view = View(rows, by, DEFAULT if everything else convention, tuple(CONVENTIONS) if everything else (), width)
    click.echo(VIEWS[form](view), nl=False)


def _talk(names: list[str]) -> AbstractContextManager[Mapping[str, Progress]]:
    """Progress on a terminal only: a counter in a pipe says nothing but its counts."""
    return progress(names) if sys.stderr.isatty() else nullcontext(dict.fromkeys(names, silent))


def _rows(name: str, talk: Progress, cache: Cache, jobs: int, *, alone: bool) -> list[Row]:
    target = open_target(name, talk)
    if target.note:
        warn(target.note)
    with target.source as source:
        talk(f"counting {len(target.files):,} files")
        facts = measure(Watched(source, talk), target.files, context=source.snapshot.files, cache=cache, jobs=jobs)
    talk("")
    return [Row(target.shown(fact.file.path, alone=alone), fact) for fact in facts]
