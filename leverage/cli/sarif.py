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
    from collections.abc import Mapping, Sequence

    from leverage.cli.check import Line

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "claim": "A claim has the verdict that is expected of it, or holds.",
    "budget": "A budget is kept.",
}


def sarif_text(lines: Sequence[Line]) -> str:
    """One run with one result for each line that does not hold."""
    return run_text("leverage", RULES, [_result(line) for line in lines if line.holds is not True])


def run_text(tool: str, rules: Mapping[str, str], results: Sequence[dict[str, Any]]) -> str:
    """A document of one run.

    Args:
        tool: name of what was run.
        rules: what each rule says, by its id.
        results: results, of which each names one of the rules.
    """
    described = [{"id": name, "shortDescription": {"text": text}} for name, text in rules.items()]
    driver = {"name": tool, "version": __version__, "rules": described}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def locations(uri: str, line: int) -> list[dict[str, Any]]:
    """The one place of a result; a line below 1 is that of the whole file."""
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": max(line, 1)}}
    return [{"physicalLocation": place}]


def _result(line: Line) -> dict[str, Any]:
    fails = line.holds is False
    return {
        "ruleId": line.kind,
        "ruleIndex": list(RULES).index(line.kind),
        # A result that is not a failure has no level, says the format: what could not be checked stays open.
        "kind": "fail" if fails else "open",
        "level": "error" if fails else "none",
        "message": {"text": f"{line.kind} {line.id}: {line.what}" + (f". {line.why}" if line.why else "")},
        "locations": locations(_uri(line.file), line.line),
        "partialFingerprints": {"leverage/v1": f"{line.kind} {line.id}"},
    }


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
