"""Jupyter notebooks: the source lines of cells, not the JSON that carries them.

Every physical line of the file has one class, as everywhere:

- a line that carries source of a code cell has the class of that source line in the language of the kernel; where one
  physical line carries several source lines (a notebook without indentation), the first of their classes in the order
  of `base.PRECEDENCE`;
- a line that carries source of a Markdown or raw cell is ``documentation``, or ``blank`` if it is;
- every other line (braces, metadata, outputs, execution counts) is ``inactive``: it is in the file but nobody wrote it
  and nothing runs it. It is not ``bracket`` or ``string``, for those are counted as code.

The reader is a scanner of JSON tokens that accepts anything, so a damaged notebook has classes too. Formats 3 and 4 are
known. A kernel whose language has no scanner here gives ``code`` for every source line that is not blank.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.lines.base import BLANK_CLASSES, PRECEDENCE, Rule, Scanner
from leverage.measure.lines.c import C
from leverage.measure.lines.c_like import GO, JAVA
from leverage.measure.lines.javascript import JAVASCRIPT
from leverage.measure.lines.python import PYTHON
from leverage.measure.lines.rust import RUST
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leverage.measure.lines.base import Span

KERNELS: Mapping[bytes, Scanner] = MappingProxyType(
    {
        b"c": C,
        b"c++": C,
        b"cpp": C,
        b"go": GO,
        b"java": JAVA,
        b"javascript": JAVASCRIPT,
        b"python": PYTHON,
        b"rust": RUST,
        b"typescript": JAVASCRIPT,
    }
)
_ANY = Scanner("plain code", lambda _: ())
NOTEBOOK_DATA = Rule("notebook data", LineClass.INACTIVE, "structure, metadata or output of a notebook: never runs")
_MARKDOWN = Rule("notebook text", LineClass.DOCUMENTATION, "source of a Markdown cell")
_SOURCE = {
    **{
        line_class: Rule("notebook source", line_class, "source of a code cell, judged by the rule of its language")
        for line_class in PRECEDENCE
    },
    **{
        blank: Rule("notebook source", LineClass.BLANK, "a blank source line of a cell", blank=blank)
        for blank in BLANK_CLASSES
    },
}
_ORDER = {line_class: rank for rank, line_class in enumerate((*PRECEDENCE, *BLANK_CLASSES))}

_TOKEN = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)\\?"?(\s*+:)?|[{}\[\]]', re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"", b"b": b"\b", b"f": b"\f"}
_SOURCES = frozenset((b"source", b"input"))  # `input` in format 3
_LANGUAGES = frozenset(((b"metadata", b"kernelspec", b"language"), (b"metadata", b"language_info", b"name")))
_LANGUAGE_DEPTH = 3


@dataclass(slots=True)
class _Cell:
    depth: int
    kind: bytes = b""
    pieces: list[tuple[int, bytes]] = field(default_factory=list)  # physical line counted from 0, text


@dataclass(slots=True)
class _Notebook:
    cells: list[_Cell] = field(default_factory=list)
    language: bytes = b""


def notebook_spans(text: bytes) -> Iterator[Span]:
    """One span for every physical line."""
    notebook = _read(text)
    kernel = KERNELS.get(notebook.language.lower(), _ANY if notebook.language else PYTHON)
    rules: dict[int, Rule] = {}
    for cell in notebook.cells:
        for line, line_class in _source_lines(cell, kernel):
            rule = _MARKDOWN if line_class == LineClass.DOCUMENTATION and cell.kind != b"code" else _SOURCE[line_class]
            known = rules.get(line)
            if known is None or _ORDER[line_class] < _ORDER[_class_of(known)]:
                rules[line] = rule
    ends = [0, *(match.end() for match in re.finditer(rb"\n", text))]
    for line, (start, end) in enumerate(pairwise(ends)):
        yield start, end, rules.get(line, NOTEBOOK_DATA)


def _class_of(rule: Rule) -> LineClass:
    return rule.blank if rule.line_class is LineClass.BLANK else rule.line_class


def _read(text: bytes) -> _Notebook:  # noqa: C901 - one reader of JSON tokens, clearer in one piece
    """Find the cells and the language of the kernel; accepts any bytes."""
    notebook = _Notebook()
    path: list[bytes] = []  # the key of each open container; what stands in a list has the key of the list
    cell: _Cell | None = None
    key = b""
    line = position = 0
    for token in _TOKEN.finditer(text):
        mark = text[token.start() : token.start() + 1]
        if mark in b"{[":
            path.append(key)
            if mark == b"{" and cell is None and key == b"cells":
                cell = _Cell(len(path))
        elif mark in b"}]":
            if cell and len(path) <= cell.depth:
                notebook.cells.append(cell)
                cell = None
            key = path.pop() if path else b""
        elif token[2] is not None:
            key = token[1]
        elif cell is None:
            if len(path) == _LANGUAGE_DEPTH and (*path[1:], key) in _LANGUAGES:
                notebook.language = notebook.language or _unescaped(token[1])
        elif len(path) == cell.depth and key == b"cell_type":
            cell.kind = cell.kind or token[1]
        elif key in _SOURCES and (len(path) == cell.depth or (len(path) == cell.depth + 1 and path[-1] == key)):
            line += text.count(b"\n", position, token.start())
            position = token.start()
            cell.pieces.append((line, _unescaped(token[1])))
    if cell:
        notebook.cells.append(cell)
    return notebook


def _unescaped(literal: bytes) -> bytes:
    return _ESCAPE.sub(_unescape, literal).replace(b"\r", b"") if b"\\" in literal else literal


def _unescape(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return chr(int(found[1], 16)).encode("utf-8", "replace")
    return _ESCAPED.get(found[2], found[2])


def _source_lines(cell: _Cell, kernel: Scanner) -> Iterator[tuple[int, LineClass]]:
    """The class of each source line of a cell, with the physical line that carries it."""
    source = b"".join(piece for _, piece in cell.pieces)
    if cell.kind == b"code":
        classes = [LineClass(value) for value in kernel.scan(source)]
    else:
        lines = source.split(b"\n")
        classes = [LineClass.DOCUMENTATION if line.strip() else LineClass.BLANK for line in lines]
    first = 0
    for physical, piece in cell.pieces:
        ends = piece.count(b"\n")
        for line_class in classes[first : first + ends + (not piece.endswith(b"\n"))]:
            yield physical, line_class
        first += ends


NOTEBOOK = Scanner("notebook", notebook_spans)
