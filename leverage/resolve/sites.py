"""Every place where a port touches its substrate."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Call, Certainty, Scope, TouchKind, Touchpoint, Unresolved
from leverage.resolve.calls import INNARDS, Calls
from leverage.resolve.rows import RESTORE, is_private
from leverage.resolve.scopes import ClassScope
from leverage.resolve.syntax import (
    calls_super,
    constant_of,
    parameters,
    says_so,
    shape_of,
    shortened,
    source_of,
    symbol_of,
)
from leverage.resolve.values import Form, Known, Upstream
from leverage.resolve.walk import Around, walked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leverage.resolve.program import Program


def touch_sites(
    program: Program, *, members: Callable[[str], frozenset[str] | None] | None = None
) -> tuple[tuple[Touchpoint, ...], tuple[Unresolved, ...]]:
    """Find the touchpoints of a port.

    Args:
        program: the port.
        members: names that an upstream class has, its bases' included, or None where the class is not known. Without
            it a method is an override only where the port says so itself: it calls `super()` of its own name, or
            carries the decorator `override`.

    Returns:
        Touchpoints and places that may be some and could not be resolved, both in order of file, line and column.
    """
    found: list[Touchpoint] = []
    unresolved: list[Unresolved] = list(program.unread)
    modules = frozenset(_imported_modules(program))
    for module in program.modules.values():
        finder = _Finder(program, module, members, modules)
        for node, around in walked(module):
            finder.visit(node, around)
        found += _paired(finder.found)
        unresolved += finder.unresolved
    order = sorted(
        _one_each(found), key=lambda each: (each.path, each.line, each.column, each.kind, each.symbol, each.form)
    )
    return tuple(order), tuple(sorted(set(unresolved), key=lambda each: (each.path, each.line, each.text)))


_PUT_BACK = frozenset({TouchKind.MONKEY_PATCH, TouchKind.CONTAINER_MUTATION, TouchKind.CONFIG_KEY})


def _imported_modules(program: Program) -> Iterator[str]:
    """Names that are modules of the substrate for certain: whatever is imported as one, and what leads there."""
    for module in program.modules.values():
        for scope in module.scopes.values():
            for several in scope.imports.values():
                for each in several:
                    if program.evaluator.is_upstream(each.module):
                        parts = each.module.split(".")
                        yield from (".".join(parts[:size]) for size in range(1, len(parts) + 1))


class _Finder(Calls):
    """Visits the nodes of one module and collects what it sees."""

    __slots__ = ()

    def visit(self, node: ast.AST, around: Around) -> None:  # noqa: C901, PLR0912 - one case for each kind of node
        """Look at one node."""
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node, around)
            case ast.ClassDef():
                self._class(node, around)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    self._decorated(decorator, node, around)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._stored(target, value, "assignment", around)
            case ast.AugAssign(target=target, value=value):
                if not self._merged(node, around):
                    self._stored(target, value, "augmented", around)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._stored(target, value, "assignment", around)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._stored(target, None, "del", around)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._stored(target, value, "loop", around)
            case ast.Call():
                self._called(node, around)
            case ast.Attribute(ctx=ast.Load()):
                self._read(node, around)
            case ast.Subscript(ctx=ast.Load()):
                self._indexed(node, around)
            case _:
                pass

    def _import(self, node: ast.Import | ast.ImportFrom, around: Around) -> None:
        evaluator = self.program.evaluator
        if isinstance(node, ast.Import):
            names = [(alias.name, "import") for alias in node.names if evaluator.is_upstream(alias.name)]
        else:
            module = self.module.absolute(node.level, node.module or "")
            if not evaluator.is_upstream(module):
                return
            names = [
                (module, "star") if alias.name == "*" else (f"{module}.{alias.name}", "from") for alias in node.names
            ]
        for name, form in names:
            self._row(node, around, TouchKind.IMPORT, form, name, Known())

    def _class(self, node: ast.ClassDef, around: Around) -> None:
        for base in node.bases:
            for value in self.program.evaluator.values(base, around.scope):
                if isinstance(value, Upstream) and value.form is Form.SYMBOL:
                    self.told.add(id(base))
                    self._row(
                        node,
                        around,
                        TouchKind.SUBCLASS,
                        "base",
                        value.path,
                        value.known,
                        within=symbol_of(self.module, node),
                    )
        scope = self.module.scopes[node]
        if isinstance(scope, ClassScope):
            self._overrides(scope, around)
        for decorator in node.decorator_list:
            self._decorated(decorator, node, around)

    def _overrides(self, scope: ClassScope, around: Around) -> None:
        own, theirs = self.program.evaluator.ancestry(scope)
        if not theirs:
            return
        for name, several in scope.functions.items():
            if name == "<lambda>":
                continue
            for base in theirs:
                known = self.members(base.path) if self.members else None
                function = several[-1]
                if name in known if known is not None else says_so(function, name):
                    certainty = Certainty.CERTAIN if known is not None and len(own) == 1 else Certainty.LIKELY
                    self._row(
                        function.node,
                        around,
                        TouchKind.OVERRIDE,
                        "method",
                        f"{base.path}.{name}",
                        replace(base.known, certainty=max(certainty, base.known.certainty, key=list(Certainty).index)),
                        within=function.symbol,
                        parameters=parameters(function),
                        wraps=calls_super(function, name),
                    )
                    break

    def _decorated(self, decorator: ast.expr, node: ast.stmt, around: Around) -> None:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        for value in self.program.evaluator.values(function, around.scope):
            if isinstance(value, Upstream) and self._registers(value.path):
                self.told.update({id(function), id(decorator)})
                self._row(
                    decorator,
                    around,
                    TouchKind.REGISTRATION,
                    "decorator",
                    value.path,
                    value.known,
                    scope=Scope.GLOBAL,
                    call=shape_of(decorator) if isinstance(decorator, ast.Call) else Call(1),
                    value=shortened(decorator.args[0]) if isinstance(decorator, ast.Call) and decorator.args else "",
                    within=symbol_of(self.module, node),
                )

    def _read(self, node: ast.Attribute, around: Around) -> None:
        if id(node) in self.told:
            self._told_below(node)
            return
        innards = node.attr in INNARDS
        for value in self.program.evaluator.values(node, around.scope):
            if isinstance(value, Upstream) and value.form is not Form.OBJECT and (is_private(value.path) or innards):
                self._told_below(node)
                form = "innards" if innards else "read"
                self._row(
                    node,
                    around,
                    TouchKind.ATTRIBUTE_USE,
                    form,
                    value.path.replace("[]", ""),
                    value.known,
                )
            elif isinstance(value, Upstream) and value.form is Form.OBJECT and value.known.resolution == "virtualized":
                self._told_below(node)

    def _indexed(self, node: ast.Subscript, around: Around) -> None:
        if not isinstance(node.slice, ast.Constant | ast.UnaryOp) or not isinstance(constant_of(node.slice), int):
            return
        for value in self.program.evaluator.values(node.value, around.scope):
            if isinstance(value, Upstream) and value.form is Form.SYMBOL and self._is_collection(value):
                self._told_below(node.value)
                self._row(
                    node, around, TouchKind.ATTRIBUTE_USE, "index", value.path, value.known, value=source_of(node.slice)
                )


def _paired(rows: list[Touchpoint]) -> list[Touchpoint]:
    """Mark what is put back somewhere in the same file.

    A second change of what was changed before, made in a ``finally`` or in ``__exit__``, puts it back, even where it
    cannot be seen that the value is the old one. Of a container both changes stay as they are.
    """
    before: set[tuple[TouchKind, str]] = set()
    back: set[tuple[TouchKind, str]] = set()
    for at, row in enumerate(rows):
        key = row.kind, row.symbol
        late = "finally" in row.detail.split("; ") or row.within.endswith(".__exit__")
        if row.kind is TouchKind.MONKEY_PATCH and late and key in before:
            rows[at] = replace(row, form=RESTORE, wraps=None)
        changed = row.kind in _PUT_BACK and row.scope is Scope.GLOBAL
        if changed and (rows[at].form == RESTORE or (late and key in before)):
            back.add(key)
        if changed and not late:
            before.add(key)
    return [replace(row, restored=True) if (row.kind, row.symbol) in back else row for row in rows]


def _one_each(rows: list[Touchpoint]) -> list[Touchpoint]:
    """One row for each place, kind and form: of several possible receivers the surest; the others are named in it.

    Of equally sure ones it is the shortest, then the first by its letters.
    """
    rank = list(Certainty)
    groups: dict[tuple[str, int, int, TouchKind, str, tuple[str, ...]], list[Touchpoint]] = {}
    for row in rows:
        own = (row.symbol,) if row.kind in {TouchKind.IMPORT, TouchKind.CONFIG_KEY, TouchKind.SUBCLASS} else ()
        groups.setdefault((row.path, row.line, row.column, row.kind, row.form, own), []).append(row)
    found = []
    for several in groups.values():
        best = min(several, key=lambda row: (rank.index(row.certainty), row.symbol.count("."), row.symbol))
        others = sorted({row.symbol for row in several} - {best.symbol})
        if others:
            told = f"may also be {', '.join(others[:4])}"
            best = replace(best, detail=f"{best.detail}; {told}" if best.detail else told)
        found.append(best)
    return found
