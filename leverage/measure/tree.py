"""The facts of all files of a tree as one text, so that counting it again looks nothing up file by file.

The key names everything that the facts depend on: the listing that was measured, the listing around it (which holds the
attributes and decides doubtful headers), and the code. A tree with anything that was not at hand has no text: what is
missing today may be there tomorrow.
"""

from __future__ import annotations

import hashlib
import json
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from leverage.measure.version import counting_version
from leverage.model.files import COUNTED, Disposition, FileFacts, State
from leverage.model.lines import FIELDS, LineCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leverage.model.files import SourceFile

_CLASSES = attrgetter(*FIELDS)
DECIDED = frozenset({"lfs-pointer", "unknown-language", "no-counter"})
"""Reasons to be unknown that the bytes gave, so as certain as counts; with any other the bytes were not at hand."""


def tree_key(files: Sequence[SourceFile], context: Sequence[SourceFile]) -> str:
    """The key of the facts; empty where the content of any file has no id."""
    listings = (files,) if files == context else (files, context)
    digest = hashlib.sha256()
    for listing in listings:
        if not all(file.blob for file in listing):
            return ""
        for file in listing:
            digest.update(f"{file.path}\0{file.blob} {file.size} {file.kind}\0".encode("utf-8", "surrogateescape"))
        digest.update(b"\0")
    return f"tree {digest.hexdigest()} {counting_version()}"


def text_of(facts: Sequence[FileFacts]) -> str:
    """The facts without their files and witnesses, or an empty text where some of them may change."""
    if any(fact.disposition.state is State.UNKNOWN and fact.disposition.reason not in DECIDED for fact in facts):
        return ""
    decided, decisions = _numbered((fact.disposition, fact.language, fact.language_rule) for fact in facts)
    counted, counts = _numbered(
        (fact.physical, fact.nonblank, *(() if fact.lines is None else _CLASSES(fact.lines))) for fact in facts
    )
    kept = {
        "decided": decided,
        "decisions": [[each.state, each.reason, each.rule, language, rule] for each, language, rule in decisions],
        "counted": counted,
        "counts": counts,
    }
    return json.dumps(kept, separators=(",", ":"))


def facts_of(text: str, files: Sequence[SourceFile]) -> list[FileFacts] | None:
    """The facts that a text of `text_of` holds about the files; None where there is no text."""
    if not text:
        return None
    kept = json.loads(text)
    decisions = [
        (COUNTED if (found := Disposition(State(state), reason, rule)) == COUNTED else found, language, language_rule)
        for state, reason, rule, language, language_rule in kept["decisions"]
    ]
    counts = [
        (physical, nonblank, LineCounts(*classes) if classes else None)
        for physical, nonblank, *classes in kept["counts"]
    ]
    return [
        FileFacts(file, *decisions[decided], *counts[counted])
        for file, decided, counted in zip(files, kept["decided"], kept["counted"], strict=True)
    ]


def _numbered(values: Iterable[Any]) -> tuple[list[int], list[Any]]:
    """The place of each value in the list of distinct ones, and that list."""
    places: dict[Any, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return numbers, list(places)
