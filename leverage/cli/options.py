"""Options that several commands share, and the session that they lead to."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from leverage.cli.console import warn
from leverage.cli.home import counts_file, home
from leverage.cli.workers import jobs_option, usual_jobs
from leverage.measure.conventions import CONVENTIONS
from leverage.spec.load import LoadedSpec, load_spec
from leverage.spec.lock import Lock, load_lock, stale
from leverage.spec.mirrors import VARIABLE as MIRRORS_VARIABLE
from leverage.spec.mirrors import mirrors_from
from leverage.spec.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.model.errors import Problem


@dataclass(frozen=True, slots=True)
class Settings:
    """What the shared options say, before anything is loaded."""

    config: Path
    mirror: str | None
    offline: bool
    jobs: int


@dataclass(frozen=True, slots=True)
class Session:
    """A loaded configuration and where its sources may come from.

    Attributes:
        loaded: the configuration.
        lock: what its sources were resolved to; only entries that fit the configuration.
        lock_path: place of the lock, beside the configuration.
        base: folder that relative paths start from.
        mirrors: local places by URL or package.
        store: folder of fetched sources.
        cache: file of counts by content.
        offline: whether the network may not be used.
        jobs: number of worker processes.
    """

    loaded: LoadedSpec
    lock: Lock
    lock_path: Path
    base: Path
    mirrors: dict[str, str]
    store: Path
    cache: Path
    offline: bool
    jobs: int


record_option = click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    envvar="LEVERAGE_RECORD",
    help="Folder of recorded evidence, as `leverage record --into` writes it; that of leverage itself by default.",
)

recorded_option = click.option(
    "--recorded", is_flag=True, help="Use the recorded evidence only, even where a source is at hand."
)


def session_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a `Session`; the command receives them as its first argument, a `Settings`."""

    @wraps(command)
    def with_settings(
        *, config: Path, mirror: str | None, offline: bool, jobs: int | None, **options: object
    ) -> object:
        return command(Settings(config, mirror, offline, jobs or usual_jobs()), **options)

    options = (
        click.option(
            "--config",
            type=click.Path(path_type=Path, dir_okay=False),
            envvar="LEVERAGE_CONFIG",
            default=Path("repos.yaml"),
            show_default=True,
            help="The configuration; relative paths in it start from its folder, and its lock lies beside it.",
        ),
        click.option(
            "--mirror",
            envvar=MIRRORS_VARIABLE,
            metavar="FILE",
            help="YAML file that maps URLs to local repositories, and pypi:NAME==VERSION to local wheels.",
        ),
        click.option(
            "--offline",
            is_flag=True,
            envvar="LEVERAGE_OFFLINE",
            help="Never connect; use mirrors, what was fetched before, and the record.",
        ),
        jobs_option,
    )
    wrapped: Callable[..., Any] = with_settings
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def session(settings: Settings, *, locked: bool = True) -> Session:
    """Load configuration, lock and mirrors; an entry of the lock that does not fit is not used, with a warning.

    Args:
        settings: the shared options.
        locked: whether the lock counts; without it the session's lock is empty.

    Raises:
        ConfigurationError: configuration, lock or file of mirrors is wrong.
    """
    config = settings.config
    loaded = load_spec(config, frozenset(CONVENTIONS))
    lock_path = config.with_suffix(".lock")
    lock, problems = _fitting(loaded, load_lock(lock_path), lock_path) if locked else (Lock(), [])
    if problems:
        told = "\n".join(f"  {problem.where}: {problem.what}" for problem in problems)
        warn(f"{lock_path} does not fit {config}; what does not fit is not used until `leverage lock` is run:\n{told}")
    folder = home()
    return Session(
        loaded=loaded,
        lock=lock,
        lock_path=lock_path,
        base=config.absolute().parent,
        mirrors=mirrors_from(settings.mirror, os.environ),
        store=folder,
        cache=counts_file(folder),
        offline=settings.offline,
        jobs=settings.jobs,
    )


def _fitting(loaded: LoadedSpec, lock: Lock, path: Path) -> tuple[Lock, list[Problem]]:
    """The entries that say what the configuration says, and what is wrong with the others."""
    if not path.exists():
        return lock, []
    problems = stale(loaded, lock, str(path))
    entries = {
        name: entry
        for name, entry in lock.systems.items()
        if name in loaded.spec.systems and not stale(_narrowed(loaded, name), Lock(systems={name: entry}))
    }
    return Lock(systems=entries), problems


def _narrowed(loaded: LoadedSpec, name: str) -> LoadedSpec:
    return replace(loaded, spec=replace(loaded.spec, systems={name: loaded.spec.systems[name]}))


def chosen_systems(opened: Session, names: tuple[str, ...]) -> list[str]:
    """The named systems without repetitions, or all that have a source.

    Raises:
        click.UsageError: a name is not that of a system with a source; all such names at once.
    """
    known = [name for name, system in opened.loaded.spec.systems.items() if system.source]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise click.UsageError(
            "\n".join(
                f"no system with a source is called {name!r}; {did_you_mean(name, known, 'systems')}" for name in wrong
            )
        )
    return list(dict.fromkeys(names)) or known
