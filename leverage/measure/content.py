"""The language of a file whose name does not say it: shebang, mode line, neighbours, content, in that order.

The order for headers is that of the most repeated complaint about language detection: sources beside the file first,
then its syntax, then what the whole snapshot is written in. The rule that decided is part of the answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.languages import Choice, Context, Question, by_alias, by_path, by_program

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 16_384
"""Bytes at the start of a file that may decide its language."""


def language_of(path: str, data: bytes, context: Context) -> Choice:
    """The language of a file and the rule that decided; an empty language means unknown.

    Any path and any bytes have an answer; nothing is executed or opened.
    """
    asked = by_path(path, context)
    return asked if isinstance(asked, Choice) else by_content(asked, data)


def by_content(question: Question, data: bytes) -> Choice:
    """What the bytes answer; depends on nothing else."""
    head = data[:HEAD]
    program = _program(head)
    if program and (language := by_program(program)):
        return Choice(language, f"shebang {program}")
    mode = _mode(head)
    if mode:
        return Choice(mode, "editor mode line")
    decide = _DECIDERS.get(question.topic)
    return decide(question, head) if decide else Choice("", _NOTHING)


_NOTHING = "neither name nor content is known"
_MODE = re.compile(rb"-\*-[ \t]*(?:(?:[^*\n]*;)?[ \t]*mode:[ \t]*)?([A-Za-z+#-]{1,24})[ \t]*(?:;[^*\n]*)?-\*-")
_VIM_MODE = re.compile(rb"\bvim?:[^\n]{0,80}\b(?:ft|filetype|syntax)=([a-z+-]{1,24})")
_ASSIGNMENT = re.compile(r"\w+=")


def _program(head: bytes) -> str:
    """The interpreter of a `#!` line, seen through `env`, its options and its assignments."""
    if not head.startswith(b"#!"):
        return ""
    words = head[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    programs = [word.rpartition("/")[2] for word in words]
    if not programs:
        return ""
    if programs[0] != "env":
        return programs[0]
    rest = (
        program
        for word, program in zip(words[1:], programs[1:], strict=True)
        if not word.startswith("-") and not _ASSIGNMENT.match(word)
    )
    return next(rest, "")


def _mode(head: bytes) -> str:
    """Language of an Emacs or Vim mode line in the first five lines; empty where there is none that is known."""
    for line in head.splitlines()[:5]:
        match = _MODE.search(line) or _VIM_MODE.search(line)
        if match:
            return by_alias(match[1].decode("ascii"))
    return ""


_CPP = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b|class[ \t]+\w|template[ \t]*<|using[ \t]+\w|public:|private:|protected:|"
    rb"enum[ \t]+class\b|constexpr\b"
    rb"|#[ \t]*include[ \t]*<(?:[a-z_]+|(?:c10|ATen|torch|mlir|llvm)/[^>]*)>)"
    rb"|\bstd::|\bstatic_cast<|\bnullptr\b|\boperator[^\w\s]|\w::\w",
    re.MULTILINE,
)
_OBJC = re.compile(
    rb"^[ \t]*(?:@(?:interface|implementation|protocol|property|class|import|end)\b|#[ \t]*import\b)", re.MULTILINE
)
_C_LIKE = re.compile(
    rb"^[ \t]*(?:#[ \t]*(?:if|ifdef|ifndef|include|define|pragma|undef|error)\b|//|/\*)"
    rb"|^[ \t]*[A-Z_][A-Z0-9_]+[ \t]*\([^\n]*\)[ \t]*;?[ \t]*$|[;{}][ \t]*$",
    re.MULTILINE,
)
_TABLEGEN = re.compile(
    rb"^[ \t]*(?:def|defm|multiclass|let)[ \t]+\w+[^;\n]*[:=<{]|^class[ \t]+\w+[ \t]*<[^;\n]*>[ \t]*[:{]", re.MULTILINE
)
_MAKE = re.compile(rb"^[A-Za-z_.][\w.\-$()/% ]*(?:[:?+]?=|::?[ \t]*(?:[^=]|$))", re.MULTILINE)
_HTML_PHP = re.compile(rb"<\?php\b")
_MODULE_DEFINITION = re.compile(rb"\A(?:[ \t]*(?:;[^\n]*)?\r?\n)*[ \t]*(?:EXPORTS|LIBRARY|NAME|DESCRIPTION)\b")
_OPENCL = re.compile(rb"\b__kernel\b|\bkernel[ \t]+void\b|\b__global\b|^[ \t]*(?:#[ \t]*\w|//|/\*)", re.MULTILINE)
_LISP = re.compile(rb"^[ \t]*(?:;|\((?:defun|defmacro|defpackage|in-package|defvar|defparameter)\b)", re.MULTILINE)
_PERL = re.compile(rb"^[ \t]*(?:use[ \t]+\w|my[ \t]+[$@%]|sub[ \t]+\w|package[ \t]+\w|print[ \t]+)", re.MULTILINE)
_PROLOG = re.compile(rb":-|^%", re.MULTILINE)
_MATLAB = re.compile(rb"^[ \t]*(?:%|function\b|end[ \t]*;?[ \t]*$)", re.MULTILINE)


_MATHEMATICA = re.compile(rb"^[ \t]*\(\*|^[ \t]*\w+\[[^\n]*\][ \t]*:?=", re.MULTILINE)
_MODULA = re.compile(rb"^[ \t]*(?:DEFINITION[ \t]+|IMPLEMENTATION[ \t]+)?MODULE[ \t]+\w+", re.MULTILINE)
_D = re.compile(rb"^[ \t]*(?:module|import)[ \t]+[\w.]+[ \t]*[;:]|^[ \t]*(?:void|int)[ \t]+main\b", re.MULTILINE)
_PASCAL = re.compile(rb"^[ \t]*(?:program|unit|uses|procedure|implementation)\b", re.MULTILINE | re.IGNORECASE)
_ROCQ = re.compile(
    rb"^[ \t]*(?:Require|From|Theorem|Lemma|Definition|Fixpoint|Inductive|Proof|Section|Record)\b[^\n]*\.?[ \t]*$"
    rb"|\b(?:Qed|Defined)\.",
    re.MULTILINE,
)


def _header(question: Question, head: bytes) -> Choice:
    if question.beside:
        return Choice(question.beside, f"sources beside it: {question.beside}")
    if _OBJC.search(head):
        return Choice("objc", "content: Objective-C directives")
    if _CPP.search(head):
        return Choice("cpp", "content: C++ syntax")
    if question.majority:
        return Choice(question.majority, f"most sources of the snapshot: {question.majority}")
    return Choice("c", "suffix .h, no sign of another language")


def _include(question: Question, head: bytes) -> Choice:
    if _HTML_PHP.search(head):
        return Choice("php", "content: PHP opening tag")
    if _TABLEGEN.search(head) and not re.search(rb"^[ \t]*#[ \t]*(?:include|define)\b|\breturn\b", head, re.MULTILINE):
        return Choice("tablegen", "content: TableGen definitions")
    if _C_LIKE.search(head):
        language = question.beside or question.majority or ("cpp" if _CPP.search(head) else "c")
        return Choice(language, f"content: C-family syntax, included by {language}")
    if _MAKE.search(head):
        return Choice("make", "content: Makefile assignments or rules")
    if question.beside:
        return Choice(question.beside, f"sources beside it: {question.beside}")
    return Choice("", _NOTHING)


def _definitions(question: Question, head: bytes) -> Choice:
    if _MODULE_DEFINITION.match(head):
        return Choice("module-definition", "content: module definition statement")
    if _MODULA.search(head):
        return Choice("modula", "content: Modula module")
    return _include(question, head)


def _dot_m(_question: Question, head: bytes) -> Choice:
    if _OBJC.search(head) or re.search(rb"^[ \t]*#[ \t]*(?:include|define|if)", head, re.MULTILINE):
        return Choice("objc", "content: Objective-C directives")
    if _MATHEMATICA.search(head):
        return Choice("mathematica", "content: Mathematica comments or definitions")
    if _MATLAB.search(head):
        return Choice("matlab", "content: MATLAB syntax")
    return Choice("objc", "suffix .m, no sign of another language")


def _dot_cl(_question: Question, head: bytes) -> Choice:
    if _OPENCL.search(head):
        return Choice("opencl", "content: OpenCL or C-family syntax")
    if _LISP.search(head):
        return Choice("lisp", "content: Lisp forms")
    return Choice("", _NOTHING)


def _dot_ts(_question: Question, head: bytes) -> Choice:
    if head.lstrip().startswith((b"<?xml", b"<!DOCTYPE TS", b"<TS")):
        return Choice("xml", "content: Qt translation file")
    return Choice("typescript", "suffix .ts, not a translation file")


def _dot_pl(_question: Question, head: bytes) -> Choice:
    if _PERL.search(head) or not _PROLOG.search(head):
        return Choice("perl", "suffix .pl, no sign of Prolog")
    return Choice("prolog", "content: Prolog clauses")


def _dot_fs(_question: Question, head: bytes) -> Choice:
    if re.search(rb"^[ \t]*(?:module|namespace|open|let|type)\b", head, re.MULTILINE):
        return Choice("fsharp", "content: F# declarations")
    return Choice("glsl", "suffix .fs, no sign of F#")


def _dot_t(_question: Question, head: bytes) -> Choice:
    if _PERL.search(head):
        return Choice("perl", "content: Perl declarations")
    return Choice("", _NOTHING)


def _dot_d(_question: Question, head: bytes) -> Choice:
    """D, or the dependencies that compilers write, which have no lines of anybody's."""
    return Choice("d", "content: D declarations") if _D.search(head) else Choice("", _NOTHING)


