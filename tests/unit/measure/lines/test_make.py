from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.measure.lines.make import DOCKERFILE, MAKE

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]

MAKEFILE = r"""
h|#!/usr/bin/make -f
#|# comment \
#|  goes on \\
c|  and on
c|A = b \# c \
#|    # d \
#|    e
.|
c|all: a b # comment
c|	echo "# text" \
c|	# the shell's
#|	# comment \
c|	echo
c|define X
#|# comment
c|  text
c|endef
b|	(
c|	) # comment
"""

DOCKER = r"""
#|# syntax=docker/dockerfile:1
.|
c|FROM a # not a comment
#|  # comment
c|RUN one \
#|# comment
.|
#|  # comment
c|    two
c|COPY <<A <<-"B" /c/
4|# text
S|
s|A
s|	text
s|	B
c|RUN --mount=x <<EOF
#|# comment
c|cat <<'F'
4|# text
s|F
s|EOF
c|RUN cat <<EOF && \
c|    true
4|# text
s|EOF
c|run echo "<<EOF" a<<b '<<EOF'
#|# comment
c|ENV A="<<EOF" <<EOF
#|# comment
c|ADD <<E
s|never ends
"""

WINDOWS = """
#|# escape=`
c|RUN a `
#|# comment
c|    <<E
4|# text
s|E
"""


def test_pages(assert_lines: AssertLines) -> None:
    assert_lines(MAKE, MAKEFILE)
    assert_lines(DOCKERFILE, DOCKER)
    assert_lines(DOCKERFILE, WINDOWS)
