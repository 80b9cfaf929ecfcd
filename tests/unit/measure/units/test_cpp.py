from __future__ import annotations

import time

import pytest
from leverage.measure.units import count_functions, cpp
from tests.unit.measure.units.reading import check, listed, owned

SAMPLE = """\
#include <a.h>
// about f
template <typename T>
static T f(T x) {
  struct Local { void m() {} };
  auto g = [](int y) { return y; };
  return g(x);
}

namespace mlir::tt {
namespace {
class Lower : public Pattern {
public:
  Lower(int a) : a(a) {}
  ~Lower() override = default;
  Lower(const Lower &) = delete;
  int match() const;
  bool operator==(const Lower &other) const { return a == other.a; }
  explicit operator bool() const {
    return a;
  }
  struct Options {
    int x;
    int get() { return x; }
  };
private:
  int a;
};
} // namespace
int Lower::match() const {
  return 1;
}
} // namespace mlir::tt
"""


def test_units_of_a_file() -> None:
    assert listed("cpp", SAMPLE) == [
        ("f", "function", 3, 8),
        ("mlir.tt.Lower", "class", 12, 28),
        ("mlir.tt.Lower.Lower", "method", 14, 14),
        ("mlir.tt.Lower.operator==", "method", 18, 18),
        ("mlir.tt.Lower.operator bool", "method", 19, 21),
        ("mlir.tt.Lower.Options", "class", 22, 25),
        ("mlir.tt.Lower.Options.get", "method", 24, 24),
        ("mlir.tt.Lower.match", "method", 30, 32),
    ]


def test_every_line_has_one_owner() -> None:
    assert owned("cpp", SAMPLE) == {
        "": [1, 2, 9, 10, 11, 29, 33],
        "f": [3, 4, 5, 6, 7, 8],
        "mlir.tt.Lower": [12, 13, 15, 16, 17, 26, 27, 28],
        "mlir.tt.Lower.Lower": [14],
        "mlir.tt.Lower.operator==": [18],
        "mlir.tt.Lower.operator bool": [19, 20, 21],
        "mlir.tt.Lower.Options": [22, 23, 25],
        "mlir.tt.Lower.Options.get": [24],
        "mlir.tt.Lower.match": [30, 31, 32],
    }


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("int f();\nextern int x;\nusing A = B;\n", []),
        ("void f() {}\nvoid f(int) {}\n", [("f", "function", 1, 1), ("f#2", "function", 2, 2)]),
        ("int *const &f() { return x; }\n", [("f", "function", 1, 1)]),
        ("int (*f(int a))(int) { return 0; }\n", [("f", "function", 1, 1)]),
        ("auto f() -> int { return 0; }\n", [("f", "function", 1, 1)]),
        ('extern "C" {\nint f() { return 1; }\n}\n', [("f", "function", 2, 2)]),
        ("A::A() try : x(1) {\n} catch (...) {\n}\n", [("A.A", "method", 1, 3)]),
        ("template <class T>\ntemplate <class U>\nvoid A<T>::B::f(U) {\n}\n", [("A.B.f", "method", 1, 4)]),
        ("template <>\nstruct A<int> {\n  int x;\n};\n", [("A", "class", 1, 4)]),
        ("namespace a {}\nint a::f() { return 0; }\n", [("a.f", "function", 2, 2)]),
        ("std::ostream &operator<<(std::ostream &o, A a) { return o; }\n", [("operator<<", "function", 1, 1)]),
        ("void *operator new(size_t n) { return 0; }\n", [("operatornew", "function", 1, 1)]),
        ("typedef struct {\n  int a;\n} Foo;\n", [("Foo", "class", 1, 3)]),
        ("struct {\n  int a;\n} x;\n", []),
        ("struct A { int x; } a;\nunion U { int b; };\n", [("A", "class", 1, 1), ("U", "class", 2, 2)]),
        ("enum class E : int {\n  A,\n};\nenum F;\n", [("E", "class", 1, 3)]),
        ("auto f = [] { return 1; };\n", []),
        ("#define F(x) \\\n  void x() { \\\n  }\nF(a)\n", []),
        ("#if 0\nvoid f() {}\n#endif\nvoid g() {}\n", [("f", "function", 2, 2), ("g", "function", 4, 4)]),
        # macros in the place of words
        ("class LLVM_API A final : public B {\n  int f() { return 1; }\n};\n",
         [("A", "class", 1, 3), ("A.f", "method", 2, 2)]),
        ("class ALIGN(8) A {\n  A() {}\n};\n", [("A", "class", 1, 3), ("A.A", "method", 2, 2)]),
        ("class Api A {\n  int f() { return 1; }\n};\n", [("A", "class", 1, 3), ("A.f", "method", 2, 2)]),
        ("TEST_F(Suite, Name) {\n  int x;\n}\nTEST(A,\n     B)\n{\n}\n",
         [("TEST_F(Suite, Name)", "function", 1, 3), ("TEST(A, B)", "function", 4, 7)]),
        ("namespace {\nREGISTER(a)\nvoid f() {}\n}\n", [("f", "function", 3, 3)]),
        ("int f(int a) {\n  CHECK(a)\n  CHECK(a + 1)\n  return a;\n}\nint g() { return 1; }\n",
         [("f", "function", 1, 5), ("g", "function", 6, 6)]),
        ("int f() {\n  BEGIN\n  {\n    x();\n  }\n  return 1;\n  END\n}\nint g() { return 1; }\n",
         [("f", "function", 1, 8), ("g", "function", 9, 9)]),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\nint f() { return 1; }\n#ifdef __cplusplus\n}\n#endif\n',
         [("f", "function", 4, 4)]),
        ("void A::f(B b = {}) {\n}\n", [("A.f", "method", 1, 2)]),
        ("struct A {\n  [[nodiscard]] friend int f() {\n    return 1;\n  }\n};\n",
         [("A", "class", 1, 5), ("A.f", "method", 2, 4)]),
        # branches that share the end of a body
        ("#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n  g();\n}\nvoid h() {}\n",
         [("f", "function", 2, 7), ("h", "function", 8, 8)]),
        ("#ifdef A\nclass B : public C {\n#else\nclass B {\n#endif\n  int f() { return 1; }\n};\nvoid h() {}\n",
         [("B", "class", 2, 7), ("B.f", "method", 6, 6), ("h", "function", 8, 8)]),
        ("void f() {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n    g();\n  }\n}\nvoid h() {}\n",
         [("f", "function", 1, 9), ("h", "function", 10, 10)]),
    ],
)  # fmt: skip
def test_units(text: str, units: list[tuple[str, str, int, int]]) -> None:
    check("cpp", text.encode())
    assert listed("cpp", text) == units


