"""A small world on disk: two local repositories, a configuration that compares them, and the command line on top."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from leverage.cli import main as cli
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "f" * 40
PORT = {
    "core/a.py": b'"""Doc."""\n\nimport os\n\n\ndef f(x):\n    # comment\n    return os.path.join(x, "y")\n',  # 3 code
    "core/b.py": b"A = [\n    1,\n]\n",  # 3 code, of which 1 is a bracket
    "core/.gitattributes": b"made.py linguist-generated\n",
    "core/made.py": b"X = 1\n",
    "rest/c.cpp": b"#include <x>\nint g() {\n  return 1;\n}\n",  # 4 code
    "docs/read.md": b"# Title\n",
    "tests/t.py": b"def test():\n    pass\n",
    "blob.bin": b"\0\1\2",
}
BASE = {"upper/u.cpp": b"int a;\nint b;\nint c;\n" * 6, "lower/l.py": b"x = 1\n" * 4}

SPEC = """\
version: 1
title: a small world
systems:
  closed:
    role: from_scratch
    reported: [{{figure: size_ratio, over: port, value: 3, by: somebody, source: a talk}}]
    needed: its source
  port:
    role: extension
    source: {port}
    components:
      core: {{include: ["core/**"], height: [graph, tile_ir]}}
      rest: {{include: ["rest/**"], height: [runtime]}}
      tests: {{include: ["tests/**"], purpose: test}}
    boundaries: {{extension: [core]}}
  base:
    role: from_scratch
    stands_in_for: closed
    source: {base}
    components:
      upper: {{include: ["upper/**"], height: [graph, tile_ir]}}
    boundaries: {{extension: [upper]}}
compare: {{left: closed, right: port, headline: code}}
denominators:
  code: {{boundary: extension}}
claims:
  three: {{text: about 3x, wording: paraphrase, by: somebody, source: a talk, ratio_of: [base, port], value: 3}}
budgets:
  - {{measure: port.core.code, at_most: 6}}
"""


@dataclass
class Ran:
    """What one run of the command line came to."""

    code: int
    out: str
    err: str


@dataclass
class Place:
    """A folder with a configuration and the repositories that it names."""

    path: Path
    capture: pytest.CaptureFixture[str]
    commits: dict[str, str] = field(default_factory=dict)

    def run(self, *words: str) -> Ran:
        """Run `leverage` in this process."""
        self.capture.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["leverage", *words])
            with pytest.raises(SystemExit) as left:
                cli.main()
        out, err = self.capture.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(int(left.value.code), out, err)

    def spec(self, *changes: tuple[str, str], **sources: str) -> None:
        """Write `repos.yaml`; each change replaces a text that stands in it exactly once."""
        text = SPEC.format(
            **{name: f'{{path: {name}, commit: "{self.commits[name]}"}}' for name in self.commits} | sources
        )
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        (self.path / "repos.yaml").write_text(text)

    def outputs(self) -> list[str]:
        """Everything below the output folder."""
        folder = self.path / "reports"
        return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Place:
    """An empty folder as current folder, and nothing of the machine that runs the tests."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "PIP_", "LEVERAGE_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH", "COLUMNS", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("LEVERAGE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("LEVERAGE_JOBS", "1")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return Place(tmp_path / "work", capsys)


@pytest.fixture
def world(place: Place) -> Place:
    """Two repositories and a configuration that is right."""
    for name, files in (("port", PORT), ("base", BASE)):
        place.commits[name] = Repository(place.path / name).commit(files)
    place.spec()
    return place
