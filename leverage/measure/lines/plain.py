"""Scanners of text that has no tokens to speak of: prose, data, and the comments of markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, PROSE, Scanner, Span

if TYPE_CHECKING:
    from collections.abc import Iterator


def _prose(text: bytes) -> Iterator[Span]:
    if text:
        yield 0, len(text), PROSE


def _data(_text: bytes) -> Iterator[Span]:
    return iter(())


# A character data section holds no comments; an unclosed construct runs to the end of the text.
_MARKUP = re.compile(rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)


def _markup(text: bytes) -> Iterator[Span]:
    for match in _MARKUP.finditer(text):
        if match[0].startswith(b"<!--"):
            yield match.start(), match.end(), COMMENT


_PERCENT = re.compile(rb"%[^\n]*+|\\.", re.DOTALL)


def _tex(text: bytes) -> Iterator[Span]:
    for match in _PERCENT.finditer(text):  # an escaped per cent sign is text
        if match[0].startswith(b"%"):
            yield match.start(), match.end(), COMMENT


TEXT = Scanner("text", _prose)
DATA = Scanner("data", _data)
TEX = Scanner("tex", _tex)
XML = Scanner("xml", _markup)
