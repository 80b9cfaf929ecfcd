"""Makefile and Dockerfile: both hold shell commands that they pass on unread.

Rules beyond `base`:

- Makefile: ``#`` opens a comment anywhere but after a backslash, and a backslash at its end carries it on to the next
  line. In a recipe (a line that starts with a tab) the shell reads the ``#``: it is a comment at the start of the line,
  for that line. Everything else is code, in a ``define`` too.
- Dockerfile: ``#`` opens a comment only at the start of a line, also between the continued lines of an instruction; a
  parser directive is one. The body of a here-document is ``string``, or a shell script where ``RUN`` has nothing else
  to run. Everything else is code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, Scanner, shifted
from leverage.measure.lines.shell import HERE_DOCUMENT, SHELL, here_document_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span

_MAKE = re.compile(
    rb"^\t(?:[ \t]*+(?P<recipe>#[^\n]*+)|(?:[^\\\n]++|\\.)*+)|(?P<make>#(?:[^\\\n]++|\\.)*+)|\\.",
    re.DOTALL | re.MULTILINE,
)


def _make(text: bytes) -> Iterator[Span]:
    for match in _MAKE.finditer(text):
        if match.lastgroup:
            start, end = match.span(match.lastgroup)
            yield start, end, COMMENT if start or not text.startswith(b"#!") else SHEBANG


_ESCAPE = re.compile(rb"(?:#[^\n]*\n)*?#[ \t]*escape[ \t]*=[ \t]*(`)", re.IGNORECASE)
_READS_TEXT = re.compile(rb"[ \t]*(?:ONBUILD[ \t]+)?(?:RUN|COPY|ADD)[ \t]", re.IGNORECASE)
_RUNS_TEXT = re.compile(rb"[ \t]*RUN[ \t]+(?:--[^ \t\n]+[ \t]+)*<<", re.IGNORECASE)
_HERE = re.compile(
    rb"'[^'\n]*+'|\"(?:[^\"\\\n]++|\\.)*+\"|\\."
    rb"|<<(?<![^ \t0-9]<<)(?P<tabs>-?)(?P<quote>['\"]?)(?P<delimiter>[\w.-]++)(?P=quote)"
)


def _dockerfile(text: bytes) -> Iterator[Span]:
    escape = b"`" if _ESCAPE.match(text) else b"\\"
    reads_text = runs_text = False  # whether the instruction may have here-documents, and runs them itself
    continued = False
    waiting: list[tuple[bytes, bool]] = []  # delimiters of the here-documents whose bodies are to come
    position = 0
    while position < len(text):
        end = text.find(b"\n", position) + 1
        line = text[position:end].strip()
        if line.startswith(b"#"):
            yield position, end, COMMENT
        elif line or not continued:
            if not continued:
                reads_text = bool(_READS_TEXT.match(text, position))
                runs_text = bool(_RUNS_TEXT.match(text, position))
            if reads_text:
                found = (match for match in _HERE.finditer(line) if match.lastgroup)
                waiting.extend((match["delimiter"], bool(match["tabs"])) for match in found)
            continued = line.endswith(escape)
            if not continued:
                for delimiter, tabs in waiting:
                    start, end = end, here_document_end(text, end, delimiter, tabs=tabs)
                    if runs_text:
                        last = text.rfind(b"\n", start, end - 1) + 1 or start
                        yield from shifted(SHELL.spans(text[start:last]), start)
                        start = last
                    if start < end:
                        yield start, end, HERE_DOCUMENT
                waiting.clear()
        position = end


MAKE = Scanner("make", _make)
DOCKERFILE = Scanner("dockerfile", _dockerfile)
