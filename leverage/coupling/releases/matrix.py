"""The matrix: what became of each touched name in each release, beside the release that the port is written for."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from leverage.coupling.releases.extract import Sort
from leverage.coupling.releases.names import Absent, Found, ReleaseNames, Unseen
from leverage.model.exact import syntax_tree
from leverage.model.touchpoints import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leverage.coupling.releases.extract import Entry
    from leverage.coupling.releases.names import Answer
    from leverage.model.touchpoints import Touchpoint


class Status(StrEnum):
    """What became of a name, beside the release that it is compared with."""

    OK = "ok"
    BODY_CHANGED = "body_changed"
    """It is there with the same signature, and does something else: its statements, value, declared type, bases or
    decorators changed."""
    SIGNATURE_CHANGED = "signature_changed"
    """It is there and is called in another way, or is another kind of thing."""
    GONE = "gone"
    """It is not there, and an earlier release had it."""
    NOT_YET = "not_yet"
    """It is not there, and no earlier release had it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One name in one release.

    Attributes:
        status: what became of it.
        why: what differs, in words; empty where nothing does.
    """

    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One name in all releases.

    Attributes:
        symbol: canonical dotted name.
        base: version that the others are compared with; empty where no release has the name.
        cells: by version, in the order of releases; empty where the index cannot tell.
        unknown: why it cannot tell; empty where it can.
        likely: where the name may have gone, for releases that lack it: version and new name.
    """

    symbol: str
    base: str
    cells: dict[str, Cell]
    unknown: str = ""
    likely: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Matrix:
    """All touched names in all releases.

    Attributes:
        versions: releases, in order.
        pin: the release that the port is written for, one of them.
        why_pin: how that is known, in words.
        rows: in the order of names.
    """

    versions: tuple[str, ...]
    pin: str
    why_pin: str
    rows: tuple[Row, ...]


def symbols_of(touchpoints: Iterable[Touchpoint]) -> tuple[str, ...]:
    """The upstream names that touchpoints touch, once each, in order."""
    return tuple(sorted({each.symbol for each in touchpoints}))


def matrix_of(symbols: Iterable[str], releases: Sequence[ReleaseNames], pin: int, why_pin: str) -> Matrix:
    """Judge names.

    Args:
        symbols: canonical dotted names.
        releases: in order, the oldest first.
        pin: which of them the port is written for, from 0.
        why_pin: how that is known, in words.
    """
    versions = tuple(each.version for each in releases)
    rows = tuple(row_of(symbol, releases, pin) for symbol in symbols)
    return Matrix(versions, versions[pin], why_pin, rows)


DYNAMIC = "<dynamic>"


def row_of(symbol: str, releases: Sequence[ReleaseNames], pin: int) -> Row:
    """Judge one name; see `matrix_of`. Of a name with a part that is not known what stands before it is judged."""
    known = symbol.partition(f".{DYNAMIC}")[0].partition("[")[0]
    if DYNAMIC in known or not all(part.isidentifier() for part in known.split(".")):
        return Row(symbol, "", {}, "it is no name of Python" if DYNAMIC not in known else "its owner is not known")
    answers = [each.find(known) for each in releases]
    there = [at for at, answer in enumerate(answers) if isinstance(answer, Found)]
    if not there:
        answers = [each.below(known) or answer for each, answer in zip(releases, answers, strict=True)]
        there = [at for at, answer in enumerate(answers) if isinstance(answer, Found)]
    if not there and any(isinstance(answer, Unseen) for answer in answers):
        why = next(answer.why for answer in answers if isinstance(answer, Unseen))
        return Row(symbol, "", {}, why)
    base = min(there, key=lambda at: (abs(at - pin), at < pin), default=-1)
    cells: dict[str, Cell] = {}
    likely: list[tuple[str, str]] = []
    for at, answer in enumerate(answers):
        if isinstance(answer, Found):
            reference = answers[base]
            assert isinstance(reference, Found)  # noqa: S101 - `base` is one of `there`
            cell = compared(reference, answer, releases[base], releases[at])
        else:
            was = any(before < at for before in there)
            cell = Cell(Status.GONE if was else Status.NOT_YET, _absence(answer, there, releases))
            if was and (new := successor(known, releases[at], releases[max(b for b in there if b < at)])):
                likely.append((releases[at].version, new))
        cells[releases[at].version] = cell
    return Row(symbol, releases[base].version if there else "", cells, "", tuple(likely))


def _absence(answer: Answer, there: Sequence[int], releases: Sequence[ReleaseNames]) -> str:
    if not there:
        return "in no release of the index: a name that the port adds, or one from before or after"
    first, last = releases[there[0]].version, releases[there[-1]].version
    owner = f"; {answer.owner} has no such name" if isinstance(answer, Absent) and answer.owner else ""
    return f"in the index from {first} to {last}{owner}"


def compared(  # noqa: PLR0911 - one return for each kind of thing
    old: Found, new: Found, before: ReleaseNames, after: ReleaseNames
) -> Cell:
    """What became of a name between two releases.

    Args:
        old: what it is in the release that is compared with.
        new: what it is in the other one.
        before: names of the first.
        after: names of the second.
    """
    first, second = old.entry, new.entry
    if first is None or second is None:
        if (first is None) == (second is None) or not (old.path and new.path):
            return Cell(Status.OK) if bool(old.path) == bool(new.path) else _other_kind(old, new)
        return Cell(Status.OK)
    if first.sort is not second.sort:
        if {first.sort, second.sort} <= _HELD:
            return Cell(Status.OK)
        if all(each.sort in _HELD or _is_property(each) for each in (first, second)):
            return Cell(Status.BODY_CHANGED, _other_kind(old, new).why)  # it is read in the same way
        return _other_kind(old, new)
    match second.sort:
        case Sort.FUNCTION:
            return _function(first, second)
        case Sort.CLASS:
            return _class(old, new, before, after)
        case Sort.VALUE if not (old.rest or new.rest):
            return _value(first, second)
        case _:
            return Cell(Status.OK)


_HELD = frozenset({Sort.VALUE, Sort.ATTRIBUTE, Sort.IMPORT})
_WORDS = {
    Sort.CLASS: "a class",
    Sort.FUNCTION: "a function",
    Sort.VALUE: "a value",
    Sort.ATTRIBUTE: "an attribute",
    Sort.IMPORT: "imported from outside the index",
}


_READ = frozenset({"property", "cached_property", "cache_property_on_self"})
_BINDING = _READ | {"staticmethod", "classmethod"}  # decorators that change how a method is called


def _is_property(entry: Entry) -> bool:
    return entry.sort is Sort.FUNCTION and any(mark.rpartition(".")[2] in _READ for mark in entry.marks.split())


def _other_kind(old: Found, new: Found) -> Cell:
    def word(found: Found) -> str:
        if found.entry is None:
            return "a module"
        return "a property" if _is_property(found.entry) else _WORDS.get(found.entry.sort, "something else")

    return Cell(Status.SIGNATURE_CHANGED, f"was {word(old)}, is {word(new)}")


def _function(first: Entry, second: Entry) -> Cell:
    if first.text != second.text:
        return Cell(Status.SIGNATURE_CHANGED, signature_difference(first.text, second.text))
    old, new = set(first.marks.split()), set(second.marks.split())
    if {mark.rpartition(".")[2] for mark in old ^ new} & _BINDING:
        return Cell(Status.SIGNATURE_CHANGED, _marks(first, second))
    if first.body != second.body:
        return Cell(Status.BODY_CHANGED, "its statements changed")
    if old != new:
        return Cell(Status.BODY_CHANGED, _marks(first, second))
    return Cell(Status.OK)


def _marks(first: Entry, second: Entry) -> str:
    return f"decorators: {first.marks or 'none'} before, {second.marks or 'none'} now"


def _value(first: Entry, second: Entry) -> Cell:
    parts = []
    if first.text != second.text and first.text and second.text:
        parts.append(f"value: {first.text} before, {second.text} now")
    if first.note != second.note and (first.note or second.note):
        parts.append(f"declared as {second.note or 'nothing'}, before as {first.note or 'nothing'}")
    return Cell(Status.BODY_CHANGED, "; ".join(parts)) if parts else Cell(Status.OK)


def _class(old: Found, new: Found, before: ReleaseNames, after: ReleaseNames) -> Cell:
    made, makes = constructor(old, before), constructor(new, after)
    if made is not None and makes is not None and made.text != makes.text:
        return Cell(Status.SIGNATURE_CHANGED, f"its constructor: {signature_difference(made.text, makes.text)}")
    assert old.entry is not None and new.entry is not None  # noqa: S101, PT018 - asked before
    if old.entry.text != new.entry.text:
        return Cell(Status.BODY_CHANGED, f"bases: {old.entry.text or 'none'} before, {new.entry.text or 'none'} now")
    if old.entry.marks != new.entry.marks:
        return Cell(Status.BODY_CHANGED, _marks(old.entry, new.entry))
    if made is not None and makes is not None and made.body != makes.body:
        return Cell(Status.BODY_CHANGED, "its constructor does something else")
    return Cell(Status.OK)


GENERATED = "dataclass-fields"
"""Mark of a constructor that a decorator makes; its text has the fields of that class alone."""


def constructor(found: Found, names: ReleaseNames) -> Entry | None:
    """Form of the function that makes an object of a class; None where the index has none.

    Of a dataclass the fields of its bases come first, as Python puts them.
    """
    if found.entry is None or found.entry.sort is not Sort.CLASS:
        return None
    answer = names.find(f"{found.place}.__init__")
    if not isinstance(answer, Found) or answer.entry is None or answer.entry.sort is not Sort.FUNCTION:
        return None
    if answer.entry.marks != GENERATED:
        return answer.entry
    plain: dict[str, str] = {}
    keywords: dict[str, str] = {}
    for owner in reversed(names.ancestry(found)):
        forms = names.series.module(owner.module)
        own = None if forms is None else forms.entry(f"{owner.path}.__init__", names.number)
        if own is None or own.marks != GENERATED:
            continue
        for each in parameters_of(own.text) or ():
            (keywords if each.kind == "keyword_only" else plain).setdefault(each.name, "")
            (keywords if each.kind == "keyword_only" else plain)[each.name] = _shown(each)
    text = ", ".join([*plain.values(), *(["*", *keywords.values()] if keywords else [])])
    return replace(answer.entry, text=text)


def parameters_of(text: str) -> tuple[Parameter, ...] | None:
    """The parameters of a signature as the index keeps it; None where it is no signature."""
    try:
        function = syntax_tree(f"def f({text}): pass").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    missing = len(plain) - len(given.defaults)
    found = [
        Parameter(
            each.arg,
            "positional_only" if at < len(given.posonlyargs) else "positional",
            None if at < missing else ast.unparse(given.defaults[at - missing]),
        )
        for at, each in enumerate(plain)
    ]
    if given.vararg:
        found.append(Parameter(given.vararg.arg, "var_positional"))
    found += [
        Parameter(each.arg, "keyword_only", None if default is None else ast.unparse(default))
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if given.kwarg:
        found.append(Parameter(given.kwarg.arg, "var_keyword"))
    return tuple(found)


def signature_difference(old: str, new: str) -> str:
    """What differs between two signatures, in words."""
    before, after = parameters_of(old), parameters_of(new)
    if before is None or after is None:
        return f"({old}) before, ({new}) now"
    was = {each.name: each for each in before}
    now = {each.name: each for each in after}
    parts = []
    if added := [_shown(each) for each in after if each.name not in was]:
        parts.append(f"new: {', '.join(added)}")
    if lost := [each.name for each in before if each.name not in now]:
        parts.append(f"gone: {', '.join(lost)}")
    for name in was.keys() & now.keys():
        if was[name].default != now[name].default:
            parts.append(f"default of {name}: {was[name].default or 'none'} before, {now[name].default or 'none'} now")
        elif was[name].kind != now[name].kind:
            parts.append(f"{name}: {was[name].kind} before, {now[name].kind} now")
    kept_before = [each.name for each in before if each.name in now]
    kept_after = [each.name for each in after if each.name in was]
    moved = kept_before != kept_after or any(
        before[at].name != after[at].name
        for at in range(min(len(before), len(after)))
        if before[at].name in now and after[at].kind == "positional" == before[at].kind
    )
    if moved:
        parts.append("positions moved")
    return "; ".join(sorted(parts, key=lambda part: not part.startswith(("new", "gone")))) or f"({new}) now"


def _shown(parameter: Parameter) -> str:
    star = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    return f"{star}{parameter.name}" + ("" if parameter.default is None else f"={parameter.default}")


NEAR = 0.8


def successor(symbol: str, names: ReleaseNames, before: ReleaseNames) -> str:
    """Where a name that is gone has likely gone; empty where nothing looks like it.

    Args:
        symbol: the name.
        names: the release that lacks it.
        before: a release that had it.
    """
    owner, _, last = symbol.rpartition(".")
    found = before.find(symbol)
    if not owner or not isinstance(found, Found):
        return ""
    others = siblings(owner, names)
    new = others - siblings(owner, before)
    body = found.entry.body if found.entry is not None else ""
    if body:
        for name in sorted(new):
            answer = names.find(f"{owner}.{name}")
            if isinstance(answer, Found) and answer.entry is not None and answer.entry.body == body:
                return f"{owner}.{name}"
    near = difflib.get_close_matches(last, sorted(new), 1, NEAR) or [
        name
        for name in sorted(new, key=lambda name: (len(name), name))
        if name.endswith(f"_{last}") or name.startswith(f"{last}_")
    ]
    return f"{owner}.{near[0]}" if near else ""


def siblings(owner: str, names: ReleaseNames) -> frozenset[str]:
    """Names beside one another in a class or module."""
    members = names.members(owner)
    if members is not None:
        return members
    answer = names.find(owner)
    if not isinstance(answer, Found) or answer.path:
        return frozenset()
    forms = names.series.module(answer.module)
    if forms is None:
        return frozenset()
    return frozenset(path for path in forms.names if "." not in path and forms.entry(path, names.number) is not None)
