"""The report in a notebook: what the tables hold is what the report says, and importing costs nothing."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import leverage
import pytest
from leverage.model.errors import ConfigurationError

ROOT = Path(__file__).parents[2]
DEFAULT = ROOT / "reports/default"


@pytest.fixture(scope="module")
def report() -> leverage.Report:
    return leverage.load(DEFAULT)


def test_ratios_are_those_of_the_report_with_both_integers(report: leverage.Report) -> None:
    told = json.loads((DEFAULT / "report.json").read_text(encoding="utf-8"))
    rows = report.ratios()
    assert len(rows) == sum(len(one["pairs"]) for one in told["denominators"])
    known = rows[rows["status"] == "ratio"]
    assert len(known) > 0
    for row in known.to_dict("records"):
        assert row["ratio"] == pytest.approx(row["left_amount"] / row["right_amount"])
        assert row["low"] <= row["ratio"] <= row["high"]
    unknown = rows[rows["status"] == "unknown"]
    assert all(map(math.isnan, unknown["ratio"]))
    assert all(unknown["why"])


def test_stages_and_divergences_add_up_to_the_same_totals(report: leverage.Report) -> None:
    stages, cells = report.stages(), report.divergences()
    for system, total in stages.groupby("system")["total"].first().items():
        assert cells[cells["system"] == system]["lines"].sum() == total
    assert (stages["low"] <= stages["lines"]).all()
    assert (stages["lines"] <= stages["high"]).all()


def test_every_table_has_rows_and_named_columns(report: leverage.Report) -> None:
    assert set(report.claims()["verdict"]) >= {"holds", "cannot be checked"}
    assert {"system", "component", "files", "code_leverage", "code_cloc"} <= set(report.systems().columns)
    touched = report.touchpoints()
    whole = touched[touched["kind"] == "all"].set_index("port")["sites"]
    parts = touched[touched["kind"] != "all"].groupby("port")["sites"].sum()
    assert whole.to_dict() == parts.to_dict()
    assert set(report.budgets()["status"]) == {"holds"}


def test_a_file_and_its_folder_are_the_same_report(report: leverage.Report) -> None:
    assert leverage.load(DEFAULT / "report.json") == report


@pytest.mark.parametrize("text", [None, "", "[]", "{", '{"format": 7}', '{"format": 1}'])
def test_what_is_no_report_is_refused_with_its_place(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        leverage.load(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_importing_the_package_loads_nothing_heavy_and_has_no_other_names() -> None:
    code = (
        "import sys, leverage\n"
        "assert not {'pandas', 'matplotlib', 'leverage.api'} & set(sys.modules)\n"
        "assert callable(leverage.load)\n"
        "try:\n    leverage.nothing\nexcept AttributeError:\n    pass\nelse:\n    raise SystemExit(1)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
