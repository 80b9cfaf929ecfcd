"""Whether an upstream name that a port binds exists upstream: a patch replaces one, an addition makes a new one.

The difference matters. A patch can go dead when upstream stops calling the name; an addition can only collide.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from leverage.model.touchpoints import TouchKind, Touchpoint
from leverage.resolve.rows import DYNAMIC, RESTORE

if TYPE_CHECKING:
    from collections.abc import Iterable

Oracle = Callable[[str], bool | None]
"""From a canonical dotted name to whether it exists; None where that cannot be told."""


class Names(Protocol):
    """What is known of the names of a substrate."""

    def exists(self, symbol: str) -> bool | None:
        """Whether a canonical dotted name exists; None where that cannot be told."""
        ...

    def members(self, symbol: str) -> frozenset[str] | None:
        """Names that a class and its bases have; None where the class is not known."""
        ...


class Effect(StrEnum):
    """What binding a name does."""

    PATCH = "patch"
    """The name exists upstream and gets another value."""
    ADD = "add"
    """The name does not exist upstream."""
    UNKNOWN = "unknown"
    """Upstream's source is not at hand, or its names are made when it runs."""


def effects(touchpoints: Iterable[Touchpoint], exists: Oracle | None) -> dict[Touchpoint, Effect]:
    """Of every touchpoint that binds an attribute upstream, what it does.

    Args:
        touchpoints: touchpoints of a port; those of other kinds are left out of the answer, and so are those that put
            an original back.
        exists: what is known of upstream's names; None where nothing is.
    """
    return {each: _effect(each, exists) for each in touchpoints if is_patch(each)}


def is_patch(each: Touchpoint) -> bool:
    """Whether a touchpoint binds something new; a line that puts an original back belongs to its patch."""
    return each.kind is TouchKind.MONKEY_PATCH and each.form != RESTORE


def _effect(each: Touchpoint, exists: Oracle | None) -> Effect:
    if exists is None:
        return Effect.UNKNOWN
    names = _names(each)
    answers = {exists(name) for name in names} if names else {None}
    if answers == {True}:
        return Effect.PATCH
    return Effect.ADD if answers == {False} else Effect.UNKNOWN


def _names(each: Touchpoint) -> tuple[str, ...]:
    """The names it may bind: one, or those that a dynamic last part ranges over; none where that is not known."""
    owner, _, last = each.symbol.rpartition(".")
    if DYNAMIC not in each.symbol:
        return (each.symbol,)
    if last == DYNAMIC and DYNAMIC not in owner:
        return tuple(f"{owner}.{member}" for member in each.members)
    return ()
