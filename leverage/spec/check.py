"""What must fit together in `repos.yaml` beyond the form of each value: references, order, exclusion of one another."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.model.amounts import Unit
from leverage.model.heights import Height
from leverage.spec.axes import LINES
from leverage.spec.claimcheck import check_claims
from leverage.spec.familycheck import check_families
from leverage.spec.findings import Finding, positive, refers
from leverage.spec.globs import glob_fault
from leverage.spec.refs import TOUCHED, UNDETERMINED_SHARE, resolve_component, resolve_measure
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import Budget, Component, Denominator, GitSource, Spec, System
from leverage.spec.urls import is_repository_url, redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from leverage.spec.schema import KeyPath

LONGEST_CYCLE = 8  # members of a circle that a message names
DEFAULT_CONVENTION = Denominator.__dataclass_fields__["convention"].default


def check(spec: Spec, conventions: frozenset[str] | None = None) -> list[Finding]:
    """Everything that does not fit together, in no particular order.

    Args:
        spec: a spec whose values are well formed.
        conventions: names of the conventions that exist; None where they are not to be checked.
    """
    found: list[Finding] = []
    for name, system in spec.systems.items():
        found += _system(spec, name, system)
    found += _cycles({name: system.below for name, system in spec.systems.items()}, ("systems",), "below")
    on = {name: (system.builds_on,) if system.builds_on else () for name, system in spec.systems.items()}
    found += _cycles(on, ("systems",), "builds_on")
    found += _compare(spec)
    for name, denominator in spec.denominators.items():
        found += _denominator(spec, ("denominators", name), denominator, conventions)
    found += check_families(spec, conventions)
    found += check_claims(spec)
    for index, budget in enumerate(spec.budgets):
        found += _budget(spec, ("budgets", index, "measure"), budget.measure)
        found += _limit(("budgets", index, "at_most"), budget)
    return found


def _system(spec: Spec, name: str, system: System) -> Iterator[Finding]:
    here: KeyPath = ("systems", name)
    yield from _bytes(here, system)
    yield from _systems_named(spec, here, system)
    if isinstance(system.source, GitSource):
        yield from _url((*here, "source", "git"), system.source.git)
        for index, url in enumerate(system.source.also):
            yield from _url((*here, "source", "also", index), url)
    for part, component in system.components.items():
        yield from _component((*here, "components", part), system, component)
    excluded = {part: component.exclude_components for part, component in system.components.items()}
    yield from _cycles(excluded, (*here, "components"), "exclude_components")
    for boundary, entries in system.boundaries.items():
        for index, entry in enumerate(entries):
            if resolve_component(spec, name, entry) is None:
                yield _no_component(spec, name, entry, (*here, "boundaries", boundary, index))
    yield from _profiles((*here, "profiles"), system)


def _systems_named(spec: Spec, here: KeyPath, system: System) -> Iterator[Finding]:
    if system.builds_on is not None:
        yield from refers(spec.systems, system.builds_on, (*here, "builds_on"), "system")
    if system.stands_in_for is not None:
        yield from refers(spec.systems, system.stands_in_for, (*here, "stands_in_for"), "system")
        if system.stands_in_for == here[-1]:
            what = f"{shown(system.stands_in_for)} cannot stand in for itself"
            hint = "name the system that cannot be measured, or delete the key"
            yield Finding((*here, "stands_in_for"), "bad-reference", what, hint)
    for index, other in enumerate(system.below):
        yield from refers(spec.systems, other, (*here, "below", index), "system")
    for index, figure in enumerate(system.reported):
        yield from refers(spec.systems, figure.over, (*here, "reported", index, "over"), "system")
        yield from positive(figure.value, (*here, "reported", index, "value"))


def _profiles(here: KeyPath, system: System) -> Iterator[Finding]:
    defaults = [name for name, profile in system.profiles.items() if profile.default]
    for name in defaults[1:]:
        what = f"{shown(name)} is a second default profile beside {shown(defaults[0])}"
        yield Finding((*here, name, "default"), "bad-value", what, "keep `default: true` in one of them")
    for name, profile in system.profiles.items():
        yield from _globs((*here, name, "exclude"), profile.exclude)


def _bytes(here: KeyPath, system: System) -> Iterator[Finding]:
    """A system has bytes, or says what stands in their place."""
    if system.source is not None:
        return
    if not system.reported and not system.needed:
        what = f"{shown(str(here[-1]))} has neither a source nor a reported figure"
        hint = "add `source:`; for closed code `needed:`, what would be needed to measure it, and `reported:` if any"
        yield Finding(here, "no-source", what, hint, "a system without bytes is shown as unknown, and with its reason")
    elif not system.needed:
        what = f"{shown(str(here[-1]))} has no source and does not say what would be needed to measure it"
        yield Finding(here, "missing-key", what, "add `needed: …`, such as `needed: a checkout of the compiler`")


def _url(path: KeyPath, url: str) -> Iterator[Finding]:
    if is_repository_url(url):
        return
    what = f"{shown(redact(url))} is not the URL of a repository"
    hint = "write https://HOST/PATH or git@HOST:PATH; a folder of this machine goes into `path:` in place of `git:`"
    yield Finding(path, "bad-url", what, hint, "other forms can make git run a program")


def _component(here: KeyPath, system: System, component: Component) -> Iterator[Finding]:
    yield from _globs((*here, "include"), component.include)
    yield from _globs((*here, "exclude"), component.exclude)
    for index, other in enumerate(component.exclude_components):
        yield from refers(system.components, other, (*here, "exclude_components", index), "component")
    yield from _height((*here, "height"), component)


def _height(path: KeyPath, component: Component) -> Iterator[Finding]:
    if not component.height:
        return
    levels = [Height[name.upper()] for name in component.height]
    if Height.RUNTIME in levels:
        if len(levels) > 1:
            what = "the runtime stands beside the stack and not between two heights"
            yield Finding(
                path, "bad-height", what, "write [runtime], and give the rest of the files a component of its own"
            )
    elif len(levels) == 1:
        what = f"the single height {shown(levels[0].label)} covers nothing"
        yield Finding(
            path, "bad-height", what, "write where the component begins and where it ends, such as [graph, tile_ir]"
        )
    elif levels[0] >= levels[1]:
        order = " > ".join(level.label for level in Height if level is not Height.RUNTIME)
        if levels[0] == levels[1]:
            what = f"a component that ends at the height {shown(levels[0].label)} where it begins covers nothing"
            hint = f"write two heights; the order is {order}"
        else:
            what = f"a component cannot lead upwards from {shown(levels[0].label)} to {shown(levels[1].label)}"
            hint = f"write [{levels[1].label}, {levels[0].label}]; the order is {order}"
        yield Finding(path, "bad-height", what, hint)


def _globs(path: KeyPath, globs: tuple[str, ...]) -> Iterator[Finding]:
    for index, glob in enumerate(globs):
        if fault := glob_fault(glob):
            yield Finding((*path, index), "bad-glob", f"the pattern {shown(glob)} {fault[0]}", fault[1])


def _no_component(spec: Spec, system: str, entry: str, path: KeyPath) -> Finding:
    own = list(spec.systems[system].components)
    others = [f"{name}.{part}" for name, each in spec.systems.items() if name != system for part in each.components]
    known = [*own, *others] if "." in entry else own
    noun = "components" if known is own else "components, here and elsewhere"
    what = (
        f"there is no component {shown(entry)} in {shown(system)}"
        if "." not in entry
        else f"there is no component {shown(entry)}"
    )
    return Finding(path, "unknown-reference", what, did_you_mean(entry, known, noun), about="components")


def _compare(spec: Spec) -> Iterator[Finding]:
    if spec.compare is None:
        return
    yield from refers(spec.systems, spec.compare.left, ("compare", "left"), "system")
    yield from refers(spec.systems, spec.compare.right, ("compare", "right"), "system")
    yield from refers(spec.denominators, spec.compare.headline, ("compare", "headline"), "denominator")
    if spec.compare.left == spec.compare.right:
        what = f"{shown(spec.compare.left)} is compared with itself"
        yield Finding(("compare", "right"), "bad-reference", what, "name two different systems")


def _denominator(
    spec: Spec, here: KeyPath, denominator: Denominator, conventions: frozenset[str] | None
) -> Iterator[Finding]:
    declared = {name for system in spec.systems.values() for name in system.boundaries}
    if denominator.boundary not in declared:
        what = f"no system declares the boundary {shown(denominator.boundary)}"
        hint = did_you_mean(denominator.boundary, declared, "boundaries declared")
        yield Finding((*here, "boundary"), "unknown-reference", what, hint, about="boundaries")
    if denominator.copies == "out" and denominator.unit not in LINES:
        what = f"copies are lines, and the unit here is {shown(denominator.unit)}"
        yield Finding((*here, "copies"), "bad-value", what, f"delete `copies`, or count {', '.join(sorted(LINES))}")
    if denominator.unit != Unit.CODE.value:
        if denominator.convention != DEFAULT_CONVENTION:
            what = f"a convention says which lines are code, and the unit here is {shown(denominator.unit)}"
            yield Finding((*here, "convention"), "bad-value", what, "delete `convention`, or write `unit: code`")
    elif conventions is not None and denominator.convention not in conventions:
        what = f"there is no convention {shown(denominator.convention)}"
        hint = did_you_mean(denominator.convention, conventions, "conventions")
        yield Finding((*here, "convention"), "unknown-reference", what, hint)


def _limit(path: KeyPath, budget: Budget) -> Iterator[Finding]:
    """A share above 1 can never be exceeded, so who writes one means percent."""
    if budget.measure.endswith(UNDETERMINED_SHARE) and Fraction(budget.at_most) > 1:
        what = f"a share is at most 1, and this is {budget.at_most}"
        yield Finding(path, "bad-value", what, 'write a share: "0.05" for five percent')


def _budget(spec: Spec, path: KeyPath, measure: str) -> Iterator[Finding]:
    if resolve_measure(spec, measure) is not None:
        return
    parts = [f"{name}.{part}" for name, each in spec.systems.items() for part in each.components]
    head, _, last = measure.rpartition(".")
    if head in parts:
        what, hint = f"there is no unit {shown(last)}", f"units: {', '.join(Unit)}"
    else:
        what = f"there is nothing to measure called {shown(measure)}"
        known = [UNDETERMINED_SHARE, *(f"{name}.{UNDETERMINED_SHARE}" for name in spec.systems)]
        known += [f"{name}.{measure}" for name in spec.systems for measure in TOUCHED]
        known += [f"{part}.{unit}" for part in parts for unit in Unit]
        form = f"write `system.component.unit` or `{UNDETERMINED_SHARE}`"
        hint = did_you_mean(measure, known, "measures", otherwise=form)
    yield Finding(path, "unknown-reference", what, hint, about="components")


def _cycles(edges: Mapping[str, tuple[str, ...]], section: KeyPath, key: str) -> Iterator[Finding]:
    """One finding for each cycle, at the first of its members."""
    seen: set[str] = set()
    for start in edges:
        if start in seen:
            continue
        cycle = _cycle_from(start, edges, seen)
        if cycle:
            members = cycle if len(cycle) <= LONGEST_CYCLE else [*cycle[:LONGEST_CYCLE], "…"]
            what = f"{shown(key)} goes round in a circle: {' -> '.join([*members, cycle[0]])}"
            yield Finding((*section, cycle[0], key), "cycle", what, "delete one of these references")


def _cycle_from(start: str, edges: Mapping[str, tuple[str, ...]], seen: set[str]) -> list[str]:
    """Members of the first cycle met on the way down from a node; adds to ``seen`` what has been looked at."""
    trail: list[str] = []
    pending: list[Callable[[], str | None]] = []

    def enter(node: str) -> None:
        seen.add(node)
        trail.append(node)
        targets = iter(edges.get(node, ()))
        pending.append(lambda: next(targets, None))

    enter(start)
    while pending:
        target = pending[-1]()
        if target is None:
            pending.pop()
            trail.pop()
        elif target in trail:
            return trail[trail.index(target) :]
        elif target not in seen:
            enter(target)
    return []
