"""Which names a substrate has, read from its source tree: one module at a time, and only those that are asked about."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from leverage.model.exact import dotted, syntax_tree
from leverage.resolve.scopes import ClassScope, Module, read_scopes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

MOST_BYTES = 8 * 2**20
MOST_STEPS = 40
"""Imports and base classes that are followed for one question; circles end here."""
_WITHOUT_NAMES = frozenset({"abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"})


class Tree:
    """A source tree that answers whether a dotted name exists in it.

    Args:
        read: bytes of the file at a path (with ``/``, from the root); None where there is none.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._modules: dict[str, Module | None] = {}

    def exists(self, symbol: str) -> bool | None:
        """Whether a module, class, function, method, field or constant of this name exists.

        None where it cannot be told: nothing of the name is in the tree, or its names are made when it runs.
        """
        return self._exists(symbol.split("."), MOST_STEPS)

    def members(self, symbol: str) -> frozenset[str] | None:
        """Names that a class and its bases in the tree have; None where the tree holds no class of this name."""
        scope = self._class(symbol.split("."), MOST_STEPS)
        return None if scope is None else frozenset(self._names(scope, MOST_STEPS))

    def _names(self, scope: ClassScope, steps: int) -> Iterator[str]:
        for names in _own(scope):
            yield from names
        for base in scope.node.bases:
            around = self._base(base, scope.module)
            above = None if around is None or steps <= 0 else self._class(around, steps - 1)
            if above is not None and above is not scope:
                yield from self._names(above, steps - 1)

    def _class(self, parts: list[str], steps: int) -> ClassScope | None:
        for length in range(len(parts) - 1, 0, -1):
            module = self._module(".".join(parts[:length]))
            if module is None:
                continue
            name, *inner = parts[length:]
            found = module.scope.classes.get(name)
            for one in () if found else module.scope.imports.get(name, ()):
                whole = [*one.module.split("."), *([one.name] if one.name else []), *inner]
                return self._class(whole, steps - 1) if steps > 0 else None
            for each in inner:
                found = found[-1].classes.get(each) if found else None
            return found[-1] if found else None
        return None

    def _base(self, base: ast.expr, module: Module) -> list[str] | None:
        """Full name of a base class, by the imports of its module; None for what is no plain name."""
        if isinstance(base, ast.Subscript):
            base = base.value
        parts = dotted(base).split(".") if isinstance(base, ast.Name | ast.Attribute) else []
        if not parts or not parts[0]:
            return None
        for one in module.scope.imports.get(parts[0], ()):
            return [*one.module.split("."), *([one.name] if one.name else []), *parts[1:]]
        return [*module.name.split("."), *parts] if parts[0] in module.scope.classes else parts

    def _exists(self, parts: list[str], steps: int) -> bool | None:
        if steps <= 0:
            return None
        for length in range(len(parts), 0, -1):
            module = self._module(".".join(parts[:length]))
            if module is not None:
                return True if length == len(parts) else self._in_module(module, parts[length:], steps)
        return None

    def _in_module(self, module: Module, rest: list[str], steps: int) -> bool | None:
        scope, name = module.scope, rest[0]
        if name in scope.classes or name in scope.functions or name in scope.bindings:
            if len(rest) == 1:
                return True
            classes = scope.classes.get(name)
            return self._in_class(classes[-1], rest[1:], steps) if classes else None
        for one in scope.imports.get(name, ()):
            if len(rest) == 1:
                return True
            return self._exists([*one.module.split("."), *([one.name] if one.name else []), *rest[1:]], steps - 1)
        answers = [self._exists([*star.split("."), *rest], steps - 1) for star in scope.star]
        if True in answers:
            return True
        return None if None in answers or _makes_names(module) else False

    def _in_class(self, scope: ClassScope, rest: list[str], steps: int) -> bool | None:
        name = rest[0]
        if len(rest) > 1 and name in scope.classes:
            return self._in_class(scope.classes[name][-1], rest[1:], steps - 1) if steps > 0 else None
        if any(name in names for names in _own(scope)) or hasattr(object, name) or hasattr(type, name):
            return True if len(rest) == 1 else None
        answers = {self._in_base(base, scope.module, rest, steps - 1) for base in scope.node.bases}
        if True in answers:
            return True
        return None if None in answers else False

    def _in_base(self, base: ast.expr, module: Module, rest: list[str], steps: int) -> bool | None:
        whole = self._base(base, module)
        if whole is None or steps <= 0:
            return None
        if ".".join(whole) in _WITHOUT_NAMES:
            return False
        known = getattr(builtins, whole[0], None) if len(whole) == 1 else None
        return hasattr(known, rest[0]) if isinstance(known, type) else self._exists([*whole, *rest], steps)

    def _module(self, name: str) -> Module | None:
        if name not in self._modules:
            self._modules[name] = self._parsed(name)
        return self._modules[name]

    def _parsed(self, name: str) -> Module | None:
        place = name.replace(".", "/")
        for path in (f"{place}.py", f"{place}/__init__.py", f"{place}.pyi", f"{place}/__init__.pyi"):
            data = self._read(path)
            if data is None or len(data) > MOST_BYTES:
                continue
            try:
                package = path.rpartition("/")[2].startswith("__init__.")
                module = Module(path, name, package, syntax_tree(data), [])
                read_scopes(module)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            return module
        return None


def _own(scope: ClassScope) -> tuple[Collection[str], ...]:
    return scope.functions, scope.classes, scope.bindings, scope.fields, scope.imports


def _makes_names(module: Module) -> bool:
    """Whether a module may hold names that its source does not: made through ``globals()`` or answered on demand."""
    if "__getattr__" in module.scope.functions:
        return True
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals"
        for node in ast.walk(module.tree)
    )
