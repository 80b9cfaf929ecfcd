"""HTML and what is written into it: scripts, style sheets, PHP, and the templates that look like tags.

Rules beyond `base`:

- ``<!-- -->`` is comment, but not inside the quotes of a tag nor in a character data section; so are ``<%-- --%>`` and
  ``<%# %>`` of server pages.
- ``<script>`` is JavaScript unless its type says that it is no script, ``<style>`` is CSS, ``<?php ... ?>`` is PHP.
- Everything else is code: mark-up and the text between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, Scanner, shifted
from leverage.measure.lines.c_like import JAVA
from leverage.measure.lines.dialects import DIALECTS
from leverage.measure.lines.javascript import JAVASCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_COMMENT, _PHP, _SCRIPT, _STYLE = range(1, 5)
_ATTRIBUTES = rb"""(?:[^"'<>]|"[^"]*"|'[^']*')*+>"""
_TOKEN = re.compile(
    rb"<(?:!--.*?(?:-->|\Z)()|%--.*?(?:--%>|\Z)()|%\#.*?(?:%>|\Z)()|!\[CDATA\[.*?(?:\]\]>|\Z)"
    rb"|\?(?:php\b|=|(?!xml))()|script\b(?=[ \t\n>])" + _ATTRIBUTES + rb"()|style\b(?=[ \t\n>])" + _ATTRIBUTES + rb"()"
    rb"|[A-Za-z/]" + _ATTRIBUTES + rb")",
    re.DOTALL | re.IGNORECASE,
)
_KINDS = {1: _COMMENT, 2: _COMMENT, 3: _COMMENT, 4: _PHP, 5: _SCRIPT, 6: _STYLE}
_ENDS = {
    _PHP: re.compile(rb"\?>"),
    _SCRIPT: re.compile(rb"</script\b", re.IGNORECASE),
    _STYLE: re.compile(rb"</style\b", re.IGNORECASE),
}
_NO_SCRIPT = re.compile(
    rb"""\btype[ \t]*=[ \t]*["']?(?!text/(?:java|ecma|type|babel|live|coffee)|application/|module)\w"""
)
_INNER = {_PHP: DIALECTS["php"].scanner("php"), _SCRIPT: JAVASCRIPT, _STYLE: JAVA}


def _html(text: bytes) -> Iterator[Span]:
    position = 0
    while found := _TOKEN.search(text, position):
        start, position = found.span()
        kind = _KINDS.get(found.lastindex or 0)
        if kind == _COMMENT:
            yield start, position, COMMENT
        elif kind is not None:
            closing = _ENDS[kind].search(text, position)
            end = closing.start() if closing else len(text)
            if kind != _SCRIPT or not _NO_SCRIPT.search(found[0]):
                yield from _within(text[position:end], kind, position)
            position = end


def _within(body: bytes, kind: int, offset: int) -> Iterator[Span]:
    """The spans of embedded text; its last line may lack the end that scanners count on."""
    for start, end, rule in shifted(_INNER[kind].spans(body + b"\n"), offset):
        if start < offset + len(body):
            yield start, min(end, offset + len(body)), rule


HTML = Scanner("html", _html)
