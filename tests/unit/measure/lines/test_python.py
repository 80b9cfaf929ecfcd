from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines.python import PYTHON, STARLARK
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

DOCSTRINGS = '''
h|#!/usr/bin/env python
#|# -*- coding: utf-8 -*-
d|"""A module.
D|
d|# not a comment
D|  \t
d|"""
.|
c|class A:
d|    r\'\'\'Raw.\'\'\'
c|    x = 1
d|    """An attribute."""  # beside a comment
#|    # alone
c|    def f(self): "on the header's line"
.|
c|    def g(self):
b|        b"bytes"; u"two"
c|        """not alone"""; return 1
c|        """nor here""".strip()
d|    "a" "b"
d|    "a" \\
d|        "b" \\
d|    rb'c'
d|    f"{x} is a statement too"
'''

# A semicolon is a separator, and those outrank documentation: the one line of `b` above.

EXPRESSIONS = '''
c|x = """
3|# text
S|
3|text
3|"""
c|f(
s|    "a",
3|    \'\'\'b
S|
s|b\'\'\',  # beside a comment
#|    # alone
b|)
b|(
s|    "in parentheses"
b|)
c|d = {
s|    "key": "value",
s|    "#": "# value",
#|    # out of it
b|}
c|x: "Annotation"
c|x: "A" = 1
c|f = lambda: "value"
c|f = lambda a, b=lambda: 1: "value"
c|for x in y: z: "A"
c|t = \\
s|    "continued"
c|def f(a: "A") -> "B":
d|    "doc"
c|a[b:"c"]
c|print"two"
c|return"text"
'''

NOTHINGS = """
c|class A:
b|    pass
c|passing = 1
b|pass;  # x
c|a.passes
c|compass
s|"pass" \\
c|    .x
c|...
b|\\
.|\f
b|[](){},:;
c|@decorator
"""

HEADERS = '''
c|class A: "doc"
c|async def f(a, b=(":", {1: 2})): "doc"
c|if x[1:2]: """doc
d|doc"""
c|else: "doc"
c|match: "A"
c|case: """
3|A"""
c|match x: """
d|A"""
c|if (y := 1): """
d|A"""
c|if lambda: 1: """
d|A"""
c|try: x; """
d|A"""
c|x: """
3|A"""
c|if x: y: """
3|A"""
c|while f(
s|    "a"
c|) : y = {}; """
d|A"""
'''

INTERPOLATED = '''
c|x = f"{a["b"]}"  # "
#|# a comment, not text
c|x = f"{f"{f"{1 + 1}"}"}" + f'{d['}']["k"]}' + f"{'"'}"
#|# a comment
c|x = rf"\\{a["b"]}" + f"\\{a["b"]}" + fr'\\N{a['b']}' + f"\\N{DASH}"
#|# a comment
c|x = f"{{" + f"}}" + f"{{}}" + f"{{{a["b"]}}}" + f"{x!r:>{w["n"]}}" + f"{x:{"{"}>10}"
#|# a comment
c|x = f"{x:#x}" + f"{x:%H:%M}" + f"{(lambda: "a")()}" + f"{ {"a": 1}["a"] }"
#|# a comment
c|x = f"""{
3|    a["b"]  # with a "quote
S|
3|}"""
#|# a comment
c|x = t"{a["b"]}"
#|# a comment
c|f(
s|    f"{a["b"]}",
b|)
d|f"{a["b"]}"
'''

BROKEN = """
c|x = "not closed
#|# a comment
c|x = f"{not closed
#|# a comment
c|x = f"{a["b"
#|# a comment
c|x = f"{)}"
#|# a comment
c|x = f"}"
#|# a comment
b|)))
d|"still outside"
c|x = 'escaped \\\\'
#|# a comment
c|x = 'continued \\
s|# text'
c|x = '''not closed
S|
s|# text
"""


@pytest.mark.parametrize("page", [DOCSTRINGS, EXPRESSIONS, NOTHINGS, HEADERS, INTERPOLATED, BROKEN])
def test_pages(page: str, assert_lines: AssertLines) -> None:
    assert_lines(PYTHON, page)
    assert_lines(STARLARK, page)


STATEMENTS = [
    b'"""doc"""', b"'bare'; 'too'", b"x = 1  # comment", b"# comment", b"def f():\n    'doc'\n    pass", b"f(\n'a',\n)",
    b'x = """\n\n# text"""', b"class A: 'doc'", b"x: 'T'", b"if x: pass", b'x = f"{a["b"]}"', b"x = \\\n'a'", b"",
    b"f = lambda: 'a'", b"'a' \\\n'b'", b'x = {\n  "a": """\n\n""",\n}',
]  # fmt: skip


@given(st.lists(st.sampled_from(STATEMENTS)), st.lists(st.sampled_from(STATEMENTS)))
def test_complete_parts_joined_by_a_blank_line_count_as_their_sum(first: list[bytes], second: list[bytes]) -> None:
    a = b"\n".join(first) + b"\n"
    b = b"\n".join(second) + b"\n"
    assert PYTHON.scan(a + b"\n" + b) == PYTHON.scan(a) + bytes([LineClass.BLANK]) + PYTHON.scan(b)


PREFIXES = ["r", "u", "b", "f", "t", "rb", "br", "rf", "fr", "rt", "tr", "ur"]


@pytest.mark.parametrize("prefix", ["", *PREFIXES, *map(str.upper, PREFIXES), "Rb", "bR", "Fr", "fR"])
@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_every_prefix_belongs_to_the_literal(prefix: str, quotes: str) -> None:
    source = f"{prefix}{quotes}\n# text\n{quotes}\nf({prefix}{quotes}\n# text\n{quotes})\n".encode()
    assert list(PYTHON.scan(source)) == [3, 3, 3, 0, 11, 11]


def test_letters_that_are_no_prefix_are_code() -> None:
    assert list(PYTHON.scan(b'bb"""\n"""\nxrb"""\n"""\n\xc3\xa9f"{"\n')) == [0, 11, 0, 11, 0]


def test_a_byte_order_mark_is_nothing() -> None:
    assert list(PYTHON.scan(b'\xef\xbb\xbf"""doc"""\n')) == [LineClass.DOCUMENTATION]
    assert list(PYTHON.scan(b"\xef\xbb\xbf#!/bin/sh\n")) == [LineClass.SHEBANG]


def test_empty_and_unfinished_files() -> None:
    assert list(PYTHON.scan(b"")) == []
    assert list(PYTHON.scan(b'"')) == [LineClass.DOCUMENTATION]
    assert list(PYTHON.scan(b"f")) == [LineClass.CODE]
    assert list(PYTHON.scan(b"\n\n")) == [LineClass.BLANK] * 2


def test_the_explanation_names_the_statement() -> None:
    source = b'def f():\n    """Doc.\n\n    more"""\n    pass\n    g("""\n\n""")\n'
    answers = [PYTHON.explain(source, line) for line in range(1, 9)]
    assert [answer.rule for answer in answers] == [
        "code",
        "string statement",
        "string statement",
        "string statement",
        "pass",
        "code",
        "string in three quotes",
        "string in three quotes",
    ]
    assert answers[2].line_class == LineClass.BLANK_IN_DOCUMENTATION
    assert (answers[3].token, answers[3].column) == (b'more"""', 4)
    assert answers[6].line_class == LineClass.BLANK_IN_STRING
