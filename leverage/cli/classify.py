"""`leverage classify`."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.classify.pack import load_pack
from leverage.cli.aligned import UNBOUNDED
from leverage.cli.classifyviews import VIEWS, View, grown
from leverage.cli.console import progress_on_terminal, warn
from leverage.cli.gather import open_systems
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.options import session, session_options
from leverage.cli.packs import pack_of
from leverage.cli.purposes import purpose_of_file, purposes_below
from leverage.cli.unread import warn_of_listing, warn_of_unread
from leverage.evidence.classified import classified, statements
from leverage.measure.pipeline import measure
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, ExitCode, Problem, UncheckableError
from leverage.sources.target import open_target
from leverage.spec.select import Selector
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.classify.pack import Pack
    from leverage.cli.options import Session, Settings
    from leverage.measure.cache import Cache
    from leverage.model.files import SourceFile
    from leverage.sources.base import OpenSource


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be classified.

    Attributes:
        target: system or path.
        everything: whether tests, examples and build scripts are classified too.
        jobs: worker processes.
    """

    target: str
    everything: bool
    jobs: int


@click.command("classify")
@click.argument("target", metavar="SYSTEM | PATH | REPO@REV")
@session_options
@click.option(
    "--format", "form", type=click.Choice(list(VIEWS)), default="table", show_default=True, help="How rows are printed."
)
@click.option(
    "--pack",
    "pack_name",
    metavar="NAME | FILE",
    help="Declared rules to classify with; the system's own by default, none for a PATH.",
)
@click.option("--no-pack", is_flag=True, help="Classify as if no rules were declared.")
@click.option("--all", "everything", is_flag=True, help="Classify tests, examples and build scripts too.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 where a declared rule decides far more or less than it was written for.",
)
def command(
    settings: Settings,
    *,
    target: str,
    form: str,
    pack_name: str | None,
    no_pack: bool,
    everything: bool,
    strict: bool,
) -> int:
    """Say for every function which compiler stage it is, and which GPU-shaped assumption it departs from.

    PATH is a file, a checkout or REPO@REV and needs no configuration; SYSTEM is a system of the configuration, of which
    the production components are classified. Declared rules decide first, then what the code is handed to (a hook, an
    upstream class), then its words; what cannot be told is undetermined. Nothing is run or imported.
    """
    if pack_name and no_pack:
        raise click.UsageError("--pack and --no-pack exclude each other")
    asked = Asked(target, everything, settings.jobs)
    declared = load_pack(pack_name) if pack_name else None
    if Path(target).expanduser().exists() or not settings.config.exists() or "@" in target:
        view = _of_path(asked, declared)
    else:
        opened = session(settings)
        view = _of_system(opened, asked, None if no_pack else declared or _own_pack(opened, target))
    click.echo(VIEWS[form](view), nl=False)
    changed = grown(view)
    for line in changed:
        warn(line)
    return ExitCode.FAILS if strict and changed else ExitCode.DONE


def _own_pack(opened: Session, target: str) -> Pack | None:
    _known(opened, target)
    return pack_of(opened, target)


def _known(opened: Session, target: str) -> None:
    system = opened.loaded.spec.systems.get(target)
    if system is None or system.source is None:
        known = [name for name, each in opened.loaded.spec.systems.items() if each.source]
        raise ConfigurationError(
            Problem(
                "no-such-system",
                f"{shown(target)} is neither a path nor a system with a source",
                hint=did_you_mean(target, known, "systems"),
            )
        )


def _of_path(asked: Asked, pack: Pack | None) -> View:
    with progress_on_terminal([asked.target]) as talks, opened_cache(counts_file(home())) as cache:
        talk = talks[asked.target]
        target = open_target(asked.target, talk)
        if target.note:
            warn(target.note)
        below = target.below if len(target.files) != 1 or target.files[0].path != target.below else ""
        purpose_of = purposes_below(below, target.files)
        with target.source as source:
            view = _classified(asked, source, target.files, purpose_of, pack=pack, cache=cache)
        talk("")
    warn_of_listing(target.files, read=len(view.languages))
    return view


def _of_system(opened: Session, asked: Asked, pack: Pack | None) -> View:
    _known(opened, asked.target)
    system = opened.loaded.spec.systems[asked.target]
    selector = Selector(system)

    def purpose_of(path: str) -> Purpose | None:
        component = selector.component(path)
        return None if component is None else system.components[component].purpose

    with opened_cache(opened.cache) as cache, closing(open_systems(opened, [asked.target])) as sources:
        _, source, talk = next(sources)
        if isinstance(source, Problem):
            raise UncheckableError(source)
        talk(f"reading {len(source.snapshot.files):,} files")
        files = [file for file in source.snapshot.files if purpose_of(file.path) is not None]
        return _classified(asked, source, files, purpose_of, pack=pack, cache=cache)


def _classified(
    asked: Asked,
    source: OpenSource,
    files: Sequence[SourceFile],
    purpose_of: Callable[[str], Purpose | None],
    *,
    pack: Pack | None,
    cache: Cache,
) -> View:
    facts = measure(source, files, context=source.snapshot.files, cache=cache, jobs=asked.jobs)
    warn_of_unread(facts)
    purposes = {fact.file.path: purpose_of_file(fact, purpose_of(fact.file.path)) for fact in facts}
    wanted = [fact for fact in facts if asked.everything or purposes[fact.file.path] is Purpose.PRODUCTION]
    rows = classified(statements(source, wanted, pack=pack, cache=cache, jobs=asked.jobs), pack)
    aside: dict[str, int] = {}
    for fact in facts:
        purpose = purposes[fact.file.path]
        if purpose is not Purpose.PRODUCTION and not asked.everything:
            aside[purpose.value] = aside.get(purpose.value, 0) + 1
    return View(
        tuple(rows),
        {row.path: purposes[row.path] for row in rows},
        {fact.file.path: fact.language for fact in wanted},
        pack,
        dict(sorted(aside.items())),
        shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns,
    )
