"""Assembly of any processor: what starts a comment is judged by where it stands, not by a processor that we don't know.

``//`` and ``/* */`` are comments everywhere. ``#``, ``;`` and ``@`` are comments at the head of a line (``@`` only
before white space or another ``@``, for ``@P0 BRA`` is an instruction) and between white space further right, so
``mov r0, #4`` and ``.type f, @function`` stay what they are. ``#`` before a word of the C preprocessor is code, for the
common words of prose only when they touch. Directives of lit and FileCheck are told as in MLIR.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, STRING, Scanner
from leverage.measure.lines.c import BLOCK_COMMENT, CHARACTER, LINE_COMMENT, QUOTED, is_head
from leverage.measure.lines.mlir import tested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_COMMENT, _QUOTED, _CHARACTER, _MARK = range(1, 5)
_TOKEN = re.compile(
    rb"/(?:" + LINE_COMMENT[1:] + b"|" + BLOCK_COMMENT[1:] + rb')()|"' + QUOTED[1:] + rb"()"
    rb"|'(?:\\[^\n]|[^\\\n])'()|[;#@]()"
)
_PREPROCESSOR = re.compile(rb"#(?:[ \t]*+(?:include|define|undef|ifn?def|elif|endif)|if|else|error|warning|pragma)\b")
_HEAD = re.compile(rb"(?:[;#]|@(?=[\s@]))[^\n]*+")
_BEHIND = re.compile(rb"(?<=\s)[;#@]+(?=\s)[^\n]*+")


def _asm_spans(text: bytes) -> Iterator[Span]:
    position = 0
    at_head = True
    while found := _TOKEN.search(text, position):
        start, end = found.span()
        kind = found.lastindex
        at_head = is_head(text[position:start], at_head)
        if kind == _COMMENT:
            yield start, end, COMMENT
        elif kind == _MARK:
            comment = (_HEAD if at_head else _BEHIND).match(text, start)
            preprocessor = _PREPROCESSOR.match(text, start) if at_head else None
            if comment and not preprocessor:
                end = comment.end()
                yield start, end, COMMENT
            at_head = False
        else:
            yield start, end, STRING if kind == _QUOTED else CHARACTER
            at_head = False
        position = end


ASM = Scanner("asm", tested(_asm_spans))
