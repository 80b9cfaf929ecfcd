"""Our time to count a tree beside that of other counters: one table, measured in one run, ours at one worker = 1.

    make bench                                   the packages installed beside this interpreter
    make bench TREE=PATH [NAME=name]             a folder that is in no git work tree
    make bench TREE=REPOSITORY@REVISION          a revision; the others count what `git archive` unpacks of it

Every figure is the median of three rounds, and each round runs every command once, so that what else the machine does
falls on all of them alike. pygount counts a sample: its time is start-up plus lines at the rate of the sample.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from leverage import __version__
from leverage.measure.content import language_of
from leverage.measure.languages import Context, languages
from leverage.measure.lines.base import physical_lines
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.model.files import EntryKind, State
from leverage.sources.target import open_target

from bench import machine
from bench.peers import peers, program

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.peers import Counts, Peer

ROUNDS = 3
SAMPLE_LINES = 60_000  # of text that pygount is shown: about five seconds
BINARIES = ("*.so", "*.so.*", "*.pyc", "*.dylib", "*.pyd", "__pycache__")
COLUMNS = ("counter", "version", "wall s", "ratio", "CPU s", "ratio", "lines/s", "lines counted", "code lines")
WORDS = 2  # columns that hold text


@dataclass(frozen=True, slots=True)
class Tree:
    """What is counted.

    Attributes:
        name: of the result; tells people what the tree is.
        target: as `leverage count` takes it.
        folder: the same files on disk, for the counters that read no git objects.
        revision: commit id, or empty for a folder.
    """

    name: str
    target: str
    folder: Path
    revision: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; lines are what the counter itself accounts for (code, comment and blank)."""

    counter: str
    version: str
    timing: machine.Timing
    lines: int
    code: int
    note: str = ""


def prepare(target: str, name: str, scratch: Path) -> Tree:
    """Put the files of a target on disk where they are not yet."""
    folder = scratch / "tree"
    if not target:
        installed = Path(sysconfig.get_path("purelib"))
        shutil.copytree(installed, folder, ignore=shutil.ignore_patterns(*BINARIES), symlinks=True)
        return Tree(name or "installed-packages", str(folder), folder, "")
    place, at, revision = target.rpartition("@")
    if at and Path(place).is_dir():
        commit = _git(place, "rev-parse", "--verify", f"{revision}^{{commit}}").decode().strip()
        folder.mkdir()
        subprocess.run(["tar", "-x", "-C", str(folder)], input=_git(place, "archive", commit), check=True)
        return Tree(name or named(place), f"{Path(place).resolve()}@{commit}", folder, commit)
    path = Path(target).resolve()
    return Tree(name or named(str(path)), str(path), path, "")


def named(place: str) -> str:
    """A name for a repository or folder: the last part of its path that says something, without an owner."""
    parts = [part.removesuffix(".git") for part in Path(place).parts]
    telling = [part for part in parts if part.strip("/.") not in {"", "repo", "git"}]
    return telling[-1].rpartition("+")[2] if telling else "tree"


def _git(place: str, *words: str) -> bytes:
    return subprocess.run(["git", "-C", place, *words], check=True, capture_output=True).stdout


