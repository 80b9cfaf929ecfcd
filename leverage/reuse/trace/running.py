"""Run a command with a tracer in every Python process that it starts, and read what ran."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leverage.model.errors import Problem, UncheckableError
from leverage.reuse.trace.executable import Executable, executable
from leverage.reuse.trace.values import FileRun, FunctionRun, Idle, PackageRun, Side, Trace, part_of
from leverage.sources.blobid import blob_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_INJECT = Path(__file__).with_name("inject")
_RC = """[run]
parallel = true
data_file = {data}
include = {include}
concurrency = thread
sigterm = true
patch = {patch}
disable_warnings = no-data-collected, module-not-measured, module-not-imported, no-sysmon
"""
_PATCHES = "_exit, execv, fork" if os.name == "posix" else "_exit"


@dataclass(frozen=True, slots=True)
class Ran:
    """A traced command.

    Attributes:
        trace: what ran.
        exit_code: of the command; negative where a signal ended it.
        unread: files that ran and could not be compiled by this Python, with the reason, sorted.
    """

    trace: Trace
    exit_code: int
    unread: tuple[tuple[str, str], ...]


def run_traced(command: Sequence[str], own: Sequence[str], substrate: Sequence[str], *, label: str) -> Ran:
    """Run a command and trace packages by name.

    The Python that runs the program must have coverage.py; every Python process that inherits the environment is
    traced, its threads and forks as well. Nothing of the traced packages is imported here. A Python that is told to
    ignore its environment (`-I`, `-E`, `-S`) is not traced.

    Args:
        command: program and arguments.
        own: import names of the port's packages.
        substrate: import names of what it stands on.
        label: what is run, in words.

    Raises:
        UncheckableError: the command cannot be started, no Python process was traced, coverage.py is missing there, or
            nothing of a named package ran.
    """
    names = [*own, *substrate]
    with tempfile.TemporaryDirectory(prefix="leverage-trace-") as folder:
        notes = Path(folder)
        include = "".join(f"\n    */{name}/*" for name in names)
        (notes / "rc").write_text(_RC.format(data=notes / "data", include=include, patch=_PATCHES), encoding="utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(_INJECT), os.environ.get("PYTHONPATH")))),
            "COVERAGE_PROCESS_START": str(notes / "rc"),
            "LEVERAGE_TRACE_NOTES": folder,
            "LEVERAGE_TRACE_PACKAGES": ",".join(names),
        }
        try:
            exit_code = subprocess.run(list(command), env=environment, check=False).returncode
        except OSError as error:
            raise _unchecked(f"the command {command[0]!r} cannot be started: {error.strerror or error}") from error
        processes = _notes(notes)
        lines = _lines_run(notes)
    packages, unread = [], []
    for side, of_side in ((Side.OWN, own), (Side.SUBSTRATE, substrate)):
        for name in sorted(of_side):
            package, missed = _package(name, side, lines, _version(processes, name))
            packages.append(package)
            unread += missed
    about = {key: str(processes[0][key]) for key in ("implementation", "python", "platform", "coverage", "core")}
    trace = Trace(label, tuple(sorted(about.items())), len(processes), tuple(packages))
    return Ran(trace, exit_code, tuple(sorted(unread)))


def _notes(folder: Path) -> list[dict[str, Any]]:
    found = [json.loads(path.read_bytes()) for path in sorted(folder.glob("note-*.json"))]
    traced = [note for note in found if "missing" not in note]
    if not traced and found:
        python = found[0]["python"]
        raise _unchecked(
            f"{python} has no coverage.py ({found[0]['missing']})", f"type: {python} -m pip install coverage"
        )
    if not traced:
        raise _unchecked(
            "no Python process of the command was traced to its end",
            "run a Python program, without -I, -E or -S, and let it end by itself",
        )
    return traced


def _lines_run(folder: Path) -> dict[str, frozenset[int]]:
    """Line numbers that ran, by absolute path, over all processes."""
    from coverage import CoverageData  # noqa: PLC0415 - only this command needs it

    found: defaultdict[str, set[int]] = defaultdict(set)
    for part in sorted(folder.glob("data.*")):
        data = CoverageData(basename=str(part))
        data.read()
        for path in data.measured_files():
            found[path].update(data.lines(path) or ())
    return {path: frozenset(lines) for path, lines in found.items()}


def _version(notes: Sequence[Mapping[str, Any]], name: str) -> str:
    return next((str(note["versions"][name]) for note in notes if name in note["versions"]), "")


def _package(
    name: str, side: Side, lines: Mapping[str, frozenset[int]], version: str
) -> tuple[PackageRun, list[tuple[str, str]]]:
    roots = {root for path in lines for root in _roots(path, name)}
    if len(roots) != 1:
        told = " and ".join(sorted(str(root) for root in roots))
        raise _unchecked(
            f"the package {name} ran from {told}" if roots else f"nothing of the package {name} ran",
            "trace one installation of it" if roots else "name the package as the program imports it",
        )
    (root,) = roots
    files, idle, unread = [], defaultdict[str, list[Idle]](list), []
    for path in sorted(root.rglob("*.py")):
        inside = f"{name}/{path.relative_to(root).as_posix()}"
        data = path.read_bytes()
        could = executable(data)
        ran = lines.get(str(path), frozenset())
        if isinstance(could, str):
            if ran:
                unread.append((inside, could))
            idle[part_of(inside)].append(Idle(part_of(inside), 1, 0, 0, 1))
        elif ran & could.lines:
            files.append(_file(inside, data, could, ran))
        else:
            bodies = sum(len(body.lines) for body in could.bodies)
            idle[part_of(inside)].append(Idle(part_of(inside), 1, len(could.outside), bodies))
    return PackageRun(name, side, version, tuple(files), tuple(_sum(idle[part]) for part in sorted(idle))), unread


def _roots(path: str, name: str) -> list[Path]:
    """The folder of the package that a file lies in: a part of the path with the name that is a package at the top."""
    parents = Path(path).parents
    return [
        folder
        for folder in parents
        if folder.name == name and (folder / "__init__.py").is_file() and not (folder.parent / "__init__.py").exists()
    ]


def _file(path: str, data: bytes, could: Executable, ran: frozenset[int]) -> FileRun:
    functions = tuple(
        FunctionRun(body.symbol, body.first, len(body.lines), body.lines & ran)
        for body in could.bodies
        if body.lines & ran
    )
    bodies = sum(len(body.lines) for body in could.bodies)
    return FileRun(path, blob_id(data), len(could.outside), bodies, could.outside & ran, functions)


def _sum(parts: Sequence[Idle]) -> Idle:
    return Idle(
        parts[0].part,
        sum(each.files for each in parts),
        sum(each.outside for each in parts),
        sum(each.bodies for each in parts),
        sum(each.unread for each in parts),
    )


def _unchecked(what: str, hint: str = "check the command after `--`") -> UncheckableError:
    return UncheckableError(
        Problem("trace-failed", what, why="without a trace nothing is known of what runs", hint=hint)
    )
