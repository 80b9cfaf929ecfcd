"""Every column of the file table: its name and its meaning. The CSV sidecar is written from this."""

from __future__ import annotations

CODE_PREFIX = "code_"
COPIED_PREFIX = "copied_"

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
    "confidence": "how much evidence stands behind stage and divergence",
    "runner_up": "stage that came second",
    "units": "units of the file that were decided apart from it; each is a row of the table of units",
    "physical": "physical lines; -1 where the bytes were not read",
    "nonblank": "physical lines that hold more than white space; -1 likewise",
    "zstd": "bytes of the file compressed by itself with zstd; -1 where unknown",
    "tokens": "lexical tokens; -1 where unknown, as in languages without a scanner",
    "functions": "functions and methods; -1 where unknown",
}

UNIT_COLUMNS: dict[str, str] = {
    "system": "id of the system in repos.yaml",
    "path": "path of the file from the root of the source",
    "symbol": "name inside the file; empty for what lies in no function or class",
    "kind": "function, method, class, record or rest",
    "first": "first line",
    "last": "last line",
    "stage": "compiler stage; `undetermined` where nothing decided",
    "divergence": "departure from GPU-shaped assumptions",
    "stage_rule": "rule that decided stage and divergence",
    "stage_reason": "the rule's reason",
    "confidence": "how much evidence stands behind stage and divergence",
    "runner_up": "stage that came second",
}
"""Columns of the table of units, before one `code_*` per convention: the units of a file that was decided in parts are
together its lines."""

TOUCH_COLUMNS: dict[str, str] = {
    "system": "id of the system in repos.yaml",
    "path": "path of the file from the root of the source",
    "line": "line of the statement",
    "column": "column of the expression, from 0",
    "kind": "import, subclass, override, monkey_patch, container_mutation, config_key, registration, attribute_use or "
    "copied; unresolved where the place could not be resolved",
    "form": "how it is done; for unresolved ones, the kind that it would be",
    "symbol": "upstream symbol; <dynamic> stands for a part that is not known",
    "members": "names that a dynamic last part ranges over",
    "private": "yes where a part of the symbol below the package begins with an underscore",
    "scope": "what a change reaches: global, instance or none",
    "restored": "yes where what was changed is put back",
    "wraps": "of patches and overrides: yes where the original is called, no where it is replaced",
    "effect": "of patches: patch where upstream has the name, add where it has not, unknown",
    "guarded": "yes where conditions around it ask for a version or for existence",
    "resolution": "how the receiver was resolved",
    "certainty": "certain, likely or guess",
    "within": "function or class of the port that holds it; empty at module level",
    "detail": "more, in words; for unresolved ones, why",
}
"""Columns of the table of touchpoints."""


def code_column(convention: str) -> str:
    """Name of the column of code lines under a convention; -1 where that does not know the language."""
    return CODE_PREFIX + convention


def copied_column(convention: str) -> str:
    """Name of the column of those code lines under a convention that stand verbatim in what the system builds on.

    -1 where it is not known.
    """
    return COPIED_PREFIX + convention
