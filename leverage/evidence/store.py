"""Facts on disk: CSVs of files, units, copies, reach and touchpoints, a JSON of provenance; same facts, same bytes.

The CSV is text on purpose: a reviewer sees in a diff which file's count moved. The JSON holds the SHA-256 of each CSV,
so a damaged or edited record is noticed when it is read.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import asdict, astuple, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from leverage.evidence.facts import OutsideGroup, ProbeFact, ReachFact, Site, SystemFacts, TouchFact, UnitFact
from leverage.evidence.identity import identity
from leverage.evidence.touchpoints import UNRESOLVED, as_touchpoint
from leverage.measure.extents import Extent
from leverage.model.decisions import Confidence, Decision
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.files import COUNTED, Disposition, EntryKind, FileFacts, SourceFile, State, WitnessCounts
from leverage.model.lines import FIELDS, LineCounts
from leverage.model.provenance import Origin, Pin, Provenance
from leverage.model.units import Unit, UnitKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

FORMAT = 2
EXTENTS = ("zstd", "tokens", "functions")
COLUMNS = (
    "path",
    "blob",
    "size",
    "kind",
    "state",
    "reason",
    "rule",
    "language",
    "language_rule",
    "physical",
    "nonblank",
    *FIELDS,
    "pygount_code",
    "pygount_documentation",
    "pygount_empty",
    "pygount_string",
    *EXTENTS,
)
COPIED_COLUMNS = ("path", *FIELDS)
REACHED_COLUMNS = ("probe", "path", "first", "last", "symbol", "reached", *FIELDS)
TOUCHED_COLUMNS = tuple(field.name for field in fields(TouchFact))
_TOUCHED: Callable[[TouchFact], tuple[object, ...]] = attrgetter(*TOUCHED_COLUMNS)
UNIT_COLUMNS = (
    "path",
    "symbol",
    "kind",
    "first",
    "last",
    *FIELDS,
    "stage",
    "divergence",
    "rule",
    "reason",
    "confidence",
    "runner_up",
)


def write_facts(facts: SystemFacts, folder: Path) -> tuple[Path, ...]:
    """Write ``<system>.csv`` and ``<system>.json``, each by a temporary file and a rename.

    ``<system>+units.csv`` is there only where files were decided in parts, ``<system>+copied.csv`` only where lines
    stand in what the system builds on, ``<system>+reached.csv`` only where a probe asked what runs with a function, and
    ``<system>+touchpoints.csv`` only of ports; old ones are removed.

    Returns:
        The paths.
    """
    texts = _texts(facts)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in texts.items():
        partial = folder / f"{name}.partial"
        partial.write_bytes(data)
        partial.replace(folder / name)
    for name in further_names(facts.system) - texts.keys():
        (folder / name).unlink(missing_ok=True)
    return tuple(folder / name for name in texts)


def _units_name(system: str) -> str:
    return f"{system}+units.csv"  # no id of a system has a plus sign, so no record can be taken for another's


def _copied_name(system: str) -> str:
    return f"{system}+copied.csv"


def _reached_name(system: str) -> str:
    return f"{system}+reached.csv"


def _touched_name(system: str) -> str:
    return f"{system}+touchpoints.csv"


def further_names(system: str) -> set[str]:
    """Names of the tables of a record besides that of its files."""
    return {_units_name(system), _copied_name(system), _reached_name(system), _touched_name(system)}


def _texts(facts: SystemFacts) -> dict[str, bytes]:
    """The files of a record, name to content; the head is the last one, so that it vouches for what is there."""
    texts = {f"{facts.system}.csv": _table(facts.files, facts.extents)}
    if facts.units:
        texts[_units_name(facts.system)] = _units_table(facts.units)
    if facts.copied:
        rows = ((path, *facts.copied[path].counts) for path in sorted(facts.copied))
        texts[_copied_name(facts.system)] = _written(COPIED_COLUMNS, rows)
    if facts.reached:
        rows = (
            (row.probe, row.path, row.first, row.last, row.symbol, row.reached, *row.lines.counts)
            for row in facts.reached
        )
        texts[_reached_name(facts.system)] = _written(REACHED_COLUMNS, rows)
    if facts.touched:
        texts[_touched_name(facts.system)] = _written(TOUCHED_COLUMNS, map(_TOUCHED, facts.touched))
    return {**texts, f"{facts.system}.json": _head(facts, texts).encode()}


def read_facts(folder: Path, system: str) -> SystemFacts | None:
    """Read the facts of a system; None where there is no record.

    Raises:
        ConfigurationError: the record is damaged: its hash, its format or a value does not fit.
    """
    json_path = folder / f"{system}.json"
    if not json_path.is_file():
        return None
    try:
        texts = {json_path.name: json_path.read_bytes()}
        head = json.loads(texts[json_path.name])
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']!r}, this version reads format {FORMAT}")  # noqa: TRY301
        for name, digest in head["tables"].items():
            if name not in {f"{system}.csv", *further_names(system)}:
                raise ValueError(f"it names a table {name!r}, which no record has")  # noqa: TRY301
            texts[name] = (folder / name).read_bytes()
            if hashlib.sha256(texts[name]).hexdigest() != digest:
                raise ValueError(f"{name} does not have the hash that {json_path.name} states")  # noqa: TRY301
        provenance = dict(head["provenance"])
        provenance["origin"] = Origin(provenance["origin"])
        provenance["pin"] = Pin(**provenance["pin"]) if provenance["pin"] else None
        rows = list(_rows(texts[f"{system}.csv"]))
        facts = SystemFacts(
            head["system"],
            Provenance(**provenance),
            head["scope"],
            head["tracked"],
            tuple(row for row, _ in rows),
            tuple(OutsideGroup(**group) for group in head["outside"]),
            tuple(_probe(stated) for stated in head["probes"]),
            {row.file.path: extent for row, extent in rows if extent is not None},
            tuple(_unit_rows(texts[_units_name(system)])) if _units_name(system) in texts else (),
            head["decided_by"],
            {
                path: LineCounts(*map(int, counts))
                for path, *counts in (
                    _read(texts[_copied_name(system)], COPIED_COLUMNS) if _copied_name(system) in texts else ()
                )
            },
            head["copied_from"],
            tuple(_reached(texts[_reached_name(system)])) if _reached_name(system) in texts else (),
            tuple(_touched(texts[_touched_name(system)])) if _touched_name(system) in texts else (),
            head.get("touched_by", ""),
            head.get("touched_against", ""),
        )
        _prove(facts, system, texts)
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise ConfigurationError(
            Problem(
                "record-damaged",
                f"the record of {system} cannot be used: {error}",
                Location(json_path.name),
                "a record that is not exactly what was written proves nothing",
                f"write it again with: leverage record {system}",
            )
        ) from error
    return facts


def _prove(facts: SystemFacts, system: str, texts: Mapping[str, bytes]) -> None:
    """Refuse a record that is not exactly what would be written for what was read from it.

    So nothing can stand in it that the facts do not say: no number in another spelling, no key of another's making.

    Raises:
        ValueError: the bytes differ, or the record is of something else than a recorded measurement of the system.
        AssertionError: its accounts do not add up.
    """
    if facts.system != system:
        raise ValueError(f"it is a record of {facts.system}")
    if facts.provenance.origin not in {Origin.RECORDED, Origin.ATTESTED}:
        raise ValueError(f"its origin is {facts.provenance.origin.value}, and what is read from a record is recorded")
    counts = [facts.tracked, *(n for group in facts.outside for n in (group.files, group.lines, group.unread))]
    if any(type(count) is not int or count < 0 for count in counts):
        raise ValueError("a count is not a whole number")
    if len({row.file.path for row in facts.files}) != len(facts.files):
        raise ValueError("a path stands in it twice")
    if _texts(facts) != texts:
        raise ValueError("it is not written as this version writes it")
    identity(facts)


def _head(facts: SystemFacts, tables: Mapping[str, bytes]) -> str:
    head = {
        "format": FORMAT,
        "system": facts.system,
        "scope": facts.scope,
        "provenance": asdict(facts.provenance),
        "outside": [asdict(group) for group in facts.outside],
        "tracked": facts.tracked,
        "probes": [asdict(probe) for probe in facts.probes],
        "files": len(facts.files),
        "units": len(facts.units),
        "decided_by": facts.decided_by,
        "copied": len(facts.copied),
        "copied_from": facts.copied_from,
        "tables": {name: hashlib.sha256(table).hexdigest() for name, table in tables.items()},
    }
    # Without any these say nothing, and what has none is written as it always was.
    if facts.reached:
        head["reached"] = len(facts.reached)
    if facts.touched_by:
        head |= {
            "touched": len(facts.touched),
            "touched_by": facts.touched_by,
            "touched_against": facts.touched_against,
        }
    return json.dumps(head, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def _reached(table: bytes) -> Iterator[ReachFact]:
    for probe, path, first, last, symbol, reached, *lines in _read(table, REACHED_COLUMNS):
        yield ReachFact(probe, path, int(first), int(last), symbol, reached, LineCounts(*map(int, lines)))


def _touched(table: bytes) -> Iterator[TouchFact]:
    for path, line, column, *rest in _read(table, TOUCHED_COLUMNS):
        row = TouchFact(path, int(line), int(column), *rest)
        if row.kind != UNRESOLVED:
            as_touchpoint(row)  # refuses a word that no touchpoint has
        yield row


def _probe(stated: dict[str, Any]) -> ProbeFact:
    sites = tuple(Site(**site) for site in stated["sites"])
    return ProbeFact(**{**stated, "sites": sites, "environment": tuple(stated["environment"])})


def _written(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    out = io.StringIO(newline="")
    plain = csv.writer(out, lineterminator="\n")
    # The csv module does not quote a carriage return by itself, yet reads it as the end of a row.
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(columns)
    for row in rows:
        (quoted if any(isinstance(cell, str) and "\r" in cell for cell in row) else plain).writerow(row)
    return out.getvalue().encode("utf-8", "surrogateescape")


def _read(table: bytes, columns: Sequence[str]) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(table.decode("utf-8", "surrogateescape"), newline=""), strict=True)
    if tuple(next(reader, ())) != tuple(columns):
        raise ValueError(f"the columns are not those of format {FORMAT}")
    yield from reader


def _table(files: Iterable[FileFacts], extents: Mapping[str, Extent]) -> bytes:
    return _written(COLUMNS, (_row(facts, extents.get(facts.file.path)) for facts in files))


def _row(facts: FileFacts, extent: Extent | None) -> tuple[object, ...]:
    lines = ("",) * len(FIELDS) if facts.lines is None else facts.lines.counts
    witness = ("",) * 4 if facts.witness is None else astuple(facts.witness)
    return (
        facts.file.path,
        facts.file.blob,
        facts.file.size,
        facts.file.kind.value,
        facts.disposition.state.value,
        facts.disposition.reason,
        facts.disposition.rule,
        facts.language,
        facts.language_rule,
        facts.physical,
        facts.nonblank,
        *lines,
        *witness,
        *(("",) * len(EXTENTS) if extent is None else map(_blank, astuple(extent))),
    )


def _blank(number: int | None) -> int | str:
    return "" if number is None else number


def _number(cell: str) -> int | None:
    return int(cell) if cell else None


def _rows(table: bytes) -> Iterator[tuple[FileFacts, Extent | None]]:
    for row in _read(table, COLUMNS):
        (path, blob, size, kind, state, reason, rule, language, language_rule, physical, nonblank, *counts) = row
        lines, witness, extent = counts[: len(FIELDS)], counts[len(FIELDS) : -len(EXTENTS)], counts[-len(EXTENTS) :]
        disposition = Disposition(State(state), reason, rule)
        facts = FileFacts(
            SourceFile(path, blob, int(size), EntryKind(kind)),
            COUNTED if disposition == COUNTED else disposition,
            language,
            language_rule,
            int(physical),
            int(nonblank),
            LineCounts(*map(int, lines)) if lines[0] else None,
            WitnessCounts(*map(int, witness)) if witness[0] else None,
        )
        yield facts, Extent(int(extent[0]), _number(extent[1]), _number(extent[2])) if extent[0] else None


def _units_table(units: Iterable[UnitFact]) -> bytes:
    return _written(
        UNIT_COLUMNS,
        (
            (
                *(row.path, row.unit.symbol, row.unit.kind.value, row.unit.first, row.unit.last),
                *row.unit.lines.counts,
                *(row.decision.stage, row.decision.divergence, row.decision.rule, row.decision.reason),
                *(row.decision.confidence.value, row.decision.runner_up),
            )
            for row in units
        ),
    )


def _unit_rows(table: bytes) -> Iterator[UnitFact]:
    for row in _read(table, UNIT_COLUMNS):
        path, symbol, kind, first, last, *rest = row
        lines, (stage, divergence, rule, reason, confidence, runner_up) = rest[: len(FIELDS)], rest[len(FIELDS) :]
        yield UnitFact(
            path,
            Unit(symbol, UnitKind(kind), int(first), int(last), LineCounts(*map(int, lines))),
            Decision(stage, divergence, rule, reason, Confidence(confidence), runner_up),
        )
