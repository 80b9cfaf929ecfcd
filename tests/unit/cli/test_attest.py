"""Attestations: they hold no name of the code, are proved by the code, and disproved by any other."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest
from tests.unit.cli.conftest import PORT
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

FILE = "port.attestation.json"
VERIFY = ("verify", "--attestation", FILE, "--against", "port")
CANARY = "canaryxq"


def attested(place: Place) -> dict[str, object]:
    found: dict[str, object] = json.loads((place.path / FILE).read_bytes())
    return found


@pytest.fixture
def made(world: Place) -> Place:
    ran = world.run("attest", "port")
    assert ran.code == 0, ran.err
    assert ran.out == f"{FILE}\n"
    return world


def test_counts_are_those_worked_out_by_hand(made: Place) -> None:
    found = attested(made)
    # a.py has 3 lines of code, b.py 3; made.py is generated; .gitattributes is no code of a program.
    extension = found["boundaries"]["extension"]  # type: ignore[index]
    production = [row for row in extension["code"] if row["purpose"] == "production"]
    assert sum(row["leverage"] for row in production) == 6
    assert {row["language"] for row in production} == {"python"}
    assert extension["counted_files"] == 3
    assert [row["physical"] for row in extension["sizes"] if row["language"] == "python"] == [8 + 3]
    assert extension["whole"] is True
    assert found["all"]["counted_files"] == 5  # type: ignore[index]
    assert found["files"]["tracked"] == len(PORT)  # type: ignore[index]
    assert found["denominators"]["code"]["boundary"] == "extension"  # type: ignore[index]
    assert "date" not in found


def test_the_same_input_and_salt_give_the_same_bytes_and_the_salt_is_private(
    made: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = (made.path / FILE).read_bytes()
    salt = made.path / f"{FILE}.salt"
    assert stat.S_IMODE(salt.stat().st_mode) == 0o600
    assert made.run("attest", "port").code == 0
    assert (made.path / FILE).read_bytes() == first
    assert salt.read_text().strip() not in first.decode()
    salt.unlink()
    assert made.run("attest", "port").code == 0
    changed = json.loads((made.path / FILE).read_bytes())
    before = json.loads(first)
    assert {key for key in before if before[key] != changed[key]} == {"table", "globs", "rules"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert made.run("attest", "port").code == 0
    assert attested(made)["date"] == "1970-01-02"
    assert made.run(*VERIFY).code == 0


def test_no_name_of_the_code_is_in_it(place: Place) -> None:
    files = {
        f"{CANARY}_dir/{CANARY}_a.py": f'"""{CANARY}"""\n\nclass {CANARY.title()}:\n    def {CANARY}(self):\n'
        f"        return '{CANARY}'\n".encode(),
        f"{CANARY}_dir/{CANARY}.{CANARY}": b"x\n",
        f"{CANARY}_top.cpp": f"int {CANARY}() {{ return 1; }}\n".encode(),
    }
    Repository(place.path / CANARY).commit(files)
    (place.path / "repos.yaml").write_text(
        f"version: 1\ntitle: t\nsystems:\n  secret:\n    role: from_scratch\n    note: {CANARY}\n"
        f"    source: {{path: {CANARY}}}\n    components:\n      {CANARY}-part: {{include: ['{CANARY}_dir/**'], "
        f"note: {CANARY}}}\n    boundaries: {{extension: [{CANARY}-part]}}\n"
        f"denominators:\n  code: {{boundary: extension, note: {CANARY}}}\n"
    )
    ran = place.run("attest", "secret")
    assert ran.code == 0, ran.err
    for name in ("secret.attestation.json", "secret.attestation.json.salt"):
        assert CANARY not in (place.path / name).read_text().lower()
    assert CANARY not in ran.out.lower()
    assert json.loads((place.path / "secret.attestation.json").read_bytes())["all"]["counted_files"] == 1


def test_the_code_proves_it_with_and_without_the_salt(made: Place) -> None:
    ran = made.run(*VERIFY)
    assert (ran.code, ran.out) == (0, "proved    port: every attested count equal\n"), ran.err
    (made.path / f"{FILE}.salt").rename(made.path / "kept")
    ran = made.run(*VERIFY)
    assert ran.code == 0
    assert "without the salt the hashes of files, globs and rules were not checked" in ran.out
    assert made.run(*VERIFY, "--salt", "kept").out == "proved    port: every attested count equal\n"


def test_other_code_and_changed_figures_disprove_it(made: Place) -> None:
    text = (made.path / FILE).read_text()
    found = attested(made)
    found["boundaries"]["extension"]["counted_files"] = 1  # type: ignore[index]
    (made.path / FILE).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    ran = made.run(*VERIFY)
    assert ran.code == 1
    assert ran.out == (
        "DISPROVED port: 1 difference\n  `boundaries.extension.counted_files`: attested `1`, measured `3`\n"
    )
    (made.path / FILE).write_text(text)
    (made.path / "port" / "core").mkdir(exist_ok=True)
    (made.path / "port" / "core" / "more.py").write_text("y = 1\n")
    ran = made.run(*VERIFY)
    assert ran.code == 1
    assert ran.out.splitlines()[1].startswith("  `source.kind`: attested")


def test_moving_lines_between_files_changes_only_what_the_salt_opens(made: Place) -> None:
    """Names are part of the tree and of the table, and of nothing else."""
    before = attested(made)
    renamed = {name.replace("core/a.py", "core/z.py"): data for name, data in PORT.items()}
    made.commits["port"] = Repository(made.path / "second").commit(renamed)
    made.spec(port=f'{{path: second, commit: "{made.commits["port"]}"}}')
    assert made.run("attest", "port").code == 0
    after = attested(made)
    assert {key for key in before if before[key] != after[key]} == {"source", "table"}


def test_another_version_disproves_nothing(made: Place) -> None:
    found = attested(made)
    found["line_rule"] = "0-none"
    (made.path / FILE).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    ran = made.run(*VERIFY)
    assert ran.code == 3
    assert ran.out.startswith("unchecked port: attested by another line_rule: 1 difference\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format": 1}',
        b"\xff",
        b"[" * 100_000,
        b'{"format": ' + b"1" * 5000 + b"}",
        b'{\n "format": 1,\n "system": "port",\n "system": "port"\n}\n',
        b'{"system": "port", "format": 1}',
    ],
)
def test_what_is_no_attestation_is_refused(world: Place, data: bytes) -> None:
    (world.path / FILE).write_bytes(data)
    ran = world.run(*VERIFY)
    assert ran.code == 2, ran.err
    assert "bad-attestation" in ran.err
    assert ran.out == ""


def test_terminal_controls_in_an_attestation_are_not_printed(made: Place) -> None:
    found = attested(made)
    found["\x1b[31mx"] = "\x1b]0;y\x07"
    (made.path / FILE).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    ran = made.run(*VERIFY)
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err


def test_options_that_do_not_go_together(made: Place) -> None:
    assert made.run("verify", "--attestation", FILE).code == 2
    assert made.run("verify", "--against", "port").code == 2
    assert made.run(*VERIFY, "port").code == 2
    (made.path / f"{FILE}.salt").write_text("zz")
    ran = made.run("attest", "port")
    assert ran.code == 2
    assert "bad-salt" in ran.err
