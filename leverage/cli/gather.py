"""For each system: measured now, else recorded for the same pin, else unknown with its reason."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from leverage.cli.ahead import opened_ahead
from leverage.cli.console import progress, warn
from leverage.cli.home import opened_cache
from leverage.cli.packs import pack_of
from leverage.cli.watched import Watched
from leverage.coupling.tree import Tree
from leverage.evidence.collect import collect
from leverage.evidence.copies import Substrate
from leverage.evidence.facts import SystemFacts, scope_digest
from leverage.evidence.store import read_facts
from leverage.evidence.touchpoints import SUBSTRATE, Below
from leverage.evidence.units import rules_of
from leverage.measure.version import RULE_VERSION
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Location, Problem, SourceError, UncheckableError
from leverage.sources.index import is_artifact_of
from leverage.sources.opening import open_source
from leverage.sources.places import normalized
from leverage.spec.lock import Lock
from leverage.spec.select import Selector
from leverage.spec.types import Component, GitSource, PypiSource, Source, System

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from leverage.cli.options import Session
    from leverage.coupling.existence import Names
    from leverage.measure.cache import Cache
    from leverage.model.provenance import Pin
    from leverage.sources.base import OpenSource, Progress
    from leverage.spec.lock import LockEntry

FETCHES = 4
"""Sources opened at the same time; more only compete for one line."""
REFUSED = "lock-mismatch"
"""Slug of a source whose bytes are not those that were locked: nothing may stand in for it."""


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


def gather(session: Session, record: Path, *, recorded_only: bool = False) -> Gathered:
    """Facts of every system that has a source.

    Args:
        session: the configuration and where its sources may come from.
        record: folder of recorded evidence.
        recorded_only: whether no source is to be opened.

    Raises:
        ConfigurationError: globs do not fit the files, or a record is damaged; all problems at once.
        UncheckableError: a source is not what was locked.
    """
    systems = [name for name, system in session.loaded.spec.systems.items() if system.source]
    live = {} if recorded_only else measure_systems(session, systems)
    if refused := [found for found in live.values() if isinstance(found, Problem) and found.slug == REFUSED]:
        raise UncheckableError(*refused)
    facts: dict[str, SystemFacts] = {}
    gaps: dict[str, str] = {}
    stood_in: dict[str, Problem] = {}
    warnings: list[str] = []
    for name in systems:
        found = live.get(name)
        if isinstance(found, SystemFacts):
            facts[name] = found
            continue
        recorded = recorded_facts(session, record, name)
        if isinstance(recorded, SystemFacts):
            facts[name] = recorded
            if found is not None:
                stood_in[name] = found
            continue
        # A report says that a source could not be had; why not is this machine's business and is told here alone.
        gaps[name] = f"{'its source could not be had' if found else 'only the record was asked for'}, and {recorded}"
        warnings.append(f"{name} is unknown: {gaps[name]}")
        problem = found or _unasked(session, name)
        warn(str(replace(problem, what=f"{name} is unknown: {problem.what}; {recorded}")))
    if stood_in:
        dates = ", ".join(sorted({facts[name].provenance.measured_on for name in stood_in}))
        text = (
            f"recorded measurements of {dates} stand in for {len(stood_in)} of {len(systems)} systems, whose sources "
            f"could not be had: {', '.join(stood_in)}"
        )
        warnings.append(text)
        first = next(iter(stood_in.values()))
        warn(str(replace(first, what=f"{text}. The first one: {first.what}")))
    return Gathered(facts, gaps, tuple(warnings))


def _dated(facts: SystemFacts, entry: LockEntry | None) -> SystemFacts:
    """Facts with the date that the lock knows, where the place that answered told none (a local wheel has no date)."""
    pin = facts.provenance.pin
    if pin is None or pin.date or entry is None or entry.pin.id != pin.id:
        return facts
    return replace(facts, provenance=replace(facts.provenance, pin=replace(pin, date=entry.pin.date)))


def _unasked(session: Session, name: str) -> Problem:
    return Problem(
        "not-recorded",
        "only the record was asked for",
        session.loaded.locate("systems", name),
        hint=f"leave --recorded out, or record it with: leverage record {name}",
    )


def measure_systems(session: Session, names: Iterable[str]) -> dict[str, SystemFacts | Problem]:
    """Measure systems now; a system whose source cannot be had gives the first problem instead.

    Raises:
        ConfigurationError: globs do not fit the files; the problems of all systems.
    """
    results: dict[str, SystemFacts | Problem] = {}
    wrong: list[Problem] = []
    with opened_cache(session.cache) as cache, closing(open_systems(session, names)) as opened:
        for name, source, talk in opened:
            if isinstance(source, Problem):
                results[name] = source
                continue
            talk(f"counting {len(source.snapshot.files):,} files")
            try:
                watched = Watched(source, talk)
                measured = _collect(session, name, watched, cache, talk)
                results[name] = _dated(measured, session.lock.for_system(name))
            except ConfigurationError as error:
                wrong += error.problems
    if wrong:
        raise ConfigurationError(*wrong)
    return results


def _collect(session: Session, name: str, source: OpenSource, cache: Cache, talk: Progress) -> SystemFacts:
    """Facts of a system; without copies, and with a warning, where what it builds on cannot be had."""
    system = session.loaded.spec.systems[name]
    below, selector = system.builds_on, Selector(system)

    def is_production(path: str) -> bool:
        component = selector.component(path)
        return component is not None and system.components[component].purpose is Purpose.PRODUCTION

    rules = rules_of(pack_of(session, name), is_production, cache=cache, jobs=session.jobs)
    given = partial(collect, session.loaded, name, source, cache=cache, jobs=session.jobs, rules=rules)
    try:
        substrate = _substrate(session, below, talk) if below else None
        names = Below(substrate.tree, lambda: names_of(session, str(below), talk)) if substrate else None
        return given(substrate=substrate, below=names)
    except SourceError as error:
        what = f"which lines of {name} are copies is unknown, and so is which of its patches add a name"
        warn(f"{what}: {error.problems[0].what}")
        return given()


def _substrate(session: Session, name: str, talk: Progress) -> Substrate | None:
    """What a system builds on, opened only when it is looked into; None where it is closed.

    Raises:
        SourceError: it has no lock that tells its tree, and cannot be had.
    """
    if session.loaded.spec.systems[name].source is None:
        return None
    selector = Selector(session.loaded.spec.systems[name])

    def read() -> dict[str, bytes]:
        with _open(session, name, talk) as source:
            files = [file for file in source.snapshot.files if file.path.endswith(".py")]
            inside = [file for file in files if selector.component(file.path) is not None]
            return {file.path: data for file, data in source.read(inside) if isinstance(data, bytes)}

    if entry := session.lock.for_system(name):
        return Substrate(entry.pin.tree, read)
    with _open(session, name, talk) as source:
        return Substrate(source.snapshot.pin.tree, read)


@contextmanager
def names_of(session: Session, name: str, talk: Progress, package: str = SUBSTRATE) -> Iterator[Names]:
    """The names that a system's source has, while the block runs.

    Args:
        session: the session.
        name: id of the system.
        talk: receives progress.
        package: its import name.

    Raises:
        SourceError: it cannot be had.
    """
    spec = session.loaded.spec
    # A name may be defined outside of what the system counts as its own, which is all that the lock answers for.
    every = Component(include=(f"{package}/**/*.py", f"{package}/**/*.pyi"))
    whole = replace(spec, systems={**spec.systems, name: replace(spec.systems[name], components={"names": every})})
    with _open(replace(session, loaded=replace(session.loaded, spec=whole), lock=Lock()), name, talk) as source:
        talk(f"reading the names of {name} that are asked about")
        files = {file.path: file for file in source.snapshot.files}

        def read(path: str) -> bytes | None:
            if path not in files:
                return None
            _, data = next(iter(source.read([files[path]])))
            return data if isinstance(data, bytes) else None

        yield Tree(read)


def open_systems(session: Session, names: Iterable[str]) -> Generator[tuple[str, OpenSource | Problem, Progress]]:
    """Open systems, several at a time, and yield each in order with its line of progress; closed after use.

    A system that cannot be opened comes as what is wrong, with the place of its source in the configuration.

    A consumer that may stop early closes the iterator, or what is being opened stays open.
    """
    names = list(names)

    def where(name: str) -> Location:
        return session.loaded.locate("systems", name, "source")

    with (
        progress(names) as talk,
        opened_ahead(names, lambda name: _open(session, name, talk[name]), at_once=FETCHES) as opened,
    ):
        for name in names:
            try:
                source = opened[name].result()
            except SourceError as error:
                talk[name]("")  # what is wrong is said by whoever asked
                first = error.problems[0]
                yield name, first if first.where else replace(first, where=where(name)), talk[name]
                continue
            with source:
                del opened[name]
                yield name, source, talk[name]
            talk[name]("")


def recorded_facts(session: Session, record: Path, name: str) -> SystemFacts | str:
    """The recorded facts of a system, made of the same pin and globs, or why there are none.

    Raises:
        ConfigurationError: the record is damaged.
    """
    system = session.loaded.spec.systems[name]
    facts = read_facts(record, name)
    if facts is None:
        return "no measurement of it is recorded"
    if facts.scope != scope_digest(system):
        return "the recorded measurement was made for other globs"
    if system.source is None or not same_pin(system.source, facts.provenance.pin):
        return "the recorded measurement is of another revision"
    if facts.provenance.rule_version != RULE_VERSION:
        note = f"measured by line rule {facts.provenance.rule_version}, this version has {RULE_VERSION}"
        return replace(facts, provenance=replace(facts.provenance, note=note))
    return facts


def same_pin(source: Source, pin: Pin | None) -> bool:
    """Whether a pin is what the configuration asks for."""
    if pin is None:
        return False
    match source:
        case GitSource():
            return pin.kind == "git" and pin.id == source.commit
        case PypiSource():
            return pin.kind == "pypi" and is_artifact_of(pin.artifact, normalized(source.pypi), source.version)
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
