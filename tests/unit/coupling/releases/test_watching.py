from __future__ import annotations

from dataclasses import replace

import pytest
from leverage.coupling.releases.watching import fingerprint, guard_text, patched_places
from leverage.model.touchpoints import TouchKind
from tests.unit.coupling.releases.made import single
from tests.unit.coupling.releases.test_outcomes import PATCH, site


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("class C:\n  def f(self, a: int) -> int:\n    'text'\n    return 0\n", True),
        ("class C:\n  # comment\n  def f(self, a):\n    return (0)\n  def g(self): pass\n", True),
        ("class C:\n  def f(self, a):\n    return None\n", False),
        ("class C:\n  def f(self, a):\n    return False\n", False),
        ("class C:\n  def f(self, b):\n    return 0\n", False),
        ("class C:\n  @cache\n  def f(self, a):\n    return 0\n", False),
    ],
)
def test_a_fingerprint_is_of_what_is_done(other: str, same: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert (
        fingerprint(b"class C:\n  def f(self, a):\n    return 0\n", "C.f") == fingerprint(other.encode(), "C.f")
    ) == same


def test_what_is_not_there_has_no_fingerprint() -> None:
    assert fingerprint(b"class C: pass", "C.f") is None


def test_patches_and_overrides_are_watched_where_they_are_defined() -> None:
    names = single("def f(a): return a\nclass B:\n  def m(self): return 1\nclass C(B): pass\nx = 1\n")[0]
    sites = [
        PATCH,
        replace(PATCH, form="restore", symbol="up.m.B.m"),
        replace(PATCH, symbol="up.m.x"),
        replace(PATCH, symbol="up.m.mine"),
        site(TouchKind.OVERRIDE, "up.m.C.m"),
        replace(PATCH, symbol="up.m.<dynamic>", members=("f", "g")),
        site(TouchKind.IMPORT, "up.m.C"),
    ]
    assert patched_places(sites, names) == [("up.m", "B.m"), ("up.m", "f")]


def test_the_file_is_python_that_carries_all_it_needs() -> None:
    text = guard_text([("up.m", "f", "abc")], "1.0")
    compile(text, "test_guard.py", "exec")
    assert "('up.m', 'f', 'abc')," in text
    assert "leverage." not in text
