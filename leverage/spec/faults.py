"""What pydantic finds wrong with a document, said for the person who wrote the YAML.

A fault knows the path of the value in the document, so that it can be shown with file and line, and so that the
document can be repaired with stand-in values: then the rest of it is checked in the same run.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from pydantic_core import ErrorDetails

from leverage.model.errors import Location, Problem
from leverage.spec.schema import KeyPath, Schema, resolved, schema_at
from leverage.spec.text import closest, did_you_mean, shown
from leverage.spec.types import ID_PATTERN, SOURCE_KEYS
from leverage.spec.yamltree import Mapping, Node, Scalar, Sequence, locate, node_at, noun

COMMIT_DIGITS = 40
PLACEHOLDER = "0" * COMMIT_DIGITS  # valid as an id, a commit, a glob and a text


class Kind(Enum):
    """What has to be done about a fault to be able to read on."""

    UNKNOWN_KEY = "unknown key"
    MISSING_KEY = "missing key"
    BAD_KEY = "bad key"
    BAD_VALUE = "bad value"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where in the document, of which kind, and how to say it (None where another fault says it)."""

    path: KeyPath
    kind: Kind
    problem: Problem | None


def dotted(path: KeyPath) -> str:
    """A path as people write it: ``systems.torch-spyre.reported[0].value``; the root is ``the file``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return shown(text.removeprefix("."), limit=120) if text else "the file"


def faults(errors: Iterable[ErrorDetails], data: object, root: Node, file: str, schema: Schema) -> list[Fault]:
    """Faults of a document, one per value, in the order found.

    Args:
        errors: what `pydantic.ValidationError.errors` gave.
        data: the plain data that was validated.
        root: tree of the document.
        file: name for messages.
        schema: JSON Schema of the whole document.
    """
    grouped: dict[tuple[KeyPath, Kind], list[ErrorDetails]] = {}
    for error in errors:
        grouped.setdefault(_place(error, data), []).append(error)
    about = _About(schema, root.plain())
    around = {path[:length] for path, _ in grouped for length in range(len(path))}
    misspelt = {
        (*path[:-1], closest(str(path[-1]), about.at(path[:-1]).get("properties", ())))
        for path, kind in grouped
        if kind is Kind.UNKNOWN_KEY
    }
    found = []
    for (path, kind), group in grouped.items():
        if kind is Kind.BAD_VALUE and path in around:
            continue  # a list is called too short when an item of it is wrong; the item says it
        elsewhere = {Kind.MISSING_KEY: path in misspelt, Kind.BAD_VALUE: (path, Kind.BAD_KEY) in grouped}
        said = elsewhere.get(kind, False)
        problem = None if said else _SAY[kind](path, locate(root, file, path), root, group, about)
        found.append(Fault(path, kind, problem))
    return found


@dataclass(frozen=True, slots=True)
class _About:
    """The schema of a document, asked by path."""

    schema: Schema
    data: object

    def at(self, path: KeyPath) -> Schema:
        """Schema of a value, resolved; its description is the nearest one on the way there."""
        raw = schema_at(self.schema, path, self.data)
        full = resolved(self.schema, raw, _at(self.data, path))
        return {**full, "description": raw.get("description") or full.get("description", "")}


def _at(data: object, path: KeyPath) -> object:
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        else:
            data = data[step] if isinstance(data, list) and isinstance(step, int) and step < len(data) else None
    return data


def _place(error: ErrorDetails, data: object) -> tuple[KeyPath, Kind]:
    """Path in the document of an error of pydantic, whose own path also names branches of unions."""
    path: KeyPath = ()
    missing = error["type"] == "missing"
    for index, step in enumerate(error["loc"]):
        inside = step in data if isinstance(data, dict) else isinstance(data, list) and step in range(len(data))
        if inside or (missing and index == len(error["loc"]) - 1):
            path, data = (*path, step), _at(data, (step,))
    if missing and isinstance(path[-1], int):
        return path[:-1], Kind.BAD_VALUE  # a list that is too short
    if missing:
        return path, Kind.MISSING_KEY
    if error["type"] == "unexpected_keyword_argument":
        return path, Kind.UNKNOWN_KEY
    return path, Kind.BAD_KEY if error["loc"][-1:] == ("[key]",) else Kind.BAD_VALUE


def _unknown_key(path: KeyPath, where: Location, root: Node, _group: list[ErrorDetails], about: _About) -> Problem:
    key, parent = str(path[-1]), path[:-1]
    allowed = about.at(parent).get("properties", {})
    if key in SOURCE_KEYS and (first := next((each for each in SOURCE_KEYS if each in allowed), None)):
        what = f"{shown(key)} cannot stand beside {shown(first)} in {dotted(parent)}"
        hint = f"keep one of the two; further places of the same commit go into {shown('also')} of a git source"
        return Problem("unknown-key", what, where, hint=hint)
    siblings = node_at(root, parent)
    written = siblings.keys if isinstance(siblings, Mapping) else {}
    hint = did_you_mean(key, set(allowed) - set(written) or allowed, "keys that can stand here")
    if (close := closest(key, allowed)) in written:
        hint = f"delete it, or move it to {shown(close)}, which stands in line {written[close].line}"
    return Problem("unknown-key", f"there is no key {shown(key)} in {dotted(parent)}", where, hint=hint)


def _missing_key(path: KeyPath, where: Location, _root: Node, _group: list[ErrorDetails], about: _About) -> Problem:
    parent, schema = path[:-1], about.at(path)
    what = f"{shown(str(path[-1]))} is missing in {dotted(parent)}"
    return Problem("missing-key", what, where, hint=f"add `{path[-1]}: …` ({_expected(schema)})")


def _bad_key(path: KeyPath, where: Location, _root: Node, group: list[ErrorDetails], _about: _About) -> Problem:
    long = group[0]["type"] == "string_too_long"
    what = f"the id {shown(str(path[-1]))} is {'too long' if long else 'not a valid id'}"
    hint = "at most 64 characters" if long else "begin with a lower-case letter or digit; then also `.`, `_` and `-`"
    why = "ids become file names, anchors in the page and keys of tables"
    return Problem("bad-id", what, where, why, hint)


def _bad_value(path: KeyPath, where: Location, root: Node, group: list[ErrorDetails], about: _About) -> Problem:
    node, schema, name = node_at(root, path), about.at(path), dotted(path)
    if path[-1:] == ("commit",):
        return _bad_commit(node, where, name)
    slug, what, hint = _wrong(node, schema, name, {error["type"] for error in group})
    return Problem(slug, what, where, hint=hint)


def _wrong(node: Node | None, schema: Schema, name: str, kinds: set[str]) -> tuple[str, str, str]:
    """Slug, sentence and hint for a value that its schema refuses."""
    what, hint = f"{name} cannot be {noun(node)}", f"it must be {_expected(schema)}"
    text = node.text if isinstance(node, Scalar) and node.value is not None else ""
    quoted = isinstance(node, Scalar) and isinstance(node.value, str)
    slug = "bad-value" if quoted and schema.get("type") == "string" else "wrong-type"
    if "union_tag_not_found" in kinds:
        slug, what = "bad-source", f"{name} does not say where the bytes come from"
        hint = "name one: `git: URL` with `commit`, `pypi: NAME` with `version`, or `path: FOLDER`"
    elif "enum" in schema or "const" in schema:
        slug, hint = "bad-value", did_you_mean(text, map(str, schema.get("enum", [schema.get("const")])), "it can be")
        if quoted and schema.get("const") is not None and text == str(schema["const"]):
            hint = f"write {schema['const']}, without quotes"
    elif "tuple_type" in kinds and text:
        what, hint = f"{name} must be a list, and this is {noun(node)}", f'write ["{text[:60]}"]'
    elif isinstance(node, Sequence) and kinds & {"too_short", "too_long", "missing"}:
        slug, what = "bad-value", f"{name} has {len(node.items)} item{'' if len(node.items) == 1 else 's'}"
    elif quoted and not text:
        what = f"{name} cannot be empty"
    elif text and not quoted and _takes_text(schema, text):
        what, hint = f"{name} must be text, and YAML reads this as {noun(node)}", f'quote it: "{text[:60]}"'
    return slug, what, hint


def _takes_text(schema: Schema, text: str) -> bool:
    """Whether a schema would accept the text of a value that was not quoted."""
    return any(
        branch.get("type") == "string" and re.search(branch.get("pattern", ""), text) is not None
        for branch in schema.get("anyOf", [schema])
    )


def _bad_commit(node: Node | None, where: Location, name: str) -> Problem:
    hint = "give the full id, in lower case and quoted; `git rev-parse HEAD` in the repository prints it"
    if not isinstance(node, Scalar) or node.value in {None, ""}:
        return Problem("bad-commit", f"{name} must be a commit id, and this is {noun(node)}", where, hint=hint)
    if not isinstance(node.value, str):
        what = f"{name} is not quoted, and YAML reads it as {noun(node)}"
        why = "an id of digits, or of digits around an `e`, turns into a number, and the commit is lost"
        full = len(node.text) == COMMIT_DIGITS
        hint = f'quote it: "{node.text}"' if full else f"quote it, and give all {COMMIT_DIGITS} hex digits"
        return Problem("bad-commit", what, where, why, hint)
    if set(node.text.lower()) <= set("0123456789abcdef"):
        if len(node.text) == COMMIT_DIGITS:
            return Problem("bad-commit", f"{name} has upper-case digits", where, hint=f'write "{node.text.lower()}"')
        what = f"{name} has {len(node.text)} hex digits, and a full commit id has {COMMIT_DIGITS}"
        return Problem("bad-commit", what, where, "a short id can come to mean another commit", hint)
    what = f"{name} must be a commit id of {COMMIT_DIGITS} hex digits, and this is {noun(node)}"
    return Problem(
        "bad-commit", what, where, "a branch or tag moves, and the figures with it", f"{hint}; a name goes into `ref`"
    )


_Say = Callable[[KeyPath, Location, Node, list[ErrorDetails], _About], Problem]
_SAY: dict[Kind, _Say] = {
    Kind.UNKNOWN_KEY: _unknown_key,
    Kind.MISSING_KEY: _missing_key,
    Kind.BAD_KEY: _bad_key,
    Kind.BAD_VALUE: _bad_value,
}

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a mapping",
}


def _expected(schema: Schema) -> str:
    """What a value should be, in words."""
    if "enum" in schema:
        return "one of " + ", ".join(shown(str(word)) for word in schema["enum"])
    kind = _TYPES.get(schema.get("type", ""), "")
    if schema.get("pattern") == ID_PATTERN:
        kind = "an id: lower-case letters, digits, `.`, `_` and `-`"
    if schema.get("type") == "object":
        required = [shown(f"{key}: …") for key in schema.get("required", ())]
        return kind + (f" with {', '.join(required)}" if required else "")
    described = schema.get("description", "")
    if schema.get("type") in {"array", "boolean"}:
        return f"{kind}: {described}" if described else kind
    return described or kind


def repaired(data: object, found: Iterable[Fault], schema: Schema) -> object:
    """A copy of a document in which what is at fault is deleted, or replaced where something must stand there."""
    data = copy.deepcopy(data)
    about = _About(schema, data)
    for fault in sorted(found, key=lambda each: (-len(each.path), each.kind is Kind.BAD_KEY)):
        parent, key = _at(data, fault.path[:-1]), fault.path[-1]
        extra = fault.kind in {Kind.UNKNOWN_KEY, Kind.BAD_KEY}
        value = None if extra else _placeholder(schema, schema_at(schema, fault.path, data))
        if isinstance(parent, list) and isinstance(key, int):
            parent[key] = value
        elif isinstance(parent, dict) and (extra or (fault.kind is Kind.BAD_VALUE and _optional(about, fault.path))):
            parent.pop(key, None)
        elif isinstance(parent, dict):
            parent[key] = value
    return data


def _optional(about: _About, path: KeyPath) -> bool:
    parent = about.at(path[:-1])
    return path[-1] in parent.get("properties", {}) and path[-1] not in parent.get("required", [])


def _placeholder(root: Schema, schema: Schema) -> object:
    """The smallest value that a schema accepts."""
    branches = [resolved(root, branch, None) for branch in schema.get("anyOf", [])]
    here = next((each for each in branches if each.get("type") == "integer"), resolved(root, schema, None))
    simple: dict[str, object] = {"integer": 1, "boolean": False}
    if "const" in here or "enum" in here:
        return here.get("const", here.get("enum", [None])[0])
    if here.get("type") == "object":
        return {key: _placeholder(root, here["properties"][key]) for key in here.get("required", [])}
    if here.get("type") == "array":
        items = here.get("prefixItems") or [here.get("items", {})] * here.get("minItems", 0)
        return [_placeholder(root, item) for item in items]
    return simple.get(here.get("type", ""), PLACEHOLDER)
