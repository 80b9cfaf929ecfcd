from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines import yaml
from leverage.measure.lines.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

SCALARS = r"""
h|#!/usr/bin/env playbook
c|%YAML 1.2
c|---
#|# comment
c|a: b # comment
c|it's: don't # comment
c|url: http://x#y
c|- "a # b" # comment
s|"a": "b",
s|"a
s|# text
S|
c|\" text": 1
c|b: 'it''s
s|# text
S|
s|end' # comment
#|# comment
c|c: !tag &anchor "text
s|# text"
c|d: *anchor # comment
c|? "key
s|  # text"
s|: "value
s|  # text"
c|...
"""

PLAIN = r"""
c|a: plain
c|  "quoted
.|
c|  'tis [not {flow
c|  | # comment
#|  # comment
c|b: plain |
c|  - it's
c|  )
#|# comment
c|- plain
c|  'tis
c|- - plain
c|    'tis
#|   # comment
"""

BLOCKS = r"""
c|a: |  # comment
4|  # text
S|
s|    more: "text
S|  \t
s|  text
.|
#|# comment
c|b: >-
s|    text
#|  # less is a comment
c|c:
c|- |+
s| text
S|
S|
c|- key: !!str |2-
s|     text
4|    # text
#|   # comment
c|- - |
s|   text
c|  - |1
4|   # text
c|d: |
c|e: >+
S|
c|f: |#text
#|  # comment
c|g:
c|  |
s|  text
#|# comment
c|-
c|  it's
c|- "a
s|  # text"
c|- |
S|
S|
s|    text
#|  # comment
c|--- |
s|text
4|# text
c|---
c|- >
4|  # never ends
""".replace(r"\t", "\t")

FLOW = r"""
c|a: [b, "c # d", # comment
#|  # comment
c|  it's, 'x
c|  # text', http://x#y,
b|  {
s|    "a":"b,c",
c|    e: "f"
b|  }]  # comment
#|# comment
s|{"a": ["b", 'c']}: {}
c|g: [!t "a, b # c", &x 'd, e # f', *x, {#comment
c|  }, ?
s|  "a
s|  # b"]
c|g: {{ h }}
c|i: [never closed
#|# comment
"""


@pytest.mark.parametrize("page", [SCALARS, PLAIN, BLOCKS, FLOW])
def test_pages(page: str, assert_lines: AssertLines) -> None:
    assert_lines(YAML, page)


def test_the_explanation_names_the_block_scalar() -> None:
    source = b"a: |\n  # text\n\n  text\n"
    assert [YAML.explain(source, line).rule for line in (1, 2, 3, 4)] == [
        "code",
        "string like a comment",
        *["block scalar"] * 2,
    ]


PIECES = st.sampled_from(
    [
        "- ",
        "  ",
        "    ",
        "key: ",
        "k:",
        "v",
        "- -",
        " |",
        "|-\n",
        " >",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "# c",
        "\n",
        "\n  ",
        "\n- ",
        "\n  - ",
        "&a ",
        "!t ",
        "*a",
        "a b",
        "a: b",
        "---",
        "...\n",
        "\t",
        "x: y\n",
        "- 1\n",
        "    - 3\n",
        ": ",
        "? ",
        "  key:\n",
        "-\n",
        "(",
        "key: [1, 2]\n",
        'key: "v"\n',
        "- 'x'\n",
        "  k: c:0\n",
        "- [1]\n",
    ]
)


@given(st.lists(PIECES, max_size=25).map(lambda parts: "".join(parts).encode()))
def test_lines_that_are_taken_at_once_are_what_they_are_one_by_one(text: bytes) -> None:
    at_once = YAML.scan(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "_SIMPLE", re.compile(rb"(?!)"))
        assert YAML.scan(text) == at_once
