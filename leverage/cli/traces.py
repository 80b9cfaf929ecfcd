"""Traces that are evidence: which port each is of, given as a file or recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.evidence.traces import read_trace_fact, system_of, take_trace
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.reuse.trace.files import read_trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from leverage.evidence.facts import SystemFacts
    from leverage.evidence.traces import TraceFact
    from leverage.reuse.trace.values import Trace


def recorded_traces(folder: Path, facts: Mapping[str, SystemFacts]) -> dict[str, TraceFact]:
    """Recorded traces of systems that have facts.

    Raises:
        ConfigurationError: one is damaged.
    """
    found = {name: read_trace_fact(folder, name) for name in facts}
    return {name: fact for name, fact in found.items() if fact is not None}


def read_traces(paths: Sequence[Path]) -> dict[Path, Trace]:
    """Trace files by path.

    Raises:
        ConfigurationError: one is none.
    """
    return {path: read_trace(path) for path in paths}


def taken_traces(given: Mapping[Path, Trace], facts: Mapping[str, SystemFacts], on: str = "") -> dict[str, TraceFact]:
    """The figures of traces by the port that they are of.

    Raises:
        ConfigurationError: a trace is of no system at its pin.
        UncheckableError: two of one port are of different code.
    """
    by_system: dict[str, list[Trace]] = {}
    for path, trace in given.items():
        name = system_of(trace, facts)
        if not name:
            raise ConfigurationError(
                Problem(
                    "trace-of-nothing",
                    "the port's files that ran are not those of any system here, content by content",
                    Location(str(path)),
                    "what ran says something about the revision that ran and about no other",
                    "trace the port at the commit of repos.yaml, or pin that which was traced",
                )
            )
        by_system.setdefault(name, []).append(trace)
    return {name: take_trace(traces, name, on) for name, traces in by_system.items()}
