"""The official extension points: which release has which, and which patch of a port one of them could replace."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import TYPE_CHECKING

from leverage.coupling.releases.matrix import parameters_of, siblings
from leverage.coupling.releases.names import Found
from leverage.model.touchpoints import TouchKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leverage.coupling.releases.names import ReleaseNames
    from leverage.model.touchpoints import Touchpoint

_REPLACEABLE = frozenset({TouchKind.MONKEY_PATCH, TouchKind.CONTAINER_MUTATION})


@dataclass(frozen=True, slots=True)
class Hook:
    """An extension point.

    Attributes:
        id: its name here.
        symbol: where it is; for one that is awaited, the module or class in which it is looked for.
        parameter: parameter of that function that is the hook; empty for the function itself.
        watch: pattern of the names by which an awaited hook would be known; empty for one that is known.
        what: what it lets a port do.
        instead_of: patterns of names whose patch it could replace.
    """

    id: str
    symbol: str
    what: str
    instead_of: tuple[str, ...]
    parameter: str = ""
    watch: str = ""


@dataclass(frozen=True, slots=True)
class Landing:
    """A hook and the releases that have it.

    Attributes:
        hook: the hook.
        versions: releases that have it, in order.
        name: its full name; of an awaited hook the name that was found, empty where none was.
        replaces: names that the port patches or fills and that it could replace.
    """

    hook: Hook
    versions: tuple[str, ...]
    name: str
    replaces: tuple[str, ...]

    @property
    def since(self) -> str:
        """The first release of the index that has it; empty where none has."""
        return self.versions[0] if self.versions else ""


def shipped_hooks() -> tuple[Hook, ...]:
    """The shipped table, in its order."""
    data = tomllib.loads((files("leverage.coupling.releases") / "hooks.toml").read_text(encoding="utf-8"))
    return tuple(Hook(**{**each, "instead_of": tuple(each["instead_of"])}) for each in data["hook"])


def landings(
    hooks: Iterable[Hook], touchpoints: Sequence[Touchpoint], releases: Sequence[ReleaseNames]
) -> tuple[Landing, ...]:
    """For each hook the releases that have it, and what of a port it could replace.

    Args:
        hooks: extension points.
        touchpoints: those of the port.
        releases: in order, the oldest first.
    """
    changed = sorted({each.symbol for each in touchpoints if each.kind in _REPLACEABLE})
    found = []
    for hook in hooks:
        names = [_there(hook, each) for each in releases]
        versions = tuple(each.version for each, name in zip(releases, names, strict=True) if name)
        replaces = tuple(
            symbol for symbol in changed if any(fnmatchcase(symbol, pattern) for pattern in hook.instead_of)
        )
        plain = "" if hook.watch else hook.symbol + (f"({hook.parameter}=)" if hook.parameter else "")
        found.append(Landing(hook, versions, next(filter(None, names), plain), replaces))
    return tuple(found)


def _there(hook: Hook, names: ReleaseNames) -> str:
    """Full name of a hook in a release; empty where it is not there."""
    if hook.watch:
        pattern = re.compile(hook.watch)
        matching = sorted(name for name in siblings(hook.symbol, names) if pattern.fullmatch(name))
        return f"{hook.symbol}.{matching[0]}" if matching else ""
    found = names.find(hook.symbol)
    if not isinstance(found, Found) or found.rest:
        return ""
    if not hook.parameter:
        return hook.symbol
    given = parameters_of(found.entry.text) if found.entry is not None else None
    return f"{hook.symbol}({hook.parameter}=)" if any(each.name == hook.parameter for each in given or ()) else ""
