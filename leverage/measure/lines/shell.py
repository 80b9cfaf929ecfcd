"""POSIX shell, bash, ksh and zsh: nested quoting, substitutions and here-documents.

Rules beyond `base`:

- ``#`` opens a comment only where a word could start: not in ``$#``, ``${x#y}``, ``$((16#ff))`` or ``a#b``.
- A quoted word is ``string``, and so are its lines; variables in it belong to it, as fields belong to an f-string.
- A command substitution is a program, so its lines are code, quoted or not: ``"$(`` and ``)"`` hold code between them.
- The body of a here-document and the line that ends it are ``string``, whatever reads them.
- ``<<`` between ``((`` and ``))`` or after ``$[`` is a shift.
- What is not closed runs to the end of the file, as it does for the shell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import (
    COMMENT,
    SHEBANG,
    STRING_LIKE_BRACKET,
    STRING_LIKE_COMMENT,
    Rule,
    Scanner,
    told_apart,
)
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from leverage.measure.lines.base import Span

_PARTS = told_apart(b"#", STRING_LIKE_COMMENT, STRING_LIKE_BRACKET)
HERE_DOCUMENT = Rule(
    "here-document",
    LineClass.STRING,
    "text of a here-document or the line that ends it",
    LineClass.BLANK_IN_STRING,
    _PARTS,
)
STRING = Rule("string", LineClass.STRING, "quoted text", LineClass.BLANK_IN_STRING, _PARTS)

# What we may be inside of. Code is the file, a substitution in parentheses or one in back quotes; text is a word in
# double quotes. An expansion is text within text and code within code; where it gives a default inside text
# (`"${x:-it's}"`), single quotes are letters.
_FILE, _PARENTHESES, _BACK_QUOTES, _TEXT, _EXPANSION, _DEFAULT = range(6)

_ESCAPE = rb"\\."
_SINGLE = rb"'[^']*+'?+|\$'(?:[^'\\]++|\\.)*+'?+"
_DOUBLE = rb'"(?:[^"\\$`]++|\\.|\$(?![({]))*+"'  # without substitutions and expansions
_QUOTED = rb"(?P<quoted>%b)"
_OPEN = rb'(?P<text>")|(?P<expansion>\$\{)'
_SUBSTITUTION = rb"(?P<substitution>\$\(|`)"
_CODE = (
    _ESCAPE,
    _QUOTED % (_SINGLE + b"|" + _DOUBLE),
    rb"\$\{[^{}'\"\\`$]*+\}",
    _OPEN,
    rb"(?P<comment>#(?<![^ \t\n;&|()<>`]#)[^\n]*+)",
    rb"<<<",
    rb"<<(?P<tabs>-?)[ \t]*+(?P<here_document>(?:[^ \t\n\\'\"|&;()<>`]|\\.|'[^'\n]*+'|\"[^\"\n]*+\")++)",
)
_TOKENS = {
    _FILE: _CODE,
    _PARENTHESES: (*_CODE, rb"(?P<opens>\()|(?P<closes>\))|(?P<keyword>case(?=[ \t\n\\])|esac(?![^ \t\n;&|()<>]))"),
    _BACK_QUOTES: (*_CODE, rb"(?P<closes>`)"),
    _TEXT: (_ESCAPE, rb'(?P<closes>")|(?P<expansion>\$\{)', _SUBSTITUTION),
    _EXPANSION: (_ESCAPE, _QUOTED % _SINGLE, _OPEN, _SUBSTITUTION, rb"(?P<closes>\})"),
    _DEFAULT: (_ESCAPE, _OPEN, _SUBSTITUTION, rb"(?P<closes>\})"),
}
_NEXT = {level: re.compile(b"|".join(tokens), re.DOTALL) for level, tokens in _TOKENS.items()}
# While a here-document waits for its body, line ends count: the body starts after the next one that no quotes hold.
_NEXT_OR_LINE_END = {
    level: re.compile(b"|".join((*_TOKENS[level], rb"(?P<line_end>\n)")), re.DOTALL)
    for level in (_FILE, _PARENTHESES, _BACK_QUOTES)
} | {level: _NEXT[level] for level in (_TEXT, _EXPANSION, _DEFAULT)}

_GIVES_DEFAULT = re.compile(rb"\$\{[!#]?(?:\w+|[@*#?$!-])(?:\[[^\]\n]*+\])?+:?+[-=?+]")
_QUOTES_OF_WORD = re.compile(rb"\\(.)|['\"]", re.DOTALL)
# What may stand before a keyword; anywhere else, `case` is a word.
_BEFORE_KEYWORD = tuple(b"\n ; & | ( { ` !".split(b" ")) + tuple(
    separator + word for separator in (b" ", b"\t", b"\n", b";") for word in b"do then else if elif while until".split()
)
_NEAR = 200  # bytes that are looked back at to tell a shift from a here-document, and a keyword from a word


class _Level:
    __slots__ = ("cases", "kind", "literal", "parentheses")

    def __init__(self, kind: int, *, literal: bool) -> None:
        self.kind = kind
        self.literal = literal  # what stands here is part of a word in double quotes
        self.parentheses = 0  # open ones, beside that of the level itself
        self.cases = 0  # `case` words without their `esac`: a closing parenthesis then ends a pattern


class _Reader:
    """One pass over a file: `found` are the spans, `_on_*` what a token of that name does."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.found: list[Span] = []
        self.levels = [_Level(_FILE, literal=False)]
        self.waiting: list[tuple[bytes, bool]] = []  # delimiters of the here-documents whose bodies are to come
        self.literal = 0  # start of the text in double quotes that we are inside of
        self.position = 0  # end of the token

    def read(self) -> Iterator[Span]:
        while match := (_NEXT_OR_LINE_END if self.waiting else _NEXT)[self.levels[-1].kind].search(
            self.text, self.position
        ):
            self.position = match.end()
            if match.lastgroup:
                _ACTIONS[match.lastgroup](self, match)
                yield from self.found
                self.found.clear()
        self._end_literal(len(self.text))
        yield from self.found

    def _end_literal(self, end: int) -> None:
        if self.levels[-1].literal and self.literal < end:
            self.found.append((self.literal, end, STRING))

    def _on_quoted(self, match: re.Match[bytes]) -> None:
        if not self.levels[-1].literal:
            self.found.append((*match.span(), STRING))

    def _on_comment(self, match: re.Match[bytes]) -> None:
        start = match.start()
        if not _continues_word(self.text, start):
            shebang = not start and self.text.startswith(b"#!")
            self.found.append((*match.span(), SHEBANG if shebang else COMMENT))

    def _on_text(self, match: re.Match[bytes]) -> None:
        if not self.levels[-1].literal:
            self.literal = match.start()
        self.levels.append(_Level(_TEXT, literal=True))

    def _on_expansion(self, match: re.Match[bytes]) -> None:
        literal = self.levels[-1].literal
        default = literal and _GIVES_DEFAULT.match(self.text, match.start())
        self.levels.append(_Level(_DEFAULT if default else _EXPANSION, literal=literal))

    def _on_substitution(self, match: re.Match[bytes]) -> None:
        self._end_literal(match.start())
        self.levels.append(_Level(_BACK_QUOTES if match[0] == b"`" else _PARENTHESES, literal=False))

    def _on_opens(self, _match: re.Match[bytes]) -> None:
        self.levels[-1].parentheses += 1

    def _on_closes(self, _match: re.Match[bytes]) -> None:
        level = self.levels[-1]
        if level.parentheses:
            level.parentheses -= 1
        elif not level.cases:
            inside = self.levels.pop().literal
            if inside and not self.levels[-1].literal:
                self.found.append((self.literal, self.position, STRING))
            elif not inside:
                self.literal = self.position

    def _on_keyword(self, match: re.Match[bytes]) -> None:
        start = match.start()
        before = self.text[max(0, start - _NEAR) : start].rstrip(b" \t")
        if before.endswith(_BEFORE_KEYWORD):
            level = self.levels[-1]
            level.cases = max(0, level.cases + (1 if match[0] == b"case" else -1))

    def _on_here_document(self, match: re.Match[bytes]) -> None:
        if not _is_shift(self.text, match.start()):
            delimiter = _QUOTES_OF_WORD.sub(rb"\1", match["here_document"])
            self.waiting.append((delimiter, bool(match["tabs"])))

    def _on_line_end(self, _match: re.Match[bytes]) -> None:
        for delimiter, tabs in self.waiting:
            end = here_document_end(self.text, self.position, delimiter, tabs=tabs)
            if end > self.position:
                self.found.append((self.position, end, HERE_DOCUMENT))
            self.position = end
        self.waiting.clear()


