"""The example port compiles for real and is traced, on a Python that has torch.

`make test-torch` installs one; LEVERAGE_TORCH_PYTHON names another.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from leverage.reuse.trace.running import run_traced
from leverage.reuse.trace.values import Side, by_part, total

EXAMPLE = Path(__file__).parents[2] / "examples" / "cpu_port"
PYTHON = os.environ.get("LEVERAGE_TORCH_PYTHON", sys.executable)

pytestmark = pytest.mark.torch


def has_torch() -> bool:
    command = [PYTHON, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"]
    return subprocess.run(command, check=False).returncode == 0


@pytest.mark.skipif(not has_torch(), reason=f"{PYTHON} has no torch: type `make test-torch`")
def test_the_example_port_compiles_and_all_of_its_parts_run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLE)
    ran = run_traced([PYTHON, "compile_models.py"], ["cpu_port"], ["torch"], label="MLP and block")
    assert ran.exit_code == 0
    assert capfd.readouterr().out == "mlp: 1 launches, 2 library calls\nblock: 14 launches, 8 library calls\n"
    symbols = {
        function.symbol for package in ran.trace.packages[:1] for file in package.files for function in file.functions
    }
    # The decomposition, the lowering, both passes, the patch, the scheduling and the wrapper: all are used.
    assert symbols >= {
        "gelu",
        "register",
        "DropCopies.__call__",
        "divide_work",
        "install",
        "fitting_buffers",
        "SlateScheduling.codegen_node",
        "SlateWrapper.write_header",
    }
    own, theirs = total(ran.trace, Side.OWN), total(ran.trace, Side.SUBSTRATE)
    assert 0 < own.run_in_bodies <= own.bodies < 200
    assert by_part(ran.trace.packages[1])["torch/_inductor"].run_in_bodies > 5000
    assert theirs.run_in_bodies > 100 * own.run_in_bodies
