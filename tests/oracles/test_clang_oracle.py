"""The C scanner against libclang's lexer, on every line. Skipped where the `libclang` wheel is absent.

The default run judges the samples of this repository. A run over real folders::

    LEVERAGE_CORPUS=/folder:/other pytest tests/oracles/test_clang_oracle.py -m real
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from leverage.measure.lines.base import normalize
from leverage.measure.lines.c import C
from leverage.model.lines import LineClass

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("clang") is None, reason="needs the libclang wheel: pip install libclang"
)
ORACLE = Path(__file__).with_name("clang_oracle.py")
SAMPLES = Path(__file__).parents[1] / "fixtures" / "lang"
MARKED = Path(__file__).parents[1] / "fixtures" / "marked" / "c.txt"
SUFFIXES = {".c", ".cc", ".cl", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".inl", ".mu", ".muh"}
KINDS = {
    LineClass.CODE: "code",
    LineClass.STRING: "code",
    LineClass.BRACKET: "code",
    LineClass.INACTIVE: "code",  # libclang lexes raw: dead branches have tokens too
    LineClass.COMMENT: "comment",
}


def c_files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return sorted(path for path in found if "\n" not in str(path))


def judge(paths: list[Path]) -> tuple[int, list[str]]:
    """How many lines libclang judged, and the first wrong line of each file that differs.

    Left out: blank lines, and lines with nothing but the backslash of a splice, which has no token.
    """
    answers = subprocess.run(
        [sys.executable, ORACLE],
        input="".join(f"{path}\n" for path in paths),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    judged = 0
    wrong = []
    for path, code, comment in map(json.loads, answers.splitlines()):
        data = Path(path).read_bytes()
        wanted = dict.fromkeys(comment, "comment") | dict.fromkeys(code, "code")
        text = normalize(data).split(b"\n")
        found = [KINDS.get(LineClass(value), "neither") for value in C.scan(data)]
        lines = [number for number in range(1, len(found) + 1) if text[number - 1].strip(b" \t\f\v\\")]
        judged += len(lines)
        wrong.extend([f"{path}:{n}: {found[n - 1]}" for n in lines if found[n - 1] != wanted.get(n, "neither")][:1])
    return judged, wrong


def test_samples() -> None:
    paths = c_files(SAMPLES)
    judged, wrong = judge(paths)
    assert len(paths) >= 3
    assert judged > 50
    assert wrong == []


def test_cases_of_the_scanner(tmp_path: Path) -> None:
    for number, case in enumerate(MARKED.read_text().split("== ")[1:]):
        text = "".join(f"{line[2:]}\n" for line in case.splitlines()[1:])
        (tmp_path / f"{number}.cpp").write_text(text)
    judged, wrong = judge(c_files(tmp_path))
    assert judged > 150
    assert wrong == []


def test_the_oracle_can_disagree(tmp_path: Path) -> None:
    """libclang's raw lexer knows no header names, so it takes the one here for the start of a comment."""
    path = tmp_path / "a.cpp"
    path.write_bytes(b"#include <a/*b>\nint x;\n// */ int y;\n")
    assert judge([path])[1] == [f"{path}:2: code"]


@pytest.mark.real
def test_real_folders() -> None:
    folders = [Path(name) for name in os.environ.get("LEVERAGE_CORPUS", "").split(os.pathsep) if name]
    if not folders:
        pytest.skip("LEVERAGE_CORPUS names no folder")
    paths = [path for folder in folders for path in c_files(folder)]
    judged, wrong = judge(paths)
    sys.stdout.write(f"{len(paths)} files, {judged} lines judged\n")
    assert wrong == []
    assert judged
