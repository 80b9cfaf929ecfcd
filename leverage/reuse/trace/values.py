"""What a trace says, as values that can be summed and united."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from leverage.model.errors import Problem, UncheckableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Side(StrEnum):
    """Whose code a package is."""

    OWN = "own"
    SUBSTRATE = "substrate"


@dataclass(frozen=True, slots=True)
class FunctionRun:
    """A function of which at least one line of the body ran.

    Attributes:
        symbol: dotted name inside the file.
        first: line of its `def`, from 1.
        executable: lines of its body that can run.
        run: those that ran.
    """

    symbol: str
    first: int
    executable: int
    run: frozenset[int]


@dataclass(frozen=True, slots=True)
class FileRun:
    """A file of which at least one line ran.

    Attributes:
        path: from the folder that holds the package, with ``/`` (``torch/_inductor/ir.py``).
        blob: git blob id of its bytes.
        outside: lines of the module and of class bodies that can run.
        bodies: lines inside functions that can run.
        imported: lines of the module and of class bodies that ran.
        functions: functions that ran, sorted by first line and symbol.
    """

    path: str
    blob: str
    outside: int
    bodies: int
    imported: frozenset[int]
    functions: tuple[FunctionRun, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """Files of a part of a package of which no line ran; ``unread`` of them could not be compiled."""

    part: str
    files: int
    outside: int
    bodies: int
    unread: int = 0


@dataclass(frozen=True, slots=True)
class PackageRun:
    """One package while the program ran.

    Attributes:
        name: its import name, such as ``torch``.
        side: whose it is.
        version: of the distribution that holds it; empty where it has none.
        files: files that ran, sorted by path.
        idle: the others, by part (see `part_of`), sorted.
    """

    name: str
    side: Side
    version: str
    files: tuple[FileRun, ...]
    idle: tuple[Idle, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What ran.

    Attributes:
        label: what was run, in the words of whoever ran it.
        environment: names and versions of what it ran in, sorted by name.
        processes: Python processes that were traced.
        packages: own packages first, then substrates, each sorted by name.
    """

    label: str
    environment: tuple[tuple[str, str], ...]
    processes: int
    packages: tuple[PackageRun, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Numbers of lines (unit: line numbers that carry code). Adds with ``+``.

    Attributes:
        executable: lines that can run, inside functions or not.
        bodies: those inside functions.
        imported: lines outside functions that ran; an import does that, whether or not anything is used.
        run_in_bodies: lines inside functions that ran: what a program really used.
    """

    executable: int = 0
    bodies: int = 0
    imported: int = 0
    run_in_bodies: int = 0

    @property
    def run(self) -> int:
        """All lines that ran."""
        return self.imported + self.run_in_bodies

    def __add__(self, other: Runs) -> Runs:
        return Runs(
            self.executable + other.executable,
            self.bodies + other.bodies,
            self.imported + other.imported,
            self.run_in_bodies + other.run_in_bodies,
        )


def part_of(path: str) -> str:
    """The part of a package that a file belongs to: the folder below the package, or the package for its own files."""
    names = path.split("/")
    return "/".join(names[:2]) if len(names) > 2 else names[0]  # noqa: PLR2004 - package, part, file


def runs_of(file: FileRun) -> Runs:
    """Numbers of one file."""
    ran = sum(len(function.run) for function in file.functions)
    return Runs(file.outside + file.bodies, file.bodies, len(file.imported), ran)


def by_part(package: PackageRun) -> dict[str, Runs]:
    """Numbers of each part of a package, files that did not run included, sorted by part."""
    sums: defaultdict[str, Runs] = defaultdict(Runs)
    for file in package.files:
        sums[part_of(file.path)] += runs_of(file)
    for idle in package.idle:
        sums[idle.part] += Runs(idle.outside + idle.bodies, idle.bodies)
    return dict(sorted(sums.items()))


def total(trace: Trace, side: Side) -> Runs:
    """Numbers of all packages of a side."""
    return sum(
        (runs for package in trace.packages if package.side is side for runs in by_part(package).values()), Runs()
    )


def united(traces: Sequence[Trace]) -> Trace:
    """What ran in at least one of several traces of the same code.

    Raises:
        UncheckableError: there is none, or a file differs between two of them.
    """
    if not traces:
        raise UncheckableError(Problem("no-trace", "there is no trace to unite", hint="name at least one trace file"))
    packages: dict[tuple[Side, str], PackageRun] = {}
    for trace in traces:
        for package in trace.packages:
            key = (package.side, package.name)
            packages[key] = _both(packages[key], package) if key in packages else package
    return Trace(
        " + ".join(trace.label for trace in traces),
        tuple(sorted(set.intersection(*(set(trace.environment) for trace in traces)))),
        sum(trace.processes for trace in traces),
        tuple(packages[key] for key in sorted(packages)),
    )


def _both(one: PackageRun, other: PackageRun) -> PackageRun:
    files = {file.path: file for file in one.files}
    idle = {each.part: each for each in one.idle}
    for file in other.files:
        known = files.get(file.path)
        if known is None:
            # It was idle in the first trace, and there its lines are part of a sum.
            part = idle[part_of(file.path)]
            idle[part.part] = replace(
                part, files=part.files - 1, outside=part.outside - file.outside, bodies=part.bodies - file.bodies
            )
            files[file.path] = file
        elif known.blob != file.blob:
            raise UncheckableError(
                Problem(
                    "traces-differ",
                    f"{file.path} is not the same file in both traces",
                    why="lines of two versions cannot be united",
                    hint="trace all models with one installation",
                )
            )
        else:
            files[file.path] = replace(
                known,
                imported=known.imported | file.imported,
                functions=_functions([*known.functions, *file.functions]),
            )
    return replace(
        one,
        files=tuple(files[path] for path in sorted(files)),
        idle=tuple(each for _, each in sorted(idle.items()) if each.files),
    )


def _functions(runs: Iterable[FunctionRun]) -> tuple[FunctionRun, ...]:
    found: dict[tuple[int, str], FunctionRun] = {}
    for run in runs:
        key = (run.first, run.symbol)
        found[key] = replace(run, run=found[key].run | run.run) if key in found else run
    return tuple(found[key] for key in sorted(found))
