"""Time a command, and say what it ran on. Results name no path and no host: only facts that bear on a figure."""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True, slots=True)
class Timing:
    """One run of a command.

    Attributes:
        wall: seconds from start to end.
        cpu: seconds of processor time, user and system, of the command and its children.
        load: load average of the machine over the last minute, when the command started.
    """

    wall: float
    cpu: float
    load: float


def load() -> float:
    """Load average of the machine over the last minute."""
    return os.getloadavg()[0]


def processor_time() -> float:
    """Seconds of processor time, user and system, of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run(command: Sequence[str], *, cwd: Path, variables: Mapping[str, str] | None = None, stdin: bytes = b"") -> Timing:
    """Run a command to its end with its output thrown away.

    Raises:
        SystemExit: it failed; with its last words.
    """
    at_start = load()
    start, before = time.perf_counter(), processor_time()
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **(variables or {})},
        input=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    wall = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{command[0]} failed with {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return Timing(wall, processor_time() - before, at_start)


def middle(timings: Sequence[Timing]) -> Timing:
    """The medians of several runs, each field by itself."""
    return Timing(*(median(getattr(one, name) for one in timings) for name in ("wall", "cpu", "load")))


def facts() -> dict[str, Any]:
    """What the figures depend on: processors, interpreter, system, load now, and the day."""
    return {
        "cpus": os.cpu_count(),
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "git": subprocess.run(["git", "--version"], check=True, capture_output=True, text=True).stdout.split()[-1],
        "load": [round(value, 2) for value in os.getloadavg()],
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def write(name: str, result: Mapping[str, object]) -> Path:
    """Keep a result as `results/<name>.json`, with the facts of the machine; returns its path."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({"format": 1, "machine": facts(), **result}, indent=1) + "\n", encoding="utf-8")
    return path


def rounded(timing: Timing) -> dict[str, float]:
    """A timing as it is kept."""
    return {key: round(value, 4 if key != "load" else 2) for key, value in asdict(timing).items()}
