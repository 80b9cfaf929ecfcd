"""What an expression may stand for, as far as a reader of the source can tell without running it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Certainty, Step

if TYPE_CHECKING:
    import ast

    from leverage.resolve.scopes import ClassScope, FunctionScope, Scope


class Form(StrEnum):
    """What kind of thing an upstream value is."""

    SYMBOL = "symbol"
    """The module, class, function or constant of that name itself."""
    OBJECT = "object"
    """An object of the class of that name."""
    MEMBER = "member"
    """What an object of a class has under a name: ``Class.attribute``, on one live object."""


@dataclass(frozen=True, slots=True)
class Known:
    """How something became known.

    Attributes:
        resolution: the word for the way: ``import``, ``alias``, ``annotation`` ...; the weakest step names it.
        certainty: how sure it is; the weakest step decides.
        steps: one after the other.
    """

    resolution: str = "import"
    certainty: Certainty = Certainty.CERTAIN
    steps: tuple[Step, ...] = ()

    def then(self, step: Step, resolution: str = "", certainty: Certainty = Certainty.CERTAIN) -> Known:
        """With one more step; a weaker one takes over word and certainty."""
        if _RANK[certainty] > _RANK[self.certainty] or (resolution and self.resolution in _PLAIN):
            return Known(
                resolution or self.resolution, max(certainty, self.certainty, key=_RANK.__getitem__), self._more(step)
            )
        return Known(self.resolution, self.certainty, self._more(step))

    def _more(self, step: Step) -> tuple[Step, ...]:
        return self.steps if step in self.steps or len(self.steps) >= _MOST_STEPS else (*self.steps, step)


_RANK = {Certainty.CERTAIN: 0, Certainty.LIKELY: 1, Certainty.GUESS: 2}
_PLAIN = frozenset({"import", "alias"})
_MOST_STEPS = 12


@dataclass(frozen=True, slots=True)
class Upstream:
    """Something of the substrate.

    Attributes:
        path: canonical dotted name; for an object that of its class.
        form: what it is.
        known: how that is known; two values that differ in this alone are one (see `key`).
    """

    path: str
    form: Form
    known: Known

    @property
    def key(self) -> tuple[str, Form]:
        """What makes two values the same."""
        return self.path, self.form


@dataclass(frozen=True, slots=True)
class OwnModule:
    """A module of the port, by its dotted name."""

    name: str


@dataclass(frozen=True, slots=True)
class OwnClass:
    """A class of the port."""

    scope: ClassScope


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function of the port.

    Attributes:
        scope: its scope.
        owner: class whose object it was taken from, so that its first parameter is taken; None for a plain function.
    """

    scope: FunctionScope
    bound: bool = False


@dataclass(frozen=True, slots=True)
class OwnObject:
    """An object of a class of the port."""

    scope: ClassScope


@dataclass(frozen=True, slots=True)
class Text:
    """One string."""

    value: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A tuple, list, set or dict written out in the source, or a sequence of things of which one is known.

    Attributes:
        parts: expressions and the scope they stand in, in order; for a dict its values.
        keys: the keys of a dict.
        scope: where it is written.
    """

    parts: tuple[ast.expr, ...]
    keys: tuple[ast.expr | None, ...]
    scope: Scope

    def __hash__(self) -> int:
        return hash((self.parts, self.scope))


@dataclass(frozen=True, slots=True)
class Many:
    """A sequence whose elements are all like this one."""

    element: Value


Value = Upstream | OwnModule | OwnClass | OwnFunction | OwnObject | Text | Pack | Many


def same_key(value: Value) -> object:
    """Equal for values that are the same thing, whatever is known of how each became known."""
    match value:
        case Upstream():
            return value.key
        case Many(element=element):
            return Many, same_key(element)
        case _:
            return value


def unique(values: list[Value]) -> tuple[Value, ...]:
    """Values without repetition, in order; of equal upstream values the surest stays."""
    found: dict[object, Value] = {}
    for value in values:
        if isinstance(value, Upstream):
            before = found.get(value.key)
            if isinstance(before, Upstream) and _RANK[before.known.certainty] <= _RANK[value.known.certainty]:
                continue
            found[value.key] = value
        else:
            found.setdefault(value, value)
    return tuple(found.values())[:MOST_VALUES]


MOST_VALUES = 12
"""Alternatives that are followed for one expression."""
