"""Fingerprints of code that stay the same while only its looks change.

Left out of a body: docstrings, annotations, the messages of assertions, and whether an assertion is written as
``assert c`` or as ``if not c: raise AssertionError``, for upstream rewrote thousands of them by machine. Annotations
have a fingerprint of their own. ``Optional[X]`` and ``Union[X, None]`` are ``X | None``; ``List[X]`` is ``list[X]``.
The text that is hashed does not depend on the version of Python that parses it.
"""

from __future__ import annotations

import ast
import hashlib
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NORMALISER = 1
"""Version of the rules of this file; fingerprints of two versions are never compared."""
BODY_BYTES = 3
"""Bytes of a fingerprint of a body: two bodies that differ look alike once in 16 million times."""
NOTE_BYTES = 1
"""Bytes of a fingerprint of annotations, which decides over nothing: of 256 changes one is not seen."""

_SKIPPED = frozenset({"ctx", "type_comment", "kind", "annotation", "returns", "type_params", "simple"})
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def digest(text: str, size: int = BODY_BYTES) -> str:
    """A short fingerprint in URL-safe base 64.

    Args:
        text: what is hashed.
        size: bytes that are kept.
    """
    whole = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()
    return urlsafe_b64encode(whole).decode().rstrip("=")


def body_hash(function: _Function) -> str:
    """Fingerprint of what a function does: its statements, not its signature.

    Raises:
        RecursionError: it is nested too deeply.
    """
    parts: list[str] = []
    _block(function.body, parts.append)
    return digest("".join(parts))


def value_hash(node: ast.AST) -> str:
    """Fingerprint of an expression; raises what `body_hash` raises."""
    parts: list[str] = []
    _dump(node, parts.append)
    return digest("".join(parts))


def annotations_hash(function: _Function) -> str:
    """Fingerprint of a function's annotations, in order; empty where it has none."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    noted = [(each.arg, each.annotation) for each in every if each is not None and each.annotation is not None]
    if function.returns is not None:
        noted.append(("return", function.returns))
    if not noted:
        return ""
    parts: list[str] = []
    for name, annotation in noted:
        parts.append(f"{name}:")
        _dump(modern(annotation), parts.append)
    return digest("".join(parts), NOTE_BYTES)


def without_docstring(statements: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements of a block without the text at its head."""
    match statements:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
        case _:
            return statements


def _block(statements: Sequence[ast.stmt], write: Callable[[str], object]) -> None:
    write("[")
    for statement in without_docstring(statements):
        _statement(statement, write)
    write("]")


def _statement(statement: ast.stmt, write: Callable[[str], object]) -> None:
    match statement:
        case ast.AnnAssign(value=None):
            return
        case ast.AnnAssign(target=target, value=value) if value is not None:
            _dump(ast.Assign(targets=[target], value=value), write)
        case ast.Assert(test=test):
            _assertion(_negated(test), write)
        case ast.If(test=test, body=[ast.Raise(exc=raised, cause=None)], orelse=[]) if _is_assertion(raised):
            _assertion(test, write)
        case _:
            _dump(statement, write)


def _is_assertion(raised: ast.expr | None) -> bool:
    function = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(function, ast.Name) and function.id == "AssertionError"


def _assertion(fails_if: ast.expr, write: Callable[[str], object]) -> None:
    """An assertion by the condition under which it fails."""
    write("Assert(")
    _dump(_pushed(fails_if), write)
    write(")")


def _pushed(test: ast.expr) -> ast.expr:
    """A condition with each `not` drawn in as far as it goes, so that two spellings of one become the same."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _negated(inner)
        case ast.BoolOp(op=operation, values=values):
            return ast.BoolOp(op=operation, values=[_pushed(each) for each in values])
        case _:
            return test


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _pushed(inner)
        case ast.BoolOp(op=operation, values=values):
            other = ast.Or() if isinstance(operation, ast.And) else ast.And()
            return ast.BoolOp(op=other, values=[_negated(each) for each in values])
        case ast.Compare(left=left, ops=[operation], comparators=comparators) if type(operation) in _OPPOSITES:
            return ast.Compare(left=left, ops=[_OPPOSITES[type(operation)]()], comparators=comparators)
        case _:
            return ast.UnaryOp(op=ast.Not(), operand=test)


_BUILTIN = frozenset({"List", "Dict", "Tuple", "Set", "FrozenSet", "Type"})
_RESPELLED = _BUILTIN | {"Optional", "Union"}


def modern(node: ast.expr) -> ast.expr:  # noqa: PLR0911 - one return for each spelling
    """An annotation as it is spelled today: without ``Optional``, ``Union``, ``List`` and quotes."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                return modern(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError):
                return node
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            parts = [modern(each) for each in inner.elts] if isinstance(inner, ast.Tuple) else [modern(inner)]
            match name:
                case "Optional" if len(parts) == 1:
                    return _either([*parts, ast.Constant(None)])
                case "Union":
                    return _either(parts)
                case _:
                    whole = ast.Tuple(parts, ast.Load()) if isinstance(inner, ast.Tuple) else parts[0]
                    head = ast.Name(name.lower(), ast.Load()) if name in _BUILTIN else node.value
                    return ast.Subscript(head, whole, ast.Load())
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([modern(left), modern(right)])
        case ast.List(elts=elements):
            return ast.List([modern(each) for each in elements], ast.Load())
        case _:
            return node


def _either(parts: Sequence[ast.expr]) -> ast.expr:
    """Alternatives, flat, with `None` at the end."""
    flat: list[ast.expr] = []
    for part in parts:
        below: list[ast.expr] = [part]
        while below:
            each = below.pop()
            if isinstance(each, ast.BinOp) and isinstance(each.op, ast.BitOr):
                below += [each.right, each.left]
            else:
                flat.append(each)
    ordered = [each for each in flat if not _is_none(each)] + [each for each in flat if _is_none(each)][:1]
    whole = ordered[0]
    for each in ordered[1:]:
        whole = ast.BinOp(whole, ast.BitOr(), each)
    return whole


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _dump(node: object, write: Callable[[str], object]) -> None:  # noqa: C901, PLR0912 - the heart of it, called for each node
    if isinstance(node, ast.AST):
        if isinstance(node, ast.Name):
            write(f"N({node.id})")
            return
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") in _RESPELLED:
            node = modern(node)
        write(type(node).__name__)
        write("(")
        for name in node._fields:
            if name in _SKIPPED:
                continue
            value = getattr(node, name, None)
            if value is None and not (name == "value" and isinstance(node, ast.Constant)):
                continue
            if name in {"body", "orelse", "finalbody"} and isinstance(value, list):
                if value:
                    write(name)
                    _block(value, write)
            elif isinstance(value, list):
                if value:
                    write(name)
                    _dump(value, write)
            else:
                write(",")
                _dump(value, write)
        write(")")
    elif isinstance(node, list):
        write("[")
        for each in node:
            _dump(each, write)
        write("]")
    else:
        write(f"{type(node).__name__}{node!r}")
