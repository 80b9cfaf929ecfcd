from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from leverage.spec.text import SHOWN, closest, did_you_mean, shown


def test_text_is_shown_on_one_line_and_cut() -> None:
    assert shown("a b") == "`a b`"
    assert shown("a\nb\u202e") == "`a\\nb\\u202e`"
    assert shown("\udcff") == "`\\udcff`"
    assert shown("x" * 100) == f"`{'x' * (SHOWN - 1)}…`"
    assert shown("") == "``"


@given(st.text())
def test_whatever_is_shown_can_be_printed(text: str) -> None:
    assert shown(text).isprintable()
    assert shown(text).encode()


def test_the_closest_word() -> None:
    assert closest("inclde", ["include", "exclude"]) == "include"
    assert closest("INCLUDE", ["include"]) == "include"
    assert closest("zzz", ["include"]) == ""
    assert closest("x" * 10_000, ["include"]) == ""


def test_hints() -> None:
    assert did_you_mean("prt", {"port", "open"}, "systems") == "did you mean `port`?"
    assert did_you_mean("zzz", {"port", "open"}, "systems") == "systems: `open`, `port`"
    assert did_you_mean("zzz", {"port"}, "systems", otherwise="say it") == "say it"
    assert did_you_mean("zzz", (), "systems") == "systems: none"
    assert did_you_mean("zzz", map(str, range(20)), "systems").endswith("`18`, `19` and 8 more")
