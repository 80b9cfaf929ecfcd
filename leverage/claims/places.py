"""Which stage a line of a system is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.model.decisions import UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.evidence.build import Evidence


def stage_at(evidence: Evidence, system: str) -> Callable[[str, int], str]:
    """From a path and a line to a stage: that of the smallest unit around it, else of its file."""
    files = evidence.files[evidence.files["system"] == system]
    whole = dict(zip(files["path"], files["stage"], strict=True))
    mine = evidence.units[evidence.units["system"] == system]
    units: dict[str, list[tuple[int, int, str]]] = {}
    for path, first, last, stage in zip(mine["path"], mine["first"], mine["last"], mine["stage"], strict=True):
        units.setdefault(path, []).append((int(first), int(last), str(stage)))

    def stage_of(path: str, line: int) -> str:
        around = [(last - first, stage) for first, last, stage in units.get(path, ()) if first <= line <= last]
        return min(around)[1] if around else str(whole.get(path, UNDETERMINED))

    return stage_of
