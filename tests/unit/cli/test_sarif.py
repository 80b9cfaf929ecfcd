import json
from typing import Any

import pytest
from click.testing import CliRunner
from leverage.cli.check import FORMATS, Line, command
from leverage.cli.sarif import sarif_text
from leverage.model.errors import ExitCode

LINES = [
    Line("claim", "a", True, "holds", "as it is", "repos.yaml", 3),
    Line("claim", "b", False, "does not hold, expected: holds", "why", "my folder/repos.yaml", 4),
    Line("budget", "port.core.code", None, "cannot be checked", "", "/x/repos.yaml", 0),
]


def run(lines: list[Line]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif_text(lines))
    assert document["version"] == "2.1.0"
    (one,) = document["runs"]
    found: dict[str, Any] = one
    return found


def test_what_holds_is_no_result_and_the_rest_is() -> None:
    found = run(LINES)
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert [(each["ruleId"], each["kind"], each["level"]) for each in found["results"]] == [
        ("claim", "fail", "error"),
        ("budget", "open", "none"),
    ]
    assert [rules[each["ruleIndex"]] for each in found["results"]] == ["claim", "budget"]
    places = [each["locations"][0]["physicalLocation"] for each in found["results"]]
    assert places[0] == {"artifactLocation": {"uri": "my%20folder/repos.yaml"}, "region": {"startLine": 4}}
    assert places[1] == {"artifactLocation": {"uri": "file:///x/repos.yaml"}, "region": {"startLine": 1}}
    assert found["results"][0]["message"]["text"] == "claim b: does not hold, expected: holds. why"


def test_a_level_stands_only_beside_a_failure() -> None:
    for each in run(LINES)["results"]:
        assert (each["kind"] == "fail") == (each["level"] != "none")


def test_nothing_to_say_is_a_run_without_results() -> None:
    assert run([])["results"] == []


@pytest.mark.parametrize(
    ("form", "more", "code"),
    [
        ("text", [], ExitCode.FAILS),
        ("json", [], ExitCode.FAILS),
        ("markdown", [], ExitCode.FAILS),
        ("github", [], ExitCode.FAILS),
        ("sarif", [], ExitCode.DONE),
        ("text", ["--exit-zero"], ExitCode.DONE),
    ],
)
def test_exit_codes(form: str, more: list[str], code: ExitCode, monkeypatch: pytest.MonkeyPatch) -> None:
    assert form in FORMATS
    monkeypatch.setattr("leverage.cli.check.session", lambda _settings: None)
    monkeypatch.setattr("leverage.cli.evidence.evidence_of", lambda *_args, **_more: (None, None))
    monkeypatch.setattr("leverage.cli.check._lines", lambda _evidence: LINES)
    done = CliRunner().invoke(command, ["--format", form, *more], standalone_mode=False)
    assert done.exception is None
    assert done.return_value == code


def test_what_could_not_be_checked_has_its_own_code_in_sarif_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.cli.check.session", lambda _settings: None)
    monkeypatch.setattr("leverage.cli.evidence.evidence_of", lambda *_args, **_more: (None, None))
    monkeypatch.setattr("leverage.cli.check._lines", lambda _evidence: LINES[::2])
    done = CliRunner().invoke(command, ["--format", "sarif"], standalone_mode=False)
    assert done.return_value == ExitCode.UNCHECKABLE
