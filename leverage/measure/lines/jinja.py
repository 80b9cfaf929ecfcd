"""Jinja: an overlay on a language that the template writes.

``{{ }}`` and ``{% %}`` are code, ``{# #}`` is comment, and what stands between belongs to the inner language, whose
scanner sees the text with the overlay masked: a name of the same length for ``{{ }}``, white space for the others. An
opening that is never closed belongs to the inner language, as does what ``{% raw %}`` protects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, Rule, Scanner
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leverage.measure.lines.base import Span

JINJA_CODE = Rule("template code", LineClass.CODE, "an expression or a statement of the template")

_BODY = rb"""(?:[^"'%}]++|"(?:[^"\n]*+")?|'(?:[^'\n]*+')?|%(?!\})|\}(?!\}))*+"""
_OPENING = re.compile(rb"\{[{%#]")
_TOKEN = {
    b"{{": re.compile(rb"\{\{" + _BODY.replace(rb"%(?!\})", rb"%") + rb"\}\}"),
    b"{%": re.compile(rb"\{%" + _BODY.replace(rb"\}(?!\})", rb"\}") + rb"%\}"),
    b"{#": re.compile(rb"\{#[^#]*+(?:#(?!\})[^#]*+)*+#\}"),
}
_RAW = re.compile(rb"\{%[-+]?\s*raw\s*[-+]?%\}")
_END_RAW = re.compile(rb"\{%[-+]?\s*endraw\s*[-+]?%\}")


def over(inner: Scanner) -> Scanner:
    """The scanner of templates that write text of another scanner's language."""

    def spans(text: bytes) -> Iterable[Span]:
        overlay = list(_overlay(text))
        return _merged(overlay, inner.spans(_masked(text, overlay)))

    return Scanner(f"jinja over {inner.name}", spans)


def _overlay(text: bytes) -> Iterator[Span]:
    unclosed: set[bytes] = set()  # a kind that is not closed once is not closed further on either
    position = 0
    while opening := _OPENING.search(text, position):
        kind = opening[0]
        position = opening.end()
        token = None if kind in unclosed else _TOKEN[kind].match(text, opening.start())
        if token is None:
            unclosed.add(kind)
            continue
        yield *token.span(), COMMENT if kind == b"{#" else JINJA_CODE
        position = token.end()
        if kind == b"{%" and _RAW.match(text, token.start()):
            end = _END_RAW.search(text, position)
            position = end.start() if end else len(text)


def _masked(text: bytes, overlay: list[Span]) -> bytes:
    pieces: list[bytes] = []
    position = 0
    for start, end, _ in overlay:
        pieces.append(text[position:start])
        is_value = text.startswith(b"{{", start)
        pieces.append(b"x" * (end - start) if is_value else text[start:end].translate(_BLANKED))
        position = end
    return b"".join([*pieces, text[position:]])


def _merged(overlay: Iterable[Span], spans: Iterable[Span]) -> Iterator[Span]:
    """Both in order, the inner spans cut where the overlay stands."""
    waiting = iter(overlay)
    above = next(waiting, None)
    position = 0
    for span_start, span_end, rule in spans:
        start = max(span_start, position)
        while above and above[0] < span_end:
            if start < above[0]:
                yield start, above[0], rule
            yield above
            position = above[1]
            start = max(start, position)
            above = next(waiting, None)
        if start < span_end:
            yield start, span_end, rule
    if above:
        yield above
    yield from waiting


_BLANKED = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
JINJA = over(Scanner("plain code", lambda _: ()))  # for a template whose name does not say what it writes
