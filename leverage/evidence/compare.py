"""Two measurements of one system: what differs, file by file."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from leverage.model.files import FileFacts

if TYPE_CHECKING:
    from leverage.evidence.facts import SystemFacts

UNREAD = "object-missing"
PINNED = ("kind", "id", "tree")
"""What makes two pins the same bytes; a date or a file name is only told by some of the places that have them."""
PINNED_FILES = ("kind", "tree")


def differences(before: SystemFacts, after: SystemFacts) -> list[str]:
    """Every contradiction in what was measured, one line each, in order of paths; empty when there is none.

    Who measured when, and which place answered, is not compared: another reader has another mirror. A file whose bytes
    one of the two did not have contradicts nothing.
    """
    found: list[str] = []
    packaged = before.provenance.pin is not None and before.provenance.pin.kind == "pypi"
    # Wheels of several platforms carry the same files under hashes of their own: for them the tree decides.
    for name in PINNED_FILES if packaged else PINNED:
        old_pin, new_pin = (getattr(one.provenance.pin, name, "") for one in (before, after))
        if old_pin != new_pin:
            found.append(f"pin: {name} {old_pin!r} became {new_pin!r}")
    if before.tracked != after.tracked:
        found.append(f"tracked entries: {before.tracked} became {after.tracked}")
    if before.outside != after.outside:
        found.append("files outside the components differ")
    taken = {fact.probe: fact for fact in after.probes}
    found += [
        f"probe {fact.probe}: {fact.value or fact.why!r} became {other.value or other.why!r}"
        for fact in before.probes
        # A probe that is declared in another way now, or no longer, contradicts nothing.
        if (other := taken.get(fact.probe)) is not None and other.declared == fact.declared and other != fact
    ]
    old = {row.file.path: row for row in before.files}
    new = {row.file.path: row for row in after.files}
    for path in sorted(old.keys() | new.keys()):
        if path not in new:
            found.append(f"{path!r}: gone")
        elif path not in old:
            found.append(f"{path!r}: new")
        elif old[path] != new[path] and UNREAD not in {old[path].disposition.reason, new[path].disposition.reason}:
            found.append(f"{path!r}: {_changed(old[path], new[path])}")
    return found


def _changed(before: FileFacts, after: FileFacts) -> str:
    changes = [
        f"{field.name} {getattr(before, field.name)!r} became {getattr(after, field.name)!r}"
        for field in fields(FileFacts)
        if getattr(before, field.name) != getattr(after, field.name)
    ]
    return "; ".join(changes)
