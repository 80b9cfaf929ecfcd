"""How much of a block stands in another: the same statements in the same order, renamed ones, and moved runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

from leverage.measure.copied.reference import GRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leverage.measure.copied.reference import Reference
    from leverage.measure.copied.statements import Block, Statement

SIMILAR = Fraction(3, 5)
"""Share of a block's telling statements from which on the block counts as a copy; docs/copied.md shows what other
shares would give."""
LEAST = 4
"""Telling statements of different shape that a copy has at least: below, two people write the same by chance."""
RENAMED_LEAST = 7
"""The same for a copy of which less than `VERBATIM` is equal without renaming: shape alone says less."""
VERBATIM = Fraction(1, 4)
RUN = 6
"""In a block that is no copy as a whole, only this many statements in a row count."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A block of a port with what of it stands in the substrate.

    Attributes:
        path: file of the port.
        symbol: dotted name in it; empty for what is in no function or class.
        first: first physical line of its first statement, from 1.
        source_path: file of the substrate.
        source_symbol: dotted name in that.
        statements: telling statements of the block.
        matched: those that stand in the substrate's block.
        renamed: those of `matched` that differ by consistently renamed variables.
        whole: whether the block counts as a copy as a whole, and not for a run inside it.
        lines: physical lines of all matched statements, from 1, sorted.
    """

    path: str
    symbol: str
    first: int
    source_path: str
    source_symbol: str
    statements: int
    matched: int
    renamed: int
    whole: bool
    lines: tuple[int, ...]

    @property
    def similarity(self) -> Fraction:
        """Share of the block's telling statements that stand in the substrate's block."""
        return Fraction(self.matched, self.statements)


def copies(blocks: Sequence[Block], source: Reference, *, similar: Fraction = SIMILAR) -> Iterator[Copy]:
    """What of each block stands nearly verbatim in the substrate, with the block there that has most of it.

    Args:
        blocks: of the port.
        source: the substrate, made searchable.
        similar: share from which on a block is a copy as a whole.
    """
    for block in blocks:
        best: Copy | None = None
        for other in source.candidates(block):
            found = _copy(block, other, similar)
            if found is not None and (best is None or (found.whole, found.matched) > (best.whole, best.matched)):
                best = found
        if best is not None:
            yield best


def _copy(block: Block, other: Block, similar: Fraction) -> Copy | None:
    matches = _matches(block.statements, other.statements)
    telling = sum(statement.telling for statement in block.statements)
    matched = [index for index in matches if block.statements[index].telling]
    verbatim = sum(not matches[index] for index in matched)
    shapes = len({block.statements[index].shape for index in matched})
    least = LEAST if verbatim >= VERBATIM * len(matched) else RENAMED_LEAST
    whole = shapes >= least and Fraction(len(matched), telling) >= similar
    if not whole:
        equal = sorted(index for index, renamed in matches.items() if not renamed)
        matches = {index: False for run in _runs(equal) if len(run) >= RUN for index in run}
        matched = [index for index in matches if block.statements[index].telling]
        if len(matched) < LEAST:
            return None
    lines = sorted(
        {line for index in matches for line in range(block.statements[index].first, block.statements[index].last + 1)}
    )
    return Copy(
        block.path,
        block.symbol,
        block.statements[0].first,
        other.path,
        other.symbol,
        telling,
        len(matched),
        sum(matches[index] for index in matched),
        whole,
        tuple(lines),
    )


def _matches(mine: Sequence[Statement], theirs: Sequence[Statement]) -> dict[int, bool]:
    """Index of each statement of mine that stands in theirs, and whether only by another name."""
    pairs: list[tuple[int, int]] = []
    here = there = 0
    same = [*_equal([one.text for one in mine], [one.text for one in theirs]), (len(mine), len(theirs), 0)]
    for mine_at, theirs_at, length in same:
        shapes = [one.shape for one in mine[here:mine_at]], [one.shape for one in theirs[there:theirs_at]]
        for left, right, alike in _equal(*shapes):
            pairs += zip(
                range(here + left, here + left + alike), range(there + right, there + right + alike), strict=True
            )
        here, there = mine_at + length, theirs_at + length
        pairs += zip(range(mine_at, here), range(theirs_at, there), strict=True)
    names: defaultdict[bytes, Counter[bytes]] = defaultdict(Counter)
    for one, other in pairs:
        for name, its_name in zip(mine[one].names, theirs[other].names, strict=True):
            names[name][its_name] += 1
    called = {name: max((times, other) for other, times in counted.items())[1] for name, counted in names.items()}
    found: dict[int, bool] = {}
    for one, other in pairs:
        if mine[one].text == theirs[other].text:
            found[one] = False
        elif all(called[a] == b for a, b in zip(mine[one].names, theirs[other].names, strict=True)):
            found[one] = True
    return _with_moved(found, mine, theirs)


def _equal(mine: Sequence[int], theirs: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Start in mine, start in theirs and length of each stretch of a longest common subsequence, in order."""
    for block in LCSseq.opcodes(mine, theirs):
        if block.tag == "equal":
            yield block.src_start, block.dest_start, block.src_end - block.src_start


def _with_moved(found: dict[int, bool], mine: Sequence[Statement], theirs: Sequence[Statement]) -> dict[int, bool]:
    """Add runs of `GRAM` statements that stand elsewhere in theirs: code that was put in another order."""
    known = {tuple(one.text for one in theirs[at : at + GRAM]) for at in range(len(theirs) - GRAM + 1)}
    moved = dict(found)
    for at in range(len(mine) - GRAM + 1):
        if tuple(one.text for one in mine[at : at + GRAM]) in known:
            moved.update((index, False) for index in range(at, at + GRAM) if index not in found)
    return moved


def _runs(indexes: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for index in indexes:
        if run and index != run[-1] + 1:
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def copied_lines(found: Sequence[Copy]) -> Mapping[str, frozenset[int]]:
    """Physical lines of each file that stand in the substrate."""
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for copy in found:
        lines[copy.path].update(copy.lines)
    return {path: frozenset(numbers) for path, numbers in lines.items()}
