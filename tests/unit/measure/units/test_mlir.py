from __future__ import annotations

import pytest
from leverage.measure.units import count_functions
from tests.unit.measure.units.reading import check, listed, owned

SAMPLE = """\
// RUN: opt %s
#map = affine_map<(d0) -> (d0)>
module @m attributes {a = {b = 1}} {
  func.func private @declared(%a: i32) -> i32
  // about f
  func.func @f(%arg0: tensor<4xf32> {x.y = 1}) -> (tensor<4xf32> {z = "}"}) attributes {s = "{"} {
    %0 = "onnx.Add"(%arg0, %arg0) {k = #map} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    func.func @inner() { return }
    return %0 : tensor<4xf32>
  }
  llvm.func @g() { llvm.return }
  x.device_module { builtin.module { func.func @h() {
    return } } }
}
tt.func public @"k x"(%p: !tt.ptr<f32>) attributes {noinline = false} {
  tt.call @f() : () -> ()
  tt.return
}
"""


def test_units_of_a_file() -> None:
    assert listed("mlir", SAMPLE) == [
        ("m.f", "record", 6, 10),
        ("m.g", "record", 11, 11),
        ("m.h", "record", 12, 13),
        ("k x", "record", 15, 18),
    ]


def test_every_line_has_one_owner() -> None:
    assert owned("mlir", SAMPLE) == {
        "": [1, 2, 3, 4, 5, 14],
        "m.f": [6, 7, 8, 9, 10],
        "m.g": [11],
        "m.h": [12, 13],
        "k x": [15, 16, 17, 18],
    }


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("func.func @a()\nfunc.func @b() {\n}\n", ["b"]),
        ("func.func @a() -> !x.y<i32>\n%0 = x.y {\n}\n", []),
        ("func.func @a() -> memref<2xf32, affine_map<(i) -> (i)>> {\n}\n", ["a"]),
        ("func.func @a() attributes {\n", []),
        ("func.func @a() {\n// }\n", ["a"]),
        ("func @old() {\n}\n", ["old"]),
        ("module {\nmodule @n {\nfunc.func @a() { }\n}\nfunc.func @b() { }\n}\n", ["n.a", "b"]),
        ("func.func @a() { }\n// -----\nfunc.func @a() { }\n", ["a", "a#2"]),
        ('x.op {sym = "func.func @no() {"}\n', []),
        ('func.func @ {\n}\nfunc.func @"" {\n}\n', []),
        ("func.call @a() : () -> ()\n", []),
    ],
)
def test_units(text: str, symbols: list[str]) -> None:
    check("mlir", text.encode())
    assert [unit[0] for unit in listed("mlir", text)] == symbols


def test_intermediate_code_has_no_functions_of_the_source() -> None:
    assert count_functions("mlir", SAMPLE.encode()) == 0
