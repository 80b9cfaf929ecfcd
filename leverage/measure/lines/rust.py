"""Rust (and WGSL, which has the same comments): nested comments, raw strings with any number of hashes, lifetimes.

Strings may span lines. An apostrophe opens a character only where a character and its closing apostrophe follow; else
it is a lifetime or a label. Documentation comments are comments: docs/decisions/0010. ``#![attribute]`` on the first
line is code, any other ``#!`` there is a shebang.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Rule, Scanner
from leverage.measure.lines.c import CHARACTER, LINE_COMMENT, RAW_STRING
from leverage.measure.lines.c_like import end_of_nested_comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_RAW, _STRING, _LINE_COMMENT, _BLOCK_COMMENT, _CHARACTER = range(1, 6)
_RULES: dict[int | None, Rule] = {_STRING: STRING, _LINE_COMMENT: COMMENT, _CHARACTER: CHARACTER}
_TOKEN = re.compile(
    rb'"(?:(?<=[r#]")()|[^"\\]*+(?:\\.[^"\\]*+)*+\\?"?())'
    rb"|/(?:" + LINE_COMMENT[1:] + rb"()|\*())"
    rb"|'(?:\\(?:u\{[0-9a-fA-F_]{1,12}+\}|x..|[^\n])|[^\\'\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]*+)'()",
    re.DOTALL,
)
_STRING_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?"?', re.DOTALL)
_RAW_PREFIX = re.compile(rb"(?<![\w#])[bc]?r(#{0,255})\Z")
_SHEBANG = re.compile(rb"#!(?!\s*\[)[^\n]*+")


def rust_spans(text: bytes) -> Iterator[Span]:
    """The spans of Rust text that are not plain code."""
    position = 0
    if shebang := _SHEBANG.match(text):
        position = shebang.end()
        yield 0, position, SHEBANG
    while found := _TOKEN.search(text, position):
        start, end = found.span()
        kind = found.lastindex
        rule = _RULES.get(kind, COMMENT)
        if kind == _BLOCK_COMMENT:
            end = end_of_nested_comment(text, start)
        elif kind == _RAW:
            prefix = _RAW_PREFIX.search(text, max(position, start - 257), start)
            if prefix:
                closing = text.find(b'"' + prefix[1], end)
                end = len(text) if closing < 0 else closing + 1 + len(prefix[1])
                start, rule = prefix.start(), RAW_STRING
            else:
                literal = _STRING_TEXT.match(text, start)
                end, rule = literal.end() if literal else end, STRING
        yield start, end, rule
        position = end


RUST = Scanner("rust", rust_spans)
