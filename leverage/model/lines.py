"""Line classes: what one physical line is, and how many there are of each.

A physical line ends at LF, CRLF or a lone CR; bytes after the last line end are a line of their own. Every physical
line has exactly one class, so the classes of a file add up to its physical lines.

Strings and documentation have finer classes, ``..._like_...``: lines that a counter without a lexer takes for something
else. They are counted as what they are; that they are told apart lets one scan say what such a counter says.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from operator import add, attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class LineClass(IntEnum):
    """The one class of a physical line; the values are stable and index `LineCounts`."""

    CODE = 0
    STRING = 1
    BRACKET = 2
    DOCUMENTATION = 3
    COMMENT = 4
    DIRECTIVE = 5
    INACTIVE = 6
    SHEBANG = 7
    BLANK = 8
    BLANK_IN_DOCUMENTATION = 9
    BLANK_IN_STRING = 10
    STRING_LIKE_DOCUMENTATION = 11
    STRING_LIKE_COMMENT = 12
    STRING_LIKE_BRACKET = 13
    DOCUMENTATION_LIKE_COMMENT = 14
    DOCUMENTATION_LIKE_BRACKET = 15

    @property
    def coarse(self) -> LineClass:
        """What the line is, whatever a counter without a lexer takes it for."""
        return LineClass[self.name.partition("_LIKE_")[0]]

    @property
    def label(self) -> str:
        """The name used in tables and JSON, such as ``blank_in_string``."""
        return self.name.lower()

    @property
    def meaning(self) -> str:
        """One sentence that defines the class."""
        return MEANINGS[self]


MEANINGS: dict[LineClass, str] = {
    LineClass.CODE: "at least one token of the language that is not a comment, a bracket, or only literal text",
    LineClass.STRING: "only literal text: the inside or the ends of a string that is part of an expression",
    LineClass.BRACKET: "only opening or closing brackets and separators, or a lone `pass`",
    LineClass.DOCUMENTATION: "a docstring, a bare string statement, a documentation block or prose",
    LineClass.COMMENT: "only comment",
    LineClass.DIRECTIVE: "a comment that drives a compiler test, such as RUN or CHECK lines",
    LineClass.INACTIVE: "inside a branch that the preprocessor can never take, such as `#if 0`",
    LineClass.SHEBANG: "the `#!` line at the head of a script",
    LineClass.BLANK: "only white space, outside any literal",
    LineClass.BLANK_IN_DOCUMENTATION: "only white space, inside documentation",
    LineClass.BLANK_IN_STRING: "only white space, inside a string that is part of an expression",
    LineClass.STRING_LIKE_DOCUMENTATION: "text between three quotes that is part of an expression, hence no docstring",
    LineClass.STRING_LIKE_COMMENT: "text of a literal that starts with the mark of a comment",
    LineClass.STRING_LIKE_BRACKET: "text of a literal that holds only brackets and separators",
    LineClass.DOCUMENTATION_LIKE_COMMENT: "text of a description that starts with the mark of a comment",
    LineClass.DOCUMENTATION_LIKE_BRACKET: "text of a description that holds only brackets and separators",
}


@dataclass(frozen=True, slots=True)
class LineCounts:
    """Number of physical lines of each class (unit: lines). Adds with ``+``."""

    code: int = 0
    string: int = 0
    bracket: int = 0
    documentation: int = 0
    comment: int = 0
    directive: int = 0
    inactive: int = 0
    shebang: int = 0
    blank: int = 0
    blank_in_documentation: int = 0
    blank_in_string: int = 0
    string_like_documentation: int = 0
    string_like_comment: int = 0
    string_like_bracket: int = 0
    documentation_like_comment: int = 0
    documentation_like_bracket: int = 0

    @classmethod
    def of(cls, classes: bytes | bytearray) -> LineCounts:
        """Count a sequence that holds one `LineClass` value per physical line."""
        return cls(*(classes.count(value) for value in range(len(LineClass))))

    @property
    def physical(self) -> int:
        """All physical lines: the sum over the classes."""
        return sum(_COUNTS(self))

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers in the order of the classes, as `FIELDS` names them."""
        return _COUNTS(self)

    def __getitem__(self, line_class: LineClass) -> int:
        value: int = getattr(self, line_class.label)
        return value

    def __add__(self, other: LineCounts) -> LineCounts:
        return LineCounts(*map(add, _COUNTS(self), _COUNTS(other)))


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(LineCounts))
_COUNTS: Callable[[LineCounts], tuple[int, ...]] = attrgetter(*FIELDS)  # `astuple` takes ten times as long
