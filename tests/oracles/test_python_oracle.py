"""The Python scanner against CPython, on every line.

The default run judges this repository's own sources. A run over real folders::

    LEVERAGE_CORPUS=/folder:/other LEVERAGE_ORACLE_PYTHON=python3.13 pytest tests/oracles/test_python_oracle.py -m real
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from leverage.measure.lines.python import PYTHON
from leverage.model.lines import LineClass

REPOSITORY = Path(__file__).parents[2]
COARSE = [value.coarse for value in LineClass]  # CPython knows nothing of what other counters take a line for
ORACLE = Path(__file__).with_name("python_oracle.py")


def python_files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*.py*") if path.suffix in {".py", ".pyi"} and path.is_file())
    return sorted(path for path in found if "\n" not in str(path))


def judge(paths: list[Path], interpreter: str) -> tuple[int, list[str]]:
    """How many files the interpreter could parse, and the first wrong line of each file that differs."""
    answers = subprocess.run(
        [interpreter, ORACLE], input="".join(f"{path}\n" for path in paths), capture_output=True, text=True, check=True
    ).stdout
    judged = 0
    wrong = []
    for path, expected in map(json.loads, answers.splitlines()):
        if expected is None:
            continue
        judged += 1
        found = "".join(f"{COARSE[value]:x}" for value in PYTHON.scan(Path(path).read_bytes()))
        if found != expected:
            line = next(
                (n for n, pair in enumerate(zip(found, expected, strict=False), start=1) if len(set(pair)) > 1), 0
            )
            wrong.append(f"{path}:{line}")
    return judged, wrong


def test_own_sources() -> None:
    paths = [path for name in ("leverage", "tests", "bench") for path in python_files(REPOSITORY / name)]
    judged, wrong = judge(paths, sys.executable)
    assert judged > 100
    assert wrong == []


def test_the_oracle_can_disagree(tmp_path: Path) -> None:
    """CPython reads by the declared encoding, the scanner bytes: one of them is a backslash inside a character."""
    path = tmp_path / "a.py"
    path.write_bytes('# coding: shift_jis\nx = """表"""\n# comment\n'.encode("shift_jis"))
    assert judge([path], sys.executable) == (1, [f"{path}:3"])


@pytest.mark.real
def test_real_folders() -> None:
    folders = [Path(name) for name in os.environ.get("LEVERAGE_CORPUS", "").split(os.pathsep) if name]
    if not folders:
        pytest.skip("LEVERAGE_CORPUS names no folder")
    interpreter = os.environ.get("LEVERAGE_ORACLE_PYTHON", sys.executable)
    judged, wrong = judge([path for folder in folders for path in python_files(folder)], interpreter)
    sys.stdout.write(f"{judged} files judged\n")
    assert wrong == []
    assert judged
