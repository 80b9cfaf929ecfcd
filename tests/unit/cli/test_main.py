"""The edge of the command line: help, unknown words, colours, pipes, signals, what is loaded when."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from leverage import __version__
from leverage.cli.main import COMMANDS

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place


def python(code: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def test_help_names_every_command_and_the_exit_codes(place: Place) -> None:
    ran = place.run("--help")
    assert ran.code == 0
    for name, line in COMMANDS.items():
        assert re.search(rf"^  {name} +{line.split()[0]}", ran.out, re.MULTILINE)
    assert "Exit codes: 0 done; 1 a claim or budget fails;" in ran.out
    assert ran.err == ""
    assert place.run("-h").out == ran.out
    assert place.run("--version").out == f"leverage, version {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(place: Place, name: str) -> None:
    ran = place.run(name, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: leverage {name} ")
    assert ran.err == ""
    assert all(len(line) <= 80 for line in ran.out.splitlines() if "|sloccount|" not in line)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["reprot"], "there is no command `reprot`; did you mean `report`?"),
        (["zzz"], "there is no command `zzz`; commands: init, report, check,"),
        (["report", "--confg", "x"], "Did you mean"),
        (["count", "--by", "day"], "'day' is not one of 'language', 'file', 'class'"),
        (["count", "--jobs", "0"], "not in the range"),
        (["cache", "prne"], "prne"),
        (["report", "extra"], "extra"),
    ],
)
def test_usage_errors(place: Place, words: list[str], answer: str) -> None:
    ran = place.run(*words)
    assert ran.code == 2
    assert answer in ran.err
    assert ran.out == ""
    assert "Traceback" not in ran.err


def test_without_a_command_the_help_is_shown(place: Place) -> None:
    ran = place.run()
    assert ran.code == 2
    assert "Commands:" in ran.err + ran.out


def test_help_and_completion_load_nothing_heavy() -> None:
    code = (
        "import sys, contextlib, io\n"
        "from leverage.cli.main import COMMANDS, group\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    group.main(['--help'], standalone_mode=False)\n"
        "    light = set(sys.modules)\n"
        "    for name in COMMANDS:\n"
        "        group.main([name, '--help'], standalone_mode=False)\n"
        "print(sorted({'pandas', 'matplotlib', 'pygount', 'pydantic', 'git', 'jinja2', 'rich'} & light))\n"
        "print(sorted({'pandas', 'matplotlib', 'jinja2', 'pygount'} & set(sys.modules)))\n"
    )
    done = python(code)
    assert (done.stdout, done.stderr) == ("[]\n[]\n", "")


def test_counting_loads_nothing_heavy(place: Place) -> None:
    (place.path / "a.py").write_text("x = 1\n")
    code = (
        "import sys\n"
        "from leverage.cli.main import group\n"
        "group.main(['count', 'a.py'], standalone_mode=False)\n"
        "heavy = {'pandas', 'matplotlib', 'pygount', 'pydantic', 'jinja2', 'rich', 'ruamel.yaml'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = python(code)
    assert done.stderr == ""
    assert done.stdout.endswith("\n[]\n")


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(place: Place, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], coloured: bool) -> None:  # noqa: FBT001
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = place.run("report")
    assert ran.code == 2
    assert ("\x1b[" in ran.err) == coloured
    assert "there is no configuration here" in ran.err


def test_stdout_is_plain_even_where_colour_is_forced(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in (["count"], ["check"], ["explain", "port/core/a.py"], ["cache"], ["schema"]):
        ran = world.run(*words)
        assert ran.code == 0
        assert "\x1b" not in ran.out


def test_a_reader_that_goes_away_is_no_error(place: Place) -> None:
    for name in range(2000):
        (place.path / f"file-{name:04}.py").write_text("x = 1\n")
    words = [sys.executable, "-m", "leverage", "count", "--by", "file"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(5) == b"lines"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_terminal_that_lacks_a_letter_is_no_error(place: Place) -> None:
    (place.path / "Ω.py").write_text("x = 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "leverage", "count", "--by", "file"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"\\u03a9.py" in done.stdout


def test_an_interrupt_during_a_fetch_ends_it_at_once(world: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # listens, and never answers
        url = f"http://127.0.0.1:{server.getsockname()[1]}/port"
        world.spec(port=f'{{git: "{url}", commit: "{world.commits["port"]}"}}')
        with subprocess.Popen(
            [sys.executable, "-m", "leverage", "report"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stderr is not None
            assert b"fetching" in process.stderr.readline()
            connection, _ = server.accept()
            with connection:
                begun = time.monotonic()
                process.send_signal(signal.SIGINT)
                rest = process.stderr.read()
        assert process.returncode == 130
        assert b"error: interrupted" in rest
        assert b"Traceback" not in rest
        assert time.monotonic() - begun < 10
    assert not (world.path / "reports").exists()


@pytest.mark.parametrize("of", ["spec", "report"])
def test_schema(place: Place, of: str) -> None:
    import json  # noqa: PLC0415 - only here

    import jsonschema  # noqa: PLC0415

    ran = place.run("schema", of)
    assert ran.code == 0
    assert ran.err == ""
    jsonschema.Draft202012Validator.check_schema(json.loads(ran.out))
    assert place.run("schema").out == place.run("schema", "spec").out


def test_the_report_fits_its_schema(world: Place) -> None:
    import json  # noqa: PLC0415 - only here

    import jsonschema  # noqa: PLC0415

    assert world.run("report").code == 0
    schema = json.loads(world.run("schema", "report").out)
    jsonschema.validate(json.loads((world.path / "reports/out/report.json").read_bytes()), schema)


def test_options_can_come_from_the_environment(world: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEVERAGE_CONFIG", str(world.path / "repos.yaml"))
    monkeypatch.chdir(tmp_path)
    assert world.run("check").code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_is_told_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "leverage", "schema"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "error: the output could not be written: No space left on device\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_caller_closed_is_like_a_reader_that_went_away(world: Place, closed: str) -> None:
    line = f"{sys.executable} -m leverage report --out reports/out {closed}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (world.path / "reports/out/index.html").stat().st_size > 10_000
    assert "Traceback" not in done.stderr
