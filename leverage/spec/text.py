"""Showing and suggesting: how text that somebody else wrote stands inside our messages."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 60
LISTED = 12

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""A character without a glyph that may change how the rest reads; no configuration holds one."""


def shown(text: str, limit: int = SHOWN) -> str:
    """Text in back quotes on one line: unprintable characters escaped, long text cut."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    plain = "".join(
        char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode() for char in cut
    )
    return f"`{plain}`"


def did_you_mean(word: str, known: Iterable[str], noun: str, otherwise: str = "") -> str:
    """A hint that names the closest of the known words; where none is close, lists them.

    Args:
        word: what was written.
        known: what could have been written.
        noun: what the known words are, such as ``systems``.
        otherwise: what to say where none is close, in place of the list.
    """
    words = sorted(set(known))
    if close := closest(word, words):
        return f"did you mean {shown(close)}?"
    if otherwise or not words:
        return otherwise or f"{noun}: none"
    listed = ", ".join(shown(each) for each in words[:LISTED])
    return f"{noun}: {listed}" + (f" and {len(words) - LISTED} more" if len(words) > LISTED else "")


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like a word; empty where none is close."""
    # One guess that is right is worth more than three. Long words are cut: the time grows with the square.
    found = difflib.get_close_matches(word[:SHOWN].lower(), list(known), n=1)
    return found[0] if found else ""
