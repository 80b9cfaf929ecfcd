"""The line rule and the contract that every scanner follows.

A scanner is a `Scanner`: a name and one function ``spans(text)`` that finds the tokens which are *not* plain code. It
yields ``(start, end, rule)`` with ``0 <= start < end <= len(text)``, in ascending order and without overlap. Everything
between two spans is a gap, and a gap is code, brackets or white space byte by byte. `Scanner.scan` turns spans and gaps
into one class per physical line, `Scanner.explain` says which token and which rule decided; both run the same spans, so
an explanation can't differ from the count. A module of a family exports its scanners as constants in capitals, such as
``PYTHON = Scanner("python", spans)``.

``text`` is never the raw file: line ends are LF alone and the last line has one (`normalize`), so a scanner's regular
expressions know one line end. ``spans`` must accept any bytes, must not raise, and must take linear time: use
possessive quantifiers, never look further back than the previous token, and never rescan what was scanned.

A rule may tell finer classes of its lines apart (`Rule.parts`): text that looks like a comment stays the string that it
is, in a class of its own. Spans stay whole, so whoever counts literals sees one.

A scanner for embedded text (a fence, a template, a code block) runs the inner scanner's ``spans`` on a slice and
shifts them into place: `shifted` does so. A span may also be `CODE` or `WHITE`, to paint over what a gap would be.

The rule, for one line, in order:

1. ``code`` when any token stands on it that is not one of the below; code beside a comment is code.
2. ``string`` when literal text of an expression stands on it, alone or beside brackets and separators. Hence the
   closing quotes of a long argument followed by ``)`` are ``string``: brackets add no meaning to the text. A literal
   with replacement fields (an f-string, a here-document with ``$x``) is one literal: a template, and so are its lines.
3. ``bracket`` when only ``( ) [ ] { } , ; :``, a continuing backslash, or a word that does nothing (``pass``) stands
   on it.
4. ``inactive``, 5. ``documentation``, 6. ``directive``, 7. ``comment``, 8. ``shebang``: in this order when tokens of
   several kinds share the line, so inactive code with a comment after it is ``inactive``, and the end of a docstring
   with a comment after it is ``documentation``.
9. a blank class when there is only white space (space, tab, form feed, vertical tab): that of the span around the line
   (`Rule.blank`), else ``blank``. A blank line in a block comment, in an inactive branch or between two paragraphs of
   prose is ``blank``: no literal holds it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from leverage.model.lines import LineClass

BLANK_CLASSES = (LineClass.BLANK, LineClass.BLANK_IN_DOCUMENTATION, LineClass.BLANK_IN_STRING)
PRECEDENCE = (
    LineClass.CODE,
    LineClass.STRING,
    LineClass.STRING_LIKE_DOCUMENTATION,
    LineClass.STRING_LIKE_COMMENT,
    LineClass.STRING_LIKE_BRACKET,
    LineClass.BRACKET,
    LineClass.INACTIVE,
    LineClass.DOCUMENTATION,
    LineClass.DOCUMENTATION_LIKE_COMMENT,
    LineClass.DOCUMENTATION_LIKE_BRACKET,
    LineClass.DIRECTIVE,
    LineClass.COMMENT,
    LineClass.SHEBANG,
)

_RANKED = tuple(each for each in PRECEDENCE if each < LineClass.STRING_LIKE_DOCUMENTATION)
_USUAL = (*_RANKED, *BLANK_CLASSES)

# The painted image of a file has one byte per byte of its text: a mark that says what the byte is part of, a space for
# white space, and one of three line ends that say what a blank line before them would be.
_MARKS = {**dict(zip(PRECEDENCE, b"cs345bid12!#h", strict=True)), LineClass.BLANK: ord(" ")}
_ENDS = dict(zip(BLANK_CLASSES, b"\nDT", strict=True))
_WHITE = b" \t\f\v"
_SEPARATORS = b"()[]{},;:\\"


def _table(mark: int, end: int, brackets: int) -> bytes:
    table = bytearray([mark]) * 256
    table[ord("\n")] = end
    for byte in _WHITE:
        table[byte] = ord(" ")
    for byte in _SEPARATORS:
        table[byte] = brackets
    return bytes(table)


@dataclass(frozen=True, slots=True)
class Rule:
    """Why a span has its class. Rules are module constants; one object per reason."""

    name: str  # short and stable, for tables: "docstring"
    line_class: LineClass
    reason: str  # one sentence for a reader who asks why
    blank: LineClass = LineClass.BLANK  # what a line of only white space inside the span is
    # Where in a span of a text finer rules stand, in order; None where all of it is alike.
    parts: Callable[[bytes, int, int], Iterable[Span]] | None = field(default=None, repr=False, compare=False)
    paint: bytes = field(init=False, repr=False, compare=False)  # translation table from text to image
    finer: bool = field(init=False, repr=False, compare=False)  # whether finer classes may stand in a span

    def __post_init__(self) -> None:
        mark = _MARKS[self.line_class]
        object.__setattr__(self, "paint", _table(mark, _ENDS[self.blank], mark))
        object.__setattr__(self, "finer", self.parts is not None or self.line_class not in _USUAL)


Span = tuple[int, int, Rule]
SpanFinder = Callable[[bytes], Iterable[Span]]

CODE = Rule("code", LineClass.CODE, "a token that is neither a comment, a bracket, nor only literal text")
STRING = Rule("string", LineClass.STRING, "literal text that is part of an expression", blank=LineClass.BLANK_IN_STRING)
BRACKET = Rule("bracket", LineClass.BRACKET, "only brackets, separators or a word that does nothing")
COMMENT = Rule("comment", LineClass.COMMENT, "only comment")
SHEBANG = Rule("shebang", LineClass.SHEBANG, "the first line of a script names its interpreter")
PROSE = Rule("prose", LineClass.DOCUMENTATION, "text written for a reader")
WHITE = Rule("blank", LineClass.BLANK, "only white space")
STRING_LIKE_COMMENT = Rule(
    "string like a comment", LineClass.STRING_LIKE_COMMENT, "literal text that starts with the mark of a comment"
)
STRING_LIKE_BRACKET = Rule(
    "string like a bracket", LineClass.STRING_LIKE_BRACKET, "literal text of only brackets and separators"
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one line has its class."""

    line: int  # counted from 1
    line_class: LineClass
    rule: str  # name of the rule that decided
    reason: str  # its sentence
    token: bytes  # the deciding token as far as it stands on this line; empty for a blank line
    column: int  # where that token starts, in bytes counted from 0


