"""From a session to evidence: gather, load the rules, join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.cli.gather import Gathered, gather
from leverage.cli.packs import packs_of
from leverage.cli.traces import read_traces, recorded_traces, taken_traces
from leverage.evidence.build import Evidence, build
from leverage.evidence.collect import recorded_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from leverage.cli.options import Session


def evidence_of(
    session: Session, record: Path | None, *, recorded_only: bool = False, traces: Sequence[Path] = ()
) -> tuple[Evidence, Gathered]:
    """Facts of every system, joined with its classification rules.

    Args:
        session: the configuration and where its sources may come from.
        record: folder of recorded evidence; None for the one shipped with the package.
        recorded_only: whether no source is to be opened.
        traces: trace files; the port that they are of has no recorded trace then.

    Raises:
        ConfigurationError: a pack, a glob, a record or a trace is wrong.
        UncheckableError: a source is not what was locked, or traces of one port are of different code.
    """
    packs = packs_of(session)  # first, for a mistake in one is found in no time
    folder = record or recorded_folder()
    given = read_traces(traces)
    gathered = gather(session, folder, recorded_only=recorded_only)
    ran = recorded_traces(folder, gathered.facts) | taken_traces(given, gathered.facts)
    return build(session.loaded, gathered.facts, gathered.gaps, packs, ran), gathered
