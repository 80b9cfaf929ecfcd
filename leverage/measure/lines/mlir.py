"""MLIR and LLVM IR: intermediate code, most of it compiler tests whose comments are the assertions.

A comment line is a ``directive`` when a test tool reads it:

- lit: ``RUN:``, ``REQUIRES:``, ``UNSUPPORTED:``, ``XFAIL:``, ``DEFINE:``, ``REDEFINE:``, ``END.``, ``ALLOW_RETRIES:``;
- FileCheck: ``CHECK:`` with or without a suffix (``-NEXT``, ``-DAG``, ``-COUNT-3``, ``{LITERAL}`` ...), any label that
  starts with ``CHECK-`` or ``CHECK_``, and the labels that a RUN line names by ``--check-prefix`` or
  ``--check-prefixes``, wherever in the comment they stand, for that is where FileCheck finds them;
- the diagnostics verifier: ``expected-error``, ``expected-warning``, ``expected-note``, ``expected-remark``;
- the split marker ``// -----``.

``COM:`` marks a comment that FileCheck must not read, so such a line is a comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, STRING, Rule, Scanner
from leverage.measure.lines.c import BLOCK_COMMENT, LINE_COMMENT, QUOTED
from leverage.measure.lines.c_like import finder
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.measure.lines.base import Span, SpanFinder

DIRECTIVE = Rule("directive", LineClass.DIRECTIVE, "a comment that lit, FileCheck or the diagnostics verifier reads")

_LIT = frozenset(b"RUN REQUIRES UNSUPPORTED XFAIL DEFINE REDEFINE ALLOW_RETRIES".split())
_DIAGNOSTIC = re.compile(rb"expected-(?:error|warning|note|remark)(?:-re)?\b|(?<![\w-])END\.")
_SPLIT = re.compile(rb"(?://|;) ?-----\s*\Z")
_USUAL = re.compile(rb"[/;]++ *+(?:RUN|CHECK(?:[-_][\w-]*+)?(?:\{[A-Z,]*+\})?):")  # most by far: a short cut
_LABEL = re.compile(rb"(?<![\w-])([A-Za-z][\w-]*+)(?:\{[A-Z,]*+\})?:")
_SUFFIX = re.compile(rb"-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+)\Z")
_PREFIXES = re.compile(rb"-check-prefix(?:es)?[= ]+[\"']?([\w,-]++)")


def tested(tokens: SpanFinder) -> SpanFinder:
    """Tell directives from other comments."""

    def spans(text: bytes) -> Iterator[Span]:
        prefixes = {prefix for found in _PREFIXES.finditer(text) for prefix in found[1].split(b",")}
        for start, end, rule in tokens(text):
            drives = rule is COMMENT and _drives_a_test(text[start:end], prefixes)
            yield start, end, DIRECTIVE if drives else rule

    return spans


def _drives_a_test(comment: bytes, prefixes: set[bytes]) -> bool:
    if _USUAL.match(comment):
        return True
    for found in _LABEL.finditer(comment):
        label = found[1]
        if label == b"COM":
            return False
        if label in _LIT or label == b"CHECK" or label.startswith((b"CHECK-", b"CHECK_")):
            return True
        if label in prefixes or _SUFFIX.sub(b"", label) in prefixes:
            return True
    return bool(_DIAGNOSTIC.search(comment) or _SPLIT.match(comment))


MLIR = Scanner("mlir", tested(finder((LINE_COMMENT, COMMENT), (QUOTED, STRING))))
# A quote in a string of LLVM IR is written \22, so nothing escapes one, and the string may span lines.
LLVM = Scanner("llvm", tested(finder((rb";[^\n]*+", COMMENT), (BLOCK_COMMENT, COMMENT), (rb'"[^"]*+"?', STRING))))
