from __future__ import annotations

import pytest
from leverage.measure.units import count_functions
from tests.unit.measure.units.reading import check, listed, owned

SAMPLE = """\
include "a.td"
// class No;
class A<int x, string s = "}"> : B<x, {1, 0}> { // }
  let code = [{ class No { } }];
  bits<2> v = {0, 1};
}
def : Pat<(a $x), (b "c")>;

def X_Op : Op<"x", [Pure]> {
  let summary = "def No;";
}
let Namespace = "n" in {
  def Y : A<1>;
  foreach i = [1, 2] in {
    def F#i : A<i>;
  }
}
let a = 1, b = [{ } ] }] in
def Z : A<2>;
multiclass M<int a> {
  def _x : A<a> {
    let z = 1;
  }
}
defm N : M<1>,
         M<2>;
defset list<A> S = {
  def T : A<1>;
}
/* def no; /* nested */ def no2; */
defvar v = !cond(!lt(1, 2): "def", true: "class");
"""


def test_units_of_a_file() -> None:
    assert listed("tablegen", SAMPLE) == [
        ("A", "record", 3, 6),
        ("anonymous", "record", 7, 7),
        ("X_Op", "record", 9, 11),
        ("Y", "record", 13, 13),
        ("F#i", "record", 15, 15),
        ("Z", "record", 19, 19),
        ("M", "record", 20, 24),
        ("N", "record", 25, 26),
        ("T", "record", 28, 28),
    ]


def test_every_line_has_one_owner() -> None:
    lines = owned("tablegen", SAMPLE)
    assert lines[""] == [1, 2, 8, 12, 14, 16, 17, 18, 27, 29, 30, 31]
    assert lines["M"] == [20, 21, 22, 23, 24]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ('def P#"_v"  # 2 : A;\n', [('P#"_v"#2', 1, 1)]),
        ("def A;\ndef A;\n", [("A", 1, 1), ("A#2", 2, 2)]),
        ("def A : B<\n  [{ ; }],\n  C\n> {\n  let x = 1;\n}\n", [("A", 1, 6)]),
        ("def A { let x = 1; } def B {\n}\n", [("A", 1, 1), ("B", 1, 2)]),
        ("def A : B {\n", [("A", 1, 1)]),
        ("let x = 1 in {\n  def A : B\n}\ndef C;\n", [("A", 2, 2), ("C", 4, 4)]),
        ("#ifdef X\ndef A;\n#endif\n", [("A", 2, 2)]),
        ("deftype T = int;\n", [("T", 1, 1)]),
        ("let defs = 1 in { }\n", []),
        ("", []),
    ],
)
def test_units(text: str, units: list[tuple[str, int, int]]) -> None:
    check("tablegen", text.encode())
    assert [(symbol, first, last) for symbol, _, first, last in listed("tablegen", text)] == units


def test_records_are_no_functions() -> None:
    assert count_functions("tablegen", SAMPLE.encode()) == 0
