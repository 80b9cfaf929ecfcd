"""Trace files: JSON in which two runs can be compared line by line, written canonically and checked on reading."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.reuse.trace.values import FileRun, FunctionRun, Idle, PackageRun, Side, Trace

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
_MOST_BYTES = 64 * 2**20
_RANGES = re.compile(r"(?:[1-9]\d{0,8}(?:-[1-9]\d{0,8})?(?:,|\Z))*")
_LONGEST_RANGE = 10**6
_BLOB = re.compile(r"[0-9a-f]{40}")


def trace_text(trace: Trace) -> str:
    """A trace as JSON, one function a line, so that differences between two traces can be read."""
    head = {
        "format": FORMAT,
        "label": trace.label,
        "environment": dict(trace.environment),
        "processes": trace.processes,
    }
    lines = [json.dumps(head, ensure_ascii=True, sort_keys=True)[:-1] + ', "packages": [']
    for number, package in enumerate(trace.packages):
        about = {"name": package.name, "side": package.side.value, "version": package.version}
        idle = [[each.part, each.files, each.outside, each.bodies, each.unread] for each in package.idle]
        lines.append((",\n" if number else "") + json.dumps({**about, "idle": idle})[:-1] + ', "files": [')
        for place, file in enumerate(package.files):
            row = {
                "path": file.path,
                "blob": file.blob,
                "outside": file.outside,
                "bodies": file.bodies,
                "imported": _ranges(file.imported),
            }
            functions = ",\n  ".join(
                json.dumps([function.symbol, function.first, function.executable, _ranges(function.run)])
                for function in file.functions
            )
            lines.append((",\n " if place else " ") + json.dumps(row)[:-1] + f', "functions": [{functions}]}}')
        lines.append("]}")
    return "\n".join([*lines, "]}"]) + "\n"


def read_trace(path: Path) -> Trace:
    """Read a trace file.

    Raises:
        ConfigurationError: it cannot be read, or is no trace file of this format.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise _wrong(path, f"has more than {_MOST_BYTES:,} bytes")
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise _wrong(path, f"is no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _wrong(path, f"is no trace file of format {FORMAT}")
    try:
        return _trace(data)
    except (KeyError, TypeError, ValueError) as error:
        raise _wrong(path, f"is no trace file as `leverage trace` writes it: {error!r}") from error


def _trace(data: dict[str, Any]) -> Trace:
    environment = {_text(name): _text(value) for name, value in data["environment"].items()}
    packages = tuple(_package(each) for each in data["packages"])
    return Trace(_text(data["label"]), tuple(sorted(environment.items())), _count(data["processes"]), packages)


def _package(data: dict[str, Any]) -> PackageRun:
    idle = tuple(Idle(_text(part), *(_count(number) for number in numbers)) for part, *numbers in data["idle"])
    files = tuple(sorted((_file(each) for each in data["files"]), key=lambda file: file.path))
    return PackageRun(_text(data["name"]), Side(data["side"]), _text(data["version"]), files, idle)


def _file(data: dict[str, Any]) -> FileRun:
    functions = tuple(
        FunctionRun(_text(symbol), _count(first), _count(lines), _lines(run))
        for symbol, first, lines, run in data["functions"]
    )
    blob = _text(data["blob"])
    if not _BLOB.fullmatch(blob):
        raise ValueError(f"{blob!r} is no blob id")
    outside, bodies, imported = _count(data["outside"]), _count(data["bodies"]), _lines(data["imported"])
    # A forged file must not claim that more ran than can run: every ratio would follow it.
    if len(imported) > outside or sum(function.executable for function in functions) > bodies:
        raise ValueError(f"more lines of {data['path']!r} ran than can run")
    if any(len(function.run) > function.executable for function in functions):
        raise ValueError(f"more lines of a function of {data['path']!r} ran than can run")
    return FileRun(_text(data["path"]), blob, outside, bodies, imported, functions)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is no number of lines")
    return value


def _ranges(lines: frozenset[int]) -> str:
    parts: list[str] = []
    ordered = sorted(lines)
    start = 0
    for at in range(1, len(ordered) + 1):
        if at == len(ordered) or ordered[at] != ordered[at - 1] + 1:
            first, last = ordered[start], ordered[at - 1]
            parts.append(str(first) if first == last else f"{first}-{last}")
            start = at
    return ",".join(parts)


def _lines(value: object) -> frozenset[int]:
    text = _text(value)
    if not _RANGES.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no list of lines")
    found: set[int] = set()
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        if int(last or first) - int(first) not in range(_LONGEST_RANGE):
            raise ValueError(f"{part!r} is no range of lines")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _wrong(path: Path, what: str) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            "bad-trace",
            what,
            Location(str(path)),
            "what ran is only known from a whole trace",
            "make it again with: leverage trace --own PACKAGE -o FILE -- python PROGRAM",
        )
    )
