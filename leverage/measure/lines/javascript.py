"""JavaScript and TypeScript: template literals with code inside them, regular expressions told from division.

A template literal is one literal with all that its ``${ }`` hold, as `base` has it for every language. A slash opens a
regular expression where an operand can't have ended just before it (after an operator, an opening bracket, ``}``, or a
keyword such as ``return``) and where it is closed on its line; regular expressions are code. That guess is wrong after
``if (x)`` and for division behind ``}``, which costs a line only if the expression then holds a quote or ``/*``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Rule, Scanner
from leverage.measure.lines.c import BLOCK_COMMENT, LINE_COMMENT
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

TEMPLATE = Rule(
    "template", LineClass.STRING, "a template literal, with what it interpolates", LineClass.BLANK_IN_STRING
)

_COMMENT, _SLASH, _DOUBLE, _SINGLE, _BACKQUOTE, _OPENING, _CLOSING = range(1, 8)
_STRING = rb'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+[\\"]?)'  # a backslash continues it over the end of a line
_TOKENS = b"|".join(
    (
        rb"/(?:(" + LINE_COMMENT[1:] + b"|" + BLOCK_COMMENT[1:] + rb")|())",
        _STRING,
        _STRING.replace(b'"', b"'"),
        rb"`()",
    )
)
_OUTSIDE = re.compile(_TOKENS, re.DOTALL)
_INTERPOLATED = re.compile(_TOKENS + rb"|\{()|\}()", re.DOTALL)
_TEMPLATE_TEXT = re.compile(rb"[^`\\$]*+(?:(?:\\.|\$(?!\{))[^`\\$]*+)*+\\?(`|\$\{)?", re.DOTALL)
_REGEX = re.compile(rb"/(?:[^/\\\[\n]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\])++/")
_WORD_BYTES = bytes(byte for byte in range(256) if not chr(byte).isascii() or chr(byte).isalnum() or byte in b"_$")
_BEFORE_OPERANDS = frozenset(
    b"return typeof case in of delete void throw new instanceof do else await yield extends default".split()
)
_SHEBANG = re.compile(rb"#![^\n]*+")


def javascript_spans(text: bytes) -> Iterator[Span]:  # noqa: C901, PLR0912 - one automaton, clearer in one piece
    """The spans of JavaScript text that are not plain code."""
    position = 0
    if shebang := _SHEBANG.match(text):
        position = shebang.end()
        yield 0, position, SHEBANG
    operand = False  # has an operand just ended
    unclosed_until = 0  # no regular expression that starts before this byte is closed on its line
    template = 0  # where the outermost open template literal starts
    braces: list[int] = []  # for each open `${`: the braces open in it
    while found := (_INTERPOLATED if braces else _OUTSIDE).search(text, position):
        start, end = found.span()
        kind = found.lastindex
        operand = _operand_ends(text[position:start], operand)
        if kind == _COMMENT:
            if not braces:
                yield start, end, COMMENT
        elif kind == _SLASH:
            regex = None if operand or start < unclosed_until else _REGEX.match(text, start)
            if regex:
                end = regex.end()
            elif not operand and start >= unclosed_until:
                end_of_line = text.find(b"\n", start)
                unclosed_until = len(text) if end_of_line < 0 else end_of_line
            operand = regex is not None
        elif kind in (_DOUBLE, _SINGLE):
            if not braces:
                yield start, end, STRING
            operand = True
        elif kind == _OPENING or (kind == _CLOSING and braces[-1]):
            braces[-1] += 1 if kind == _OPENING else -1
            operand = False
        else:  # template text starts, or goes on behind an interpolation
            if kind == _CLOSING:
                braces.pop()
            elif not braces:
                template = start
            literal = _TEMPLATE_TEXT.match(text, end)
            end = literal.end() if literal else end
            operand = literal is None or literal[1] != b"${"
            if not operand:
                braces.append(0)
            elif not braces:
                yield template, end, TEMPLATE
        position = end
    if braces:
        yield template, len(text), TEMPLATE


def _operand_ends(gap: bytes, operand: bool) -> bool:  # noqa: FBT001
    """Whether an operand ends with a gap; over nothing but white space, what was before it still holds."""
    code = gap.rstrip()
    if not code:
        return operand
    word = code[len(code.rstrip(_WORD_BYTES)) :]
    return word not in _BEFORE_OPERANDS if word else code.endswith((b")", b"]", b"++", b"--"))


JAVASCRIPT = Scanner("javascript", javascript_spans)
