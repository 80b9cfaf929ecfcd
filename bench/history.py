"""Time of `leverage history` on the first-parent history of a revision, beside scc's timeline of the same commits.

    python -m bench.history REPOSITORY@REVISION [--name NAME] [--rounds N]

Cold is an empty cache that is filled, warm the same command again. scc walks a clone at the revision; its timeline
samples what it counts, ours has every commit. The floor is git handing out the same contents.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from leverage.sources.target import open_target

from bench import machine
from bench.counting import ROUNDS, named
from bench.peers import program

COLD_ONE, COLD_TWO, WARM = "leverage, 1 worker, cold", "leverage, 2 workers, cold", "leverage, warm"
START, SCC, FLOOR = "leverage --version (start alone)", "scc --timeline", "git cat-file"


def contents(repository: str, commit: str) -> tuple[int, list[str]]:
    """Number of first-parent commits, and every blob that they brought."""
    words = ("log", "--first-parent", "--diff-merges=first-parent", "--raw", "-z", "--no-abbrev", "--no-renames")
    command = ("git", "-C", repository, *words, "--format=%x01", commit)
    answer = subprocess.run(command, check=True, capture_output=True).stdout
    blobs: dict[str, None] = {}
    for field in answer.split(b"\0"):
        _, colon, change = field.rpartition(b":")
        if colon:
            _, mode, _, blob, _ = change.split()
            if mode.startswith(b"100"):
                blobs[blob.decode()] = None
    return answer.count(b"\x01"), list(blobs)


def once(target: str, clone: Path, blobs: bytes) -> dict[str, machine.Timing]:
    """Every command once."""
    found: dict[str, machine.Timing] = {}
    leverage = str(Path(sys.executable).with_name("leverage"))
    with tempfile.TemporaryDirectory(prefix="leverage-bench-") as folder:
        scratch = Path(folder)
        for jobs, name in ((1, COLD_ONE), (2, COLD_TWO)):
            command = (leverage, "history", target, "--format", "csv", "--jobs", str(jobs))
            variables = {"LEVERAGE_CACHE_DIR": str(scratch / f"cache-{jobs}")}
            found[name] = machine.run(command, cwd=scratch, variables=variables)
            found[WARM] = machine.run(command, cwd=scratch, variables=variables)
        found[START] = machine.run((leverage, "--version"), cwd=scratch)
    found[SCC] = machine.run((program("scc"), "--timeline", "--depth", "0"), cwd=clone)
    found[FLOOR] = machine.run(("git", "cat-file", "--batch"), cwd=clone, stdin=blobs)
    return found


def main() -> None:
    """Measure, print, keep the result."""
    parser = argparse.ArgumentParser(description="Time the history of a revision.")
    parser.add_argument("target", help="REPOSITORY@REVISION")
    parser.add_argument("--name", default="", help="name of the result")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="times that everything is run")
    options = parser.parse_args()
    place = str(Path(options.target.rpartition("@")[0]).resolve())
    commit = open_target(options.target).source.snapshot.pin.id
    commits, blobs = contents(place, commit)
    ids = "".join(f"{blob}\n" for blob in blobs).encode()
    with tempfile.TemporaryDirectory(prefix="leverage-bench-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(("git", "clone", "--quiet", "--no-checkout", place, str(clone)), check=True)
        subprocess.run(("git", "-C", str(clone), "checkout", "--quiet", commit), check=True)
        found = [once(f"{place}@{commit}", clone, ids) for _ in range(options.rounds)]
    rows = {name: machine.rounded(machine.middle([each[name] for each in found])) for name in found[0]}
    name = f"{options.name or named(place)}-history"
    tree = {"name": name, "revision": commit, "commits": commits, "blobs": len(blobs)}
    path = machine.write(name, {"tree": tree, "rounds": options.rounds, "rows": rows})
    print(f"{name}: {commits:,} commits, {len(blobs):,} distinct contents; medians of {options.rounds}")
    first = rows[COLD_ONE]
    for key, row in rows.items():
        times = f"{row['wall']:8.2f} s {row['wall'] / first['wall']:6.3f} {row['cpu']:8.2f} s CPU"
        print(f"{key:32} {times}   load {row['load']:.1f}")
    print(f"kept as bench/results/{path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
