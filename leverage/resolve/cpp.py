"""Where C++ of a port touches its substrate: headers it includes, classes it derives from, macros it registers with.

A reader of text, not a compiler: comments, strings and brackets are understood, the preprocessor is not run, names are
resolved by the namespace they are written with and by ``using`` declarations of the same file. A namespace that the
port opens inside the substrate's (``c10::musa``) is the port's, unless the substrate has one of that name as well.

- ``import``: an ``#include`` whose first folder is the substrate's; the symbol is the header, ``c10/core/Allocator.h``.
- ``subclass``: a base class in a namespace of the substrate; the symbol is that class, ``c10::Allocator``.
- ``override``: a method marked ``override`` in such a class, but no destructor; with several upstream bases the first
  is named.
- ``registration``: a registering macro of the substrate at the outermost level (``TORCH_LIBRARY_IMPL``,
  ``C10_REGISTER...``, ``REGISTER_...`` unless the port defines it), with the operators it registers as ``members``; and
  a call such as ``c10::register_privateuse1_backend(...)`` or ``c10::SetAllocator(...)``.

``private`` is a part that begins with an underscore, or a namespace or folder named ``detail``, ``impl`` or
``internal``, as these libraries name what is not for others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Certainty, Scope, Step, TouchKind, Touchpoint, Unresolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".cu", ".mu", ".muh", ".mm", ".inl")
LARGEST = 4 * 2**20
"""Bytes: a longer file is a table, not code; it becomes a row that says so."""
SHOWN = 80
"""Characters of source text that a row quotes at most."""


@dataclass(frozen=True, slots=True)
class Substrate:
    """How the C++ of a substrate is told.

    Attributes:
        folders: first folders of its headers.
        namespaces: its outermost namespaces.
        inner: namespaces below them, which a port may open again to add to them.
        macros: beginnings of the names of its registering macros.
    """

    folders: frozenset[str]
    namespaces: frozenset[str]
    inner: frozenset[str]
    macros: tuple[str, ...]


SUBSTRATES: Mapping[str, Substrate] = {
    "torch": Substrate(
        folders=frozenset({"torch", "ATen", "c10", "caffe2"}),
        namespaces=frozenset({"torch", "at", "c10", "c10d", "caffe2"}),
        inner=frozenset(
            (
                *("native", "impl", "detail", "internal", "jit", "autograd", "profiler", "functorch", "sparse", "meta"),
                *(
                    "inductor",
                    "aot_inductor",
                    "dynamo",
                    "cuda",
                    "hip",
                    "xpu",
                    "mps",
                    "mtia",
                    "vec",
                    "indexing",
                    "utils",
                ),
                *("python", "distributed", "rpc", "monitor", "serialize", "nn", "optim", "data", "special", "linalg"),
                *(
                    "fft",
                    "symint",
                    "redispatch",
                    "_ops",
                    "accelerator",
                    "cpu",
                    "quantized",
                    "fx",
                    "lazy",
                    "throw_error",
                ),
            )
        ),
        macros=("TORCH_LIBRARY", "C10_REGISTER", "C10_DEFINE_REGISTRY", "REGISTER_", "AOTI_TORCH_REGISTER"),
    )
}
"""By import name of the substrate's package."""

