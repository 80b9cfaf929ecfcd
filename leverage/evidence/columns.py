"""Every column of the file table: its name and its meaning. The CSV sidecar is written from this."""

from __future__ import annotations

CODE_PREFIX = "code_"

FILE_COLUMNS: dict[str, str] = {
    "system": "id of the system in repos.yaml",
    "component": "id of the component that includes the file",
    "path": "path from the root of the source",
    "blob": "git blob id of the content",
    "bytes": "size in bytes; -1 where unknown",
    "state": "counted, excluded or unknown",
    "reason": "why the file is not counted; `counted` where it is",
    "rule": "what decided the disposition",
    "language": "id of the language",
    "language_rule": "what decided the language",
    "language_kind": "programming, build, data, prose or markup",
    "language_group": "python, cpp or another group of languages",
    "compiler_language": "1 for the languages that compilers are written in, else 0",
    "purpose": "production, test, build, docs, example or data",
    "stage": "compiler stage; `undetermined` where nothing decided",
    "divergence": "departure from GPU-shaped assumptions",
    "stage_rule": "rule that decided stage and divergence",
    "stage_reason": "the rule's reason",
    "runner_up": "stage that came second",
    "physical": "physical lines; -1 where the bytes were not read",
    "nonblank": "physical lines that hold more than white space; -1 likewise",
}


def code_column(convention: str) -> str:
    """Name of the column of code lines under a convention; 0 where that does not know the language."""
    return CODE_PREFIX + convention
