"""Tracked files and what became of each: counted, excluded for a reason, or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leverage.model.lines import LineCounts


class EntryKind(StrEnum):
    """What a tree entry is."""

    FILE = "file"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """One entry of a snapshot.

    Attributes:
        path: path inside the snapshot with ``/`` separators. Bytes that are not UTF-8 are kept as surrogate escapes,
            so the path is exact; it may hold anything a hostile tree can hold and is escaped where it is displayed.
        blob: git blob id (40 hex digits) of the content. Sources that are not git compute the same id from the bytes;
            empty where the bytes were not read (a wheel member out of scope).
        size: size of the content in bytes; -1 where unknown without fetching it.
        kind: file, symlink or submodule. Only files have content that is read.
    """

    path: str
    blob: str
    size: int
    kind: EntryKind = EntryKind.FILE


class State(StrEnum):
    """The three ways a tracked file can end."""

    COUNTED = "counted"
    EXCLUDED = "excluded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Disposition:
    """What became of a tracked file.

    Attributes:
        state: counted, excluded or unknown.
        reason: slug of the reason, such as ``generated`` or ``object-missing``; ``counted`` for counted files.
        rule: what decided: a rule's name or a place in a file, in words that a reader can look up.
    """

    state: State
    reason: str
    rule: str


COUNTED = Disposition(State.COUNTED, "counted", "")


@dataclass(frozen=True, slots=True)
class WitnessCounts:
    """pygount's own answer for a file (unit: lines): its four classes. ``code + string`` is its source count."""

    code: int
    documentation: int
    empty: int
    string: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything that was measured about one tracked file. Facts only: no stage, no verdict.

    Attributes:
        file: the tree entry.
        disposition: what became of it.
        language: id from ``languages.toml``, or empty where it has none.
        language_rule: what decided the language (suffix, file name, shebang, content ...).
        physical: physical lines; -1 where the bytes were not at hand.
        nonblank: physical lines that hold something but white space; -1 likewise.
        lines: counts by line class; None where no rule of ours counts the language or nothing was read.
        witness: pygount's own counts; None where it has no lexer for the language or was not asked.
    """

    file: SourceFile
    disposition: Disposition
    language: str = ""
    language_rule: str = ""
    physical: int = -1
    nonblank: int = -1
    lines: LineCounts | None = None
    witness: WitnessCounts | None = None
