"""Touchpoints of the kind `copied`: functions and files of a port that stand nearly verbatim in its substrate.

A copy touches nothing while it runs, and yet hangs on upstream: what is mended there is not mended here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.measure.copied.alignment import SIMILAR, copies
from leverage.measure.copied.statements import read_blocks
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.measure.copied.alignment import Copy
    from leverage.measure.copied.reference import Reference

FILE, FUNCTION, RUN = "file", "function", "run"
"""Forms: a file of which `SIMILAR` of the telling statements stand in one of theirs; a function, or another block of
code, of which that share does; a run of statements inside one that is no copy as a whole."""
LEAST_BLOCKS = 2
"""Blocks that were copied from one file, from which on it is the file that was copied."""


def copied_touchpoints(texts: Mapping[str, bytes], original: Reference) -> list[Touchpoint]:
    """What of a port's Python files stands in its substrate, in the order of paths and lines.

    Args:
        texts: bytes by path.
        original: the substrate's files.

    Returns:
        For each file its own row first, if it was copied as a whole, then one for each block; ``symbol`` is theirs and
        ``within`` the port's.
    """
    found: list[Touchpoint] = []
    for path in sorted(texts):
        blocks = read_blocks(path, texts[path])
        copied = sorted(copies(blocks, original), key=lambda each: (each.first, each.symbol))
        telling = sum(statement.telling for block in blocks for statement in block.statements)
        found += [*_file(path, copied, telling), *(_row(each) for each in copied)]
    return found


def _file(path: str, copied: list[Copy], telling: int) -> list[Touchpoint]:
    matched, blocks = Counter[str](), Counter[str]()
    for each in copied:
        matched[each.source_path] += each.matched
        blocks[each.source_path] += 1
    if not matched:
        return []
    # Of two with as much of it the first by name, so that the same files give the same row.
    source = min(matched, key=lambda name: (-matched[name], name))
    if blocks[source] < LEAST_BLOCKS or Fraction(matched[source], telling) < SIMILAR:
        return []
    return [_touchpoint(path, 1, FILE, _module(source), "", f"{matched[source]} of {telling} statements")]


def _row(each: Copy) -> Touchpoint:
    symbol = each.source_symbol.partition("#")[0]
    detail = f"{each.matched} of {each.statements} statements" + (f", {each.renamed} renamed" if each.renamed else "")
    return _touchpoint(
        each.path,
        each.first,
        FUNCTION if each.whole else RUN,
        ".".join(part for part in (_module(each.source_path), symbol) if part),
        each.symbol.partition("#")[0],
        detail,
    )


def _touchpoint(path: str, line: int, form: str, symbol: str, within: str, detail: str) -> Touchpoint:  # noqa: PLR0917 - a row
    return Touchpoint(
        path,
        line,
        0,
        TouchKind.COPIED,
        form,
        symbol,
        False,
        Scope.NONE,
        "alignment",
        Certainty.LIKELY,
        within=within,
        detail=detail,
    )


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
