"""Any bytes, in any language: units partition the lines, nothing is raised, and time grows with the size."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.units import MOST_BYTES, count_functions, has_units, read_units
from tests.unit.measure.units import test_cpp, test_mlir, test_python, test_tablegen
from tests.unit.measure.units.reading import check

READERS = ["c", "cpp", "cuda", "mlir", "objcpp", "python", "tablegen"]
PIECES = [
    *("def f():\n", "class A:\n", "  ", "\t", "@d\n", "if x:\n", "pass\n", "'''", '"', "'", "#", "\\\n", "\0", "\f"),
    *("class A ", "{", "}", "(", ")", "[", "]", "<", ">", ";", ":", "::", ",", "=", "->", "//", "/*", "*/", "[{", "}]"),
    *("template <class T> ", "void f() ", "namespace n ", "struct {", "typedef ", "operator", "~", "enum E ", 'R"('),
    *("#if A\n", "#else\n", "#endif\n", '#ifdef __cplusplus\nextern "C" {\n#endif\n', "MACRO(x)\n", "EXPORT "),
    *("func.func @f", "module @m ", "attributes ", "def ", "defm ", "multiclass ", "let x = 1 in ", "foreach "),
    *("$x", "@", "=default"),
    *("x", "1", "\n", "\r", "\r\n", "\xe9", "\u4e2d"),
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map(lambda pieces: "".join(pieces).encode())


@settings(max_examples=400)
@given(st.sampled_from(READERS), TEXTS | st.binary(max_size=200))
def test_units_partition_the_lines_of_any_bytes(language: str, data: bytes) -> None:
    found = check(language, data)
    assert check(language, data) == found
    functions = sum(unit.kind.value in ("function", "method") for unit in found.units)
    assert count_functions(language, data) == (None if found.problem else functions)


@settings(max_examples=400)
@given(
    st.sampled_from([("cpp", test_cpp.SAMPLE), ("cuda", test_cpp.SAMPLE), ("mlir", test_mlir.SAMPLE),
                     ("python", test_python.SAMPLE), ("tablegen", test_tablegen.SAMPLE)]),
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 20), st.sampled_from(PIECES)), max_size=8),
)  # fmt: skip
def test_units_of_a_mangled_text(sample: tuple[str, str], cuts: list[tuple[int, int, str]]) -> None:
    language, text = sample
    for start, size, piece in cuts:
        text = text[:start] + piece + text[start + size :]
    check(language, text.encode())


@settings(max_examples=100)
@given(st.sampled_from(["cpp", "python", "tablegen", "mlir"]), st.integers(1, 3))
def test_units_of_a_text_twice_over(language: str, times: int) -> None:
    text = {
        "cpp": "struct A {\n  int f() { return 1; }\n};\n// c\nvoid g() {\n}\n",
        "python": "class A:\n  def f(): ...\n\n@d\ndef g():\n  x\n",
        "tablegen": "def A {\n}\n\nclass B;\n// c\ndef C;\n",
        "mlir": "func.func @a() {\n}\n// c\nfunc.func @b() {\n}\n\n",
    }[language]
    once = check(language, text.encode())
    lines = len(once.owners)
    own = len(once.units) - 1
    many = check(language, (text * times).encode())
    assert many.owners == tuple(owner + own * turn if owner else 0 for turn in range(times) for owner in once.owners)
    for turn in range(times):
        for unit, again in zip(once.units[1:], many.units[1 + own * turn :], strict=False):
            assert (again.first, again.last) == (unit.first + turn * lines, unit.last + turn * lines)
            assert (again.kind, again.lines, again.symbol.split("#")[0]) == (unit.kind, unit.lines, unit.symbol)


@pytest.mark.parametrize("language", ["cpp", "cuda", "mlir", "python", "tablegen"])
@pytest.mark.parametrize(
    "piece",
    [
        *("{", "(", "[", "<", "[{", '"', "'", "*", "-", "~", "\\\n", "@", "a<b,", "(a)", "a::", "else ", "new "),
        *("class A {", "class A ", "template<", "void f() {", "namespace n {", "[](){", "#if A\n", "#if a __cplusplus"),
        *("func.func @a(", "func.func @a() {", "module ", "module @m {", "def a {", "def a ", "def a;"),
        *("let x = 1 in {", "if (a) ", "/*"),
        *('R"(', "EXPORT ", "class F(a) ", ";F(a)\n", ";F\n", "lambda:", "f'{", "x = ", "if x:\n ", "={}"),
    ],
)  # fmt: skip
def test_time_grows_with_the_size(language: str, piece: str) -> None:
    """A quadratic reader takes minutes here: 60 kB of `{` took the MLIR grammar 10 s and a tree-sitter query 3 s."""
    data = (piece * (60_000 // len(piece))).encode()
    classes = bytes(data.count(b"\n") + (not data.endswith(b"\n")))
    start = time.process_time()
    found = read_units(language, data, classes)
    assert time.process_time() - start < 5
    assert len(found.owners) == len(classes)
    assert max(len(unit.symbol) for unit in found.units) < 20_000


def test_a_huge_file_is_one_unit_with_the_reason() -> None:
    data = b"void f() {}\n" * (MOST_BYTES // 12 + 1)
    found = read_units("cpp", data, bytes(data.count(b"\n")))
    assert found.problem == "larger than 8 MiB"
    assert len(found.units) == 1
    assert found.units[0].lines.code == len(found.owners) == MOST_BYTES // 12 + 1
    assert count_functions("cpp", data) is None


@pytest.mark.parametrize("language", ["rust", "go", "java", "shell", "cmake", "markdown"])
def test_a_language_without_reader_is_one_unit(language: str) -> None:
    assert not has_units(language)
    found = check(language, b"fn f() {}\n\nfn g() {}\n")
    assert (len(found.units), found.problem) == (1, "")
    assert count_functions(language, b"fn f() {}\n") is None


def test_classes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="1 line classes for 2 lines"):
        read_units("python", b"a\nb\n", bytes(1))
