"""Python and Starlark: string statements told from string expressions, f-strings nested as since Python 3.12.

Rules beyond `base`:

- A statement that consists of string literals only is ``documentation``, wherever it stands: a docstring and a bare
  string do nothing but tell. It may be several adjacent literals, continued by backslashes, f- or b-prefixed, after the
  colon of a header (``class A: "text"``) or after a semicolon. In parentheses it is an expression, hence ``string``.
- Any other literal is ``string``: an argument, a value of a dictionary, an annotation (``x: "T"``), a default.
- In three quotes it is ``string_like_documentation``, but for the ends of it that share their line with something else:
  a last line with brackets behind the quotes stays ``string`` when the literal starts its line.
- ``...`` is code; ``pass`` does nothing and is a ``bracket``.
- A literal that is not closed ends with its line, or with the file when triple-quoted.
- A coding cookie is a comment. Bytes are not decoded: every encoding that keeps ASCII bytes for ASCII text counts
  right, so all that Python accepts for source but UTF-7 and the East Asian ones with a backslash as second byte.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Rule, Scanner
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

STATEMENT = Rule(
    "string statement",
    LineClass.DOCUMENTATION,
    "a docstring or another statement that is only a string",
    blank=LineClass.BLANK_IN_DOCUMENTATION,
)
_LIKE_DOCUMENTATION = Rule(
    "string in three quotes",
    LineClass.STRING_LIKE_DOCUMENTATION,
    "text between three quotes that is part of an expression, hence no docstring",
    blank=LineClass.BLANK_IN_STRING,
)
PASS = Rule("pass", LineClass.BRACKET, "`pass` does nothing")

_LITERAL = (
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?+'
    rb"|'''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?+"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?+'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?+"
)
# Every alternative starts with its own byte, so a search passes over code at the speed of one comparison per byte.
_TOKEN = re.compile(rb"#[^\n]*+|" + _LITERAL, re.DOTALL)
_PASS = re.compile(rb"pass(?![\w\x80-\xff])")
# After a literal, past white space and continuations: the end of the statement, or the start of an adjacent literal.
_AFTER = re.compile(rb"[ \t\f]*+(?:\\\n[ \t\f]*+)*+(?:([\n;#]|\Z)|(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])?+[\"'])")

_MOST_ADJACENT = 100_000  # literals in a row that may still turn out to be part of an expression
_REACH = 200  # bytes of white space before a literal that may separate it from the start of its line
_ALONE_BEHIND = re.compile(rb"[ \t\f]*+\n")
_OPENS_TRIPLE = re.compile(rb"[A-Za-z]{0,2}(?:\"\"\"|''')")

_HASH, _BANG, _NEWLINE, _SEMICOLON, _COLON = b"#!\n;:"
_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" + bytes(range(0x80, 0x100)))
_BEFORE_QUOTE = frozenset(b"rRbBfFtTuU")
_PAIRS = frozenset((b"rb", b"br", b"rf", b"fr", b"rt", b"tr", b"ur"))
_INTERPOLATED = frozenset(b"fFtT")
_HEADERS = frozenset(b"class def async if elif else for while try except finally with".split())
_SOFT_HEADERS = frozenset((b"match", b"case"))
_CODE = re.compile(rb"[\w\x80-\xff]++|\\\n|:=|[^ \t\f]")

# A level inside an f-string: its quotes, and its literal text, a format, or from 0 up the open brackets of a field.
_Level = tuple[bytes, int]
_TEXT, _FORMAT = -1, -2
_TRIPLE = (b'"""', b"'''")
_PLAIN_FIELDS = re.compile(rb"(?:[^{}\\]++|\\[^{}]|\{\{|\}\}|\{[^{}\"'\\#]*+\})*+", re.DOTALL)
_UP_TO = {
    (quotes, state): re.compile(
        rb"(?:[^\\{}%b]++|\\[^{}]|\\(?=[{}])%b)*+"
        % (
            quotes[:1] + (b"" if quotes in _TRIPLE else b"\n"),
            (rb"|\{\{|\}\}" if state == _TEXT else b"")
            + (b"|%c(?!%b)" % (quotes[0], quotes[:2]) if quotes in _TRIPLE else b""),
        ),
        re.DOTALL,
    )
    for quotes in (*_TRIPLE, b'"', b"'")
    for state in (_TEXT, _FORMAT)
}
_UP_TO_FIELD_TOKEN = re.compile(rb"(?:[^\"'#()\[\]{}:]++|#[^\n]*+)*+")
_NESTS = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1, b":": 0}
_NESTING = bytes.maketrans(b"[{]}", b"(())")


