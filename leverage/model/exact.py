"""Exact arithmetic on expressions that others wrote: read as syntax, never executed, bounded in size and depth.

Numbers are exact fractions; a decimal literal is the decimal that is written, not the float next to it.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONGEST_TEXT = 1_000
"""Characters of an expression."""
DEEPEST = 60
"""Levels of an expression."""
MOST_BITS = 4_096
"""Bits of a numerator or denominator; also the largest exponent and shift."""

_DECIMAL = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]{1,300})?")
_GETTERS = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_CONVERSIONS = frozenset({"int", "float"})
_COMPARE: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an expression has no value here, in plain words."""

    why: str


@dataclass(frozen=True, slots=True)
class Exact:
    """A value.

    Attributes:
        value: exact.
        environment: names of the environment variables whose defaults went into it, in order.
    """

    value: Fraction
    environment: tuple[str, ...] = ()


def syntax_tree(source: str | bytes) -> ast.Module:
    """The syntax tree of Python source; nothing in it is executed. Raises what `ast.parse` raises, and never warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python thinks of another's escapes is not our user's business
        return ast.parse(source)


def parsed(text: str, *, longest: int = LONGEST_TEXT) -> ast.Module | Refused:
    """The syntax tree of Python text; nothing in it is executed."""
    if len(text) > longest:
        return Refused(f"it has {len(text):,} characters, more than the {longest:,} that are read")
    try:
        return syntax_tree(text)
    except SyntaxError as error:
        return Refused(f"it is not Python that this version reads (line {error.lineno or 0}: {error.msg})")
    except (ValueError, RecursionError, MemoryError):
        # Null bytes; and what the parser says where text is nested too deeply for its stack.
        return Refused("it is nested too deeply, or holds null bytes")


def dotted(node: ast.expr) -> str:
    """A name such as ``os.environ.get``; empty for anything that is not names and dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def evaluated(
    node: ast.expr, names: Mapping[str, Exact] | None = None, *, whole_division: bool = False
) -> Exact | Refused:
    """The value of an arithmetic expression over numbers: ``+ - * / // % ** << >>``, `int`, `float`, named values.

    ``os.environ.get("NAME", default)`` and ``os.getenv`` have the value of their default, which is remembered.

    Args:
        node: the expression.
        names: values of dotted names.
        whole_division: whether ``/`` of integers cuts off the rest, as it does in C.
    """
    reader = _Reader(names or {}, whole_division=whole_division)
    try:
        value = reader.number(node, 0)
    except _RefuseError as refusal:
        return Refused(str(refusal))
    return Exact(value, tuple(dict.fromkeys(reader.environment)))


def compared(text: str, names: Mapping[str, Exact]) -> tuple[bool, Exact, Exact] | Refused:
    """Whether a comparison such as ``cores * bytes == 64 * 2**20`` holds, and its two sides."""
    tree = parsed(text)
    if isinstance(tree, Refused):
        return tree
    match tree.body:
        case [ast.Expr(ast.Compare(left, [operation], [right]))] if type(operation) in _COMPARE:
            sides = evaluated(left, names), evaluated(right, names)
        case _:
            return Refused("it is not one comparison with ==, <, <=, > or >=")
    if isinstance(sides[0], Refused):
        return sides[0]
    if isinstance(sides[1], Refused):
        return sides[1]
    return _COMPARE[type(operation)](sides[0].value, sides[1].value), sides[0], sides[1]


def names_in(text: str) -> frozenset[str]:
    """The plain names that an expression mentions; empty where it cannot be read."""
    tree = parsed(text)
    if isinstance(tree, Refused):
        return frozenset()
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)


class _RefuseError(Exception):
    """Reading cannot go on; says why."""


