"""A port read for its touchpoints: which files, and what was found in them."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from leverage.coupling.files import PYTHON, READ
from leverage.model.files import EntryKind
from leverage.model.touchpoints import TouchKind, Touchpoint, Unresolved
from leverage.resolve.cpp import read_cpp
from leverage.resolve.program import read_program
from leverage.resolve.sites import touch_sites
from leverage.resolve.syntax import shape_of
from leverage.sources.base import Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from leverage.model.files import SourceFile
    from leverage.model.touchpoints import Call
    from leverage.resolve.program import Program
    from leverage.sources.base import OpenSource


PACKAGES: Mapping[str, tuple[str, ...]] = {"torch": ("torch", "torchgen", "functorch")}
"""Packages that a substrate installs, by the import name of its main one; another has that one alone."""


@dataclass(frozen=True, slots=True)
class Files:
    """What of a tree is read.

    Attributes:
        read: files that are looked into.
        set_aside: for each reason, how many files of the same languages are not.
    """

    read: tuple[SourceFile, ...]
    set_aside: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LooseCall:
    """A method that is called on something of which nothing is known.

    Attributes:
        path: file.
        line: line, from 1.
        column: column, from 0.
        name: the method; none that the port defines itself.
        call: how it is called.
    """

    path: str
    line: int
    column: int
    name: str
    call: Call


@dataclass(frozen=True, slots=True)
class Port:
    """Touchpoints of a port.

    Attributes:
        touchpoints: in the order of paths, lines and columns.
        unresolved: places that may be touchpoints, and files that could not be read, in the same order.
        python: Python files that were read.
        cpp: files of C++ and its relatives that were read.
        set_aside: for each reason, how many files were not read.
        loose: calls on receivers that were not resolved; only where they were asked for.
        spans: lines of each function and class in Python, by path and dotted name inside the file; likewise.
    """

    touchpoints: tuple[Touchpoint, ...]
    unresolved: tuple[Unresolved, ...]
    python: int = 0
    cpp: int = 0
    set_aside: tuple[tuple[str, int], ...] = ()
    loose: tuple[LooseCall, ...] = ()
    spans: Mapping[tuple[str, str], int] = field(default_factory=dict, compare=False)


def choose(files: Sequence[SourceFile], aside: Callable[[str], str]) -> Files:
    """The files of a tree that are to be read.

    Args:
        files: all files.
        aside: why the file of a path is set aside, in a word; empty where it is the port's.
    """
    read: list[SourceFile] = []
    reasons: Counter[str] = Counter()
    for file in files:
        if not file.path.endswith(READ):
            continue
        reason = "not a file" if file.kind is not EntryKind.FILE else aside(file.path)
        if reason:
            reasons[reason] += 1
        else:
            read.append(file)
    return Files(tuple(read), tuple(sorted(reasons.items())))


def read_port(
    source: OpenSource,
    files: Files,
    *,
    substrate: str,
    members: Callable[[str], frozenset[str] | None] | None = None,
    below: str = "",
    package: str = "",
    more: bool = False,
) -> Port:
    """The touchpoints of chosen files.

    Args:
        source: where their bytes come from.
        files: what to read.
        substrate: import name of the substrate.
        members: names that an upstream class and its bases have, None where the class is not known; without it fewer
            overrides are found.
        below: folder that paths are told from; all chosen files are in it.
        package: import name of the package that this folder is; empty where the folders around it say so themselves.
        more: whether calls on unknown receivers and lengths of functions are told too.
    """
    texts: dict[str, bytes] = {}
    unread: list[Unresolved] = []
    listed = frozenset(file.path for file in source.snapshot.files)
    place = _Place(below, package, listed)
    for file, data in source.read(files.read):
        if isinstance(data, Missing):
            why = f"the file could not be read: {data.detail}"
            unread.append(Unresolved(place.told(place.known_as(file.path)), 1, None, "", why))
        else:
            texts[place.known_as(file.path)] = data
    python = {path: data for path, data in texts.items() if path.endswith(PYTHON)}
    cpp = {path: data for path, data in texts.items() if not path.endswith(PYTHON)}
    upstream = PACKAGES.get(substrate, (substrate,))
    program = read_program({**dict.fromkeys(place.around, b""), **python}, upstream=upstream)
    from_python = touch_sites(program, members=members)
    from_cpp = read_cpp(cpp, substrate)
    unresolved = (replace(each, path=place.told(each.path)) for each in (*from_python[1], *from_cpp[1]))
    return Port(
        tuple(sorted((_told(each, place) for each in (*from_python[0], *from_cpp[0])), key=_order)),
        tuple(sorted((*unresolved, *unread), key=lambda each: (each.path, each.line, each.text, each.why))),
        python=len(python),
        cpp=len(cpp),
        set_aside=files.set_aside,
        loose=tuple(_loose(program, from_python[0], place)) if more else (),
        spans=_spans(program, place) if more else {},
    )


def _loose(program: Program, known: Sequence[Touchpoint], place: _Place) -> Iterator[LooseCall]:
    resolved = {(each.path, each.line, each.column) for each in known}
    own = {name for module in program.modules.values() for scope in module.scopes.values() for name in scope.functions}
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in own:
                at = node.lineno, node.col_offset
                if (module.path, *at) not in resolved:
                    yield LooseCall(place.told(module.path), *at, node.func.attr, shape_of(node))


def _spans(program: Program, place: _Place) -> dict[tuple[str, str], int]:
    return {
        (place.told(module.path), scope.symbol): (node.end_lineno or node.lineno) - node.lineno + 1
        for module in program.modules.values()
        for node, scope in module.scopes.items()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def _order(each: Touchpoint) -> tuple[str, int, int, TouchKind, str]:
    return each.path, each.line, each.column, each.kind, each.symbol


class _Place:
    """Where a folder stands: under which paths its files are read, and by which they are told.

    A file's path decides the import name of its module, so the packages around the folder belong to it.

    Attributes:
        around: paths of the packages around the folder, which are there for their names alone.
    """

    def __init__(self, below: str, package: str, listed: Collection[str]) -> None:
        self._below = f"{below}/" if below else ""
        self._before = f"{package.replace('.', '/')}/" if package else self._below
        folders = self._before.rstrip("/").split("/") if self._before else []
        paths = ("/".join([*folders[: depth + 1], "__init__.py"]) for depth in range(len(folders)))
        self.around = tuple(path for path in paths if package or path in listed)

    def known_as(self, path: str) -> str:
        """The path under which a file of the source is read."""
        return f"{self._before}{path.removeprefix(self._below)}"

    def told(self, path: str) -> str:
        """The path, from the folder, by which people are told of a file that is read."""
        return path.removeprefix(self._before)


def _told(each: Touchpoint, place: _Place) -> Touchpoint:
    steps = tuple(replace(step, path=place.told(step.path)) for step in each.steps)
    return replace(each, path=place.told(each.path), steps=steps)