def _spans(text: bytes) -> Iterator[Span]:
    spans = _literals_and_comments(text)
    if not _PASS.search(text):
        return spans
    words = (match.start() for match in _PASS.finditer(text))
    return _with_passes(spans, (start for start in words if text[start - 1] not in _NAME))


def _triple(text: bytes, start: int, end: int) -> Iterator[Span]:
    """The lines of a literal in three quotes that counters by quotes alone take for documentation.

    To them the literal and its line ends are one comment, so of the two lines at its ends one stays code when anything
    else stands on either: the first, if something stands before the quotes on it, else the last.
    """
    before = text[max(0, start - _REACH) : start]
    line = before.rfind(b"\n")
    starts_line = (line >= 0 or start <= _REACH) and not before[line + 1 :].strip()
    if starts_line and not _ALONE_BEHIND.match(text, end):
        end = text.rfind(b"\n", start, end) + 1
    if start < end:
        yield start, end, _LIKE_DOCUMENTATION


TRIPLE = Rule(STRING.name, STRING.line_class, STRING.reason, STRING.blank, _triple)


def _literal(text: bytes, start: int, end: int) -> Span:
    """An expression's literal as a span."""
    triple = text[end - 3 : end] in _TRIPLE and _OPENS_TRIPLE.match(text, start)
    return start, end, TRIPLE if triple else STRING


def _with_passes(spans: Iterator[Span], waiting: Iterator[int]) -> Iterator[Span]:
    """Add the words that stand neither in a literal nor in a comment."""
    word = next(waiting, -1)
    position = 0
    for span in spans:
        while 0 <= word < span[0]:
            if word >= position:
                yield word, word + 4, PASS
            word = next(waiting, -1)
        yield span
        position = span[1]
    if word >= 0:
        yield from ((start, start + 4, PASS) for start in chain((word,), waiting) if start >= position)


def _literals_and_comments(text: bytes) -> Iterator[Span]:
    nesting = text.translate(_NESTING)
    position = 0  # end of the last token
    depth = 0  # of brackets at the current token
    statements = _Statements(text)
    pending: list[tuple[int, int]] = []  # literals that are a statement of their own unless code follows them
    for start, end in _tokens(text, 0, len(text)):
        depth = max(0, depth + nesting.count(b"(", position, start) - nesting.count(b")", position, start))
        if text[start] == _HASH:
            yield start, end, SHEBANG if not start and text[1] == _BANG else COMMENT
        elif depth:
            yield _literal(text, start, end)
        else:
            after = _AFTER.match(text, end)
            if pending or (after and _starts_statement(text, position, start, statements)):
                if len(pending) >= _MOST_ADJACENT:  # nobody writes so many: what is kept in memory has a bound
                    yield pending[0][0], start, STATEMENT
                    pending.clear()
                pending.append((start, end))
                if not after:
                    yield from (_literal(text, *literal) for literal in pending)
                    pending.clear()
                elif after[1] is not None:
                    yield pending[0][0], after.start(1), STATEMENT  # with the backslashes that continue it
                    pending.clear()
            else:
                yield _literal(text, start, end)
        position = end


