"""Facts on disk: one CSV of files and one JSON of provenance for each system; same facts, same bytes.

The CSV is text on purpose: a reviewer sees in a diff which file's count moved. The JSON holds the SHA-256 of the CSV,
so a damaged or edited record is noticed when it is read.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING, Any

from leverage.evidence.facts import OutsideGroup, ProbeFact, Site, SystemFacts
from leverage.evidence.identity import identity
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.files import COUNTED, Disposition, EntryKind, FileFacts, SourceFile, State, WitnessCounts
from leverage.model.lines import FIELDS, LineCounts
from leverage.model.provenance import Origin, Pin, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FORMAT = 1
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
)


def write_facts(facts: SystemFacts, folder: Path) -> tuple[Path, Path]:
    """Write ``<system>.csv`` and ``<system>.json`` into a folder, each by a temporary file and a rename.

    Returns:
        The two paths.
    """
    table = _table(facts.files)
    text = _head(facts, table)
    folder.mkdir(parents=True, exist_ok=True)
    csv_path, json_path = folder / f"{facts.system}.csv", folder / f"{facts.system}.json"
    for path, data in ((csv_path, table), (json_path, text.encode())):
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(data)
        partial.replace(path)
    return csv_path, json_path


def read_facts(folder: Path, system: str) -> SystemFacts | None:
    """Read the facts of a system; None where there is no record.

    Raises:
        ConfigurationError: the record is damaged: its hash, its format or a value does not fit.
    """
    json_path, csv_path = folder / f"{system}.json", folder / f"{system}.csv"
    if not json_path.is_file():
        return None
    try:
        head = json.loads(json_path.read_bytes())
        table = csv_path.read_bytes()
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']!r}, this version reads format {FORMAT}")  # noqa: TRY301
        if hashlib.sha256(table).hexdigest() != head["files_sha256"]:
            raise ValueError(f"{csv_path.name} does not have the hash that {json_path.name} states")  # noqa: TRY301
        provenance = dict(head["provenance"])
        provenance["origin"] = Origin(provenance["origin"])
        provenance["pin"] = Pin(**provenance["pin"]) if provenance["pin"] else None
        facts = SystemFacts(
            head["system"],
            Provenance(**provenance),
            head["scope"],
            head["tracked"],
            tuple(_rows(table)),
            tuple(OutsideGroup(**group) for group in head["outside"]),
            tuple(_probe(stated) for stated in head["probes"]),
        )
        _prove(facts, system, json_path.read_bytes(), table)
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


def _prove(facts: SystemFacts, system: str, head: bytes, table: bytes) -> None:
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
    if (_head(facts, table).encode(), _table(facts.files)) != (head, table):
        raise ValueError("it is not written as this version writes it")
    identity(facts)


def _head(facts: SystemFacts, table: bytes) -> str:
    head = {
        "format": FORMAT,
        "system": facts.system,
        "scope": facts.scope,
        "provenance": asdict(facts.provenance),
        "outside": [asdict(group) for group in facts.outside],
        "tracked": facts.tracked,
        "probes": [asdict(probe) for probe in facts.probes],
        "files": len(facts.files),
        "files_sha256": hashlib.sha256(table).hexdigest(),
    }
    return json.dumps(head, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def _probe(stated: dict[str, Any]) -> ProbeFact:
    sites = tuple(Site(**site) for site in stated["sites"])
    return ProbeFact(**{**stated, "sites": sites, "environment": tuple(stated["environment"])})


def _table(files: Iterable[FileFacts]) -> bytes:
    out = io.StringIO(newline="")
    plain = csv.writer(out, lineterminator="\n")
    # The csv module does not quote a carriage return by itself, yet reads it as the end of a row.
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(COLUMNS)
    for facts in files:
        lines = ("",) * len(FIELDS) if facts.lines is None else astuple(facts.lines)
        witness = ("",) * 4 if facts.witness is None else astuple(facts.witness)
        words = (facts.file.path, facts.disposition.reason, facts.disposition.rule, facts.language_rule)
        (quoted if any("\r" in word for word in words) else plain).writerow(
            (
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
            )
        )
    return out.getvalue().encode("utf-8", "surrogateescape")


def _rows(table: bytes) -> Iterable[FileFacts]:
    reader = csv.reader(io.StringIO(table.decode("utf-8", "surrogateescape"), newline=""), strict=True)
    if tuple(next(reader, ())) != COLUMNS:
        raise ValueError("the columns are not those of format 1")
    for row in reader:
        (path, blob, size, kind, state, reason, rule, language, language_rule, physical, nonblank, *counts) = row
        lines, witness = counts[: len(FIELDS)], counts[len(FIELDS) :]
        disposition = Disposition(State(state), reason, rule)
        yield FileFacts(
            SourceFile(path, blob, int(size), EntryKind(kind)),
            COUNTED if disposition == COUNTED else disposition,
            language,
            language_rule,
            int(physical),
            int(nonblank),
            LineCounts(*map(int, lines)) if lines[0] else None,
            WitnessCounts(*map(int, witness)) if witness[0] else None,
        )
