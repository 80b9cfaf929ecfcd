"""Touchpoints of C++, worked out by hand on small files, and hostile text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.model.touchpoints import Certainty, Scope, TouchKind
from leverage.resolve.cpp import LARGEST, read_cpp

GUARD = b"""\
// #include <torch/not_this.h>
#include <vector>
#include "port/own.h"
#include <c10/core/impl/DeviceGuardImplInterface.h>
#  include "ATen/Tensor.h"   /* a comment */
/* class Hidden : public c10::Allocator {}; */
namespace port {
using c10::Allocator;
const char* text = "class Quoted : public c10::Allocator {};";
struct Guard final : public c10::impl::DeviceGuardImplInterface {
  ~Guard() override = default;
  c10::DeviceType type() const override { return 1'000 > 2; }
  void setDevice(c10::Device d) const noexcept(true) override;
  struct Inner { void other() override; };
};
class PORT_API Alloc : private Helper<int, float>, virtual public Allocator {
  at::DataPtr allocate(size_t n) override;
};
class Plain : public Mine {};
class Fwd;
}  // namespace port
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("add.Tensor", TORCH_FN(port::add));
  m.impl(TORCH_SELECTIVE_NAME("mul.Tensor"), &port::mul);
  m.impl("add.Tensor", TORCH_FN(port::add));
}
#define REGISTER_MINE(x) int x
REGISTER_MINE(3);
C10_REGISTER_GUARD_IMPL(PrivateUse1, port::Guard);
void f() {
  REGISTER_LATER(1);
  c10::register_privateuse1_backend("port");
  port::register_it();
}
"""


def rows(text: bytes, kind: TouchKind) -> list[tuple[int, str]]:
    """Lines and symbols of one kind."""
    found, left = read_cpp({"a.cpp": text})
    assert left == ()
    return [(each.line, each.symbol) for each in found if each.kind is kind]


def test_includes_of_the_substrate_only() -> None:
    assert rows(GUARD, TouchKind.IMPORT) == [(4, "c10/core/impl/DeviceGuardImplInterface.h"), (5, "ATen/Tensor.h")]
    found, _ = read_cpp({"a.cpp": GUARD})
    assert [each.private for each in found if each.kind is TouchKind.IMPORT] == [True, False]


def test_bases_by_namespace_and_by_using() -> None:
    assert rows(GUARD, TouchKind.SUBCLASS) == [(10, "c10::impl::DeviceGuardImplInterface"), (16, "c10::Allocator")]
    by_using = next(each for each in read_cpp({"a.cpp": GUARD})[0] if each.symbol == "c10::Allocator")
    assert by_using.resolution == "using"
    assert by_using.steps[0].text == "Allocator is c10::Allocator by a using declaration"
    assert by_using.within == "Alloc"


def test_overrides_of_the_class_itself_and_no_destructor() -> None:
    base = "c10::impl::DeviceGuardImplInterface"
    assert rows(GUARD, TouchKind.OVERRIDE) == [
        (12, f"{base}::type"),
        (13, f"{base}::setDevice"),
        (17, "c10::Allocator::allocate"),
    ]


def test_registrations_outside_functions_and_calls() -> None:
    assert rows(GUARD, TouchKind.REGISTRATION) == [
        (22, "TORCH_LIBRARY_IMPL"),
        (29, "C10_REGISTER_GUARD_IMPL"),
        (32, "c10::register_privateuse1_backend"),
    ]
    library = next(each for each in read_cpp({"a.cpp": GUARD})[0] if each.symbol == "TORCH_LIBRARY_IMPL")
    assert library.members == ("add.Tensor", "mul.Tensor")
    assert library.value == "aten, PrivateUse1, m"
    assert library.scope is Scope.GLOBAL


def test_a_macro_that_another_file_of_the_port_defines_is_its_own() -> None:
    found, _ = read_cpp(
        {"a.h": b"#define REGISTER_THING(x) x\n", "b.cpp": b"REGISTER_THING(1)\nREGISTER_ALLOCATOR(2)\n"}
    )
    assert [each.symbol for each in found] == ["REGISTER_ALLOCATOR"]


def test_a_namespace_that_the_port_opens_in_the_substrates_is_its_own() -> None:
    text = b"""\
namespace c10 {
namespace chip {
class A {};
}
}
class B : public c10::chip::A {};
class C : at::native::N {};
"""
    assert rows(text, TouchKind.SUBCLASS) == [(7, "at::native::N")]


def test_several_bases_make_overrides_likely() -> None:
    found, _ = read_cpp({"a.h": b"struct A : c10::X, at::Y { void go() override; };\n"})
    assert [(each.kind.value, each.symbol) for each in found] == [
        ("subclass", "c10::X"),
        ("subclass", "at::Y"),
        ("override", "c10::X::go"),
    ]
    assert found[-1].certainty is Certainty.LIKELY


def test_a_substrate_that_is_not_known_has_no_rows() -> None:
    assert read_cpp({"a.cpp": GUARD}, "other") == ((), ())


def test_a_file_that_is_too_long_is_a_row() -> None:
    found, left = read_cpp({"big.cpp": b"a" * (LARGEST + 1)})
    assert found == ()
    assert [(each.path, each.kind) for each in left] == [("big.cpp", None)]
    assert str(LARGEST + 1) in left[0].why


@pytest.mark.parametrize(
    "piece",
    [
        b"class A : B ",
        b"class A ",
        b"{(",
        b")}",
        b'R"(',
        b'R"x(',
        b'"',
        b"'",
        b"/*",
        b"a::",
        b"override ",
        b"using a::",
        b"TORCH_LIBRARY(\n",
        b"#include <c10/",
        b"namespace a {",
        b"REGISTER_",
        b"register",
        b"struct A final : c10::B {",
        b"noexcept(",
        b"<",
        b"\0\xff",
        b"1'",
    ],
)
def test_hostile_text_is_read_in_little_time(piece: bytes) -> None:
    text = piece * (2**20 // len(piece))
    begun = time.process_time()
    read_cpp({"a.cpp": text})
    assert time.process_time() - begun < 15


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    found, _ = read_cpp({"a.cpp": data + b"\nclass A : public c10::B { void f() override; };" + data})
    assert all(each.line >= 1 and each.column >= 0 for each in found)


@given(
    st.lists(st.sampled_from([b"//", b"/*", b"*/", b'"', b"'", b'R"(', b')"', b"\\", b"\n", b"{", b"}", b"a", b"1'0"]))
)
def test_lines_are_kept_when_text_is_blanked(pieces: list[bytes]) -> None:
    head = b"".join(pieces) + b'\n*/)"\n'
    found, _ = read_cpp({"a.cpp": b"#include <c10/a.h>\n" + head})
    assert found[0].line == 1
