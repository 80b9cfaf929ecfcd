"""Facts about many files: language and cache by path first, then one stream of bytes for what is left.

Nothing here depends on the order in which work finishes, on the number of workers, or on what the cache held: the same
files give the same facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from leverage.measure.attributes import NAME, Attributes, Marks
from leverage.measure.languages import Choice, Context, Question, by_alias, by_path
from leverage.measure.lines.base import physical_lines
from leverage.measure.scan import Measured, measure_bytes, nonblank_lines
from leverage.measure.screen import readable, screen_entry, screen_path
from leverage.measure.tree import facts_of, text_of, tree_key
from leverage.measure.witness import with_witness
from leverage.measure.workers import in_workers, worth_workers
from leverage.model.files import COUNTED, Disposition, EntryKind, FileFacts, SourceFile, State
from leverage.sources.base import Missing, OpenSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leverage.measure.cache import Cache, Key

_BATCH = 1_000  # results kept in one transaction of the cache
_WORTH_KEEPING = 1_000  # files from which on the facts of a whole tree are kept as one text
_TALLY = Choice("#lines", "")
_OUTSIDE = Disposition(State.EXCLUDED, "outside-components", "belongs to no component")

Result = Measured | Missing


@dataclass(frozen=True, slots=True)
class Ask:
    """One file and what is asked about its bytes; its ``key`` is that of the answer."""

    file: SourceFile
    asked: Choice | Question

    @property
    def key(self) -> Key:
        """Equal for files of equal bytes; a file without a blob id is like no other."""
        return self.file.blob or f"path {self.file.path}", self.asked.key


def measure(
    source: OpenSource,
    files: Sequence[SourceFile],
    *,
    context: Sequence[SourceFile],
    cache: Cache | None = None,
    jobs: int = 1,
    witness: bool = False,
) -> list[FileFacts]:
    """Measure files; the answer is in their order, one `FileFacts` for each.

    Args:
        source: where the bytes come from; it is read once, and only for what the cache does not know.
        files: what to measure.
        context: all files of the snapshot: they decide doubtful headers and hold `.gitattributes`.
        cache: results of earlier runs, or None.
        jobs: worker processes; 1 works in this one. More are started only when there is work for them.
        witness: whether pygount counts everything a second time (slow, cached).
    """
    key = tree_key(files, context) if cache is not None and len(files) >= _WORTH_KEEPING else ""
    kept = facts_of(cache.notes([key]).get(key, ""), files) if cache is not None and key else None
    if kept is None:
        kept = _measure(source, files, context, cache, jobs)
        if cache is not None and key and (text := text_of(kept)):
            cache.note({key: text})
    return with_witness(source, kept, cache=cache, jobs=jobs) if witness else kept


def _measure(
    source: OpenSource, files: Sequence[SourceFile], context: Sequence[SourceFile], cache: Cache | None, jobs: int
) -> list[FileFacts]:
    around = Context.of(context)
    attributes = Attributes.of(_attribute_files(source, context))
    marks = {file.path: attributes.marks(file.path) for file in files}
    asks = [Ask(file, asked_of(file.path, marks[file.path], around)) for file in files if screen_entry(file) is None]
    known = _recall(cache, asks)
    wanted = {ask.key: ask for ask in asks if ask.key not in known}
    for batch in _batches(_measured(source, list(wanted.values()), jobs)):
        known.update(batch)
        keep(cache, batch)
    by_file = {ask.file.path: ask for ask in asks}
    return [facts_about(file, marks[file.path], by_file.get(file.path), known) for file in files]


def tally(source: OpenSource, files: Sequence[SourceFile], *, cache: Cache | None = None) -> list[FileFacts]:
    """The light form for files outside every component: physical and non-blank lines only, in the order of ``files``.

    All are excluded as ``outside-components``, whatever their bytes; -1 lines where these are not at hand.
    """
    asks = [Ask(file, _TALLY) for file in files if screen_entry(file) is None]
    known = _recall(cache, asks)
    wanted = {ask.key: ask for ask in asks if ask.key not in known}
    read = ((ask, _tallied(data)) for ask, data in _read(source, list(wanted.values())))
    for batch in _batches((ask.key, result) for ask, result in read):
        known.update(batch)
        keep(cache, batch)
    results = {ask.file.path: known[ask.key] for ask in asks}
    return [_outside(file, results.get(file.path)) for file in files]


def _attribute_files(source: OpenSource, context: Sequence[SourceFile]) -> Iterator[tuple[str, bytes]]:
    wanted = [file for file in context if file.kind is EntryKind.FILE and file.path.rpartition("/")[2] == NAME]
    if wanted:
        yield from ((file.path, data) for file, data in source.read(wanted) if isinstance(data, bytes))


def asked_of(path: str, marks: Marks, around: Context) -> Choice | Question:
    """The language of a file, or what its bytes are asked about it."""
    declared = by_alias(marks.values.get("linguist-language", ""))
    return Choice(declared, marks.rules["linguist-language"]) if declared else by_path(path, around)


def _recall(cache: Cache | None, asks: list[Ask]) -> dict[Key, Result]:
    if cache is None:
        return {}
    return dict(cache.get({ask.key: None for ask in asks if ask.file.blob}))


def keep(cache: Cache | None, batch: dict[Key, Result]) -> None:
    """Keep what depends on bytes alone: no failures, and nothing whose bytes have no id."""
    if cache is not None:
        cache.put(
            {
                key: result
                for key, result in batch.items()
                if isinstance(result, Measured) and not key[0].startswith("path ")
            }
        )


def _batches(pairs: Iterable[tuple[Key, Result]]) -> Iterator[dict[Key, Result]]:
    rest = iter(pairs)
    while batch := dict(islice(rest, _BATCH)):
        yield batch


def _read(source: OpenSource, asks: list[Ask]) -> Iterator[tuple[Ask, bytes | Missing]]:
    for ask, (file, data) in zip(asks, source.read([ask.file for ask in asks]), strict=True):
        if file.path != ask.file.path:
            raise ValueError(f"the source answered {file.path!r} where {ask.file.path!r} was asked")
        yield ask, data


def _measured(source: OpenSource, asks: list[Ask], jobs: int) -> Iterator[tuple[Key, Result]]:
    """Read and count, in this process or in workers; results come in the order of ``asks``."""
    if jobs > 1 and worth_workers(ask.file for ask in asks):
        yield from in_workers(result_of, ((ask.key, ask.asked, data) for ask, data in _read(source, asks)), jobs)
        return
    for ask, data in _read(source, asks):
        yield ask.key, result_of(ask.asked, data)


def result_of(asked: Choice | Question, data: bytes | Missing) -> Result:
    """What the bytes of a file say."""
    return data if isinstance(data, Missing) else measure_bytes(data, asked)


def facts_about(file: SourceFile, marks: Marks, ask: Ask | None, results: Mapping[Key, Result]) -> FileFacts:
    """The facts about a file.

    Args:
        file: the tree entry.
        marks: what the attributes say about it.
        ask: what was asked about its bytes; None where the kind of the entry decides.
        results: the answers by key.
    """
    if ask is None:
        return FileFacts(file, screen_entry(file) or COUNTED, physical=0, nonblank=0)
    result = results[ask.key]
    # The rule is the path's where the path decided: equal bytes share a result, not the reason for their language.
    choice = ask.asked if isinstance(ask.asked, Choice) else Choice("", "")
    if isinstance(result, Missing):
        missing = Disposition(State.UNKNOWN, result.reason, result.detail)
        return FileFacts(file, screen_path(file.path, marks, missing), choice.language, choice.rule)
    return FileFacts(
        file,
        screen_path(file.path, marks, result.disposition),
        result.language,
        choice.rule or result.language_rule,
        result.physical,
        result.nonblank,
        result.lines,
    )


def _tallied(data: bytes | Missing) -> Result:
    if isinstance(data, Missing):
        return data
    text, found = readable(data)
    elsewhere = found.state is State.UNKNOWN  # an LFS pointer: the lines are not here
    physical, nonblank = (-1, -1) if elsewhere else (physical_lines(text), nonblank_lines(text))
    return Measured(_OUTSIDE, "", "", physical, nonblank, None)


def _outside(file: SourceFile, result: Result | None) -> FileFacts:
    if result is None:
        return FileFacts(file, _OUTSIDE, physical=0, nonblank=0)
    if isinstance(result, Missing):
        return FileFacts(file, _OUTSIDE)
    return FileFacts(file, _OUTSIDE, physical=result.physical, nonblank=result.nonblank)
