"""Attestations: the counts of a system without a path, name, symbol or message of its code.

Who has the code measures it and publishes the counts; who is shown the code later measures again and compares. What
would let a reader guess names, such as a hash over paths, is hashed together with a salt that stays with the owner.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter, defaultdict
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from leverage import __version__
from leverage.evidence.classified import classifier_version
from leverage.evidence.columns import code_column
from leverage.evidence.units import rules_digest
from leverage.measure.conventions import CONVENTIONS
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.files import State
from leverage.spec.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leverage.classify.pack import Pack
    from leverage.evidence.build import Evidence

Attestation = dict[str, Any]
"""An attestation as JSON has it."""

FORMAT = 1
LARGEST = 16 * 1024 * 1024
"""Bytes: a file above this size is no attestation."""
SALT_BYTES = 32
CODE_KEYS = ("purpose", "stage", "divergence", "language")
SIZE_KEYS = ("purpose", "language")
SIZES = ("physical", "nonblank", "bytes")
SALTED = ("table", "globs", "rules")
"""Keys of the hashes that only who has the salt can make."""
MADE_BY = ("tool", "line_rule", "classifier")
"""Keys that say what measured; where they differ, so may the counts of the same code."""
UNCOMPARED = ("date",)


def attestation(evidence: Evidence, system_id: str, pack: Pack | None, *, salt: bytes, date: str) -> Attestation:
    """Everything that is attested of a system, in values that JSON has.

    Args:
        evidence: facts of the system, joined with its classification.
        system_id: its id in `repos.yaml`.
        pack: its classification rules.
        salt: what the hashes in `SALTED` are made with; without any they are left out.
        date: ISO 8601; empty where there is none.
    """
    facts = evidence.facts[system_id]
    pin = facts.provenance.pin
    if pin is None:
        raise AssertionError(f"{system_id} was measured without a pin")
    files = [row for row in _records(evidence.files) if row["system"] == system_id]
    units = [row for row in _records(evidence.units) if row["system"] == system_id]
    spec = evidence.loaded.spec
    boundaries = spec.systems[system_id].boundaries
    own = spec.systems[system_id].components
    made: Attestation = {
        "format": FORMAT,
        "system": system_id,
        "tool": __version__,
        "line_rule": facts.provenance.rule_version,
        "classifier": classifier_version(),
        "source": {"kind": pin.kind, "tree": pin.tree},
        "files": _files(files, facts.tracked),
        "all": _counts(files, units),
        "boundaries": {
            name: {
                # Components of other systems are not this owner's to attest.
                "whole": all(entry in own for entry in entries),
                **_counts([row for row in files if row["component"] in entries], units),
            }
            for name, entries in sorted(boundaries.items())
        },
        "denominators": {
            name: {key: value for key, value in asdict(each).items() if key != "note"}
            for name, each in sorted(spec.denominators.items())
            if each.boundary in boundaries
        },
    }
    if date:
        made["date"] = date
    if salt:
        made["table"] = _salted(salt, {"files": files, "units": units})
        made["globs"] = _salted(salt, facts.scope)
        made["rules"] = _salted(salt, rules_digest(pack))
    parsed: Attestation = json.loads(
        _text(made)
    )  # as a reader of the file has it: enumerations are words, tuples lists
    return parsed


def attestation_text(made: Attestation) -> str:
    """The one form in which an attestation is written: sorted keys, one indent, ASCII."""
    return json.dumps(made, indent=1, sort_keys=True) + "\n"


def read_attestation(data: bytes, file: str) -> Attestation:
    """Read an attestation that somebody else has written.

    Raises:
        ConfigurationError: it is none, is of another format, or is not in the form in which attestations are written,
            so that two readers might see different figures in it.
    """
    if len(data) > LARGEST:
        raise _none(file, f"it has more than {LARGEST} bytes")
    try:
        found = json.loads(data)
        canonical = isinstance(found, dict) and attestation_text(found).encode() == data
    except (ValueError, RecursionError) as error:
        raise _none(file, f"it cannot be read ({type(error).__name__})") from error
    if not canonical:
        raise _none(file, "it is not written as `leverage attest` writes: keys sorted, each once, one space a step")
    if found.get("format") != FORMAT or not isinstance(found.get("system"), str):
        raise _none(file, f"it names no `system`, or its `format` is not {FORMAT}")
    return dict(found)


def _none(file: str, answer: str) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            "bad-attestation",
            f"this is no attestation: {answer}",
            Location(file),
            "figures are taken only from a file that can be read in one way",
            "ask its owner for the file that `leverage attest` wrote, unchanged",
        )
    )


def contradictions(attested: Attestation, measured: Attestation) -> list[str]:
    """What an attestation says otherwise than a measurement, one line each; empty where it is proved.

    The date is not compared, nor are the hashes that need a salt where the measurement was made without it.
    """
    left = set(UNCOMPARED) | {key for key in SALTED if key not in measured}
    one, two = ({key: value for key, value in each.items() if key not in left} for each in (attested, measured))
    rows = list(_unlike(one, two, ""))
    return sorted(rows, key=lambda row: not row.startswith("`source"))  # another tree explains the rest


def _unlike(attested: object, measured: object, place: str) -> Iterable[str]:
    if isinstance(attested, dict) and isinstance(measured, dict):
        for key in sorted({*attested, *measured}):
            yield from _unlike(attested.get(key), measured.get(key), f"{place}.{key}" if place else key)
    elif isinstance(attested, list) and isinstance(measured, list) and len(attested) == len(measured):
        for index, (one, two) in enumerate(zip(attested, measured, strict=True)):
            yield from _unlike(one, two, f"{place}[{index}]")
    elif type(attested) is not type(measured) or attested != measured:
        yield f"{shown(place)}: attested {_brief(attested)}, measured {_brief(measured)}"


def _brief(value: object) -> str:
    if value is None:
        return "nothing"
    return f"{len(value)} rows" if isinstance(value, list) else shown(json.dumps(value))


def _records(frame: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a data frame, whose library is loaded late
    found: list[dict[str, Any]] = frame.to_dict("records")
    return found


def _files(files: Sequence[Mapping[str, Any]], tracked: int) -> Attestation:
    """Where every tracked file ended, by reason."""
    ended = Counter((row["state"], row["reason"]) for row in files)
    return {
        "tracked": tracked,
        "outside": tracked - len(files),
        "ended": [[state, reason, number] for (state, reason), number in sorted(ended.items())],
    }


def _counts(files: Iterable[Mapping[str, Any]], units: Sequence[Mapping[str, Any]]) -> Attestation:
    """Code lines under each convention by what the code is, and the sizes that belong to whole files."""
    counted = {row["path"]: row for row in files if row["state"] == State.COUNTED}
    parts = [
        {**row, "purpose": counted[row["path"]]["purpose"], "language": counted[row["path"]]["language"]}
        for row in units
        if row["path"] in counted
    ]
    whole = [row for row in counted.values() if not row["units"]]
    columns = [code_column(name) for name in CONVENTIONS]
    return {
        "code": _sums([*whole, *parts], CODE_KEYS, dict(zip(CONVENTIONS, columns, strict=True))),
        "sizes": _sums(counted.values(), SIZE_KEYS, {name: name for name in SIZES}),
        "counted_files": len(counted),
    }


def _sums(rows: Iterable[Mapping[str, Any]], keys: Sequence[str], columns: Mapping[str, str]) -> list[Attestation]:
    """Sums of columns by keys; null where one of the numbers is unknown (-1)."""
    groups: defaultdict[tuple[str, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    found = []
    for group, members in sorted(groups.items()):
        sums: Attestation = {}
        for name, column in columns.items():
            numbers = [int(row[column]) for row in members]
            sums[name] = None if -1 in numbers else sum(numbers)
        found.append({**dict(zip(keys, group, strict=True)), **sums})
    return found


def _salted(salt: bytes, value: object) -> str:
    return "hmac-sha256:" + hmac.new(salt, _text(value).encode(), hashlib.sha256).hexdigest()


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=int)
