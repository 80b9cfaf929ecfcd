"""From a session to evidence: gather, load the rules, join."""

from __future__ import annotations

from leverage.classify.pack import Pack, load_pack, shipped_packs
from leverage.cli.gather import Gathered, gather
from leverage.cli.options import Session
from leverage.evidence.build import Evidence, build


def evidence_of(session: Session, *, recorded_only: bool = False) -> tuple[Evidence, Gathered]:
    """Facts of every system, joined with its classification rules."""
    gathered = gather(session, recorded_only=recorded_only)
    return build(session.loaded, gathered.facts, gathered.gaps, packs_of(session)), gathered


def packs_of(session: Session) -> dict[str, Pack]:
    """Classification rules by system: the declared pack, else the shipped one of the system's name, else none.

    Raises:
        ConfigurationError: a declared pack cannot be loaded.
    """
    shipped = shipped_packs()
    packs: dict[str, Pack] = {}
    for name, system in session.loaded.spec.systems.items():
        if system.source is None:
            continue
        if system.pack:
            packs[name] = load_pack(system.pack, base=session.base)
        elif name in shipped:
            packs[name] = load_pack(name)
    return packs
