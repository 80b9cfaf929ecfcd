"""What must fit together in the `families` of `repos.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.spec.axes import ALL, AXES, known_values, spans, written
from leverage.spec.findings import Finding
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.spec.schema import KeyPath
    from leverage.spec.types import Axes, Family, Spec


def check_families(spec: Spec, conventions: frozenset[str] | None) -> Iterator[Finding]:
    """Everything that does not fit; ``conventions`` as in `leverage.spec.check.check`."""
    if not spec.families:
        return
    if spec.compare is None:
        what = "families vary the headline of a comparison, and none is declared"
        yield Finding(("families",), "missing-key", what, "add `compare:` with left, right and headline")
        return
    found = [
        each
        for name, family in spec.families.items()
        for each in (
            *_parts(spec, ("families", name), family),
            *_axes(spec, ("families", name, "vary"), family.vary, conventions),
        )
    ]
    yield from found
    if not found and spec.compare.headline in spec.denominators:  # else what a family spans is not known
        for name, family in spec.families.items():
            yield from _without(spec, ("families", name), family, conventions)


def _parts(spec: Spec, here: KeyPath, family: Family) -> Iterator[Finding]:
    varied = [axis for axis in AXES if written(family.vary, axis)]
    if not varied and not family.product:
        what = f"the family {shown(str(here[-1]))} varies nothing"
        yield Finding(here, "missing-key", what, "add `vary: {unit: all}`, or `product:` with other families")
    owners = dict.fromkeys(varied, str(here[-1]))
    for index, part in enumerate(family.product):
        place = (*here, "product", index)
        other = spec.families.get(part)
        if other is None:
            hint = did_you_mean(part, spec.families, "families here")
            yield Finding(place, "unknown-reference", f"there is no family {shown(part)}", hint, about="families")
        elif other.product:
            what = f"{shown(part)} is a product itself"
            yield Finding(place, "bad-reference", what, "name the families that vary axes, one by one")
        else:
            for axis in AXES:
                if not written(other.vary, axis):
                    continue
                if axis in owners:
                    what = f"{shown(owners[axis])} and {shown(part)} both vary {shown(axis)}"
                    yield Finding(place, "bad-reference", what, "let one of the families of a product vary each axis")
                owners[axis] = part


def _axes(spec: Spec, here: KeyPath, axes: Axes, conventions: frozenset[str] | None) -> Iterator[Finding]:
    for axis, about in AXES.items():
        values = written(axes, axis)
        if values == (ALL,) or (axis == "convention" and conventions is None):
            continue
        known = {*known_values(spec, axis, sorted(conventions or ())), *about.unmeasured}
        for index, value in enumerate(values):
            if value not in known:
                what = f"there is no value {shown(value)} on the axis {shown(axis)}"
                hint = did_you_mean(value, known, f"values of {shown(axis)}")
                yield Finding((*here, axis, index), "unknown-reference", what, hint, about="boundaries")


def _without(spec: Spec, here: KeyPath, family: Family, conventions: frozenset[str] | None) -> Iterator[Finding]:
    """An exclusion that takes nothing away is a mistake, or a reason that has outlived what it was about."""
    for index, exclusion in enumerate(family.without):
        place = (*here, "without", index, "where")
        wrong = list(_axes(spec, place, exclusion.where, conventions))
        yield from wrong
        named = {axis: values for axis in AXES if (values := written(exclusion.where, axis))}
        if not named:
            yield Finding(place, "missing-key", "an exclusion of everything", "name an axis: `where: {unit: [files]}`")
        elif not wrong:
            inside = spans(spec, family, sorted(conventions or ()))
            for axis, values in named.items():
                if values != (ALL,) and not set(values) & set(inside[axis]):
                    what = f"no member of {shown(str(here[-1]))} has {shown(axis)} {', '.join(map(shown, values))}"
                    hint = f"members have {', '.join(map(shown, inside[axis]))}; change or delete the exclusion"
                    yield Finding((*place, axis), "bad-value", what, hint, about="families")
