"""What was checked as SARIF 2.1.0, which forges and editors read.

Only what does not hold and what could not be checked becomes a result: readers take every result for an alert.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from leverage import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.cli.check import Line

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "claim": "A claim has the verdict that is expected of it, or holds.",
    "budget": "A budget is kept.",
}


def sarif_text(lines: Sequence[Line]) -> str:
    """One run with one result for each line that does not hold."""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()]
    driver = {"name": "leverage", "version": __version__, "rules": rules}
    results = [_result(line) for line in lines if line.holds is not True]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(line: Line) -> dict[str, Any]:
    fails = line.holds is False
    return {
        "ruleId": line.kind,
        "ruleIndex": list(RULES).index(line.kind),
        # A result that is not a failure has no level, says the format: what could not be checked stays open.
        "kind": "fail" if fails else "open",
        "level": "error" if fails else "none",
        "message": {"text": f"{line.kind} {line.id}: {line.what}" + (f". {line.why}" if line.why else "")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(line.file)},
                    "region": {"startLine": max(line.line, 1)},
                }
            }
        ],
        "partialFingerprints": {"leverage/v1": f"{line.kind} {line.id}"},
    }


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
