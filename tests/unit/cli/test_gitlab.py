"""`ci/gitlab.yml`: its scripts run in a clean shell, and the note is one note."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.cli.shells import ROOT, Ended, Shell, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.cli.conftest import Place

TEMPLATE = read("ci/gitlab.yml")
INSTALL = TEMPLATE[".leverage"]["before_script"]
REPORT, DIFF, NOTE, CHECK = TEMPLATE["leverage"]["script"]
CURL = """#!/bin/sh
[ -n "$BASELINE" ] || exit 22
while [ $# -gt 0 ]; do [ "$1" = --output ] && cp "$BASELINE" "$2"; shift; done
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "machine"
    folder.mkdir()
    made = Shell(folder)
    made.tool("curl", CURL)
    return made


def run(shell: Shell, *scripts: str, **more: str) -> Ended:
    project = {
        "CI_PROJECT_DIR": str(shell.work),
        "CI_PROJECT_ID": "1",
        "CI_DEFAULT_BRANCH": "main",
        "CI_JOB_TOKEN": "t",
    }
    declared = {name: str(value) for name, value in TEMPLATE["variables"].items()}
    environment = declared | project | {"CI_API_V4_URL": "http://localhost", "CI_PROJECT_PATH": "some/where"}
    return shell.run("\n".join(scripts), environment | more)


class Forge(BaseHTTPRequestHandler):
    """Two pages of notes, and what was asked for."""

    notes: tuple[dict[str, Any], ...] = ()
    asked: list[tuple[str, str, str]]

    def answer(self, body: object, page: str = "") -> None:
        self.send_response(200)
        self.send_header("X-Next-Page", page)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def do_GET(self) -> None:
        first = self.path.endswith("&page=1")
        self.answer(self.notes[:1] if first else self.notes[1:], "2" if first and len(self.notes) > 1 else "")

    def do_POST(self) -> None:
        text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        self.asked.append((self.command, self.path, text))
        assert self.headers["PRIVATE-TOKEN"] == "secret"
        self.answer({})

    do_PUT = do_POST  # noqa: N815 - the name that the base class looks for

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def forge() -> Iterator[tuple[str, type[Forge]]]:
    class Mine(Forge):
        asked: list[tuple[str, str, str]] = []  # noqa: RUF012 - one for each test

    server = HTTPServer(("127.0.0.1", 0), Mine)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Mine
    server.shutdown()
    thread.join()
    server.server_close()


def note(shell: Shell, address: str, text: str | None) -> Ended:
    path = shell.work / "leverage-comment.md"
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(text)
    return run(shell, NOTE, CI_API_V4_URL=address, CI_MERGE_REQUEST_IID="3", LEVERAGE_TOKEN="secret")  # noqa: S106 - none


def test_a_note_is_made_once_then_changed_then_taken_back(shell: Shell, forge: tuple[str, type[Forge]]) -> None:
    address, server = forge
    base = "/projects/1/merge_requests/3/notes"
    assert note(shell, address, "**x**\n").code == 0
    assert server.asked == [("POST", base, "<!-- leverage:default -->\n**x**\n")]
    server.notes = ({"id": 1, "body": "hello"}, {"id": 9, "body": "<!-- leverage:default -->\nold"})
    server.asked.clear()
    assert note(shell, address, "**y**\n").code == 0
    assert server.asked == [("PUT", f"{base}/9", "<!-- leverage:default -->\n**y**\n")]
    server.asked.clear()
    assert note(shell, address, "").code == 0
    assert [(asked[0], "any more" in asked[2]) for asked in server.asked] == [("PUT", True)]


def test_nothing_to_say_says_nothing(shell: Shell, forge: tuple[str, type[Forge]]) -> None:
    address, server = forge
    assert note(shell, address, "").code == 0
    assert note(shell, address, None).code == 0
    assert server.asked == []


def test_a_forge_that_refuses_is_no_failure(shell: Shell) -> None:
    ran = note(shell, "http://127.0.0.1:9", "**x**\n")
    assert ran.code == 0
    assert "the note could not be written" in ran.text


def test_the_whole_job_on_a_small_world(world: Place, shell: Shell) -> None:
    shutil.copytree(world.path, shell.work, dirs_exist_ok=True)
    ran = run(shell, *INSTALL, REPORT, DIFF, NOTE, CHECK, LEVERAGE_INSTALL=str(ROOT))
    assert ran.code == 0, ran.text
    out = shell.work / "leverage-report"
    assert (out / "index.html").is_file()
    assert not (shell.work / "leverage-comment.md").exists(), "there is no merge request"
    before = json.loads((out / "report.json").read_text())
    before["claims"][0]["verdict"] = "does not hold"
    (shell.folder / "before.json").write_text(json.dumps(before))
    ran = run(shell, DIFF, CI_MERGE_REQUEST_IID="3", BASELINE=str(shell.folder / "before.json"))
    assert ran.code == 0, ran.text
    assert (shell.work / "leverage-comment.md").read_text().startswith("**1 verdict changed**")
    ran = run(shell, DIFF, CI_MERGE_REQUEST_IID="3")
    assert ran.code == 0, "the default branch has no report yet"
    assert not (shell.work / "leverage-comment.md").exists()
    ran = run(shell, *TEMPLATE["pages"]["script"])
    assert ran.code == 0, ran.text
    assert (shell.work / "public/latest/index.html").read_bytes() == (out / "index.html").read_bytes()


def test_variables_are_never_run(shell: Shell) -> None:
    assert run(shell, *INSTALL, LEVERAGE_INSTALL=str(ROOT)).code == 0
    for name in ("LEVERAGE_CONFIG", "LEVERAGE_OUTPUT", "LEVERAGE_ARGUMENTS"):
        for value in ("$(touch pwned)", "`touch pwned`", "x; touch pwned", '"; touch pwned; "'):
            assert run(shell, REPORT, **{name: value}).code != 0
    assert not list(shell.folder.rglob("pwned"))


def test_where_it_is_installed_from_has_to_be_said(shell: Shell) -> None:
    ran = run(shell, *INSTALL)
    assert ran.code == 2
    assert "set LEVERAGE_INSTALL" in ran.text


def test_the_report_that_is_shown_is_the_one_that_is_written() -> None:
    assert f"{TEMPLATE['variables']['LEVERAGE_OUTPUT']}/" in TEMPLATE["leverage"]["artifacts"]["paths"]


def test_the_linter_of_shells_finds_nothing(tmp_path: Path) -> None:
    for at, text in enumerate([*INSTALL, *TEMPLATE["leverage"]["script"], *TEMPLATE["pages"]["script"]]):
        (tmp_path / f"{at}.sh").write_text(f"#!/usr/bin/env bash\n{text}")
    program = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([program, *sorted(tmp_path.iterdir())], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
