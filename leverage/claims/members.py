"""Every member of every family against every side that has bytes: the grid, and how its families compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.denominators import BOUNDARIES
from leverage.claims.families import Member, members
from leverage.claims.ratios import Pair, lefts, pair, reaches, required
from leverage.claims.select import Selection
from leverage.model.amounts import Amount, Unit
from leverage.spec.select import default_profile, parse_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Spec

DISTINCT, FOLDED, NOT_COMPARABLE, UNKNOWN = "distinct", "same amounts", "not comparable", "unknown"
"""Standing of a member: counted, or why it is listed and not counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """A member with its pairs.

    Attributes:
        member: the denominator.
        pairs: one for each left side, in the order of `Grid.lefts`.
        standing: `DISTINCT`, `FOLDED`, `NOT_COMPARABLE` or `UNKNOWN`.
        same_as: for folded ones, id of the first member with the same amounts on every side.
        why: for those that no pair can be compared under, why.
    """

    member: Member
    pairs: tuple[Pair, ...]
    standing: str
    same_as: str
    why: str


@dataclass(frozen=True, slots=True)
class Grid:
    """All members, nearest to the headline first.

    Attributes:
        lefts: sides with bytes that are held against the right side: the left side itself, then its stand-ins.
        families: ids of the families, in the order of the file.
        rows: one for each member.
    """

    lefts: tuple[str, ...]
    families: tuple[str, ...]
    rows: tuple[Row, ...]

    def standing(self, word: str) -> list[Row]:
        """Rows of one standing."""
        return [row for row in self.rows if row.standing == word]

    @property
    def counted(self) -> list[Row]:
        """Distinct rows under which some pair has a ratio."""
        return self.standing(DISTINCT)


@dataclass(frozen=True, slots=True)
class Spread:
    """Ratios of one left side over some distinct members.

    Attributes:
        left: the side.
        ratios: number of members under which it can be compared.
        lowest: smallest ratio and its member; None where there is none.
        highest: likewise.
        reaching: members that reach the claimed figure, by reading; empty without a figure.
    """

    left: str
    ratios: int
    lowest: tuple[Fraction, Member] | None
    highest: tuple[Fraction, Member] | None
    reaching: dict[str, int]


@dataclass(frozen=True, slots=True)
class FamilyFigures:
    """One family: members declared, members with a ratio, those that are distinct within it, and each left side."""

    family: str
    declared: int
    comparable: int
    distinct: int
    spreads: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class Needed:
    """Sizes that the larger side would need, over all members of one boundary and unit.

    Attributes:
        boundary: id of the boundary.
        unit: what is counted.
        members: number of distinct sizes of the right side.
        smallest: least lower end of `required` over the members, by reading.
        largest: greatest upper end likewise; the greatest lower end for readings without an upper end.
        sizes: least and greatest size of each left side of like height.
    """

    boundary: str
    unit: Unit
    members: int
    smallest: dict[str, int]
    largest: dict[str, int]
    sizes: dict[str, tuple[int, int]]


