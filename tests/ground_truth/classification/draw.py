"""How the units were drawn: ``python -m tests.ground_truth.classification.draw SYSTEM GIT_DIRECTORY COMMIT``.

Candidates are the functions, methods, classes and TableGen records of 5 to 300 lines of code of their own in the
folders of production code. Folders (four levels deep at most) share a draw by the square root of their candidates'
lines of code, so that a folder of two hundred operators does not push every other stage out. Inside a folder every line
of code is as likely as the next, and no file is drawn from twice.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import defaultdict
from math import sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.units import read_units
from leverage.model.units import UnitKind

SEED = 5
FEWEST_LINES = 5
MOST_LINES = 300  # one binding module of 2,726 lines would decide the accuracy by lines alone
DEPTH = 4
LANGUAGES = {".py": "python", ".cpp": "cpp", ".cc": "cpp", ".h": "cpp", ".hpp": "cpp", ".td": "tablegen"}
DRAWS: dict[str, dict[tuple[str, ...], int]] = {
    "deeplink": {("dicp/dicp/",): 20, ("dipu/torch_dipu/",): 10},
    "mlir-air": {("mlir/lib/", "mlir/include/", "python/air/", "python/spensor/", "tools/"): 25, ("runtime_lib/",): 5},
    "popart": {("willow/src/", "willow/include/"): 26, ("python/popart/", "python/popxl/"): 4},
}
"""Per system: the roots of each draw and how many units it takes. First the compiler, then what runs beside it."""

LEFT_OUT = ("/testing/", "/vendored/", "/third_party/", "/test/", "/tests/", ".gen.")


class Candidate(NamedTuple):
    """A unit that may be drawn."""

    path: str
    symbol: str
    first: int
    last: int
    code: int


def sample(system: str, repository: str, commit: str) -> list[Candidate]:
    """The drawn units of a system, in the order of the draw."""
    listed = _git(repository, "ls-tree", "-r", "-z", "--name-only", commit).decode().split("\0")
    drawn: list[Candidate] = []
    for roots, number in DRAWS[system].items():
        paths = [path for path in sorted(listed) if path.startswith(roots) and _is_candidate(path)]
        units = [unit for path in paths for unit in _units(path, _git(repository, "show", f"{commit}:{path}"))]
        drawn += draw(units, number)
    return drawn


def draw(units: list[Candidate], number: int) -> list[Candidate]:
    """Draw units; folders take their turns by their shares."""
    dice = random.Random(SEED)  # noqa: S311 - a sample that can be repeated
    folders: dict[str, list[Candidate]] = defaultdict(list)
    for unit in units:
        folders["/".join(unit.path.split("/")[:-1][:DEPTH])].append(unit)
    shares = {folder: sqrt(sum(unit.code for unit in inside)) for folder, inside in folders.items()}
    whole = sum(shares.values())
    due = dict.fromkeys(folders, 0.0)
    drawn: list[Candidate] = []
    seen: set[str] = set()
    while len(drawn) < number:
        for folder in folders:
            due[folder] += shares[folder] / whole
        folder = max(due, key=lambda name: due[name])
        due[folder] -= 1
        left = [unit for unit in folders[folder] if unit.path not in seen]
        if left:
            drawn += dice.choices(left, [unit.code for unit in left])
            seen.add(drawn[-1].path)
    return drawn


def _is_candidate(path: str) -> bool:
    return PurePosixPath(path).suffix in LANGUAGES and not any(part in f"/{path}" for part in LEFT_OUT)


def _units(path: str, data: bytes) -> list[Candidate]:
    language = LANGUAGES[PurePosixPath(path).suffix]
    classes = bytes(SCANNERS[languages()[language].family].scan(data))
    return [
        Candidate(path, unit.symbol, unit.first, unit.last, unit.lines.code)
        for unit in read_units(language, data, classes).units
        if unit.kind is not UnitKind.REST and FEWEST_LINES <= unit.lines.code <= MOST_LINES
    ]


def _git(repository: str, *words: str) -> bytes:
    command = ["git", f"--git-dir={repository}", *words]
    return subprocess.run(command, check=True, capture_output=True).stdout


if __name__ == "__main__":
    for unit in sample(*sys.argv[1:4]):
        print(f"{unit.path}::{unit.symbol} {unit.first}-{unit.last} ({unit.code} lines of code)")  # noqa: T201
