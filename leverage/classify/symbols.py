"""Names of units of code in rules: ``path::symbol``, and patterns of symbols."""

from __future__ import annotations

from dataclasses import dataclass, field

BETWEEN = "::"
"""Stands between the path and the symbol of a unit of code."""


def split_target(text: str) -> tuple[str, str]:
    """Path and symbol of ``path::symbol``; the symbol is empty where only a path is written."""
    path, _, symbol = text.partition(BETWEEN)
    return path, symbol


def plain(symbol: str) -> str:
    """A symbol without the number that tells it from others of its name in the same file."""
    return symbol.partition("#")[0]


@dataclass(frozen=True, slots=True)
class SymbolPatterns:
    """Patterns of which one must match a whole symbol; ``*`` stands for any text, dots included, and nothing else does.

    Matching takes time linear in the symbol for each pattern, since symbols come out of code that nobody vouches for.
    """

    patterns: tuple[str, ...]
    _split: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_split", tuple(tuple(pattern.split("*")) for pattern in self.patterns))

    def __contains__(self, symbol: object) -> bool:
        """Whether a pattern matches; overloads that are numbered (``f#2``) match like the first."""
        if not isinstance(symbol, str) or not symbol:
            return False
        text = plain(symbol)
        return any(_matches(parts, text) for parts in self._split)


def _matches(parts: tuple[str, ...], text: str) -> bool:
    first, *middle = parts
    if not middle:
        return text == first
    last = middle.pop()
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
