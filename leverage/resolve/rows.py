"""What all finders of touchpoints share: making a row, and telling what is a collection of theirs."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Scope, TouchKind, Touchpoint, Unresolved
from leverage.resolve.scopes import FunctionScope, How
from leverage.resolve.syntax import is_class_name, shortened
from leverage.resolve.values import Form, Known, Upstream

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.resolve.program import Program
    from leverage.resolve.scopes import Module
    from leverage.resolve.scopes import Scope as Place
    from leverage.resolve.walk import Around

DYNAMIC = "<dynamic>"
"""Stands for a part of a symbol that is not known."""
RESTORE = "restore"
"""Form of a touchpoint that puts an original back."""
_NAMESPACES = ("torch.ops",)  # their attributes are operators, whatever they are called


def is_private(symbol: str) -> bool:
    """Whether a part of a dotted name begins with one underscore; ``__name__`` does not count."""
    return any(
        part.startswith("_") and not (part.startswith("__") and part.endswith("__")) for part in symbol.split(".")
    )


@dataclass(slots=True)
class Rows:
    """Visits the nodes of one module and collects what it sees."""

    program: Program
    module: Module
    members: Callable[[str], frozenset[str] | None] | None
    modules: frozenset[str]
    found: list[Touchpoint] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    told: set[int] = field(default_factory=set)  # nodes that are part of a touchpoint already
    kept: list[ast.expr] = field(default_factory=list)  # nodes made here, kept so that their ids stay theirs
    saved: dict[str, set[str]] = field(default_factory=dict)  # names of theirs, and those under which they were kept
    collections: dict[str, set[str]] | None = None  # collections of the file, and names of theirs that are kept in them

    def _row(  # noqa: PLR0917 - what, where, how and by whom
        self,
        node: ast.AST,
        around: Around,
        kind: TouchKind,
        form: str,
        symbol: str,
        known: Known,
        **more: object,
    ) -> Touchpoint:
        row = Touchpoint(
            self.module.path,
            getattr(node, "lineno", 1),
            getattr(node, "col_offset", 0),
            kind,
            form,
            symbol,
            is_private(symbol),
            Scope.NONE,
            known.resolution,
            known.certainty,
            guard=" and ".join(around.guards),
            steps=known.steps,
            within=around.scope.symbol,
        )
        row = replace(row, **more)  # type: ignore[arg-type]
        if ignored := self._ignored(node):
            row = replace(row, detail="; ".join(filter(None, (row.detail, ignored))))
        self.found.append(row)
        return row

    def _registers(self, path: str) -> bool:
        return self.program.evaluator.known.registration.fullmatch(path.rpartition(".")[2]) is not None

    def _containers(self, expression: ast.expr, around: Around) -> list[Upstream]:
        """Collections of theirs that an expression is, or is an entry of."""
        while True:
            values = [
                each for each in self.program.evaluator.values(expression, around.scope) if isinstance(each, Upstream)
            ]
            found = [each for each in values if self._is_collection(each)]
            if found:
                return found
            match expression:
                case ast.Subscript(value=inner):
                    expression = inner
                case ast.Call(func=ast.Attribute(value=inner, attr="get" | "setdefault" | "pop")):
                    expression = inner
                case _:
                    return []

    def _is_collection(self, value: Upstream) -> bool:
        if value.form is Form.OBJECT:
            return False
        if value.form is Form.MEMBER:
            owner, _, name = value.path.removesuffix("[]").rpartition(".")
            known = self.members(owner) if self.members and owner not in self.program.evaluator.known.shared else None
            if known is not None and name not in known:
                return False  # a field that the port gave its own class
            # What the port put together itself is its own to fill.
            return value.known.resolution != "constructed" or is_private(value.path)
        return not (
            value.path in self.modules
            or is_class_name(value.path)
            or value.path.startswith(_NAMESPACES)
            or value.path in self.program.evaluator.known.config
        )

    def _mutated(
        self,
        node: ast.AST,
        owner: Upstream,
        form: str,
        around: Around,
        scope: Scope | None = None,
        **more: object,
    ) -> None:
        reach = Scope.GLOBAL if owner.form is Form.SYMBOL else Scope.INSTANCE
        self._row(
            node,
            around,
            TouchKind.CONTAINER_MUTATION,
            form,
            owner.path.replace("[]", ""),
            owner.known,
            scope=scope or reach,
            detail="finally" if around.final else "",
            **more,
        )

    def _is_foreign(self, expression: ast.expr, scope: Place, deep: int = 3) -> bool:
        """Whether something of which nothing is known comes from another package: by import, or by a call into one."""
        while isinstance(expression, ast.Attribute | ast.Subscript | ast.Call):
            expression = expression.func if isinstance(expression, ast.Call) else expression.value
        here: Place | None = scope
        while here is not None and isinstance(expression, ast.Name):
            name = expression.id
            if name in here.imports:
                return True
            if name in here.bindings:
                bound = here.bindings[name]
                return deep > 0 and all(
                    each.how is How.VALUE and self._is_foreign(each.expression, here, deep - 1) for each in bound
                )
            if isinstance(here, FunctionScope) and any(each.arg == name for each in here.parameters):
                return False
            here = here.parent
        return False

    def _ignored(self, node: ast.AST) -> str:
        line = self.module.lines[node.lineno - 1] if 0 < getattr(node, "lineno", 0) <= len(self.module.lines) else ""  # type: ignore[attr-defined]
        return "type: ignore" if "type: ignore" in line or "pyrefly: ignore" in line else ""

    def _told_below(self, node: ast.AST) -> None:
        """The parts of a chain that is told as a whole are no rows of their own."""
        while True:
            self.told.add(id(node))
            match node:
                case ast.Attribute(value=inner) | ast.Subscript(value=inner):
                    node = inner
                case _:
                    return

    def _doubt(self, node: ast.AST, kind: TouchKind, receiver: ast.expr, why: str) -> None:
        self.unresolved.append(Unresolved(self.module.path, getattr(node, "lineno", 1), kind, shortened(receiver), why))
