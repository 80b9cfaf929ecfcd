"""What ran while a port compiled models, as evidence: sums by part of each package, and the port's functions that ran.

A trace file holds every line of every function and is far too large to be shipped; this is what figures are made of. A
trace belongs to the system whose files it names, content by content, so a run of another revision is never taken for
evidence about the pinned one.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.reuse.trace.values import PackageRun, Runs, Side, Trace, by_part, united

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from leverage.evidence.facts import SystemFacts

FORMAT = 1
MOST_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True, order=True)
class PartRun:
    """Lines of a part of a package (line numbers that carry code): see `leverage.reuse.trace.values.Runs`.

    Attributes:
        side: ``own`` or ``substrate``.
        part: the folder below the package, or the package for its own files, such as ``torch/_inductor``.
        executable: lines that can run.
        bodies: those inside functions.
        imported: lines outside functions that ran.
        run: lines inside functions that ran.
    """

    side: str
    part: str
    executable: int
    bodies: int
    imported: int
    run: int

    @property
    def runs(self) -> Runs:
        """The same as a value that adds."""
        return Runs(self.executable, self.bodies, self.imported, self.run)


@dataclass(frozen=True, slots=True, order=True)
class OwnRun:
    """A function of the port that ran: ``executable`` lines of its body can run, ``run`` of them did."""

    path: str
    first: int
    symbol: str
    blob: str
    executable: int
    run: int


@dataclass(frozen=True, slots=True)
class ModelRun:
    """What ran for one model, by part."""

    label: str
    parts: tuple[PartRun, ...]

    def total(self, side: Side) -> Runs:
        """Sum over the parts of a side."""
        return _sum(self.parts, side)


@dataclass(frozen=True, slots=True)
class TraceFact:
    """What ran while a port compiled one model or several.

    Attributes:
        system: id of the port.
        on: date of the record, ISO 8601; empty for one that was given for this report.
        environment: names and versions of what all of them ran in, sorted by name.
        versions: version of each package, sorted by name; empty where it has none.
        models: each by itself, in the order given.
        parts: lines that ran for at least one model.
        own: functions of the port that ran for at least one, sorted.
    """

    system: str
    on: str
    environment: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    models: tuple[ModelRun, ...]
    parts: tuple[PartRun, ...]
    own: tuple[OwnRun, ...]

    def total(self, side: Side) -> Runs:
        """Sum over the parts of a side."""
        return _sum(self.parts, side)


def _sum(parts: Iterable[PartRun], side: Side) -> Runs:
    return sum((one.runs for one in parts if one.side == side.value), Runs())


def take_trace(traces: Sequence[Trace], system: str, on: str = "") -> TraceFact:
    """The figures of traces of one port.

    Raises:
        UncheckableError: there is none, or two of them are of different code.
    """
    whole = united(traces)
    own = [
        OwnRun(file.path, function.first, function.symbol, file.blob, function.executable, len(function.run))
        for package in whole.packages
        if package.side is Side.OWN
        for file in package.files
        for function in file.functions
    ]
    return TraceFact(
        system,
        on,
        whole.environment,
        tuple(sorted((package.name, package.version) for package in whole.packages)),
        tuple(ModelRun(trace.label, _parts(trace.packages)) for trace in traces),
        _parts(whole.packages),
        tuple(sorted(own)),
    )


def system_of(trace: Trace, facts: Mapping[str, SystemFacts]) -> str:
    """The system whose files ran as the port's own: those of the same paths and contents; empty where there is none."""
    ran = {(file.path, file.blob) for package in trace.packages if package.side is Side.OWN for file in package.files}
    return next((name for name, each in facts.items() if ran and ran <= _contents(each)), "")


def why_unfit(fact: TraceFact, facts: SystemFacts | None) -> str:
    """Why a trace says nothing about the pinned revision of its port; empty where it does."""
    if facts is None:
        return "the port itself is unknown"
    known = _contents(facts)
    other = sorted({one.path for one in fact.own if (one.path, one.blob) not in known})
    return f"it is of another revision: {len(other)} of its files differ, {other[0]!r} among them" if other else ""


