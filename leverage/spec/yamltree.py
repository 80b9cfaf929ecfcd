"""YAML 1.2 text as a tree in which every node knows its place.

The tree is built from parser events and not by a loader, because a loader has by then lost what good messages need:
the text of a scalar before it was taken for a number, the place of a key, the second of two equal keys. It also
keeps hostile input small: no tags, bounded depth, bounded expansion of aliases, one document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.spec.text import shown

MAX_BYTES = 1_000_000  # the parser reads about 200 kB/s, and a large real file has 50 kB
MAX_DEPTH = 32
MAX_NODES = 200_000
MAX_DIGITS = 400

# What YAML 1.2 calls printable, and of that what has no glyph but changes how the rest reads.
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts. ``text`` is what stood in the file, ``value`` what YAML takes it for."""

    where: Location
    text: str
    value: str | int | float | bool | None

    def plain(self) -> str | int | float | bool | None:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    where: Location
    items: tuple[Node, ...]

    def plain(self) -> list[Any]:
        """A list of plain values."""
        return [item.plain() for item in self.items]


@dataclass(frozen=True, slots=True)
class Mapping:
    """Nodes by key; ``keys`` has the place of each key."""

    where: Location
    keys: dict[str, Location]
    values: dict[str, Node]

    def plain(self) -> dict[str, Any]:
        """A dict of plain values, in the order of the file."""
        return {key: value.plain() for key, value in self.values.items()}


Node = Scalar | Sequence | Mapping


def read_file(path: Path, *, noun: str, missing_hint: str) -> bytes:
    """Bytes of a configuration file.

    Args:
        path: the file.
        noun: what the file is, for messages.
        missing_hint: what to do where it is not there.

    Raises:
        ConfigurationError: it cannot be read, or is larger than `MAX_BYTES`.
    """
    place = Location(str(path))
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigurationError(
            Problem("file-missing", f"there is no {noun} here", place, hint=missing_hint)
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            Problem("file-unreadable", f"the {noun} cannot be read: {reason}", place, hint="give a readable file")
        ) from None
    if len(data) > MAX_BYTES:
        raise ConfigurationError(
            Problem(
                "file-too-large",
                f"the {noun} is larger than {MAX_BYTES:,} bytes",
                place,
                why="a file of this size was not written by hand and would take minutes to check",
                hint="check that this is the right file, or cut it in two",
            )
        )
    return data


def locate(root: Node | None, file: str, path: tuple[str | int, ...]) -> Location:
    """Place of the key (or list item) at a path; of the nearest parent that exists where it does not."""
    place, node = Location(file, 1, 1) if root is None else root.where, root
    for step in path:
        match node:
            case Mapping() if str(step) in node.keys:
                place, node = node.keys[str(step)], node.values[str(step)]
            case Sequence() if isinstance(step, int) and 0 <= step < len(node.items):
                node = node.items[step]
                place = node.where
            case _:
                return place
    return place


def node_at(root: Node | None, path: tuple[str | int, ...]) -> Node | None:
    """The node at a path, None where there is none."""
    node = root
    for step in path:
        match node:
            case Mapping():
                node = node.values.get(str(step))
            case Sequence() if isinstance(step, int) and 0 <= step < len(node.items):
                node = node.items[step]
            case _:
                return None
    return node


def parse(data: bytes, file: str) -> tuple[Node | None, list[Problem]]:
    """Tree of a YAML document, with everything that is wrong about it as YAML.

    Args:
        data: the bytes of the file.
        file: name for messages.

    Returns:
        The root, None where the document is empty or reading had to stop, and the problems in the order met.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        what = f"the file is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        hint = "save it as UTF-8, without any other encoding's byte order mark"
        return None, [Problem("not-utf-8", what, Location(file, line, column), hint=hint)]
    if bad := _NOT_YAML.search(text):
        line = text.count("\n", 0, bad.start()) + 1
        where = Location(file, line, bad.start() - (text.rfind("\n", 0, bad.start()) + 1) + 1)
        what = f"the file holds the control character U+{ord(bad.group()):04X}, which YAML does not allow"
        return None, [Problem("yaml-syntax", what, where, hint="delete it")]
    builder = _Builder(text, file)
    try:
        root = builder.document()
    except _StopError as stop:
        return None, [*builder.problems, stop.problem]
    return root, builder.problems


class _StopError(Exception):
    """Reading cannot go on; carries the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.what)


