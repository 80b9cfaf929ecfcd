from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.coupling.port import LooseCall
from leverage.coupling.releases.exposure import churn, exposure
from leverage.coupling.releases.guessed import guessed_sites
from leverage.coupling.releases.hooks import Hook, landings, shipped_hooks
from leverage.coupling.releases.matrix import matrix_of, symbols_of
from leverage.coupling.releases.shipped import releases_of, shipped_series
from leverage.model.touchpoints import Call, TouchKind
from tests.unit.coupling.releases.made import releases, single
from tests.unit.coupling.releases.test_outcomes import PATCH, site

if TYPE_CHECKING:
    import pytest


def test_a_hook_lands_in_the_first_release_that_has_it() -> None:
    names = single("def register(a): pass", "def register(a, custom=None): pass\nkey = None")
    hooks = [
        Hook("whole", "up.m.register", "", ("up.m.*",)),
        Hook("part", "up.m.register", "", (), parameter="custom"),
        Hook("key", "up.m.key", "", ()),
        Hook("awaited", "up.m", "", ("up.m.f",), watch="k[a-e]y"),
        Hook("never", "up.m", "", (), watch="nothing"),
    ]
    found = landings(hooks, [PATCH, site(TouchKind.IMPORT, "up.m.g")], names)
    assert [each.since for each in found] == ["1.0", "1.1", "1.1", "1.1", ""]
    assert found[3].name == "up.m.key"
    assert found[0].replaces == ("up.m.f",)
    assert found[4].name == ""


def test_the_shipped_hooks_land_as_the_history_of_upstream_says() -> None:
    series = shipped_series("torch")
    assert series is not None
    since = {each.hook.id: each.since for each in landings(shipped_hooks(), [], releases_of(series))}
    expected = {
        "post_fusion_pass": "2.8.0",
        "device_pass": "2.8.0",
        "device_config": "2.9.1",
        "scheduler_pass_class": "2.13.0",
        "cpp_device_options": "2.15.0",
        "before_the_scheduler": "",
    }
    assert {hook: since[hook] for hook in expected} == expected


def test_what_changes_often_and_is_patched_comes_first() -> None:
    names = single("def f(a): return 1\ndef g(a): pass", "def f(a): return 2\ndef g(a): pass", "def g(a): pass")
    assert churn("up.m.f", names) == (2, 2)
    assert churn("up.m.g", names) == (0, 2)
    sites = [replace(PATCH, within="one"), site(TouchKind.IMPORT, "up.m.g"), replace(PATCH, symbol="up.m.mine")]
    matrix = matrix_of(symbols_of(sites), names, 0, "")
    found = exposure(sites, matrix, names, {("p.py", "one"): 7})
    assert [(each.symbol, each.lines, each.changes, each.rank) for each in found] == [
        ("up.m.f", 7, 2, 24),
        ("up.m.g", 0, 0, 1),
    ]


def test_a_method_of_few_classes_may_be_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.coupling.releases.guessed.STACK", ("up.",))
    text = "class A:\n  def add_lambda_guard(self, a): pass\n  def splitlines(self): pass\n  def short(self): pass\n"
    calls = [
        LooseCall("p.py", 3, 4, name, Call(1)) for name in ("add_lambda_guard", "splitlines", "short", "unknown_name")
    ]
    found = guessed_sites(calls, releases({"up/__init__.py": "", "up/a.py": text})[0])
    assert [(each.symbol, each.resolution) for each in found] == [("up.a.A.add_lambda_guard", "name")]
    many = {f"up/{name}.py": text for name in "abc"}
    assert guessed_sites(calls, releases({"up/__init__.py": "", **many})[0]) == ()