def _contents(facts: SystemFacts) -> set[tuple[str, str]]:
    return {(row.file.path, row.file.blob) for row in facts.files}


def _parts(packages: Iterable[PackageRun]) -> tuple[PartRun, ...]:
    return tuple(
        sorted(
            PartRun(package.side.value, part, runs.executable, runs.bodies, runs.imported, runs.run_in_bodies)
            for package in packages
            for part, runs in by_part(package).items()
        )
    )


def traces_name(system: str) -> str:
    """Name of the file that keeps the trace of a system."""
    return f"{system}+trace.json"


def trace_fact_text(fact: TraceFact) -> str:
    """A trace's figures as JSON, one row a line; the same figures give the same bytes."""

    def rows(values: Iterable[object]) -> str:
        return "[" + ",".join(f"\n  {json.dumps(value)}" for value in values) + "]"

    models = ",\n ".join(
        f'{{"label": {json.dumps(model.label)}, "parts": {rows(map(astuple, model.parts))}}}' for model in fact.models
    )
    head = {
        "format": FORMAT,
        "system": fact.system,
        "on": fact.on,
        "environment": dict(fact.environment),
        "versions": dict(fact.versions),
    }
    return (
        f'{json.dumps(head, sort_keys=True)[:-1]},\n"models": [{models}],\n"parts": {rows(map(astuple, fact.parts))},\n'
        f'"own": {rows(map(astuple, fact.own))}}}\n'
    )


def read_trace_fact(folder: Path, system: str) -> TraceFact | None:
    """The recorded trace of a system; None where there is none.

    Raises:
        ConfigurationError: the record is damaged.
    """
    path = folder / traces_name(system)
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")  # noqa: TRY301
        text = path.read_text("utf-8")
        fact = _fact(json.loads(text))
        if fact.system != system or trace_fact_text(fact) != text:
            raise ValueError("it is not written as this version writes it")  # noqa: TRY301
        _prove(fact)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(
            Problem(
                "record-damaged",
                f"the recorded trace of {system} cannot be used: {error}",
                Location(path.name),
                "a record that is not exactly what was written proves nothing",
                f"write it again with: leverage record {system} --trace FILE",
            )
        ) from error
    return fact


def _fact(data: dict[str, Any]) -> TraceFact:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r}, this version reads format {FORMAT}")
    return TraceFact(
        data["system"],
        data["on"],
        tuple(sorted(data["environment"].items())),
        tuple(sorted(data["versions"].items())),
        tuple(ModelRun(model["label"], tuple(PartRun(*part) for part in model["parts"])) for model in data["models"]),
        tuple(PartRun(*part) for part in data["parts"]),
        tuple(OwnRun(*own) for own in data["own"]),
    )


def _prove(fact: TraceFact) -> None:
    """Refuse figures that cannot be: more that ran than can run, or functions that do not add up to their parts.

    Raises:
        ValueError: they are wrong.
    """
    parts = [*fact.parts, *(part for model in fact.models for part in model.parts)]
    numbers = [number for part in parts for number in (part.executable, part.bodies, part.imported, part.run)]
    numbers += [number for one in fact.own for number in (one.first, one.executable, one.run)]
    if any(type(number) is not int for number in numbers):
        raise ValueError("a count is not a whole number")
    texts = [fact.on, *(model.label for model in fact.models), *(part.part for part in parts)]
    texts += [text for pair in (*fact.environment, *fact.versions) for text in pair]
    texts += [text for one in fact.own for text in (one.path, one.symbol, one.blob)]
    if not all(isinstance(text, str) for text in texts) or not {part.side for part in parts} <= set(Side):
        raise ValueError("a name is not a text, or a side is none")
    for part in parts:
        outside = part.executable - part.bodies
        if not (0 <= part.run <= part.bodies and 0 <= part.imported <= outside):
            raise ValueError(f"more lines of {part.part} ran than can run")
    if any(not 0 <= one.run <= one.executable for one in fact.own):
        raise ValueError("more lines of a function ran than can run")
    if sum(one.run for one in fact.own) != fact.total(Side.OWN).run_in_bodies:
        raise ValueError("the functions that ran do not add up to the parts")
