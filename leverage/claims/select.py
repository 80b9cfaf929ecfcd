"""From a side and a denominator to an exact amount, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.evidence.columns import code_column
from leverage.model.amounts import Amount, Unit
from leverage.model.heights import Height, covered
from leverage.spec.refs import resolve_component
from leverage.spec.select import Selector, default_profile, parse_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

EXACT = "exact"
"""Convention of the units that need no rule for what code is."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Why there is no amount, in plain words.

    Attributes:
        why: the reason.
        undeclared: whether the system does not say what it has within this boundary, which more bytes would not mend.
    """

    why: str
    undeclared: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison, resolved.

    Attributes:
        system: id of the system.
        profile: id of the profile, or empty.
        parts: (system, component) pairs that the boundary names.
        steps: steps of the stack that the parts cover.
    """

    system: str
    profile: str
    parts: tuple[tuple[str, str], ...]
    steps: frozenset[tuple[Height, Height]]

    @property
    def name(self) -> str:
        """The system, with ``@profile`` where one is used."""
        return f"{self.system}@{self.profile}" if self.profile else self.system

    @property
    def covers(self) -> str:
        """The heights covered, in words."""
        return describe(self.steps)


def side(evidence: Evidence, name: str, boundary: str) -> Side | Gap:
    """Resolve a side such as ``torch-npu`` or ``torch-npu@full`` at a boundary."""
    systems = evidence.loaded.spec.systems
    system_id, profile = parse_side(name)
    system = systems[system_id]
    if not system.source:
        return Gap(f"{system.name or system_id} is closed: only a reported figure exists")
    if boundary not in system.boundaries:
        return Gap(f"{system.name or system_id} declares no boundary {boundary!r}", undeclared=True)
    parts = tuple(
        part
        for entry in system.boundaries[boundary]
        if (part := resolve_component(evidence.loaded.spec, system_id, entry)) is not None
    )
    heights = [
        (Height[levels[0].upper()], Height[levels[-1].upper()])
        for owner, component in parts
        if (levels := systems[owner].components[component].height)
    ]
    return Side(system_id, profile or default_profile(system), parts, covered(heights))


def amount(evidence: Evidence, chosen: Side, denominator: Denominator) -> Amount | Gap:
    """The exact amount of a side under a denominator.

    Files whose disposition is unknown widen the interval by what they can hold at most: their physical lines where
    they were read, else their bytes, since a line has at least one.
    """
    for owner in sorted({owner for owner, _ in chosen.parts}):
        if owner in evidence.gaps:
            return Gap(f"{owner}: {evidence.gaps[owner]}")
        if owner not in evidence.facts:
            return Gap(f"{owner} has no bytes to measure")
    rows = _rows(evidence, chosen, denominator)
    counted = rows[rows["state"] == "counted"]
    doubtful = rows[(rows["state"] == "unknown")]
    unit = Unit(denominator.unit)
    value = _total(counted, unit, denominator.convention)
    doubt = _most(doubtful, unit)
    if doubt is None:
        return Gap(f"{chosen.name}: the size of {len(doubtful)} files is unknown")
    return Amount(
        value,
        unit,
        denominator.convention if unit is Unit.CODE else EXACT,
        scope(denominator),
        value,
        value + doubt,
    )


def scope(denominator: Denominator) -> str:
    """The selection of a denominator in canonical words; equal selections give equal words."""
    purposes = "+".join(sorted(purpose.value for purpose in set(denominator.purposes)))
    return f"{purposes} files in {denominator.languages} languages"


def selected(evidence: Evidence, chosen: Side, denominator: Denominator) -> pd.DataFrame:
    """The counted files behind an amount: what a reader follows a figure to."""
    rows = _rows(evidence, chosen, denominator)
    return rows[rows["state"] == "counted"]


def describe(steps: frozenset[tuple[Height, Height]]) -> str:
    """Steps of the stack in words, neighbouring ones joined: ``graph to tile_ir, runtime``."""
    words: list[str] = []
    chain = sorted(step for step in steps if step[0] is not Height.RUNTIME)
    while chain:
        low, high = chain.pop(0)
        while chain and chain[0][0] is high:
            high = chain.pop(0)[1]
        words.append(f"{low.label} to {high.label}")
    if (Height.RUNTIME, Height.RUNTIME) in steps:
        words.append("runtime")
    return ", ".join(words) or "nothing stated"


def _rows(evidence: Evidence, chosen: Side, denominator: Denominator) -> pd.DataFrame:
    files = evidence.files
    keep = files["system"].isin(set()) if files.empty else _in_parts(files, chosen.parts)
    keep &= files["purpose"].isin([purpose.value for purpose in denominator.purposes])
    match denominator.languages:
        case "programming":
            # Build files are let in by their purpose alone, data and prose never.
            keep &= files["language_kind"].isin(["programming", "build", ""])
        case "compiler":
            keep &= (files["compiler_language"] == 1) | (files["language_kind"] == "")
        case "python" | "cpp":
            keep &= (files["language_group"] == denominator.languages) | (files["language_kind"] == "")
        case "all":
            pass
    rows = files[keep]
    system = evidence.loaded.spec.systems[chosen.system]
    if chosen.profile and system.profiles[chosen.profile].exclude:
        selector = Selector(system)
        inside = [
            owner != chosen.system or selector.in_profile(path, chosen.profile)
            for owner, path in zip(rows["system"], rows["path"], strict=True)
        ]
        rows = rows[inside]
    return rows


def _in_parts(files: pd.DataFrame, parts: Sequence[tuple[str, str]]) -> pd.Series[bool]:
    keep = files["system"] != files["system"]
    for owner, component in parts:
        keep |= (files["system"] == owner) & (files["component"] == component)
    return keep


def _total(rows: pd.DataFrame, unit: Unit, convention: str) -> int:
    if unit is Unit.FILES:
        return len(rows)
    column = {Unit.PHYSICAL: "physical", Unit.NONBLANK: "nonblank", Unit.BYTES: "bytes"}.get(unit)
    return int(rows[column or code_column(convention)].sum())


def _most(rows: pd.DataFrame, unit: Unit) -> int | None:
    """What files of unknown content can hold at most; None where even their size is unknown."""
    if unit is Unit.FILES:
        return len(rows)
    total = 0
    for physical, size in zip(rows["physical"], rows["bytes"], strict=True):
        if unit is not Unit.BYTES and physical >= 0:
            total += int(physical)
        elif size >= 0:
            total += int(size)
        else:
            return None
    return total
