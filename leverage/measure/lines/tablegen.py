"""TableGen: records, with text for readers and C++ inside code blocks.

A code block ``[{ ... }]`` is

- ``documentation`` when it is text for a reader: the value of a field named description, summary, documentation or the
  like, an argument labelled so by a comment (``/*desc=*/``), or the first argument of an interface method. A literal
  continued over lines in such a value is documentation too;
- C++ otherwise (builders, verifiers, declarations): its lines are classed by the scanner of the C family.

The line that opens a block is code when it says more than ``[{``; ``}];`` alone is ``bracket``. Block comments nest.
TableGen's ``#ifdef`` takes names only, so no branch is known to be inactive.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, STRING, Rule, Scanner, shifted, told_apart
from leverage.measure.lines.c import LINE_COMMENT, QUOTED, c_spans
from leverage.measure.lines.c_like import end_of_nested_comment
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

DESCRIPTION = Rule(
    "description",
    LineClass.DOCUMENTATION,
    "description text of a TableGen record",
    blank=LineClass.BLANK_IN_DOCUMENTATION,
    parts=told_apart(
        b"//",
        Rule("description like a comment", LineClass.DOCUMENTATION_LIKE_COMMENT, "`//` in a description"),
        Rule("description like a bracket", LineClass.DOCUMENTATION_LIKE_BRACKET, "only brackets in a description"),
    ),
)

_LINE_COMMENT, _BLOCK_COMMENT, _QUOTED, _BLOCK = range(1, 5)
_TOKEN = re.compile(rb"/(?:" + LINE_COMMENT[1:] + rb'()|\*())|"' + QUOTED[1:] + rb"()|\[\{()")
_FOR_READERS = rb"(?:description|desc|summary|documentation|doc|docs|docbrief)"
_DESCRIBES = re.compile(
    rb"(?:\b" + _FOR_READERS + rb"\s*=|/\*\s*" + _FOR_READERS + rb"\s*[=:]?\s*\*/"
    rb"|\b(?:Static)?InterfaceMethod\s*<)\s*\Z",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(rb"(?:[ \t\f\v]*+[;,)\]}])*+")
_REACH = 80  # bytes before a value in which its name must stand


def tablegen_spans(text: bytes) -> Iterator[Span]:
    """The spans of TableGen text that are not plain code."""
    position = 0
    describing = False  # is the value that we are in text for a reader
    while found := _TOKEN.search(text, position):
        start, end = found.span()
        kind = found.lastindex
        if text[position:start].strip(b" \t\n#"):  # else a value goes on: adjacent or pasted literals
            describing = False
        if kind == _LINE_COMMENT:
            yield start, end, COMMENT
        elif kind == _BLOCK_COMMENT:
            end = end_of_nested_comment(text, start)
            yield start, end, COMMENT
        else:
            describing = describing or _DESCRIBES.search(text, max(0, start - _REACH), start) is not None
            if kind == _QUOTED:
                yield (start, _behind(text, end), DESCRIPTION) if describing else (start, end, STRING)
            else:
                inner = end
                closing = text.find(b"}]", inner)
                inner_end, end = (closing, closing + 2) if closing >= 0 else (len(text), len(text))
                if describing:
                    yield from _description(text, inner, inner_end)
                else:
                    yield from shifted(c_spans(text[inner:inner_end]), inner)
        position = end


def _description(text: bytes, inner: int, inner_end: int) -> Iterator[Span]:
    """The text between ``[{`` and ``}]``, with those of the two marks that share a line with some of it."""
    first_line_end = text.find(b"\n", inner, inner_end)
    last_line = text.rfind(b"\n", inner, inner_end)
    if first_line_end < 0:
        first_line_end, last_line = inner_end, inner
    start = inner - 2 if text[inner:first_line_end].strip() else inner
    end = _behind(text, min(inner_end + 2, len(text))) if text[last_line:inner_end].strip() else inner_end
    if start < end:
        yield start, end, DESCRIPTION


def _behind(text: bytes, end: int) -> int:
    """The end of description text with the separators that follow on its line: they do not make it anything else."""
    separators = _SEPARATORS.match(text, end)
    return separators.end() if separators else end


TABLEGEN = Scanner("tablegen", tablegen_spans)
