"""`leverage history`."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.classify.engine import classify
from leverage.cli.aligned import UNBOUNDED, plural
from leverage.cli.console import progress_on_terminal, warn
from leverage.cli.historyviews import VIEWS
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.options import session, session_options
from leverage.cli.packs import pack_of
from leverage.cli.series import BY, EVERY, TOTAL, Series, keys_of, points_of, sampled
from leverage.cli.writing import write_whole
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.history import measure_history
from leverage.measure.version import hash_of_code
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Problem
from leverage.sources.base import Access
from leverage.sources.historyplace import HistoryPlace, history_of_path, history_of_source
from leverage.spec.select import Selector
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.classify.pack import Pack
    from leverage.cli.options import Session, Settings
    from leverage.measure.series import Label, Sample
    from leverage.sources.base import Progress
    from leverage.sources.githistory import Commit, History

DEFAULT = "leverage"


@dataclass(frozen=True, slots=True)
class Subject:
    """Something with a history.

    Attributes:
        name: as it was asked for.
        place: where its repository is, and up to which commit.
        label: component, purpose, stage and divergence of a path; None where it is no part of the subject.
        scope: names everything that ``label`` depends on.
    """

    name: str
    place: HistoryPlace
    label: Callable[[str], Label | None]
    scope: str


@click.command("history")
@click.argument("target", metavar="SYSTEM[@REV] | PATH[@REV]")
@session_options
@click.option(
    "--every",
    type=click.Choice(EVERY),
    default="commit",
    show_default=True,
    help="Which first-parent commits are sampled; of a week or month, the last one.",
)
@click.option("--since", metavar="DATE", default="", help="Only commits from a day on, such as 2026-01-31.")
@click.option(
    "--convention",
    type=click.Choice(list(CONVENTIONS)),
    default=DEFAULT,
    show_default=True,
    help="The rule by which a line is code, where one figure is shown; CSV and JSON hold them all.",
)
@click.option("--by", type=click.Choice(BY), default=TOTAL, show_default=True, help="What the sizes are told apart by.")
@click.option("--all", "everything", is_flag=True, help="All purposes: tests, build scripts, data and prose, too.")
@click.option(
    "--format", "form", type=click.Choice(list(VIEWS)), default="table", show_default=True, help="How it is printed."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write; else standard output."
)
def command(
    settings: Settings,
    *,
    target: str,
    every: str,
    since: str,
    convention: str,
    by: str,
    everything: bool,
    form: str,
    output: Path | None,
) -> None:
    """Show how the code grew: its size at every commit of the first-parent history.

    SYSTEM is a system of the configuration, up to its pinned commit; its repository has to be on this machine whole, as
    --mirror or its own URL names it. PATH is a repository or a folder in one, needs no configuration, and ends at its
    last commit; @REV ends the history elsewhere. Sizes are those of production code, each file classified as it stood
    at that commit, so that a renamed file does not break the series. What cannot be read is shown as a gap, never as
    zero.
    """
    since = _day(since)
    with progress_on_terminal([target]) as talks:
        talk = talks[target]
        subject = subject_of(settings, target, talk)
        with subject.place.open() as history:
            commits, cut = history.commits(talk)
            tagged = subject.place.tagged(history) if every == "tag" else {}
            chosen = sampled(commits, every, since, tagged)
            samples = measured(subject, history, chosen, settings.jobs, talk)
        talk("")
    notes = _notes(cut, samples, chosen)
    for note in notes:
        warn(note)
    points = points_of(samples, by, everything=everything)
    keys = keys_of(points, convention)
    series = Series(target, subject.place.location, by, keys, everything, convention, points, notes)
    text = VIEWS[form](series, shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text.encode("utf-8", "backslashreplace"))


def measured(subject: Subject, history: History, commits: Sequence[Commit], jobs: int, talk: Progress) -> list[Sample]:
    """A sample of each commit, from the cache where it knows."""
    with opened_cache(counts_file(home())) as cache:
        return list(
            measure_history(history, commits, subject.label, scope=subject.scope, cache=cache, jobs=jobs, progress=talk)
        )


def _day(text: str) -> str:
    if not text:
        return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise click.UsageError(f"--since {shown(text)} is not a day; write it as 2026-01-31") from error


def _notes(cut: str, samples: Sequence[Sample], chosen: Sequence[Commit]) -> tuple[str, ...]:
    """What a reader must know: where the history ends early, what could not be read."""
    notes = []
    if not chosen:
        notes.append("no commit is that young")
    if cut:
        notes.append(f"older commits are missing: {cut}; a full clone has them")
    if gaps := [sample for sample in samples if sample.gap]:
        notes.append(f"{len(gaps):,} of {len(samples):,} commits cannot be read; the first: {gaps[0].gap}")
    if short := [sample for sample in samples if sample.missing]:
        most = plural(max(sample.missing for sample in short), "file")
        notes.append(
            f"at {len(short):,} of {len(samples):,} commits {most} at most are not at hand, so that their sizes are "
            "lower bounds; a full clone has them"
        )
    return tuple(notes)


def subject_of(settings: Settings, target: str, talk: Progress) -> Subject:
    """What a user names: ``SYSTEM``, ``PATH``, or either with ``@REV``. A path that exists is a path.

    Raises:
        ConfigurationError: it is neither; or the configuration is wrong.
        SourceError: its repository, with its history, is not on this machine.
    """
    for at in [at for at, char in enumerate(target) if char == "@"] + [len(target)]:
        folder = Path(target[:at] or ".").expanduser()
        if (at < len(target) or target) and folder.is_dir():
            return _of_path(target, folder.resolve(), target[:at] or ".", target[at + 1 :] or "HEAD", talk)
    if not settings.config.exists():
        raise ConfigurationError(
            Problem(
                "no-such-path",
                f"{shown(target)} is not a folder, and there is no {settings.config} that could call a system so",
                hint="name a repository, or the configuration with --config",
            )
        )
    opened = session(settings)
    name, _, revision = target.partition("@")
    system = opened.loaded.spec.systems.get(name)
    if system is None or system.source is None:
        known = [name for name, each in opened.loaded.spec.systems.items() if each.source]
        raise ConfigurationError(
            Problem(
                "no-such-system",
                f"{shown(name)} is neither a folder nor a system with a source",
                hint=did_you_mean(name, known, "systems"),
            )
        )
    return _of_system(opened, target, name, revision)


def _of_system(opened: Session, target: str, name: str, revision: str) -> Subject:
    system = opened.loaded.spec.systems[name]
    if system.source is None:
        raise AssertionError(f"{name} has no source")
    access = Access(
        base=opened.base, store=opened.store, mirrors=opened.mirrors, offline=opened.offline, wanted=lambda _path: True
    )
    selector, pack = Selector(system), pack_of(opened, name)

    def label(path: str) -> Label | None:
        component = selector.component(path)
        if component is None:
            return None
        return _label(component, system.components[component].purpose, pack, path)

    globs = {
        name: [part.include, part.exclude, part.exclude_components, part.purpose]
        for name, part in system.components.items()
    }
    rules = pack.digest if pack else ""
    return Subject(target, history_of_source(system.source, access, revision), label, _scope("system", globs, rules))


def _of_path(target: str, folder: Path, name: str, revision: str, talk: Progress) -> Subject:
    from leverage.coupling.files import other_purpose, packages_of  # noqa: PLC0415 - slow, and no system needs it

    place = history_of_path(folder, revision, name)
    talk("reading the last commit")
    with place.open() as history:
        packages = packages_of(history.paths())
    prefix = f"{place.below}/" if place.below else ""

    def label(path: str) -> Label | None:
        if not path.startswith(prefix):
            return None
        below = path.removeprefix(prefix)
        top, slash, _ = below.partition("/")
        return _label(top if slash else ".", other_purpose(below, packages) or Purpose.PRODUCTION, None, path)

    return Subject(target, place, label, _scope("path", prefix, sorted(packages)))


def _label(component: str, purpose: Purpose, pack: Pack | None, path: str) -> Label:
    decision = classify(pack, path)
    return component, purpose.value, decision.stage, decision.divergence


def _scope(*parts: object) -> str:
    code = hash_of_code("", files("leverage.classify"), files("leverage.spec"), files("leverage.coupling"))
    return hashlib.sha256(json.dumps([*parts, code]).encode()).hexdigest()
