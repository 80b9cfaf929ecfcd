"""The substrate's code, made searchable: which of its blocks share runs of statements with a block of the port."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from leverage.measure.copied.statements import Block, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GRAM = 3
"""Statements in a fingerprint. Two in a row occur everywhere; four lose a copy in which every fourth line changed."""
COMMON = 64
"""A fingerprint that stands in more blocks than this says nothing about where something was copied from."""
RARE = 8
"""A telling statement that stands in at most this many blocks is a fingerprint by itself, so that a copy with a change
in every third line is found."""
CANDIDATES = 4
"""Blocks that are aligned with each block of the port; those that share the rarest fingerprints."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Blocks of a substrate with an index of their fingerprints.

    Attributes:
        blocks: sorted by path, in order of lines.
        grams: by fingerprint, the blocks (index into `blocks`) that hold it; common ones are left out.
        alone: by hash of a telling statement, the blocks that hold it; only rare ones.
    """

    blocks: tuple[Block, ...]
    grams: Mapping[tuple[int, ...], tuple[int, ...]]
    alone: Mapping[int, tuple[int, ...]]

    def candidates(self, block: Block) -> list[Block]:
        """Blocks that a block may have been copied from, the likeliest first; at most `CANDIDATES`."""
        score: defaultdict[int, Fraction] = defaultdict(Fraction)
        shared = [self.grams.get(gram, ()) for gram in set(fingerprints(block))]
        shared += [self.alone.get(text, ()) for text in {each.text for each in block.statements if each.telling}]
        for holders in shared:
            for holder in holders:
                score[holder] += Fraction(1, len(holders))
        if not score:
            return []
        name = block.symbol.rpartition(".")[2].partition("#")[0]

        def strength(holder: int) -> tuple[bool, Fraction, int]:
            other = self.blocks[holder].symbol.rpartition(".")[2].partition("#")[0]
            return (bool(name) and other == name, score[holder], -holder)

        return [self.blocks[holder] for holder in sorted(score, key=strength, reverse=True)[:CANDIDATES]]


def reference(files: Mapping[str, bytes]) -> Reference:
    """Read a substrate.

    Args:
        files: Python files by path.
    """
    blocks = tuple(block for path in sorted(files) for block in read_blocks(path, files[path]))
    grams: defaultdict[tuple[int, ...], dict[int, None]] = defaultdict(dict)
    alone: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for index, block in enumerate(blocks):
        for gram in fingerprints(block):
            grams[gram][index] = None
        for statement in block.statements:
            if statement.telling:
                alone[statement.text][index] = None
    return Reference(
        blocks,
        {gram: tuple(found) for gram, found in grams.items() if len(found) <= COMMON},
        {text: tuple(found) for text, found in alone.items() if len(found) <= RARE},
    )


def fingerprints(block: Block) -> Iterator[tuple[int, ...]]:
    """Shapes of every `GRAM` statements in a row, of which at least two say something by themselves."""
    statements = block.statements
    windows = zip(*(islice(statements, start, None) for start in range(GRAM)), strict=False)
    for window in windows:
        if sum(statement.telling for statement in window) >= GRAM - 1:
            yield tuple(statement.shape for statement in window)