@dataclass(frozen=True, slots=True)
class Scanner:
    """One language family: the spans of its text that are not plain code."""

    name: str
    spans: SpanFinder

    def scan(self, data: bytes) -> bytearray:
        """One `LineClass` value per physical line of a file; never raises."""
        text = normalize(data)
        image = _Image()
        position = 0
        for start, end, rule in self.spans(text):
            image.paint(text, position, start, _GAPS)
            if rule.finer:
                image.finer = True
                for part_start, part_end, part in _finer(text, start, end, rule):
                    image.paint(text, part_start, part_end, part.paint)
            else:
                image.paint(text, start, end, rule.paint)
            position = end
        image.paint(text, position, len(text), _GAPS)
        return image.classes()

    def explain(self, data: bytes, line: int) -> Explanation:
        """Why a line (counted from 1) has its class.

        Raises:
            IndexError: the file has no such line.
        """
        text = normalize(data)
        start = 0
        for _ in range(line - 1):
            start = text.find(b"\n", start) + 1 or len(text)
        end = text.find(b"\n", start)
        if line < 1 or end < 0:
            raise IndexError(f"line {line} of {physical_lines(data)}")
        # Only what touches the line is kept: a hostile file has millions of spans.
        near = (span for span in self.spans(text) if span[0] <= end and span[1] > start)
        return _explain(text, [part for span in near for part in _finer(text, *span)], line, start, end)


def physical_lines(data: bytes) -> int:
    """Number of physical lines: ended by LF, CRLF or a lone CR; bytes after the last end are a line, no bytes none."""
    ends = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    return ends + (not data.endswith((b"\n", b"\r")) if data else 0)


def normalize(data: bytes) -> bytes:
    """The text that scanners see: LF line ends only, one after the last line too, no UTF-8 byte order mark."""
    if not data:
        return b""
    text = data.removeprefix(codecs.BOM_UTF8)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.endswith(b"\n") else text + b"\n"


def shifted(spans: Iterable[Span], offset: int) -> Iterator[Span]:
    """The spans of embedded text, as spans of the text that holds it."""
    return ((start + offset, end + offset, rule) for start, end, rule in spans)


def told_apart(mark: bytes, comment: Rule, brackets: Rule) -> Callable[[bytes, int, int], Iterator[Span]]:
    """The `Rule.parts` of literal text: the lines that start with ``mark``, and those of nothing but brackets.

    Args:
        mark: regular expression of what opens a comment in the language.
        comment: rule of lines that start so.
        brackets: rule of lines of only brackets and separators.
    """
    pattern = re.compile(rb"^[ \t\f\v]*+(?:(%b)[^\n]*+|[()\[\]{},:;][()\[\]{},:; \t\f\v]*+$)" % mark, re.MULTILINE)

    def parts(text: bytes, start: int, end: int) -> Iterator[Span]:
        for found in pattern.finditer(text, start, end):
            yield *found.span(), comment if found.lastindex else brackets

    return parts


def indented_block(text: bytes, position: int, indent: int) -> int:
    """The end of the lines from here on that start with `indent` spaces or more, with the blank lines between them."""
    match = _indented_lines(indent).match(text, position)
    return match.end() if match else position


