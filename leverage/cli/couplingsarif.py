"""Touchpoints as SARIF 2.1.0 for code review: one result each, so that with a baseline only news becomes an alert."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from leverage.cli.sarif import locations, run_text
from leverage.coupling.baseline import UNRESOLVED, key_of
from leverage.model.touchpoints import Scope, TouchKind, Touchpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.model.touchpoints import Unresolved

RULES = {
    TouchKind.IMPORT.value: "Code of the port imports an upstream name.",
    TouchKind.SUBCLASS.value: "A class of the port derives from an upstream class.",
    TouchKind.OVERRIDE.value: "A method of the port replaces an upstream method.",
    TouchKind.MONKEY_PATCH.value: "The port binds an attribute of an upstream module, class or object.",
    TouchKind.CONTAINER_MUTATION.value: "The port changes an upstream container.",
    TouchKind.CONFIG_KEY.value: "The port sets a switch of upstream's configuration.",
    TouchKind.REGISTRATION.value: "The port registers something with upstream.",
    TouchKind.ATTRIBUTE_USE.value: "The port uses an attribute of an upstream object.",
    TouchKind.COPIED.value: "Code of the port stands upstream nearly verbatim.",
    UNRESOLVED: "A place that may touch upstream could not be resolved.",
}
_CHANGES = frozenset({TouchKind.MONKEY_PATCH, TouchKind.CONTAINER_MUTATION})


def sarif_text(touchpoints: Sequence[Touchpoint], unresolved: Sequence[Unresolved], prefix: str) -> str:
    """One run with one result for each row.

    Args:
        touchpoints: touchpoints.
        unresolved: places that could not be resolved.
        prefix: what stands before their paths from the root of the repository, with a slash; empty where nothing.
    """
    seen: Counter[str] = Counter()
    results = []
    rows: list[Touchpoint | Unresolved] = [*touchpoints, *unresolved]
    for row in rows:
        digest = hashlib.sha256("\0".join(key_of(row)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        results.append(_result(row, prefix, f"{digest}:{seen[digest]}"))
        seen[digest] += 1
    return run_text("leverage coupling", RULES, results)


def _result(row: Touchpoint | Unresolved, prefix: str, fingerprint: str) -> dict[str, Any]:
    rule = row.kind.value if isinstance(row, Touchpoint) else UNRESOLVED
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": _level(row),
        "message": {"text": _message(row)},
        "locations": locations(quote(f"{prefix}{row.path}", errors="surrogateescape"), row.line),
        "partialFingerprints": {"leverage/touchpoint/v1": fingerprint},
    }


def _level(row: Touchpoint | Unresolved) -> str:
    """A change of upstream's global state is a warning, everything else a note: none of it is a mistake as such."""
    if not isinstance(row, Touchpoint) or row.kind not in _CHANGES:
        return "note"
    return "warning" if row.scope is Scope.GLOBAL and not row.restored else "note"


def _message(row: Touchpoint | Unresolved) -> str:
    if not isinstance(row, Touchpoint):
        return f"`{row.text}` could not be resolved: {row.why}"
    words = [row.kind.value.replace("_", " "), f"({row.form})", f"of {row.symbol}"]
    if row.private:
        words.append("- private")
    if row.scope is not Scope.NONE:
        words.append(f"- {row.scope.value}{', restored' if row.restored else ''}")
    if row.guard:
        words.append(f"- if {row.guard}")
    return " ".join(words)
