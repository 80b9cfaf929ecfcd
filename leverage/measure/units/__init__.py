"""Units of code: where the functions, methods, classes and records of a file stand, and which lines are theirs.

One reader per language family finds stretches of text (`partition.Found`), one function turns them into units that
partition the lines (`partition.divided`). docs/units.md says what a unit is in each language and what readers miss.
"""

from __future__ import annotations

from leverage.measure.units.partition import Found, UnitMap, Unreadable, divided
from leverage.measure.units.reading import MOST_BYTES, count_functions, has_units, read_units, readers_version

__all__ = [
    "MOST_BYTES",
    "Found",
    "UnitMap",
    "Unreadable",
    "count_functions",
    "divided",
    "has_units",
    "read_units",
    "readers_version",
]
