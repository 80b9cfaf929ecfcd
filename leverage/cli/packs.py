"""Classification rules of the systems of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.classify.pack import Pack, load_pack, shipped_packs

if TYPE_CHECKING:
    from leverage.cli.options import Session


def packs_of(session: Session) -> dict[str, Pack]:
    """Classification rules of every system that has a source and rules; errors as in `pack_of`."""
    found = {name: pack_of(session, name) for name, system in session.loaded.spec.systems.items() if system.source}
    return {name: pack for name, pack in found.items() if pack is not None}


def pack_of(session: Session, name: str) -> Pack | None:
    """Classification rules of a system: the declared pack, else the shipped one of the system's name, else none.

    Raises:
        ConfigurationError: the pack cannot be loaded.
    """
    declared = session.loaded.spec.systems[name].pack
    if declared:
        return load_pack(declared, base=session.base)
    return load_pack(name) if name in shipped_packs() else None
