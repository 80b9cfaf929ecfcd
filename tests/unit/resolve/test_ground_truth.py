"""The lists made by reading are well formed: a slip in them would move every figure that is measured by them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from leverage.model.touchpoints import Scope, TouchKind

LISTS = Path(__file__).parents[2] / "ground_truth" / "coupling"
COLUMNS = ["path", "line", "kind", "form", "symbol", "scope", "restored", "wraps", "judgement", "note"]
NAMES = ["torch_npu_inductor", "torch_spyre"]
KINDS = {kind.value for kind in TouchKind} | {"restore"}
SYMBOL = re.compile(r"(<dynamic>|[A-Za-z_]\w*)(\.(<dynamic>|[A-Za-z_]\w*))*")


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a list.

    Args:
        name: file name without its ending.
    """
    with (LISTS / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        reader = csv.DictReader(lines)
        assert reader.fieldnames == COLUMNS
        return list(reader)


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_well_formed(name: str) -> None:
    for row in rows(name):
        path = PurePosixPath(row["path"])
        assert not path.is_absolute(), row
        assert ".." not in path.parts, row
        assert path.suffix == ".py", row
        assert int(row["line"]) >= 1, row
        assert row["kind"] in KINDS, row
        assert re.fullmatch(r"[a-z_.]+", row["form"]), row
        assert SYMBOL.fullmatch(row["symbol"]), row
        assert row["scope"] in {Scope.GLOBAL.value, Scope.INSTANCE.value}, row
        assert row["restored"] in {"true", "false"}, row
        assert row["wraps"] in {"true", "false", ""}, row
        assert row["judgement"] in {"sure", "borderline"}, row


@pytest.mark.parametrize("name", NAMES)
def test_rows_stand_in_order_and_once(name: str) -> None:
    keys = [(row["path"], int(row["line"]), row["symbol"]) for row in rows(name)]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("name", NAMES)
def test_a_borderline_row_says_why(name: str) -> None:
    assert [row for row in rows(name) if row["judgement"] == "borderline" and not row["note"]] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_put_back_was_changed_in_the_same_file(name: str) -> None:
    listed = rows(name)
    changed = {(row["path"], row["symbol"]) for row in listed if row["restored"] == "true" and row["kind"] != "restore"}
    assert {(row["path"], row["symbol"]) for row in listed if row["kind"] == "restore"} <= changed


def test_the_counts_are_those_that_were_read() -> None:
    counts = {
        name: Counter((row["kind"], row["scope"]) for row in rows(name) if row["judgement"] == "sure") for name in NAMES
    }
    spyre, npu = counts["torch_spyre"], counts["torch_npu_inductor"]
    assert (spyre["monkey_patch", "global"], spyre["monkey_patch", "instance"]) == (16, 6)
    assert (spyre["container_mutation", "global"], spyre["container_mutation", "instance"]) == (18, 73)
    assert (npu["monkey_patch", "global"], npu["monkey_patch", "instance"]) == (13, 0)
    assert (npu["container_mutation", "global"], npu["container_mutation", "instance"]) == (9, 27)


def test_the_sample_is_the_one_the_readme_names() -> None:
    named = set(re.findall(r"^- `(torch_npu/\S+)`$", (LISTS / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) == 10
    assert {row["path"] for row in rows("torch_npu_inductor")} == named
