"""`action.yml` and the workflows: inert whatever the inputs, pinned, and their steps run in a clean shell."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from leverage.report.markdown import LIMIT
from leverage.report.write import write_report
from tests.unit.cli.shells import EXPRESSION, ROOT, Shell, read
from tests.unit.report.sample import sample_report, sample_tables
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.cli.conftest import Place

ACTION = read("action.yml")
WORKFLOWS = [f".github/workflows/{name}.yml" for name in ("ci", "leverage")]
DEFAULT = ROOT / "reports/default/report.json"
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
REPORT_STEPS = {step["name"]: step for step in read(".github/workflows/leverage.yml")["jobs"]["report"]["steps"]}
GH = """#!/bin/sh
printf '%s\\n' "$*" >> "$RUNNER_TEMP/gh.log"
case "$*" in
  *--paginate*) [ -z "$REFUSED" ] || exit 1; cat "$RUNNER_TEMP/comments" ;;
  *)
    [ -z "$READ_ONLY" ] || exit 1
    for word; do case "$word" in body=@*) cat "${word#body=@}" > "$RUNNER_TEMP/said" ;; esac; done ;;
esac
"""


def steps_of(path: str) -> Iterator[dict[str, Any]]:
    document = read(path)
    if "runs" in document:
        yield from document["runs"]["steps"]
    for job in document.get("jobs", {}).values():
        yield from job.get("steps", [])


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "machine"
    folder.mkdir()
    made = Shell(folder)
    made.known = {f"inputs.{name}": str(one.get("default", "")) for name, one in ACTION["inputs"].items()}
    made.known |= {"github.repository": "some/where", "github.event.pull_request.number": "7", "github.token": "secret"}
    made.tool("gh", GH)
    (folder / "temp/comments").write_text("")
    assert made.step(STEPS["Install leverage"]).code == 0
    return made


@pytest.mark.parametrize("path", ["action.yml", *WORKFLOWS])
def test_no_script_holds_an_expression(path: str) -> None:
    scripts = [step["run"] for step in steps_of(path) if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("path", ["action.yml", *WORKFLOWS])
def test_what_others_wrote_is_held_to_a_commit(path: str) -> None:
    used = [step["uses"] for step in steps_of(path) if "uses" in step]
    foreign = [name for name in used if not name.startswith("./")]
    assert foreign
    text = (ROOT / path).read_text()
    for name in foreign:
        assert re.fullmatch(r"[a-z-]+/[a-z/-]+@[0-9a-f]{40}", name)
        assert re.search(rf"{re.escape(name)} # v\d+\.\d+\.\d+$", text, re.MULTILINE), "the version stands beside it"


def test_every_job_has_only_the_rights_it_says() -> None:
    for path in WORKFLOWS:
        document = read(path)
        assert document["permissions"] == {}
        for job in document["jobs"].values():
            assert set(job["permissions"]) <= {"contents", "pull-requests", "pages", "id-token"}
            assert job["permissions"].get("contents", "read") == "read"
        for step in steps_of(path):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_inputs_and_outputs_that_are_named_are_there() -> None:
    text = (ROOT / "action.yml").read_text()
    named = set(re.findall(r"inputs\.([a-z-]+)", text))
    assert named == set(ACTION["inputs"])
    made = {
        f"steps.{step['id']}.outputs.{name}"
        for step in STEPS.values()
        if "id" in step and "run" in step
        for name in re.findall(r"^\s*(?:printf|echo) ['\"]([a-z-]+)=", step["run"], re.MULTILINE)
    }
    made |= {"steps.report.outputs.report", "steps.compare.outputs.comment"}
    wanted = {EXPRESSION.search(one["value"])[1] for one in ACTION["outputs"].values()}  # type: ignore[index]
    assert wanted <= made
    given = REPORT_STEPS["Report, compare, check"]["with"]
    assert set(given) <= set(ACTION["inputs"])


def test_the_whole_action_on_a_small_world(world: Place, shell: Shell) -> None:
    world.spec(("at_most: 6", "at_most: 5"))
    shutil.copytree(world.path, shell.work, dirs_exist_ok=True)
    base = shell.work / "base.json"
    shell.known |= {"inputs.baseline": "base.json", "inputs.out": "made"}
    ran = shell.step(STEPS["Measure and write the report"])
    assert ran.code == 0, ran.text
    assert ran.outputs == {"page": "./made/index.html", "report": "./made/report.json"}
    assert (shell.work / "made/index.html").is_file()
    assert ran.summary == (shell.work / "made/report.md").read_text()
    assert len(ran.summary.encode()) < LIMIT
    assert (shell.folder / "temp/leverage-cache").is_dir(), "what is kept lies where the cache step looks"

    ran = shell.step(STEPS["Compare with the baseline"])
    assert (ran.code, ran.outputs) == (0, {}), "a baseline that is not there yet is no failure"
    assert "::notice::there is no baseline yet" in ran.text
    shutil.copy(shell.work / "made/report.json", base)
    ran = shell.step(STEPS["Compare with the baseline"])
    assert (ran.code, ran.outputs) == (0, {"changed": "false"})
    document = json.loads(base.read_text())
    document["claims"][0]["verdict"] = "not comparable"
    base.write_text(json.dumps(document))
    ran = shell.step(STEPS["Compare with the baseline"])
    assert (ran.code, ran.outputs["changed"]) == (0, "true")
    assert Path(ran.outputs["comment"]).read_text().startswith("**1 verdict changed**")

    ran = shell.step(STEPS["Check claims and budgets"])
    assert ran.outputs["exit-code"] == str(ran.code)
    assert ran.code == 1, ran.text
    assert "::error file=repos.yaml,line=" in ran.text
    shell.known["inputs.check"] = "false"
    ran = shell.step(STEPS["Check claims and budgets"])
    assert (ran.code, ran.outputs) == (0, {"exit-code": "1"})


def test_a_mistake_in_the_configuration_fails_whatever_the_setting(shell: Shell) -> None:
    (shell.work / "repos.yaml").write_text("version: 1\nsistems: {}\n")
    shell.known["inputs.check"] = "false"
    assert shell.step(STEPS["Measure and write the report"]).code == 2
    ran = shell.step(STEPS["Check claims and budgets"])
    assert (ran.code, ran.outputs) == (2, {"exit-code": "2"})


@pytest.mark.parametrize("name", ["Measure and write the report", "Check claims and budgets"])
@pytest.mark.parametrize("key", ["config", "out", "arguments", "working-directory"])
@pytest.mark.parametrize(
    "value",
    ["$(touch pwned)", "`touch pwned`", "x; touch pwned", '"; touch pwned; "', "-x\ntouch pwned", "x && touch pwned"],
)
def test_inputs_are_never_run(name: str, key: str, value: str, shell: Shell) -> None:
    shell.known[f"inputs.{key}"] = value
    ran = shell.step(STEPS[name])
    assert ran.code != 0
    assert not list(shell.folder.rglob("pwned"))


def test_an_output_folder_cannot_add_outputs(shell: Shell) -> None:
    stub = shell.folder / "temp/leverage-venv/bin/leverage"
    stub.unlink()
    stub.write_text('#!/bin/sh\nmkdir -p "$5" && : > "$5/report.md"\n')
    stub.chmod(0o755)
    shell.known["inputs.out"] = "out\nchanged=true"
    ran = shell.step(STEPS["Measure and write the report"])
    assert (ran.code, ran.outputs) == (2, {})


def comment(shell: Shell, changed: str, **more: str) -> tuple[int, str, list[str], str]:
    shell.known["steps.compare.outputs.changed"] = changed
    (shell.folder / "temp/leverage-comment.md").write_text("**1 verdict changed**\n")
    for name in ("gh.log", "said"):
        (shell.folder / "temp" / name).unlink(missing_ok=True)
    ran = shell.step(STEPS["Keep one comment"], **more)
    log, said = shell.folder / "temp/gh.log", shell.folder / "temp/said"
    calls = log.read_text().splitlines() if log.exists() else []
    return ran.code, ran.text, calls, said.read_text() if said.exists() else ""


def test_one_comment_is_made_then_kept(shell: Shell) -> None:
    code, _, calls, said = comment(shell, "true")
    assert (code, said) == (0, "<!-- leverage:default -->\n**1 verdict changed**\n")
    assert "--method POST repos/some/where/issues/7/comments" in calls[1]
    (shell.folder / "temp/comments").write_text("41\n42\n")
    code, _, calls, said = comment(shell, "true")
    assert (code, said) == (0, "<!-- leverage:default -->\n**1 verdict changed**\n")
    assert "--method PATCH repos/some/where/issues/comments/41 " in calls[1]


def test_nothing_to_say_makes_no_comment_and_takes_an_earlier_one_back(shell: Shell) -> None:
    assert len(comment(shell, "false")[2]) == 1, "only the comments are read"
    assert comment(shell, "")[2] == [], "without a baseline not even that"
    (shell.folder / "temp/comments").write_text("41\n")
    _, _, calls, said = comment(shell, "false")
    assert "PATCH" in calls[1]
    assert "any more" in said
    assert "1 verdict" not in said


def test_a_token_that_may_not_write_is_no_failure(shell: Shell) -> None:
    for refusal in ("READ_ONLY", "REFUSED"):
        code, text, _, said = comment(shell, "true", **{refusal: "1"})
        assert (code, said) == (0, "")
        assert "::warning::the comment" in text


def test_an_id_of_a_comment_cannot_close_the_marker(shell: Shell) -> None:
    shell.known["inputs.comment-id"] = "x --> @everyone <!--"
    assert comment(shell, "true")[0] == 2
    assert comment(shell, "true")[2] == []


def test_the_reusable_workflow_keeps_measurements_and_builds_the_index(shell: Shell) -> None:
    commit = Repository(shell.work / "repository").commit({"a.txt": b"x"})
    shell.known |= {"github.sha": commit, "inputs.reports": "old/one old/two"}
    write_report(sample_report(), sample_tables(), shell.work / "leverage-report")
    for name in ("one", "two"):
        shutil.copytree(shell.work / "leverage-report", shell.work / "repository/old" / name)
    for at in range(60):
        kept = shell.work / f"leverage-history/2001-01-{at:02}-abc"
        kept.mkdir(parents=True)
        shutil.copy(shell.work / "leverage-report/report.json", kept)
    ran = shell.step(REPORT_STEPS["Keep this measurement"])
    assert ran.code == 0, ran.text
    kept_now = sorted(path.name for path in (shell.work / "leverage-history").iterdir() if path.is_dir())
    assert len(kept_now) == 50
    assert kept_now[-1].endswith(commit[:12])
    assert "2001-01-10-abc" not in kept_now
    assert "2001-01-11-abc" in kept_now
    ran = shell.step(REPORT_STEPS["Build the index"])
    assert ran.code == 0, ran.text
    folders = {path.name for path in (shell.work / "leverage-site").iterdir() if path.is_dir()}
    assert len(folders) == 49 + 2 + 1
    assert {"one", "two", "latest"} <= folders
    assert not [name for name in folders if name.endswith(commit[:12])], "this one is there as the latest"


def test_the_install_step_installs_the_checkout_of_the_action_alone(shell: Shell) -> None:
    asked = (shell.folder / "temp/leverage-venv/bin/python.asked").read_text()
    assert asked.strip() == f"-m pip install --quiet --disable-pip-version-check {ROOT}"


def test_the_hook_runs_a_command_that_there_is(place: Place) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    words = hook["entry"].split()
    assert words[0] == "leverage"
    assert place.run(*words[1:], "--help").code == 0
    files = re.compile(hook["files"])
    assert [bool(files.search(name)) for name in ("repos.yaml", "a/repos.lock", "packs/x.yaml", "repos.yaml.md")] == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("tool", ["zizmor", "shellcheck"])
def test_linters_find_nothing(tool: str, tmp_path: Path) -> None:
    program = Path(sys.executable).with_name(tool)
    if tool == "zizmor":
        arguments = ["--offline", "--persona", "pedantic", "--quiet", "action.yml", ".github/workflows"]
    else:
        for at, step in enumerate(one for path in ("action.yml", *WORKFLOWS) for one in steps_of(path) if "run" in one):
            (tmp_path / f"{at}.sh").write_text(f"#!/usr/bin/env bash\n{step['run']}")
        arguments = [str(path) for path in sorted(tmp_path.iterdir())]
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
