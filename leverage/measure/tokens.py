"""Lexical tokens of a source file: a size that neither line breaks nor the length of names change.

A token is an identifier or keyword, a number, a literal, or an operator or separator. Not counted are comments, white
space, line ends and indentation, text for readers (docstrings and other documentation), branches that the preprocessor
can never take, a ``#!`` line, and the backslash that continues a line.

- A literal is one token with its quotes and prefix, however long: an f-string, a template literal or a here-document
  with all it holds, a raw string, a character. Adjacent literals are one token each. What a literal, a comment and
  documentation is, the line rule's scanner of the language says, so lines and tokens agree on it.
- An operator is the longest that the language has: ``>>=`` is one token, and so is ``>>`` where it closes two template
  lists. Every other visible byte that is part of nothing is a token of its own.
- Python: as CPython's tokenizer has it, with f-strings as one literal.
- C and its kin: preprocessing tokens (phase 3), so ``#`` and the word after it are two, ``1'000ULL`` is one, and the
  name of a header between angle brackets is what it looks like: words, dots and slashes.
- TableGen: a code block counts as the C++ tokens in it, and its brackets; ``!add`` and ``$name`` are one token.
- MLIR and LLVM IR: a name with its sigil is one token (``%arg0``, ``#map``), and so is a dotted one (``arith.addf``).
- Shell, make, CMake, Dockerfile, batch: a word is one token, up to white space, a quote, a bracket or ``| & ; < >``.
- Any other language: C's words and numbers, and the operators that languages of the kind share. Close to the language's
  own tokens, but not the same.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.languages import Kind, languages
from leverage.measure.lines.base import normalize
from leverage.measure.lines.registry import SCANNERS
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leverage.measure.lines.base import Span

_LITERAL = b"\0"  # stands for a literal in the text that tokens are counted in
_KEPT = frozenset((LineClass.CODE, LineClass.BRACKET))
_LITERALS = frozenset(one for one in LineClass if one.label.startswith("string"))

_WORD = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"
_NUMBER = rb"\.?[0-9](?:[eEpP][+-]|'(?=[\w])|[\w.])*+"
_ANY = rb"[^\s\\]|\\(?![ \t\f\v]*+\n)"
_C_OPERATORS = rb"<=>|<<=|>>=|->\*|\.\.\.|::|->|\.\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#"
_C_LITERAL = rb"\0(?:(?:_\w*+|sv?)(?!\w))?+"  # with the suffix of a literal operator
_PYTHON_NUMBER = (
    rb"0[xX](?:_?[0-9a-fA-F])++|0[bB](?:_?[01])++|0[oO](?:_?[0-7])++"
    rb"|(?:\.[0-9](?:_?[0-9])*+|[0-9](?:_?[0-9])*+(?:\.(?:[0-9](?:_?[0-9])*+)?)?)(?:[eE][-+]?[0-9](?:_?[0-9])*+)?[jJ]?"
)
_PYTHON_OPERATORS = rb"\*\*=|//=|>>=|<<=|\.\.\.|!=|->|:=|==|<=|>=|\*\*|//|<<|>>|[-+*/%&|^@]="
_OTHER_OPERATORS = rb">>>=|===|!==|\*\*=|>>>|\.\.=|&&=|\|\|=|\?\?=|\*\*|=>|:=|<-|\?\?|\?\.|\.\.|\|>|" + _C_OPERATORS


def _tokens(*kinds: bytes) -> re.Pattern[bytes]:
    return re.compile(b"|".join((*kinds, _ANY)))


_C = _tokens(_WORD, _C_LITERAL, _NUMBER, _C_OPERATORS)
_PYTHON = _tokens(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+", _PYTHON_NUMBER, _PYTHON_OPERATORS)
_IR = _tokens(rb"[%@\#!^]?[A-Za-z_$\x80-\xff][\w$.\x80-\xff]*+", rb"[%@\#!^][0-9]++", _NUMBER, rb"->|::|[=<>!]=")
_SHELL = _tokens(rb"[^\s()<>|&;{}\0\"'`\\]++", rb"&&|\|\||;;|<<<|<<-?|>>|[<>]&")
_OTHER = _tokens(_WORD, _NUMBER, _OTHER_OPERATORS)
_BY_FAMILY: Mapping[str, re.Pattern[bytes]] = MappingProxyType(
    {
        "batch": _SHELL,
        "c": _C,
        "cmake": _SHELL,
        "cuda": _tokens(_WORD, _C_LITERAL, _NUMBER, rb"<<<|>>>", _C_OPERATORS),
        "dockerfile": _SHELL,
        "jinja-c": _C,
        "jinja-python": _PYTHON,
        "llvm": _IR,
        "make": _SHELL,
        "mlir": _IR,
        "objc": _C,
        "python": _PYTHON,
        "shell": _SHELL,
        "starlark": _PYTHON,
        "tablegen": _tokens(rb"[!$]?" + _WORD, _C_LITERAL, _NUMBER, _C_OPERATORS),
    }
)
_SPLICE = re.compile(rb"\\[ \t\f\v]*+\n")
_SPLICED = frozenset(("c", "cuda", "objc", "jinja-c"))  # families where a spliced word is one
_NO_TEXT_OF_ITS_OWN = frozenset(("html", "notebook"))  # families whose file is a container of other languages
_KINDS = frozenset((Kind.PROGRAMMING, Kind.BUILD))


def count_tokens(language: str, data: bytes) -> int | None:
    """Number of tokens of one file (unit: tokens). Never raises, whatever the bytes.

    Args:
        language: id of ``languages.toml``.
        data: the text of the file, as `leverage.measure.screen.readable` hands it on.

    Returns:
        None where tokens are not defined: data, prose and markup, notebooks, and languages without a scanner.
    """
    described = languages().get(language)
    if described is None or described.kind not in _KINDS or described.family in _NO_TEXT_OF_ITS_OWN:
        return None
    scanner = SCANNERS.get(described.family)
    if scanner is None:
        return None
    text = normalize(data)
    tokens = b"".join(_stripped(text, scanner.spans(text)))
    if described.family in _SPLICED:
        tokens = _SPLICE.sub(b"", tokens)
    return sum(1 for _ in _BY_FAMILY.get(described.family, _OTHER).finditer(tokens))


def _stripped(text: bytes, spans: Iterable[Span]) -> Iterator[bytes]:
    """The text with one byte for each literal and white space for what is no token."""
    position = 0
    for start, end, rule in spans:
        yield text[position:start]
        if rule.line_class in _KEPT:
            yield text[start:end]
        else:
            yield _LITERAL if rule.line_class in _LITERALS else b" "
        position = end
    yield text[position:]
