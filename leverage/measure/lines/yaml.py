"""YAML: block scalars by their indentation, quoted scalars only where a node can start, flow collections.

Rules beyond `base`:

- The text of a block scalar is data: ``string`` or a finer class of it, whatever it looks like, with the blank lines
  between its first and its last line. Blank lines after it belong to it only when it keeps them (``|+``). Its header is
  code.
- A quoted scalar is ``string``, a plain one is code, over all its lines. ``- "a"`` is code, for the dash is a token;
  ``"a": "b",`` is ``string``, for colon and comma are separators.
- ``#`` opens a comment at the start of a line or after white space, outside scalars. Document markers and directives
  are code.
- What is not closed runs to the end of the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import (
    CODE,
    COMMENT,
    SHEBANG,
    STRING,
    STRING_LIKE_BRACKET,
    STRING_LIKE_COMMENT,
    Rule,
    Scanner,
    Span,
    indented_block,
    told_apart,
)
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

BLOCK = Rule(
    "block scalar",
    LineClass.STRING,
    "text of a block scalar",
    LineClass.BLANK_IN_STRING,
    told_apart(b"#", STRING_LIKE_COMMENT, STRING_LIKE_BRACKET),
)

_QUOTED = rb'(?P<quoted>"(?:[^"\\]++|\\.)*+"?+|' + rb"'(?:[^']++|'')*+'?+)"
# What may stand next on a line in block context, past white space.
_NODE = re.compile(
    rb"(?P<white>[ \t]*+)(?:"
    rb"(?P<end>\n)"
    rb"|(?P<comment>#[^\n]*+)"
    rb"|(?P<indicator>[-?:])(?=[ \t\n])"
    rb"|" + _QUOTED + rb"(?P<quoted_key>[ \t]*+:(?=[ \t\n]))?+"
    rb"|(?P<flow>[\[{])"
    rb"|[|>](?P<header>[-+0-9]{0,2}+)(?=[ \t]*+(?:\n|\#(?<=[ \t]\#)))[^\n]*+\n"
    rb"|(?P<property>[&!][^ \t\n]*+)(?=[ \t\n])"
    rb"|(?P<plain>(?:[^:#\n]++|:(?![ \t\n])|#(?<![ \t]#))++)(?P<plain_key>:)?+"
    rb")",
    re.DOTALL,
)
_FLOW = re.compile(
    rb"[ \t\n]*+(?:"
    rb"(?P<comment>#[^\n]*+)"
    rb"|" + _QUOTED + rb"(?:[ \t\n]*+:)?+"
    rb"|(?P<open>[\[{])"
    rb"|(?P<close>[\]}])"
    rb"|[,:]|\?(?=[ \t\n])|[&!][^ \t\n,\[\]{}]*+"
    rb"|(?:[^,\[\]{}:#]++|:(?![ \t\n,\[\]{}])|#(?<![ \t\n]#))++"
    rb")",
    re.DOTALL,
)
_MARKER = re.compile(rb"(?:---|\.\.\.)(?=[ \t\n])")
_BLANK_LINES = re.compile(rb"(?:[ \t]*+\n)*+")
# Text of a document that is one block scalar may start in the first column, and then ends only with the document.
_FIRST_COLUMN = re.compile(rb"(?:(?:[ \t]*+\n)*+(?!(?:---|\.\.\.)[ \t\n])[ \t]*+[^ \t\n][^\n]*+\n)*+")
_LEADING = re.compile(rb"^ *+", re.MULTILINE)
# A further line of a plain scalar; a colon would make it a key.
_MORE_PLAIN = re.compile(
    rb"(?P<indent> *+)[ \t]*+(?![# \t\n])(?P<text>(?:[^:#\n]++|:(?![ \t\n])|#(?<![ \t]#))++)(?P<comment>#[^\n]*+)?+\n"
)

# Lines that are code whatever else they hold, taken at once: keys with a value on their line, and entries of one
# indentation. A line that starts with a key or an indicator follows, so none of them goes on there, and that line need
# not know what it belongs to.
_KEY = rb" *+(?:- ++)*+[A-Za-z0-9_][A-Za-z0-9_./-]*+:(?=[ \n])"
_VALUE = (
    rb" ++(?:(?![-?:][ \n])[A-Za-z0-9_.+/(-](?:[^\n:#\"'\[\]{}]++|:(?![ \t\n]))*+"
    rb"|\[[^\n:#\"'\[\]{}]*+\] *+|\"[^\"\\\n]*+\" *+|'[^'\n]*+' *+)\n"
)
_SIMPLE = re.compile(
    rb"(?:" + _KEY + rb"(?:" + _VALUE + rb"(?=" + _KEY + rb")| *+\n(?=" + _KEY + rb"| *+- ))"
    rb"|(?P<indent> *+)-" + _VALUE + rb"(?=" + _KEY + rb"|(?P=indent)- ))++"
)

_PARENTS = ("indicator", "quoted_key", "plain_key")
_LINE_END = ord("\n")


class _Reader:
    """One pass over a stream: `found` are its spans. Positions are offsets; columns are bytes from the line's start."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.found: list[Span] = []
        self.parent = -1  # column of the last key or indicator: what belongs to it stands further right

    def read(self) -> Iterator[Span]:
        position = 0
        if self.text.startswith(b"#!"):
            position = self.text.find(b"\n")
            self.found.append((0, position, SHEBANG))
        while position < len(self.text):
            position = yield from self._line(_past(_SIMPLE, self.text, position))
            yield from self._taken()

    def _taken(self) -> list[Span]:
        """What was found since the last time: it is handed on at once, for one line may hold the whole file."""
        taken, self.found = self.found, []
        return taken

    def _line(self, line: int) -> Generator[Span, None, int]:
        """Read a line in block context with all that its nodes open; gives the start of the next line to be read."""
        marker = _MARKER.match(self.text, line)
        position = marker.end() if marker else line
        if marker:
            self.parent = -1
        parent = column = -1  # columns of what the next node belongs to and of the node; -1 while they are not known
        while match := _NODE.match(self.text, position):
            kind = match.lastgroup or ""
            position = match.end()
            if kind == "end":
                return position
            if column < 0:
                column = match.end("white") - line
                parent = self.parent if parent < 0 and self.parent <= column else parent
            if kind in _PARENTS:
                parent = self.parent = column
                column = -1
            self._paint(match)
            yield from self._taken()
            if kind == "flow":
                position = yield from self._flow(position)
            elif kind == "header":
                return self._block(position, parent, match[kind])
            elif kind == "plain" and self.text[position] == _LINE_END:
                return self._plain(position + 1, parent)
        return len(self.text)

    def _paint(self, match: re.Match[bytes]) -> None:
        if match["quoted"]:
            self.found.append((*match.span("quoted"), STRING))
        elif match["comment"]:
            self.found.append((*match.span("comment"), COMMENT))

    def _block(self, position: int, parent: int, header: bytes) -> int:
        """The end of a block scalar whose text starts here."""
        stated = header.strip(b"+-")
        first = _past(_BLANK_LINES, self.text, position)
        if stated:
            indent = max(parent, 0) + int(stated)
        else:  # the deepest of the lines up to the first that has text, as parsers do it
            lines = _LEADING.finditer(self.text, position, _past(_LEADING, self.text, first))
            indent = max((len(match[0]) for match in lines), default=0)
        end = position
        if indent > parent:
            end = indented_block(self.text, position, indent) if indent else _past(_FIRST_COLUMN, self.text, position)
        if b"+" in header:
            end = _past(_BLANK_LINES, self.text, end)
        if end > position:
            self.found.append((position, end, BLOCK))
        return end

    def _plain(self, position: int, parent: int) -> int:
        """The end of a plain scalar that may go on in this line."""
        while True:
            line = _past(_BLANK_LINES, self.text, position)
            more = _MORE_PLAIN.match(self.text, line)
            if not more or (parent >= 0 and more.end("indent") - line <= parent) or _MARKER.match(self.text, line):
                return position
            position = more.end()
            self.found.append((line, more.end("text"), CODE))  # even if it is only a bracket
            if more["comment"]:
                self.found.append((*more.span("comment"), COMMENT))
                return position

    def _flow(self, position: int) -> Generator[Span, None, int]:
        """The end of a flow collection whose first bracket was read."""
        depth = 1
        while depth and (match := _FLOW.match(self.text, position)):
            position = match.end()
            kind = match.lastgroup
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth -= 1
            self._paint(match)
            yield from self._taken()
        return len(self.text) if depth else position


def _past(pattern: re.Pattern[bytes], text: bytes, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


YAML = Scanner("yaml", lambda text: _Reader(text).read())
