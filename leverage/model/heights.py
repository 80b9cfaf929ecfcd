"""Height in the compiler stack: what makes two sides comparable at all."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise


class Height(IntEnum):
    """Levels of a compiler stack, lowest number nearest to the model; `RUNTIME` stands beside them."""

    CAPTURE = 0
    GRAPH = 1
    LOOP_IR = 2
    TILE_IR = 3
    DEVICE_PROGRAM = 4
    BINARY = 5
    RUNTIME = 9

    @property
    def label(self) -> str:
        """The name used in `repos.yaml` and in text."""
        return self.name.lower()


def covered(intervals: list[tuple[Height, Height]]) -> frozenset[tuple[Height, Height]]:
    """Steps between neighbouring levels that a set of intervals covers.

    A component of height ``[graph, tile_ir]`` covers the steps graph to loop_ir and loop_ir to tile_ir. Two sides are
    of like height when they cover the same steps. ``[runtime]`` covers the one step runtime to runtime.
    """
    steps: set[tuple[Height, Height]] = set()
    for low, high in intervals:
        if Height.RUNTIME in (low, high):
            steps.add((Height.RUNTIME, Height.RUNTIME))
            continue
        levels = [level for level in Height if level is not Height.RUNTIME and low <= level <= high]
        steps.update(pairwise(levels))
    return frozenset(steps)
