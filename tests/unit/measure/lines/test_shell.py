from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines.shell import SHELL

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

WORDS = r"""
h|#!/bin/sh
#|#comment
c|echo a#b $# ${#x} ${x#y} ${x##*/} ${x/ #/ } $((16#ff)) \# '#' "#"  # comment
c|echo a;# comment
c|(echo a)# comment
.|
c|echo 'one
4|# not a comment
S|
s|three'
#|# comment
c|echo "one \" \\
4|# not a comment $x ${x:-"# nor this"}
S|
s|three"
#|# comment
c|echo $'it\'s
4|# not a comment'
#|# comment
c|echo it\'s
#|# comment
c|echo word\
c|#word
c|echo word \
#|# comment
b|{
b|}
b|;;
b|\
b|( ) # comment
c|case x in
c|\#*) ;;
c|'#'*) ;;
#|    # comment
c|?*' '?*)
b|;;
c|esac
#|# comment
"""

SUBSTITUTIONS = r"""
c|x="$(
#|    # comment
c|    echo "a b" | tr ')' '('
.|
s|    "text
S|
s|"
c|    case $y in
#|    # comment
c|    a) echo "1" ;;
c|    (b) echo ")" ;;
c|    esac
c|    echo in case of (case)
b|)
4|# text
s|"
#|# comment
c|x="`grep -E "^E(\[[^]=]*])?=" "$f" | cut -d= -f 2-`"
#|# comment
c|x="$((1 << 2)) ${y//'"'/z} ${y:-it's} ${y#"${z}"} $(echo $(echo "a)b"))"
#|# comment
c|x=${y:-"it's"}${y:-'}'}${y:-$(echo '}')}
#|# comment
c|x="${y:-`echo \`echo '"'\``}"
#|# comment
"""

HERE_DOCUMENTS = r"""
c|cat <<EOF > file # comment
4|# not a comment $(echo "
S|
s| EOF
s|EOF
#|# comment
c|cat <<'A B' <<-"C" << \D
s|'
s|A B
s|"
s|	C
s|`
s|D
c|cat <<-X"Y"Z$w; echo "
s|the body starts after this"
4|# body
s|	XYZ$w
#|# comment
c|cat <<''
s|text
S|
#|# comment
c|cat <<< EOF
#|# comment
c|(( x = 1 << y )); let z=$[1 << y]
#|# comment
c|x="$(cat <<'E'
s|it's )
s|E
s|)"
#|# comment
c|if cat <<E; then
4|# text
s|E
#|# comment
c|fi
c|cat <<E
4|# never closed
S|
s| E
"""


@pytest.mark.parametrize("page", [WORDS, SUBSTITUTIONS, HERE_DOCUMENTS])
def test_pages(page: str, assert_lines: AssertLines) -> None:
    assert_lines(SHELL, page)


@pytest.mark.parametrize("opener", ["'", '"', "$'", 'x="$(', '"`', '"${x:-', "cat <<E\n", "cat <<'E' <<F\n"])
def test_what_is_not_closed_runs_to_the_end(opener: str) -> None:
    classes = SHELL.scan(f"{opener}a\n\nb\nc\n".encode())
    assert len(classes) == 4 + opener.count("\n")


def test_the_explanation_names_the_here_document() -> None:
    answer = SHELL.explain(b"cat <<E\n# x\n\nE\n", 2)
    assert (answer.rule, answer.token) == ("string like a comment", b"# x")
    assert SHELL.explain(b"cat <<E\n# x\n\nE\n", 3).rule == "here-document"