def test_what_is_broken_spoils_little() -> None:
    text = "void f() {\n  a b c ( d;\n}\nint x = = 1 ;\nvoid g() {\n}\n"
    assert [unit[0] for unit in listed("cpp", text)] == ["f", "g"]
    check("cpp", text.encode())


def test_kernels() -> None:
    text = "__global__ void k(int *a) {\n  a[0] = 1;\n}\nvoid f() {\n  k<<<1, 2>>>(a);\n}\n__device__ int x;\n"
    for language in ("cuda", "hip", "musa"):
        assert listed(language, text) == [("k", "function", 1, 3), ("f", "function", 4, 6)]


def test_only_what_has_a_body_counts_as_a_function() -> None:
    assert count_functions("cpp", SAMPLE.encode()) == 6
    assert count_functions("c", b"int f();\n") == 0


def test_symbols_are_of_bounded_length() -> None:
    deep = b"class A {" * 200 + b"void f() {}" + b"};" * 200
    longest = max(len(unit.symbol) for unit in check("cpp", deep).units)
    assert longest <= 65 * 2
    name = b"n" * 10_000
    symbols = [unit.symbol for unit in check("cpp", b"class " + name + b" { void " + name + b"() {} };").units]
    assert symbols == ["", "n" * 120, "n" * 120 + "." + "n" * 120]


def test_a_text_that_takes_too_long_is_one_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpp, "PATIENCE", 0.0)
    text = b"void f() {}\n" * 2_000
    found = check("cpp", text)
    assert found.problem == "not parsed within 0 s"
    assert len(found.units) == 1
    assert count_functions("cpp", text) is None
    monkeypatch.undo()
    assert count_functions("cpp", text) == 2_000


def test_a_text_made_to_hurt_the_grammar_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grammar takes time that grows with the square of this text: two minutes for what stands here."""
    monkeypatch.setattr(cpp, "PATIENCE", 0.5)
    start = time.monotonic()
    assert check("cpp", b"[[a" * 100_000).problem == "not parsed within 0 s"
    assert time.monotonic() - start < 20
