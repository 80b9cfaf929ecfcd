"""Pages: sources with the expected class of every line written before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

LETTERS = "csbd#@i!._~"  # in the order of LineClass


@pytest.fixture
def check() -> Callable[[Scanner, str], None]:
    """Scan a page whose lines read ``letter|source`` and compare the classes with the letters.

    c code, s string, b bracket, d documentation, # comment, @ directive, i inactive, ! shebang, and the blank lines:
    a dot outside, _ in documentation, ~ in a string.
    """

    def compare(scanner: Scanner, page: str) -> None:
        pairs = [line.split("|", 1) for line in page.strip("\n").split("\n")]
        source = "\n".join(text for _, text in pairs)
        for ends in ("\n", "\r\n", "\r"):
            found = scanner.scan(source.replace("\n", ends).encode() + ends.encode())
            marked = [f"{LETTERS[value]}|{text}" for value, (_, text) in zip(found, pairs, strict=True)]
            assert marked == [f"{letter}|{text}" for letter, text in pairs]

    return compare
