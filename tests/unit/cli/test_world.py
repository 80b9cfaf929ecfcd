"""The main job from end to end: report, check, record, verify, lock, each with its exit codes."""

from __future__ import annotations

import json
import re
import shutil
import socket
from typing import TYPE_CHECKING

import pytest
from leverage.evidence.store import read_facts
from tests.unit.cli.conftest import SPEC
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

WRITTEN = {"out/index.html", "out/report.json", "out/report.md", "out/tables/columns.json"}


def report_of(place: Place, name: str = "out") -> dict[str, object]:
    found: dict[str, object] = json.loads((place.path / "reports" / name / "report.json").read_bytes())
    return found


@pytest.fixture
def closed_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.fixture
def remote(world: Place, closed_port: int) -> Place:
    """The same world with the port's source at a URL that nobody answers, and a mirror that has it."""
    url = f"http://127.0.0.1:{closed_port}/port"
    world.spec(port=f'{{git: "{url}", commit: "{world.commits["port"]}"}}')
    (world.path / "mirrors.yaml").write_text(f"{url}: port\n")
    return world


def test_report_is_written_whole_and_says_where(world: Place) -> None:
    ran = world.run("report")
    assert ran.code == 0, ran.err
    assert ran.out == "reports/out/index.html\n"
    assert set(world.outputs()) >= WRITTEN
    assert not [name for name in world.outputs() if name.endswith(".part")]
    assert "closed is closed" in ran.err
    assert "warning" not in ran.err
    assert b"<title>" in (world.path / "reports/out/index.html").read_bytes()


