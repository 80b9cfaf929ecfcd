"""Two measurements of one system: what differs, file by file."""

from __future__ import annotations

from dataclasses import fields

from leverage.evidence.facts import SystemFacts
from leverage.model.files import FileFacts


def differences(before: SystemFacts, after: SystemFacts) -> list[str]:
    """Every difference in what was measured, one line each, in order of paths; empty when they are equal.

    Who measured when, and which place answered, is not compared: another reader has another mirror.
    """
    found: list[str] = []
    if before.provenance.pin != after.provenance.pin:
        found.append(f"pin: {before.provenance.pin} became {after.provenance.pin}")
    if before.tracked != after.tracked:
        found.append(f"tracked entries: {before.tracked} became {after.tracked}")
    if before.outside != after.outside:
        found.append("files outside the components differ")
    old = {row.file.path: row for row in before.files}
    new = {row.file.path: row for row in after.files}
    for path in sorted(old.keys() | new.keys()):
        if path not in new:
            found.append(f"{path!r}: gone")
        elif path not in old:
            found.append(f"{path!r}: new")
        elif old[path] != new[path]:
            found.append(f"{path!r}: {_changed(old[path], new[path])}")
    return found


def _changed(before: FileFacts, after: FileFacts) -> str:
    changes = [
        f"{field.name} {getattr(before, field.name)!r} became {getattr(after, field.name)!r}"
        for field in fields(FileFacts)
        if getattr(before, field.name) != getattr(after, field.name)
    ]
    return "; ".join(changes)
