"""How many lines of a system stand verbatim in what it builds on, file by file and class by class.

A system is measured beside the Python files of its substrate. What was found for a file depends on its bytes and on the
substrate's tree alone, so it is cached under both, and a run that changed nothing opens no substrate.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from functools import cache as once
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from leverage.measure.copied.alignment import copied_lines, copies
from leverage.measure.copied.reference import reference
from leverage.measure.copied.statements import read_blocks
from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.measure.version import code_version, hash_of_code
from leverage.model.files import State
from leverage.model.lines import LineClass, LineCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from leverage.measure.cache import Cache
    from leverage.measure.copied.reference import Reference
    from leverage.model.files import FileFacts
    from leverage.sources.base import OpenSource

PYTHON = "python"
"""Language id of the files in which copies are looked for."""


@dataclass(frozen=True, slots=True)
class Substrate:
    """What a system builds on.

    Attributes:
        tree: id of its tree.
        read: gives the Python files of its components by path; raises `SourceError` where it cannot be had.
    """

    tree: str
    read: Callable[[], Mapping[str, bytes]]


@once
def copies_version() -> str:
    """Hash over the code that finds copies."""
    return hash_of_code(code_version(), resources("leverage.measure.copied"))


def take_copies(
    source: OpenSource, facts: Sequence[FileFacts], substrate: Substrate, *, cache: Cache | None
) -> dict[str, LineCounts]:
    """Lines of each class that stand in the substrate, by path; files without any have no entry.

    Raises:
        SourceError: the substrate cannot be had.
    """
    asked = {
        fact.file.path: f"{fact.file.blob} copies of {substrate.tree} by {copies_version()}"
        for fact in facts
        if fact.disposition.state is State.COUNTED and fact.language == PYTHON and fact.file.blob
    }
    kept = cache.notes(set(asked.values())) if cache is not None else {}
    found = {key: LineCounts(*json.loads(value)) for key, value in kept.items()}
    wanted = {key: fact.file for fact in facts if (key := asked.get(fact.file.path)) is not None and key not in found}
    if wanted:
        original = reference(substrate.read())
        for key, (file, data) in zip(wanted, source.read(list(wanted.values())), strict=True):
            if isinstance(data, bytes):
                found[key] = _copied(file.path, data, original)
        if cache is not None:
            cache.note({key: json.dumps(astuple(found[key])) for key in wanted if key in found})
    return {path: found[key] for path, key in asked.items() if key in found and found[key].physical}


def _copied(path: str, data: bytes, original: Reference) -> LineCounts:
    text, _ = readable(data)
    numbers = copied_lines(list(copies(read_blocks(path, text), original))).get(path, frozenset())
    classes = SCANNERS[languages()[PYTHON].family].scan(text)
    counted = [LineClass(classes[number - 1]) for number in numbers if number <= len(classes)]
    return LineCounts.of(bytes(counted))
