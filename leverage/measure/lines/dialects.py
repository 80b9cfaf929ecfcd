"""Languages whose comments and literals a short list of marks describes: dialects as data.

A `Dialect` names what opens a comment that ends with its line, the pairs around block comments, and the literals that
may hide either. That is all there is to know of most languages; what needs more has a module of its own.

Rules beyond `base`:

- A literal that is not closed ends with its line where the language has it so, else with the text; likewise a block.
- Text that documents (POD, Haddock, Javadoc) is comment, as everywhere: docs/decisions/0010.
- ``#!`` at the head of the file is a shebang.
- A string that is a statement of its own documents only in the languages that say so; here it is ``string``.

Not known to this table: here-documents of Perl, Ruby and PHP, and regular expressions that hold a quote or a comment
mark. A quote there ends with its line, so the harm stays on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.lines.base import COMMENT, SHEBANG, STRING, Scanner
from leverage.measure.lines.c import APOSTROPHED, QUOTED, is_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leverage.measure.lines.base import Span, SpanFinder

# Literals. Each starts with its quote, and never fails once that has matched.
LONG = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?"?'  # may go over lines, a backslash escapes
LONG_APOSTROPHED = LONG.replace(b'"', b"'")
DOUBLED = rb'"[^"\n]*+"?'  # a quote inside is doubled: two literals that touch
DOUBLED_APOSTROPHED = DOUBLED.replace(b'"', b"'")
LONG_DOUBLED = rb'"[^"]*+"?'
LONG_DOUBLED_APOSTROPHED = LONG_DOUBLED.replace(b'"', b"'")
BACKQUOTED = rb"`[^`]*+`?"
TRIPLE = rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:\\?\Z|"{3,5})?'
TRIPLE_APOSTROPHED = TRIPLE.replace(b'"', b"'")
# Where an apostrophe may be something else too: only a whole character between two of them is a literal.
CHARACTER = rb"'(?:\\[^\n]{1,8}?|[^\\'\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]{1,3})'"

SLASHES = rb"//"
STARRED = (rb"/\*", rb"\*/")
PARENTHESES = (rb"\(\*", rb"\*\)")
# After white space, a bracket, a separator, or nothing: `a#b` and `$#x` are names.
HASH = rb"#(?<![^ \t\f\v\n()\[\]{},;:]#)"
POD = (rb"=(?<![^\n]=)[A-Za-z]", rb"\n=cut\b[^\n]*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is not plain code in a language; regular expressions of bytes, without groups, tried in the order of fields.

    Attributes:
        blocks: opening and closing of block comments.
        nested: the same, where a block may hold blocks.
        literals: whole literals; where one fits, comments are not looked for. A longer one stands before a shorter.
        line: openings of comments that end with their line, anywhere.
        head: the same, only where nothing but white space is before them on their line.
    """

    blocks: tuple[tuple[bytes, bytes], ...] = ()
    nested: tuple[tuple[bytes, bytes], ...] = ()
    literals: tuple[bytes, ...] = ()
    line: tuple[bytes, ...] = ()
    head: tuple[bytes, ...] = ()

    def scanner(self, name: str) -> Scanner:
        """A scanner for it."""
        return Scanner(name, _finder(self))


