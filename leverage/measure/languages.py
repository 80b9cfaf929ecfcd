"""Languages as data, and the language of a file.

The table is `languages.toml`. A path decides where its name says enough; where it does not (`.h`, `.inc`, `.in`, no
suffix at all) the content decides, helped by the files beside it. Both steps say which rule they used. They are apart
because a cache wants to know what is asked before it reads any bytes: `by_path` gives a `Choice` or a `Question`, and a
question with the same key has the same answer for the same bytes.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.model.decisions import Purpose
from leverage.model.files import EntryKind, SourceFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

COUNTERS = ("cloc", "scc", "tokei", "pygount", "sloccount")
"""Public counters whose knowledge of a language the table records."""


class Kind(StrEnum):
    """What a language is for."""

    PROGRAMMING = "programming"
    BUILD = "build"
    DATA = "data"
    PROSE = "prose"
    MARKUP = "markup"


PURPOSE_OF_KIND: Mapping[Kind, Purpose] = {
    Kind.BUILD: Purpose.BUILD,
    Kind.PROSE: Purpose.DOCS,
    Kind.MARKUP: Purpose.DOCS,
    Kind.DATA: Purpose.DATA,
}
"""Inside production code a file of these kinds of language has a purpose of its own."""


@dataclass(frozen=True, slots=True)
class Language:
    """One entry of `languages.toml`; its head says what each field means."""

    id: str
    name: str
    kind: Kind
    compiler: bool = False
    group: str = ""
    family: str = ""
    pygount: str = ""
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    known_to: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Choice:
    """The language of a file (empty: unknown) and the rule that decided, in words."""

    language: str
    rule: str

    @property
    def key(self) -> str:
        """Names this choice in a cache; distinct from the key of any `Question`."""
        return self.language


@dataclass(frozen=True, slots=True)
class Question:
    """What the content must decide.

    Attributes:
        topic: the doubtful suffix without its dot, or ``name`` for a file whose name says nothing.
        beside: language of the sources that stand beside it (``c``, ``cpp``, ``objc``), or empty.
        majority: language of most C-family sources of the whole snapshot, or empty.
    """

    topic: str
    beside: str = ""
    majority: str = ""

    @property
    def key(self) -> str:
        """Names the question: equal keys and equal bytes have equal answers."""
        return f"?{self.topic}:{self.beside}:{self.majority}"


# What a source suffix says about the headers beside it.
_EVIDENCE = {
    **dict.fromkeys(("cpp", "cc", "cxx", "hpp", "hh", "hxx", "cu", "cuh", "mu", "muh", "hip", "inl", "ipp"), "cpp"),
    "c": "c",
    "m": "objc",
    "mm": "objc",
}


def evidence(path: str) -> str:
    """The C-family language that a source speaks for by its suffix; empty where it says nothing about headers."""
    _, dot, suffix = path.rpartition(".")
    return _EVIDENCE.get(suffix, "") if dot else ""


TEMPLATES = frozenset({"j2", "jinja", "jinja2"})
DOUBTFUL = frozenset({"h", "inc", "def", "m", "mod", "cl", "d", "ts", "pl", "pp", "fs", "t", "v"})
WRAPPERS = frozenset({"in", "template", "tmpl", "example", "sample", "dist", "nyi", "broken", "disabled", "orig"})
_DEPTH = 6  # suffixes of suffixes that are looked through


@dataclass(frozen=True, slots=True)
class Context:
    """What the rest of a snapshot says about one of its files.

    Attributes:
        stems: path without suffix -> languages of the sources of that stem.
        folders: folder -> languages of the sources in it.
        majority: language of most C-family sources, or empty.
    """

    stems: Mapping[str, Collection[str]] = field(default_factory=dict)
    folders: Mapping[str, Collection[str]] = field(default_factory=dict)
    majority: str = ""

    @classmethod
    def of(cls, entries: Iterable[SourceFile]) -> Context:
        """The context that a listing gives."""
        stems: dict[str, set[str]] = {}
        folders: dict[str, set[str]] = {}
        votes: Counter[str] = Counter()
        for entry in entries:
            language = evidence(entry.path)
            if not language or entry.kind is not EntryKind.FILE:
                continue
            stem = entry.path.rpartition(".")[0]
            stems.setdefault(stem, set()).add(language)
            folders.setdefault(stem.rpartition("/")[0], set()).add(language)
            votes[language] += 1
        return cls(
            {stem: frozenset(found) for stem, found in stems.items()},
            {folder: frozenset(found) for folder, found in folders.items()},
            min(votes, key=lambda language: (-votes[language], language), default=""),
        )

    def beside(self, path: str) -> str:
        """Language of the sources beside a path: of the same stem first, then all that the folder agrees on."""
        found = self.stems.get(path.rpartition(".")[0]) or self.folders.get(path.rpartition("/")[0]) or ()
        return next(iter(found)) if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Lookup:
    names: Mapping[str, str]
    suffixes: Mapping[str, str]
    programs: Mapping[str, str]
    aliases: Mapping[str, str]
    patterns: tuple[tuple[re.Pattern[str], str, str], ...]  # compiled, as written, language
    any_pattern: re.Pattern[str]  # all of them at once: most files match none


@cache
def languages() -> Mapping[str, Language]:
    """The whole table by id.

    Raises:
        ValueError: the table contradicts itself; that is a defect of ours.
    """
    return MappingProxyType({id_: _language(id_, entry) for id_, entry in tomllib.loads(table_text()).items()})


def table_text() -> str:
    """The text of `languages.toml`."""
    return files("leverage.measure").joinpath("languages.toml").read_text(encoding="utf-8")


def by_path(path: str, context: Context) -> Choice | Question:
    """What the path alone decides, or what must be asked of the content."""
    return _by_path(path, context, _DEPTH)


def _by_path(path: str, context: Context, depth: int) -> Choice | Question:
    lookup = _lookup()
    name = path.rpartition("/")[2]
    named = _by_name(path, name, lookup)
    if named is not None or not depth:
        return named or Question("name")
    stem, _, suffix = name.rpartition(".")
    small = suffix.lower()
    if small in WRAPPERS and stem:
        inner = _by_path(path[: -len(suffix) - 1], context, depth - 1)
        return Choice(inner.language, f"{inner.rule} inside .{small}") if isinstance(inner, Choice) else inner
    for candidate in (suffix, small) if "." in name else ():
        if candidate in DOUBTFUL:
            return _doubt(candidate, stem, path, context)
        if candidate in TEMPLATES:
            return _template(path[: -len(suffix) - 1], candidate, context, depth)
        if candidate in lookup.suffixes:
            return Choice(lookup.suffixes[candidate], f"suffix .{candidate}")
    return Question("name")


def _template(path: str, suffix: str, context: Context, depth: int) -> Choice:
    """A template, over the language that it writes where the inner suffix says so."""
    inner = _by_path(path, context, depth - 1)
    group = languages()[inner.language].group if isinstance(inner, Choice) else ("cpp" if inner.topic == "h" else "")
    return (
        Choice(f"jinja-{group}", f"template over {group}, suffix .{suffix}")
        if group
        else Choice("jinja", f"suffix .{suffix}")
    )


def _by_name(path: str, name: str, lookup: _Lookup) -> Choice | None:
    if name in lookup.names:
        return Choice(lookup.names[name], f"file name {name}")
    tail = "/".join(path.rsplit("/", 2)[-2:])
    if not lookup.any_pattern.fullmatch(tail):
        return None
    return next(
        Choice(language, f"file name {written}")
        for pattern, written, language in lookup.patterns
        if pattern.fullmatch(tail)
    )


def _doubt(suffix: str, stem: str, path: str, context: Context) -> Choice | Question:
    inner = stem.rpartition(".")[2].lower() if "." in stem else ""
    if suffix in {"inc", "def"} and inner in _lookup().suffixes:  # ONNXOps.td.inc, Builder.hpp.inc
        return Choice(_lookup().suffixes[inner], f"suffix .{inner} inside .{suffix}")
    return Question(suffix, context.beside(path), context.majority)


def by_program(program: str) -> str:
    """Language of an interpreter, such as ``python3.11`` or ``bash``; empty where it has none."""
    return _lookup().programs.get(program.lower().rstrip("0123456789.-"), "")


def by_alias(name: str) -> str:
    """Language of a name as people and editors write it (``C++``, ``objc``); empty where it has none."""
    return _lookup().aliases.get(name.strip().lower().replace(" ", "-"), "")


def by_word(word: str) -> str:
    """Language of a word at a fence of code, which may be a name or a suffix (``c++``, ``py``); empty if unknown."""
    return by_alias(word) or _lookup().suffixes.get(word, "")


@cache
def _lookup() -> _Lookup:
    names: dict[str, str] = {}
    suffixes: dict[str, str] = {}
    programs: dict[str, str] = {}
    aliases: dict[str, str] = {}
    patterns: list[tuple[re.Pattern[str], str, str]] = []
    for language in languages().values():
        for table, keys in ((names, language.names), (suffixes, language.suffixes), (programs, language.programs)):
            for key in keys:
                if table.setdefault(key, language.id) != language.id:
                    raise ValueError(f"languages.toml: {key!r} belongs to both {table[key]} and {language.id}")
        for alias in (language.id, language.name.lower().replace(" ", "-"), *language.aliases):
            aliases.setdefault(alias, language.id)
        patterns += [(re.compile(_FOLDER + _globbed(glob), re.DOTALL), glob, language.id) for glob in language.patterns]
    any_pattern = re.compile(
        _FOLDER + "(?:" + "|".join(_globbed(written) for _, written, _ in patterns) + ")", re.DOTALL
    )
    return _Lookup(names, suffixes, programs, aliases, tuple(patterns), any_pattern)


_FOLDER = "(?:.*/)?"


def _globbed(glob: str) -> str:
    """A regular expression for a glob on the last names of a path; `*` stays within a name."""
    return re.escape(glob).replace(r"\*", "[^/]*")


def _language(id_: str, entry: Mapping[str, object]) -> Language:
    unknown = entry.keys() - Language.__dataclass_fields__.keys()
    if unknown:
        raise ValueError(f"languages.toml: [{id_}] has unknown keys {sorted(unknown)}")
    words = {
        key: tuple(str(entry.get(key, "")).split()) for key in ("suffixes", "names", "patterns", "programs", "aliases")
    }
    known = frozenset(str(entry["known_to"]).split())
    if not known <= set(COUNTERS):
        raise ValueError(f"languages.toml: [{id_}] is known to no such counter: {sorted(known - set(COUNTERS))}")
    return Language(
        id=id_,
        name=str(entry["name"]),
        kind=Kind(str(entry["kind"])),
        compiler=entry.get("compiler") is True,
        group=str(entry.get("group", "")),
        family=str(entry.get("family", "")),
        pygount=str(entry.get("pygount", "")),
        known_to=known,
        **words,
    )
