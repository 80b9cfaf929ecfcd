"""`leverage lock`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.console import say
from leverage.cli.gather import open_systems
from leverage.cli.options import chosen_systems, session, session_options
from leverage.cli.writing import write_whole
from leverage.model.errors import Problem, UncheckableError
from leverage.spec.lock import Lock, LockEntry, dump_lock, lock_entry

if TYPE_CHECKING:
    from leverage.cli.options import Settings


@click.command("lock")
@session_options
def command(settings: Settings) -> None:
    """Resolve every source to something immutable and write repos.lock beside the configuration.

    Nothing is written unless every source could be resolved. A plain folder cannot be locked and is left out. Prints
    the path of the lock.
    """
    opened = session(settings, locked=False)  # what an old lock says must not decide what the new one will say
    entries: dict[str, LockEntry] = {}
    problems: list[Problem] = []
    with closing(open_systems(opened, chosen_systems(opened, ()))) as systems:
        for name, source, _ in systems:
            declared = opened.loaded.spec.systems[name].source
            if isinstance(source, Problem):
                problems.append(source)
            elif declared is not None and (entry := lock_entry(declared, source.snapshot.pin)) is not None:
                entries[name] = entry
    if problems:
        raise UncheckableError(*problems)
    write_whole(opened.lock_path, dump_lock(Lock(systems=entries)).encode())
    loose = [name for name in chosen_systems(opened, ()) if name not in entries]
    say(
        f"{plural(len(entries), 'source')} locked" + (f"; not pinned, so left out: {', '.join(loose)}" if loose else "")
    )
    click.echo(opened.lock_path)
