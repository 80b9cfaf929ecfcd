"""Units of code of an opened source, classified: what words say is kept by content, what hangs together by the whole.

A file whose words were read once is not read again (cached by blob, path, language and version); nor is the graph of
calls of a port's Python, which depends on all its files at once.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from functools import cache as once
from importlib.resources import files as resources
from itertools import islice
from typing import TYPE_CHECKING, Any

from leverage.classify.anchors import Anchor, How, anchors
from leverage.classify.divergence import Talk
from leverage.classify.units import Classified, FileWitness, Spoken, classify_units, units_alone, witness
from leverage.measure.languages import Kind, languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.units import readers_version
from leverage.measure.version import code_version, hash_of_code
from leverage.measure.workers import in_workers, worth_workers
from leverage.model.decisions import UNDETERMINED, Confidence, Decision
from leverage.model.files import State
from leverage.model.lines import LineCounts
from leverage.model.units import Unit, UnitKind
from leverage.resolve.program import read_program

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from leverage.classify.anchors import Place
    from leverage.classify.pack import Pack
    from leverage.measure.cache import Cache
    from leverage.model.files import FileFacts
    from leverage.sources.base import Missing, OpenSource

_BATCH = 500  # results kept in one transaction of the cache
_PYTHON = "python"
_SUBSTRATE = b"torch"
_DATA = ("anchors.toml", "thesaurus.toml", "weights.tsv", "packs/torch-inductor.yaml")


@once
def tables_digest() -> str:
    """Hash over the tables that decide where no pack does, 64 hex digits."""
    folder = resources("leverage.classify")
    digest = hashlib.sha256()
    for name in _DATA:
        digest.update(folder.joinpath(name).read_bytes())
    return digest.hexdigest()


@once
def classifier_version() -> str:
    """Hash over all that decides without a pack: code, tables, readers of units; caches key on it."""
    seed = f"{code_version()} {readers_version()} {tables_digest()}"
    return hash_of_code(seed, resources("leverage.classify"), resources("leverage.resolve"))


def is_code(fact: FileFacts) -> bool:
    """Whether a file is one that compilers, interpreters or table generators read, and was counted by our scanners."""
    language = languages().get(fact.language)
    counted = fact.disposition.state is State.COUNTED and fact.physical > 0
    return counted and language is not None and language.kind is Kind.PROGRAMMING and language.family in SCANNERS


@dataclass(frozen=True, slots=True)
class Statements:
    """All that is known of a system's units before anything is decided.

    Attributes:
        wanted: the files of code among what was asked for.
        read: what the words of each say, in the same order; without files whose bytes are not at hand.
        anchors: how units hang on the substrate.
    """

    wanted: tuple[FileFacts, ...]
    read: tuple[FileWitness, ...]
    anchors: Mapping[Place, Sequence[Anchor]]


def statements(
    source: OpenSource,
    facts: Sequence[FileFacts],
    *,
    pack: Pack | None,
    cache: Cache | None = None,
    jobs: int = 1,
) -> Statements:
    """Read the files of code among some facts.

    Args:
        source: where the bytes come from.
        facts: measured files of one system; what they are about together decides too.
        pack: declared rules, or None; what they decide needs no anchors.
        cache: results of earlier runs, or None.
        jobs: worker processes.
    """
    wanted = tuple(fact for fact in facts if is_code(fact))
    declared = {fact.file.path for fact in wanted if pack is not None and pack.reaching(fact.file.path)}
    read = _witnesses(source, wanted, declared, cache, jobs)
    held = _anchors(source, wanted, cache) if _undeclared(wanted, pack) else {}
    return Statements(wanted, tuple(read[fact.file.path] for fact in wanted if fact.file.path in read), held)


def classified(told: Statements, pack: Pack | None) -> list[Classified]:
    """Every unit of every file of code, in the order of the files.

    A file whose bytes are not at hand is one undetermined unit, with the reason.

    Args:
        told: what is known of them.
        pack: declared rules, or None.
    """
    have = {file.path for file in told.read}
    missing = [_missing(fact) for fact in told.wanted if fact.file.path not in have]
    order = {fact.file.path: number for number, fact in enumerate(told.wanted)}
    rows = [*classify_units(told.read, pack=pack, anchors=told.anchors), *missing]
    return sorted(rows, key=lambda each: order[each.path])


def _undeclared(facts: Iterable[FileFacts], pack: Pack | None) -> bool:
    return any(fact.language == _PYTHON and (pack is None or not pack.reaching(fact.file.path)) for fact in facts)


def _missing(fact: FileFacts) -> Classified:
    unit = Unit("", UnitKind.REST, 1, fact.physical, fact.lines or LineCounts())
    return Classified(
        fact.file.path, unit, Decision(UNDETERMINED, UNDETERMINED, "", "its bytes are not at hand", Confidence.NONE)
    )


def _witnesses(
    source: OpenSource, facts: Sequence[FileFacts], declared: Collection[str], cache: Cache | None, jobs: int
) -> dict[str, FileWitness]:
    version = classifier_version()
    keys = {
        fact.file.path: f"{fact.file.blob} {fact.language} units {version}"
        if fact.file.path in declared
        else f"{fact.file.blob} {fact.file.path} {fact.language} words {version}"
        for fact in facts
        if fact.file.blob
    }
    kept = cache.notes(keys.values()) if cache is not None else {}
    known = {path: _decoded(path, json.loads(kept[key])) for path, key in keys.items() if key in kept}
    wanted = [fact for fact in facts if fact.file.path not in known]
    results = _read(source, wanted, declared, jobs)
    while batch := list(islice(results, _BATCH)):
        had = {path: found for path, found in batch if found is not None}
        known.update(had)
        if cache is not None:
            cache.note({keys[path]: json.dumps(_encoded(found)) for path, found in had.items() if path in keys})
    return known


def _read(
    source: OpenSource, facts: Sequence[FileFacts], declared: Collection[str], jobs: int
) -> Iterator[tuple[str, FileWitness | None]]:
    files = [fact.file for fact in facts]
    stream = (
        (fact.file.path, (fact.file.path, fact.language, fact.file.path in declared), data)
        for fact, (_, data) in zip(facts, source.read(files), strict=True)
    )
    if jobs > 1 and worth_workers(files):
        yield from in_workers(_worked, stream, jobs)
        return
    for path, asked, data in stream:
        yield path, _worked(asked, data)


def _worked(asked: tuple[str, str, bool], data: bytes | Missing) -> FileWitness | None:
    path, language, declared = asked
    if not isinstance(data, bytes):
        return None
    if declared:
        return units_alone(path, language, data)
    # Through the coded form, so that a number is the same whether it was kept or not.
    return _decoded(path, _encoded(witness(path, language, data)))


Coded = list[Any]
"""What JSON keeps of it; the checksum of the cache vouches for its form."""


def _encoded(found: FileWitness) -> Coded:
    units = [
        [
            each.unit.symbol,
            each.unit.kind.value,
            each.unit.first,
            each.unit.last,
            list(astuple(each.unit.lines)),
            [round(score, 4) for score in each.scores],
            _talk(each.body),
            _talk(each.names),
        ]
        for each in found.units
    ]
    return [_talk(found.body), _talk(found.names), units, found.problem]


def _talk(talk: Talk) -> Coded:
    return [talk.total, {head: round(count, 4) for head, count in sorted(talk.heads.items())}]


def _decoded(path: str, coded: Coded) -> FileWitness:
    body, names, units, problem = coded
    return FileWitness(path, Talk(*body), Talk(*names), tuple(map(_spoken, units)), problem)


def _spoken(coded: Coded) -> Spoken:
    symbol, kind, first, last, lines, scores, body, names = coded
    unit = Unit(symbol, UnitKind(kind), first, last, LineCounts(*lines))
    return Spoken(unit, tuple(scores), Talk(*body), Talk(*names))


def _anchors(source: OpenSource, facts: Sequence[FileFacts], cache: Cache | None) -> Mapping[Place, Sequence[Anchor]]:
    python = [fact for fact in facts if fact.language == _PYTHON]
    listing = "\n".join(f"{fact.file.blob} {fact.file.path}" for fact in python)
    whole = all(fact.file.blob for fact in python)
    key = f"anchors {hashlib.sha256(listing.encode('utf-8', 'surrogateescape')).hexdigest()} {classifier_version()}"
    if cache is not None and whole and (kept := cache.notes([key]).get(key)):
        return {
            (path, symbol): tuple(
                Anchor(stage, divergence, name, How(how), line) for stage, divergence, name, how, line in held
            )
            for path, symbol, held in json.loads(kept)
        }
    texts = {file.path: data for file, data in source.read([fact.file for fact in python]) if isinstance(data, bytes)}
    found: Mapping[Place, Sequence[Anchor]] = {}
    if any(_SUBSTRATE in data for data in texts.values()):
        found = anchors(read_program(texts))
    if cache is not None and whole:
        rows = [[path, symbol, [astuple(each) for each in held]] for (path, symbol), held in sorted(found.items())]
        cache.note({key: json.dumps(rows)})
    return found
