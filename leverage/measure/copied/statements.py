"""A Python file as logical lines, free of layout, comments, documentation and imports.

Read with one compiled expression and not with CPython's parser, so a file of another Python version, or a broken one,
is read like any other; what cannot be told is then only where a statement ends.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import Counter
from dataclasses import dataclass, field

_TOKEN = re.compile(
    rb"""(?P<string>(?:[rbfuRBFU]{1,2})?(?:
            \"\"\"(?:[^\\"]|\\.|"(?!""))*+(?:\"\"\"|\Z)
          | '''(?:[^\\']|\\.|'(?!''))*+(?:'''|\Z)
          | "(?:[^\\"\n]|\\.)*+(?:"|(?=\n)|\Z)
          | '(?:[^\\'\n]|\\.)*+(?:'|(?=\n)|\Z)))
      | (?P<name>[^\W\d]\w*+|[\x80-\xff][\w\x80-\xff]*+)
      | (?P<newline>\r\n|\n|\r)
      | (?P<space>[ \t\f]++)
      | (?P<comment>\#[^\r\n]*+)
      | (?P<number>\d[\w.]*+)
      | (?P<splice>\\(?:\r\n|\n|\r))
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<other>->|\*\*|//|[-+*/%@&|^<>=!:]=|.)""",
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset(word.encode() for word in (*keyword.kwlist, "self", "cls"))
_LINE_END = re.compile(rb"\r\n|\n|\r")
_IMPORTS = (b"import", b"from")
_TELLING = 5  # tokens; with fewer (`return x`, `f()`, `a = b`) everybody writes the same
_TAB = 8
_NAME = b"\0"  # stands for any name in a shape
_QUIET = frozenset({"string", "open", "close"})
_DEPTH = {"open": 1, "close": -1}
_HEADS = frozenset({b"def", b"class"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One logical line.

    Attributes:
        first: its first physical line, from 1.
        last: its last physical line, inclusive.
        indent: width of its indentation in columns; a tab goes on to the next multiple of eight.
        text: hash of its tokens; the same for every way of laying the statement out.
        shape: like `text`, with every name replaced by one mark, so that a renamed copy has the same shape. Keywords,
            numbers and strings keep their text.
        names: the names that `shape` leaves out, in order.
        telling: whether it says something by itself; `else:`, `return x`, `@property` and their like do not.
    """

    first: int
    last: int
    indent: int
    text: int
    shape: int
    names: tuple[bytes, ...]
    telling: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The statements of a function with what is inside it, of a class outside its methods, or of the rest of a file.

    Attributes:
        path: the file.
        symbol: dotted name inside the file; empty for the rest.
        statements: in order of lines.
    """

    path: str
    symbol: str
    statements: tuple[Statement, ...]


def read_blocks(path: str, data: bytes) -> tuple[Block, ...]:
    """Functions, classes and the rest of a file, in order of their first line; blocks without statements are left out.

    A function inside a function belongs to the outer one; decorators belong to what holds the function. Never raises;
    linear in the bytes.
    """
    held: dict[str, list[Statement]] = {}
    named: Counter[str] = Counter()
    scopes: list[tuple[int, str, bool]] = []  # indent of the head, symbol, whether a function
    for statement, head in _logical(data):
        while scopes and statement.indent <= scopes[-1][0]:
            scopes.pop()
        inside_function = bool(scopes) and scopes[-1][2]
        if head is not None and not inside_function:
            is_function, name = head
            outer = f"{scopes[-1][1]}." if scopes else ""
            symbol = f"{outer}{name}"
            named[symbol] += is_function or not named[symbol]  # a class that is opened again keeps its name
            if is_function and named[symbol] > 1:
                symbol = f"{symbol}#{named[symbol]}"
            scopes.append((statement.indent, symbol, is_function))
        held.setdefault(scopes[-1][1] if scopes else "", []).append(statement)
    return tuple(Block(path, symbol, tuple(statements)) for symbol, statements in held.items())


_Head = tuple[bool, str] | None
"""Whether a function (else a class), and its name; None where a statement begins neither."""


@dataclass(slots=True)
class _Open:
    """The statement that is being read."""

    first: int
    indent: int
    last: int = 0
    text: list[bytes] = field(default_factory=list)
    shape: list[bytes] = field(default_factory=list)
    names: list[bytes] = field(default_factory=list)
    says: bool = False  # holds something besides strings and brackets

    def add(self, kind: str | None, token: bytes) -> None:
        if kind == "close" and self.text and self.text[-1] == b",":  # a comma that layout alone put there
            self.text.pop()
            self.shape.pop()
        if kind == "name" and token not in _KEYWORDS:
            self.shape.append(_NAME)
            self.names.append(token)
        else:
            self.shape.append(token)
        self.text.append(token)
        self.says = self.says or kind not in _QUIET

    def statement(self) -> tuple[Statement, _Head] | None:
        """What was read; None for documentation and imports."""
        text = self.text
        if not self.says or text[0] in _IMPORTS:
            return None
        start = 1 if text[0] == b"async" and len(text) > 1 else 0
        head: _Head = None
        if text[start] in _HEADS and len(text) > start + 1:
            head = (text[start] == b"def", text[start + 1].decode("utf-8", "surrogateescape"))
        telling = len(text) >= _TELLING and (text[0] != b"@" or b"(" in text)
        joined, shape = b" ".join(text), b" ".join(self.shape)
        extent = (self.first, self.last, self.indent)
        return Statement(*extent, _hash(joined), _hash(shape), tuple(self.names), telling), head


def _logical(data: bytes) -> list[tuple[Statement, _Head]]:
    found: list[tuple[Statement, _Head] | None] = []
    now: _Open | None = None
    line = 1
    column = depth = 0
    for match in _TOKEN.finditer(data):
        kind, token = match.lastgroup, match[0]
        if kind == "newline":
            line += 1
            column = 0
            if now is not None and not depth:
                found.append(now.statement())
                now = None
        elif kind == "space":
            column = _width(token)
        elif kind == "splice":
            line += 1
        elif kind != "comment":
            if now is None:
                now = _Open(line, column)
            if kind == "string":
                line += len(_LINE_END.findall(token))
                token = _plain(token)
            depth = max(depth + _DEPTH.get(kind or "", 0), 0)
            now.add(kind, token)
            now.last = line
    if now is not None:
        found.append(now.statement())
    return [each for each in found if each is not None]


def _hash(text: bytes) -> int:
    """64 bits that are the same in every process, unlike those of `hash`."""
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _plain(token: bytes) -> bytes:
    """A string literal with the commoner quotes, so that a formatter's choice makes no difference."""
    prefix = len(token) - len(token.lstrip(b"rbfuRBFU"))
    body = token[prefix:]
    if body[:1] == b"'" and not body.startswith(b"'''") and b'"' not in body and b"\\" not in body:
        body = b'"' + body[1:-1] + b'"'
    return token[:prefix].lower() + body


def _width(space: bytes) -> int:
    """Columns of the white space at the head of a line; a form feed begins anew."""
    return len(space.rpartition(b"\f")[2].expandtabs(_TAB))