@lru_cache(maxsize=64)
def _indented_lines(indent: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?:(?:[ \t]*+\n)*+ {%d}[ \t]*+[^ \t\n][^\n]*+\n)*+" % indent)


def _finer(text: bytes, start: int, end: int, rule: Rule) -> Iterator[Span]:
    """A span as its parts, with the rule itself where none of them stands."""
    for part_start, part_end, part in rule.parts(text, start, end) if rule.parts else ():
        if start < part_start:
            yield start, part_start, rule
        yield part_start, part_end, part
        start = part_end
    if start < end:
        yield start, end, rule


class _Image:
    """The painted text, turned into classes as whole lines of it are there: its size does not grow with the file."""

    __slots__ = ("_classes", "_pieces", "_size", "finer")

    def __init__(self) -> None:
        self.finer = False  # whether any mark of a finer class was painted
        self._classes = bytearray()
        self._pieces: list[bytes] = []
        self._size = 0

    def paint(self, text: bytes, start: int, end: int, table: bytes) -> None:
        """Paint the text from `start` to `end`, which follows on what was painted before."""
        while start < end:
            stop = min(end, start + _WINDOW)
            self._pieces.append(text[start:stop].translate(table))
            self._size += stop - start + _PIECE
            if self._size > _WINDOW:
                self._flush()
            start = stop

    def classes(self) -> bytearray:
        """One class for each line that was painted."""
        self._flush()
        return self._classes

    def _flush(self) -> None:
        image = b"".join(self._pieces).translate(None, b" ")
        whole = max(map(image.rfind, _ENDS_OF_LINES)) + 1
        line = _FINER_LINE if self.finer else _LINE
        groups = map(attrgetter("lastindex"), line.finditer(image, 0, whole))
        self._classes += bytearray(map(_LINE_CLASS_OF_GROUP[self.finer].__getitem__, groups))
        # Of a line that goes on it matters which marks it has, not how many or in which order.
        self._pieces = [bytes(sorted(set(image[whole:])))]
        self._size = len(self._pieces[0])


def _explain(text: bytes, spans: list[Span], line: int, start: int, end: int) -> Explanation:
    """Look up the first token of the winning class among the spans and gaps that touch the line."""
    found: list[Span] = []
    blank = WHITE
    position = 0
    for span_start, span_end, rule in [*spans, (len(text), len(text), WHITE)]:
        found.extend((a, b, CODE) for a, b in _words(text, _CODE_WORD, max(position, start), min(span_start, end)))
        found.extend((a, b, BRACKET) for a, b in _words(text, _BRACKETS, max(position, start), min(span_start, end)))
        found.extend((a, b, rule) for a, b in _words(text, _INK, max(span_start, start), min(span_end, end)))
        if span_start <= end < span_end:
            blank = rule
        position = span_end
    ranked = [span for span in found if span[2].line_class in PRECEDENCE]
    if not ranked:
        return Explanation(line, blank.blank, blank.name, f"only white space; around it: {blank.reason}", b"", 0)
    a, b, rule = min(ranked, key=lambda span: (PRECEDENCE.index(span[2].line_class), span[0]))
    return Explanation(line, rule.line_class, rule.name, rule.reason, text[a:b], a - start)


def _words(text: bytes, pattern: re.Pattern[bytes], start: int, end: int) -> Iterator[tuple[int, int]]:
    if start < end:
        yield from (match.span() for match in pattern.finditer(text, start, end))


_GAPS = _table(_MARKS[LineClass.CODE], _ENDS[LineClass.BLANK], _MARKS[LineClass.BRACKET])
_CODE_WORD = re.compile(rb"[^ \t\f\v\n()\[\]{},;:\\]++")
_BRACKETS = re.compile(rb"[()\[\]{},;:\\]++")
_INK = re.compile(rb"[^ \t\f\v\n](?:[^\n]*[^ \t\f\v\n])?+")  # from the first to the last byte that is not white space
_END = b"\nDT"
_ENDS_OF_LINES = (b"\n", b"D", b"T")
_WINDOW = 2**20  # bytes of image at a time
_PIECE = 40  # bytes that a piece takes beside its text


def _line(ranked: tuple[LineClass, ...]) -> re.Pattern[bytes]:
    """A line of the image; the group that matched is the first class that has a mark on it, or that of its end."""
    return re.compile(
        b"(?:"
        + b"|".join(b"[^%c%b]*+(%c)" % (_MARKS[c], _END, _MARKS[c]) for c in ranked)
        + b")[^%b]*+[%b]|" % (_END, _END)
        + b"|".join(b"(%c)" % _ENDS[c] for c in BLANK_CLASSES)
    )


_LINE = _line(_RANKED)
_FINER_LINE = _line(PRECEDENCE)  # slower, for files that have such lines
_LINE_CLASS_OF_GROUP: tuple[tuple[int, ...], ...] = (
    (0, *_RANKED, *BLANK_CLASSES),
    (0, *PRECEDENCE, *BLANK_CLASSES),
)
