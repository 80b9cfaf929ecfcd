"""Published ways of adding line classes up, as projections of one scan.

A convention says of every line class whether it is code, documentation, comment or blank, with exceptions for some
languages, and which languages it knows at all. So one scan answers under each of them, and the distance between two
conventions is a sum of classes that can be named. What a tool refuses to look at (hidden folders, duplicates, its own
screening) is file selection, not a convention, and is not imitated here. `docs/conventions.md` has the agreement with
the real tools, measured, and the causes of what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from types import MappingProxyType

from leverage.measure.languages import Kind, languages
from leverage.model.lines import LineClass, LineCounts


class Part(Enum):
    """What a convention calls a line."""

    CODE = "code"
    DOCUMENTATION = "documentation"
    COMMENT = "comment"
    BLANK = "blank"


Treatment = Mapping[LineClass, Part]


@dataclass(frozen=True, slots=True)
class Projected:
    """The lines of a file or a sum of files under one convention (unit: lines); the four add up to physical lines."""

    code: int = 0
    documentation: int = 0
    comment: int = 0
    blank: int = 0

    def __add__(self, other: Projected) -> Projected:
        return Projected(
            self.code + other.code,
            self.documentation + other.documentation,
            self.comment + other.comment,
            self.blank + other.blank,
        )


@dataclass(frozen=True, slots=True)
class Convention:
    """One published rule.

    Attributes:
        id: name used in options, tables and denominators.
        title: heading for people.
        definition: what a line of code is under it, in a sentence or two.
        source: whose rule it is and which version was compared.
        counter: name of the tool in `Language.known_to`; empty where every language has an answer.
        treatment: what each line class is.
        exceptions: language id, or kind of language, -> what differs there; the id wins.
        withheld: languages that the tool counts by something other than the class of a line, so that no sum of classes
            stands for it; the convention then says nothing rather than something wrong.
    """

    id: str
    title: str
    definition: str
    source: str
    counter: str
    treatment: Treatment
    exceptions: Mapping[str, Treatment] = field(default_factory=dict)
    withheld: frozenset[str] = frozenset()

    def knows(self, language: str) -> bool:
        """Whether the convention has a rule for a language (an id; an unknown id has none)."""
        entry = languages().get(language)
        if entry is None or language in self.withheld:
            return False
        return not self.counter or self.counter in entry.known_to

    def part(self, language: str, line_class: LineClass) -> Part:
        """What one line of a class is in a language, whether the convention knows the language or not."""
        entry = languages().get(language)
        for key in (language, entry.kind.value if entry else ""):
            found = self.exceptions.get(key, {}).get(line_class)
            if found is not None:
                return found
        return self.treatment[line_class]

    def project(self, language: str, counts: LineCounts) -> Projected | None:
        """Add classes up, or None where the convention does not know the language."""
        if not self.knows(language):
            return None
        sums = dict.fromkeys(Part, 0)
        for line_class in LineClass:
            sums[self.part(language, line_class)] += counts[line_class]
        return Projected(*(sums[part] for part in Part))


def code_lines(convention: str, language: str, counts: LineCounts) -> int | None:
    """Code lines under a convention (its id), or None where it does not know the language.

    Raises:
        KeyError: there is no such convention.
    """
    classes = _code_classes(convention, language)
    return None if classes is None else sum(getattr(counts, name) for name in classes)


@cache
def _code_classes(convention: str, language: str) -> tuple[str, ...] | None:
    """Fields of `LineCounts` that are code; worked out once, since a report asks for every file and convention."""
    rule = CONVENTIONS[convention]
    if not rule.knows(language):
        return None
    return tuple(one.label for one in LineClass if rule.part(language, one) is Part.CODE)


_STRINGS = "string string_like_documentation string_like_comment string_like_bracket"
_DOCUMENTATION = "documentation documentation_like_comment documentation_like_bracket"
_BLANKS = "blank blank_in_documentation blank_in_string"


def _treatment(*, code: str = "", documentation: str = "", comment: str = "", blank: str = "") -> dict[LineClass, Part]:
    words = {Part.CODE: code, Part.DOCUMENTATION: documentation, Part.COMMENT: comment, Part.BLANK: blank}
    return {LineClass[word.upper()]: part for part, text in words.items() for word in text.split()}


_PROSE_IS_CODE = _treatment(code=f"{_STRINGS} {_DOCUMENTATION} comment directive shebang", blank=_BLANKS)
_BLANK_STAYS_BLANK = _treatment(blank="blank_in_string")
_TEXT_IS_READ = _treatment(comment="string_like_comment", blank="blank_in_string")

_LEVERAGE = Convention(
    id="leverage",
    title="leverage",
    definition=(
        "A line is code when it holds any token of the language, be it only brackets or only text inside an "
        "expression. Docstrings, description blocks, prose, comments, test directives, inactive branches, shebang "
        "lines and blank lines are not code."
    ),
    source="this tool: the line rule of leverage.measure.lines.base",
    counter="",
    treatment=_treatment(
        code=f"code {_STRINGS} bracket",
        documentation=_DOCUMENTATION,
        comment="comment directive inactive shebang",
        blank=_BLANKS,
    ),
)
_CLOC = Convention(
    id="cloc",
    title="cloc",
    definition=(
        "Every line that is neither blank nor comment, blank meaning white space wherever it stands. Python docstrings "
        "are comments; TableGen descriptions, prose, shebang lines and `#if 0` branches are code."
    ),
    source="cloc 2.08 with duplicates kept",
    counter="cloc",
    treatment=_treatment(
        code="code string string_like_bracket bracket inactive shebang",
        comment=f"{_DOCUMENTATION} comment directive string_like_documentation string_like_comment",
        blank=_BLANKS,
    ),
    exceptions={
        "tablegen": _treatment(code="documentation documentation_like_bracket"),
        Kind.PROSE.value: _PROSE_IS_CODE,
    },
    withheld=frozenset({"diff", "rst"}),  # context lines of a patch, and whatever follows a `..`, are comments to it
)
_SCC = Convention(
    id="scc",
    title="scc",
    definition=(
        "Every line that is neither blank nor comment. Python docstrings are comments with the blank lines inside "
        "them; blank lines inside other literals are code, as are prose and `#if 0`; shebang lines are comments."
    ),
    source="scc 4.1.0",
    counter="scc",
    treatment=_treatment(
        code=f"code {_STRINGS} bracket inactive blank_in_string",
        comment=f"{_DOCUMENTATION} comment directive shebang blank_in_documentation",
        blank="blank",
    ),
    exceptions={
        "cuda": _BLANK_STAYS_BLANK,
        "shell": _TEXT_IS_READ,
        "yaml": _TEXT_IS_READ,
        Kind.PROSE.value: _PROSE_IS_CODE,
    },
)
_TOKEI = Convention(
    id="tokei",
    title="tokei",
    definition=(
        "Every line that is neither blank nor comment. Python docstrings and multi-line literals are code with the "
        "blank lines inside them; Markdown, text and shebang lines are comments; `#if 0` branches are code."
    ),
    source="tokei 12.1.2",
    counter="tokei",
    treatment=_treatment(
        code=f"code {_STRINGS} bracket inactive {_DOCUMENTATION} blank_in_string blank_in_documentation",
        comment="comment directive shebang",
        blank="blank",
    ),
    exceptions={
        **dict.fromkeys(("cmake", "go", "shell", "yaml"), _BLANK_STAYS_BLANK),
        "rst": _PROSE_IS_CODE,
        Kind.PROSE.value: _treatment(comment=_DOCUMENTATION),
    },
    withheld=frozenset({"markdown"}),  # a fence is code to it only where its word is the full name of a language
)
_PYGOUNT = Convention(
    id="pygount",
    title="pygount",
    definition=(
        "Its source count: code lines plus lines of only literal text, which includes TableGen descriptions. Lines of "
        "only brackets and a lone `pass` are empty; docstrings, comments, prose and `#if 0` are documentation."
    ),
    source="pygount 3.2.0 with duplicates and generated files kept",
    counter="pygount",
    treatment=_treatment(
        code="code string string_like_documentation string_like_comment blank_in_string",
        documentation=f"{_DOCUMENTATION} comment directive inactive shebang blank_in_documentation",
        blank="bracket string_like_bracket blank",
    ),
    exceptions={
        "tablegen": _treatment(code="documentation", blank="blank_in_documentation documentation_like_bracket"),
        "yaml": _BLANK_STAYS_BLANK,
        "shell": _treatment(code="string_like_bracket"),
    },
    withheld=frozenset({"html", "markdown", "rst", "tex"}),  # their mark-up decides, token by token
)
_SLOCCOUNT = Convention(
    id="sloccount",
    title="SLOCCount",
    definition="Physical source lines: not blank, not comment. Docstrings are comments, `#if 0` branches are code.",
    source="SLOCCount 2.26, from its documentation; it was not run against this table",
    counter="sloccount",
    treatment=_treatment(
        code=f"code {_STRINGS} bracket inactive", comment=f"{_DOCUMENTATION} comment directive shebang", blank=_BLANKS
    ),
)
_PHYSICAL = Convention(
    id="physical",
    title="physical lines",
    definition="Every line, blank or not.",
    source="wc -l, plus one for bytes after the last line end",
    counter="",
    treatment=dict.fromkeys(LineClass, Part.CODE),
)
_NONBLANK = Convention(
    id="nonblank",
    title="non-blank lines",
    definition="Every line that holds something but white space.",
    source="grep -c '[^[:space:]]'",
    counter="",
    treatment={**dict.fromkeys(LineClass, Part.CODE), **_treatment(blank=_BLANKS)},
)

CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        convention.id: convention
        for convention in (_LEVERAGE, _CLOC, _SCC, _TOKEI, _PYGOUNT, _SLOCCOUNT, _PHYSICAL, _NONBLANK)
    }
)
"""All conventions by id, in the order in which they are shown."""
