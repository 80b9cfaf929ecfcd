"""From an opened source to the facts of one system."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from leverage import __version__
from leverage.evidence.copies import take_copies
from leverage.evidence.facts import OutsideGroup, SystemFacts, scope_digest
from leverage.evidence.probes import probe_digest, take_probes
from leverage.evidence.reach import take_reach
from leverage.evidence.touchpoints import is_port, take_touchpoints, touch_version
from leverage.evidence.units import kept_units
from leverage.measure.extents import extents
from leverage.measure.pipeline import measure, tally
from leverage.measure.version import RULE_VERSION
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Problem
from leverage.model.provenance import Origin, Provenance
from leverage.spec.select import Selector

if TYPE_CHECKING:
    from leverage.evidence.copies import Substrate
    from leverage.evidence.touchpoints import Below
    from leverage.evidence.units import UnitRules
    from leverage.measure.cache import Cache
    from leverage.model.files import FileFacts, SourceFile
    from leverage.sources.base import OpenSource, Snapshot
    from leverage.spec.load import LoadedSpec
    from leverage.spec.types import System


def collect(
    loaded: LoadedSpec,
    system_id: str,
    source: OpenSource,
    *,
    cache: Cache | None,
    jobs: int,
    witness: bool = True,
    rules: UnitRules | None = None,
    substrate: Substrate | None = None,
    below: Below | None = None,
) -> SystemFacts:
    """Measure every file of a system that a component includes, and account for the rest.

    Args:
        loaded: the configuration, with positions for messages.
        system_id: id of a system with a source.
        source: its opened source.
        cache: counts by content, or None to count everything anew.
        jobs: number of worker processes.
        witness: whether pygount counts the production components a second time.
        rules: what decides units of code apart from their files; without it files are decided as a whole.
        substrate: what the system builds on; without it no copies are looked for.
        below: the names of what the system builds on, for the touchpoints of a port.

    Raises:
        ConfigurationError: a glob matches nothing, or two components claim one file.
        SourceError: the substrate cannot be had.
    """
    system = loaded.spec.systems[system_id]
    selector = Selector(system)
    inside: list[SourceFile] = []
    outside: list[SourceFile] = []
    for file in source.snapshot.files:
        (outside if selector.component(file.path) is None else inside).append(file)
    _check_scope(loaded, system_id, selector, [file.path for file in source.snapshot.files])
    # The witness is slow, and ratios stand on production code: it counts that.
    production = [file for file in inside if _is_production(system, selector, file.path)]
    heard = {file.path for file in production if witness}
    facts: dict[str, FileFacts] = {}
    for group, second in (
        ([file for file in inside if file.path in heard], True),
        ([file for file in inside if file.path not in heard], False),
    ):
        found = measure(source, group, context=source.snapshot.files, cache=cache, jobs=jobs, witness=second)
        facts.update((fact.file.path, fact) for fact in found)
    files = tuple(facts[file.path] for file in inside)
    groups: defaultdict[str, list[FileFacts]] = defaultdict(list)
    for fact in tally(source, outside, cache=cache):
        top, slash, _ = fact.file.path.partition("/")
        groups[top + slash if slash else "."].append(fact)
    asked = {
        name: (probe, probe_digest(probe))
        for name, probe in loaded.spec.probes.items()
        if probe.system == system_id and probe.reaches
    }
    reach = take_reach(source, production, asked, cache=cache)
    return SystemFacts(
        system_id,
        Provenance(
            Origin.MEASURED,
            source.snapshot.pin,
            source.snapshot.location,
            public_place(source.snapshot),
            __version__,
            RULE_VERSION,
            note=source.snapshot.note,
        ),
        scope_digest(system),
        len(source.snapshot.files),
        files,
        tuple(
            OutsideGroup(
                top,
                len(group),
                sum(fact.physical for fact in group if fact.physical >= 0),
                sum(fact.physical < 0 for fact in group),
            )
            for top, group in sorted(groups.items())
        ),
        take_probes(loaded.spec, system_id, source, {name: one.fact for name, one in reach.items()}),
        extents(source, files, cache=cache, jobs=jobs),
        kept_units(rules.decide(source, files), rules.whole) if rules else (),
        rules.digest if rules else "",
        take_copies(source, files, substrate, cache=cache) if substrate else {},
        substrate.tree if substrate else "",
        tuple(row for one in reach.values() for row in one.rows),
        take_touchpoints(source, production, below, substrate.read if substrate else None, cache=cache)
        if is_port(system)
        else (),
        touch_version() if is_port(system) else "",
        below.tree if below and is_port(system) else "",
    )


def _is_production(system: System, selector: Selector, path: str) -> bool:
    component = selector.component(path)
    return component is not None and system.components[component].purpose is Purpose.PRODUCTION


def as_recorded(facts: SystemFacts, on: str) -> SystemFacts:
    """The same facts as a record, with its date (ISO 8601)."""
    provenance = replace(
        facts.provenance,
        origin=Origin.RECORDED,
        measured_on=on,
        note="recorded measurement of the same pin",
    )
    return replace(facts, provenance=provenance)


def _check_scope(loaded: LoadedSpec, system_id: str, selector: Selector, paths: list[str]) -> None:
    problems = [
        Problem(
            "glob-matches-nothing",
            f"{system_id}: the glob {glob!r} of component {component} matches no file",
            loaded.locate("systems", system_id, "components", component, "include"),
            "a component that silently lost its files would make the system look smaller",
            "compare with the tree at the pinned commit and correct the glob",
        )
        for component, glob in selector.unmatched(paths)
    ]
    problems += [
        Problem(
            "file-in-two-components",
            f"{system_id}: {len(found.paths)} files, {found.paths[0]!r} among them, are claimed by the components "
            + " and ".join(found.components),
            loaded.locate("systems", system_id, "components", found.components[-1]),
            "a line may be counted once only",
            f"give {found.components[-1]} an exclude_components: [{found.components[0]}], or narrow its globs",
        )
        for found in selector.conflicts(paths)
    ]
    if problems:
        raise ConfigurationError(*problems)


def public_place(snapshot: Snapshot) -> str:
    """Who delivered the bytes, without telling a reader of the page about this machine's folders or indexes."""
    told = snapshot.answered_by
    if "://" not in told and not told.startswith("git@"):
        return "a local copy"
    return "the package index" if snapshot.pin.kind == "pypi" else told


def recorded_folder() -> Path:
    """Folder of the measurements that are shipped with the package."""
    return Path(__file__).with_name("recorded")
