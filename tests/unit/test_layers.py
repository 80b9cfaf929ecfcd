"""The layers of the package are a contract that is checked, and nothing heavy is loaded to print help."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_import_contracts_are_kept() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "One direction of flow KEPT" in done.stdout


@pytest.mark.parametrize("arguments", [["--help"], ["report", "--help"], ["check", "--help"], ["schema", "spec"]])
def test_help_loads_neither_pandas_nor_matplotlib(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom leverage.cli.main import main\n"
        f"sys.argv = ['leverage', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        "heavy = {'pandas', 'matplotlib', 'pygount', 'git', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
