"""What is blanked out of C++ before the grammar sees it, for the grammar does not run the preprocessor.

Positions stay, so what is found in a repaired text stands there in the original. Always blanked: attribute macros
between ``class`` and the name, ``[[attributes]]``, an empty default argument ``= {}``, and the brackets of
``extern "C"`` under ``#ifdef __cplusplus``. Where the text does not parse for all that, two further readings are tried:

1. without comments, and without macros that stand as statements and have no semicolon;
2. also without the lines of conditional directives and without every branch but the first of each: for branches that
   open a brace each and share its end. Definitions in the other branches are lines of what is around them then.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT
from leverage.measure.lines.c import c_spans
from leverage.measure.units.blanks import blanked

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARENTHESES = rb"\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*+\))*+\))*+\)"
_MACRO = rb"[A-Z][A-Z0-9_]{2,}+"
_ALWAYS = re.compile(
    rb"\b(?:class|struct|union|enum)[ \t\n]++(?:class[ \t\n]++)?"
    rb"((?:" + _MACRO + rb"(?:[ \t]*+\([^()\n]*+\))?[ \t\n]++)++)"
    rb"(?=[A-Za-z_]\w*+[ \t\n]*+(?:final\b[ \t\n]*+)?[:{<])"
    rb'|^([ \t]*+\#[ \t]*+if(?=[^\n]*?\b__cplusplus\b)[^\n]*+\n\s*+(?:extern[ \t]*+"C"[ \t\n]*+\{|\})[ \t]*+(?://[^\n]*+)?'
    rb"\n\s*+\#[ \t]*+endif\b)"
    rb"|(\[\[[\w:, \t]++\]\])"
    rb"|(=[ \t]*+\{\})(?=[ \t\n]*+[,)])",
    re.MULTILINE,
)
_STATEMENTS = re.compile(
    rb"(?<=[;{}])\s*+(?:"
    rb"((?:" + _MACRO + rb"(?:[ \t\n]*+" + _PARENTHESES + rb")?[ \t]*+\n\s*+)+)(?=[}A-Za-z_\#~]|\Z)"
    rb"|(" + _MACRO + rb"[ \t]*+\n)(?=\s*+\{))"
)
_CONDITIONAL = re.compile(rb"^[ \t]*+\#[ \t]*+(if|el|endif)(?:[^\n\\]++|\\\n|\\)*+", re.MULTILINE)


def prepared(text: bytes) -> bytes:
    """The text as the grammar sees it first."""
    return _without(text, _ALWAYS)


def repaired(text: bytes) -> Iterator[bytes]:
    """Further readings of a prepared text that does not parse, to be tried in order."""
    plain = blanked(text, ((start, end) for start, end, rule in c_spans(text) if rule is COMMENT))
    plain = _without(plain, _STATEMENTS)
    yield plain
    if _CONDITIONAL.search(plain):
        yield blanked(plain, _branches(plain))


def _without(text: bytes, pattern: re.Pattern[bytes]) -> bytes:
    return blanked(text, (match.span(match.lastindex or 0) for match in pattern.finditer(text)))


def _branches(text: bytes) -> Iterator[tuple[int, int]]:
    """The lines of conditional directives, and the branches that are not the first."""
    depth = 0
    skipping = 0  # depth of the conditional whose further branch we are in; 0 outside
    start = 0
    for directive in _CONDITIONAL.finditer(text):
        kind = directive[1]
        if not skipping:
            start = directive.start()
        if kind == b"if":
            depth += 1
        elif kind == b"el":
            skipping = skipping or max(depth, 1)
            depth = max(depth, 1)
        else:
            if skipping == depth:
                skipping = 0
            depth = max(0, depth - 1)
        if not skipping:
            yield start, directive.end()
    if skipping:
        yield start, len(text)
