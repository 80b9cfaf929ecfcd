"""Languages with C's comments and quotes whose tokens one regular expression can name: dialects as data.

Java, Go, Protocol Buffers, FlatBuffers; and the two pieces that less simple relatives (Rust, TableGen, MLIR) share.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, STRING, Rule, Scanner
from leverage.measure.lines.c import APOSTROPHED, BLOCK_COMMENT, CHARACTER, LINE_COMMENT, QUOTED, RAW_STRING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span, SpanFinder

_NESTING = re.compile(rb"/\*|\*/")
_TEXT_BLOCK = rb'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\\?(?:""")?'
_BACKQUOTED = rb"`[^`]*+`?"


def finder(*tokens: tuple[bytes, Rule]) -> SpanFinder:
    """Spans of the tokens that regular expressions name, the first one that fits winning.

    Args:
        tokens: expression and rule of each; an expression starts with a literal byte, has no group, matches a whole
            token and never fails once its opening matched (else the search would not be linear).
    """
    pattern = re.compile(
        b"|".join(expression[:1] + b"(" + expression[1:] + b")" for expression, _ in tokens), re.DOTALL
    )
    rules = (None, *(rule for _, rule in tokens))

    def spans(text: bytes) -> Iterator[Span]:
        for found in pattern.finditer(text):
            rule = rules[found.lastindex or 0]
            if rule is not None:
                start, end = found.span()
                yield start, end, rule

    return spans


def end_of_nested_comment(text: bytes, start: int) -> int:
    """Where the block comment that opens at `start` ends, with comments nested in it; if unclosed, the text's end."""
    depth = 0
    for mark in _NESTING.finditer(text, start):
        depth += 1 if mark[0] == b"/*" else -1
        if not depth:
            return mark.end()
    return len(text)


_COMMENTS = ((LINE_COMMENT, COMMENT), (BLOCK_COMMENT, COMMENT))
_QUOTES = ((QUOTED, STRING), (APOSTROPHED, CHARACTER))

JAVA = Scanner("java", finder(*_COMMENTS, (_TEXT_BLOCK, RAW_STRING), *_QUOTES))
GO = Scanner("go", finder(*_COMMENTS, (_BACKQUOTED, RAW_STRING), *_QUOTES))
PROTOBUF = Scanner("protobuf", finder(*_COMMENTS, (QUOTED, STRING), (APOSTROPHED, STRING)))
FLATBUFFERS = Scanner("flatbuffers", finder(*_COMMENTS, (QUOTED, STRING), (APOSTROPHED, STRING)))
