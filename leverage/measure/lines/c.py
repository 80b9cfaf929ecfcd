"""C and its relatives: C, C++, CUDA, HIP, Objective-C, OpenCL.

The lexer follows translation phases 2 and 3: spliced lines are joined first (`Splices`), then comments, string and
character literals are found, and what they hide is not looked at. Raw strings undo splices, as the standard has it. An
unclosed quote ends with its line, as in clang and GCC, so the apostrophe in ``#error don't`` harms nothing. A line that
holds nothing but the backslash of a splice is ``bracket``, as a separator; behind a comment the backslash is nothing.

Branches that can never be taken are ``inactive``: the body of ``#if 0`` and of ``#elif 0``, and every branch after
``#if 1``. Only a condition that is a single integer literal or ``false`` (in parentheses or not) is judged: anything
longer depends on a build, and ``true`` is 0 in C before C23. The directives of such a conditional are code, for they
are read; nested ones are inactive. Comments in an inactive branch stay comments, blank lines stay blank.

Documentation comments are comments: docs/decisions/0010. Not supported: trigraphs (gone from C++17 and C23, off by
default in compilers), the digraph ``%:`` before a condition, a comment between ``#`` and ``if``.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, STRING, WHITE, Rule, Scanner, Span
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

INACTIVE = Rule("inactive", LineClass.INACTIVE, "inside a branch that the preprocessor can never take")
CHARACTER = Rule("character", LineClass.STRING, "a character literal")
RAW_STRING = Rule("raw_string", LineClass.STRING, "text of a raw string", blank=LineClass.BLANK_IN_STRING)
DIRECTIVE = Rule("conditional", LineClass.CODE, "a conditional of the preprocessor")

BLOCK_COMMENT = rb"/\*[^*]*+(?:\*+(?!/)[^*]*+)*+(?:\*/)?"  # an unclosed one reaches the end of the text
LINE_COMMENT = rb"//[^\n]*+"
QUOTED = rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+[\\"]?'  # an unclosed one ends with its line
APOSTROPHED = QUOTED.replace(b'"', b"'")

# Every alternative starts with a literal byte: only then does `re` skip ahead by one set of bytes.
_LINE_COMMENT, _BLOCK_COMMENT, _PREFIXED, _QUOTED, _SUFFIXED, _CHARACTER, _DIRECTIVE, _HEADER = range(1, 9)
_TOKEN = re.compile(
    rb"/(?:" + LINE_COMMENT[1:] + rb"()|" + BLOCK_COMMENT[1:] + rb"())"
    rb'|"(?:(?<=[LuU8R@]")()|' + QUOTED[1:] + rb"())"
    rb"|'(?:(?<=[\w]')()|" + APOSTROPHED[1:] + rb"())"
    rb"|\#[ \t\f\v]*+(?:((?:el)?if(?:n?def)?\b|else\b|endif\b)|(?:include(?:_next)?|import)[ \t\f\v]*+<([^>\n]*+)>?)"
)
_WORD_BEFORE = re.compile(rb"(?<![\w$\x80-\xff])(?:u8|[LuU@]|((?:u8|[LuU])?R))\Z")
_RAW_OPENING = re.compile(rb'"([^ ()\\\t\v\f\n]{0,16}+)\(')
_PLAIN = {b'"': re.compile(QUOTED), b"'": re.compile(APOSTROPHED)}
_NUMBER = re.compile(rb"\.?[0-9]")
_REST_OF_NUMBER = re.compile(rb"(?:'?[\w.])*+")
_WORD_BYTES = bytes(byte for byte in range(256) if not chr(byte).isascii() or chr(byte).isalnum() or byte in b"_.$")
_SPLICE = re.compile(rb"\\[ \t\f\v]*+\n")
_SPLICE_BEHIND = re.compile(rb"[ \t\f\v]*+\\[ \t\f\v]*+\n")
_ASIDE = rb"/\*(?:[^*\n]|\*(?!/)){0,400}+\*/"  # a comment inside a condition; bounded, for many may be left unclosed
_CONSTANT = re.compile(
    rb"\#[ \t\f\v]*+(?:el)?if(?:[ \t\f\v(]|" + _ASIDE + rb")++"
    rb"(?:(0[xXbB]?[0']*+|false)|0[xXbB][0-9a-fA-F']++|[0-9][0-9']*+)[uUlLzZ]*+"
    rb"(?:[ \t\f\v)]|" + _ASIDE + rb")*+(?=\n|//|/\*|\Z)"
)


class Splices:
    """A text without its line splices (phase 2), and the way back from its positions to the text's.

    Attributes:
        text: the logical text; the physical text itself when it has no splice.
    """

    __slots__ = ("_logical", "_removed", "original", "text")

    def __init__(self, original: bytes) -> None:
        self.original = original
        self._logical = array("I")  # where each splice was, in the logical text; no text has 4 GB
        self._removed = array("I", [0])  # bytes removed before and with it
        joined = bytearray()
        position = 0
        if b"\\" in original:
            for match in _SPLICE.finditer(original):
                joined += original[position : match.start()]
                position = match.end()
                self._logical.append(match.start() - self._removed[-1])
                self._removed.append(self._removed[-1] + match.end() - match.start())
        self.text = bytes(joined + original[position:]) if self._logical else original

    def __bool__(self) -> bool:
        return bool(self._logical)

    def physical(self, position: int) -> int:
        """Where the byte at a position of the logical text stands in the original."""
        return position + self._removed[bisect_right(self._logical, position)]

    def find(self, needle: bytes, position: int) -> int:
        """Find in the original from a logical position on: the logical end of the hit, or of the text."""
        if not self._logical:
            found = self.text.find(needle, position)
            return len(self.text) if found < 0 else found + len(needle)
        found = self.original.find(needle, self.physical(position))
        if found < 0:
            return len(self.text)
        end = found + len(needle)
        # Where the n-th splice ends in the original: what was removed up to it, behind where it was.
        removed, logical = self._removed, self._logical
        before = bisect_right(range(len(logical)), end, key=lambda n: logical[n] + removed[n + 1])
        return end - removed[before]

    def original_spans(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Spans of the logical text as spans of the original; a splice behind a comment is white space."""
        white = 0
        for logical_start, logical_end, rule in spans:
            start = max(self.physical(logical_start), white)
            end = self.physical(logical_end - 1) + 1
            if start < end:
                yield start, end, rule
            if rule is COMMENT and (splice := _SPLICE_BEHIND.match(self.original, end)):
                white = splice.end()
                yield end, white, WHITE


