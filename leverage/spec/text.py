"""Showing and suggesting: how text that somebody else wrote stands inside our messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 60


def shown(text: str, limit: int = SHOWN) -> str:
    """Text in back quotes on one line: unprintable characters escaped, long text cut."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    plain = "".join(
        char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode() for char in cut
    )
    return f"`{plain}`"


def did_you_mean(word: str, known: Iterable[str], noun: str = "known here") -> str:
    """A hint that names the closest of the known words, or lists them where none is close.

    Args:
        word: what was written.
        known: what could have been written.
        noun: what the known words are, such as ``systems``.
    """
    words = sorted(set(known))
    if not words:
        return f"{noun}: none"
    # `cutoff` 0.6 is difflib's own; one guess that is right is worth more than three.
    close = difflib.get_close_matches(word.lower(), words, n=1, cutoff=0.6)
    if close:
        return f"did you mean {shown(close[0])}?"
    listed = ", ".join(shown(each) for each in words[:12])
    return f"{noun}: {listed}" + (f" and {len(words) - 12} more" if len(words) > 12 else "")  # noqa: PLR2004 - see above
