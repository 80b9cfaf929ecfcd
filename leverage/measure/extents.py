"""Sizes of counted files beside lines: compressed bytes, tokens, functions. By content, cached, in one stream."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from functools import cache as once
from itertools import islice
from typing import TYPE_CHECKING

from leverage.measure.compressed import compressed_size, compression
from leverage.measure.screen import readable
from leverage.measure.tokens import count_tokens
from leverage.measure.units import count_functions, readers_version
from leverage.measure.version import code_version
from leverage.measure.workers import in_workers, worth_workers
from leverage.model.files import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.measure.cache import Cache
    from leverage.model.files import FileFacts
    from leverage.sources.base import Missing, OpenSource

_BATCH = 1_000  # results kept in one transaction of the cache


@dataclass(frozen=True, slots=True)
class Extent:
    """How large one file is, in other units than lines. None is unknown, which is not zero.

    Attributes:
        compressed: bytes of its Zstandard frame; see `leverage.measure.compressed`.
        tokens: lexical tokens; None for data, prose and markup. See `leverage.measure.tokens`.
        functions: functions and methods with a body; None where no reader knows the language or it could not read this
            file. See `leverage.measure.units`.
    """

    compressed: int
    tokens: int | None
    functions: int | None


@once
def extents_version() -> str:
    """What decides about extents beside the bytes: our code, the grammars, this Python's grammar, the compressor."""
    parts = (code_version(), readers_version(), compression())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def extent_of(language: str, data: bytes) -> Extent:
    """The extent of one file's bytes. Never raises, whatever they are.

    Args:
        language: id of ``languages.toml``, or empty.
        data: the content as it is stored.
    """
    text, _ = readable(data)
    return Extent(compressed_size(data), count_tokens(language, text), count_functions(language, text))


def extents(
    source: OpenSource, facts: Sequence[FileFacts], *, cache: Cache | None = None, jobs: int = 1
) -> dict[str, Extent]:
    """The extents of the counted files among the facts, by path, in the order of the facts.

    A file whose bytes are not at hand has no entry: its extent is unknown.

    Args:
        source: where the bytes come from; it is read once, and only for what the cache does not know.
        facts: what was measured, each about a file of the source.
        cache: results of earlier runs, or None.
        jobs: worker processes; 1 works in this one. More are started only when there is work for them.
    """
    asked = {fact.file.path: _key(fact) for fact in facts if fact.disposition.state is State.COUNTED}
    kept = cache.notes({key for key in asked.values() if not key.startswith("path ")}) if cache is not None else {}
    known = {key: Extent(*json.loads(value)) for key, value in kept.items()}
    wanted: dict[str, FileFacts] = {}
    for fact in facts:
        key = asked.get(fact.file.path)
        if key is not None and key not in known:
            wanted.setdefault(key, fact)
    results = _measured(source, wanted, jobs)
    while batch := list(islice(results, _BATCH)):
        had = {key: extent for key, extent in batch if extent is not None}
        known.update(had)
        if cache is not None:
            cache.note({key: json.dumps(astuple(extent)) for key, extent in had.items() if not key.startswith("path ")})
    return {path: known[key] for path, key in asked.items() if key in known}


def _key(fact: FileFacts) -> str:
    """Equal for files of equal bytes and language; a file without a blob id is like no other."""
    return f"{fact.file.blob or f'path {fact.file.path}'} {fact.language} extent {extents_version()}"


def _measured(source: OpenSource, wanted: dict[str, FileFacts], jobs: int) -> Iterator[tuple[str, Extent | None]]:
    files = [fact.file for fact in wanted.values()]
    stream = (
        (key, fact.language, data) for (key, fact), (_, data) in zip(wanted.items(), source.read(files), strict=True)
    )
    if jobs > 1 and worth_workers(files):
        yield from in_workers(_worked, stream, jobs)
        return
    for key, language, data in stream:
        yield key, _worked(language, data)


def _worked(language: str, data: bytes | Missing) -> Extent | None:
    return extent_of(language, data) if isinstance(data, bytes) else None
