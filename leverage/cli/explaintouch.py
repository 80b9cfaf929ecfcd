"""What of its substrate a line touches, and how that was resolved, step by step; as text for `leverage explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.cli.explaintext import labelled
from leverage.coupling.files import PYTHON, READ, packages_of
from leverage.coupling.port import Files, read_port
from leverage.model.files import EntryKind
from leverage.model.touchpoints import Scope
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.model.files import SourceFile
    from leverage.model.touchpoints import Touchpoint
    from leverage.sources.base import OpenSource

MOST_FILES = 2_000
"""Python files that one line is worth reading."""


def touch_lines(source: OpenSource, path: str, line: int, substrate: str = "torch") -> Iterator[str]:
    """What one line touches. The Python package around the file is read, since names come from its other files.

    Args:
        source: where the bytes come from.
        path: path of the file in it.
        line: the line, from 1.
        substrate: import name of the substrate.
    """
    files = _around(path, source.snapshot.files)
    if not files:
        return
    port = read_port(source, Files(files), substrate=substrate)
    for each in port.touchpoints:
        if (each.path, each.line) == (path, line):
            yield from _touchpoint(each)
    for left in port.unresolved:
        if (left.path, left.line) == (path, line) and left.kind is not None:
            yield labelled("unresolved", f"`{visible(left.text)}` may be a {_words(left.kind)}: {visible(left.why)}")


def _around(path: str, files: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    """The files that are read for one: those of the outermost package around it, or it alone."""
    if not path.endswith(READ):
        return ()
    packages = packages_of(file.path for file in files)
    folders = path.split("/")[:-1]
    above = ["/".join(folders[:depth]) for depth in range(len(folders) + 1)]
    package = next((each for each in above if each in packages), None)
    if path.endswith(PYTHON) and package is not None:
        prefix = f"{package}/" if package else ""
        together = tuple(
            file
            for file in files
            if file.kind is EntryKind.FILE and file.path.endswith(PYTHON) and file.path.startswith(prefix)
        )
        if len(together) <= MOST_FILES:
            return together
    return tuple(file for file in files if file.path == path and file.kind is EntryKind.FILE)


def _touchpoint(each: Touchpoint) -> Iterator[str]:
    words = [f"{_words(each.kind)} ({each.form}) of {visible(each.symbol)}", "private" if each.private else "public"]
    if each.scope is not Scope.NONE:
        words.append(f"{each.scope.value}{', restored' if each.restored else ''}")
    if each.wraps is not None:
        words.append("wraps the original" if each.wraps else "replaces the original")
    yield labelled("touches", ", ".join(words))
    yield labelled("", f"{each.certainty.value}, by {each.resolution}" + (f", if {each.guard}" if each.guard else ""))
    for number, step in enumerate(each.steps, 1):
        yield labelled("", f"{number}. {visible(step.path)}:{step.line} {visible(step.text)}")


def _words(kind: str) -> str:
    return kind.replace("_", " ")