def c_spans(text: bytes) -> Iterable[Span]:
    """The spans of C-family text that are not plain code."""
    joined = Splices(text)
    spans: Iterable[Span] = _tokens(joined)
    if _CONSTANT.search(joined.text):
        # A second walk rather than a list: a hostile file has a span for every few bytes.
        regions = _dead_regions(joined.text, (span for span in _tokens(joined) if span[2] is DIRECTIVE))
        spans = _with_inactive(spans, regions)
    return joined.original_spans(spans) if joined else spans


def _tokens(joined: Splices) -> Iterator[Span]:
    """Comments, literals and conditional directives of the logical text."""
    text = joined.text
    search = _TOKEN.search
    position = 0
    at_head = True  # only white space and comments so far on the logical line that `position` stands on
    while found := search(text, position):
        start, end = found.span()
        kind = found.lastindex
        if kind == _LINE_COMMENT:
            yield start, end, COMMENT
        elif kind == _QUOTED:
            yield start, end, STRING
            at_head = False
        elif kind == _BLOCK_COMMENT:
            at_head = is_head(text[position:start], at_head)
            yield start, end, COMMENT
        elif kind == _DIRECTIVE:
            if is_head(text[position:start], at_head):
                yield start, end, DIRECTIVE
            at_head = False
        elif kind == _CHARACTER:
            yield start, end, CHARACTER
            at_head = False
        elif kind == _HEADER:
            at_head = False
        else:
            start, end, rule = _prefixed(joined, position, start)
            if rule is not None:
                yield start, end, rule
            at_head = False
        position = end


