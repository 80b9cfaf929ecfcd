"""Telling what could not be read: what is left out of an answer is said beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.cli.aligned import plural
from leverage.cli.console import warn
from leverage.model.files import EntryKind, State
from leverage.spec.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leverage.model.files import FileFacts, SourceFile

BYTES_MISSING = frozenset({"object-missing", "unreadable", "not-fetched", "too-large"})
"""Reasons of `leverage.sources.base.Missing` that stand for bytes which are somewhere, and not at hand."""
NAMED = 3


def warn_of_unread(facts: Iterable[FileFacts]) -> None:
    """Warn of files whose bytes were not at hand."""
    missing = [
        f"{shown(fact.file.path, 200)} ({fact.disposition.rule})"
        for fact in facts
        if fact.disposition.state is State.UNKNOWN and fact.disposition.reason in BYTES_MISSING
    ]
    if missing:
        warn(f"{plural(len(missing), 'file')} could not be read and told apart no further: {_some(missing)}")


def warn_of_closed(files: Iterable[SourceFile]) -> None:
    """Warn of entries that a listing names and cannot show, for commands that do not measure files."""
    if closed := [shown(file.path, 200) for file in files if file.kind is EntryKind.FILE and file.size < 0]:
        warn(f"{plural(len(closed), 'entry')} could not be read: {_some(closed)}")


def warn_of_listing(files: Iterable[SourceFile], *, read: int) -> None:
    """Warn of repositories in a listing, whose files it does not have, and of a listing that has nothing to be read.

    Args:
        files: what was asked for.
        read: number of files of a language that is read.
    """
    if inside := [shown(file.path, 200) for file in files if file.kind is EntryKind.SUBMODULE]:
        warn(f"{plural(len(inside), 'repository')} inside this one, whose files are not looked at: {_some(inside)}")
    if not read:
        warn("no file of a language that is read here; is it the right place, and are its submodules fetched?")


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
