"""From the bytes of one file to everything that depends on nothing but those bytes and its language."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from leverage.measure.content import by_content
from leverage.measure.languages import Choice, Question, languages
from leverage.measure.lines.base import physical_lines
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable, screen_text
from leverage.measure.witness import from_witness, second_count
from leverage.model.files import Disposition, State
from leverage.model.lines import LineClass, LineCounts

BLANKS = (LineClass.BLANK, LineClass.BLANK_IN_DOCUMENTATION, LineClass.BLANK_IN_STRING)


@dataclass(frozen=True, slots=True)
class Measured:
    """What the bytes of a file say; the fields mean what they mean in `FileFacts`."""

    disposition: Disposition
    language: str
    language_rule: str
    physical: int
    nonblank: int
    lines: LineCounts | None


def measure_bytes(data: bytes, asked: Choice | Question) -> Measured:
    """Screen and count one file. Never raises, whatever the bytes.

    Content that is no text has no lines: 0 physical lines for binary files, -1 (not at hand) for LFS pointers.
    """
    text, found = readable(data)
    if found.state is not State.COUNTED:
        choice = asked if isinstance(asked, Choice) else Choice("", "")
        lines = -1 if found.state is State.UNKNOWN else 0
        return Measured(found, choice.language, choice.rule, lines, lines, None)
    choice = asked if isinstance(asked, Choice) else by_content(asked, text)
    physical = physical_lines(text)
    if not physical:
        empty = Disposition(State.COUNTED, "counted", "empty file")
        return Measured(empty, choice.language, choice.rule, 0, 0, LineCounts())
    if not choice.language:
        unknown = Disposition(State.UNKNOWN, "unknown-language", choice.rule)
        return Measured(unknown, "", choice.rule, physical, nonblank_lines(text), None)
    return _counted(text, choice, found, physical)


def _counted(text: bytes, choice: Choice, found: Disposition, physical: int) -> Measured:
    language = languages()[choice.language]
    scanner = SCANNERS.get(language.family)
    lines: LineCounts | None = None
    if scanner is not None:
        lines = LineCounts.of(scanner.scan(text))
        nonblank = physical - sum(lines[blank] for blank in BLANKS)
    else:
        nonblank = nonblank_lines(text)
        second = second_count(text, language)
        lines = from_witness(second, nonblank, language) if second else None
    screened = screen_text(text, language, physical)
    if screened.state is State.COUNTED:
        screened = (
            found if lines else Disposition(State.UNKNOWN, "no-counter", f"no counter for {language.name} of this size")
        )
    return Measured(screened, choice.language, choice.rule, physical, nonblank, lines)


_INK = re.compile(rb"[^ \t\f\v\r\n][^\r\n]*+")


def nonblank_lines(data: bytes) -> int:
    """Physical lines that hold something but white space."""
    return sum(1 for _ in _INK.finditer(data.removeprefix(codecs.BOM_UTF8)))
