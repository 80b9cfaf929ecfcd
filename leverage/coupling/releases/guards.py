"""Whether code behind a condition runs in a release: conditions on versions, and on whether a name is there."""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING

from leverage.coupling.releases.pins import numbers
from leverage.model.exact import Refused, dotted, parsed

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARE: dict[type[ast.cmpop], Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_AT_LEAST = re.compile(r"(?i).*(torch|version).*(_ge|_gte|at_least|or_newer|or_later|or_greater|greater_or_equal).*")
_HANDLED = ("except ImportError", "except ModuleNotFoundError", "except AttributeError")


def conditions(guard: str) -> list[str]:
    """The conditions of a guard as `Touchpoint` has it."""
    found: list[str] = []
    for part in guard.split(" and "):
        if found and found[-1].count("(") != found[-1].count(")"):
            found[-1] += f" and {part}"
        else:
            found.append(part)
    return [each for each in found if each]


def runs(guard: str, version: str, exists: Callable[[str], bool | None]) -> bool | None:
    """Whether code behind a guard runs in a release; None where that cannot be told.

    Args:
        guard: conditions, joined by ``and``; those of `try` statements are not looked at.
        version: the release.
        exists: whether a full name is there in that release.
    """
    answers = [_holds(each, version, exists) for each in conditions(guard)]
    if False in answers:
        return False
    return True if answers and None not in answers else None


def is_second_choice(guard: str) -> bool:
    """Whether code runs only where something else was missing: in the handler of a failed import or attribute."""
    return any(each.startswith(_HANDLED) for each in conditions(guard))


def _holds(text: str, version: str, exists: Callable[[str], bool | None]) -> bool | None:
    if text.startswith(("try:", "except ")):
        return None
    tree = parsed(text)
    if isinstance(tree, Refused) or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    return _value(tree.body[0].value, numbers(version), exists)


def _value(node: ast.expr, version: tuple[int, ...], exists: Callable[[str], bool | None]) -> bool | None:  # noqa: PLR0911 - one return for each kind of condition
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            answer = _value(inner, version, exists)
            return None if answer is None else not answer
        case ast.BoolOp(op=operation, values=values):
            answers = [_value(each, version, exists) for each in values]
            decisive = isinstance(operation, ast.Or)
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str() as name)]):
            return exists(f"{dotted(owner)}.{name}") if dotted(owner) else None
        case ast.Call(func=function, args=[literal, *_]) if _AT_LEAST.fullmatch(dotted(function)):
            bound = _literal(literal)
            return None if bound is None else version[: len(bound)] >= bound
        case ast.Compare(left=left, ops=[operation], comparators=[right]) if type(operation) in _COMPARE:
            return _compared(left, type(operation), right, version)
        case _:
            return None


def _compared(left: ast.expr, operation: type[ast.cmpop], right: ast.expr, version: tuple[int, ...]) -> bool | None:
    if "version" in ast.unparse(left).lower() and (bound := _literal(right)) is not None:
        mine, other = version[: max(len(bound), 1)], bound
    elif "version" in ast.unparse(right).lower() and (bound := _literal(left)) is not None:
        mine, other = bound, version[: max(len(bound), 1)]
    else:
        return None
    return _COMPARE[operation](mine, other)


def _literal(node: ast.expr) -> tuple[int, ...] | None:
    """A version that is written out: as text, as a tuple of numbers, or as either inside one call."""
    match node:
        case ast.Constant(value=str(text)):
            return numbers(text) or None
        case ast.Tuple(elts=parts) if all(isinstance(each, ast.Constant) and type(each.value) is int for each in parts):
            return tuple(each.value for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, int))
        case ast.Call(args=[inner, *_]):
            return _literal(inner)
        case _:
            return None
