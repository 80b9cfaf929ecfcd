"""Python: functions, methods and classes, as CPython's own parser sees them.

Decorators belong to what they decorate. A function inside a function, and a class inside one, belong to the outermost
function. A definition under ``if``, ``try``, ``with``, a loop or ``match`` is a unit like any other, so both branches
of ``if TYPE_CHECKING:`` may bring a function of the same name. A lambda is an expression of where it stands.

The text is decoded as UTF-8, else as Latin-1, whatever a coding cookie says: where lines end does not depend on it, and
no codec of a stranger's choice is run. What is valid is what the running Python takes for valid; Python 2 is not.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from leverage.measure.units.partition import LONGEST_NAME, Found, Unreadable
from leverage.model.exact import syntax_tree
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE_END = re.compile(rb"\n")


def found(text: bytes) -> list[Found]:
    """The units of a text of Python.

    Raises:
        Unreadable: it is no Python, or too deeply nested for CPython's parser.
    """
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    return list(_definitions(_parsed(text).body, starts))


def _parsed(text: bytes) -> ast.Module:
    try:
        source = text.decode()
    except UnicodeDecodeError:
        source = text.decode("latin-1")
    try:
        return syntax_tree(source)
    except SyntaxError as error:
        raise Unreadable(f"line {error.lineno or 1}: not valid Python: {error.msg}") from error
    except ValueError as error:  # a null byte, or a number of too many digits
        raise Unreadable(f"not valid Python: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable("nested too deeply for CPython's parser") from error


def _definitions(module: Sequence[ast.stmt], starts: list[int]) -> Iterator[Found]:
    """Walk the statements, but neither expressions nor the bodies of functions; the stack is ours."""
    waiting = [(statement, "", False) for statement in reversed(module)]
    while waiting:
        statement, scope, in_class = waiting.pop()
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                kind = UnitKind.METHOD if in_class else UnitKind.FUNCTION
                yield _unit(statement, scope, kind, starts)
            case ast.ClassDef():
                yield _unit(statement, scope, UnitKind.CLASS, starts)
                inner = f"{scope}{statement.name[:LONGEST_NAME]}."
                waiting.extend((child, inner, True) for child in reversed(statement.body))
            case _:
                waiting.extend((child, scope, in_class) for child in reversed(_inside(statement)))


def _inside(statement: ast.stmt) -> list[ast.stmt]:
    """The statements in the branches of a statement."""
    match statement:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            return [*statement.body, *statement.orelse]
        case ast.With() | ast.AsyncWith():
            return statement.body
        case ast.Try() | ast.TryStar():
            handled = [child for handler in statement.handlers for child in handler.body]
            return [*statement.body, *handled, *statement.orelse, *statement.finalbody]
        case ast.Match():
            return [child for case in statement.cases for child in case.body]
        case _:
            return []


def _unit(
    statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: str, kind: UnitKind, starts: list[int]
) -> Found:
    first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
    last = statement.end_lineno or statement.lineno
    return Found(scope + statement.name[:LONGEST_NAME], kind, starts[first - 1], starts[last])
