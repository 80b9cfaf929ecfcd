"""CMake: bracket comments and bracket arguments of any level, quoted arguments over several lines.

Rules beyond `base`: a quoted or bracket argument is ``string``; a bracket comment is ``comment``, also where tools
extract documentation from it. A bracket opens an argument only where one can start, a ``#`` opens a comment anywhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_TOKEN = re.compile(
    rb"#(?:\[(?P<comment>=*+)\[(?:.*?\](?P=comment)\]|.*+)|[^\n]*+)"
    rb'|"(?:[^"\\]++|\\.)*+"?+'
    rb'|\[(?<![^ \t\n()"]\[)(?P<argument>=*+)\[(?:.*?\](?P=argument)\]|.*+)'
    rb"|\\.",
    re.DOTALL,
)
_RULES = {ord("#"): COMMENT, ord('"'): STRING, ord("["): STRING}


def _spans(text: bytes) -> Iterator[Span]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        rule = _RULES.get(text[start])
        if rule:
            yield start, end, rule if start or not text.startswith(b"#!") else SHEBANG


CMAKE = Scanner("cmake", _spans)