def sample(folder: Path, to: Path, lines: int = SAMPLE_LINES) -> int:
    """Copy files chosen by the hash of their path until they hold so many lines; returns how many they hold."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    paths = sorted(found, key=lambda path: hashlib.sha256(os.fsencode(path.relative_to(folder))).digest())
    held = 0
    for path in paths:
        if held >= lines:
            break
        text, said = readable(path.read_bytes())
        if said.state is State.COUNTED:
            place = to / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
            held += physical_lines(text)
    return held


def total(counts: Iterable[Counts]) -> tuple[int, int]:
    """Lines and code lines of all files."""
    found = list(counts)
    return sum(count.lines for count in found), sum(count.code for count in found)


def measured(tree: Tree, scratch: Path) -> list[Row]:
    """All rows: the commands round by round, then what each of them counts."""
    known = peers()
    part, empty = scratch / "sample", scratch / "empty"
    part_lines = sample(tree.folder, part)
    empty.mkdir()
    (empty / "a.py").write_text("a = 1\n")
    timings = rounds(tree, scratch, known, {"pygount, sample": part, "pygount, start": empty})
    rows = our_rows(tree, scratch, timings)
    lines = rows[0].lines
    for peer in (known["scc"], known["tokei"], known["cloc"]):
        rows.append(
            Row(peer.name, peer.version, machine.middle(timings[peer.name]), *total(peer.count(tree.folder).values()))
        )
    start, shown = (machine.middle(timings[f"pygount, {which}"]) for which in ("start", "sample"))
    scale = lines / part_lines
    whole = machine.Timing(
        start.wall + (shown.wall - start.wall) * scale, start.cpu + (shown.cpu - start.cpu) * scale, shown.load
    )
    counted, code = total(known["pygount"].count(part).values())
    note = f"extrapolated from a sample of {part_lines:,} lines"
    rows.append(Row("pygount", known["pygount"].version, whole, round(counted * scale), round(code * scale), note))
    if tree.revision:
        rows.append(Row("git cat-file", "the floor: bytes alone", machine.middle(timings["floor"]), lines, 0))
    return rows


def rounds(
    tree: Tree, scratch: Path, known: Mapping[str, Peer], parts: Mapping[str, Path]
) -> dict[str, list[machine.Timing]]:
    """Every command once in each round."""
    leverage = program("leverage")
    cache = {"LEVERAGE_CACHE_DIR": str(scratch / "cache")}
    ids = blob_ids(tree)
    nothing = scratch / "nothing"
    nothing.mkdir()
    found: dict[str, list[machine.Timing]] = defaultdict(list)
    for _ in range(ROUNDS):
        for jobs in ("2", "1"):
            shutil.rmtree(scratch / "cache", ignore_errors=True)
            command = (leverage, "count", tree.target, "--jobs", jobs)
            found[f"cold {jobs}"].append(machine.run(command, cwd=scratch, variables=cache))
            found[f"warm {jobs}"].append(machine.run(command, cwd=scratch, variables=cache))
        found["start"].append(machine.run((leverage, "count", "."), cwd=nothing, variables=cache))
        for name in ("scc", "tokei", "cloc"):
            found[name].append(machine.run(known[name].command, cwd=tree.folder))
        for name, folder in parts.items():
            found[name].append(machine.run(known["pygount"].command, cwd=folder))
        if ids:
            repository = tree.target.rpartition("@")[0]
            found["floor"].append(machine.run(("git", "-C", repository, "cat-file", "--batch"), cwd=scratch, stdin=ids))
    return found


def blob_ids(tree: Tree) -> bytes:
    """The distinct blobs of a revision, one id a line; nothing for a folder."""
    if not tree.revision:
        return b""
    with open_target(tree.target).source as source:
        blobs = {file.blob for file in source.snapshot.files if file.kind is EntryKind.FILE}
    return "".join(f"{blob}\n" for blob in sorted(blobs)).encode()


def our_rows(tree: Tree, scratch: Path, timings: Mapping[str, Sequence[machine.Timing]]) -> list[Row]:
    """The command, with one worker and two, cold and warm; and its start alone."""
    command = [program("leverage"), "count", tree.target, "--format", "json"]
    environment = {**os.environ, "LEVERAGE_CACHE_DIR": str(scratch / "cache")}
    answer = subprocess.run(command, check=True, capture_output=True, env=environment).stdout
    files = [file for file in json.loads(answer)["files"] if file["disposition"] == "counted"]
    lines = sum(file["lines"] for file in files)
    code = sum(file["code"] or 0 for file in files)
    titles = {
        "cold 1": "leverage, 1 worker, cold",
        "cold 2": "leverage, 2 workers, cold",
        "warm 1": "leverage, warm",
        "start": "leverage, empty folder",
    }
    return [
        Row(title, __version__, machine.middle(timings[key]), *((lines, code) if key != "start" else (0, 0)))
        for key, title in titles.items()
    ]


def scan_rates(tree: Tree) -> dict[str, dict[str, int]]:
    """Lines per second of the scanners alone, on one core, of text in memory; medians of three, by language and in all.

    Languages of less than 20,000 lines stand in the whole only: a rate over milliseconds says nothing.
    """
    target = open_target(tree.target)
    texts: dict[str, list[bytes]] = defaultdict(list)
    with target.source as source:
        context = Context.of(source.snapshot.files)
        wanted = [file for file in target.files if file.kind is EntryKind.FILE]
        for file, data in source.read(wanted):
            text, said = readable(data) if isinstance(data, bytes) else (b"", None)
            language = languages().get(language_of(file.path, text, context).language)
            if said and said.state is State.COUNTED and language and language.family in SCANNERS:
                texts[language.id].append(text)
    found = {}
    spent: dict[str, float] = {}
    lines = {id_: sum(map(physical_lines, pieces)) for id_, pieces in texts.items()}
    for id_, pieces in texts.items():
        scanner = SCANNERS[languages()[id_].family]
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            for text in pieces:
                scanner.scan(text)
            times.append(time.process_time() - start)
        spent[id_] = median(times)
    for id_ in sorted(lines, key=lambda id_: -lines[id_]):
        if lines[id_] >= 20_000:  # noqa: PLR2004 - said above
            found[id_] = {"lines": lines[id_], "lines_per_second": round(lines[id_] / spent[id_])}
    found["all"] = {"lines": sum(lines.values()), "lines_per_second": round(sum(lines.values()) / sum(spent.values()))}
    return found


def ratios(row: Row, first: Row) -> tuple[float, float]:
    """Wall and processor time of a row in those of the first."""
    return row.timing.wall / first.timing.wall, row.timing.cpu / first.timing.cpu


def table(rows: Sequence[Row]) -> str:
    """The rows as text; each ratio is that of the time before it to the first row's."""
    cells = [COLUMNS]
    for row in rows:
        counter = f"{row.counter} (*)" if row.note else row.counter
        wall, cpu = ratios(row, rows[0])
        rate = f"{row.lines / row.timing.wall:,.0f}" if row.lines else "-"
        counts = (f"{row.lines:,}" if row.lines else "-", f"{row.code:,}" if row.code else "-")
        times = (f"{row.timing.wall:.2f}", f"{wall:.3g}", f"{row.timing.cpu:.2f}", f"{cpu:.3g}")
        cells.append((counter, row.version, *times, rate, *counts))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    texts = [
        "  ".join(map(str.ljust, line[:WORDS], widths[:WORDS]))
        + "  "
        + "  ".join(map(str.rjust, line[WORDS:], widths[WORDS:]))
        for line in cells
    ]
    notes = [f"(*) {row.counter}: {row.note}" for row in rows if row.note]
    return "\n".join([*(text.rstrip() for text in texts), *notes])


