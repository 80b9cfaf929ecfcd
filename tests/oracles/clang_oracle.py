"""Lines of a C-family file as libclang's own lexer sees them. Needs the `libclang` wheel.

Runs as a script. Paths come in on stdin, one a line; for each, one JSON list ``[path, code, comment]`` goes out: the
numbers (from 1) of the lines that a token other than a comment touches, and of those that a comment touches, blank
lines inside a token included.

libclang lexes raw: it does not skip branches of the preprocessor, so lines in dead branches have tokens like any other.
It gives a splice that touches the next token to that token; such a token is taken to start behind the splice.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from clang import cindex  # type: ignore[import-untyped, import-not-found, unused-ignore]

ARGUMENTS = ("-xc++", "-std=c++20", "-nostdinc", "-w")
OPTIONS = cindex.TranslationUnit.PARSE_INCOMPLETE | cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
SPLICES = re.compile(rb"(?:\\[ \t\f\v]*(?:\r\n|\n|\r))+")


def lines(index: cindex.Index, path: str) -> tuple[set[int], set[int]]:
    """The lines with tokens of code and the lines with comments."""
    unit = index.parse(path, args=ARGUMENTS, options=OPTIONS)
    data = Path(path).read_bytes()
    code: set[int] = set()
    comment: set[int] = set()
    for token in unit.get_tokens(extent=unit.cursor.extent):
        start, end = token.extent.start, token.extent.end
        splices = SPLICES.match(data, start.offset)
        touched = range(start.line + (splices[0].count(b"\\") if splices else 0), end.line + 1)
        (comment if token.kind == cindex.TokenKind.COMMENT else code).update(touched)
    return code, comment


def main() -> None:
    """Answer for each path on stdin."""
    index = cindex.Index.create()
    for line in sys.stdin:
        path = line.rstrip("\n")
        code, comment = lines(index, path)
        sys.stdout.write(json.dumps([path, sorted(code), sorted(comment)]) + "\n")


if __name__ == "__main__":
    main()
