"""Two measurements of one system: what differs, file by file."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from leverage.model.files import FileFacts

if TYPE_CHECKING:
    from leverage.evidence.facts import SystemFacts, UnitFact

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
        elif UNREAD not in {old[path].disposition.reason, new[path].disposition.reason}:
            changes = [*_changed(old[path], new[path]), *_resized(path, before, after)]
            found += [f"{path!r}: {'; '.join(changes)}"] if changes else []
    return [*found, *_opinions(before, after)]


def _opinions(before: SystemFacts, after: SystemFacts) -> list[str]:
    """Units, copies and touchpoints that differ; other rules decide otherwise, another substrate has other lines."""
    found: list[str] = []
    if before.decided_by == after.decided_by:
        paths = sorted({row.path for row in before.units} | {row.path for row in after.units})
        found += [f"{path!r}: its units differ" for path in paths if _units(before, path) != _units(after, path)]
    if before.copied_from == after.copied_from:
        paths = sorted(before.copied.keys() | after.copied.keys())
        found += [
            f"{path!r}: its copied lines differ" for path in paths if before.copied.get(path) != after.copied.get(path)
        ]
    if (before.touched_by, before.touched_against) == (after.touched_by, after.touched_against):
        for path in sorted({row.path for row in {*before.touched} ^ {*after.touched}}):
            found.append(f"{path!r}: its touchpoints differ")
    return found


def _units(facts: SystemFacts, path: str) -> list[UnitFact]:
    return [row for row in facts.units if row.path == path]


def _resized(path: str, before: SystemFacts, after: SystemFacts) -> list[str]:
    old, new = before.extents.get(path), after.extents.get(path)
    return [] if old == new else [f"extents {old} became {new}"]


def _changed(before: FileFacts, after: FileFacts) -> list[str]:
    return [
        f"{field.name} {getattr(before, field.name)!r} became {getattr(after, field.name)!r}"
        for field in fields(FileFacts)
        if getattr(before, field.name) != getattr(after, field.name)
    ]
