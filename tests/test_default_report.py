"""The committed report is what the recorded evidence gives, byte for byte, wherever and however it is rendered."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from leverage.evidence.collect import recorded_folder
from leverage.evidence.facts import scope_digest
from leverage.evidence.store import read_facts
from leverage.measure.version import RULE_VERSION
from leverage.spec.load import load_spec
from leverage.spec.lock import load_lock, stale

ROOT = Path(__file__).parents[1]
DEFAULT = ROOT / "reports" / "default"


def render(out: Path, cwd: Path, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "leverage", "report", "--offline", "--recorded", "--out", str(out)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}/index.html\n"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_committed_report_is_what_the_recorded_evidence_gives(tmp_path: Path) -> None:
    render(tmp_path / "out", ROOT, PYTHONHASHSEED="1")
    made, kept = content(tmp_path / "out"), content(DEFAULT)
    stale_files = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    assert not stale_files, "reports/default is stale: run `make default`"


def test_another_home_folder_locale_zone_and_hash_seed_give_the_same_bytes(tmp_path: Path) -> None:
    elsewhere = tmp_path / "some where"
    elsewhere.mkdir()
    for name in ("repos.yaml", "repos.lock"):
        shutil.copy(ROOT / name, elsewhere / name)
    home = tmp_path / "home"
    (home / ".config" / "matplotlib").mkdir(parents=True)
    (home / ".config" / "matplotlib" / "matplotlibrc").write_text("axes.facecolor: red\nfont.size: 33\n")
    render(
        tmp_path / "out",
        elsewhere,
        HOME=str(home),
        XDG_CONFIG_HOME=str(home / ".config"),
        LC_ALL="C",
        TZ="Pacific/Chatham",
        PYTHONHASHSEED="77",
    )
    assert content(tmp_path / "out") == content(DEFAULT)


def test_the_first_sentence_says_that_the_baseline_is_closed() -> None:
    report = json.loads((DEFAULT / "report.json").read_text())
    assert report["verdict"]["sentence"].startswith("sendnn is closed")
    assert report["verdict"]["verdict"] == "cannot be checked"
    page = (DEFAULT / "index.html").read_text()
    assert page.index("sendnn is closed") < page.index("13,129")


def test_the_verdict_of_every_claim_is_the_expected_one() -> None:
    claims = json.loads((DEFAULT / "report.json").read_text())["claims"]
    assert claims
    assert {one["id"]: one["verdict"] for one in claims} == {one["id"]: one["expected"] for one in claims}
    # None of them for want of a record: a probe that was not taken has no value.
    assert not [one["id"] for one in claims for each in one["inputs"] if not each["value"] and each["why"] != "closed"]


def test_every_default_system_with_a_source_is_recorded_at_its_pin() -> None:
    loaded = load_spec(ROOT / "repos.yaml")
    lock = load_lock(ROOT / "repos.lock")
    assert stale(loaded, lock) == []
    for name, system in loaded.spec.systems.items():
        if system.source is None:
            continue
        facts, entry = read_facts(recorded_folder(), name), lock.for_system(name)
        assert facts is not None, f"run `leverage record {name}`"
        assert entry is not None
        assert facts.provenance.pin == entry.pin
        assert facts.scope == scope_digest(system)
        assert facts.provenance.rule_version == RULE_VERSION


def test_the_record_is_small_and_in_the_package() -> None:
    texts = [path.read_bytes() for path in recorded_folder().iterdir()]
    # Touchpoints are most of it, a row for each place; as a package carries it, the record is a fraction of that.
    assert sum(map(len, texts)) < 6_000_000
    assert sum(len(zlib.compress(text, 9)) for text in texts) < 1_000_000


@pytest.mark.parametrize(("component", "code", "physical"), [("extension", 13_129, 20_652), ("plugin", 6_047, 9_934)])
def test_sizes_of_the_port_that_were_counted_by_other_means(component: str, code: int, physical: int) -> None:
    # Counted independently of this tool: code with CPython's tokenizer and libclang, physical lines with wc.
    report = json.loads((DEFAULT / "report.json").read_text())
    (port,) = (system for system in report["systems"] if system["id"] == "torch-spyre")
    (found,) = (one for one in port["components"] if one["id"] == component)
    assert (found["code"]["leverage"], found["physical"]) == (code, physical)
