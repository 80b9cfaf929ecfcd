"""Where a figure comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """Who vouches for a figure."""

    MEASURED = "measured"
    RECORDED = "recorded"
    ATTESTED = "attested"
    REPORTED = "reported"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Pin:
    """Something immutable that bytes can be read from.

    Attributes:
        kind: ``git``, ``pypi``, ``directory`` or ``archive``.
        id: full commit id (git), ``sha256:`` hash of the artifact (pypi, archive), or ``content:`` hash (directory).
        tree: git tree id; for the others a hash over (path, blob id) of all files read.
        date: ISO 8601 date of the commit or upload in UTC, empty where there is none.
        artifact: file name of the artifact for package-index sources, else empty.
    """

    kind: str
    id: str
    tree: str
    date: str = ""
    artifact: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How the facts of one system came to be.

    Attributes:
        origin: measured here, recorded earlier, attested, reported or unknown.
        pin: what was read; None for systems without bytes.
        location: public place of the source (URL or package name), without credentials.
        answered_by: place that really delivered the bytes (the URL, its mirror, a path), without credentials.
        tool_version: version of leverage that measured.
        rule_version: version of the line rule and the language table.
        measured_on: date of the measurement, ISO 8601, only for recorded and attested facts (a live run has none, so
            that the same input gives the same bytes).
        note: why the origin is what it is, in one sentence; empty when measured.
    """

    origin: Origin
    pin: Pin | None
    location: str
    answered_by: str
    tool_version: str
    rule_version: str
    measured_on: str = ""
    note: str = ""
