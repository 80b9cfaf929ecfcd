from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.units import Found, divided
from leverage.model.lines import LineClass, LineCounts
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from random import Random

FUNCTION, CLASS = UnitKind.FUNCTION, UnitKind.CLASS


def found(symbol: str, start: int, end: int, kind: UnitKind = FUNCTION) -> Found:
    return Found(symbol, kind, start, end)


def test_lines_of_a_method_are_not_the_class_s() -> None:
    text = b"import a\nclass A:\n  x = 1\n  def f():\n    pass\n\ny = 2\n"
    classes = bytes((0, 0, 0, 0, 2, 8, 0))
    result = divided(text, [found("A.f", 27, 45, UnitKind.METHOD), found("A", 9, 45, CLASS)], classes)
    assert result.owners == (0, 1, 1, 2, 2, 0, 0)
    rest, outer, inner = result.units
    assert (rest.first, rest.last, rest.lines) == (1, 7, LineCounts(code=2, blank=1))
    assert (outer.symbol, outer.first, outer.last, outer.lines) == ("A", 2, 5, LineCounts(code=2))
    assert (inner.symbol, inner.first, inner.last, inner.lines) == ("A.f", 4, 5, LineCounts(code=1, bracket=1))


def test_a_shared_line_belongs_to_what_stands_on_it_first() -> None:
    text = b"f {\n} g {\n} h { } i { }\n"
    result = divided(text, [found("f", 0, 5), found("g", 6, 11), found("h", 12, 17), found("i", 18, 23)], bytes(3))
    assert result.owners == (1, 1, 2)
    assert [(unit.symbol, unit.first, unit.last, unit.lines.physical) for unit in result.units[1:]] == [
        ("f", 1, 2, 2),
        ("g", 2, 3, 1),
        ("h", 3, 3, 0),
        ("i", 3, 3, 0),
    ]


def test_a_class_keeps_the_line_that_it_opens_with_its_first_method() -> None:
    text = b"class A { f {\n}\n g { } }\n"
    result = divided(text, [found("A", 0, 24, CLASS), found("A.f", 10, 15), found("A.g", 17, 22)], bytes(3))
    assert result.owners == (1, 2, 3)


def test_what_crosses_is_cut() -> None:
    text = b"a\nb\nc\nd\n"
    result = divided(text, [found("x", 0, 4), found("y", 2, 8)], bytes(4))
    assert result.owners == (1, 2, 0, 0)


def test_equal_names_are_told_apart_in_order() -> None:
    text = b"a\nb\nc\n"
    result = divided(text, [found("f", 4, 6), found("f", 0, 1), found("f", 2, 3)], bytes(3))
    assert [(unit.symbol, unit.first) for unit in result.units] == [("", 1), ("f", 1), ("f#2", 2), ("f#3", 3)]


def test_a_name_that_looks_like_a_suffix_does_not_clash() -> None:
    text = b"a\nb\nc\n"
    result = divided(text, [found("f", 0, 1), found("f#2", 2, 3), found("f", 4, 5)], bytes(3))
    assert len({unit.symbol for unit in result.units}) == 4


def test_classes_must_fit() -> None:
    with pytest.raises(ValueError, match="2 line classes for 1 lines"):
        divided(b"a\n", [], bytes(2))


def test_no_lines_no_units() -> None:
    assert divided(b"", [], b"").units == ()


@given(
    st.lists(st.sampled_from([b"a", b"", b"bb b"]), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=10),
    st.randoms(use_true_random=False),
)
def test_any_stretches_partition_the_lines(
    lines: list[bytes], stretches: list[tuple[int, int]], random: Random
) -> None:
    text = b"\n".join(lines) + b"\n"
    classes = bytes(random.choice(list(LineClass)) for _ in lines)
    units = [found(f"u{start}", start, min(start + size, len(text))) for start, size in stretches if start < len(text)]
    result = divided(text, units, classes)
    random.shuffle(units)
    assert divided(text, units, classes) == result
    total = LineCounts()
    for index, unit in enumerate(result.units):
        own = [line for line, owner in enumerate(result.owners, 1) if owner == index]
        assert all(unit.first <= line <= unit.last for line in own)
        assert unit.lines.physical == len(own)
        total += unit.lines
    assert total == LineCounts.of(classes)
