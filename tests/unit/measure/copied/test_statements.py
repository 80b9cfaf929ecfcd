"""Logical lines and blocks: what makes two statements the same, and what is left out."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.copied.statements import Statement, read_blocks


def statements(text: str | bytes) -> list[Statement]:
    data = text.encode() if isinstance(text, str) else text
    found = [each for block in read_blocks("a.py", data) for each in block.statements]
    return sorted(found, key=lambda each: each.first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f(a, b)\n", "f(\n    a,\n    b,\n)\n"),
        ("x = 'word'\n", 'x = "word"\n'),
        ("x=1  # why\n", "x = 1\n"),
        ("if a:\n    b(c)\n", "if a:\n\tb( c )\n"),
        ("a = b + \\\n  c\n", "a = b + c\n"),
        ("t = [1, 2]\r\n", "t = [\r\n 1,  # one\r\n 2,\r\n]\r\n"),
    ],
)
def test_layout_makes_no_difference(one: str, other: str) -> None:
    assert [each.text for each in statements(one)] == [each.text for each in statements(other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("f(a)\n", "f(b)\n"), ("x = 1\n", "x = 2\n"), ("x = 'a'\n", "x = 'b'\n"), ("x = ('a',)\n", "x = ('a', 'b')\n")],
)
def test_other_tokens_make_another_statement(one: str, other: str) -> None:
    assert statements(one)[0].text != statements(other)[0].text


def test_a_renamed_statement_has_the_same_shape_and_its_names_apart() -> None:
    one, other = statements("total = self.sizes[i] + 1\n")[0], statements("summe = self.masse[k] + 1\n")[0]
    assert one.shape == other.shape
    assert one.names == (b"total", b"sizes", b"i")
    assert other.names == (b"summe", b"masse", b"k")
    assert statements("total = self.sizes[i] + 2\n")[0].shape != one.shape


def test_imports_documentation_and_comments_are_left_out() -> None:
    text = '"""What it does."""\nimport os\nfrom a import (\n    b,\n)\n\n# why\nx = "kept"\n("also documentation")\n'
    assert [(each.first, each.last) for each in statements(text)] == [(8, 8)]


def test_a_statement_knows_its_physical_lines() -> None:
    text = 'def f(\n    a,\n):\n    x = """one\ntwo"""\n    return g(\n        x)\n'
    assert [(each.first, each.last, each.indent) for each in statements(text)] == [(1, 3, 0), (4, 5, 4), (6, 7, 4)]


def test_a_statement_of_few_tokens_tells_nothing() -> None:
    text = "@property\ndef f(self):\n    return x\n\n@deco(1)\ndef g(self):\n    a = b\n    a.b = c\n"
    assert [each.first for each in statements(text) if each.telling] == [2, 5, 6, 8]


def test_blocks_are_functions_with_their_inside_classes_and_the_rest() -> None:
    text = (
        "A = 1\n"
        "class C(B):\n"
        "    field = 2\n"
        "    def m(self):\n"
        "        def inner():\n"
        "            pass\n"
        "        return inner\n"
        "    async def n(self): return 1\n"
        "def f():\n"
        "    class Local:\n"
        "        def deep(self): pass\n"
        "def f():\n"
        "    return 2\n"
        "Z = 3\n"
    )
    blocks = read_blocks("pkg/a.py", text.encode())
    assert [(block.symbol, [each.first for each in block.statements]) for block in blocks] == [
        ("", [1, 14]),
        ("C", [2, 3]),
        ("C.m", [4, 5, 6, 7]),
        ("C.n", [8]),
        ("f", [9, 10, 11]),
        ("f#2", [12, 13]),
    ]
    assert {block.path for block in blocks} == {"pkg/a.py"}


@given(st.binary(max_size=300) | st.text("()[]{}'\"\\\n\r#:, \tdef class=x1é", max_size=200).map(str.encode))
def test_any_bytes_are_read_and_every_line_is_at_most_in_order(data: bytes) -> None:
    found = statements(data)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert all(1 <= each.first <= each.last <= lines for each in found)
    assert all(one.last <= other.first for one, other in itertools.pairwise(found))


@pytest.mark.parametrize("hostile", [b"'" * 1_000_000, b'"""' + b"\\" * 1_000_001, b"(" * 500_000, b"\\\n" * 300_000])
def test_hostile_bytes_take_linear_time(hostile: bytes) -> None:
    start = time.process_time()
    read_blocks("a.py", hostile)
    assert time.process_time() - start < 10
