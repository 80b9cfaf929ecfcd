"""From a side and a denominator to an exact amount, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from leverage.evidence.columns import code_column, copied_column
from leverage.measure.conventions import CONVENTIONS
from leverage.model.amounts import Amount, Unit
from leverage.model.heights import Height, covered
from leverage.spec.axes import LINES, NO_RULE
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


PIECE_COLUMNS = ("system", "path", "stage", "divergence", "stage_rule", "confidence", "runner_up")


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
    own = ", own lines" if denominator.copies == "out" else ""
    return f"{purposes} files in {denominator.languages} languages{own}"


def size_column(unit: Unit, convention: str) -> str:
    """Column of the table of files that has the sizes in a unit; -1 stands in it where a size is not known."""
    return code_column(convention) if unit is Unit.CODE else unit.value


def selected(evidence: Evidence, chosen: Side, denominator: Denominator) -> pd.DataFrame:
    """The counted files behind an amount: what a reader follows a figure to."""
    return evidence.files.iloc[Selection(evidence).rows(chosen, denominator).counted]


def pieces(evidence: Evidence, files: pd.DataFrame) -> pd.DataFrame:
    """The code of some files, each cut into its units where these were decided apart from it, else whole.

    Args:
        evidence: the tables.
        files: rows of its table of files.

    Returns:
        Rows with `PIECE_COLUMNS` and one ``code_*`` per convention, in which what is not known to one counts nothing;
        they add up to the files.
    """
    import pandas as pd  # noqa: PLC0415 - takes 0.35 s, which help and completion must not pay

    codes = [code_column(name) for name in CONVENTIONS]
    columns = [*PIECE_COLUMNS, *codes]
    cut = files[files["units"] > 0]
    parts = cut[["system", "path"]].merge(evidence.units, on=["system", "path"], how="left", validate="1:m")
    found = pd.concat([files[files["units"] == 0][columns], parts[columns]], ignore_index=True) if len(cut) else files
    return found[columns].assign(**{name: found[name].clip(lower=0) for name in codes})


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

        Files whose disposition is unknown, and counted ones whose size in this unit is, widen the interval by what they
        can hold at most: their physical lines where they were read, else their bytes, since a line has at least one; a
        token has one too, and a function a token. Where copies are taken out and it is not known what is one, a file
        counts whole and widens it downward.
        """
        for owner in sorted({owner for owner, _ in chosen.parts}):
            if owner in self._evidence.gaps:
                return Gap(f"{owner}: {self._evidence.gaps[owner]}")
            if owner not in self._evidence.facts:
                return Gap(f"{owner} has no bytes to measure")
        rows = self.rows(chosen, denominator)
        unit = Unit(denominator.unit)
        value, unsized = self._total(rows.counted, unit, denominator.convention)
        unknown = len(rows.doubtful) + len(unsized)
        doubt, more = self._most(rows.doubtful, unit), self._most(unsized, unit)
        if doubt is None or more is None:
            return Gap(f"{chosen.name}: the size of {unknown} file{'' if unknown == 1 else 's'} is unknown")
        copied, open_, unsearched = 0, 0, 0
        if denominator.copies == "out":
            copied, open_, unsearched = self._copied(rows.counted, unit, denominator.convention)
        convention = denominator.convention if unit is Unit.CODE else NO_RULE
        own = value - copied
        return Amount(own, unit, convention, scope(denominator), own - open_, own + doubt + more, unknown + unsearched)

    def rows(self, chosen: Side, denominator: Denominator) -> Rows:
        """The rows that a denominator selects on a side; unit and convention play no part in it."""
        purposes, languages = frozenset(denominator.purposes), denominator.languages

        def find() -> Rows:
            keep = self.of("system", [owner for owner, _ in chosen.parts])
            for mask in self.filters(chosen, denominator).values():
                keep = keep & mask
            counted = self._once("counted", lambda: self.of("state", ["counted"]))
            unknown = self._once("unknown", lambda: self.of("state", ["unknown"]))
            return Rows((keep & counted).nonzero()[0], (keep & unknown).nonzero()[0])

        return self._once((chosen, purposes, languages), find)

    def filters(self, chosen: Side, denominator: Denominator) -> dict[str, Mask]:
        """What narrows the files of a side, one after the other: all of them together are the denominator."""
        purposes, languages = frozenset(denominator.purposes), denominator.languages
        return {
            "boundary": self._once((chosen, "parts"), lambda: self._in_parts(chosen)),
            "profile": self._once((chosen, "profile"), lambda: self._in_profile(chosen)),
            "purpose": self._once(purposes, lambda: self.of("purpose", [purpose.value for purpose in purposes])),
            "languages": self._once(("languages", languages), lambda: self._in_languages(languages)),
        }

    def of(self, column: str, values: Sequence[str]) -> Mask:
        """Files with one of some values in a column."""
        return self._files[column].isin(values).to_numpy(dtype=bool)

    def _in_parts(self, chosen: Side) -> Mask:
        """Files of the parts that the boundary names."""
        keep = self.of("system", [])
        for owner, component in chosen.parts:
            keep = keep | (self.of("system", [owner]) & self.of("component", [component]))
        return keep

    def _in_profile(self, chosen: Side) -> Mask:
        """Files that the profile does not take away; it is about the system's own files alone."""
        kept = ~self.of("system", [])
        system = self._evidence.loaded.spec.systems[chosen.system]
        if not chosen.profile or not system.profiles[chosen.profile].exclude:
            return kept
        selector, paths = Selector(system), self._files["path"].tolist()
        own = self.of("system", [chosen.system]).nonzero()[0].tolist()
        kept[[place for place in own if not selector.in_profile(paths[place], chosen.profile)]] = False
        return kept

    def _in_languages(self, languages: str) -> Mask:
        """Files in a set of languages; those of unknown language may be in any."""
        match languages:
            case "programming":
                # Build files are let in by their purpose alone, data and prose never.
                return self.of("language_kind", ["programming", "build", ""])
            case "compiler":
                return (self._files["compiler_language"] == 1).to_numpy(dtype=bool) | self.of("language_kind", [""])
            case "all":
                return ~self.of("system", [])
            case _:
                return self.of("language_group", [languages]) | self.of("language_kind", [""])

    def _column(self, name: str) -> Places:
        return self._once(("column", name), lambda: self._files[name].to_numpy(dtype="int64"))

    def _total(self, rows: Places, unit: Unit, convention: str) -> tuple[int, Places]:
        """The sum of what is known, and the files whose size in the unit is not."""
        if unit is Unit.FILES:
            return len(rows), rows[:0]
        sizes = self._column(size_column(unit, convention))[rows]
        return int(sizes[sizes > 0].sum()), rows[sizes < 0]

    def _copied(self, rows: Places, unit: Unit, convention: str) -> tuple[int, int, int]:
        """Lines that stand in what a side builds on; lines of files of which that is not known; number of those."""
        sizes = self._column(size_column(unit, convention))[rows].clip(min=0)
        copied = self._column(copied_column(convention if unit is Unit.CODE else unit.value))[rows]
        open_ = (copied < 0) & (sizes > 0)
        return int(copied[copied > 0].sum()), int(sizes[open_].sum()), int(open_.sum())

    def _most(self, rows: Places, unit: Unit) -> int | None:
        """What files of unknown content can hold at most; None where even their size is unknown."""
        if unit is Unit.FILES:
            return len(rows)
        total = 0
        columns = (self._column(name)[rows] for name in ("physical", "bytes", "tokens"))
        for physical, size, tokens in zip(*columns, strict=True):
            if unit in LINES and physical >= 0:
                total += int(physical)
            elif unit is Unit.FUNCTIONS and tokens >= 0:
                total += int(tokens)
            elif size >= 0:
                total += _largest(int(size), unit)
            else:
                return None
        return total


def _largest(size: int, unit: Unit) -> int:
    """What a file of so many bytes holds at most: a line or token takes one, and zstd may add a little."""
    return size + size // 128 + 64 if unit is Unit.ZSTD else size
