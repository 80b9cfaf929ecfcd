"""Walking a module with what stands around each node: its scope, and the conditions under which it runs."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from leverage.resolve.program import children
from leverage.resolve.syntax import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.resolve.scopes import Module, Scope

_GUARDING = ("version", "hasattr", "find_spec", "TYPE_CHECKING")
_FORGIVING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "TypeError", "NameError"})


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a node.

    Attributes:
        scope: where its names are looked up.
        guards: source of the conditions around it that ask for a version or for existence.
        statement: the statement that it is part of.
        final: whether it stands in a `finally`.
    """

    scope: Scope
    guards: tuple[str, ...]
    statement: ast.stmt | None
    final: bool


def walked(module: Module) -> Iterator[tuple[ast.AST, Around]]:
    """Every node of a module with what stands around it, in order of the source."""
    waiting: list[tuple[ast.AST, Around]] = [(module.tree, Around(module.scope, (), None, final=False))]
    while waiting:
        node, around = waiting.pop()
        yield node, around
        if isinstance(node, ast.stmt):
            around = replace(around, statement=node)
        waiting.extend(reversed(list(_inside(node, around, module))))


def _inside(node: ast.AST, around: Around, module: Module) -> Iterator[tuple[ast.AST, Around]]:
    if isinstance(node, ast.If):
        text = shortened(node.test, 120)
        guarding = any(word in text for word in _GUARDING)
        yield node.test, around
        for body, told in ((node.body, text), (node.orelse, f"not ({text})")):
            inner = replace(around, guards=(*around.guards, told)) if guarding else around
            yield from ((each, inner) for each in body)
        return
    if isinstance(node, ast.Try):
        caught = [name for handler in node.handlers for name in _names(handler) if name in _FORGIVING]
        told = f"try: except {', '.join(caught)}"
        tried = replace(around, guards=(*around.guards, told)) if caught else around
        yield from ((each, tried) for each in node.body)
        for handler in node.handlers:
            names = [name for name in _names(handler) if name in _FORGIVING]
            inner = replace(around, guards=(*around.guards, f"except {', '.join(names)}")) if names else around
            yield from ((each, inner) for each in handler.body)
        yield from ((each, around) for each in node.orelse)
        yield from ((each, replace(around, final=True)) for each in node.finalbody)
        return
    for child, scope in children(node, around.scope, module):
        yield child, around if scope is around.scope else replace(around, scope=scope)


def _names(handler: ast.ExceptHandler) -> list[str]:
    kind = handler.type
    if kind is None:
        return ["Exception"]
    parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return [part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in parts]
