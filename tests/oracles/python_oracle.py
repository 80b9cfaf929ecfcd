"""Line classes of Python files as CPython's own `tokenize` and `ast` see them.

Runs as a script under any CPython from 3.8, with nothing but its standard library, so that each version of the grammar
can be asked. Paths come in on stdin, one a line; for each, one JSON list ``[path, classes]`` goes out: ``classes``
has one hexadecimal digit (the value of the line class) per physical line, or is null when this interpreter can't parse
the file.

In an f-string every token belongs to the literal; a string statement in parentheses is an expression.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
import warnings

CODE, STRING, BRACKET, DOCUMENTATION, COMMENT = 0, 1, 2, 3, 4
SHEBANG, BLANK, BLANK_IN_DOCUMENTATION, BLANK_IN_STRING = 7, 8, 9, 10
STRONGEST_FIRST = (CODE, STRING, BRACKET, DOCUMENTATION, COMMENT, SHEBANG)
INVISIBLE = {tokenize.ENCODING, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
OPENS = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")}
CLOSES = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")}
NOTHING = frozenset([*"()[]{},:;", "pass"])
WHITE = " \t\f\v"
Place = tuple[int, int]  # line from 1, column in characters


def classes(data: bytes) -> list[int] | None:
    """One class per physical line, or None when the file is not valid for this interpreter."""
    text = source(data)
    if text is None:
        return None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    bare = outside_brackets(tokens)
    documentation = [place for place in statements(tree, lines) if place[0] in bare]
    page = Page(lines)
    for token in whole(tokens):
        if token.type == tokenize.STRING:
            documents = any(first <= token.start and token.end <= last for first, last in documentation)
            page.literal(token.start, end_of(token), documents=documents)
        else:
            page.other(token)
    return page.classes()


def source(data: bytes) -> str | None:
    """The file as text with LF line ends, or None when its declared encoding doesn't fit."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def statements(tree: ast.Module, lines: list[str]) -> list[tuple[Place, Place]]:
    """Ranges of the expressions that are a string and a whole statement."""
    kinds = tuple(getattr(ast, name) for name in ("JoinedStr", "TemplateStr") if hasattr(ast, name))
    ranges = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Expr):
            continue
        value = node.value
        literal = isinstance(value, ast.Constant) and isinstance(value.value, (str, bytes))
        if literal or isinstance(value, kinds):
            start = (value.lineno, characters(lines[value.lineno - 1], value.col_offset))
            end_line, end_column = value.end_lineno, value.end_col_offset
            assert end_line is not None
            assert end_column is not None
            ranges.append((start, (end_line, characters(lines[end_line - 1], end_column))))
    return sorted(ranges)


def characters(line: str, column: int) -> int:
    """A column in UTF-8 bytes as a column in characters."""
    return len(line.encode()[:column].decode())


class Page:
    """The lines of a file and what its tokens put on them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[set[int]] = [set() for _ in lines]
        self.around = [BLANK] * len(lines)

    def literal(self, start: Place, end: Place, *, documents: bool) -> None:
        """Note a string on its lines, and what the blank lines between them are part of."""
        for number in range(start[0] - 1, end[0]):
            line = self.lines[number]
            left = start[1] if number == start[0] - 1 else 0
            right = end[1] if number == end[0] - 1 else len(line)
            if line[left:right].strip(WHITE):
                self.found[number].add(DOCUMENTATION if documents else STRING)
            else:
                self.around[number] = BLANK_IN_DOCUMENTATION if documents else BLANK_IN_STRING

    def other(self, token: tokenize.TokenInfo) -> None:
        """Note a token that is not a string."""
        if token.type == tokenize.COMMENT:
            value = SHEBANG if token.start == (1, 0) and token.string.startswith("#!") else COMMENT
        elif token.type in INVISIBLE or not token.string.strip(WHITE + "\n"):
            return
        else:
            value = BRACKET if token.string in NOTHING else CODE
        self.found[token.start[0] - 1].add(value)

    def classes(self) -> list[int]:
        """The strongest of what stands on each line."""
        continued = False  # the line before is documentation and goes on
        for seen, line in zip(self.found, self.lines):  # noqa: B905 - no such argument in 3.8
            if not seen and line.strip(WHITE) == "\\":
                seen.add(DOCUMENTATION if continued else BRACKET)
            continued = seen == {DOCUMENTATION} and line.endswith("\\")
        return [
            next((value for value in STRONGEST_FIRST if value in seen), blank)
            for seen, blank in zip(self.found, self.around)  # noqa: B905 - no such argument in 3.8
        ]


def whole(tokens: list[tokenize.TokenInfo]) -> list[tokenize.TokenInfo]:
    """The tokens with those of an f-string merged into one string token, as before Python 3.12."""
    merged: list[tokenize.TokenInfo] = []
    opened: list[tokenize.TokenInfo] = []
    for token in tokens:
        if token.type in OPENS:
            opened.append(token)
        elif token.type in CLOSES:
            first = opened.pop()
            if not opened:
                merged.append(first._replace(type=tokenize.STRING, end=token.end))
        elif not opened:
            merged.append(token)
    return merged


def end_of(token: tokenize.TokenInfo) -> Place:
    """Where a string ends, by its text: 3.12.1 gives a wrong column after text beyond ASCII on several lines."""
    last = token.string.rpartition("\n")[2]
    return (token.end[0], len(last)) if "\n" in token.string else token.end


def outside_brackets(tokens: list[tokenize.TokenInfo]) -> set[Place]:
    """Starts of the tokens that no bracket surrounds."""
    starts = set()
    depth = 0
    for token in tokens:
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        elif depth == 0:
            starts.add(token.start)
    return starts


def main() -> None:
    """Answer for each path on stdin."""
    for line in sys.stdin:
        path = line.rstrip("\n")
        with open(path, "rb") as file:  # noqa: PTH123 - a path here may hold any bytes
            answer = classes(file.read())
        sys.stdout.write(
            json.dumps([path, None if answer is None else "".join(f"{value:x}" for value in answer)]) + "\n"
        )


if __name__ == "__main__":
    main()
