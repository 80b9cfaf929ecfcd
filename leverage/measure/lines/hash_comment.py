"""Languages of which no more is known than that ``#`` opens a comment, and the key-value formats.

Rules beyond `base`:

- ``#`` opens a comment at the start of a line and after white space, a bracket or a separator. Quotes mean nothing,
  which can matter only for a literal over several lines.
- INI: ``#`` and ``;`` open a comment only at the start of a line, as Python's `configparser` has it: after a value they
  may be part of it, and then the line is code either way.
- TOML: ``#`` opens a comment outside strings; strings in three quotes go over several lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_HASH = re.compile(rb"#(?<![^ \t\f\v\n()\[\]{},;:]#)[^\n]*+")
_INI = re.compile(rb"^[ \t\f\v]*+([#;][^\n]*+)", re.MULTILINE)
_TOML = re.compile(
    rb"#[^\n]*+"
    rb'|"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5})?+'
    rb"|'''(?:[^']++|'(?!''))*+(?:'{3,5})?+"
    rb'|"(?:[^"\\\n]++|\\[^\n])*+"?+'
    rb"|'[^'\n]*+'?+",
    re.DOTALL,
)


def _hash(text: bytes) -> Iterator[Span]:
    for match in _HASH.finditer(text):
        start, end = match.span()
        yield start, end, COMMENT if start or text[1:2] != b"!" else SHEBANG


def _ini(text: bytes) -> Iterator[Span]:
    for match in _INI.finditer(text):
        start, end = match.span(1)
        yield start, end, COMMENT if start or not text.startswith(b"#!") else SHEBANG


def _toml(text: bytes) -> Iterator[Span]:
    for match in _TOML.finditer(text):
        start, end = match.span()
        yield start, end, COMMENT if text[start] == ord("#") else STRING


HASH = Scanner("hash", _hash)
INI = Scanner("ini", _ini)
TOML = Scanner("toml", _toml)
