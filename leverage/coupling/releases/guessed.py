"""Calls whose receiver nobody knows, matched by the name of the method: few upstream classes define it."""

from __future__ import annotations

import builtins
from dataclasses import replace
from logging import Logger
from pathlib import Path
from re import Pattern
from typing import TYPE_CHECKING

from leverage.coupling.releases.extract import Sort
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.coupling.port import LooseCall
    from leverage.coupling.releases.names import ReleaseNames

MOST_CLASSES = 2
"""Upstream classes that may define a method of the name; of more nobody can say which is meant."""
SHORTEST = 8
"""Letters of a name, for short ones are used everywhere."""
STACK = ("torch._inductor.", "torch._dynamo.", "torch._functorch.", "torch.fx.", "torch._C.")
"""Packages whose methods may be meant: objects of the rest are seldom handed about without a type."""
_PLAIN = frozenset(
    name for each in (*vars(builtins).values(), Logger, Path, Pattern) if isinstance(each, type) for name in dir(each)
)


def guessed_sites(calls: Iterable[LooseCall], names: ReleaseNames) -> tuple[Touchpoint, ...]:
    """Touchpoints by name alone, in the order of the calls.

    Args:
        calls: calls of methods on receivers that were not resolved; those of names that the port defines are left out.
        names: the release that the port is written for.
    """
    loose = list(calls)
    wanted = {each.name for each in loose if len(each.name) >= SHORTEST and each.name not in _PLAIN}
    known = {name: _owners(name, names) for name in sorted(wanted)}
    found = []
    for each in loose:
        owners = known.get(each.name, [])
        if not owners:
            continue
        plain = Touchpoint(
            each.path,
            each.line,
            each.column,
            TouchKind.ATTRIBUTE_USE,
            "call",
            f"{owners[0]}.{each.name}",
            each.name.startswith("_"),
            Scope.NONE,
            "name",
            Certainty.GUESS,
        )
        other = f"may also be {owners[1]}.{each.name}" if len(owners) > 1 else ""
        found.append(replace(plain, call=each.call, detail=other))
    return tuple(found)


def _owners(name: str, names: ReleaseNames) -> list[str]:
    """Classes that define a method of a name in a release; none where they are too many."""
    modules = names.series.defining(name)
    if len(modules) > MOST_CLASSES or not all(f"{module}.".startswith(STACK) for module in modules):
        return []
    owners = []
    for module in modules:
        forms = names.series.module(module)
        for path in forms.names if forms is not None else ():
            entry = forms.entry(path, names.number) if forms is not None and path.endswith(f".{name}") else None
            if entry is not None and entry.sort is Sort.FUNCTION:
                owners.append(f"{module}.{path.rpartition('.')[0]}")
    return owners if len(owners) <= MOST_CLASSES else []
