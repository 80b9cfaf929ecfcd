"""`leverage lock`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from leverage.cli.console import say
from leverage.cli.gather import open_systems
from leverage.cli.options import chosen_systems, session, session_options
from leverage.model.errors import Problem, UncheckableError
from leverage.spec.lock import Lock, LockEntry, dump_lock, lock_entry


@click.command("lock")
@session_options
def command(config: Path, mirror: str | None, offline: bool, jobs: int | None) -> None:
    """Resolve every source to something immutable and write repos.lock beside the configuration.

    Nothing is written unless every source could be resolved. Prints the path of the lock.
    """
    opened = session(config, mirror, offline=offline, jobs=jobs)
    # What an old lock says must not decide what the new one will say.
    unlocked = replace(opened, lock=Lock())
    entries: dict[str, LockEntry] = {}
    problems: list[Problem] = []
    for name, source, _ in open_systems(unlocked, chosen_systems(opened, ())):
        declared = opened.loaded.spec.systems[name].source
        if isinstance(source, Problem):
            problems.append(source)
        elif declared is not None and (entry := lock_entry(declared, source.snapshot.pin)) is not None:
            entries[name] = entry
    if problems:
        raise UncheckableError(*problems)
    partial = opened.lock_path.with_name(opened.lock_path.name + ".partial")
    partial.write_text(dump_lock(Lock(systems=entries)), encoding="utf-8")
    partial.replace(opened.lock_path)
    say(f"{len(entries)} sources locked")
    click.echo(opened.lock_path)
