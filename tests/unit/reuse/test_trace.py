"""Traces of real processes, over two small packages written for this."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from leverage.model.errors import ConfigurationError, UncheckableError
from leverage.reuse.trace.executable import executable
from leverage.reuse.trace.files import read_trace, trace_text
from leverage.reuse.trace.running import Ran, run_traced
from leverage.reuse.trace.values import Runs, Side, by_part, total, united

if TYPE_CHECKING:
    from pathlib import Path

BASE = {
    "base/__init__.py": "VERSION = 1\n",
    "base/core/__init__.py": "",
    "base/core/graph.py": (
        "LIMIT = 3\n"  # 1
        "class Graph:\n"  # 2
        "    size = 0\n"  # 3
        "    def lower(self, n):\n"  # 4
        "        for i in range(n):\n"  # 5
        "            self.size += i\n"  # 6
        "        return self.size\n"  # 7
        "    def unused(self):\n"  # 8
        "        return 0\n"  # 9
    ),
    "base/idle/__init__.py": "",
    "base/idle/never.py": "def f():\n    return 1\n",
}
PORT = {
    "port/__init__.py": "from base.core.graph import Graph\n",
    "port/go.py": "from port import Graph\ndef go(n):\n    return Graph().lower(n)\n",
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {**BASE, **PORT}.items():
        path = tmp_path / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def traced(world: Path, program: str, label: str = "a model") -> Ran:
    (world / "program.py").write_text(program, encoding="utf-8")
    return run_traced([sys.executable, "program.py"], ["port"], ["base"], label=label)


PLAIN = "from port.go import go\nprint(go(2))\n"


def test_three_numbers_stand_apart(world: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran = traced(world, PLAIN)
    assert ran.exit_code == 0
    assert capfd.readouterr().out == "1\n"  # the program's own output is let through
    # Outside functions: 1 + 0 + lines 1, 2, 3, 4, 8; inside: 5, 6, 7 of `lower` ran, 9 and `never.py` did not.
    base = by_part(ran.trace.packages[1])
    assert base["base/core"] == Runs(executable=9, bodies=4, imported=5, run_in_bodies=3)
    assert base["base/idle"] == Runs(executable=2, bodies=1, imported=0, run_in_bodies=0)
    assert total(ran.trace, Side.OWN) == Runs(executable=4, bodies=1, imported=3, run_in_bodies=1)
    assert total(ran.trace, Side.SUBSTRATE).run == 9
    (function,) = ran.trace.packages[1].files[1].functions
    assert (function.symbol, function.first, function.executable, sorted(function.run)) == (
        "Graph.lower",
        4,
        3,
        [5, 6, 7],
    )


SUBPROCESS = """\
import subprocess, sys
import port.go
subprocess.run([sys.executable, "-c", "from port.go import go; go(2)"], check=True)
"""
THREAD = """\
import threading
from port.go import go
thread = threading.Thread(target=go, args=(2,))
thread.start()
thread.join()
"""
SPAWNED = """\
import multiprocessing
from port.go import go
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=go, args=(2,))
    process.start()
    process.join()
    assert process.exitcode == 0
"""
FORKED = """\
import os
from port.go import go
pid = os.fork()
if not pid:
    go(2)
    os._exit(0)
