"""The axes of a denominator and the values on them: one vocabulary for checking, expanding and explaining.

A value that this version cannot measure yet is on its axis all the same, with what is missing, so that a report can say
so; it is never counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.model.amounts import Unit
from leverage.model.decisions import Purpose
from leverage.spec.types import Axes, Denominator, Family, Spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALL = "all values"
"""How `all` is spelt in a list of values once it has been read; no value on an axis is called so."""

PURPOSES: Mapping[str, tuple[Purpose, ...]] = MappingProxyType(
    {
        "production": (Purpose.PRODUCTION,),
        "with_tests": (Purpose.PRODUCTION, Purpose.TEST),
        "with_build": (Purpose.PRODUCTION, Purpose.BUILD),
    }
)
"""Values on the axis `purpose`: which purposes are counted together."""

LINES = frozenset({Unit.CODE.value, Unit.NONBLANK.value, Unit.PHYSICAL.value})
"""Units that are a kind of line: of them copies can be taken out, and a file has at most as many as physical lines."""

NO_RULE = "exact"
"""Value on the axis `convention` of the units that need no rule for what code is."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One choice that a denominator makes.

    Attributes:
        id: name used in `repos.yaml`.
        title: heading for people.
        values: what can be measured; empty where the configuration or the tool's tables say it.
        unmeasured: value -> what is missing to measure it.
    """

    id: str
    title: str
    values: tuple[str, ...] = ()
    unmeasured: Mapping[str, str] = field(default_factory=dict)


AXES: Mapping[str, Axis] = MappingProxyType(
    {
        axis.id: axis
        for axis in (
            Axis("boundary", "Boundary"),
            Axis("purpose", "Purpose", tuple(PURPOSES)),
            Axis(
                "unit",
                "Unit",
                (
                    *(Unit.CODE, Unit.NONBLANK, Unit.PHYSICAL, Unit.BYTES),
                    *(Unit.ZSTD, Unit.TOKENS, Unit.FUNCTIONS, Unit.FILES),
                ),
                {
                    "operators": "what a port registers is known by place and not by operator, and stacks that are "
                    "built from scratch declare their operators in ways that are not read"
                },
            ),
            Axis("convention", "Counting rule"),
            Axis("languages", "Languages", ("programming", "compiler", "python", "cpp", "all")),
            Axis("copies", "Copies", ("in", "out")),
            Axis("revision", "Revision", ("pinned",), {"history": "only the pinned revision is measured"}),
        )
    }
)
"""Every axis by id, in the order in which a member's id names its values."""


def known_values(spec: Spec, axis: str, conventions: Sequence[str]) -> tuple[str, ...]:
    """What can be measured on an axis: boundaries are the two sides' own, conventions are handed in."""
    if axis == "boundary":
        compared = {spec.compare.left, spec.compare.right} if spec.compare else set()
        systems = [
            system for name, system in spec.systems.items() if name in compared or system.stands_in_for in compared
        ]
        return tuple(dict.fromkeys(name for system in systems for name in system.boundaries))
    return tuple(conventions) if axis == "convention" else AXES[axis].values


def written(axes: Axes, axis: str) -> tuple[str, ...]:
    """The values that stand on an axis in the file, `(ALL,)` for the word `all`; empty where the axis is left alone."""
    values: tuple[str, ...] | str | None = getattr(axes, axis)
    return (ALL,) if isinstance(values, str) else values or ()


def place_of(denominator: Denominator) -> dict[str, str]:
    """The value of a denominator on each axis."""
    purposes = set(denominator.purposes)
    named = next((name for name, each in PURPOSES.items() if set(each) == purposes), "")
    return {
        "boundary": denominator.boundary,
        "purpose": named or "+".join(sorted(purpose.value for purpose in purposes)),
        "unit": denominator.unit,
        "convention": denominator.convention if denominator.unit == Unit.CODE.value else NO_RULE,
        "languages": denominator.languages,
        "copies": denominator.copies,
        "revision": "pinned",
    }


def spans(spec: Spec, family: Family, conventions: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Values of a family on every axis: what it or the families of its product vary, the headline's own elsewhere.

    Args:
        spec: a spec with a comparison, whose families name families that exist.
        family: one of its families.
        conventions: ids of all conventions, in order.
    """
    if spec.compare is None:
        raise ValueError("families vary the headline of a comparison, and there is none")
    start = place_of(spec.denominators[spec.compare.headline])
    if start["convention"] == NO_RULE:
        start["convention"] = Denominator.__dataclass_fields__["convention"].default
    found: dict[str, tuple[str, ...]] = {axis: (value,) for axis, value in start.items()}
    for part in (family, *(spec.families[name] for name in family.product)):
        for axis in AXES:
            if values := written(part.vary, axis):
                found[axis] = known_values(spec, axis, conventions) if values == (ALL,) else values
    return found