class _Builder:
    """Builds the tree of one text; ``problems`` gathers what does not stop it."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._events = self._stream(text)
        self._last = Location(file, 1, 1)

    def _stream(self, text: str) -> Iterator[Any]:
        from ruamel.yaml import YAML  # noqa: PLC0415 - slow to import, and only needed here
        from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

        try:
            for event in YAML(typ="safe", pure=True).parse(text):
                if event.start_mark is not None:
                    self._last = self._place(event.start_mark)
                yield event
        except MarkedYAMLError as error:
            raise _StopError(self._syntax(error)) from None
        except (YAMLError, ValueError, OverflowError) as error:
            # The last two: an escape such as "\UFFFFFFFF" that names no character.
            what = f"not valid YAML near here: {error}"
            raise _StopError(
                Problem("yaml-syntax", what, self._last, hint="check the escapes in quoted text")
            ) from None

    def _place(self, mark: Any) -> Location:
        return Location(self.file, mark.line + 1, mark.column + 1)

    def _syntax(self, error: Any) -> Problem:
        mark = error.problem_mark or error.context_mark
        where = self._place(mark) if mark else self._last
        began = f" in line {error.context_mark.line + 1}" if error.context_mark else ""
        problem = str(error.problem or error.context or "cannot be read")
        what, hint = f"not valid YAML: {problem}", "correct the line, or quote the text"
        if "\\t" in problem:
            what, hint = "a tab stands where YAML wants spaces", "indent with spaces"
        elif "cannot start any token" in problem:
            hint = "quote text that begins with this character"
        elif "mapping values are not allowed" in problem:
            what = "not valid YAML: a second `: ` in one line"
            hint = "quote text that holds `: `; or the line before is indented differently"
        elif "expected ',' or" in problem:
            what = f"not valid YAML: the {'list' if ']' in problem else 'mapping'} that begins{began} is not closed"
            hint = f"add `{']' if ']' in problem else '}'}`, or the comma that is missing between two items"
        elif "block end" in problem:
            hint = f"line it up with what begins{began}"
            what = "not valid YAML: this line is indented differently from its neighbours"
        elif "end of stream" in problem:
            what, hint = f"not valid YAML: the quoted text that begins{began} does not end", "add the closing quote"
        return Problem("yaml-syntax", what, where, hint=hint)

    def _stop(self, what: str, hint: str, *, why: str = "", slug: str = "yaml-too-large") -> _StopError:
        return _StopError(Problem(slug, what, self._last, why, hint))

    def document(self) -> Node | None:
        root: Node | None = None
        seen = False
        for event in self._events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent" and seen:
                raise self._stop(
                    "a second document begins here", "keep one document: delete `---`", slug="yaml-unsupported"
                )
            if kind in {"StreamStartEvent", "DocumentStartEvent", "DocumentEndEvent", "StreamEndEvent"}:
                continue
            root, _ = self._node(event, 1)
            seen = True
        return root

    def _node(self, event: Any, depth: int) -> tuple[Node, int]:
        """The node that begins with an event, and how many nodes it is when all aliases are written out."""
        where = self._place(event.start_mark)
        if depth > MAX_DEPTH:
            raise self._stop(f"nested more than {MAX_DEPTH} levels deep", "flatten it; no valid file is this deep")
        kind = type(event).__name__
        if kind == "AliasEvent":
            if event.anchor not in self._anchors:
                raise self._stop(
                    f"the alias {shown('*' + event.anchor)} has no anchor above it",
                    f"mark the value with {shown('&' + event.anchor)} first; a value cannot hold itself",
                    slug="yaml-unsupported",
                )
            return self._anchors[event.anchor]
        if event.tag is not None:
            self.problems.append(
                Problem(
                    "yaml-unsupported",
                    f"the tag {shown(event.tag)} is not allowed",
                    where,
                    why="a tag can make a reader of YAML build objects, or change what text means",
                    hint="delete the tag; quote the value if it is text",
                )
            )
        node: Node
        if kind == "ScalarEvent":
            node, size = self._scalar(event, where), 1
        elif kind == "SequenceStartEvent":
            node, size = self._sequence(where, depth)
        else:
            node, size = self._mapping(where, depth)
        if size > MAX_NODES:
            raise self._stop(
                f"more than {MAX_NODES:,} values when all aliases are written out",
                "write the values out, or use fewer aliases",
                why="a few lines of nested aliases can stand for billions of values",
            )
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, size)
        return node, size

    def _sequence(self, where: Location, depth: int) -> tuple[Sequence, int]:
        items: list[Node] = []
        size = 1
        for event in self._events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            item, item_size = self._node(event, depth + 1)
            items.append(item)
            size += item_size
        return Sequence(where, tuple(items)), size

    def _mapping(self, where: Location, depth: int) -> tuple[Mapping, int]:
        keys: dict[str, Location] = {}
        values: dict[str, Node] = {}
        size = 1
        for event in self._events:
            if type(event).__name__ == "MappingEndEvent":
                break
            key_where = self._place(event.start_mark)
            key, _ = self._node(event, depth + 1)
            value, value_size = self._node(next(self._events), depth + 1)
            size += value_size + 1
            name = self._key(key, key_where)
            if name is None:
                continue
            if name in keys:
                self.problems.append(
                    Problem(
                        "duplicate-key",
                        f"{shown(name)} stands here a second time; the first is in line {keys[name].line}",
                        key_where,
                        why="of two equal keys one would be lost",
                        hint="rename one, or delete it",
                    )
                )
                continue
            keys[name], values[name] = key_where, value
        return Mapping(where, keys, values), size

    def _key(self, key: Node, where: Location) -> str | None:
        if isinstance(key, Scalar) and isinstance(key.value, str):
            if key.value == "<<":
                what = "merging with `<<` is not part of YAML 1.2"
                self.problems.append(Problem("yaml-unsupported", what, where, hint="write the keys out"))
                return None
            return key.value
        if isinstance(key, Scalar) and key.text:
            what = f"the key {shown(key.text)} is read as {noun(key)}, not as text"
            hint = f'quote it: "{key.text[:40]}"'
            self.problems.append(Problem("wrong-type", what, where, hint=hint))
            return key.text
        what = f"a key must be text, and this is {noun(key)}"
        self.problems.append(Problem("wrong-type", what, where, hint="write a plain word before the colon"))
        return None

    def _scalar(self, event: Any, where: Location) -> Scalar:
        text: str = event.value
        if hidden := _HIDDEN.search(text):
            self.problems.append(
                Problem(
                    "hidden-character",
                    f"the text holds the invisible character U+{ord(hidden.group()):04X}",
                    where,
                    why="it can make the text read differently from what it is",
                    hint="delete it",
                )
            )
            text = _HIDDEN.sub("\ufffd", text)
        plain = bool(event.implicit[0])
        return Scalar(where, text, _value(text) if plain else text)


def _value(text: str) -> str | int | float | bool | None:
    """What the core schema of YAML 1.2 takes a plain scalar for."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= MAX_DIGITS:  # Python refuses longer numbers; no field wants one
        if _INT.fullmatch(text):
            return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
        if _FLOAT.fullmatch(text):
            return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text


def noun(node: Node | None) -> str:
    """What a node is, for messages: ``a list``, ``the number `7```."""
    match node:
        case Sequence():
            return "a list"
        case Mapping():
            return "a mapping"
        case Scalar(value=bool()):
            return f"the truth value {shown(node.text)}"
        case Scalar(value=int() | float()):
            return f"the number {shown(node.text)}"
        case Scalar(value=str()):
            return f"the text {shown(node.text)}"
        case _:
            return "empty"