os.waitpid(pid, 0)
"""


@pytest.mark.parametrize(
    "program",
    [SUBPROCESS, THREAD, SPAWNED, FORKED],
    ids=["subprocess", "thread", "spawned", "forked"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="forks are tried as well")
def test_processes_and_threads_are_traced(world: Path, program: str) -> None:
    assert total(traced(world, program).trace, Side.SUBSTRATE).run_in_bodies == 3


def test_a_trace_is_the_same_each_time_and_comes_back_from_its_file(world: Path) -> None:
    one, other = traced(world, PLAIN).trace, traced(world, PLAIN).trace
    assert trace_text(one) == trace_text(other)
    (world / "trace.json").write_text(trace_text(one), encoding="utf-8")
    assert read_trace(world / "trace.json") == one
    assert str(world) not in trace_text(one)


def test_traces_unite_to_what_ran_in_either(world: Path) -> None:
    one = traced(world, PLAIN, "one").trace
    other = traced(
        world, "from port.go import Graph\nimport base.idle.never as n\nGraph().unused()\nn.f()\n", "other"
    ).trace
    both = united([one, other])
    assert both.label == "one + other"
    assert total(both, Side.SUBSTRATE) == Runs(executable=12, bodies=5, imported=7, run_in_bodies=5)
    assert united([other, one]).packages == both.packages
    assert united([one, one]).packages == one.packages
    assert total(united([one, other]), Side.OWN).run_in_bodies == 1


def test_traces_of_different_code_do_not_unite(world: Path) -> None:
    one = traced(world, PLAIN).trace
    (world / "lib/base/core/graph.py").write_text(BASE["base/core/graph.py"] + "# more\n", encoding="utf-8")
    with pytest.raises(UncheckableError, match="not the same file"):
        united([one, traced(world, PLAIN).trace])


def test_a_user_s_own_sitecustomize_still_runs(world: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (world / "lib/sitecustomize.py").write_text("print('theirs')\n", encoding="utf-8")
    traced(world, PLAIN)
    assert capfd.readouterr().out == "theirs\n1\n"


def test_a_program_that_fails_is_told_by_its_code(world: Path) -> None:
    ran = traced(world, PLAIN + "raise SystemExit(5)\n")
    assert ran.exit_code == 5
    assert total(ran.trace, Side.SUBSTRATE).run_in_bodies == 3


@pytest.mark.parametrize(
    ("command", "own", "message"),
    [
        (["/nowhere/python"], "port", "cannot be started"),
        ([sys.executable, "-I", "-c", "pass"], "port", "no Python process"),
        ([sys.executable, "-c", "import base.core.graph"], "port", "nothing of the package port ran"),
    ],
)
def test_what_cannot_be_traced_is_said(world: Path, command: list[str], own: str, message: str) -> None:
    assert world.exists()
    with pytest.raises(UncheckableError, match=message):
        run_traced(command, [own], ["base"], label="x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"format": 1', '"format": 2'), "format 1"),
        (('"imported": "1-', '"imported": "1-9'), "ran than can run|no range"),
        (('"imported": "1-', '"imported": "1-999999999'), "ran than can run|no range|no list"),
        (('"side": "own"', '"side": "theirs"'), "is no trace file"),
        (('"processes": 1', '"processes": -1'), "no number"),
        (('"blob": "', '"blob": "x'), "no blob id"),
        (("{", "["), "no JSON"),
    ],
)
def test_a_file_that_is_no_trace_is_refused(world: Path, change: tuple[str, str], message: str) -> None:
    text = trace_text(traced(world, PLAIN).trace)
    assert change[0] in text
    (world / "t.json").write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        read_trace(world / "t.json")


def test_executable_lines_are_told_from_those_that_an_import_runs() -> None:
    source = (
        b'"""About."""\n'  # 1
        b"X = [i for i in range(3)]\n"  # 2
        b"class A(object):\n"  # 3
        b"    @property\n"  # 4
        b"    def m(self,\n"  # 5
        b"          b=1):\n"  # 6
        b'        """About."""\n'  # 7
        b"        if b:\n"  # 8
        b"            return [\n"  # 9
        b"                b]\n"  # 10
        b"        def inner():\n"  # 11
        b"            return 2\n"  # 12
        b"        return inner\n"  # 13
        b"async def f():\n"  # 14
        b"    await g()\n"  # 15
        b"h = lambda x: (\n"  # 16
        b"    x)\n"  # 17
    )
    found = executable(source)
    assert not isinstance(found, str)
    assert found.outside == {1, 2, 3, 4, 5, 6, 14, 16, 17}
    assert [(body.symbol, body.first, set(body.lines)) for body in found.bodies] == [
        ("A.m", 4, {8, 9, 10, 11, 12, 13}),
        ("f", 14, {15}),
    ]


@pytest.mark.parametrize("source", [b"def f(:\n", b"print 'x'\n", b"x = 1\0\n", b"(" * 5000, b"\xff\xfe\n"])
def test_what_cannot_be_compiled_says_so(source: bytes) -> None:
    assert isinstance(executable(source), str)


def test_ratio_of_lines_run_is_exact(world: Path) -> None:
    trace = traced(world, PLAIN).trace
    theirs, ours = total(trace, Side.SUBSTRATE), total(trace, Side.OWN)
    assert Fraction(theirs.run_in_bodies, ours.run_in_bodies) == 3
