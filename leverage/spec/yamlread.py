"""From the bytes of a YAML 1.2 file to its tree (see `leverage.spec.yamltree`).

The tree is built from parser events and not by a loader, because a loader has by then lost what good messages need:
the text of a scalar before it was taken for a number, the place of a key, the second of two equal keys. It also
keeps hostile input small: no tags, bounded depth, bounded expansion of aliases, one document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from leverage.model.errors import Location, Problem
from leverage.spec.text import HIDDEN, shown
from leverage.spec.yamltree import Mapping, Node, Scalar, Sequence, noun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruamel.yaml.error import StreamMark

MAX_DEPTH = 32
MAX_NODES = 200_000
MAX_DIGITS = 400

# What YAML 1.2 calls printable, and of that what has no glyph but changes how the rest reads.
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


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


@dataclass(frozen=True, slots=True)
class _Built:
    """A node, with the number of nodes and levels that it has when all aliases are written out."""

    node: Node
    size: int
    height: int


def _around(node: Node, parts: list[_Built]) -> _Built:
    return _Built(node, 1 + sum(part.size for part in parts), 1 + max((part.height for part in parts), default=0))


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
        self._anchors: dict[str, _Built] = {}
        self._events = self._stream(text)
        self._last = Location(file, 1, 1)

    def _stream(self, text: str) -> Iterator[Any]:
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

    def _place(self, mark: StreamMark) -> Location:
        return Location(self.file, mark.line + 1, mark.column + 1)

    def _syntax(self, error: MarkedYAMLError) -> Problem:
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
        for event in self._events:
            if isinstance(event, DocumentStartEvent) and root is not None:
                hint = "keep one document: delete `---`"
                raise self._stop("a second document begins here", hint, slug="yaml-unsupported")
            if isinstance(event, NodeEvent):
                root = self._node(event, 1).node
        return root

    def _node(self, event: NodeEvent, depth: int) -> _Built:
        """The node that begins with an event."""
        if isinstance(event, AliasEvent):
            built = self._alias(event)
            self._bounded(depth + built.height - 1, built.size)
            return built
        if isinstance(event, ScalarEvent):
            built = _Built(self._scalar(event), 1, 1)
        else:
            self._bounded(depth, 1)  # on the way down too: it bounds our own recursion
            sequence = isinstance(event, SequenceStartEvent)
            built = self._sequence(event, depth) if sequence else self._mapping(event, depth)
        self._bounded(depth + built.height - 1, built.size)
        if (tag := getattr(event, "tag", None)) is not None:
            self._refuse_tag(tag, self._place(event.start_mark))
        if event.anchor is not None:
            self._anchors[event.anchor] = built
        return built

    def _bounded(self, depth: int, size: int) -> None:
        if depth > MAX_DEPTH:
            raise self._stop(f"nested more than {MAX_DEPTH} levels deep", "flatten it; no valid file is this deep")
        if size > MAX_NODES:
            raise self._stop(
                f"more than {MAX_NODES:,} values when all aliases are written out",
                "write the values out, or use fewer aliases",
                why="a few lines of nested aliases can stand for billions of values",
            )

    def _alias(self, event: AliasEvent) -> _Built:
        if event.anchor not in self._anchors:
            raise self._stop(
                f"the alias {shown('*' + event.anchor)} has no anchor above it",
                f"mark the value with {shown('&' + event.anchor)} first; a value cannot hold itself",
                slug="yaml-unsupported",
            )
        return self._anchors[event.anchor]

    def _refuse_tag(self, tag: str, where: Location) -> None:
        self.problems.append(
            Problem(
                "yaml-unsupported",
                f"the tag {shown(tag)} is not allowed",
                where,
                why="a tag can make a reader of YAML build objects, or change what text means",
                hint="delete the tag; quote the value if it is text",
            )
        )

    def _sequence(self, start: NodeEvent, depth: int) -> _Built:
        built: list[_Built] = []
        for event in self._events:
            if isinstance(event, SequenceEndEvent):
                break
            built.append(self._node(event, depth + 1))
        return _around(Sequence(self._place(start.start_mark), tuple(each.node for each in built)), built)

    def _mapping(self, start: NodeEvent, depth: int) -> _Built:
        keys: dict[str, Location] = {}
        values: dict[str, Node] = {}
        built: list[_Built] = []
        for event in self._events:
            if isinstance(event, MappingEndEvent):
                break
            key_where = self._place(event.start_mark)
            built += [self._node(event, depth + 1), self._node(next(self._events), depth + 1)]
            name = self._key(built[-2].node, key_where)
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
            elif name is not None:
                keys[name], values[name] = key_where, built[-1].node
        return _around(Mapping(self._place(start.start_mark), keys, values), built)

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

    def _scalar(self, event: ScalarEvent) -> Scalar:
        text: str = event.value
        where = self._place(event.start_mark)
        if hidden := HIDDEN.search(text):
            self.problems.append(
                Problem(
                    "hidden-character",
                    f"the text holds the invisible character U+{ord(hidden.group()):04X}",
                    where,
                    why="it can make the text read differently from what it is",
                    hint="delete it",
                )
            )
            text = HIDDEN.sub("\ufffd", text)
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
