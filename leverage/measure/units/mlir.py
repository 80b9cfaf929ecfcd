"""MLIR: functions with a body, those of ``func.func`` and of any other dialect's ``func``, in the custom form.

A function inside a function belongs to the outer one. A named module lends its name to the symbols in it and is no unit
of its own, nor are declarations, aliases, operations between functions, and operations in the generic form.

This is a reader of ours, not the tree-sitter grammar, which takes time that grows with the square of a broken text
(40 kB of ``{``: 4 s). Here every byte is looked at a fixed number of times. The grammar is the judge in tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.measure.lines.mlir import MLIR
from leverage.measure.units.blanks import blanked
from leverage.measure.units.partition import LONGEST_NAME, Found
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = re.compile(
    rb"[{}]"
    rb"|(?<![\w$.@%#!^-])(?:(?:[A-Za-z_][\w$]*+\.)*?func(?:[ \t\n]++[a-z_]\w*+){0,6}[ \t\n]*+(@)"
    rb"|(?:builtin\.)?(module)(?![\w$.])(?:[ \t\n]++(@)[ \t\n]*+)?)"
)
_NAME_REST = re.compile(rb"[\w$.-]*+")
_QUOTED_NAME = re.compile(rb'@(?:([A-Za-z_][\w$.]*+)|"([^"\n]*+)")')
# In a head, behind the name: what nests, what is inside an attribute dictionary, what shows that there is no body.
_IN_HEAD = re.compile(rb"->|([(\[<])|([)\]>])|(\battributes\b)|(\{)|([}%@^=]|(?<![\w$.!#-])[a-z_]\w*+\.[a-z_])")
_OPENS, _CLOSES, _ATTRIBUTES, _BRACE, _OTHER = range(1, 6)
_DEEPEST = 64  # modules in a symbol
_BRACES = re.compile(rb"[{}]")


def found(text: bytes) -> list[Found]:
    """The units of a text of MLIR; a broken text gives what can be made out."""
    return list(_functions(text, blanked(text, ((start, end) for start, end, _ in MLIR.spans(text)))))


def _functions(text: bytes, plain: bytes) -> Iterator[Found]:
    around: list[str] = []  # names of the modules that we are in, outermost first; empty for what has none
    module = ""  # whose body the next brace opens
    position = 0
    while head := _HEAD.search(plain, position):
        position = head.end()
        if head[0] == b"{":
            around.append(module)
            module = ""
        elif head[0] == b"}":
            del around[-1:]
        elif head[1]:
            body, position = _body(plain, head.start(1) + 1)
            name = _symbol(text, head.start(1))
            if body >= 0 and name:
                position = _closing(plain, body)
                symbol = ".".join(filter(None, (*around[:_DEEPEST], name)))
                yield Found(symbol, UnitKind.RECORD, head.start(), position)
        else:
            body, stop = _body(plain, position)
            if body >= 0 and head[3]:
                module = _symbol(text, head.start(3))
            position = stop if body < 0 else body


def _symbol(text: bytes, at: int) -> str:
    name = _QUOTED_NAME.match(text, at)
    return (name[1] or name[2] or b"")[:LONGEST_NAME].decode("utf-8", "replace") if name else ""


def _body(plain: bytes, position: int) -> tuple[int, int]:
    """Where the body's brace stands, or -1; and where it became clear that there is none."""
    name = _NAME_REST.match(plain, position)
    position = name.end() if name else position
    depth = 0
    described = False  # the next brace opens a dictionary
    while token := _IN_HEAD.search(plain, position):
        position = token.end()
        kind = token.lastindex
        if kind == _OPENS:
            depth += 1
        elif kind == _CLOSES:
            depth = max(0, depth - 1)
        elif kind == _BRACE:
            if not depth and not described:
                return token.start(), position
            position = _closing(plain, token.start())
            described = False
        elif kind == _ATTRIBUTES:
            described = True
        elif kind == _OTHER and not depth:
            return -1, token.start()
    return -1, len(plain)


def _closing(plain: bytes, brace: int) -> int:
    """The position behind the brace that closes the one here; the end of the text if none does."""
    depth = 0
    for mark in _BRACES.finditer(plain, brace):
        depth += 1 if mark[0] == b"{" else -1
        if not depth:
            return mark.end()
    return len(plain)
