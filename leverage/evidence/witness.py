"""Where the line rule and the independent witness disagree: one of the two has a defect, and the report shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.measure.conventions import code_lines
from leverage.model.files import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.evidence.facts import SystemFacts

LEAST_LINES = 10
LEAST_SHARE = 20
"""A disagreement is shown from 10 lines on that are also one twentieth of the larger count: below that, both rules'
documented differences (strings after a colon, edge blank lines) would drown the defects."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A file whose source lines under pygount's convention differ between our projection and pygount itself."""

    system: str
    path: str
    language: str
    ours: int
    witness: int


def disagreements(facts: Iterable[SystemFacts]) -> list[Disagreement]:
    """All such files, largest difference first."""
    found = [
        Disagreement(one.system, row.file.path, row.language, ours, theirs)
        for one in facts
        for row in one.files
        if row.disposition.state is State.COUNTED and row.lines is not None and row.witness is not None
        for ours in [code_lines("pygount", row.language, row.lines)]
        for theirs in [row.witness.code + row.witness.string]
        if ours is not None
        and abs(ours - theirs) >= LEAST_LINES
        and abs(ours - theirs) * LEAST_SHARE >= max(ours, theirs)
    ]
    return sorted(found, key=lambda row: (-abs(row.ours - row.witness), row.system, row.path))
