"""One file read for classification: its units of code and their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.words import FileWords, file_words
from leverage.measure.languages import languages
from leverage.measure.lines.base import normalize
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.measure.units import UnitMap, read_units

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Units of a file and what they are about.

    Attributes:
        units: who owns which line.
        words: words of the units, in the same order.
    """

    units: UnitMap
    words: FileWords


def read_units_of(language: str, data: bytes) -> UnitMap:
    """The units of a file alone, which takes a fraction of the time; for files whose stage is declared.

    Args:
        language: id of ``languages.toml``.
        data: the content as it is stored.
    """
    text, _ = readable(data)
    return read_units(language, text, bytes(SCANNERS[languages()[language].family].scan(text)))


def read_file(path: str, language: str, data: bytes) -> ReadFile:
    """Read one file. Pure, and never raises for what the bytes are.

    Args:
        path: path from the root of the source, with ``/``.
        language: id of ``languages.toml``.
        data: the content as it is stored.
    """
    text, _ = readable(data)
    classes = bytes(SCANNERS[languages()[language].family].scan(text))
    units = read_units(language, text, classes)
    return ReadFile(units, file_words(path, list(_lines(text)), classes, units))


def _lines(text: bytes) -> Iterator[bytes]:
    whole = normalize(text)
    start = 0
    while start < len(whole):
        end = whole.index(b"\n", start)
        yield whole[start:end]
        start = end + 1
