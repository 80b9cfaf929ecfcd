"""Shipped packs against the trees that they were written for: sizes as expected, little undetermined, no catch-alls.

Needs local copies of the default systems: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from leverage.classify.pack import load_pack

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Files counted as production code in the default systems that are at hand."""
    mirrors = os.environ.get("LEVERAGE_MIRRORS")
    if not mirrors:
        pytest.skip("LEVERAGE_MIRRORS is not set")
    out = tmp_path_factory.mktemp("report")
    command = [sys.executable, "-m", "leverage", "report", "--offline", "--config", str(ROOT / "repos.yaml")]
    subprocess.run([*command, "--mirror", mirrors, "--out", str(out)], check=True, cwd=ROOT)
    with (out / "tables" / "files.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if (row["state"], row["purpose"]) == ("counted", "production")]


def test_rules_have_the_size_that_they_expect(rows: list[dict[str, str]]) -> None:
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for row in rows:
        files[row["stage_rule"]] += 1
        lines[row["stage_rule"]] += int(row["physical"])
    expected = {
        f"{name}/{rule.id}": (rule.expect.files, rule.expect.lines)
        for name in {rule.partition("/")[0] for rule in files if rule}
        for rule in load_pack(name).rules
        if rule.expect is not None
    }
    assert {rule: (files[rule], lines[rule]) for rule in expected} == expected


def test_little_is_undetermined_in_every_component(rows: list[dict[str, str]]) -> None:
    total: Counter[tuple[str, str]] = Counter()
    undetermined: Counter[tuple[str, str]] = Counter()
    for row in rows:
        component = row["system"], row["component"]
        total[component] += int(row["physical"])
        undetermined[component] += int(row["physical"]) * (row["stage"] == "undetermined")
    assert {each: undetermined[each] / total[each] for each in total if undetermined[each] > 0.05 * total[each]} == {}


def test_no_rule_decides_nearly_all_of_an_extension(rows: list[dict[str, str]]) -> None:
    rules: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row["component"] == "extension":
            rules[row["system"]][row["stage_rule"]] += int(row["physical"])
    assert rules
    for system, sizes in rules.items():
        assert max(sizes.values()) < 0.75 * sizes.total(), system