_OPENER = re.compile(rb"//|/\*|(?:\bu8|\b[uUL])?R\"|\"|'|\b[0-9][0-9A-Za-z_.']*+")
_RAW = re.compile(rb"R\"([^()\\\s]{0,16})\(")
_QUOTED = {
    ord('"'): re.compile(rb'"(?:[^"\\\n]|\\.)*+"?', re.DOTALL),
    ord("'"): re.compile(rb"'(?:[^'\\\n]|\\.)*+'?", re.DOTALL),
}
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import)[ \t]*[<\"]([^>\"\n]{1,400})[>\"]", re.MULTILINE)
_NAMESPACE = re.compile(rb"\bnamespace\s+([A-Za-z_]\w*(?:::[A-Za-z_]\w*){0,8})\s*\{")
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(", re.MULTILINE)
_CLASS = re.compile(
    rb"\b(?:class|struct)\s+(?:(?:[A-Z_][A-Z0-9_]*(?:\([^()\n]{0,80}\))?|\[\[[^\]\n]{0,80}\]\])\s+){0,3}"
    rb"([A-Za-z_]\w*(?:::[A-Za-z_]\w*){0,8})\s*(?:<[^<>;{}]{0,200}>\s*)?(?:final\s*)?:(?!:)([^;{}]{1,600}+)\{"
)
_USING = re.compile(rb"\busing\s+(?:::)?((?:[A-Za-z_]\w*::){1,8}[A-Za-z_]\w*)\s*;")
_NAME = re.compile(rb"(?:::)?([A-Za-z_]\w*(?:::[A-Za-z_]\w*){0,12})")
_ACCESS = re.compile(rb"\b(?:virtual|public|protected|private)\b")
_MACRO = re.compile(rb"^[ \t]*([A-Z][A-Z0-9_]{3,60})[ \t]*\(", re.MULTILINE)
_CALL = re.compile(rb"\b((?:[A-Za-z_]\w*::){1,6}(?:\w*[Rr]egister\w*|Set[A-Z]\w*))\s*(?:<[^<>;{}()]{0,80}>\s*)?\(")
_BRACKETS = re.compile(rb"[{}()]|\boverride\b")
_BEFORE_BODY = re.compile(rb"(?:\s|\b(?:const|noexcept|final|volatile)\b|&)*+\Z")
_LAST_NAME = re.compile(rb"(~?[A-Za-z_]\w*|operator[^\w\s]{1,3})\s*\Z")
_OPERATOR = re.compile(rb"\.\s*(?:impl|def)\s*\(\s*(?:TORCH_SELECTIVE_NAME\s*\(\s*)?\"([^\"\\\n]{1,200})\"")
_HIDDEN = frozenset({"detail", "impl", "internal"})
_LOOK_BACK = 200  # bytes between `override` and the parenthesis that closes the parameters


def read_cpp(
    files: Mapping[str, bytes], substrate: str = "torch"
) -> tuple[tuple[Touchpoint, ...], tuple[Unresolved, ...]]:
    """The touchpoints of C++ files, in the order of paths, lines and columns.

    Args:
        files: bytes by path; all files of the port, since macros it defines itself are not the substrate's.
        substrate: import name of the substrate; one that is not in `SUBSTRATES` has no C++ that is known here.
    """
    if substrate not in SUBSTRATES:
        return (), ()
    found: list[Touchpoint] = []
    left: list[Unresolved] = []
    texts: dict[str, _Text] = {}
    for path in sorted(files):
        if len(files[path]) > LARGEST:
            why = f"{len(files[path])} bytes of C++ in one file, more than the {LARGEST} that are read"
            left.append(Unresolved(path, 1, None, "", why))
        else:
            texts[path] = _Text(path, files[path])
    theirs = SUBSTRATES[substrate]
    own = _Own(
        frozenset(match[1].decode() for text in texts.values() for match in _DEFINE.finditer(text.code)),
        frozenset(
            part
            for text in texts.values()
            for match in _NAMESPACE.finditer(text.bare)
            for part in match[1].decode().split("::")
        )
        - theirs.namespaces
        - theirs.inner,
    )
    for text in texts.values():
        found += _touchpoints(text, theirs, own)
    found.sort(key=lambda each: (each.path, each.line, each.column, each.kind, each.symbol))
    return tuple(found), tuple(left)


@dataclass(frozen=True, slots=True)
class _Own:
    """What the port defines itself: macros with parameters, and namespaces that are not the substrate's."""

    macros: frozenset[str]
    namespaces: frozenset[str]

    def theirs(self, name: str, substrate: Substrate) -> bool:
        """Whether a qualified name is in a namespace of the substrate that the port does not own."""
        first, *inner = name.split("::")
        return first in substrate.namespaces and bool(inner) and not self.namespaces.intersection(inner[:-1])


class _Text:
    """A file with comments blanked (``code``), and strings as well (``bare``); offsets are those of the bytes."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        code, bare = bytearray(data), bytearray(data)
        at = 0
        while (match := _OPENER.search(data, at)) is not None:
            start, at = match.start(), _end(data, match)
            if data[start] == ord("/"):
                _blank(code, start, at)
            if not data[start : start + 1].isdigit():
                _blank(bare, start, at)
        self.code, self.bare = bytes(code), bytes(bare)
        self._starts = [0, *(found.end() for found in re.finditer(rb"\n", data))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line from 1 and column from 0 of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]


def _end(data: bytes, match: re.Match[bytes]) -> int:
    """Where a comment, string, character or number that begins at a match ends."""
    word = match[0]
    if word == b"//":
        end = data.find(b"\n", match.end())
    elif word == b"/*":
        end = data.find(b"*/", match.end()) + 2
        end = -1 if end == 1 else end
    elif word.endswith(b'R"'):
        raw = _RAW.match(data, match.end() - 2)
        close = b"" if raw is None else b")" + raw[1] + b'"'
        found = -1 if raw is None else data.find(close, raw.end())
        end = match.end() if raw is None else -1 if found < 0 else found + len(close)
    elif word in {b'"', b"'"}:
        quoted = _QUOTED[word[0]].match(data, match.start())
        end = match.end() if quoted is None else quoted.end()
    else:
        end = match.end()
    return len(data) if end < 0 else end


_NOT_LINE_END = re.compile(rb"[^\n]+")


def _blank(text: bytearray, start: int, end: int) -> None:
    text[start:end] = _NOT_LINE_END.sub(lambda found: b" " * len(found[0]), bytes(text[start:end]))


def _touchpoints(text: _Text, theirs: Substrate, own: _Own) -> Iterator[Touchpoint]:
    for match in _INCLUDE.finditer(text.code):
        header = match[1].decode("utf-8", "backslashreplace").removeprefix("./")
        if "/" in header and header.partition("/")[0] in theirs.folders:
            yield _row(text, match.start(1), TouchKind.IMPORT, "include", header)
    brackets = _Brackets(text.bare)
    yield from _classes(text, brackets, partial(own.theirs, substrate=theirs))
    for match in _MACRO.finditer(text.bare):
        macro = match[1].decode()
        if macro.startswith(theirs.macros) and macro not in own.macros and brackets.outermost(match.start(1)):
            close = brackets.closes.get(match.end() - 1, match.end())
            value = " ".join(text.code[match.end() : close].decode("utf-8", "backslashreplace").split())
            members = _operators(text, brackets, close)
            yield _row(text, match.start(1), TouchKind.REGISTRATION, "macro", macro, value=value, members=members)
    for match in _CALL.finditer(text.bare):
        if own.theirs(symbol := match[1].decode(), theirs):
            yield _row(text, match.start(1), TouchKind.REGISTRATION, "call", symbol)


def _classes(text: _Text, brackets: _Brackets, theirs: Callable[[str], bool]) -> Iterator[Touchpoint]:
    using = {each.rpartition("::")[2]: each for each in (found[1].decode() for found in _USING.finditer(text.bare))}
    for match in _CLASS.finditer(text.bare):
        name = match[1].decode()
        bases = list(_bases(match[2], match.start(2), theirs, using))
        for offset, base, step in bases:
            yield _row(text, offset, TouchKind.SUBCLASS, "base", base, within=name, step=step)
        if bases:
            certainty = Certainty.CERTAIN if len(bases) == 1 else Certainty.LIKELY
            for offset, method in brackets.overrides(match.end() - 1):
                symbol, within = f"{bases[0][1]}::{method}", f"{name}::{method}"
                yield _row(text, offset, TouchKind.OVERRIDE, "override", symbol, within=within, certainty=certainty)


def _bases(
    clause: bytes, offset: int, theirs: Callable[[str], bool], using: Mapping[str, str]
) -> Iterator[tuple[int, str, str]]:
    """Offset, name and how it was found of each base class that is the substrate's."""
    depth, start = 0, 0
    pieces: list[tuple[int, int]] = []
    for at, char in enumerate(clause):
        if char in b"<([":
            depth += 1
        elif char in b">)]":
            depth -= 1
        elif char == ord(",") and depth == 0:
            pieces.append((start, at))
            start = at + 1
    for begin, end in [*pieces, (start, len(clause))]:
        plain = _ACCESS.sub(lambda found: b" " * len(found[0]), clause[begin:end])
        match = _NAME.search(plain)
        if match is None:
            continue
        name = match[1].decode()
        place = offset + begin + match.start(1)
        if theirs(name):
            yield place, name, ""
        elif (declared := using.get(name)) and theirs(declared):
            yield place, declared, f"{name} is {declared} by a using declaration"


class _Brackets:
    """Which bracket closes which, how deep each stands, and what is overridden in which class."""

    def __init__(self, bare: bytes) -> None:
        self.closes: dict[int, int] = {}
        self._bare = bare
        self._opens: dict[int, int] = {}
        self._overrides: dict[int, list[tuple[int, str]]] = {}
        self._inside: list[tuple[int, int]] = []  # offset from which so many braces that are no namespace are open
        stack: list[int] = []
        deep = 0
        for match in _BRACKETS.finditer(bare):
            at, char = match.start(), match[0]
            if char in {b"{", b"("}:
                stack.append(at)
                deep += char == b"{" and not self._of_namespace(at)
            elif char in {b"}", b")"}:
                partner = b"{" if char == b"}" else b"("
                if stack and bare[stack[-1] : stack[-1] + 1] == partner:
                    start = stack.pop()
                    self.closes[start], self._opens[at] = at, start
                    deep -= char == b"}" and not self._of_namespace(start)
            elif stack and (method := self._method(at)):
                self._overrides.setdefault(stack[-1], []).append((at, method))
            self._inside.append((at, deep))

    def overrides(self, brace: int) -> list[tuple[int, str]]:
        """Offsets and names of the methods marked so in the class whose body begins at a brace."""
        return self._overrides.get(brace, [])

    def outermost(self, offset: int) -> bool:
        """Whether only namespaces are open at an offset."""
        at = bisect_right(self._inside, (offset, -1)) - 1
        return at < 0 or self._inside[at][1] == 0

    def _of_namespace(self, brace: int) -> bool:
        head = self._bare[max(0, brace - _LOOK_BACK) : brace]
        return re.search(rb"\b(?:namespace(?:\s+[\w:]+)?|extern)\s*\Z", head) is not None

    def _method(self, offset: int) -> str:
        """The method whose head ends before an ``override``; empty where there is none."""
        end = offset
        for _ in range(3):  # `noexcept(...)` and macros may stand between
            blanks = _BEFORE_BODY.search(self._bare, max(0, end - _LOOK_BACK), end)
            end = end if blanks is None else blanks.start()
            start = self._opens.get(end - 1)
            if start is None:
                return ""
            name = _LAST_NAME.search(self._bare, max(0, start - _LOOK_BACK), start)
            if name is None:
                return ""
            if name[1] != b"noexcept":
                return "" if name[1].startswith(b"~") else name[1].decode()
            end = name.start(1)
        return ""


def _operators(text: _Text, brackets: _Brackets, close: int) -> tuple[str, ...]:
    """The operators that the block after a macro registers, in order and once."""
    brace = re.compile(rb"\s*\{").match(text.bare, close + 1)
    end = None if brace is None else brackets.closes.get(brace.end() - 1)
    if brace is None or end is None:
        return ()
    names = (match[1].decode("utf-8", "backslashreplace") for match in _OPERATOR.finditer(text.code, brace.end(), end))
    return tuple(dict.fromkeys(name.partition("(")[0] for name in names))


def _row(
    text: _Text,
    offset: int,
    kind: TouchKind,
    form: str,
    symbol: str,
    *,
    within: str = "",
    step: str = "",
    value: str = "",
    members: tuple[str, ...] = (),
    certainty: Certainty = Certainty.CERTAIN,
) -> Touchpoint:
    line, column = text.place(offset)
    parts = re.split(r"::|/", symbol)
    return Touchpoint(
        path=text.path,
        line=line,
        column=column,
        kind=kind,
        form=form,
        symbol=symbol,
        private=any(part.startswith("_") or part in _HIDDEN for part in parts[1:]),
        scope=Scope.GLOBAL if kind is TouchKind.REGISTRATION else Scope.NONE,
        resolution="using" if step else "name",
        certainty=certainty,
        members=members,
        within=within,
        value=value if len(value) <= SHOWN else f"{value[: SHOWN - 3]}...",
        steps=(Step(text.path, line, step or f"written as {symbol}"),),
        detail=f"{len(members)} operators" if members else "",
    )
