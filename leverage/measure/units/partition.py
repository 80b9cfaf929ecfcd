"""From stretches of text to units that partition the lines of a file.

A line on which units meet has one owner all the same. Units are taken in order of where they start, the outer one
first. Each takes its lines from those around it, but for its first line when that belongs already to a unit that stands
beside it (``} void g() {``) or to one around it that starts on this very line (``struct A { int f() {`` ...).
A unit may therefore own no line at all; it is a unit still, for a function in one line with another is a function.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.lines import LineClass, LineCounts
from leverage.model.units import Unit, UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 120
"""Characters of one part of a symbol. Readers cut names there, or a long one before many others costs their product."""

_LINE_END = re.compile(rb"\n")
_CLASSES = range(len(LineClass))


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of text that is a unit. Two of a file are disjoint or nested; of one extent, the first is the outer.

    Attributes:
        symbol: name inside the file, without the suffix that tells equal ones apart.
        kind: what it is.
        start: where it starts, in bytes of the normalised text.
        end: where it ends, exclusive; more than ``start``.
    """

    symbol: str
    kind: UnitKind
    start: int
    end: int


class Unreadable(Exception):  # noqa: N818 - not an error of ours: the reader's answer to such a text
    """A reader cannot make out the units of a text; the message says why, and where if it is known."""


@dataclass(frozen=True, slots=True)
class UnitMap:
    """The units of a file and who owns each line.

    Attributes:
        units: the rest of the file first (even when it owns no line), then the others in order of where they start;
            empty for a file without lines. Their counts add up to the file's.
        owners: for each physical line the index of its unit; line 1 is at index 0.
        problem: why the file is one unit although its language has a reader; empty where it was read.
    """

    units: tuple[Unit, ...]
    owners: tuple[int, ...]
    problem: str = ""


def divided(text: bytes, found: Iterable[Found], classes: bytes, problem: str = "") -> UnitMap:
    """Partition the lines of a text.

    Args:
        text: the normalised text: line ends are LF, one after the last line too.
        found: its units in any order; one that crosses another is cut where the earlier one ends.
        classes: one `LineClass` value per line of the text.
        problem: goes into the map as it is.

    Raises:
        ValueError: ``classes`` does not fit the text.
    """
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    lines = len(starts) - 1
    if lines != len(classes):
        raise ValueError(f"{len(classes)} line classes for {lines} lines")
    if not lines:
        return UnitMap((), (), problem)
    stretches = _nested(found)
    owners = [0] * lines
    extents = [(1, lines)]
    around = [0]  # indices of the units that the current one lies in, outermost first
    for index, unit in enumerate(stretches, 1):
        while len(around) > 1 and stretches[around[-1] - 1].end <= unit.start:
            around.pop()
        first, last = bisect_right(starts, unit.start), bisect_right(starts, unit.end - 1)
        holder = owners[first - 1]
        beside = holder not in around
        skipped = 1 if holder and (beside or extents[holder][0] == first) else 0
        owners[first - 1 + skipped : last] = [index] * (last - first + 1 - skipped)
        extents.append((first, last))
        around.append(index)
    own = _counts(owners, classes)
    symbols = ["", *_told_apart(unit.symbol for unit in stretches)]
    kinds = [UnitKind.REST, *(unit.kind for unit in stretches)]
    units = tuple(
        Unit(symbol, kind, first, last, own.get(index, _NONE))
        for index, (symbol, kind, (first, last)) in enumerate(zip(symbols, kinds, extents, strict=True))
    )
    return UnitMap(units, tuple(owners), problem)


def _nested(found: Iterable[Found]) -> list[Found]:
    """In order of where they start, the outer first, and none across the end of another."""
    result: list[Found] = []
    ends: list[int] = []
    for unit in sorted(found, key=lambda unit: (unit.start, -unit.end)):
        while ends and ends[-1] <= unit.start:
            ends.pop()
        end = min(unit.end, ends[-1]) if ends else unit.end
        ends.append(end)
        result.append(unit if end == unit.end else Found(unit.symbol, unit.kind, unit.start, end))
    return result


_NONE = LineCounts()


def _counts(owners: list[int], classes: bytes) -> dict[int, LineCounts]:
    numbers: dict[int, list[int]] = {}
    for (owner, line_class), number in Counter(zip(owners, classes, strict=True)).items():
        numbers.setdefault(owner, [0] * len(_CLASSES))[line_class] = number
    return {owner: LineCounts(*row) for owner, row in numbers.items()}


def _told_apart(symbols: Iterable[str]) -> list[str]:
    """Add ``#2``, ``#3`` to the names that stood before; never one that a name of its own has already."""
    numbers: dict[str, int] = {}
    taken: set[str] = set()
    result = []
    for symbol in symbols:
        name = symbol
        number = numbers.get(symbol, 1)
        while name in taken:
            number += 1
            name = f"{symbol}#{number}"
        numbers[symbol] = number
        taken.add(name)
        result.append(name)
    return result
