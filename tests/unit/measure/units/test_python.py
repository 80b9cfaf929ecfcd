from __future__ import annotations

import ast
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.units import count_functions
from tests.unit.measure.units.reading import check, listed, owned, units

SAMPLE = '''\
"""Doc."""
import a

# about f
@first(
    1,
)
@second
def f(x):
    def inner():
        class Deep: ...
    return lambda: inner


class A(B):
    """Doc."""

    x = 1

    @property
    def m(self): return 1

    class Inner:
        def k(self):
            pass
        y = 2

    async def n(self):
        pass

z = f(1)
'''


def test_units_of_a_module() -> None:
    assert listed("python", SAMPLE) == [
        ("f", "function", 5, 12),
        ("A", "class", 15, 29),
        ("A.m", "method", 20, 21),
        ("A.Inner", "class", 23, 26),
        ("A.Inner.k", "method", 24, 25),
        ("A.n", "method", 28, 29),
    ]


def test_every_line_has_one_owner() -> None:
    assert owned("python", SAMPLE) == {
        "": [1, 2, 3, 4, 13, 14, 30, 31],
        "f": [5, 6, 7, 8, 9, 10, 11, 12],
        "A": [15, 16, 17, 18, 19, 22, 27],
        "A.m": [20, 21],
        "A.Inner": [23, 26],
        "A.Inner.k": [24, 25],
        "A.n": [28, 29],
    }


def test_definitions_under_statements_are_units() -> None:
    text = """\
if TYPE_CHECKING:
    def f(): ...
elif sys.version_info > (3, 12):
    def f(): ...
else:
    class C:
        if x:
            def m(self): ...
        else:
            def m(self): ...
try:
    def g(): ...
except E:
    def g(): ...
else:
    def h(): ...
finally:
    def h(): ...
with a:
    def i(): ...
for a in b:
    def j(): ...
while a:
    def k(): ...
else:
    def k(): ...
match a:
    case 1:
        def l(): ...
"""
    assert [unit[:3] for unit in listed("python", text)] == [
        ("f", "function", 2),
        ("f#2", "function", 4),
        ("C", "class", 6),
        ("C.m", "method", 8),
        ("C.m#2", "method", 10),
        ("g", "function", 12),
        ("g#2", "function", 14),
        ("h", "function", 16),
        ("h#2", "function", 18),
        ("i", "function", 20),
        ("j", "function", 22),
        ("k", "function", 24),
        ("k#2", "function", 26),
        ("l", "function", 29),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_marks_do_not_matter(end: str) -> None:
    data = b"\xef\xbb\xbf" + SAMPLE.replace("\n", end).encode()
    assert [(unit.symbol, unit.first, unit.last) for unit in check("python", data).units[1:]] == [
        unit[:1] + unit[2:] for unit in listed("python", SAMPLE)
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"x = 1\nprint 'two'\n", "line 2: not valid Python"),
        (b"def f(:\n", "line 1: not valid Python"),
        (b"def f():\n\tx\n        y\n", "line 3: not valid Python"),
        (b"x = 1\n\0\n", "not valid Python"),
        (b"(" * 5_000, "not valid Python: too many nested parentheses"),
        (b"x = " + b"-" * 100_000 + b"1\n", "nested too deeply"),
        (b"x = " + b"1+" * 100_000 + b"1\n", "nested too deeply"),
        (b"if x:\n" + b"".join(b" " * n + b"if x:\n" for n in range(1, 120)), "not valid Python"),
        (b"x = " + b"9" * 10_000 + b"\n", "not valid Python"),
    ],
)
def test_what_cpython_cannot_read_is_one_unit_with_the_reason(data: bytes, why: str) -> None:
    found = check("python", data)
    assert len(found.units) == 1
    assert why in found.problem
    assert count_functions("python", data) is None


def test_no_codec_of_the_file_is_run() -> None:
    """`unicode_escape` would make two lines of one, and move what comes after."""
    text = "# coding: unicode_escape\nx = '\\n'\ndef f(): ...\n"
    assert listed("python", text) == [("f", "function", 3, 3)]
    assert [unit.symbol for unit in check("python", b"# coding: latin-1\ndef \xe9t\xe9(): ...\n").units] == ["", "été"]
    assert listed("python", "# coding: no-such-codec\ndef f(): ...\n") == [("f", "function", 2, 2)]


def test_a_bad_escape_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert listed("python", 'def f(): return "\\d" is 1\n') == [("f", "function", 1, 1)]


def test_long_names_are_cut() -> None:
    assert len(listed("python", f"class {'C' * 1000}:\n def {'f' * 1000}(): ...\n")[1][0]) == 241


def test_only_functions_and_methods_count_as_functions() -> None:
    assert count_functions("python", SAMPLE.encode()) == 4
    assert count_functions("python", b"x = 1\n") == 0
    assert count_functions("python", b"") == 0


NAMES = st.sampled_from("abc")
BODIES = st.recursive(
    st.sampled_from(["pass", "x = 1", "'doc'", "x = '''a\nb'''", "# c\npass", "f(\n1)"]),
    lambda inner: st.builds(
        lambda head, name, bodies: (
            f"{head.format(name)}\n" + "\n".join(" " + line for body in bodies for line in body.split("\n"))
        ),
        st.sampled_from(
            ["def {}():", "class {}:", "if {}:", "@d\ndef {}():", "async def {}():", "with {}:", "@d\nclass {}:"]
        ),
        NAMES,
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(st.lists(BODIES, max_size=4))
def test_against_a_walk_over_the_whole_tree(bodies: list[str]) -> None:
    """Every definition outside functions, with the line of its first decorator, by another way through the tree."""
    text = "\n".join(bodies) + "\n"
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a blank in front of text inside a literal
        return
    wanted: list[tuple[str, int, int]] = []

    def walk(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                wanted.append((child.name, first, child.end_lineno or 0))
                if not isinstance(child, ast.ClassDef):
                    continue
            walk(child)

    walk(tree)
    found = check("python", text.encode()).units[1:]
    assert [(u.symbol.split("#")[0].rpartition(".")[2], u.first, u.last) for u in found] == sorted(
        wanted, key=lambda unit: (unit[1], -unit[2])
    )


def test_own_sources_are_read_whole() -> None:
    from pathlib import Path  # noqa: PLC0415

    import leverage  # noqa: PLC0415

    paths = sorted(Path(leverage.__file__).parent.rglob("*.py"))
    assert len(paths) > 100
    for path in paths:
        assert check("python", path.read_bytes()).problem == "", path


def test_the_grammar_is_that_of_this_python() -> None:
    assert bool(units("python", b"type X = int\n").problem) == (sys.version_info < (3, 12))