class _Reader:
    """Reads one expression; ``environment`` gathers the variables whose defaults were taken."""

    def __init__(self, names: Mapping[str, Exact], *, whole_division: bool) -> None:
        self.names = names
        self.whole_division = whole_division
        self.environment: list[str] = []

    def number(self, node: ast.expr, depth: int) -> Fraction:
        found = self._value(node, depth)
        if isinstance(found, str):
            raise _RefuseError("it is text and not a number")
        return found

    def _value(self, node: ast.expr, depth: int) -> Fraction | str:
        if depth > DEEPEST:
            raise _RefuseError(f"it is nested more than {DEEPEST} levels deep")
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=bool() | None | bytes()):
                raise _RefuseError("it is not a number")
            case ast.Constant(value=int() | float() as literal):
                return _bounded(_literal(literal))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
                value = self.number(inner, depth + 1)
                return -value if isinstance(sign, ast.USub) else value
            case ast.BinOp(left=left, op=operation, right=right):
                return _bounded(self._binary(operation, self.number(left, depth + 1), self.number(right, depth + 1)))
            case ast.Call():
                return self._call(node, depth)
            case ast.Name() | ast.Attribute():
                name = dotted(node)
                if name in self.names:
                    self.environment += self.names[name].environment
                    return self.names[name].value
                raise _RefuseError(f"the value of `{name[:80] or '…'}` is not known")
            case _:
                raise _RefuseError("it is more than arithmetic on numbers")

    def _binary(self, operation: ast.operator, left: Fraction, right: Fraction) -> Fraction:
        match operation:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div() | ast.FloorDiv() | ast.Mod():
                return self._divided(operation, left, right)
            case ast.Pow():
                return _power(left, right)
            case ast.LShift() | ast.RShift():
                return _shifted(left, right if isinstance(operation, ast.LShift) else -right, right)
            case _:
                raise _RefuseError("it uses an operator that is not read")

    def _divided(self, operation: ast.operator, left: Fraction, right: Fraction) -> Fraction:
        if not right:
            raise _RefuseError("it divides by zero")
        if isinstance(operation, ast.Mod):
            return left - right * int(left / right) if self.whole_division else left % right
        if isinstance(operation, ast.FloorDiv):
            return Fraction(left // right)
        if self.whole_division and left.denominator == right.denominator == 1:
            return Fraction(int(left / right))
        return left / right

    def _call(self, node: ast.Call, depth: int) -> Fraction | str:
        name = dotted(node.func)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if name in _CONVERSIONS and len(node.args) == 1 and not keywords:
            inner = self._value(node.args[0], depth + 1)
            if isinstance(inner, str):
                if not _DECIMAL.fullmatch(inner.strip()):
                    raise _RefuseError("it converts text that is not a decimal number")
                inner = _bounded(Fraction(inner.strip()))
                if name == "int" and inner.denominator != 1:
                    raise _RefuseError("it converts text that is not an integer")
            return Fraction(int(inner)) if name == "int" else inner
        if name in _GETTERS:
            match node.args, keywords:
                case [ast.Constant(value=str() as variable), default], {}:
                    pass
                case [ast.Constant(value=str() as variable)], {"default": default, **rest} if not rest:
                    pass
                case _:
                    raise _RefuseError("it reads the environment without a default")
            self.environment.append(variable[:80])
            return self._value(default, depth + 1)
        raise _RefuseError(f"it calls `{name[:80] or '…'}`, and nothing is executed here")


def _literal(value: float) -> Fraction:
    """An int, or the shortest decimal that reads back as a float: what was written, in all usual cases."""
    if isinstance(value, int):
        return Fraction(value)
    text = repr(value)
    if text.strip("-") in {"inf", "nan"}:
        raise _RefuseError("it is not a finite number")
    return Fraction(text)


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise _RefuseError(f"a number in it has more than {MOST_BITS:,} bits")
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise _RefuseError("it has an exponent that is not an integer")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) > MOST_BITS or bits * abs(exponent) > 2 * MOST_BITS:
        raise _RefuseError(f"a power in it has more than {MOST_BITS:,} bits")
    if not base and exponent < 0:
        raise _RefuseError("it divides by zero")
    return Fraction(base ** int(exponent))


def _shifted(value: Fraction, by: Fraction, written: Fraction) -> Fraction:
    if value.denominator != 1 or written.denominator != 1 or not 0 <= written <= MOST_BITS:
        raise _RefuseError("it shifts by, or shifts, what is not a small integer")
    return Fraction(int(value) << int(by) if by >= 0 else int(value) >> int(-by))
