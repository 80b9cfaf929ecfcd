"""`leverage trace` as a user types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def port(tmp_path: Path) -> Path:
    (tmp_path / "base").mkdir()
    (tmp_path / "base/__init__.py").write_text("def a(n):\n    n += 1\n    n += 1\n    n += 1\n    return n\n")
    (tmp_path / "port").mkdir()
    (tmp_path / "port/__init__.py").write_text(
        "from base import a\ndef go():\n    return a(0)\n\ndef no():\n    return 1\n"
    )
    (tmp_path / "run.py").write_text("import sys\nfrom port import go, no\nprint(go())\nsys.exit(len(sys.argv) - 1)\n")
    (tmp_path / "other.py").write_text("from port import no\nprint(no())\n")
    return tmp_path


def leverage(port: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(port)}
    command = [sys.executable, "-m", "leverage", "trace", *arguments]
    return subprocess.run(command, cwd=port, env=environment, capture_output=True, text=True, check=False)


def test_a_run_is_shown_and_kept(port: Path) -> None:
    ran = leverage(port, "--own", "port", "--substrate", "base", "--", sys.executable, "run.py")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "3\n"
    assert "For 1 own line run inside functions, 4 of the substrate ran: 4.0\N{MULTIPLICATION SIGN}." in ran.stderr
    assert json.loads((port / "trace.json").read_bytes())["label"].endswith("run.py")


def test_traces_are_shown_side_by_side_and_united(port: Path) -> None:
    for name, program in (("one", "run.py"), ("two", "other.py")):
        leverage(
            port,
            "--own",
            "port",
            "--substrate",
            "base",
            "-o",
            f"{name}.json",
            "--label",
            name,
            "--",
            sys.executable,
            program,
        )
    shown = leverage(port, "--read", "one.json", "--read", "two.json", "-o", "both.json")
    assert shown.returncode == 0, shown.stderr
    rows = {line.split()[0]: line.split()[1:] for line in shown.stdout.splitlines() if line}
    assert rows["one"] == ["1", "4", "4.0\N{MULTIPLICATION SIGN}"]
    assert rows["two"] == ["1", "0", "0\N{MULTIPLICATION SIGN}"]
    assert rows["united"] == ["2", "4", "2.0\N{MULTIPLICATION SIGN}"]
    assert leverage(port, "--read", "both.json").stdout.splitlines()[-1].startswith("For 2 own lines")


def test_a_program_that_fails_leaves_its_trace_and_cannot_be_checked(port: Path) -> None:
    ran = leverage(port, "--own", "port", "--substrate", "base", "--", sys.executable, "run.py", "x")
    assert ran.returncode == 3
    assert "ended with exit code 1" in ran.stderr
    assert (port / "trace.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a command after `--`"),
        (("--", "python"), "--own PACKAGE"),
        (("--own", "torch._inductor", "--", "python"), "no import name"),
        (("--own", "torch", "--", "python"), "named twice"),
        (("--read", "run.py"), "is no JSON"),
    ],
)
def test_misuse_is_told(port: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = leverage(port, *arguments)
    assert ran.returncode == 2
    assert message in ran.stderr.replace("\n", " ")
