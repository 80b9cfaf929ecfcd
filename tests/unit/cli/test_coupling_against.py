"""`leverage coupling --against` and `leverage index`, on a small substrate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from leverage.cli.main import group
from leverage.model.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

OLD = "def f(a): return a\nclass C:\n    def m(self, a): return a\nkey: int = 1\n"
NEW = "def f(a, b): return a\nclass C:\n    pass\nkey: int = 1\n"
PORT = """\
from up.m import C, f
import up.m
class Mine(C):
    def m(self, a):
        return super().m(a)
def run():
    return f(1)
up.m.added = 1
"""


def leverage(*words: str | Path) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def port(tmp_path: Path) -> Path:
    for version, text in (("1.0", OLD), ("1.1", NEW)):
        package = tmp_path / version / "up"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "m.py").write_text(text)
        (package / "version.py").write_text(f"__version__ = '{version}'\n")
    folder = tmp_path / "port"
    folder.mkdir()
    (folder / "port.py").write_text(PORT)
    (folder / "requirements.txt").write_text("up==1.0\n")
    return folder


@pytest.fixture
def index(tmp_path: Path, port: Path) -> Path:
    into = tmp_path / "up.xz"
    done = leverage("index", tmp_path / "1.0", tmp_path / "1.1", "--substrate", "up", "--into", into)
    assert done.exit_code == 0
    assert done.stdout == f"{into}\n"
    return into


def test_the_contract(port: Path, index: Path) -> None:
    done = leverage("coupling", port, "--substrate", "up", "--against", index, "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["against"]["pin"] == "1.0"
    assert found["against"]["why"] == "requirements.txt:1 asks for ==1.0"
    assert found["against"]["span"] == ["1.0", "1.0"]
    rows = {row["symbol"]: row["status"] for row in found["matrix"]}
    assert rows == {
        "up.m": {"1.0": "ok", "1.1": "ok"},
        "up.m.C": {"1.0": "ok", "1.1": "ok"},
        "up.m.C.m": {"1.0": "ok", "1.1": "gone"},
        "up.m.added": {"1.0": "not_yet", "1.1": "not_yet"},
        "up.m.f": {"1.0": "ok", "1.1": "signature_changed"},
    }
    override = next(each for each in found["touchpoints"] if each["kind"] == "override")
    assert override["outcome"] == {"1.0": "ok", "1.1": "breaks"}
    assert "not there" in override["reason"]["1.1"]


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "sarif"])
def test_every_format_prints(port: Path, index: Path, form: str) -> None:
    done = leverage("coupling", port, "--substrate", "up", "--against", index, "--format", form)
    assert done.exit_code == 0
    if form in {"table", "markdown"}:
        assert "requirements.txt:1 asks for ==1.0" in done.stdout.replace("\\", "")
        assert "nothing is known to break from 1.0 to 1.0" in done.stdout


def test_a_folder_is_a_release(port: Path, tmp_path: Path) -> None:
    done = leverage("coupling", port, "--substrate", "up", "--against", tmp_path / "1.1", "--format", "json")
    assert json.loads(done.stdout)["against"]["releases"][0]["version"] == "1.1"


def test_a_release_of_the_shipped_index(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("from torch._inductor.graph import GraphLowering\nGraphLowering.codegen = print\n")
    done = leverage("coupling", tmp_path, "--against", "2.12", "--pin", "2.11", "--format", "json")
    found = json.loads(done.stdout)
    assert {version for row in found["matrix"] for version in row["status"]} == {"2.12.1"}
    assert found["against"]["why"] == "2.11 is given"


def test_an_empty_port_is_compared(tmp_path: Path) -> None:
    done = leverage("coupling", tmp_path, "--against", "all", "--format", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["matrix"] == []


def test_what_cannot_be_compared_with_is_said(tmp_path: Path) -> None:
    for word in ("1.0", "nowhere", str(tmp_path)):
        with pytest.raises(ConfigurationError, match="no-such-release"):
            leverage("coupling", tmp_path, "--against", word)
    with pytest.raises(ConfigurationError, match="no-such-release"):
        leverage("coupling", tmp_path, "--substrate", "up", "--against", "all")
    with pytest.raises(ConfigurationError, match="no-version"):
        leverage("coupling", tmp_path, "--against", "all", "--pin", "latest")
    with pytest.raises(ConfigurationError, match="no-such-release"):
        leverage("index", tmp_path / "nothing", "--into", tmp_path / "x.xz")
    assert leverage("coupling", tmp_path, "--pin", "2.11").exit_code == 2


def test_a_guard_is_written_that_fails_where_upstream_changes(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(
        "import torch._inductor.graph as g\ndef mine(self): pass\ng.GraphLowering.codegen = mine\n"
    )
    package = tmp_path / "site" / "torch" / "_inductor"
    package.mkdir(parents=True)
    (package / "graph.py").write_text("class GraphLowering:\n    def codegen(self):\n        return 1\n")
    words = ("guard", tmp_path / "p.py", "--pin", "2.11", "--upstream", tmp_path / "site")
    done = leverage(*words, "--into", tmp_path / "test_guard.py")
    assert done.exit_code == 0
    assert "torch._inductor.graph" in (tmp_path / "test_guard.py").read_text()
    (package / "graph.py").unlink()
    with pytest.raises(ConfigurationError, match="nothing-to-guard"):
        leverage(*words, "--into", tmp_path / "test_guard.py")
