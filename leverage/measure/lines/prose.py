"""Markdown and reStructuredText: prose is documentation, embedded code is counted by the scanner of its language.

Rules beyond `base`:

- Everything is ``documentation`` but comments and embedded code; blank lines between paragraphs are ``blank``.
- Code is embedded when its language is stated and known: in a fence by its info string, in a ``code-block`` (``code``,
  ``sourcecode``) directive by its argument. The lines of the fence or directive itself are documentation, as is code of
  no stated or no known language, indented code, and prose within prose.
- Markdown: an HTML comment that starts a line is ``comment``; metadata between ``---`` at the head of the file is YAML.
- reStructuredText: ``..`` and what is indented under it is ``comment`` unless it is a directive, a target, a footnote,
  a citation or a substitution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from leverage.measure.lines.base import COMMENT, PROSE, Scanner, Span, indented_block, shifted

Lookup = Callable[[str], Scanner | None]  # from the name of a language, as authors write it, to its scanner

_EMBED = ("markdown", "rst")  # scanners that hold others: nested text could nest them without bound

_FRONT_MATTER = re.compile(rb"---[ \t]*\n(?P<yaml>[ \t]*[\w-]++[ \t]*:.*?\n)(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_MARKDOWN = re.compile(
    rb"^[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?+"  # a fence may be the first thing in a list item
    rb"(?:(?P<ticks>`{3,}+)(?P<info>[^`\n]*+)|(?P<tildes>~{3,}+)(?P<free_info>[^\n]*+))\n"
    rb"|^[ \t]*+(?P<comment><!--(?:.*?-->|.*+))",
    re.DOTALL | re.MULTILINE,
)
_RST = re.compile(
    rb"^(?P<indent>[ \t]*+)(?:"
    rb"\.\.(?=[ \n])[ \t]*+(?:"
    rb"(?P<code>code|code-block|sourcecode)::[ \t]++(?P<language>[^ \t\n]++)[^\n]*+"
    rb"|(?P<other>[_\[|]|\w(?:[\w+.-]|:(?!:))*+[ ]?::(?=[ \n]))[^\n]*+"
    rb"|(?P<comment>)[^\n]*+"
    rb")"
    rb"|(?P<literal>)(?!\.\.[ \n])[^\n]*+(?<=::)"  # code of no stated language: what looks like a comment there is none
    rb")\n",
    re.MULTILINE,
)
_RST_OPTIONS = re.compile(rb"(?:[ \t]++:[^\n]*+\n)*+")
_BLANK_LINE = re.compile(rb"[ \t]*\n")
_LANGUAGE = re.compile(rb"[\w+#-][\w+#.-]*+")
_DIRECTIVES = (b"code-block", b"code-cell", b"code", b"sourcecode")  # as in ```{code-block} python


def _markdown(lookup: Lookup, text: bytes) -> Iterator[Span]:
    position = 0  # start of the prose that was not yet given
    front = _FRONT_MATTER.match(text)
    if front:
        yield from _embedded(text, 0, front.span("yaml"), lookup("yaml"))
        position = front.end("yaml")
    at = front.end() if front else 0
    while match := _MARKDOWN.search(text, at):
        if match["comment"]:
            start, at = match.span("comment")
            if position < start:
                yield position, start, PROSE
            yield start, at, COMMENT
            position = at
            continue
        closing = _closing_fence(match["ticks"] or match["tildes"]).search(text, match.end())
        end, at = closing.span() if closing else (len(text), len(text))
        scanner = lookup(_language(match["info"] or match["free_info"] or b""))
        yield from _embedded(text, position, (match.end(), end), scanner)
        position = end
    if position < len(text):
        yield position, len(text), PROSE


@lru_cache(maxsize=64)
def _closing_fence(opening: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"^[ \t]*+%c{%d,}+[ \t]*\n" % (opening[0], len(opening)), re.MULTILINE)


def _language(info: bytes) -> str:
    words = [match[0].lower() for match, _ in zip(_LANGUAGE.finditer(info), range(2), strict=False)]
    if info.lstrip().startswith(b"{") and words[:1] and words[0] in _DIRECTIVES:
        words = words[1:]
    return words[0].decode(errors="replace") if words else ""


def _rst(lookup: Lookup, text: bytes) -> Iterator[Span]:
    position = 0  # start of the prose that was not yet given
    at = 0
    while match := _RST.search(text, at):
        at = match.end()
        if match["other"]:
            continue
        end = indented_block(text, at, len(match["indent"]) + 1)
        if match["code"]:
            options = _RST_OPTIONS.match(text, at)
            start = options.end() if options else at
            if start < end:
                yield from _embedded(text, position, (start, end), lookup(_language(match["language"])))
                position = end
        elif match["comment"] is not None:
            start = match.end("indent")
            if text.startswith(b"..\n", start) and _BLANK_LINE.match(text, at):
                end = at  # an empty comment leaves alone what is indented after it
            if position < start:
                yield position, start, PROSE
            yield start, end, COMMENT
            position = end
        at = end
    if position < len(text):
        yield position, len(text), PROSE


def _embedded(text: bytes, prose: int, code: tuple[int, int], scanner: Scanner | None) -> Iterator[Span]:
    """Prose from `prose` on, then code; all of it prose when no scanner knows the code."""
    start, end = code
    if scanner is None or scanner.name in _EMBED:
        yield prose, end, PROSE
        return
    yield prose, start, PROSE
    yield from shifted(scanner.spans(text[start:end]), start)


def markdown(lookup: Lookup) -> Scanner:
    """The scanner of Markdown, whose fences are counted by the scanners that `lookup` gives."""
    return Scanner("markdown", partial(_markdown, lookup))


def rst(lookup: Lookup) -> Scanner:
    """The scanner of reStructuredText, whose code directives are counted by the scanners that `lookup` gives."""
    return Scanner("rst", partial(_rst, lookup))
