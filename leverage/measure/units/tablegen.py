"""TableGen: records and their templates, by a small reader of ours.

A unit is a ``def``, ``defm``, ``class``, ``multiclass`` or ``deftype`` statement from its keyword to its semicolon or
closing brace. What stands in a ``multiclass`` belongs to it. Groups (``let ... in {}``, ``foreach``, ``defset``,
``if``) are no units: the records in them are. A record without a name is called ``anonymous``. A pasted name keeps its
text without white space (``Foo#i``), for what it becomes is not known without an evaluation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.c import LINE_COMMENT, QUOTED
from leverage.measure.lines.c_like import end_of_nested_comment
from leverage.measure.units.blanks import blanked
from leverage.measure.units.partition import LONGEST_NAME, Found
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterator

_HIDDEN = re.compile(rb"/(?:" + LINE_COMMENT[1:] + rb'|(\*))|"' + QUOTED[1:] + rb"|(\[\{)")
_KEYWORD = re.compile(rb"(?<![\w.#!$])(?:class|def|defm|multiclass|deftype)(?![\w#])")
_MARK = re.compile(rb"([(<\[])|[)>\]]|(\{)|(\})|(;)")
_OPENS, _BRACE, _END_BRACE, _SEMICOLON = range(1, 5)
_NAME = re.compile(rb"(?:class|defm|deftype|def|multiclass)([^:<{;=]*+)")


def found(text: bytes) -> list[Found]:
    """The units of a text of TableGen; a broken text gives what can be made out."""
    return list(_records(text, blanked(text, _hidden(text))))


def _hidden(text: bytes) -> Iterator[tuple[int, int]]:
    """Comments, strings and code blocks."""
    position = 0
    while token := _HIDDEN.search(text, position):
        start, position = token.span()
        if token[1]:
            position = end_of_nested_comment(text, start)
        elif token[2]:
            closing = text.find(b"}]", position)
            position = closing + 2 if closing >= 0 else len(text)
        yield start, position


def _records(text: bytes, plain: bytes) -> Iterator[Found]:
    """One pass over keywords and brackets. Inside a statement only its end is looked for."""
    position = 0
    while keyword := _KEYWORD.search(plain, position):
        position = _end(plain, keyword.end())
        yield _record(text, plain, keyword.start(), position)


def _end(plain: bytes, position: int) -> int:
    """Where the statement ends: behind its semicolon or the brace that closes its body, or where its group ends."""
    nested = 0  # parentheses, angles and square brackets open in its head
    braces = 0
    for mark in _MARK.finditer(plain, position):
        kind = mark.lastindex
        if kind == _BRACE:
            braces += 1
        elif kind == _END_BRACE:
            braces -= 1
            if braces < 0:  # the end of a group around it: the statement is broken
                return mark.start()
            if not braces and not nested:
                return mark.end()
        elif braces:
            continue
        elif kind == _SEMICOLON and not nested:
            return mark.end()
        elif kind != _SEMICOLON:
            nested = max(0, nested + (1 if kind == _OPENS else -1))
    return len(plain.rstrip())


def _record(text: bytes, plain: bytes, start: int, end: int) -> Found:
    name = _NAME.match(plain, start, end)
    # From the text, for a pasted name may hold a string, which is blank in the plain text.
    words = text[name.start(1) : name.end(1)] if name else b""
    symbol = b"".join(words.split())[:LONGEST_NAME].decode("utf-8", "replace")
    return Found(symbol or "anonymous", UnitKind.RECORD, start, end)