def is_head(gap: bytes, at_head: bool) -> bool:  # noqa: FBT001
    """Whether only white space stands between the start of the logical line and the end of a gap."""
    line_end = gap.rfind(b"\n")
    return (at_head or line_end >= 0) and not gap[line_end + 1 :].strip()


def _prefixed(joined: Splices, previous: int, quote: int) -> tuple[int, int, Rule | None]:
    """A quote that touches a word: raw string, literal with an encoding prefix, digit separator, or a plain literal."""
    text = joined.text
    mark = text[quote : quote + 1]
    stem = text[previous:quote]
    if mark == b"'" and _NUMBER.match(stem, len(stem.rstrip(_WORD_BYTES))):
        rest = _REST_OF_NUMBER.match(text, quote)
        return quote, max(quote + 1, rest.end() if rest else 0), None
    word = _WORD_BEFORE.search(stem, max(0, len(stem) - 4))
    start = quote - len(word[0]) if word else quote
    if word and word[1] and (opening := _RAW_OPENING.match(text, quote)):
        return start, joined.find(b")" + opening[1] + b'"', opening.end()), RAW_STRING
    literal = _PLAIN[mark].match(text, quote)
    return start, literal.end() if literal else quote + 1, STRING if mark == b'"' else CHARACTER


def _dead_regions(text: bytes, directives: Iterable[Span]) -> Iterator[tuple[int, int]]:
    """Where branches stand that are never taken: from the end of one directive's line to the start of another's."""
    certain: list[bool] = []  # for each open conditional: has a branch been taken for sure
    dead = -1  # where the dead branch that we are in starts; -1 outside
    depth = 0  # conditionals open inside the dead branch
    for start, end, _ in directives:
        keyword = text[start:end].lstrip(b"# \t\f\v")
        if dead >= 0 and keyword.startswith(b"if"):
            depth += 1
        elif dead >= 0 and depth:
            depth -= keyword == b"endif"
        else:
            if dead >= 0:
                yield dead, text.rfind(b"\n", dead, start) + 1
            dead = -1
            if _enters_dead_branch(text, start, keyword, certain):
                dead = text.find(b"\n", end) + 1 or len(text)
    if dead >= 0:
        yield dead, len(text)


def _enters_dead_branch(text: bytes, start: int, keyword: bytes, certain: list[bool]) -> bool:
    """Follow one conditional directive of an active region; whether the branch that it opens is dead."""
    if keyword == b"endif":
        del certain[-1:]
        return False
    if keyword.startswith(b"if"):
        certain.append(False)
    elif not certain:  # an `#else` without an `#if`
        return False
    elif certain[-1]:
        return True
    constant = _CONSTANT.match(text, start)
    if constant is None:
        return False
    if constant[1] is None:
        certain[-1] = True
    return constant[1] is not None


def _with_inactive(spans: Iterable[Span], regions: Iterable[tuple[int, int]]) -> Iterator[Span]:
    """Paint dead regions over gaps and literals. Comments stay: alone on a line they are comments."""
    waiting = iter(spans)
    span = next(waiting, None)
    for region, region_end in regions:
        position = region
        while span and span[0] < region_end:
            start, end, rule = span
            if start < region or rule is COMMENT:
                if position < start:
                    yield position, start, INACTIVE
                yield span
                position = max(region, end)
            span = next(waiting, None)
        if position < region_end:
            yield position, region_end, INACTIVE
    if span:
        yield span
    yield from waiting


C = Scanner("c", c_spans)
