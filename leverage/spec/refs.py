"""Names with dots: `system.component`, `system.component.unit`. Ids may hold dots themselves, so the spec decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.amounts import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.spec.types import Spec

UNDETERMINED_SHARE = "undetermined_share"
TOUCHED = ("touchpoints", "private_touchpoints", "monkey_patches")
"""Measures of a port that count where it touches its substrate."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a budget limits.

    Attributes:
        system: id of the system; empty for all of them.
        component: id of the component; empty for the whole system.
        unit: what is counted; None for the share of undetermined code, and for touchpoints.
        touched: which touchpoints are counted, one of `TOUCHED`; empty where none are.
    """

    system: str
    component: str
    unit: Unit | None
    touched: str = ""


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Every way of cutting a dotted name in two, longest head first."""
    parts = text.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        yield ".".join(parts[:cut]), ".".join(parts[cut:])


def resolve_component(spec: Spec, system: str, entry: str) -> tuple[str, str] | None:
    """System and component that an entry of a boundary names; None where there is none.

    Args:
        spec: the spec.
        system: id of the system in which the entry stands; its own components come first.
        entry: ``component`` or ``system.component``.
    """
    if entry in spec.systems[system].components:
        return system, entry
    for head, tail in splits(entry):
        if head in spec.systems and tail in spec.systems[head].components:
            return head, tail
    return None


def resolve_measure(spec: Spec, text: str) -> Measure | None:
    """What the `measure` of a budget names; None where there is no such thing."""
    if text == UNDETERMINED_SHARE:
        return Measure("", "", None)
    head, _, last = text.rpartition(".")
    if last == UNDETERMINED_SHARE:
        return Measure(head, "", None) if head in spec.systems else None
    if last in TOUCHED:
        return Measure(head, "", None, last) if head in spec.systems else None
    if last not in set(Unit):
        return None
    for system, component in splits(head):
        if system in spec.systems and component in spec.systems[system].components:
            return Measure(system, component, Unit(last))
    return None
