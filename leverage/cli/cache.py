"""`leverage cache`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import UNBOUNDED, Column, plural, table
from leverage.cli.console import say
from leverage.cli.home import counts_file, home, opened_cache
from leverage.report.display import visible
from leverage.sources.store import working_directory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KINDS = ("git", "pypi")
"""Folders of fetched sources below the home of leverage; nothing else is ever removed."""
_UNITS = ("kB", "MB", "GB")
_STEP = 1000


@dataclass(frozen=True, slots=True)
class Stored:
    """One fetched source: its folder, what it is in words, and its bytes on disk."""

    path: Path
    what: str
    bytes: int


@click.group("cache", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Show or remove what is kept to save time: counts by content, and fetched sources.

    It lies in the folder that LEVERAGE_CACHE_DIR names, else in this system's folder for caches. Nothing in it is
    needed: what is removed is counted or fetched again.
    """
    if context.invoked_subcommand is None:
        context.invoke(show)


@command.command("show")
def show() -> None:
    """Show what is kept, where, and how large it is."""
    folder = home()
    if not folder.is_dir():
        click.echo(f"{folder}: nothing is kept yet")
        return
    rows = []
    if counts_file(folder).is_file():
        with opened_cache(counts_file(folder)) as cache:
            stats = cache.stats()
        kept = f"{plural(stats.rows, 'row')}, {stats.current:,} of them by this version"
        rows.append(["counts", size(stats.bytes), kept])
    stored = list(stored_sources(folder))
    rows += [[each.path.relative_to(folder).parts[0], size(each.bytes), each.what] for each in stored]
    columns = [Column("kept", right=False), Column("size"), Column("what", right=False)]
    click.echo(f"{visible(str(folder))}\n")
    click.echo(table(columns, rows, width=UNBOUNDED) if rows else "nothing is kept yet")


@command.command("path")
def where() -> None:
    """Print the folder in which everything is kept."""
    click.echo(home())


@command.command("prune")
@click.option(
    "--keep", type=click.IntRange(min=0), default=0, show_default=True, help="Newest rows of counts that stay."
)
@click.option("--sources", is_flag=True, help="Remove the fetched sources too.")
def prune(*, keep: int, sources: bool) -> None:
    """Remove counts by content, and with --sources what was fetched. Prints what goes."""
    folder = home()
    if counts_file(folder).is_file():
        with opened_cache(counts_file(folder)) as cache:
            click.echo(f"removed {plural(cache.prune(keep), 'row')} of counts")
    for each in list(stored_sources(folder)) if sources else ():
        # Out of the way by one rename: whoever looks meanwhile finds it whole or not at all.
        with working_directory(folder / each.path.relative_to(folder).parts[0]) as grave:
            each.path.rename(grave / "removed")
        click.echo(f"removed {size(each.bytes)}: {each.what}")
    say(f"{visible(str(folder))} is pruned")


def stored_sources(folder: Path) -> Iterator[Stored]:
    """Every fetched source below the home of leverage; links are never followed."""
    for kind, pattern in (("git", "*/*.git"), ("pypi", "*/*")):
        root = folder / kind
        if root.is_symlink() or not root.is_dir():
            continue
        for path in sorted(root.glob(pattern)):
            inside = not path.is_symlink() and not path.parent.is_symlink()
            if inside and path.parent.name != "incoming":
                yield Stored(path, _what(path), _bytes(path))


def _what(path: Path) -> str:
    """A fetched commit by its place and id, an artifact by its file name."""
    if path.suffix != ".git":
        return visible(path.name)
    try:
        place = json.loads((path / "leverage.json").read_text("utf-8"))["answered_by"]
    except (OSError, ValueError, KeyError, TypeError):
        place = "from an unknown place"
    return visible(f"{place} at {path.stem}")


def _bytes(path: Path) -> int:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file() and not each.is_symlink()]
    return sum(each.lstat().st_size for each in files)


def size(count: int) -> str:
    """Bytes for people: ``812 bytes``, ``12.3 kB``."""
    if count < _STEP:
        return plural(count, "byte")
    power = min(len(_UNITS), (len(str(count)) - 1) // 3)
    return f"{count / _STEP**power:,.1f} {_UNITS[power - 1]}"
