"""Options that several commands share, and the paths that they lead to."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from leverage.measure.conventions import CONVENTIONS
from leverage.spec.load import LoadedSpec, load_spec
from leverage.spec.lock import Lock, load_lock
from leverage.spec.mirrors import mirrors_from
from leverage.spec.text import did_you_mean


@dataclass(frozen=True, slots=True)
class Session:
    """A loaded configuration and where its sources may come from.

    Attributes:
        loaded: the configuration.
        lock: what its sources were resolved to.
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


def session_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that lead to a `Session`."""
    for option in reversed(
        (
            click.option(
                "--config",
                type=click.Path(path_type=Path, dir_okay=False),
                default=Path("repos.yaml"),
                show_default=True,
                help="The configuration; relative paths in it start from its folder.",
            ),
            click.option(
                "--mirror",
                envvar="LEVERAGE_MIRRORS",
                metavar="FILE",
                help="YAML file that maps URLs to local repositories, and pypi:NAME==VERSION to local wheels.",
            ),
            click.option("--offline", is_flag=True, help="Never connect; use mirrors, the store and the record."),
            click.option("--jobs", type=click.IntRange(1, 64), help="Worker processes; the number of cores by default."),
        )
    ):
        command = option(command)
    return command


def session(config: Path, mirror: str | None, *, offline: bool, jobs: int | None) -> Session:
    """Load configuration, lock and mirrors."""
    import platformdirs

    loaded = load_spec(config, frozenset(CONVENTIONS))
    lock_path = config.with_suffix(".lock")
    home = Path(os.environ.get("LEVERAGE_CACHE_DIR") or platformdirs.user_cache_path("leverage"))
    return Session(
        loaded,
        load_lock(lock_path),
        lock_path,
        config.absolute().parent,
        mirrors_from(mirror, os.environ),
        home,
        home / "counts.sqlite",
        offline,
        jobs or min(os.cpu_count() or 1, 8),
    )


def chosen_systems(opened: Session, names: tuple[str, ...]) -> list[str]:
    """The named systems, or all that have a source.

    Raises:
        click.UsageError: a name is not that of a system with a source; all such names at once.
    """
    known = [name for name, system in opened.loaded.spec.systems.items() if system.source]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise click.UsageError(
            "\n".join(f"no system with a source is called {name!r}; {did_you_mean(name, known, 'systems')}" for name in wrong)
        )
    return list(names) or known