_ACTIONS: Mapping[str, Callable[[_Reader, re.Match[bytes]], None]] = {
    name.removeprefix("_on_"): action for name, action in vars(_Reader).items() if name.startswith("_on_")
}


def _continues_word(text: bytes, start: int) -> bool:
    """Whether a backslash before the line end joins a ``#`` to the word on the line before."""
    return text[max(0, start - 2) : start] == b"\\\n" and text[start - 3 : start - 2] not in b" \t\n;&|()<>`"


def _is_shift(text: bytes, start: int) -> bool:
    near = max(0, start - _NEAR)
    opened = max(text.rfind(b"((", near, start), text.rfind(b"$[", near, start))
    return opened > max(text.rfind(b"))", near, start), text.rfind(b"]", near, start))


def here_document_end(text: bytes, start: int, delimiter: bytes, *, tabs: bool) -> int:
    """Past the line that is the delimiter, from the start of the body on."""
    found = text.find(delimiter + b"\n", start)
    while found >= 0:
        begin = found
        while tabs and text[begin - 1] == ord("\t"):
            begin -= 1
        if text[begin - 1] == ord("\n"):
            return found + len(delimiter) + 1
        found = text.find(delimiter + b"\n", found + 1)
    return len(text)


SHELL = Scanner("shell", lambda text: _Reader(text).read())
