"""Words of code: what its path, its names, its statements and its comments are about.

An identifier is cut where its case changes or an underscore stands (``LoopNest2D_tile`` gives ``loop``, ``nest``,
``tile``), plurals lose their ending, and neighbours inside one identifier are a word of their own (``loop_nest``).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from leverage.classify.symbols import plain
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from leverage.measure.units import UnitMap

    Words: TypeAlias = Mapping[tuple[str, str], int]
    """Number of occurrences by field and word."""


class Field(StrEnum):
    """Where a word stands."""

    FOLDER = "folder"
    FILE = "file"
    SYMBOL = "symbol"
    """The unit's own name."""
    SCOPE = "scope"
    """Names of the classes and namespaces around it."""
    CODE = "code"
    COMMENT = "comment"
    USES = "uses"
    """Imports and includes of the file."""


OWN = frozenset({Field.SYMBOL, Field.SCOPE, Field.CODE, Field.COMMENT})
"""Fields in which the units of a file differ."""

_IDENTIFIER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_USES = re.compile(rb"\s*(?:import|from|#\s*include|include)\b")
_SHORTEST, _LONGEST = 2, 24
_PLURAL = 4  # letters above which an s at the end is one of a plural: `bias` keeps its own
_LONGEST_IDENTIFIER = 200
_TALK = frozenset({LineClass.COMMENT, LineClass.DOCUMENTATION})
_SILENT = frozenset({LineClass.BLANK, LineClass.BLANK_IN_DOCUMENTATION, LineClass.BLANK_IN_STRING, LineClass.INACTIVE})


@dataclass(frozen=True, slots=True)
class FileWords:
    """Words of a file.

    Attributes:
        around: words of its path and of what it imports, which all its units share.
        units: by unit, in the order of its `UnitMap`, the words of the unit alone.
    """

    around: Words
    units: tuple[Words, ...]

    def whole(self) -> Words:
        """Words of the file as one piece."""
        counts = Counter(self.around)
        for words in self.units:
            counts.update(words)
        return counts


def file_words(path: str, lines: Sequence[bytes], classes: Sequence[int], units: UnitMap) -> FileWords:
    """Words of a file and of its units.

    Args:
        path: path from the root of the source, with ``/``.
        lines: the physical lines, without their ends.
        classes: one `LineClass` value for each.
        units: who owns which line.
    """
    around = Counter(path_words(path))
    code: list[list[bytes]] = [[] for _ in units.units]
    talk: list[list[bytes]] = [[] for _ in units.units]
    for line, each, owner in zip(lines, classes, units.owners, strict=True):
        if each in _SILENT:
            continue
        if each in _TALK:
            talk[owner].append(line)
        elif _USES.match(line):
            if each == LineClass.CODE:
                around.update((Field.USES, word) for word in _identifiers([line]))
        else:
            code[owner].append(line)
    owned: list[Words] = []
    for unit, statements, comments in zip(units.units, code, talk, strict=True):
        words: Counter[tuple[str, str]] = Counter()
        words.update({(Field.CODE, word): count for word, count in _identifiers(statements).items()})
        words.update({(Field.COMMENT, word): count for word, count in _prose(comments).items()})
        *scopes, own = plain(unit.symbol).split(".")
        words.update((Field.SYMBOL, word) for word in split(own))
        words.update((Field.SCOPE, word) for scope in scopes for word in split(scope))
        owned.append(words)
    return FileWords(around, tuple(owned))


def path_words(path: str) -> Words:
    """Words of the folders and of the file's name."""
    *folders, file = path.split("/")
    counts: Counter[tuple[str, str]] = Counter()
    counts.update((Field.FOLDER, word) for folder in folders for word in split(folder))
    counts.update((Field.FILE, word) for word in split(file.rpartition(".")[0] or file))
    return counts


@cache
def common() -> frozenset[str]:
    """Words that all code is full of, from ``thesaurus.toml``; they say nothing."""
    data = tomllib.loads((files("leverage.classify") / "thesaurus.toml").read_text(encoding="utf-8"))
    return frozenset(data["common"].split())


@cache
def _keywords() -> frozenset[bytes]:
    """Words of Python and C++ themselves: ``pass`` in a statement is no pass."""
    data = tomllib.loads((files("leverage.classify") / "thesaurus.toml").read_text(encoding="utf-8"))
    return frozenset(word.encode() for word in data["keywords"].split())


@lru_cache(maxsize=200_000)
def split(identifier: str) -> tuple[str, ...]:
    """Words of an identifier, then its pairs of neighbours; what is longer than any name is cut.

    A word that all code is full of is none by itself, but a pair says more than its parts: ``tile_size``.
    """
    parts = parts_of(identifier)
    full = common()
    single = (word for word in parts if word not in full)
    pairs = (f"{one}_{other}" for one, other in pairwise(parts) if one not in full or other not in full)
    return (*single, *pairs)


def parts_of(identifier: str) -> tuple[str, ...]:
    """All parts of an identifier, in lower case and without a plural's ending; neither numbers nor single letters."""
    found = (_singular(part.lower()) for part in _PART.findall(identifier[:_LONGEST_IDENTIFIER]))
    return tuple(word for word in found if _SHORTEST <= len(word) <= _LONGEST and not word.isdigit())


def _singular(word: str) -> str:
    if len(word) > _PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    return word


def _identifiers(lines: Iterable[bytes]) -> Counter[str]:
    found: Counter[bytes] = Counter()
    for line in lines:
        found.update(_IDENTIFIER.findall(line))
    keywords = _keywords()
    counts: Counter[str] = Counter()
    for identifier, times in found.items():
        if identifier in keywords:
            continue
        for word in split(identifier[:_LONGEST_IDENTIFIER].decode("ascii")):
            counts[word] += times
    return counts


def _prose(lines: Iterable[bytes]) -> Counter[str]:
    """Words of comments; two plain words that follow each other are a pair as in an identifier."""
    counts: Counter[str] = Counter()
    for line in lines:
        before = ""
        for identifier in _IDENTIFIER.findall(line):
            words = split(identifier[:_LONGEST_IDENTIFIER].decode("ascii"))
            counts.update(words)
            alone = words[0] if len(words) == 1 else ""
            if before and alone:
                counts[f"{before}_{alone}"] += 1
            before = alone
    return counts
