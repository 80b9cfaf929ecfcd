"""For each system: measured now, else recorded for the same pin, else unknown with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from leverage.cli.console import progress, warn
from leverage.cli.options import Session
from leverage.evidence.collect import collect, recorded_folder
from leverage.evidence.facts import SystemFacts, scope_digest
from leverage.evidence.store import read_facts
from leverage.measure.cache import Cache
from leverage.measure.version import RULE_VERSION
from leverage.model.errors import Problem, SourceError
from leverage.model.provenance import Pin
from leverage.sources.base import OpenSource, Progress
from leverage.sources.opening import open_source
from leverage.spec.select import Selector
from leverage.spec.types import GitSource, PypiSource, Source, System

FETCHES = 4
"""Sources opened at the same time; more only compete for one line."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Facts by system, in the order of the configuration, and what is missing.

    Attributes:
        facts: measured or recorded facts.
        gaps: by system, why there are none.
        warnings: what a reader must know, in plain words.
    """

    facts: dict[str, SystemFacts]
    gaps: dict[str, str]
    warnings: tuple[str, ...]


def gather(session: Session, *, recorded_only: bool = False, only: frozenset[str] | None = None) -> Gathered:
    """Facts of every system that has a source, or of those named only."""
    systems = [
        name
        for name, system in session.loaded.spec.systems.items()
        if system.source and (only is None or name in only)
    ]
    live = {} if recorded_only else measure_systems(session, systems)
    facts: dict[str, SystemFacts] = {}
    gaps: dict[str, str] = {}
    warnings: list[str] = []
    for name in systems:
        found = live.get(name)
        if isinstance(found, SystemFacts):
            facts[name] = found
            continue
        reason = "only the record was asked for" if found is None else found.what
        record = usable_record(session.loaded.spec.systems[name], read_facts(recorded_folder(), name))
        if isinstance(record, SystemFacts):
            facts[name] = record
            if found is not None:
                warnings.append(f"{name}: the record of {record.provenance.measured_on} stands in, since {reason}")
        else:
            gaps[name] = f"{reason}; {record}"
            warnings.append(f"{name} is unknown: {gaps[name]}")
    for warning in warnings:
        warn(warning)
    return Gathered(facts, gaps, tuple(warnings))


def measure_systems(session: Session, names: Iterable[str]) -> dict[str, SystemFacts | Problem]:
    """Measure systems now; a system whose source cannot be had gives the first problem instead.

    Raises:
        ConfigurationError: a glob matches nothing, or a file belongs to two components.
    """
    results: dict[str, SystemFacts | Problem] = {}
    with Cache(session.cache) as cache:
        for name, source, talk in open_systems(session, names):
            if isinstance(source, Problem):
                results[name] = source
                continue
            talk(f"counting {len(source.snapshot.files):,} files")
            results[name] = collect(session.loaded, name, source, cache=cache, jobs=session.jobs)
    return results


def open_systems(session: Session, names: Iterable[str]) -> Iterator[tuple[str, OpenSource | Problem, Progress]]:
    """Open systems, several at a time, and yield each in order with its line of progress; closed after use."""
    names = list(names)
    with progress(names) as talk, ThreadPoolExecutor(FETCHES) as pool:
        opened = {name: pool.submit(_open, session, name, talk[name]) for name in names}
        for name in names:
            try:
                source = opened[name].result()
            except SourceError as error:
                talk[name](f"unavailable: {error.problems[0].what}")
                yield name, error.problems[0], talk[name]
                continue
            with source:
                yield name, source, talk[name]
            talk[name]("")


def usable_record(system: System, record: SystemFacts | None) -> SystemFacts | str:
    """A record that was made of the same pin and globs, or why there is none."""
    if record is None:
        return "no measurement of it is recorded"
    if record.scope != scope_digest(system):
        return "the recorded measurement was made for other globs"
    if system.source is None or not same_pin(system.source, record.provenance.pin):
        return "the recorded measurement is of another revision"
    if record.provenance.rule_version != RULE_VERSION:
        note = f"measured by line rule {record.provenance.rule_version}, this version has {RULE_VERSION}"
        return replace(record, provenance=replace(record.provenance, note=note))
    return record


def same_pin(source: Source, pin: Pin | None) -> bool:
    """Whether a pin is what the configuration asks for."""
    if pin is None:
        return False
    match source:
        case GitSource():
            return pin.kind == "git" and pin.id == source.commit
        case PypiSource():
            return pin.kind == "pypi" and pin.artifact.lower().replace("_", "-").startswith(
                f"{source.pypi}-{source.version}".lower().replace("_", "-")
            )
        case _:
            return source.commit is not None and pin.id == source.commit


def _open(session: Session, name: str, talk: Progress) -> OpenSource:
    system = session.loaded.spec.systems[name]
    if system.source is None:
        raise AssertionError(f"{name} has no source to open")
    return open_source(
        system.source,
        base=session.base,
        store=session.store,
        mirrors=session.mirrors,
        offline=session.offline,
        wanted=_wanted(system),
        expect=None if (entry := session.lock.for_system(name)) is None else entry.pin,
        progress=talk,
    )


def _wanted(system: System) -> Callable[[str], bool]:
    selector = Selector(system)
    return lambda path: selector.component(path) is not None


