"""Stores: attributes and items of theirs that the port sets, deletes or changes in place."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Scope, TouchKind
from leverage.resolve.program import nodes_of
from leverage.resolve.rows import DYNAMIC, RESTORE, Rows, is_private
from leverage.resolve.syntax import is_super, is_sys_modules, parameters, source_of
from leverage.resolve.values import Form, Known, Many, OwnFunction, Pack, Upstream

if TYPE_CHECKING:
    from leverage.resolve.scopes import FunctionScope
    from leverage.resolve.scopes import Scope as Place
    from leverage.resolve.walk import Around


class Stores(Rows):
    """Finds stores."""

    __slots__ = ()

    def _stored(self, target: ast.expr, value: ast.expr | None, form: str, around: Around) -> None:
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                given = (
                    value.elts
                    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts)
                    else [None] * len(parts)
                )
                for part, one in zip(parts, given, strict=True):
                    self._stored(part, one, form, around)
            case ast.Starred(value=inner):
                self._stored(inner, value, form, around)
            case ast.Attribute(value=owner, attr=name):
                self._told_below(target)
                for each in self.program.evaluator.values(owner, around.scope):
                    if isinstance(each, Upstream):
                        self._patched(target, each, name, value, form, around)
            case ast.Subscript(value=container, slice=index):
                self._item(target, container, index, value, form, around)
            case _:
                pass

    def _patched(  # noqa: PLR0917 - what, where, how and by whom
        self,
        node: ast.AST,
        owner: Upstream,
        name: str,
        value: ast.expr | None,
        form: str,
        around: Around,
        **more: object,
    ) -> None:
        """An attribute of something of theirs is set or deleted."""
        symbol = f"{owner.path}.{name}"
        config = self.program.evaluator.known.config
        if owner.form is Form.SYMBOL and (owner.path in config or owner.path.endswith(".config")):
            self._switched(node, owner, name, value, form, around, **more)
            return
        if owner.form is Form.OBJECT and owner.known.resolution == "constructed":
            if is_private(symbol):  # an object that the port made itself and fills in: no patch, but a use
                self._written(node, owner, name, value, form, around)
            return
        if name in {"__bases__", "__class__", "__dict__"}:
            form = name
        functions = self._functions(value, around)
        if not (owner.form is Form.SYMBOL or functions or self._is_shared(owner)):
            self._written(node, owner, name, value, form, around)
            return
        self._row(
            node,
            around,
            TouchKind.MONKEY_PATCH,
            form,
            symbol,
            owner.known,
            scope=Scope.GLOBAL if owner.form is Form.SYMBOL else Scope.INSTANCE,
            wraps=None if value is None else self._wraps(symbol, value, functions, around),
            parameters=parameters(functions[0]) if len(functions) == 1 else None,
            value=source_of(value),
            detail="finally" if around.final else "",
            **more,
        )
        if value is not None and self._is_original(symbol, value, functions, around):
            self.found[-1] = replace(self.found[-1], form=RESTORE, restored=True, wraps=None)
        elif value is not None and not functions:
            for each in self.program.evaluator.values(value, around.scope):
                if isinstance(each, Upstream) and each.form is not Form.OBJECT:
                    self.saved.setdefault(each.path, set()).add(symbol)

    def _switched(  # noqa: PLR0917 - what, where, how and by whom
        self,
        node: ast.AST,
        owner: Upstream,
        name: str,
        value: ast.expr | None,
        form: str,
        around: Around,
        **more: object,
    ) -> None:
        """A switch of a configuration is set."""
        symbol = f"{owner.path}.{name}"
        if value is not None and self._is_original(symbol, value, [], around):
            form, more = RESTORE, {**more, "restored": True}
        self._row(
            node,
            around,
            TouchKind.CONFIG_KEY,
            form,
            symbol,
            owner.known,
            scope=Scope.GLOBAL,
            value=source_of(value),
            **more,
        )

    def _is_shared(self, owner: Upstream) -> bool:
        """Whether everybody sees the object; a patched method that writes to its own object does what methods do."""
        shared = owner.form is Form.OBJECT and owner.path in self.program.evaluator.known.shared
        return shared and owner.known.resolution != "patched"

    def _written(  # noqa: PLR0917 - what, where, how and by whom
        self, node: ast.AST, owner: Upstream, name: str, value: ast.expr | None, form: str, around: Around
    ) -> None:
        """An attribute of one live object among many is written, planted or deleted."""
        known = self.members(owner.path) if self.members and owner.form is Form.OBJECT else None
        if form in {"del", "delattr"}:
            form = "delete"
        else:
            form = "planted" if known is not None and name not in known else "write"
        symbol = f"{owner.path}.{name}".replace("[]", "")
        self._row(
            node,
            around,
            TouchKind.ATTRIBUTE_USE,
            form,
            symbol,
            owner.known,
            scope=Scope.INSTANCE,
            value=source_of(value),
        )

    def _functions(self, value: ast.expr | None, around: Around) -> list[FunctionScope]:
        if value is None:
            return []
        found = [
            each.scope for each in self.program.evaluator.values(value, around.scope) if isinstance(each, OwnFunction)
        ]
        if not found and isinstance(value, ast.Call):
            # A function of theirs is bound to an object (`f.__get__(x)`), or handed to a decorator.
            inner = value.func.value if isinstance(value.func, ast.Attribute) and value.func.attr == "__get__" else None
            for part in [inner] if inner is not None else value.args[:1]:
                found += [
                    each.scope
                    for each in self.program.evaluator.values(part, around.scope)
                    if isinstance(each, OwnFunction)
                ]
        return found

    def _names_symbol(self, expression: ast.expr, symbol: str, scope: Place) -> bool:
        values = self.program.evaluator.values(expression, scope)
        return any(
            isinstance(each, Upstream) and each.form is not Form.OBJECT and each.path == symbol for each in values
        )

    def _wraps(self, symbol: str, value: ast.expr, functions: list[FunctionScope], around: Around) -> bool | None:
        """Whether the new value calls what was there before."""
        names = {symbol, *self.saved.get(symbol, ())}
        if any(self._mentions(function, name) for function in functions for name in names):
            return True
        if isinstance(value, ast.Call):
            given = [*value.args, *(keyword.value for keyword in value.keywords)]
            if any(self._names_symbol(argument, symbol, around.scope) for argument in given):
                return True
        return False if functions else None

    def _mentions(self, function: FunctionScope, symbol: str) -> bool:
        last = symbol.rpartition(".")[2]
        decorators = [] if isinstance(function.node, ast.Lambda) else function.node.decorator_list
        skipped = {id(node) for decorator in decorators for node in ast.walk(decorator)}
        waiting: list[tuple[ast.AST, Place]] = [(function.node, function)]
        while waiting:
            node, scope = waiting.pop()
            if id(node) in skipped:
                continue
            scope = function.module.scopes.get(node, scope) if node is not function.node else function
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                if self._names_symbol(node, symbol, scope):
                    return True
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr == last
                    and isinstance(node.value, ast.Call)
                    and is_super(node.value)
                ):
                    return True
            waiting.extend((child, scope) for child in ast.iter_child_nodes(node))
        return False

    def _is_original(self, symbol: str, value: ast.expr, functions: list[FunctionScope], around: Around) -> bool:
        """Whether a value is what stood there before, kept under another name."""
        if functions or not isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
            return False
        values = self.program.evaluator.values(value, around.scope)
        if not values and isinstance(value, ast.Subscript):
            return bool(self._kept_in(source_of(value.value)) & {symbol, *self.saved.get(symbol, ())})
        return len(values) == 1 and self._names_symbol(value, symbol, around.scope)

    def _kept_in(self, container: str) -> set[str]:
        """Upstream symbols that this file keeps in a collection of its own, under whatever key.

        Args:
            container: the collection as it is written.
        """
        if self.collections is None:
            self.collections = {}
            for node, scope in nodes_of(self.module):
                if not isinstance(node, ast.Assign):
                    continue
                for target in node.targets:
                    if isinstance(target, ast.Subscript):
                        kept = self.collections.setdefault(source_of(target.value), set())
                        for each in self.program.evaluator.values(node.value, scope):
                            if isinstance(each, Upstream) and each.form is not Form.OBJECT:
                                kept.add(each.path)
        return self.collections.get(container, set())

    def _item(  # noqa: PLR0917 - what, where, how and by whom
        self,
        node: ast.Subscript,
        container: ast.expr,
        index: ast.expr,
        value: ast.expr | None,
        form: str,
        around: Around,
    ) -> None:
        self._told_below(node)
        if is_sys_modules(container):
            for text in self.program.evaluator.texts(index, around.scope):
                if self.program.evaluator.is_upstream(text):
                    self._row(
                        node,
                        around,
                        TouchKind.MONKEY_PATCH,
                        "sys.modules",
                        text,
                        Known("literal"),
                        scope=Scope.GLOBAL,
                        value=source_of(value),
                    )
            return
        kind = "slice" if isinstance(index, ast.Slice) else "item" if form in {"assignment", "loop"} else form
        for owner in self._containers(container, around):
            if owner.path.endswith(".__dict__"):
                name = index.value if isinstance(index, ast.Constant) else DYNAMIC
                bare = Upstream(owner.path.removesuffix(".__dict__"), owner.form, owner.known)
                self._patched(node, bare, str(name), value, "__dict__", around)
            else:
                self._mutated(node, owner, kind, around, value=source_of(index) if kind != "slice" else "")

    def _merged(self, node: ast.AugAssign, around: Around) -> bool:
        """`collection |= more` changes a set or dict in place, whereas `+=` on an attribute mostly counts something."""
        values = self.program.evaluator.values
        listed = any(isinstance(each, Pack | Many) for each in values(node.value, around.scope))
        if not (isinstance(node.op, ast.BitOr | ast.BitAnd | ast.BitXor) or (listed and isinstance(node.op, ast.Add))):
            return False
        load: ast.expr
        match node.target:
            case ast.Attribute(value=owner, attr=name):
                load = ast.copy_location(ast.Attribute(owner, name, ast.Load()), node.target)
            case ast.Name(id=name):
                load = ast.copy_location(ast.Name(name, ast.Load()), node.target)
            case _:
                return False
        self.kept.append(load)
        found = [
            each for each in values(load, around.scope) if isinstance(each, Upstream) and self._is_collection(each)
        ]
        for each in found:
            self._mutated(node.target, each, "augmented", around, value=source_of(node.value))
        self._told_below(node.target)
        return bool(found)
