from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines.dialects import DIALECTS
from leverage.measure.lines.registry import SCANNERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

# A line is written as its class, a bar, and itself: see conftest.py.
MARKED = {
    "ada": """
c|X : String := "--"; -- text
#|-- only comment
""",
    "batch": """
#|@REM a
c|echo rem
#|:: b
""",
    "basic": """
#|10 REM a
c|20 PRINT "'"
#|' b
c|Remark = 1
""",
    "blitzmax": """
#|Rem
#|Print 1
#|End Rem
c|Print 2
""",
    "coffeescript": """
#|###
#|a
#|###
c|a = "b # c"
#|# d
""",
    "d": """
#|/+ a /+ b +/
#|   c +/
c|auto x = `/+`;
""",
    "erlang": """
c|X = $". % a
#|% b
""",
    "elixir": '''
c|x = """
s|# a
S|
s|"""
#|# b
''',
    "fortran": """
c|print *, 'it''s ! a'
#|! b
""",
    "fortran-fixed": """
#|C a
#|* b
c|      CALL C
#|c d
""",
    "haskell": """
#|{- a {- b -}
.|
#|   c -}
c|x --> y = '"' -- d
#|--- e
c|f' = "--"
""",
    "julia": """
#|#= a #= b =#
#|   c =#
c|x = "#=" # d
c|y = x'
""",
    "lisp": """
#|; a
#|#| b #| c |#
#|   d |#
c|(f #\\; "x ; y
s|z")
""",
    "lua": """
#|--[==[ a ]]
#|b ]==]
c|x = [[ -- c
s|d ]]
#|-- e
""",
    "matlab": """
#|%{
#|a
#|%}
c|x = a' * '%d'; % b
c|y = [a %{
#|% c
""",
    "nested-slashes": """
#|/* a /* b */
#|c */
c|val x = '"' // d
""",
    "ocaml": """
#|(* a (* b *)
#|c *)
c|let f x' = "(*"
c|let ( *) = 1
""",
    "pascal": """
#|{ a }
#|(* b *)
c|writeln('it''s { c');
#|// d
""",
    "perl": """
h|#!/usr/bin/perl
c|my $n = $#array;
#|=pod
#|
#|code();
#|
#|=cut
#|# a
""".replace("#|\n", ".|\n"),
    "powershell": """
#|<# a
#|b #>
c|$x = @"
s|# c
s|"@
c|$y = "`"#"
""",
    "prolog": """
c|x(0'%, '%').
#|% a
#|/* b */
""",
    "quoted-head": """
#|" a
c|let x = "b"
""",
    "ruby": """
#|=begin
#|code
#|=end
c|x = "#{y}" # a
#|# b
""",
    "sql": """
c|SELECT '--' -- a
#|-- b
#|/* c /* d */ e */
""",
    "vhdl": """
c|x <= '"'; -- a
#|-- b
""",
    "wat": """
#|(; a (; b ;)
#|c ;)
c|(module) ;; d
""",
    "zig": """
c|const x =
s|    \\\\ // a
b|;
#|// b
""",
}


@pytest.mark.parametrize("family", MARKED)
def test_dialect(family: str, assert_lines: Callable[[Scanner, str], None]) -> None:
    assert_lines(SCANNERS[family], MARKED[family])


@pytest.mark.parametrize("family", DIALECTS)
def test_plain_words_are_code_in_every_dialect(family: str) -> None:
    scanner = SCANNERS[family]
    assert list(scanner.scan(b"abc\n\nabc\n")) == [0, 8, 0]


def test_what_is_written_into_html(assert_lines: Callable[[Scanner, str], None]) -> None:
    assert_lines(
        SCANNERS["html"],
        """
#|<!-- a
.|
#|b -->
c|<b class='<!--'>
c|not a comment
c|</b>
c|<script type="module">
#|// c
c|f("</b>") /* d */
c|</script>
c|<script type="text/x-template">
c|// text
c|</script>
c|<STYLE>
#|/* e */
c|</STYLE>
c|<?php f();
#|# g
c|?>
c|# text
#|<%-- h --%>
c|<![CDATA[ <!-- ]]>
c|<script>
#|// an end is missing
""",
    )