def whole_grid(evidence: Evidence) -> Grid:
    """Every member against every side with bytes; without a comparison or families, an empty grid."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return Grid((), (), ())
    sides = [(left, role) for left, role in lefts(evidence) if spec.systems[left].source is not None]
    selection, right = Selection(evidence), spec.compare.right
    rows: list[Row] = []
    first: dict[object, str] = {}
    for member in members(spec):
        found = tuple(
            pair(evidence, member.denominator, left, right, role, selection=selection) for left, role in sides
        )
        rows.append(_row(member, found, first))
    return Grid(tuple(_label(spec, left) for left, _ in sides), tuple(spec.families), tuple(rows))


def _label(spec: Spec, left: str) -> str:
    """A side as `Side.name` has it, also where it cannot be resolved."""
    system, profile = parse_side(left)
    profile = profile or default_profile(spec.systems[system])
    return f"{system}@{profile}" if profile else system


def _row(member: Member, pairs: tuple[Pair, ...], first: dict[object, str]) -> Row:
    """A row; ``first`` remembers the first member with each set of amounts."""
    if not any(one.ratio for one in pairs):
        standing = UNKNOWN if any(one.status == "unknown" for one in pairs) else NOT_COMPARABLE
        return Row(member, pairs, standing, "", "; ".join(dict.fromkeys(one.why for one in pairs)))
    same = first.setdefault(tuple(_amounts(one) for one in pairs), member.id)
    return Row(member, pairs, DISTINCT if same == member.id else FOLDED, "" if same == member.id else same, "")


def _amounts(one: Pair) -> tuple[object, ...]:
    sizes = [(each.value, each.low, each.high) for each in (one.numerator, one.denominator) if isinstance(each, Amount)]
    return (one.status, *sizes)


def spread(rows: Iterable[Row], index: int, left: str, figure: Fraction | None, readings: Sequence[str]) -> Spread:
    """The ratios of the left side with an index over some rows."""
    found = [(ratio, row.member) for row in rows if (ratio := row.pairs[index].ratio) is not None]
    ordered = sorted(((ratio.value, member) for ratio, member in found), key=lambda each: (each[0], each[1].id))
    hits = (
        {}
        if figure is None
        else {reading: sum(reaches(ratio, figure, reading) == "yes" for ratio, _ in found) for reading in readings}
    )
    return Spread(left, len(found), ordered[0] if ordered else None, ordered[-1] if ordered else None, hits)


def compare_families(grid: Grid, figure: Fraction | None, readings: Sequence[str]) -> list[FamilyFigures]:
    """Each family with its figures, in the order of the file."""
    return [_figures(grid, name, figure, readings) for name in grid.families]


def _figures(grid: Grid, name: str, figure: Fraction | None, readings: Sequence[str]) -> FamilyFigures:
    own = [row for row in grid.rows if name in row.member.families]
    comparable = [row for row in own if row.standing in {DISTINCT, FOLDED}]
    distinct = list({row.same_as or row.member.id: row for row in reversed(comparable)}.values())
    spreads = tuple(spread(distinct, index, left, figure, readings) for index, left in enumerate(grid.lefts))
    return FamilyFigures(name, len(own), len(comparable), len(distinct), spreads)


def nearest(grid: Grid, figure: Fraction, most: int) -> list[tuple[Row, Pair]]:
    """Pairs whose ratio is nearest to a figure by factor, nearest first, each with the first member that gives it."""
    first: dict[object, tuple[Fraction, int, Row, Pair]] = {}
    for place, row in enumerate(grid.counted):
        for one in row.pairs:
            if one.ratio is not None:
                factor = max(one.ratio.value / figure, figure / one.ratio.value)
                first.setdefault((one.left_name, _amounts(one)), (factor, place, row, one))
    return [(row, one) for *_, row, one in sorted(first.values(), key=lambda each: each[:2])[:most]]


def needed(grid: Grid, figure: Fraction, readings: Sequence[str]) -> list[Needed]:
    """What would have to be true, over every member under which the right side has a size."""
    groups: dict[tuple[str, Unit], list[Row]] = {}
    for row in grid.rows:
        size = row.pairs[0].denominator if row.pairs else None
        if isinstance(size, Amount) and size.low:
            groups.setdefault((row.member.denominator.boundary, size.unit), []).append(row)
    order = {name: index for index, name in enumerate(BOUNDARIES)}
    keys = sorted(groups, key=lambda key: (order.get(key[0], len(order)), key[0], list(Unit).index(key[1])))
    return [_needed(grid, key, groups[key], figure, readings) for key in keys]


def _needed(grid: Grid, key: tuple[str, Unit], rows: list[Row], figure: Fraction, readings: Sequence[str]) -> Needed:
    sizes = [row.pairs[0].denominator for row in rows]
    ends = {
        reading: [required(size, figure, reading) for size in sizes if isinstance(size, Amount)] for reading in readings
    }
    return Needed(
        *key,
        len(set(sizes)),
        {reading: min(low for low, _ in each) for reading, each in ends.items()},
        {reading: max(low if high is None else high for low, high in each) for reading, each in ends.items()},
        {
            left: (min(measured), max(measured))
            for index, left in enumerate(grid.lefts)
            if (measured := [ratio.numerator.value for row in rows if (ratio := row.pairs[index].ratio) is not None])
        },
    )
