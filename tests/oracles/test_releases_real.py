"""torch-spyre's own upgrades of torch, predicted from the tree before each; see docs/releases.md.

Needs a local copy: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it.
"""

from __future__ import annotations

import json
import os
import time
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner
from leverage.cli.main import group
from leverage.spec.mirrors import mirrors_from

pytestmark = pytest.mark.real

MOST_ALARMS = 12
ALARMS = frozenset({"breaks", "silently_dead", "collides", "position_moved", "degrades"})
GUARDS = "torch._C._dynamo.guards.GuardManager.add_lambda_guard"
UPGRADES = [
    (
        "add2c47de27b657e1548a73a15c0ba5e883c4d6a^",  # to 2.9.1
        "2.7.1",
        "2.9.1",
        {"torch._dynamo.device_interface._device_t", "torch._inductor.codegen.common.CSEVariable.__init__"},
    ),
    ("c73942b71918e4ebea4673b315d96f9dfdc7243e^", "2.9.1", "2.10.0", set[str]()),
    ("539a1a0c2d54b228c19c982ee80044e210bcde98^", "2.10.0", "2.11.0", {GUARDS}),
    (
        "e1abccf7033e1a8e399b971b8cb6e25e66d47708",  # before 2.12
        "2.11.0",
        "2.12.1",
        {"torch._inductor.sizevars.SizeVarAllocator.size_hint"},
    ),
]


@cache
def judged(revision: str, pin: str) -> dict[str, Any]:
    if "LEVERAGE_MIRRORS" not in os.environ:
        pytest.skip("LEVERAGE_MIRRORS is not set")
    mirror = mirrors_from(os.environ["LEVERAGE_MIRRORS"], os.environ).get("https://github.com/AdnanHoque/torch-spyre")
    if mirror is None:
        pytest.skip("no mirror of torch-spyre")
    words = ["coupling", f"{mirror}@{revision}", "--against", "all", "--pin", pin, "--format", "json"]
    done = CliRunner().invoke(group, words, catch_exceptions=False)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("revision", "pin", "to", "mended"), UPGRADES)
def test_what_an_upgrade_had_to_mend_is_predicted(revision: str, pin: str, to: str, mended: set[str]) -> None:
    found = judged(revision, pin)
    alarms = {
        each["symbol"]
        for each in [*found["touchpoints"], *found["guessed"]]
        if each["outcome"].get(to) in ALARMS and each["outcome"].get(pin) not in ALARMS
    }
    assert mended <= alarms
    assert len(alarms) < MOST_ALARMS


def test_the_feared_patch_has_not_broken() -> None:
    found = judged(UPGRADES[-1][0], "2.11.0")
    rows = {row["symbol"]: row["status"] for row in found["matrix"]}
    scheduler = dict(rows["torch._inductor.graph.GraphLowering._update_scheduler"])
    assert scheduler.pop("2.6.0") == "not_yet"
    assert set(scheduler.values()) == {"ok"}
    assert found["against"]["span"] == ["2.10.0", "2.11.0"]


def test_it_is_quick() -> None:
    revision, pin, *_ = UPGRADES[-1]
    judged(revision, pin)
    start = time.perf_counter()
    judged.__wrapped__(revision, pin)
    assert time.perf_counter() - start < 30, "seconds; five are aimed at on two free cores"
