"""What a dotted name means in one release: followed through imports, wildcard imports, classes and their bases."""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from leverage.coupling.releases.extract import Sort
from leverage.coupling.releases.series import within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.coupling.releases.extract import Entry
    from leverage.coupling.releases.series import Series

MOST_STEPS = 40
"""Imports and bases that are followed for one question; circles end here."""
_WITHOUT_NAMES = frozenset({"ABC", "Generic", "Protocol", "object", "NamedTuple", "TypedDict", "type"})
_OF_EVERY_CLASS = frozenset({"__dict__", "__bases__", "__name__", "__qualname__", "__annotations__", "__mro__"})
_ALIAS = re.compile(r"[A-Za-z_][\w.]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A name that a release has.

    Attributes:
        place: module and path of its definition, dotted; where it is imported from elsewhere, the name there.
        module: module that defines it.
        path: path inside that module; empty for the module itself.
        entry: its form; None for a module, and for what Python gives every class.
        rest: parts of the name below it that no source shows: attributes of a value.
    """

    place: str
    module: str
    path: str
    entry: Entry | None
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """A name that a release does not have.

    Attributes:
        owner: the longest part of it that is there; empty where nothing is.
    """

    owner: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """A name of which the source does not tell.

    Attributes:
        why: in words.
    """

    why: str


Answer = Found | Absent | Unseen


@dataclass(slots=True)
class ReleaseNames:
    """The names of one release of a series; a `leverage.coupling.existence.Names`.

    Attributes:
        series: the index.
        number: which of its releases, from 0.
    """

    series: Series
    number: int
    _answers: dict[str, Answer] = field(default_factory=dict)
    _lineages: dict[str, tuple[tuple[Found, ...], tuple[str, ...]]] = field(default_factory=dict)
    _inside: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _below: dict[str, dict[str, str]] = field(default_factory=dict)
    _subclasses: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """Version of the release."""
        return self.series.releases[self.number].version

    def find(self, symbol: str) -> Answer:
        """What a canonical dotted name means."""
        if symbol not in self._answers:
            self._answers[symbol] = Unseen("it leads back to itself")  # until it is known
            self._answers[symbol] = self._find(tuple(symbol.split(".")), MOST_STEPS)
        return self._answers[symbol]

    def exists(self, symbol: str) -> bool | None:
        """Whether a name exists; None where that cannot be told."""
        match self.find(symbol):
            case Found(rest=()):
                return True
            case Absent():
                return False
            case _:
                return None

    def members(self, symbol: str) -> frozenset[str] | None:
        """Names that a class and its bases have; None where it is no class of the release."""
        found = self.find(symbol)
        if not isinstance(found, Found) or found.entry is None or found.entry.sort is not Sort.CLASS or found.rest:
            return None
        return frozenset(name for owner in self.ancestry(found) for name in self.own(owner))

    def ancestry(self, found: Found) -> tuple[Found, ...]:
        """A class and its bases, as far as the index has them, in the order in which names are looked up (roughly)."""
        return self._lineage(found)[0]

    def _lineage(self, found: Found) -> tuple[tuple[Found, ...], tuple[str, ...]]:
        """A class and its bases, and the names of bases that the index does not have."""
        if found.place not in self._lineages:
            every: dict[str, Found] = {}
            outside: dict[str, None] = {}
            self._above(found, every, outside, MOST_STEPS)
            self._lineages[found.place] = tuple(every.values()), tuple(outside)
        return self._lineages[found.place]

    def _above(self, found: Found, every: dict[str, Found], outside: dict[str, None], steps: int) -> None:
        if found.place in every or found.entry is None or steps <= 0:
            return
        every[found.place] = found
        for base in found.entry.text.split():
            above = self.find(base) if "." in base else Unseen("a builtin")
            if (
                isinstance(above, Found)
                and above.entry is not None
                and above.entry.sort is Sort.CLASS
                and not above.rest
            ):
                self._above(above, every, outside, steps - 1)
            else:
                outside[base] = None

    def importers(self, place: str) -> list[str]:
        """Full names under which other modules hold a definition by an import at their top."""
        found = []
        for module in self.series.mentions(place):
            forms = self.series.module(module)
            for path in forms.names if forms is not None else ():
                entry = forms.entry(path, self.number) if forms is not None else None
                if entry is not None and entry.sort is Sort.IMPORT and entry.text == place and not entry.marks:
                    found.append(f"{module}.{path}")
        return found

    def below(self, symbol: str) -> Found | None:
        """What a name means in the first of the subclasses, beside its class, that has it; None where none has.

        A value may be declared as a class of which there are only objects of subclasses.
        """
        parts = symbol.split(".")
        for size in range(len(parts) - 1, 1, -1):
            found = self.find(".".join(parts[:size]))
            if isinstance(found, Found) and found.entry is not None and found.entry.sort is Sort.CLASS:
                place = self._below_class(found).get(parts[size])
                answer = self.find(".".join([place, *parts[size:]])) if place is not None else None
                return answer if isinstance(answer, Found) else None
        return None

    def _below_class(self, found: Found) -> dict[str, str]:
        """By name of a member the first subclass, in the same module, that has it."""
        if found.place not in self._below:
            every = self._below[found.place] = {}
            for place in self._derived(found.module).get(found.place, ()):
                for name in self.members(place) or ():
                    every.setdefault(name, place)
        return self._below[found.place]

    def _derived(self, module: str) -> dict[str, list[str]]:
        """By class, the classes of one module that derive from it."""
        if module not in self._subclasses:
            every = self._subclasses[module] = {}
            forms = self.series.module(module)
            for path in forms.names if forms is not None else ():
                entry = forms.entry(path, self.number) if forms is not None else None
                if entry is not None and entry.sort is Sort.CLASS:
                    place = f"{module}.{path}"
                    for above in self.ancestry(Found(place, module, path, entry))[1:]:
                        every.setdefault(above.place, []).append(place)
        return self._subclasses[module]

    def own(self, found: Found) -> Sequence[str]:
        """Names in the body of a class, or that its methods bind on their object."""
        if found.module not in self._inside:
            every = self._inside[found.module] = {}
            forms = self.series.module(found.module)
            for path in forms.names if forms is not None else ():
                owner, _, name = path.rpartition(".")
                if owner and forms is not None and forms.entry(path, self.number) is not None:
                    every.setdefault(owner, []).append(name)
        return self._inside[found.module].get(found.path, ())

    def _module_is_there(self, name: str) -> bool:
        forms = self.series.module(name)
        return forms is not None and within(forms.runs, self.number)

    def _find(self, parts: tuple[str, ...], steps: int) -> Answer:
        if steps <= 0:
            return Unseen("it leads through too many imports")
        for size in range(len(parts), 0, -1):
            module = ".".join(parts[:size])
            if self._module_is_there(module):
                return self._in_module(module, parts[size:], steps - 1)
        if parts[0] == self.series.substrate or self.series.module(parts[0]) is not None:
            return Absent("")
        return Unseen(f"{parts[0]} is no package of the index")

    def _in_module(self, module: str, rest: tuple[str, ...], steps: int) -> Answer:
        forms = self.series.module(module)
        if not rest or forms is None:
            return Found(module, module, "", None)
        entry = forms.entry(rest[0], self.number)
        if entry is not None:
            return self._entry(module, rest[0], entry, rest[1:], steps)
        for star in forms.stars(self.number):
            if star != module and self._module_is_there(star) and not rest[0].startswith("_"):
                answer = self._in_module(star, rest, steps - 1) if steps > 0 else Absent(module)
                if isinstance(answer, Found):
                    return answer
        if len(rest) == 1 and rest[0] in {"__name__", "__file__", "__doc__", "__dict__", "__all__", "__path__"}:
            return Found(f"{module}.{rest[0]}", module, "", None)
        if self.series.is_outlined(module):
            return Unseen(f"of {module} the index has the name alone")
        return Unseen(f"{module} may make names when it runs") if within(forms.open, self.number) else Absent(module)

    def _entry(  # noqa: PLR0911 - one return for each kind of thing
        self, module: str, path: str, entry: Entry, rest: tuple[str, ...], steps: int
    ) -> Answer:
        place = f"{module}.{path}"
        here = Found(place, module, path, entry, rest)
        match entry.sort:
            case Sort.CLASS if rest:
                answer = self._member(module, path, entry, rest, steps)
                if isinstance(answer, Found) or not (hasattr(object, rest[0]) or rest[0] in _OF_EVERY_CLASS):
                    return answer
                return Found(f"{place}.{rest[0]}", module, f"{path}.{rest[0]}", None, rest[1:])
            case Sort.IMPORT:
                target = tuple(entry.text.split("."))
                answer = self._find((*target, *rest), steps - 1)
                if isinstance(answer, Found) or (rest and isinstance(answer, Absent) and answer.owner):
                    return answer
                return here
            case Sort.VALUE if rest and _ALIAS.fullmatch(entry.text) and steps > 0:
                first = entry.text.partition(".")[0]
                forms = self.series.module(module)
                if forms is not None and first != path and forms.entry(first, self.number) is not None:
                    return self._in_module(module, (*entry.text.split("."), *rest), steps - 1)
                return here
            case _:
                return here

    def _member(self, module: str, path: str, owner: Entry, rest: tuple[str, ...], steps: int) -> Answer:
        forms = self.series.module(module)
        inner = f"{path}.{rest[0]}"
        entry = forms.entry(inner, self.number) if forms is not None else None
        if entry is not None:
            return self._entry(module, inner, entry, rest[1:], steps)
        above, outside = self._lineage(Found(f"{module}.{path}", module, path, owner))
        for each in above[1:]:
            forms = self.series.module(each.module)
            inner = f"{each.path}.{rest[0]}"
            entry = forms.entry(inner, self.number) if forms is not None else None
            if entry is not None and steps > 0:
                return self._entry(each.module, inner, entry, rest[1:], steps - 1)
        unseen = ""
        for base in outside:
            known = getattr(builtins, base, None)
            if isinstance(known, type):
                if hasattr(known, rest[0]) and known is not object:
                    return Found(f"{base}.{rest[0]}", base, rest[0], None)
            elif base.rpartition(".")[2] not in _WITHOUT_NAMES:
                unseen = unseen or f"its base {base} is not in the index"
        return Unseen(unseen) if unseen else Absent(f"{module}.{path}")