def _finder(dialect: Dialect) -> SpanFinder:
    whole = {
        COMMENT: [opening + rb".*?(?:" + closing + rb"|\Z)" for opening, closing in dialect.blocks],
        STRING: list(dialect.literals),
    }
    # One empty group behind each alternative tells which it was; nesting and standing at the head are told by number.
    alternatives = [
        *whole[COMMENT],
        *(opening for opening, _ in dialect.nested),
        *whole[STRING],
        *dialect.line,
        *dialect.head,
    ]
    pattern = re.compile(b"|".join(b"(?:" + one + b")()" for one in alternatives), re.DOTALL)
    first_nested = len(dialect.blocks) + 1
    first_literal = first_nested + len(dialect.nested)
    first_line = first_literal + len(dialect.literals)
    first_head = first_line + len(dialect.line)
    marks = [re.compile(b"(" + opening + b")|" + closing, re.DOTALL) for opening, closing in dialect.nested]

    def spans(text: bytes) -> Iterator[Span]:
        position = 0
        at_head = True
        if text.startswith(b"#!"):
            position = _end_of_line(text, 0)
            yield 0, position, SHEBANG
        while found := pattern.search(text, position):
            start, end = found.span()
            kind = found.lastindex or 0
            at_head = is_head(text[position:start], at_head)
            position = end
            if kind >= first_head and not at_head:
                position = start + 1
            elif kind >= first_line:
                position = _end_of_line(text, end)
                yield start, position, COMMENT
            elif first_nested <= kind < first_literal:
                position = _end_of_nested(text, start, marks[kind - first_nested])
                yield start, position, COMMENT
            else:
                yield start, end, COMMENT if kind < first_nested else STRING
            at_head = False

    return spans


def _end_of_line(text: bytes, position: int) -> int:
    end = text.find(b"\n", position)
    return len(text) if end < 0 else end


def _end_of_nested(text: bytes, start: int, marks: re.Pattern[bytes]) -> int:
    depth = 0
    for mark in marks.finditer(text, start):
        depth += 1 if mark.lastindex else -1
        if not depth:
            return mark.end()
    return len(text)


