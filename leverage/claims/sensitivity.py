"""What moves a ratio: from the headline, one axis at a time, and the two that move it most together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.families import differences
from leverage.spec.axes import AXES, place_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from leverage.claims.members import Grid, Row
    from leverage.claims.ratios import Pair
    from leverage.spec.types import Denominator


@dataclass(frozen=True, slots=True)
class Choice:
    """A value on an axis with what it makes of the pair, everything else staying as in the headline."""

    value: str
    member: str
    pair: Pair


@dataclass(frozen=True, slots=True)
class Swing:
    """One axis: every choice on it, the headline's own among them.

    Attributes:
        axis: id of the axis.
        base: the headline's value.
        choices: all values of the declared families, in their order, comparable or not.
        low: the choice with the smallest ratio; the first of equals.
        high: the choice with the largest ratio.
    """

    axis: str
    base: str
    choices: tuple[Choice, ...]
    low: Choice
    high: Choice

    @property
    def factor(self) -> Fraction:
        """Largest ratio over smallest; 1 where the axis moves nothing."""
        return value_of(self.high) / value_of(self.low)


@dataclass(frozen=True, slots=True)
class Tornado:
    """The axes that move the ratio of one left side, the largest swing first; and the headline's own pair."""

    left: str
    base: Pair
    swings: tuple[Swing, ...]


@dataclass(frozen=True, slots=True)
class TwoWay:
    """Two axes varied together for one left side.

    Attributes:
        left: the side.
        rows: axis whose values are the rows.
        columns: axis whose values are the columns.
        values: (row, column) to the member's id and the pair; combinations that no family declares are absent.
    """

    left: str
    rows: str
    columns: str
    values: Mapping[tuple[str, str], tuple[str, Pair]]


def value_of(choice: Choice) -> Fraction:
    """The ratio of a choice that has one."""
    if choice.pair.ratio is None:
        raise ValueError(f"{choice.member} has no ratio")
    return choice.pair.ratio.value


def tornadoes(grid: Grid, start: Denominator) -> list[Tornado]:
    """One tornado for each left side that has a ratio at the start, in the order of the grid.

    Args:
        grid: all members.
        start: the headline.
    """
    place = place_of(start)
    steps = [(row, differences(place, row.member.place)) for row in grid.rows]
    base = next((row for row, changed in steps if not changed), None)
    found = [] if base is None else [_tornado(index, left, base, steps) for index, left in enumerate(grid.lefts)]
    return [each for each in found if each is not None]


def _tornado(index: int, left: str, base: Row, steps: list[tuple[Row, tuple[str, ...]]]) -> Tornado | None:
    start = base.pairs[index]
    if start.ratio is None:
        return None
    swings = []
    for axis in AXES:
        rows = [base, *(row for row, changed in steps if changed == (axis,))]
        choices = tuple(Choice(row.member.place[axis], row.member.id, row.pairs[index]) for row in rows)
        if len(choices) == 1:
            continue
        ratios = [choice for choice in choices if choice.pair.ratio is not None]
        low, high = min(ratios, key=value_of), max(ratios, key=value_of)
        swings.append(Swing(axis, base.member.place[axis], choices, low, high))
    ordered = sorted(swings, key=lambda swing: -swing.factor)
    return Tornado(left, start, tuple(ordered))


def two_way(grid: Grid, tornado: Tornado, start: Denominator) -> TwoWay | None:
    """The grid of the two axes with the biggest swings; None where fewer than two move the ratio.

    A rule for what code is exists only inside one unit, so unit and rule do not cross: of the two the larger is taken
    and the axis that follows.
    """
    axes = [swing.axis for swing in tornado.swings if swing.factor != 1]
    if not axes:
        return None
    clash = {"unit": "convention", "convention": "unit"}.get(axes[0])
    others = [axis for axis in axes[1:] if axis != clash]
    if not others:
        return None
    one, two = axes[0], others[0]
    index = grid.lefts.index(tornado.left)
    place = place_of(start)
    values = {
        (row.member.place[one], row.member.place[two]): (row.member.id, row.pairs[index])
        for row in grid.rows
        if set(differences(place, row.member.place)) <= {one, two}
    }
    return TwoWay(tornado.left, one, two, values)
