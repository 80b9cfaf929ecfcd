"""From a side and a denominator to an exact amount, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from leverage.evidence.columns import code_column
from leverage.model.amounts import Amount, Unit
from leverage.model.heights import Height, covered
from leverage.spec.axes import NO_RULE
from leverage.spec.refs import resolve_component
from leverage.spec.select import Selector, default_profile, parse_side

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

    Mask: TypeAlias = npt.NDArray[np.bool_]
    Places: TypeAlias = npt.NDArray[np.int64]

T = TypeVar("T")


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
    """The exact amount of a side under a denominator; see `Selection.amount`."""
    return Selection(evidence).amount(chosen, denominator)


def scope(denominator: Denominator) -> str:
    """The selection of a denominator in canonical words; equal selections give equal words."""
    purposes = "+".join(sorted(purpose.value for purpose in set(denominator.purposes)))
    return f"{purposes} files in {denominator.languages} languages"


def selected(evidence: Evidence, chosen: Side, denominator: Denominator) -> pd.DataFrame:
    """The counted files behind an amount: what a reader follows a figure to."""
    return evidence.files.iloc[Selection(evidence).rows(chosen, denominator).counted]


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


@dataclass(frozen=True, slots=True)
class Rows:
    """Places in the table of files: what is counted, and what is unknown and can only widen an interval."""

    counted: Places
    doubtful: Places


class Selection:
    """What denominators select from a table of files. Each value on an axis is looked at once, whoever asks for it."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._files = evidence.files
        self._known: dict[Hashable, Any] = {}

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    def amount(self, chosen: Side, denominator: Denominator) -> Amount | Gap:
        """The exact amount of a side under a denominator.

        Files whose disposition is unknown widen the interval by what they can hold at most: their physical lines where
        they were read, else their bytes, since a line has at least one.
        """
        for owner in sorted({owner for owner, _ in chosen.parts}):
            if owner in self._evidence.gaps:
                return Gap(f"{owner}: {self._evidence.gaps[owner]}")
            if owner not in self._evidence.facts:
                return Gap(f"{owner} has no bytes to measure")
        rows = self.rows(chosen, denominator)
        unit = Unit(denominator.unit)
        value = self._total(rows.counted, unit, denominator.convention)
        doubt = self._most(rows.doubtful, unit)
        if doubt is None:
            return Gap(f"{chosen.name}: the size of {len(rows.doubtful)} files is unknown")
        convention = denominator.convention if unit is Unit.CODE else NO_RULE
        return Amount(value, unit, convention, scope(denominator), value, value + doubt)

    def rows(self, chosen: Side, denominator: Denominator) -> Rows:
        """The rows that a denominator selects on a side; unit and convention play no part in it."""
        purposes, languages = frozenset(denominator.purposes), denominator.languages

        def find() -> Rows:
            keep = (
                self._once(chosen, lambda: self._within(chosen))
                & self._once(purposes, lambda: self._of("purpose", [purpose.value for purpose in purposes]))
                & self._once(("languages", languages), lambda: self._in_languages(languages))
            )
            counted = self._once("counted", lambda: self._of("state", ["counted"]))
            unknown = self._once("unknown", lambda: self._of("state", ["unknown"]))
            return Rows((keep & counted).nonzero()[0], (keep & unknown).nonzero()[0])

        return self._once((chosen, purposes, languages), find)

    def _of(self, column: str, values: Sequence[str]) -> Mask:
        return self._files[column].isin(values).to_numpy(dtype=bool)

    def _within(self, chosen: Side) -> Mask:
        """Files of the parts that the boundary names, inside the profile."""
        keep = self._of("system", [])
        for owner, component in chosen.parts:
            keep = keep | (self._of("system", [owner]) & self._of("component", [component]))
        system = self._evidence.loaded.spec.systems[chosen.system]
        if not chosen.profile or not system.profiles[chosen.profile].exclude:
            return keep
        selector, paths = Selector(system), self._files["path"].tolist()
        own = (keep & self._of("system", [chosen.system])).nonzero()[0].tolist()
        kept = keep.copy()
        kept[[place for place in own if not selector.in_profile(paths[place], chosen.profile)]] = False
        return kept

    def _in_languages(self, languages: str) -> Mask:
        """Files in a set of languages; those of unknown language may be in any."""
        match languages:
            case "programming":
                # Build files are let in by their purpose alone, data and prose never.
                return self._of("language_kind", ["programming", "build", ""])
            case "compiler":
                return (self._files["compiler_language"] == 1).to_numpy(dtype=bool) | self._of("language_kind", [""])
            case "all":
                return ~self._of("system", [])
            case _:
                return self._of("language_group", [languages]) | self._of("language_kind", [""])

    def _column(self, name: str) -> Places:
        return self._once(("column", name), lambda: self._files[name].to_numpy(dtype="int64"))

    def _total(self, rows: Places, unit: Unit, convention: str) -> int:
        if unit is Unit.FILES:
            return len(rows)
        column = {Unit.PHYSICAL: "physical", Unit.NONBLANK: "nonblank", Unit.BYTES: "bytes"}.get(unit)
        return int(self._column(column or code_column(convention))[rows].sum())

    def _most(self, rows: Places, unit: Unit) -> int | None:
        """What files of unknown content can hold at most; None where even their size is unknown."""
        if unit is Unit.FILES:
            return len(rows)
        total = 0
        for physical, size in zip(self._column("physical")[rows], self._column("bytes")[rows], strict=True):
            if unit is not Unit.BYTES and physical >= 0:
                total += int(physical)
            elif size >= 0:
                total += int(size)
            else:
                return None
        return total
