"""Planted copies: how much of a real function may change before it is no longer found, and what is found wrongly.

    python -m bench.copied FOLDER [--functions 300]

Functions are drawn from the Python files below FOLDER (an unpacked substrate). Each is changed in one way, in a given
share of its statements, and looked for in the whole folder. For false positives every function is looked for in the
files of the *other* folders, where nothing was planted; what is found there is read by a person.
The draw is seeded, so the same folder gives the same table.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.measure.copied.alignment import copies
from leverage.measure.copied.reference import reference
from leverage.measure.copied.statements import read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.measure.copied.reference import Reference

SHARES = (5, 10, 20, 30, 40, 50)  # percent of the statements that change
LEAST, MOST = 8, 80  # statements of a function that is planted
_WORD = re.compile(r"\b[a-z_][a-z_0-9]{2,}\b")

Lines = list[str]


def rename(lines: Lines, percent: int, chance: random.Random) -> Lines:
    """Give a share of all names another name, the same everywhere."""
    names = sorted({word for line in lines for word in _WORD.findall(line)} - {"self", "def", "return", "for", "not"})
    chosen = {name: f"{name}_x" for name in chance.sample(names, max(1, len(names) * percent // 100))}
    return [_WORD.sub(lambda word: chosen.get(word[0], word[0]), line) for line in lines]


def insert(lines: Lines, percent: int, chance: random.Random) -> Lines:
    """Put statements of one's own between the lines."""
    out = list(lines)
    for number in range(max(1, len(lines) * percent // 100)):
        at = chance.randrange(1, len(out))
        indent = re.match(r"\s*", out[at])
        out.insert(at, f"{indent[0] if indent else ''}self.own_{number}(alpha, beta, {number})")
    return out


def replace(lines: Lines, percent: int, chance: random.Random) -> Lines:
    """Put statements of one's own in place of lines."""
    out = list(lines)
    for at in chance.sample(range(1, len(out)), max(1, len(lines) * percent // 100)):
        indent = re.match(r"\s*", out[at])
        out[at] = f"{indent[0] if indent else ''}self.own_{at}(alpha, beta, {at})"
    return out


def reorder(lines: Lines, percent: int, chance: random.Random) -> Lines:
    """Move one stretch of lines to another place."""
    length = max(1, len(lines) * percent // 100)
    start = chance.randrange(1, max(2, len(lines) - length))
    moved, rest = lines[start : start + length], lines[:start] + lines[start + length :]
    at = chance.randrange(1, len(rest) + 1)
    return rest[:at] + moved + rest[at:]


def reformat(lines: Lines, percent: int, chance: random.Random) -> Lines:
    """Break lines after commas inside brackets and comment them."""
    out = []
    for line in lines:
        if chance.randrange(100) < percent and line.count("(") == line.count(")") > 0 and "#" not in line:
            at = line.index("(") + 1
            out += [f"{line[:at]}  # ours", f"            {line[at:]}"]
        else:
            out.append(line)
    return out


CHANGES: dict[str, Callable[[Lines, int, random.Random], Lines]] = {
    "rename": rename,
    "insert": insert,
    "replace": replace,
    "reorder": reorder,
    "reformat": reformat,
}


def drawn(files: dict[str, bytes], many: int, chance: random.Random) -> list[tuple[str, str, Lines]]:
    """Functions of a fitting size: file, symbol, lines."""
    found = []
    for path in sorted(files):
        text = files[path].decode("utf-8", "replace").splitlines()
        for block in read_blocks(path, files[path]):
            statements = block.statements
            extent = text[statements[0].first - 1 : statements[-1].last]
            if (
                block.symbol
                and extent[0].lstrip().startswith(("def ", "async def "))
                and LEAST <= len(statements) <= MOST
            ):
                found.append((path, block.symbol, extent))
    return chance.sample(found, min(many, len(found)))


def detection(planted: Sequence[tuple[str, str, Lines]], source: Reference) -> list[str]:
    """The table: for each change and share of statements changed, how many of the functions are found as a whole."""
    rows = ["| change | " + " | ".join(f"{share} %" for share in SHARES) + " |", "|---" * (len(SHARES) + 1) + "|"]
    for name, change in CHANGES.items():
        cells = []
        for share in SHARES:
            chance = random.Random(share)  # noqa: S311 - a repeatable draw
            hits = 0
            for path, symbol, lines in planted:
                text = "\n".join(change(lines, share, chance)).encode()
                hits += any(
                    copy.whole and (copy.source_path, copy.source_symbol) == (path, symbol)
                    for copy in copies(read_blocks("port.py", text), source)
                )
            cells.append(f"{hits / len(planted):.1%}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return rows


def unrelated(files: dict[str, bytes]) -> list[str]:
    """Whole-function copies between the substrate's folders: what is found although nothing was planted."""
    groups: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for path, data in files.items():
        groups[path.split("/")[0] if "/" in path else "."][path] = data
    rows = []
    for name in sorted(groups):
        source = reference({path: data for other in groups if other != name for path, data in groups[other].items()})
        blocks = [block for path, data in sorted(groups[name].items()) for block in read_blocks(path, data)]
        found = [copy for copy in copies(blocks, source) if copy.whole]
        rows.append(f"{name}: {len(found)} of {len(blocks)} blocks")
        rows += [
            f"    {copy.path}:{copy.first} {copy.symbol} <- {copy.source_path} {copy.source_symbol} "
            f"{copy.matched}/{copy.statements}"
            for copy in found
        ]
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--functions", type=int, default=300)
    given = parser.parse_args(arguments)
    files = {str(path.relative_to(given.folder)): path.read_bytes() for path in sorted(given.folder.rglob("*.py"))}
    start = time.perf_counter()
    source = reference(files)
    took = time.perf_counter() - start
    lines = sum(data.count(b"\n") for data in files.values())
    print(f"{len(files):,} files, {lines:,} lines, made searchable in {took:.1f} s")
    planted = drawn(files, given.functions, random.Random(1))  # noqa: S311 - a repeatable draw
    print(f"{len(planted)} functions planted; found, by share of statements changed:")
    print("\n".join(detection(planted, source)))
    print("Found between the folders, where nothing was planted:")
    print("\n".join(unrelated(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
