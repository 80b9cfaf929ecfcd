"""The judgements that classification is measured by are well-formed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from ruamel.yaml import YAML

FOLDER = Path(__file__).parents[2] / "ground_truth" / "classification"
SYSTEMS: dict[str, dict[str, Any]] = {
    path.stem: YAML(typ="safe").load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yaml"))
}


def test_three_systems_and_at_least_sixty_units() -> None:
    assert len(SYSTEMS) == 3
    assert len({system["repository"] for system in SYSTEMS.values()}) == 3
    assert sum(len(system["units"]) for system in SYSTEMS.values()) >= 60


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_file_says_what_was_read(system: str) -> None:
    head = SYSTEMS[system]
    assert head["system"] == system
    assert len(head["commit"]) == 40
    assert head["drawn"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_units_use_known_words_and_possible_ranges(system: str) -> None:
    for unit in SYSTEMS[system]["units"]:
        where = f"{unit['path']}::{unit['symbol']}"
        assert unit["stage"] in STAGE_IDS, where
        assert unit["divergence"] in DIVERGENCE_IDS, where
        assert unit["divergence"] != "undetermined", where
        assert unit.get("also", "support") in STAGE_IDS, where
        assert unit.get("also") != unit["stage"], where
        assert 1 <= unit["first"] <= unit["last"], where
        assert 5 <= unit["code"] <= unit["last"] - unit["first"] + 1, where
        assert len(unit["reason"]) >= 20, where


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_unit_stands_twice(system: str) -> None:
    places = [(unit["path"], unit["symbol"]) for unit in SYSTEMS[system]["units"]]
    assert len(set(places)) == len(places)


def test_second_stages_are_the_exception() -> None:
    units = [unit for system in SYSTEMS.values() for unit in system["units"]]
    assert sum("also" in unit for unit in units) <= 0.15 * len(units)


def test_the_sample_spreads_over_the_stages() -> None:
    units = [unit for system in SYSTEMS.values() for unit in system["units"]]
    assert len({unit["stage"] for unit in units}) >= 12
    assert len({unit["divergence"] for unit in units}) >= 7