def _dot_mod(_question: Question, head: bytes) -> Choice:
    return Choice("modula", "content: Modula module") if _MODULA.search(head) else Choice("", _NOTHING)


def _dot_pp(_question: Question, head: bytes) -> Choice:
    if _PASCAL.search(head):
        return Choice("pascal", "content: Pascal declarations")
    return Choice("puppet", "suffix .pp, no sign of Pascal")


def _dot_v(_question: Question, head: bytes) -> Choice:
    if _ROCQ.search(head):
        return Choice("rocq", "content: Rocq commands")
    return Choice("verilog", "suffix .v, no sign of Rocq")


def _nameless(_question: Question, head: bytes) -> Choice:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<?xml"):
        return Choice("xml", "content: XML declaration")
    if text[:9].lower() == b"<!doctype" or text[:5].lower() == b"<html":
        return Choice("html", "content: HTML document")
    return Choice("", _NOTHING)


_DECIDERS: dict[str, Callable[[Question, bytes], Choice]] = {
    "h": _header,
    "inc": _include,
    "def": _definitions,
    "m": _dot_m,
    "mod": _dot_mod,
    "cl": _dot_cl,
    "d": _dot_d,
    "ts": _dot_ts,
    "pl": _dot_pl,
    "pp": _dot_pp,
    "fs": _dot_fs,
    "t": _dot_t,
    "v": _dot_v,
    "name": _nameless,
}
