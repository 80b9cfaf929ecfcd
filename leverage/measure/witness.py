"""pygount as fallback counter and as independent second count.

pygount is called on bytes, never on files, and with everything off that would make a file vanish: no patterns for
generated files, no pool of duplicates. The lexer is ours to choose: pygount picks it by file name, so it is shown a
name from the language table (`Language.pygount`) that only one lexer claims.

What it does differently from the line rule, and what is done about it here:

- Pygments drops blank lines at both edges of a text; they are put back into `WitnessCounts.empty`.
- Lines of brackets alone are empty to it; `from_witness` moves as many of them back as the count of non-blank lines
  allows.
- Blank lines inside comments and literals belong to the comment or literal.
"""

from __future__ import annotations

from io import BytesIO

from leverage.measure.languages import Kind, Language
from leverage.measure.lines.base import normalize, physical_lines
from leverage.model.files import WitnessCounts
from leverage.model.lines import LineCounts

LIMIT = 4 * 2**20
"""Bytes above which pygount is not asked."""


def second_count(data: bytes, language: Language) -> WitnessCounts | None:
    """What pygount itself counts in the bytes of a file (unit: lines), or None where it has no lexer for the language.

    The four classes add up to the physical lines. Bytes that are not UTF-8 are replaced, so no text is refused; text
    above `LIMIT` is, for the regular expressions of 500 lexers promise no linear time. About 13,000 lines a second.
    """
    if not language.pygount or len(data) > LIMIT:
        return None
    physical = physical_lines(data)
    if not data.strip():
        return WitnessCounts(0, 0, physical, 0)
    from pygount import SourceAnalysis  # noqa: PLC0415 - pulls in Pygments, which most runs never need

    analysis = SourceAnalysis.from_file(
        language.pygount,
        "",
        encoding="utf-8",
        fallback_encoding=None,
        generated_regexes=[],
        file_handle=BytesIO(_readable(data)),
    )
    counted = analysis.code_count + analysis.documentation_count + analysis.string_count
    return WitnessCounts(
        analysis.code_count, analysis.documentation_count, max(0, physical - counted), analysis.string_count
    )


def from_witness(witness: WitnessCounts, nonblank: int, language: Language) -> LineCounts:
    """Line classes for a language that only pygount counts; they add up to the witness's lines.

    Comments of prose and markup are documentation, all others comments.
    """
    brackets = max(0, nonblank - witness.code - witness.string - witness.documentation)
    prose = language.kind in {Kind.PROSE, Kind.MARKUP}
    return LineCounts(
        code=witness.code,
        string=witness.string,
        bracket=brackets,
        documentation=witness.documentation if prose else 0,
        comment=0 if prose else witness.documentation,
        blank=witness.empty - brackets,
    )


def _readable(data: bytes) -> bytes:
    """UTF-8 with line feeds only, so that pygount sees the same physical lines and never refuses the text."""
    return normalize(data).decode("utf-8", "replace").encode("utf-8")