def test_the_same_input_gives_the_same_bytes(world: Place) -> None:
    assert world.run("report", "--out", "reports/one").code == 0
    assert world.run("report", "--out", "reports/two").code == 0
    names = [name.removeprefix("one/") for name in world.outputs() if name.startswith("one/")]
    assert len(names) > 5
    for name in names:
        one, two = ((world.path / "reports" / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two, name


def test_a_report_of_a_url_comes_from_the_mirror(remote: Place) -> None:
    ran = remote.run("report", "--mirror", "mirrors.yaml")
    assert ran.code == 0
    assert "warning" not in ran.err
    assert '"origin": "measured"' in (remote.path / "reports/out/report.json").read_text()


def test_without_network_and_record_a_system_is_unknown_and_the_report_still_written(remote: Place) -> None:
    ran = remote.run("report")
    assert ran.code == 0
    assert set(remote.outputs()) >= WRITTEN
    assert re.search(
        r"warning: repos\.yaml:10:\d+: port is unknown: .*it cannot be reached.*\[source-unreachable\]", ran.err
    )
    assert "no measurement of it is recorded" in ran.err
    assert "what to do: " in ran.err
    assert ran.err.count("cannot be reached") == 1
    assert "127.0.0.1" not in json.dumps(report_of(remote)["provenance"]), "why not is this machine's business"


@pytest.mark.parametrize("how", ["--offline", "--recorded", "unreachable"])
def test_the_record_stands_in(remote: Place, how: str) -> None:
    assert remote.run("record", "--mirror", "mirrors.yaml", "--into", "kept").code == 0
    ran = remote.run("report", "--record", "kept", *([] if how == "unreachable" else [how]))
    assert ran.code == 0
    told = re.search(
        r"warning: repos\.yaml:10:\d+: recorded measurements of [0-9-]+ stand in for 1 of 2 systems", ran.err
    )
    assert (told is None) == (how == "--recorded")
    assert '"origin": "recorded"' in (remote.path / "reports/out/report.json").read_text()
    live = remote.run("report", "--mirror", "mirrors.yaml", "--out", "reports/live")
    assert live.code == 0
    assert report_of(remote)["denominators"] == report_of(remote, "live")["denominators"]


def test_a_record_of_another_revision_or_of_other_globs_does_not_stand_in(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    world.spec(("core/**", "core/*.py"))
    ran = world.run("report", "--recorded", "--record", "kept")
    assert (
        "port is unknown: only the record was asked for; the recorded measurement was made for other globs" in ran.err
    )
    world.spec((world.commits["port"], "e" * 40))
    ran = world.run("report", "--recorded", "--record", "kept")
    assert "the recorded measurement is of another revision" in ran.err


def test_record_writes_all_or_nothing(world: Place) -> None:
    world.spec((world.commits["base"], "e" * 40))
    ran = world.run("record", "--into", "kept")
    assert ran.code == 3
    assert "error: repos.yaml:19:" in ran.err
    assert not (world.path / "kept").exists()
    world.spec()
    ran = world.run("record", "port", "--into", "kept")
    assert ran.code == 0
    assert ran.out == "kept/port.csv\nkept/port+units.csv\nkept/port.json\n"
    assert sorted(each.name for each in (world.path / "kept").iterdir()) == ["port+units.csv", "port.csv", "port.json"]


def test_record_is_dated_and_says_nothing_of_this_machine(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert world.run("record", "--into", "kept").code == 0
    facts = read_facts(world.path / "kept", "port")
    assert facts is not None
    assert facts.provenance.measured_on == "1970-01-02"
    assert str(world.path) not in (world.path / "kept/port.json").read_text()


@pytest.mark.parametrize("command", ["report", "record"])
def test_a_date_that_is_none_is_a_usage_error(world: Place, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    ran = world.run(command)
    assert ran.code == 2
    assert "SOURCE_DATE_EPOCH must be a number of seconds, not 'today'" in ran.err
    assert world.outputs() == []


def test_record_names_unknown_systems_all_at_once(world: Place) -> None:
    ran = world.run("record", "prot", "zzz", "--into", "kept")
    assert ran.code == 2
    assert "no system with a source is called 'prot'; did you mean `port`?" in ran.err
    assert "'zzz'; systems: `base`, `port`" in ran.err


def test_verify_proves_disproves_and_says_what_is_missing(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    ran = world.run("verify", "--record", "kept")
    assert (ran.code, ran.out) == (
        0,
        "proved    port: 6 files, every count equal\nproved    base: 1 file, every count equal\n",
    )
    table = world.path / "kept/port.csv"
    table.write_bytes(table.read_bytes().replace(b"core/b.py", b"core/c.py"))
    ran = world.run("verify", "--record", "kept")
    assert ran.code == 1
    assert ran.out.startswith("DISPROVED port: the record of port cannot be used: port.csv does not have the hash")
    assert "proved    base" in ran.out
    table.unlink()
    (world.path / "kept/port.json").unlink()
    ran = world.run("verify", "--record", "kept")
    assert ran.code == 3
    assert ran.out.startswith("unchecked port: no measurement of it is recorded\nproved    base")


def test_verify_disproves_a_record_that_was_forged_with_care(world: Place) -> None:
    assert world.run("record", "port", "--into", "kept").code == 0
    import hashlib  # noqa: PLC0415 - only here

    table, head = world.path / "kept/port.csv", world.path / "kept/port.json"

    def one_more(row: re.Match[bytes]) -> bytes:
        return row[1] + b",3,3," + str(int(row[2]) + 1).encode() + b","  # in every column that must add up

    forged = re.sub(rb"(tests/t\.py,.*?),2,2,([0-9]+),", one_more, table.read_bytes())
    assert forged != table.read_bytes()
    head.write_text(
        head.read_text().replace(hashlib.sha256(table.read_bytes()).hexdigest(), hashlib.sha256(forged).hexdigest())
    )
    table.write_bytes(forged)
    ran = world.run("verify", "port", "--record", "kept")
    assert ran.code == 1
    assert ran.out.startswith("DISPROVED port: 1 difference\n")
    assert "\n  'tests/t.py': physical 3 became 2; nonblank 3 became 2; " in ran.out


def test_verify_cannot_check_what_it_cannot_read(remote: Place) -> None:
    assert remote.run("record", "--mirror", "mirrors.yaml", "--into", "kept").code == 0
    ran = remote.run("verify", "--offline", "--record", "kept")
    assert ran.code == 3
    assert ran.out.startswith("unchecked port: commit ")
    assert "proved    base" in ran.out


def test_a_damaged_record_stops_a_report_before_it_is_written(world: Place) -> None:
    assert world.run("record", "--into", "kept").code == 0
    (world.path / "kept/port.csv").write_text("path\n")
    ran = world.run("report", "--recorded", "--record", "kept")
    assert ran.code == 2
    assert "[record-damaged]" in ran.err
    assert world.outputs() == []


def test_check_holds(world: Place) -> None:
    ran = world.run("check")
    assert ran.code == 0, ran.out
    assert ran.out.splitlines()[1] == "ok        budget port.core.code: 6 of at most 6"
    assert ran.out.startswith("ok        claim three: holds")


@pytest.mark.parametrize("change", [("value: 3}\n", "value: 4}\n"), ("at_most: 6", "at_most: 5")])
def test_check_fails(world: Place, change: tuple[str, str]) -> None:
    world.spec(change)
    ran = world.run("check")
    assert ran.code == 1
    assert "FAILS     " in ran.out
    assert world.run("check", "--exit-zero").code == 0


def test_an_expected_verdict_is_what_holding_means(world: Place) -> None:
    world.spec(("value: 3}\n", 'value: 4, expect: "does not hold"}\n'))
    ran = world.run("check")
    assert ran.code == 0
    assert "does not hold, as expected" in ran.out


def test_check_cannot_check_without_a_source_and_exit_zero_does_not_hide_it(world: Place) -> None:
    world.spec((world.commits["port"], "e" * 40))
    for words in ([], ["--exit-zero"]):
        ran = world.run("check", *words)
        assert ran.code == 3
        assert "unchecked claim three: " in ran.out
        assert "unchecked budget port.core.code: cannot be checked" in ran.out


def test_check_formats(world: Place) -> None:
    world.spec(("at_most: 6", "at_most: 5"))
    told = {form: world.run("check", "--format", form) for form in ("text", "json", "markdown", "github")}
    assert {ran.code for ran in told.values()} == {1}
    data = json.loads(told["json"].out)
    assert data["format"] == 1
    assert [(each["kind"], each["id"], each["holds"], each["line"]) for each in data["checks"]] == [
        ("claim", "three", True, 27),
        ("budget", "port.core.code", False, 29),
    ]
    rows = told["markdown"].out.splitlines()
    assert rows[:2] == ["| | check | result | why |", "|---|---|---|---|"]
    assert rows[3].startswith("| FAILS | budget `port.core.code` | 6 of at most 5 |")
    first, second = told["github"].out.splitlines()
    assert first.startswith("::notice file=repos.yaml,line=27,title=claim three::holds")
    assert second.startswith("::error file=repos.yaml,line=29,title=budget port.core.code::6 of at most 5")
    assert len(told["text"].out.splitlines()) == 2


def test_lock_then_everything_fits(world: Place) -> None:
    ran = world.run("lock")
    assert (ran.code, ran.out) == (0, "repos.lock\n")
    assert world.commits["port"] in (world.path / "repos.lock").read_text()
    again = (world.path / "repos.lock").read_bytes()
    assert world.run("lock").code == 0
    assert (world.path / "repos.lock").read_bytes() == again
    ran = world.run("report")
    assert ran.code == 0
    assert "warning" not in ran.err
    assert sorted(each.name for each in world.path.iterdir()) == ["base", "port", "reports", "repos.lock", "repos.yaml"]


def test_lock_writes_nothing_unless_everything_is_resolved(world: Place) -> None:
    assert world.run("lock").code == 0
    before = (world.path / "repos.lock").read_bytes()
    world.spec((world.commits["port"], "e" * 40))
    ran = world.run("lock")
    assert ran.code == 3
    assert "error: repos.yaml:10:" in ran.err
    assert (world.path / "repos.lock").read_bytes() == before
    assert not list(world.path.glob(".repos.lock*"))


def test_a_lock_that_fits_no_longer_is_said_once_and_not_used(world: Place) -> None:
    assert world.run("lock").code == 0
    from tests.unit.sources.tools import Repository  # noqa: PLC0415 - only here

    world.commits["port"] = Repository(world.path / "port").commit({"core/a.py": b"x = 1\n"})
    world.spec()
    ran = world.run("report")
    assert ran.code == 0
    assert ran.err.count("repos.lock does not fit repos.yaml") == 1
    assert "repos.yaml:10:" in ran.err
    assert "leverage lock" in ran.err
    assert report_of(world)


def test_a_lock_that_names_another_tree_stops_everything(world: Place) -> None:
    assert world.run("lock").code == 0
    lock = world.path / "repos.lock"
    tree = re.findall(r'tree = "([0-9a-f]{40})"', lock.read_text())[1]
    lock.write_text(lock.read_text().replace(tree, "d" * 40))
    for command in ("report", "check"):
        ran = world.run(command)
        assert ran.code == 3
        assert "[lock-mismatch]" in ran.err
        assert "leverage lock" in ran.err
        assert world.outputs() == []


@pytest.mark.parametrize(
    "text", ["version = 1\n[systems", "version = 2\n", 'version = 1\n[systems.port]\ncommit = "x"\n']
)
def test_a_damaged_lock_is_a_configuration_error(world: Place, text: str) -> None:
    (world.path / "repos.lock").write_text(text)
    ran = world.run("report")
    assert ran.code == 2
    assert "repos.lock" in ran.err
    assert "[bad-lock]" in ran.err


TWO = """\
version: 1
title: two measured sides
systems:
  a: {role: extension, source: {path: a}, components: {x: {include: ["**"], height: [graph, tile_ir]}}, \
boundaries: {extension: [x]}}
  b: {role: from_scratch, source: {path: b}, components: {x: {include: ["**"], height: [graph, tile_ir]}}, \
boundaries: {extension: [x]}}
compare: {left: b, right: a, headline: d}
denominators: {d: {boundary: extension}}
claims: {c: {text: x, wording: paraphrase, by: y, source: z, ratio_of: [b, a], value: 7}}
"""


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("a.py", "b is 7\u00d7 the size of a: 7 against 1 code lines"), ("a.md", "b and a cannot be compared")],
)
def test_two_measured_sides_lead_the_page_with_their_own_ratio(place: Place, name: str, sentence: str) -> None:
    for side, lines in (("a", 1), ("b", 7)):
        (place.path / side).mkdir()
        (place.path / side / name).write_text("x = 1\n" * lines)
    (place.path / "repos.yaml").write_text(TWO)
    assert place.run("report", "--out", "out").code == 0
    report = json.loads((place.path / "out/report.json").read_text())
    assert report["verdict"]["sentence"].startswith(sentence)
    assert report["verdict"]["subject"] == "b"
    assert (report["verdict"]["comparable"], report["verdict"]["pairs"]) == (1 if name == "a.py" else 0, 1)
    assert "public stand-in" not in (place.path / "out/report.md").read_text().split("## ")[1]


def test_a_claim_needs_a_reading(place: Place) -> None:
    (place.path / "repos.yaml").write_text(TWO.replace("value: 7}", "value: 7, readings: []}"))
    ran = place.run("check")
    assert ran.code == 2
    assert "readings" in ran.err


BELOW = """\
  below:
    role: substrate
    source: {{path: below, commit: "{commit}"}}
    components: {{all: {{include: ["up/**"]}}}}
compare:"""
OTHER_PARTS = """\
      rest: {include: ["rest/**"], height: [runtime]}
      tests: {include: ["tests/**"], purpose: test}
"""


def test_copies_of_what_a_port_builds_on_are_found_and_unknown_without_it(world: Place) -> None:
    body = "".join(f"    step_{n} = device.method_{n}(node, {n}) + limit_{n}\n" for n in range(12))
    upstream = f"def order(device, node):\n{body}    return node\n".encode()
    below = Repository(world.path / "below").commit({"up/a.py": upstream})
    port = Repository(world.path / "copying").commit({"core/a.py": upstream + b"\n\nX = 1\n"})
    text = SPEC.format(
        port=f'{{path: copying, commit: "{port}"}}', base=f'{{path: base, commit: "{world.commits["base"]}"}}'
    )
    for old, new in (
        ("    role: extension\n", "    role: extension\n    builds_on: below\n"),
        (OTHER_PARTS, ""),
        ("compare:", BELOW.format(commit=below)),
        ("denominators:\n", "denominators:\n  own: {boundary: extension, copies: out}\n"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (world.path / "repos.yaml").write_text(text)

    def own() -> dict[str, int]:
        (found,) = (
            one
            for one in json.loads((world.path / "reports/out/report.json").read_text())["denominators"]
            if one["id"] == "own"
        )
        return {key: found["pairs"][0]["denominator"][key] for key in ("low", "value", "high", "unsized")}

    assert world.run("report").code == 0
    # 14 lines of the function stand upstream, the fifteenth is the port's own.
    assert own() == {"low": 1, "value": 1, "high": 1, "unsized": 0}
    (world.path / "below").rename(world.path / "away")
    shutil.rmtree(world.path.parent / "cache")
    ran = world.run("report")
    assert ran.code == 0
    assert "which lines of port are copies is unknown" in ran.err
    assert own() == {"low": 0, "value": 15, "high": 15, "unsized": 1}
