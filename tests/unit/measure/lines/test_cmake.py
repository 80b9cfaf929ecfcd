from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.measure.lines.cmake import CMAKE

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

PAGE = r"""
h|#!/usr/bin/cmake -P
#|# comment "not open
#|#[[ bracket comment
.|
#|]] # comment
#|#[==[ level two
#|]] ]=] "
#|]==]
c|set(a b#comment
s|    "quoted # text
S|
s|    \" [[ text" # comment
s|    [[bracket # text
s|text ]=] \
S|
s|]] [=[
s|]] ]=]
c|    c[[d # comment
c|    \"e\# f # comment
c|    ]] -Dx="y z"
c|    REGEX "[[:space:]]"
b|) # comment
#|# comment
b|( #[[ one ]] )
c|#[[ one ]] endif()
c|set(x [==[ never closed
s|# text
"""


def test_page(assert_lines: AssertLines) -> None:
    assert_lines(CMAKE, PAGE)


def test_an_unclosed_bracket_comment_runs_to_the_end(assert_lines: AssertLines) -> None:
    assert_lines(CMAKE, "#|#[=[ comment\n#|set(a)\n#|]]\n")


def test_the_explanation_names_the_token() -> None:
    answer = CMAKE.explain(b"set(x [[\ntext ]])\n", 2)
    assert (answer.rule, answer.token) == ("string", b"text ]]")
