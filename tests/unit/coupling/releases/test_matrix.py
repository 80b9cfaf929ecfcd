from __future__ import annotations

import pytest
from leverage.coupling.releases.matrix import Status, matrix_of, row_of, signature_difference
from tests.unit.coupling.releases.made import single


def statuses(symbol: str, *texts: str, pin: int = 0) -> list[str]:
    return [cell.status.value for cell in row_of(symbol, single(*texts), pin).cells.values()]


F, G = "def f(a, b=1): return a", "def f(a, b=1): return b"


def test_a_name_is_ok_changed_gone_or_not_yet() -> None:
    assert statuses("up.m.f", "", F, F, G, "def f(a): return a", "", pin=1) == [
        "not_yet",
        "ok",
        "ok",
        "body_changed",
        "signature_changed",
        "gone",
    ]


def test_what_the_pin_lacks_is_compared_with_the_nearest_release_that_has_it() -> None:
    row = row_of("up.m.f", single("", "", F, G), 0)
    assert row.base == "1.2"
    assert [cell.status.value for cell in row.cells.values()] == ["not_yet", "not_yet", "ok", "body_changed"]


def test_what_was_and_is_no_more_is_gone_even_before_the_pin() -> None:
    assert statuses("up.m.f", F, "", F, pin=2) == ["ok", "gone", "ok"]


def test_a_name_of_the_port_is_in_no_release() -> None:
    row = row_of("up.m.mine", single("a = 1", "a = 1"), 0)
    assert {cell.status for cell in row.cells.values()} == {Status.NOT_YET}
    assert row.base == ""


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("class f: pass", F, "signature_changed"),
        ("f = 1", "f = 2", "body_changed"),
        ("f: int = 1", "f: int | str = 1", "body_changed"),
        ("f: Optional[int] = 1", "f: int | None = 1", "ok"),
        ("f = [1, 2]", "f = [2, 1]", "body_changed"),
        (F, "def f(a: int, b: int = 1) -> int: return a", "ok"),
        (F, "@cache\ndef f(a, b=1): return a", "body_changed"),
        ("class f(A): pass", "class f(B): pass", "body_changed"),
        ("class f:\n  def __init__(self, a): pass", "class f:\n  def __init__(self, a, b): pass", "signature_changed"),
        ("class f:\n  def g(self): return 1", "class f:\n  def g(self): return 2", "ok"),
        ("@dataclass\nclass f:\n  a: int", "@dataclass\nclass f:\n  a: int\n  b: int", "signature_changed"),
    ],
)
def test_what_counts_as_a_change(old: str, new: str, status: str) -> None:
    assert statuses("up.m.f", old, new) == ["ok", status]


def test_a_method_that_becomes_a_property_is_called_in_another_way() -> None:
    old, new = "class C:\n  def f(self): return 1", "class C:\n  @property\n  def f(self): return 1"
    assert statuses("up.m.C.f", old, new) == ["ok", "signature_changed"]
    assert statuses("up.m.C.f", "class C:\n  f = 1", new) == ["ok", "body_changed"]


def test_fields_of_bases_are_parameters_of_a_dataclass() -> None:
    text = "@dataclass\nclass A:\n  a: int\n@dataclass\nclass B(A):\n  b: int = 1\n"
    row = row_of("up.m.B", single(text, text.replace("a: int", "a: int\n  z: int")), 0)
    assert row.cells["1.1"].why == "its constructor: new: z; positions moved"


def test_an_unknown_part_is_judged_by_its_owner() -> None:
    assert statuses("up.m.C.<dynamic>", "class C: pass", "") == ["ok", "gone"]
    assert statuses("up.m.t[].x", "t = {}", "t = {}") == ["ok", "ok"]
    for symbol in ("c10d::Backend", "a/b.h", "<dynamic>", "", "up..m"):
        row = row_of(symbol, single(""), 0)
        assert row.cells == {}
        assert row.unknown


def test_the_likely_new_name_is_told() -> None:
    old = "class C:\n  def size_hint(self, a): return a + 1\n  def other(self): pass\n"
    new = "class C:\n  def optimization_hint(self, a): return a + 1\n  def other(self): pass\n"
    assert row_of("up.m.C.size_hint", single(old, new), 0).likely == (("1.1", "up.m.C.optimization_hint"),)
    assert row_of("up.m.C.size_hint", single(old, "class C: pass"), 0).likely == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a", "a, b=1", "new: b=1"),
        ("a, b", "a", "gone: b"),
        ("a, b=1", "a, b=2", "default of b: 1 before, 2 now"),
        ("a, b, c", "a, x, b, c", "new: x; positions moved"),
        ("a, b", "a, *, b", "b: positional before, keyword_only now"),
        ("a", "a, **kw", "new: **kw"),
    ],
)
def test_differences_of_signatures_in_words(old: str, new: str, words: str) -> None:
    assert signature_difference(old, new) == words


def test_the_matrix_keeps_the_order_of_names_and_releases() -> None:
    matrix = matrix_of(["up.m.f", "up.m.g"], single(F, G), 1, "said so")
    assert matrix.versions == ("1.0", "1.1")
    assert (matrix.pin, matrix.why_pin) == ("1.1", "said so")
    assert [row.symbol for row in matrix.rows] == ["up.m.f", "up.m.g"]
