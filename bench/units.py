"""Our time to divide a tree into units, to count its tokens and to compress it, beside lizard's time for its functions.

    python -m bench.units FOLDER [--name NAME]

All in one process with the text in memory, three rounds of each, ours and lizard's by turns, so that what else the
machine does falls on all alike; every figure is the median. lizard reads a sample of the C++ and Python files, chosen
by the hash of their paths; the ratio is to our units of the same files.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import lizard
from leverage import __version__
from leverage.measure.compressed import compressed_size, compression
from leverage.measure.content import language_of
from leverage.measure.languages import Context, languages
from leverage.measure.lines.base import physical_lines
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.measure.tokens import count_tokens
from leverage.measure.units import has_units, read_units
from leverage.model.files import SourceFile, State

from bench import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 3
SAMPLE_LINES = 60_000  # that lizard is shown of each language
JUDGED = {"cpp": ".hpp", "python": ".py"}  # the name under which lizard reads a language

Text = tuple[str, bytes, bytes]  # path, text, classes of its lines


def read(folder: Path) -> dict[str, list[Text]]:
    """The texts of a folder by language, of languages that have units."""
    found: dict[str, list[Text]] = defaultdict(list)
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    names = [path.relative_to(folder).as_posix() for path in paths]
    context = Context.of(SourceFile(name, "", -1) for name in names)
    for path, name in zip(paths, names, strict=True):
        text, said = readable(path.read_bytes())
        language = language_of(name, text, context).language if said.state is State.COUNTED else ""
        if has_units(language):
            found[language].append((name, text, bytes(SCANNERS[languages()[language].family].scan(text))))
    return found


def sample(texts: Sequence[Text]) -> list[Text]:
    """Files chosen by the hash of their path until they hold enough lines."""
    chosen: list[Text] = []
    held = 0
    for text in sorted(texts, key=lambda text: hashlib.sha256(os.fsencode(text[0])).digest()):
        if held >= SAMPLE_LINES:
            break
        chosen.append(text)
        held += len(text[2])
    return chosen


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rates(language: str, texts: Sequence[Text]) -> dict[str, float | int]:
    """Processor seconds of each measure over all texts, and of units and lizard over the sample."""
    part = sample(texts) if language in JUDGED else []
    suffix = JUDGED.get(language, "")
    works: dict[str, Callable[[], object]] = {
        "units": lambda: [read_units(language, text, classes) for _, text, classes in texts],
        "tokens": lambda: [count_tokens(language, text) for _, text, _ in texts],
        "compressed": lambda: [compressed_size(text) for _, text, _ in texts],
        "units of the sample": lambda: [read_units(language, text, classes) for _, text, classes in part],
        "lizard on the sample": lambda: [
            lizard.analyze_file.analyze_source_code(f"x{suffix}", text.decode("utf-8", "replace"))
            for _, text, _ in part
        ],
    }
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        for name, work in works.items():
            taken[name].append(seconds(work))
    return {
        "files": len(texts),
        "lines": sum(physical_lines(text) for _, text, _ in texts),
        "bytes": sum(len(text) for _, text, _ in texts),
        "sample lines": sum(physical_lines(text) for _, text, _ in part),
        **{name: round(median(times), 3) for name, times in taken.items()},
    }


def main() -> None:
    """Measure, print a table, keep the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", default="")
    given = parser.parse_args()
    rows = {language: rates(language, texts) for language, texts in sorted(read(given.folder).items())}
    print("| language | files | lines | units s | lines/s | tokens s | zstd s | lizard / units |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    for language, row in rows.items():
        ratio = row["lizard on the sample"] / row["units of the sample"] if row["sample lines"] else 0
        print(
            f"| {language} | {row['files']:,} | {row['lines']:,} | {row['units']:.2f} "
            f"| {row['lines'] / row['units'] if row['units'] else 0:,.0f} | {row['tokens']:.2f} "
            f"| {row['compressed']:.2f} | {f'{ratio:.1f}' if ratio else ''} |"
        )
    versions = {"leverage": __version__, "lizard": importlib.metadata.version("lizard"), "zstd": compression()}
    path = machine.write(f"units-{given.name or given.folder.name}", {"versions": versions, "languages": rows})
    sys.stderr.write(f"kept as {path.name}\n")


if __name__ == "__main__":
    main()