_QUOTES = (QUOTED, APOSTROPHED)
_TWO_APOSTROPHES = rb"''(?:[^']|'(?!')|'''|''[$\\])*+(?:'')?"
_REM = rb"[Rr][Ee][Mm]\b"
_BASIC = Dialect(literals=(DOUBLED,), line=(rb"'",), head=(_REM, rb"[0-9]{1,6}[ \t]+" + _REM))
_PASCAL = Dialect(line=(SLASHES,), blocks=((rb"\{", rb"\}"), PARENTHESES), literals=(DOUBLED_APOSTROPHED,))
_HASKELL = Dialect(
    line=(rb"--+(?![!#$%&*+./<=>?@\\^|~:-])",),
    nested=((rb"\{-", rb"-\}"),),
    literals=(CHARACTER, QUOTED),
)
_LISP = Dialect(line=(rb";",), nested=((rb"#\|", rb"\|#"),), literals=(rb"#\\.", LONG))
_MATLAB_TEXT = rb"'(?<![\w)\]}'.]')[^'\n]*+'?"

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "ada": Dialect(line=(rb"--",), literals=(rb"'[^\n]'", DOUBLED)),
        "apl": Dialect(line=(rb"\xe2\x8d\x9d", rb"#"), literals=(DOUBLED_APOSTROPHED, DOUBLED)),
        "asn1": Dialect(blocks=((rb"--", rb"--|(?=\n)"),), nested=(STARRED,), literals=(DOUBLED,)),
        "basic": _BASIC,
        "batch": Dialect(head=(rb"@?" + _REM, rb"::")),
        "coffeescript": Dialect(
            line=(HASH,),
            blocks=((rb"###(?!#)", rb"###"),),
            literals=(TRIPLE, TRIPLE_APOSTROPHED, LONG, LONG_APOSTROPHED),
        ),
        "ballerina": Dialect(literals=(QUOTED, BACKQUOTED), line=(SLASHES,), head=(rb"#",)),
        "blitzmax": Dialect(
            blocks=((rb"[Rr][Ee][Mm](?<![^ \t\n].{3})\b", rb"\n[ \t]*[Ee][Nn][Dd] ?[Rr][Ee][Mm]\b"),),
            literals=(DOUBLED,),
            line=(rb"'",),
        ),
        "d2": Dialect(blocks=((rb'"""', rb'"""'),), literals=_QUOTES, line=(rb"#",)),
        "dhall": Dialect(nested=((rb"\{-", rb"-\}"),), literals=(_TWO_APOSTROPHES, QUOTED), line=(rb"--",)),
        "dreammaker": Dialect(nested=(STARRED,), literals=(rb'\{".*?(?:"\}|\Z)', *_QUOTES), line=(SLASHES,)),
        "janet": Dialect(literals=(LONG, BACKQUOTED), line=(rb"#",)),
        "kv": Dialect(literals=_QUOTES, line=(rb"#(?!:)",)),
        "mathematica": Dialect(nested=(PARENTHESES,), literals=(LONG,)),
        "crystal": Dialect(line=(HASH,), literals=(LONG, CHARACTER, BACKQUOTED)),
        "d": Dialect(
            line=(SLASHES,),
            blocks=(STARRED,),
            nested=((rb"/\+", rb"\+/"),),
            literals=(LONG, CHARACTER, BACKQUOTED),
        ),
        "elixir": Dialect(line=(HASH,), literals=(TRIPLE, TRIPLE_APOSTROPHED, LONG, LONG_APOSTROPHED)),
        "erlang": Dialect(line=(rb"%",), literals=(rb"\$\\?[^\n]", LONG, LONG_APOSTROPHED)),
        "factor": Dialect(line=(rb"!(?<![^ \t\n]!)(?=[ \t\n])",), literals=(QUOTED,)),
        "alloy": Dialect(blocks=(STARRED,), literals=(QUOTED,), line=(SLASHES, rb"--")),
        "bicep": Dialect(blocks=(STARRED,), literals=(TRIPLE_APOSTROPHED, APOSTROPHED), line=(SLASHES,)),
        "emojicode": Dialect(line=("\N{THOUGHT BALLOON}".encode(),)),
        "freemarker": Dialect(blocks=((rb"<#--", rb"-->"), (rb"<!--", rb"-->"))),
        "glimmer": Dialect(
            blocks=(STARRED, (rb"<!--", rb"-->"), (rb"\{\{!--", rb"--\}\}")), literals=_QUOTES, line=(SLASHES,)
        ),
        "go-template": Dialect(blocks=((rb"\{\{-? ?/\*", rb"\*/ ?-?\}\}"), (rb"<!--", rb"-->"))),
        "graphql": Dialect(literals=(TRIPLE, QUOTED), line=(rb"#",)),
        "haml": Dialect(head=(rb"-#", rb"/")),
        "hledger": Dialect(
            blocks=((rb"comment(?<![^\n].{7})\n", rb"\nend comment\b"),), line=(rb";",), head=(rb"[#*]",)
        ),
        "liquid": Dialect(
            blocks=(
                (rb"<!--", rb"-->"),
                (rb"\{%-?\s*comment\s*-?%\}", rb"\{%-?\s*endcomment\s*-?%\}"),
                (rb"\{#", rb"#\}"),
            )
        ),
        "livecode": Dialect(blocks=(STARRED,), literals=(DOUBLED,), line=(SLASHES, rb"--", rb"#")),
        "livescript": Dialect(blocks=(STARRED,), literals=(TRIPLE, LONG, LONG_APOSTROPHED), line=(HASH,)),
        "nsis": Dialect(blocks=(STARRED,), literals=_QUOTES, line=(rb"[;#]",)),
        "plantuml": Dialect(nested=((rb"/'", rb"'/"),), literals=(QUOTED,), head=(rb"'",)),
        "pug": Dialect(head=(SLASHES,)),
        "puppet": Dialect(blocks=(STARRED,), literals=(LONG, LONG_APOSTROPHED), line=(rb"#",)),
        "pyret": Dialect(nested=((rb"#\|", rb"\|#"),), literals=(rb"```.*?(?:```|\Z)", *_QUOTES), line=(rb"#",)),
        "raku": Dialect(
            blocks=(
                (rb"#[`|=]\(", rb"\)"),
                (rb"#[`|=]\{", rb"\}"),
                (rb"#[`|=]\[", rb"\]"),
            ),
            nested=((rb"=(?<![^\n]=)begin\b", rb"=(?<![^\n]=)end\b[^\n]*"),),
            literals=(LONG, LONG_APOSTROPHED),
            line=(HASH,),
        ),
        "razor": Dialect(
            blocks=((rb"<!--", rb"-->"), (rb"@\*", rb"\*@"), STARRED),
            literals=(QUOTED,),
            line=(SLASHES + rb"(?<!:\/\/)",),
        ),
        "roc": Dialect(literals=(TRIPLE, QUOTED), line=(rb"#",)),
        "srecode": Dialect(line=(rb";;",)),
        "templ": Dialect(blocks=((rb"<!--", rb"-->"), STARRED), literals=(*_QUOTES, BACKQUOTED), line=(SLASHES,)),
        "tera": Dialect(blocks=((rb"<!--", rb"-->"), (rb"\{#", rb"#\}"))),
        "velocity": Dialect(blocks=((rb"#\*", rb"\*#"),), line=(rb"##",)),
        "fortran": Dialect(line=(rb"!",), literals=(DOUBLED, DOUBLED_APOSTROPHED)),
        "fortran-fixed": Dialect(line=(rb"!", rb"[Cc*](?<![^\n].)"), literals=(DOUBLED, DOUBLED_APOSTROPHED)),
        "forth": Dialect(
            line=(rb"\\(?<![^ \t\n]\\)(?=[ \t\n])",), blocks=((rb"\((?<![^ \t\n]\()(?=[ \t\n])", rb"\)"),)
        ),
        "fsharp": Dialect(
            line=(SLASHES,),
            nested=((rb"\(\*(?!\))", rb"\*\)"),),
            literals=(TRIPLE, rb'@"[^"]*+"?', LONG, CHARACTER),
        ),
        "gas-like": Dialect(line=(rb";",), literals=_QUOTES),
        "haskell": _HASKELL,
        "hcl": Dialect(line=(SLASHES, rb"#"), blocks=(STARRED,), literals=(QUOTED,)),
        "idl": Dialect(line=(rb";",), literals=(DOUBLED, DOUBLED_APOSTROPHED)),
        "julia": Dialect(line=(rb"#",), nested=((rb"#=", rb"=#"),), literals=(TRIPLE, LONG, CHARACTER)),
        "lean": Dialect(line=(rb"--",), nested=((rb"/-", rb"-/"),), literals=(LONG, CHARACTER)),
        "lisp": _LISP,
        "lolcode": Dialect(line=(rb"BTW\b(?<!\wBTW)",), blocks=((rb"OBTW\b", rb"TLDR\b"),), literals=(QUOTED,)),
        "lua": Dialect(
            line=(rb"--",),
            blocks=tuple((rb"--\[" + b"=" * n + rb"\[", rb"\]" + b"=" * n + rb"\]") for n in range(4)),
            literals=(
                *(rb"\[" + b"=" * n + rb"\[.*?(?:\]" + b"=" * n + rb"\]|\Z)" for n in range(4)),
                *_QUOTES,
            ),
        ),
        "m4": Dialect(line=(rb"dnl\b(?<!\wdnl)", HASH)),
        "matlab": Dialect(
            line=(rb"%", HASH),
            blocks=((rb"[%#]\{(?=[ \t]*\n)(?<![^ \t\n].\{)", rb"\n[ \t]*[%#]\}(?=[ \t]*\n)"),),
            literals=(_MATLAB_TEXT, DOUBLED),
        ),
        "meson": Dialect(line=(rb"#",), literals=(rb"'''(?:[^']|'(?!''))*+(?:''')?", APOSTROPHED)),
        "modula": Dialect(nested=(PARENTHESES,), literals=(DOUBLED, DOUBLED_APOSTROPHED)),
        "nested-slashes": Dialect(line=(SLASHES,), nested=(STARRED,), literals=(TRIPLE, QUOTED, CHARACTER)),
        "nim": Dialect(line=(rb"#",), nested=((rb"#\[", rb"\]#"),), literals=(TRIPLE, QUOTED, CHARACTER)),
        "nix": Dialect(line=(rb"#",), blocks=(STARRED,), literals=(LONG, _TWO_APOSTROPHES)),
        "ocaml": Dialect(nested=((rb"\(\*(?!\))", rb"\*\)"),), literals=(LONG, CHARACTER)),
        "ocaml-slashes": Dialect(
            line=(SLASHES,), blocks=(STARRED,), nested=((rb"\(\*(?!\))", rb"\*\)"),), literals=(LONG, CHARACTER)
        ),
        "pascal": _PASCAL,
        "percent": Dialect(line=(rb"%",), literals=(QUOTED,)),
        "perl": Dialect(line=(HASH,), blocks=(POD,), literals=_QUOTES),
        "php": Dialect(line=(SLASHES, rb"#(?!\[)"), blocks=(STARRED,), literals=(LONG, LONG_APOSTROPHED)),
        "powershell": Dialect(
            line=(HASH,),
            blocks=((rb"<#", rb"#>"),),
            literals=(
                rb'@"[ \t]*\n.*?(?:\n"@|\Z)',
                rb"@'[ \t]*\n.*?(?:\n'@|\Z)",
                rb'"(?:[^"`]|`.)*+"?',
                LONG_DOUBLED_APOSTROPHED,
            ),
        ),
        "prolog": Dialect(line=(rb"%",), blocks=(STARRED,), literals=(rb"0'\\?[^\n]", *_QUOTES)),
        "quoted-head": Dialect(head=(rb'"',)),
        "hash-and-quotes": Dialect(line=(rb"#",), literals=(LONG, LONG_APOSTROPHED, BACKQUOTED)),
        "rexx": Dialect(nested=(STARRED,), literals=(DOUBLED, DOUBLED_APOSTROPHED)),
        "ruby": Dialect(line=(HASH,), blocks=((rb"=(?<![^\n]=)begin\b", rb"\n=end\b[^\n]*"),), literals=_QUOTES),
        "semicolon": Dialect(line=(rb";",), literals=(QUOTED,)),
        "scilab": Dialect(line=(SLASHES,), blocks=(STARRED,), literals=(DOUBLED,)),
        "slashes": Dialect(line=(SLASHES,), blocks=(STARRED,), literals=_QUOTES),
        "slashes-and-hash": Dialect(line=(SLASHES, rb"#"), blocks=(STARRED,), literals=(LONG, LONG_APOSTROPHED)),
        "smalltalk": Dialect(blocks=((rb'"', rb'"'),), literals=(LONG_DOUBLED_APOSTROPHED,)),
        "sql": Dialect(
            line=(rb"--",),
            nested=(STARRED,),
            head=(rb"#(?=[ \t#-])",),
            literals=(LONG_DOUBLED_APOSTROPHED, LONG_DOUBLED),
        ),
        "starred-hash": Dialect(line=(rb"#",), blocks=(STARRED,), literals=(LONG, LONG_APOSTROPHED)),
        "stata": Dialect(line=(SLASHES,), head=(rb"\*",), blocks=(STARRED,), literals=(DOUBLED,)),
        "vhdl": Dialect(line=(rb"--",), blocks=(STARRED,), literals=(rb"'[^\n]'", DOUBLED)),
        "wat": Dialect(line=(rb";;",), nested=((rb"\(;", rb";\)"),), literals=(QUOTED,)),
        "zig": Dialect(line=(SLASHES,), literals=(QUOTED, CHARACTER, rb"\\\\[^\n]*+")),
    }
)
"""Every dialect by the name of its family."""
