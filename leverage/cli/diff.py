"""`leverage diff`."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from leverage.cli.aligned import UNBOUNDED, plural
from leverage.cli.console import progress_on_terminal, warn
from leverage.cli.differences import CODE, Difference, Row, of_points, of_reports
from leverage.cli.diffviews import VIEWS
from leverage.cli.history import DEFAULT, Subject, measured, subject_of
from leverage.cli.options import session_options
from leverage.cli.series import BY, points_of, purpose_of
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Location, Problem, UncheckableError
from leverage.sources.base import Missing, silent
from leverage.spec.text import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.cli.options import Settings
    from leverage.measure.series import Label, Sample
    from leverage.sources.base import Progress

LARGEST_REPORT = 256 * 2**20
"""Bytes."""


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@session_options
@click.option(
    "--convention",
    type=click.Choice(list(CONVENTIONS)),
    default=DEFAULT,
    show_default=True,
    help="The rule by which a line is code, for two revisions.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(VIEWS)),
    default="table",
    show_default=True,
    help="How it is printed; `comment`, for two reports, is empty unless a verdict, a headline ratio or a touchpoint "
    "changed.",
)
def command(settings: Settings, *, before: str, after: str, convention: str, form: str) -> None:
    """Say what changed from A to B: the code, the rules or the tool; by stage, language and file.

    A and B are two revisions, SYSTEM@REV or PATH@REV as for `leverage history`, or two files `report.json`. PATH alone
    is its last commit, without what has not been committed. Revisions are measured by one tool and one set of rules, so
    that what differs is code; reports may differ in all three, and each figure says which of them can have changed it.
    """
    reports = [name.endswith(".json") and Path(name).is_file() for name in (before, after)]
    if reports[0] != reports[1]:
        raise click.UsageError("A and B must be of one kind: two revisions, or two files report.json")
    if form == "comment" and not all(reports):
        raise click.UsageError("--format comment is for two files report.json, which have verdicts")
    found = _of_reports(before, after) if all(reports) else _of_revisions(settings, before, after, convention)
    click.echo(VIEWS[form](found, shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns), nl=False)


def _of_reports(before: str, after: str) -> Difference:
    documents = _read(before), _read(after)
    try:
        return of_reports((before, after), documents)
    except (KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            Problem(
                "not-a-report",
                f"{shown(before)} and {shown(after)} cannot be compared: one is not as a report of format 1 is "
                f"({shown(repr(error))})",
                hint="name two files report.json that `leverage report` has written",
            )
        ) from error


def _read(name: str) -> Mapping[str, Any]:
    path = Path(name)
    try:
        wrong = "it is too large" if path.stat().st_size > LARGEST_REPORT else ""
        document = {} if wrong else json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        wrong, document = str(error), {}
    if not wrong and not (isinstance(document, dict) and document.get("format") == 1):
        wrong = "it does not say that its format is 1"
    if wrong:
        raise ConfigurationError(
            Problem(
                "not-a-report",
                f"cannot be read as a report: {shown(wrong)}",
                Location(name),
                hint="name a file report.json that `leverage report` has written",
            )
        )
    found: dict[str, Any] = document
    return found


def _of_revisions(settings: Settings, before: str, after: str, convention: str) -> Difference:
    with progress_on_terminal([before, after]) as talks:
        subjects = [subject_of(settings, name, talks[name]) for name in (before, after)]
        samples = [_measured(one, settings, talks[one.name]) for one in subjects]
        files = _files(subjects, samples, settings, convention)
    points = {by: points_of(samples, by, everything=False) for by in BY}
    return of_points(
        (before, after),
        (samples[0].commit.id, samples[1].commit.id),
        convention,
        {by: (old, new) for by, (old, new) in points.items()},
        files,
    )


def _measured(subject: Subject, settings: Settings, talk: Progress) -> Sample:
    with subject.place.open() as history:
        (sample,) = measured(subject, history, [history.last()], settings.jobs, talk)
    talk("")
    if sample.gap:
        raise UncheckableError(
            Problem(
                "commit-not-whole",
                f"{shown(subject.name)} cannot be measured: {sample.gap}",
                hint="fetch the commit from a complete repository",
            )
        )
    if sample.missing:
        warn(f"{shown(subject.name)}: {plural(sample.missing, 'file')} not at hand; its sizes are lower bounds")
    return sample


def _files(
    subjects: Sequence[Subject], samples: Sequence[Sample], settings: Settings, convention: str
) -> tuple[Row, ...]:
    """The files that differ between two commits of one repository, those that changed most first."""
    one, two = subjects
    if one.place.repository != two.place.repository:
        return ()
    trees = (samples[0].commit.tree, samples[1].commit.tree)
    with two.place.open() as history:
        (changed,) = history.changes([trees])
        if isinstance(changed, Missing):
            return ()

        def label(path: str) -> Label | None:
            found = two.label(path) if path in changed else None
            return None if found is None else (path, *found)

        alike = replace(two, label=label, scope=" ".join([two.scope, *trees]))
        found = measured(alike, history, [sample.commit for sample in samples], settings.jobs, silent)
    sides: list[dict[str, int]] = [{}, {}]
    for side, sample in zip(sides, found, strict=True):
        for part in sample.parts:
            if purpose_of(replace(part, label=part.label[1:])) is Purpose.PRODUCTION:
                path = part.label[0]
                side[path] = side.get(path, 0) + (code_lines(convention, part.language, part.lines) or 0)
    before, after = sides
    rows = [
        Row(path, before.get(path), after.get(path), CODE)
        for path in dict.fromkeys([*before, *after])
        if before.get(path) != after.get(path)
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.change or 0), row.key)))
