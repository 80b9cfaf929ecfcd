"""The page on architecture shows the layers that are checked, in their order."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_has_the_layers_of_the_contract_in_their_order() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (one["layers"] for one in contracts["contracts"] if one["type"] == "layers")
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    shown = [found.replace("\\|", "|") for found in re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)]
    assert shown == layers


def test_places_that_the_page_names_are_there() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:leverage|tests|docs)/[A-Za-z0-9_./]+)`", page))
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []
