"""Tables of plain text for people: aligned, as wide as they need to be, never coloured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
"""Spaces between columns."""
UNBOUNDED = 100_000
"""Width of what is not written to a terminal."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and how the cells below it stand."""

    heading: str
    right: bool = True


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    last: Sequence[Sequence[str]] = (),
    width: int,
    folded: bool = True,
) -> str:
    """Lines of an aligned table.

    Args:
        columns: headings.
        rows: cells.
        last: rows below a rule, for totals.
        width: columns of the terminal.
        folded: whether columns that do not fit follow in further blocks, each of which begins with the first column
            again; else lines may be longer than the terminal.
    """
    everything = [[column.heading for column in columns], *rows, *last]
    widths = [max(len(row[at]) for row in everything) for at in range(len(columns))]
    blocks = _blocks(widths, width) if folded else [list(range(len(columns)))]
    places = [[(at, widths[at]) for at in block] for block in blocks]
    return "\n\n".join(_block(columns, rows, last, block, width) for block in places)


def _blocks(widths: Sequence[int], width: int) -> list[list[int]]:
    blocks: list[list[int]] = [[0]]
    used = widths[0]
    for at in range(1, len(widths)):
        if used + GAP + widths[at] > width and len(blocks[-1]) > 1:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(at)
        used += GAP + widths[at]
    return blocks


def _block(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    last: Sequence[Sequence[str]],
    places: Sequence[tuple[int, int]],
    width: int,
) -> str:
    def line(cells: Sequence[str]) -> str:
        parts = [cells[at].rjust(size) if columns[at].right else cells[at].ljust(size) for at, size in places]
        return (" " * GAP).join(parts).rstrip()

    rule = "-" * min(width, sum(size for _, size in places) + GAP * (len(places) - 1))
    body = [line([column.heading for column in columns]), rule, *map(line, rows)]
    return "\n".join([*body, rule, *map(line, last)] if last else body)


def number(value: int | None) -> str:
    """A count with thousands separators; a dash where it is not known."""
    return "-" if value is None else f"{value:,}"


def plural(count: int, noun: str) -> str:
    """``1 file``, ``2 files``, ``2 entries``."""
    if count == 1:
        return f"{count:,} {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{count:,} {noun}s"
