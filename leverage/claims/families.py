"""Families of denominators, expanded to their members: every combination of the values that a family varies."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leverage.measure.conventions import CONVENTIONS
from leverage.model.amounts import Unit
from leverage.model.decisions import Purpose
from leverage.spec.axes import ALL, AXES, LINES, NO_RULE, PURPOSES, place_of, spans, written
from leverage.spec.types import Denominator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leverage.spec.types import Family, Spec

Place = dict[str, str]
"""The value on each axis."""


@dataclass(frozen=True, slots=True)
class Member:
    """One denominator of a family.

    Attributes:
        id: made of the values alone, so it does not depend on order or on other members.
        place: value on each axis.
        denominator: what it selects.
        families: families that it belongs to, in the order of the file.
    """

    id: str
    place: Mapping[str, str]
    denominator: Denominator
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An exclusion of a family, with how many members it takes away."""

    family: str
    where: str
    why: str
    members: int


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A value on an axis that is not measured yet: listed, never counted.

    Attributes:
        axis: id of the axis.
        value: the value.
        why: what is missing.
        families: families that ask for it by name.
    """

    axis: str
    value: str
    why: str
    families: tuple[str, ...]


def headline(spec: Spec) -> Denominator:
    """The headline of the declared comparison.

    Raises:
        ValueError: none is declared.
    """
    if spec.compare is None:
        raise ValueError("there is no headline without a comparison")
    return spec.denominators[spec.compare.headline]


def member_id(place: Mapping[str, str]) -> str:
    """The id of a place: ``extension/production/code:cloc/programming``.

    Copies are written where they are taken out. The revision has one measured value and is not written.
    """
    rule = "" if place["convention"] == NO_RULE else f":{place['convention']}"
    own = "/own" if place["copies"] == "out" else ""
    return f"{place['boundary']}/{place['purpose']}/{place['unit']}{rule}/{place['languages']}{own}"


def members(spec: Spec) -> list[Member]:
    """Every member of every family, nearest to the headline first, then in the order of the axes and their values."""
    if spec.compare is None or not spec.families:
        return []
    found: dict[str, tuple[Place, list[str]]] = {}
    orders: dict[str, dict[str, int]] = {axis: {value: 0} for axis, value in place_of(headline(spec)).items()}
    for name, family in spec.families.items():
        for axis, values in spans(spec, family, tuple(CONVENTIONS)).items():
            for value in values:
                orders[axis].setdefault(value, len(orders[axis]))
        for place in _places(spec, family):
            if not any(_excluded(place, one) for one in _conditions(family)):
                found.setdefault(member_id(place), (place, []))[1].append(name)
    start = place_of(headline(spec))

    def order(item: tuple[str, tuple[Place, list[str]]]) -> tuple[int, list[int]]:
        place = item[1][0]
        steps = [orders[axis].get(place[axis], 0) for axis in AXES]
        return len(differences(start, place)), steps

    return [
        Member(id_, place, _denominator(place), tuple(dict.fromkeys(names)))
        for id_, (place, names) in sorted(found.items(), key=order)
    ]


def differences(start: Mapping[str, str], place: Mapping[str, str]) -> tuple[str, ...]:
    """Axes on which a place differs from a start; where only one of them has a rule for code, that is the unit's."""
    found = [axis for axis in AXES if start[axis] != place[axis]]
    default = Denominator.__dataclass_fields__["convention"].default
    # From exact units to code the rule is the default one; from code to exact units there is none.
    if "unit" in found and (
        place["convention"] == NO_RULE or (start["convention"], place["convention"]) == (NO_RULE, default)
    ):
        found = [axis for axis in found if axis != "convention"]
    return tuple(found)


def left_out(spec: Spec) -> list[LeftOut]:
    """Every exclusion with its reason."""
    if spec.compare is None:
        return []
    return [
        LeftOut(
            name,
            " and ".join(f"{axis} {' or '.join(values)}" for axis, values in condition.items()),
            exclusion.why,
            len({member_id(place) for place in _places(spec, family) if _excluded(place, condition)}),
        )
        for name, family in spec.families.items()
        for exclusion, condition in zip(family.without, _conditions(family), strict=True)
    ]


def unmeasured(spec: Spec) -> list[Unmeasured]:
    """Every value that no version can count yet, whether a family asks for it or not."""
    asked: dict[tuple[str, str], list[str]] = {}
    for name, family in spec.families.items():
        for axis in AXES:
            for value in written(family.vary, axis):
                asked.setdefault((axis, value), []).append(name)
    return [
        Unmeasured(axis.id, value, why, tuple(asked.get((axis.id, value), ())))
        for axis in AXES.values()
        for value, why in axis.unmeasured.items()
    ]


def _places(spec: Spec, family: Family) -> Iterator[Place]:
    """The product of what a family varies, without what is not measured yet.

    A rule is only where the unit is code, and copies are taken out only of lines.
    """
    inside = spans(spec, family, tuple(CONVENTIONS))
    measured = [[value for value in inside[axis] if value not in AXES[axis].unmeasured] for axis in AXES]
    for values in itertools.product(*measured):
        place = dict(zip(AXES, values, strict=True))
        if place["unit"] != Unit.CODE.value:
            place["convention"] = NO_RULE
        if place["copies"] == "in" or place["unit"] in LINES:
            yield place


def _conditions(family: Family) -> list[dict[str, Sequence[str]]]:
    return [
        {axis: values for axis in AXES if (values := written(exclusion.where, axis))} for exclusion in family.without
    ]


def _excluded(place: Mapping[str, str], condition: Mapping[str, Sequence[str]]) -> bool:
    return all(values == (ALL,) or place[axis] in values for axis, values in condition.items())


def _denominator(place: Mapping[str, str]) -> Denominator:
    purposes = PURPOSES.get(place["purpose"]) or tuple(map(Purpose, place["purpose"].split("+")))
    chosen: dict[str, Any] = {axis: place[axis] for axis in ("boundary", "unit", "languages", "copies")}
    if place["convention"] != NO_RULE:
        chosen["convention"] = place["convention"]
    return Denominator(purposes=purposes, **chosen)
