"""`report.json`: the view written and read back without loss, and its JSON Schema, from the one definition of types.

ASCII only, so that file names which are not Unicode survive; keys of maps are sorted, so equal reports give equal
bytes.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.report import view
from leverage.report.view import FORMAT, ReportV1

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def to_json(report: ReportV1, *, compact: bool = False) -> str:
    """The report as JSON; ``compact`` leaves out white space, for embedding."""
    if compact:
        return json.dumps(_plain(report), separators=(",", ":"))
    return json.dumps(_plain(report), indent=1) + "\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 - any value of the view
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def from_json(text: str, source: str = "report.json") -> ReportV1:
    """Read a report of format 1 back. Unknown keys are ignored, because format 1 may grow.

    Raises:
        ConfigurationError: not JSON, another format, or a value that is missing or of another type; ``source`` names
            the file in the message.
    """
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        place = Location(source, getattr(error, "lineno", 0), getattr(error, "colno", 0))
        raise _unreadable("it is not JSON", place) from error
    found = value.get("format") if isinstance(value, dict) else None
    if found != FORMAT or isinstance(found, bool):
        raise _unreadable(f"its format is {found!r}, this version reads format {FORMAT}", Location(source))
    try:
        report: ReportV1 = _read(ReportV1, value, "report")
    except TypeError as error:
        raise _unreadable(str(error), Location(source)) from error
    return report


def _unreadable(what: str, where: Location) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            slug="unreadable-report",
            what=f"cannot read the report: {what}",
            where=where,
            why="every figure is taken from the report's own fields; a guess would be a figure without evidence",
            hint="make it again with `leverage report`",
        )
    )


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, vars(view))


def _read(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401 - the type is only known at run time
    """The value as ``kind``; raises TypeError that names the place."""
    if kind in _NAMES:
        if type(value) is kind:
            return value
    elif isinstance(kind, UnionType):
        inner = next(option for option in get_args(kind) if option is not NoneType)
        return None if value is None else _read(inner, value, place)
    elif get_origin(kind) is list:
        if isinstance(value, list):
            return [_read(get_args(kind)[0], item, f"{place}[{index}]") for index, item in enumerate(value)]
    elif get_origin(kind) is dict:
        if isinstance(value, dict):
            return {key: _read(get_args(kind)[1], item, f"{place}.{key}") for key, item in value.items()}
    elif isinstance(value, dict):
        hints = _hints(kind)
        missing = sorted(hints.keys() - value.keys())
        if missing:
            raise TypeError(f"{place} lacks {', '.join(missing)}")
        return kind(**{key: _read(hint, value[key], f"{place}.{key}") for key, hint in hints.items()})
    wanted = _NAMES.get(kind) or {list: "list", dict: "map"}.get(get_origin(kind)) or kind.__name__
    raise TypeError(f"{place} must be a {wanted}, got {type(value).__name__}")


def report_schema() -> dict[str, Any]:
    """JSON Schema of `report.json`, format 1. `leverage/report/schema.json` is this, committed."""
    definitions: dict[str, Any] = {}
    root = _schema(ReportV1, definitions)
    return {
        "$schema": DIALECT,
        "title": f"leverage report, format {FORMAT}",
        **root,
        "$defs": {key: definitions[key] for key in sorted(definitions)},
    }


def schema_text() -> str:
    """The schema as it is committed."""
    return json.dumps(report_schema(), indent=1) + "\n"


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - as in `_read`
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    if isinstance(kind, UnionType):
        return {"anyOf": [_schema(option, definitions) for option in get_args(kind)]}
    if get_origin(kind) is list:
        return {"type": "array", "items": _schema(get_args(kind)[0], definitions)}
    if get_origin(kind) is dict:
        return {"type": "object", "additionalProperties": _schema(get_args(kind)[1], definitions)}
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # before its fields, so that a type may contain itself
        hints = _hints(kind)
        properties = {key: _schema(hint, definitions) for key, hint in hints.items()}
        if kind is ReportV1:
            properties["format"] = {"const": FORMAT}
        definitions[kind.__name__] = {
            "description": cleandoc(kind.__doc__ or ""),
            "type": "object",
            "properties": properties,
            "required": list(hints),
        }
    return {"$ref": f"#/$defs/{kind.__name__}"}
