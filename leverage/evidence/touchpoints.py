"""Touchpoints as evidence: where the production Python of a port touches its substrate.

What is found depends on the port's files, on which names the substrate has, and on the code that looks, so it is cached
under the three, and a run that changed nothing parses nothing. Of the source only names and line numbers are kept.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from functools import cache as once
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from leverage.coupling.copied import copied_touchpoints
from leverage.coupling.existence import Effect, effects
from leverage.coupling.files import PYTHON
from leverage.coupling.port import Files, read_port
from leverage.evidence.facts import TouchFact
from leverage.measure.copied.reference import reference
from leverage.measure.version import hash_of_code
from leverage.model.files import EntryKind
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint
from leverage.resolve.rows import is_private
from leverage.spec.types import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from leverage.coupling.existence import Names
    from leverage.measure.cache import Cache
    from leverage.model.files import SourceFile
    from leverage.model.touchpoints import Unresolved
    from leverage.sources.base import OpenSource
    from leverage.spec.types import System

SUBSTRATE = "torch"
"""Import name of what ports stand on."""
UNRESOLVED = "unresolved"
"""Kind of the rows for places that could not be resolved."""
_NUMBER = 4
"""Raised when the same port may give other rows."""


@dataclass(frozen=True, slots=True)
class Below:
    """What is known of a port's substrate.

    Attributes:
        tree: id of its tree.
        names: opens the names that it has; raises `SourceError` where it cannot be had.
    """

    tree: str
    names: Callable[[], AbstractContextManager[Names]]


@once
def touch_version() -> str:
    """Version of what finds touchpoints: a number of ours and the table of what is known of the substrate."""
    table = resources("leverage.resolve").joinpath("upstream.toml").read_bytes()
    return f"{_NUMBER}-{hashlib.sha256(table).hexdigest()[:8]}"


@once
def _code_version() -> str:
    packages = ("leverage.resolve", "leverage.coupling", "leverage.measure.copied")
    return hash_of_code(touch_version(), *map(resources, packages))


def is_port(system: System) -> bool:
    """Whether touchpoints are looked for: in what is declared to extend a substrate."""
    return system.role is Role.EXTENSION


def take_touchpoints(
    source: OpenSource,
    production: Iterable[SourceFile],
    below: Below | None,
    original: Callable[[], Mapping[str, bytes]] | None = None,
    *,
    cache: Cache | None,
) -> tuple[TouchFact, ...]:
    """Where the Python files among those of a port touch its substrate.

    Args:
        source: the port.
        production: files of its production components.
        below: names of its substrate; without it patches are not told from additions, and fewer overrides are found.
        original: gives the files of the substrate in which copies are looked for, by path; needs ``below``.
        cache: results of earlier runs, or None.

    Raises:
        SourceError: the substrate cannot be had.
    """
    wanted = tuple(file for file in production if file.kind is EntryKind.FILE and file.path.endswith(PYTHON))
    key = _key(wanted, below, copies=original is not None)
    kept = cache.notes([key]) if cache is not None and key else {}
    if key in kept:
        return tuple(TouchFact(*row) for row in json.loads(kept[key]))
    if below is None:
        found = _read(source, wanted, None)
    else:
        with below.names() as names:
            found = _read(source, wanted, names)
        if original is not None:
            texts = {file.path: data for file, data in source.read(wanted) if isinstance(data, bytes)}
            copied = copied_touchpoints(texts, reference(original()))
            found = tuple(sorted([*found, *(_fact(each, None) for each in copied)], key=astuple))
    if cache is not None and key:
        cache.note({key: json.dumps([astuple(row) for row in found], separators=(",", ":"))})
    return found


def _key(files: Iterable[SourceFile], below: Below | None, *, copies: bool) -> str:
    """What decides the rows; empty where a file has no id of its content."""
    listed = [(file.path, file.blob) for file in files]
    if not all(blob for _, blob in listed):
        return ""
    digest = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    what = "touches and copies" if copies else "touches"
    return f"{digest} {what} {'nothing known' if below is None else below.tree} by {_code_version()}"


def _read(source: OpenSource, files: tuple[SourceFile, ...], names: Names | None) -> tuple[TouchFact, ...]:
    members, exists = (None, None) if names is None else (names.members, names.exists)
    port = read_port(source, Files(files), substrate=SUBSTRATE, members=members)
    does = effects(port.touchpoints, exists)
    rows = [*(_fact(each, does.get(each)) for each in port.touchpoints), *map(_unresolved, port.unresolved)]
    return tuple(sorted(set(rows), key=astuple))


def _fact(each: Touchpoint, effect: Effect | None) -> TouchFact:
    return TouchFact(
        each.path,
        each.line,
        each.column,
        each.kind.value,
        each.form,
        each.symbol,
        " ".join(each.members),
        each.scope.value,
        _flag(each.restored),
        {True: "yes", False: "no", None: ""}[None if effect is Effect.ADD else each.wraps],
        "" if effect is None else effect.value,
        _flag(bool(each.guard)),
        each.resolution,
        each.certainty.value,
        each.within,
        each.detail,
    )


def as_touchpoint(row: TouchFact) -> Touchpoint:
    """A row as the value that totals are made of; it has no steps and no source texts.

    Raises:
        ValueError: it is of a place that could not be resolved.
    """
    return Touchpoint(
        row.path,
        row.line,
        row.column,
        TouchKind(row.kind),
        row.form,
        row.symbol,
        touches_private(row),
        Scope(row.scope),
        row.resolution,
        Certainty(row.certainty),
        members=tuple(row.members.split()),
        restored=bool(row.restored),
        wraps={"yes": True, "no": False, "": None}[row.wraps],
        within=row.within,
        detail=row.detail,
    )


def touches_private(row: TouchFact) -> bool:
    """Whether a part of what is touched, below the package, begins with an underscore; a copy touches nothing."""
    return row.kind != TouchKind.COPIED and is_private(row.symbol)


def _flag(holds: bool) -> str:  # noqa: FBT001 - a conversion
    return "yes" if holds else ""


def _unresolved(each: Unresolved) -> TouchFact:
    kind = "" if each.kind is None else each.kind.value
    return TouchFact(each.path, each.line, 0, UNRESOLVED, kind, "", detail=each.why)