def kept(tree: Tree, rows: Sequence[Row], rates: Mapping[str, object]) -> dict[str, Any]:
    """The result as data."""
    return {
        "tree": {"name": tree.name, "revision": tree.revision},
        "rounds": ROUNDS,
        "rows": [
            {
                "counter": row.counter,
                "version": row.version,
                **machine.rounded(row.timing),
                **dict(zip(("wall_ratio", "cpu_ratio"), (round(one, 4) for one in ratios(row, rows[0])), strict=True)),
                "lines": row.lines,
                "code": row.code,
                "note": row.note,
            }
            for row in rows
        ],
        "scan_per_core": dict(rates),
    }


def main() -> None:
    """Measure, print the table, keep the result."""
    parser = argparse.ArgumentParser(description="Time leverage beside other counters.")
    parser.add_argument("--tree", default="", help="a folder, or REPOSITORY@REVISION; installed packages by default")
    parser.add_argument("--name", default="", help="name of the result")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leverage-bench-") as name:
        scratch = Path(name).resolve()
        tree = prepare(options.tree, options.name, scratch)
        rates = scan_rates(tree)
        rows = measured(tree, scratch)
    path = machine.write(tree.name, kept(tree, rows, rates))
    print(f"{tree.name} {tree.revision}".rstrip() + f": medians of {ROUNDS}")
    print(table(rows))
    print(
        "scanners alone, one core, lines/s: "
        + ", ".join(f"{id_} {one['lines_per_second']:,}" for id_, one in rates.items())
    )
    low, high = (choose(row.timing.load for row in rows) for choose in (min, max))
    print(f"{os.cpu_count()} processors, load {low:.1f} to {high:.1f} while measuring", file=sys.stderr)
    print(f"kept as bench/results/{path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
