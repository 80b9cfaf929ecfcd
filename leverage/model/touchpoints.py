"""Touchpoints: the places where a port touches its substrate. Facts of the port's source alone; no release is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TouchKind(StrEnum):
    """What a port does at a touchpoint."""

    IMPORT = "import"
    SUBCLASS = "subclass"
    OVERRIDE = "override"
    MONKEY_PATCH = "monkey_patch"
    CONTAINER_MUTATION = "container_mutation"
    CONFIG_KEY = "config_key"
    REGISTRATION = "registration"
    ATTRIBUTE_USE = "attribute_use"
    COPIED = "copied"


class Scope(StrEnum):
    """What a change of upstream state reaches."""

    GLOBAL = "global"
    """A module, a class or an object of theirs: everything in the process sees it."""
    INSTANCE = "instance"
    """One live object, such as the graph that is being compiled."""
    NONE = "none"
    """Nothing is changed."""


class Certainty(StrEnum):
    """How sure the resolution of the receiver is."""

    CERTAIN = "certain"
    """Every step is an import, a definition or an assignment that has no alternative."""
    LIKELY = "likely"
    """An annotation, a parameter bound at known calls, a field set in a constructor, a virtualised object."""
    GUESS = "guess"
    """By name alone."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a signature.

    Attributes:
        name: its name.
        kind: ``positional_only``, ``positional``, ``var_positional``, ``keyword_only`` or ``var_keyword``.
        default: source text of the default; None where it has none.
    """

    name: str
    kind: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """How a symbol is called at a site.

    Attributes:
        positional: number of plain positional arguments.
        keywords: names of keyword arguments, in order.
        star: whether ``*args`` is passed.
        double_star: whether ``**kwargs`` is passed.
    """

    positional: int
    keywords: tuple[str, ...] = ()
    star: bool = False
    double_star: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step by which a receiver was resolved.

    Attributes:
        path: file of the step.
        line: its line, from 1.
        text: what was learnt, in words (``cfx is the module torch._inductor.compile_fx``).
    """

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Touchpoint:
    """A place where a port touches its substrate.

    Attributes:
        path: file, from the root of what was read.
        line: line of the statement, from 1.
        column: column of the expression, from 0; tells apart two touchpoints on one line.
        kind: what is done.
        form: how, as a slug: ``assignment``, ``setattr``, ``patch.object``, ``item``, ``pop``, ``augmented`` ...
        symbol: upstream symbol, canonical and dotted; ``<dynamic>`` stands for a part that is not known.
        members: the literal names that a dynamic part ranges over; empty where it is not dynamic or not known.
        private: whether a part of the symbol below the package begins with an underscore (dunder names do not count).
        scope: what a change reaches.
        restored: whether the same owner and name are put back.
        wraps: for a patch, whether the new value calls the original; None where that is not known or means nothing.
        guard: source text of the conditions around it that ask for a version or for existence; empty where none.
        resolution: how the receiver was resolved, as a word: ``import``, ``alias``, ``annotation``, ``parameter``,
            ``virtualized``, ``field``, ``name`` ...
        certainty: how sure that is.
        steps: the resolution, step by step.
        within: symbol of the port's function or class that holds it, dotted; empty at module level.
        call: how the symbol is called here; None where it is not.
        parameters: for an override or a patch by a known function, its signature; None where not known.
        value: source text of the value that is assigned or of the index that is used, shortened; empty where none.
        detail: more, in words, for a reader; may be empty.
    """

    path: str
    line: int
    column: int
    kind: TouchKind
    form: str
    symbol: str
    private: bool
    scope: Scope
    resolution: str
    certainty: Certainty
    members: tuple[str, ...] = ()
    restored: bool = False
    wraps: bool | None = None
    guard: str = ""
    steps: tuple[Step, ...] = ()
    within: str = ""
    call: Call | None = None
    parameters: tuple[Parameter, ...] | None = None
    value: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A place that may be a touchpoint and could not be resolved.

    Attributes:
        path: file.
        line: line, from 1.
        kind: what it would be.
        text: the receiver as written, shortened.
        why: what stood in the way; for a file that cannot be parsed, the parser's message.
    """

    path: str
    line: int
    kind: TouchKind | None
    text: str
    why: str