def _tokens(text: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The comments and the literals with their prefixes, in order."""
    patience = 2 * (stop - start)  # bytes that may be read in vain in broken f-strings: keeps the whole linear
    while start < stop:
        for match in _TOKEN.finditer(text, start, stop):
            begin, end = match.span()
            if text[begin - 1] in _BEFORE_QUOTE and text[begin] != _HASH:
                quote = begin
                begin, interpolated = _prefix(text, quote)
                if interpolated and patience > 0 and not _PLAIN_FIELDS.fullmatch(text, quote, end):
                    nested = _interpolated_end(text, quote, stop)
                    patience += min(nested, 0)
                    if nested > 0:
                        yield begin, nested
                        start = nested
                        break
            yield begin, end
        else:
            return


def _prefix(text: bytes, quote: int) -> tuple[int, bool]:
    """Where the literal of an opening quote starts, and whether it has replacement fields. The text ends with LF."""
    if text[quote - 2] not in _NAME:
        return quote - 1, text[quote - 1] in _INTERPOLATED
    pair = text[max(0, quote - 2) : quote].lower()
    if pair in _PAIRS and text[quote - 3] not in _NAME:
        return quote - 2, pair[0] in _INTERPOLATED or pair[1] in _INTERPOLATED
    return quote, False  # the letter ends a name, as in `print"text"`


def _starts_statement(text: bytes, position: int, start: int, statements: _Statements) -> bool:
    """Whether a statement starts at a literal outside all brackets; the token before it ends at `position`."""
    before = text[position:start].rstrip(b" \t\f")
    if before.endswith(b"\\\n"):
        before = text[position:start].rstrip(b" \t\f\\\n")
        between = text[position + len(before) : start]
        if between.count(b"\n") != between.count(b"\\\n"):
            before = b"\n"
    if not before:
        return not position
    last = before[-1]
    if last == _COLON:
        return statements.starts_at(start)
    if last == _NEWLINE:
        statements.restart(start)
    return last in (_NEWLINE, _SEMICOLON)


class _Statements:
    """Where statements start, worked out only as far as a literal after a colon needs it."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.restart(0)

    def restart(self, position: int) -> None:
        """A statement starts here."""
        self._position = position
        self._depth = 0
        self._begin()

    def _begin(self) -> None:
        self._first = b""  # first word of the statement
        self._words = 0  # what was seen of the statement
        self._lambdas = 0  # whose colon is still to come

    def starts_at(self, position: int) -> bool:
        """Whether no part of a statement stands between its start and this place."""
        for start, end in _tokens(self._text, self._position, position):
            self._read(start)
            self._words += self._text[start] != _HASH
            self._position = end
        self._read(position)
        return not self._words

    def _read(self, position: int) -> None:
        for match in _CODE.finditer(self._text, self._position, position):
            self._code(match[0])
        self._position = position

    def _code(self, token: bytes) -> None:
        if token in b"([{":
            self._depth += 1
        elif token in b")]}":
            self._depth = max(0, self._depth - 1)
        elif self._depth > 0 or token == b"\\\n":
            return
        elif token in b"\n;":
            self._begin()
            return
        elif token == b":":
            if self._lambdas:
                self._lambdas -= 1
            elif self._first in _HEADERS or (self._first in _SOFT_HEADERS and self._words > 1):
                self._begin()
                return
        elif token == b"lambda":
            self._lambdas += 1
        if not self._words:
            self._first = token
        self._words += 1


def _interpolated_end(text: bytes, quote: int, stop: int) -> int:
    """End of the f-string whose quotes open at `quote`, or minus the bytes read when it doesn't close before `stop`."""
    levels: list[_Level] = []  # innermost last
    position = _open(text, quote, levels)
    while levels:
        step = _in_text if levels[-1][1] < 0 else _in_field
        position = step(text, position, stop, levels)
        if position < 0:
            return quote + position
    return position


def _open(text: bytes, quote: int, levels: list[_Level]) -> int:
    quotes = text[quote : quote + 3]
    quotes = quotes if quotes in _TRIPLE else quotes[:1]
    levels.append((quotes, _TEXT))
    return quote + len(quotes)


def _in_text(text: bytes, position: int, stop: int, levels: list[_Level]) -> int:
    """Past the next end of literal text or format: the position after it, or minus the position where it is broken."""
    quotes, state = levels[-1]
    match = _UP_TO[quotes, state].match(text, position, stop)
    position = match.end() if match else stop
    byte = text[position : position + 1] if position < stop else b""
    if byte == b"{":
        levels.append((quotes, 0))
        return position + 1
    if state == _FORMAT and byte == b"}":
        levels.pop()
        return position + 1
    if state == _TEXT and byte and text.startswith(quotes, position):
        levels.pop()
        return position + len(quotes)
    return -position


def _in_field(text: bytes, position: int, stop: int, levels: list[_Level]) -> int:
    """Past the next bracket, colon or literal of a field: the position after it, or minus where it is broken."""
    quotes, depth = levels[-1]
    match = _UP_TO_FIELD_TOKEN.match(text, position, stop)
    position = match.end() if match else stop
    byte = text[position : position + 1] if position < stop else b""
    if byte in (b'"', b"'"):
        if _prefix(text, position)[1]:
            return _open(text, position, levels)
        literal = _TOKEN.match(text, position, stop)
        return literal.end() if literal else -stop
    if not byte or (not depth and byte in b")]"):
        return -position
    if not depth and byte == b"}":
        levels.pop()
    elif not depth and byte == b":":
        levels[-1] = (quotes, _FORMAT)
    else:
        levels[-1] = (quotes, depth + _NESTS[byte])
    return position + 1


PYTHON = Scanner("python", _spans)
STARLARK = Scanner("starlark", _spans)  # its grammar is a part of Python's
