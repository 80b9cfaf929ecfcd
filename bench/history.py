"""Time to count every state that the first-parent history of a revision went through, each distinct content once.

    python -m bench.history REPOSITORY@REVISION [--name NAME]

What is counted is each distinct (language, content) of the history, cold: an empty cache that is filled. The floor is
git handing out the same blobs. The context of a header (what stands beside it) is not known to a bare list of contents,
so its own syntax decides its language here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.measure.cache import Cache
from leverage.measure.pipeline import measure
from leverage.model.files import SourceFile
from leverage.sources.gitobjects import ObjectReader, OpenCommit
from leverage.sources.gitplace import find_repository
from leverage.sources.target import open_target

from bench import machine
from bench.counting import ROUNDS, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.model.files import FileFacts
    from leverage.sources.base import Snapshot


def contents(repository: str, commit: str) -> tuple[int, dict[str, str]]:
    """Number of first-parent commits, and every blob that they brought, with the first path that it had."""
    words = ("log", "--first-parent", "--diff-merges=first-parent", "--raw", "-z", "--no-abbrev", "--no-renames")
    command = ("git", "-C", repository, *words, "--format=%x01", commit)
    answer = subprocess.run(command, check=True, capture_output=True).stdout
    paths: dict[str, str] = {}
    fields = iter(answer.split(b"\0"))
    for field in fields:
        _, colon, change = field.rpartition(b":")
        if not colon:
            continue
        _, mode, _, blob, _ = change.split()
        path = next(fields)
        if mode.startswith(b"100"):
            paths.setdefault(blob.decode(), path.decode("utf-8", "surrogateescape"))
    return answer.count(b"\x01"), paths


def once(
    objects: Path, files: Sequence[SourceFile], snapshot: Snapshot, jobs: int
) -> tuple[machine.Timing, list[FileFacts]]:
    """The time that counting takes from git objects into an empty cache, and what it found."""
    load = machine.load()
    with tempfile.TemporaryDirectory(prefix="leverage-bench-") as folder:
        start, before = time.perf_counter(), machine.processor_time()
        with Cache(Path(folder) / "counts.sqlite") as cache:
            facts = measure(OpenCommit(objects, snapshot), files, context=(), cache=cache, jobs=jobs)
        return machine.Timing(time.perf_counter() - start, machine.processor_time() - before, load), facts


def main() -> None:
    """Measure, print, keep the result."""
    parser = argparse.ArgumentParser(description="Time counting the whole first-parent history of a revision.")
    parser.add_argument("target", help="REPOSITORY@REVISION")
    parser.add_argument("--name", default="", help="name of the result")
    options = parser.parse_args()
    place = options.target.rpartition("@")[0]
    snapshot = open_target(options.target).source.snapshot
    repository = find_repository(Path(place).resolve())
    if repository is None:
        raise SystemExit(f"{place} is not a repository")
    commits, paths = contents(place, snapshot.pin.id)
    with ObjectReader(repository.objects, command="--batch-check") as reader:
        sizes = list(reader.sizes(paths))
    # The folder keeps one path apart from another: a file keeps the name that it is told by.
    files = [SourceFile(f"{blob}/{path}", blob, size) for (blob, path), size in zip(paths.items(), sizes, strict=True)]
    ids = "".join(f"{blob}\n" for blob in paths).encode()
    seconds: dict[str, list[machine.Timing]] = {"1 worker": [], "2 workers": [], "git cat-file": []}
    facts: list[FileFacts] = []
    for _ in range(ROUNDS):
        for jobs, key in ((1, "1 worker"), (2, "2 workers")):
            timing, facts = once(repository.objects, files, snapshot, jobs)
            seconds[key].append(timing)
        floor = machine.run(("git", "-C", place, "cat-file", "--batch"), cwd=Path.cwd(), stdin=ids)
        seconds["git cat-file"].append(floor)
    lines = sum(max(0, fact.physical) for fact in facts)
    rows = {key: machine.middle(timings) for key, timings in seconds.items()}
    name = f"{options.name or named(place)}-history"
    rounded = {key: {**machine.rounded(row), "lines_per_second": round(lines / row.wall)} for key, row in rows.items()}
    tree = {"name": name, "revision": snapshot.pin.id, "commits": commits, "blobs": len(files), "lines": lines}
    path = machine.write(name, {"tree": tree, "rounds": ROUNDS, "rows": rounded})
    print(f"{name}: {commits:,} commits, {len(files):,} distinct contents, {lines:,} lines; medians of {ROUNDS}")
    for key, row in rounded.items():
        times = f"{row['wall']:8.2f} s {row['cpu']:8.2f} s CPU"
        print(f"{key:14} {times} {row['lines_per_second']:>12,} lines/s   load {row['load']:.1f}")
    print(f"kept as bench/results/{path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
