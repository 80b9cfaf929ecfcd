"""Text with its comments and literals blanked out, for the readers that look for brackets and words themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLANK = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def blanked(text: bytes, stretches: Iterable[tuple[int, int]]) -> bytes:
    """The text with spaces for every byte of the stretches but for line ends; positions stay.

    Args:
        text: any text.
        stretches: start and end of each, in order and without overlap.
    """
    pieces: list[bytes] = []
    position = 0
    for start, end in stretches:
        pieces += (text[position:start], text[start:end].translate(_BLANK))
        position = end
    return b"".join([*pieces, text[position:]])
