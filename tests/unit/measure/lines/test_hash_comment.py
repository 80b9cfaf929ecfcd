from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.measure.lines.hash_comment import HASH, INI, TOML

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

HASH_PAGE = """
h|#!/usr/bin/awk
#|# comment
#|\t#comment
c|a # comment
c|a#b
c|"#"
b|{ # comment
b|}#comment
.|
c|'no quotes
#|# here'
"""

INI_PAGE = """
#|; comment
#|  # comment
c|[section] ; comment
c|key = value # part of it
c|    continued
.|
c|key =
c|    a;b
#|    ; comment
"""

TOML_PAGE = '''
#|# comment
c|[table] # comment
c|a = "# text" # comment
c|b = \'"\' # comment
c|c = """
s|# text \\"""
S|
s|text"""""
#|# comment
c|d = \'\'\'
s|\\
s|\'\'\'
#|# comment
c|e = [
s|    "a", # comment
#|    # comment
s|    \'\', "",
b|]
c|f = "not closed
#|# comment
c|g = """
s|# never closed
'''


def test_pages(assert_lines: AssertLines) -> None:
    assert_lines(HASH, HASH_PAGE)
    assert_lines(INI, INI_PAGE)
    assert_lines(TOML, TOML_PAGE)
