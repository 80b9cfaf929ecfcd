"""Units of code: functions, methods, classes and declarations, with the lines that are theirs alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leverage.model.lines import LineCounts


class UnitKind(StrEnum):
    """What a unit of code is."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    RECORD = "record"
    """A TableGen `def`, `class` or `multiclass`, or an operation of an MLIR module."""
    REST = "rest"
    """What of a file lies in no other unit: imports, constants, statements of a module, comments between functions."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of code. The units of a file partition its lines, so their counts add up to the file's.

    A function inside a function belongs to the outer one. A class owns the lines of its body that are in no method or
    inner class. Decorators and template heads belong to what they stand before.

    Attributes:
        symbol: name inside the file, dotted from the outermost scope (``Scheduler.codegen``, ``mlir::tt::lower``
            written with dots too); empty for `UnitKind.REST`. Two units of the same name in a file are told apart by
            a suffix ``#2``, ``#3`` in order of lines.
        kind: what it is.
        first: first line of its extent, from 1; 1 for the rest of a file.
        last: last line of its extent, inclusive; for the rest of a file the last line of the file.
        lines: counts by class of the lines that are this unit's own (unit: lines).
    """

    symbol: str
    kind: UnitKind
    first: int
    last: int
    lines: LineCounts
