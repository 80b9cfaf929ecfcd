"""Scopes of a module, and what binds each name in them. Syntax alone; nothing is evaluated here."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class How(Enum):
    """What a binding makes of its expression."""

    VALUE = auto()
    """The name is the value of the expression."""
    ELEMENT = auto()
    """The name is an element of it: a loop, a comprehension."""
    UNPACKED = auto()
    """The name is one part of it, see `Binding.place`."""
    ELEMENT_UNPACKED = auto()
    """The name is one part of an element of it."""
    ANNOTATION = auto()
    """The expression is the name's annotation."""
    OBJECT = auto()
    """The name is an object of the class that the expression names (`isinstance`, `match`)."""
    ENTERED = auto()
    """The name is what a `with` yields."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a name gets a value.

    Attributes:
        how: what is made of the expression.
        expression: the expression.
        line: line of the statement.
        place: index of the part that is taken when it is unpacked.
    """

    how: How
    expression: ast.expr
    line: int
    place: int = 0


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds.

    Attributes:
        module: absolute dotted name of the module.
        name: name that is taken from it; empty where the name is the module.
        line: line of the statement.
    """

    module: str
    name: str
    line: int


@dataclass(eq=False, slots=True, kw_only=True)
class Scope:
    """A module, class or function. Compared by identity.

    Attributes:
        module: what holds it.
        parent: scope around it; None for a module.
        symbol: dotted name inside the file; functions in functions keep their own.
        unit: symbol of the unit of code that it belongs to: the outermost function, else the class, else empty.
        bindings: by name.
        imports: by name.
        star: modules of which everything is imported.
        functions: functions directly in it, by name; several where one is defined more than once.
        classes: likewise.
        outer: names declared `global` or `nonlocal`.
    """

    module: Module
    parent: Scope | None
    symbol: str
    unit: str
    bindings: defaultdict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    imports: defaultdict[str, list[Import]] = field(default_factory=lambda: defaultdict(list))
    star: list[str] = field(default_factory=list)
    functions: defaultdict[str, list[FunctionScope]] = field(default_factory=lambda: defaultdict(list))
    classes: defaultdict[str, list[ClassScope]] = field(default_factory=lambda: defaultdict(list))
    outer: set[str] = field(default_factory=set)

    @property
    def is_class(self) -> bool:
        """Whether names in it are not seen by the functions in it."""
        return False


@dataclass(eq=False, slots=True, kw_only=True)
class FunctionScope(Scope):
    """A function or lambda.

    Attributes:
        node: its syntax.
        returns: expressions that it returns.
        yields: expressions that it yields.
    """

    node: FunctionNode
    returns: list[ast.expr] = field(default_factory=list)
    yields: list[ast.expr] = field(default_factory=list)

    @property
    def parameters(self) -> list[ast.arg]:
        """Positional parameters in order, then those by keyword."""
        arguments = self.node.args
        return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]

    @property
    def positional(self) -> list[ast.arg]:
        """Positional parameters in order."""
        return [*self.node.args.posonlyargs, *self.node.args.args]

    def decorators(self) -> list[ast.expr]:
        """Decorators as written; a lambda has none."""
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


@dataclass(eq=False, slots=True, kw_only=True)
class ClassScope(Scope):
    """A class.

    Attributes:
        node: its syntax.
        fields: what methods assign to attributes of their first parameter: by name, bindings and the method.
    """

    node: ast.ClassDef
    fields: defaultdict[str, list[tuple[Binding, FunctionScope]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def is_class(self) -> bool:
        """Always."""
        return True


@dataclass(eq=False, slots=True)
class Module:
    """A file of the port.

    Attributes:
        path: its path.
        name: dotted name by which the port imports it.
        package: whether it is an `__init__.py`.
        tree: its syntax.
        lines: its text by lines.
        scope: its outermost scope; set when it is read.
        scopes: every scope of it, by the syntax node that opens it.
    """

    path: str
    name: str
    package: bool
    tree: ast.Module
    lines: list[str]
    scope: Scope = field(init=False)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)

    def absolute(self, level: int, name: str) -> str:
        """Absolute name of what a relative import names."""
        if not level:
            return name
        parts = self.name.split(".")
        keep = len(parts) - level + (1 if self.package else 0)
        return ".".join([*parts[: max(keep, 0)], *([name] if name else [])])


def read_scopes(module: Module) -> None:
    """Fill in the scopes of a module."""
    module.scope = Scope(module=module, parent=None, symbol="", unit="")
    module.scopes[module.tree] = module.scope
    _Reader(module).read(module.tree.body, module.scope)


def all_functions(scope: Scope) -> Iterator[FunctionScope]:
    """Named functions directly in a scope, in order of lines."""
    found = [one for several in scope.functions.values() for one in several]
    yield from sorted(found, key=lambda one: getattr(one.node, "lineno", 0))


class _Reader:
    """One walk over a module. A stack of its own, so that deep nesting is no recursion."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.names: defaultdict[str, int] = defaultdict(int)

    def read(self, body: list[ast.stmt], scope: Scope) -> None:
        """Read statements into a scope, and whatever opens a scope of its own."""
        waiting: list[tuple[ast.AST, Scope]] = [(node, scope) for node in reversed(body)]
        while waiting:
            node, here = waiting.pop()
            waiting.extend(reversed(list(self._node(node, here))))

    def _node(self, node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = self._function(node, node.name, scope)
                for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
                    yield part, scope
                for statement in node.body:
                    yield statement, inner
                return
            case ast.Lambda():
                inner = self._function(node, "<lambda>", scope)
                for part in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                    yield part, scope
                yield node.body, inner
                inner.returns.append(node.body)
                return
            case ast.ClassDef():
                made = self._class(node, scope)
                for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
                    yield part, scope
                for statement in node.body:
                    yield statement, made
                return
            case _:
                self._bind(node, scope)
        for child in ast.iter_child_nodes(node):
            yield child, scope

    def _function(self, node: FunctionNode, name: str, scope: Scope) -> FunctionScope:
        symbol = self._fresh(scope, name)
        unit = scope.unit if isinstance(scope, FunctionScope) or _in_function(scope) else symbol
        if name == "<lambda>" and not isinstance(scope, FunctionScope):
            unit = scope.unit
        made = FunctionScope(module=self.module, parent=scope, symbol=symbol, unit=unit, node=node)
        self.module.scopes[node] = made
        scope.functions[name].append(made)
        return made

    def _class(self, node: ast.ClassDef, scope: Scope) -> ClassScope:
        symbol = self._fresh(scope, node.name)
        unit = scope.unit if _in_function(scope) else symbol
        made = ClassScope(module=self.module, parent=scope, symbol=symbol, unit=unit, node=node)
        self.module.scopes[node] = made
        scope.classes[node.name].append(made)
        return made

    def _fresh(self, scope: Scope, name: str) -> str:
        symbol = f"{scope.symbol}.{name}" if scope.symbol else name
        self.names[symbol] += 1
        return symbol if self.names[symbol] == 1 else f"{symbol}#{self.names[symbol]}"

    def _bind(self, node: ast.AST, scope: Scope) -> None:  # noqa: C901, PLR0912 - one case for each statement that binds
        match node:
            case ast.Import(names=names):
                for alias in names:
                    name = alias.asname or alias.name.partition(".")[0]
                    module = alias.name if alias.asname else name
                    scope.imports[name].append(Import(module, "", node.lineno))
            case ast.ImportFrom(names=names):
                module = self.module.absolute(node.level, node.module or "")
                for alias in names:
                    if alias.name == "*":
                        scope.star.append(module)
                    else:
                        scope.imports[alias.asname or alias.name].append(Import(module, alias.name, node.lineno))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._target(target, How.VALUE, value, node.lineno, scope)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self._target(target, How.ANNOTATION, annotation, node.lineno, scope)
                if value is not None:
                    self._target(target, How.VALUE, value, node.lineno, scope)
            case ast.AugAssign(target=target, value=value):
                self._target(target, How.VALUE, value, node.lineno, scope)
            case ast.NamedExpr(target=target, value=value):
                self._target(target, How.VALUE, value, node.lineno, scope)
            case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
                self._target(target, How.ELEMENT, iterated, node.lineno, scope)
            case ast.comprehension(target=target, iter=iterated):
                self._target(target, How.ELEMENT, iterated, iterated.lineno, scope)
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                self._target(target, How.ENTERED, value, value.lineno, scope)
            case ast.Return(value=value) if value is not None and isinstance(scope, FunctionScope):
                scope.returns.append(value)
            case ast.Yield(value=value) if value is not None and isinstance(scope, FunctionScope):
                scope.yields.append(value)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                scope.outer.update(names)
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
                for one in kind.elts if isinstance(kind, ast.Tuple) else [kind]:
                    scope.bindings[name].append(Binding(How.OBJECT, one, node.lineno))
            case ast.match_case(pattern=pattern):
                self._pattern(pattern, scope)
            case _:
                pass

    def _target(self, target: ast.expr, how: How, value: ast.expr, line: int, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                place = scope
                while name in place.outer and place.parent is not None:
                    place = place.parent
                place.bindings[name].append(Binding(how, value, line))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                inner = {How.VALUE: How.UNPACKED, How.ELEMENT: How.ELEMENT_UNPACKED}.get(how)
                for at, part in enumerate(parts):
                    if inner is not None and isinstance(part, ast.Name):
                        scope.bindings[part.id].append(Binding(inner, value, line, at))
            case ast.Attribute(value=ast.Name(id=first), attr=name) if isinstance(scope, FunctionScope):
                owner = _method_owner(scope, first)
                for one in [owner] if owner is not None else scope.module.scope.classes.get(first, ()):
                    one.fields[name].append((Binding(how, value, line), scope))
            case _:
                pass

    def _pattern(self, pattern: ast.pattern, scope: Scope) -> None:
        for node in ast.walk(pattern):
            if isinstance(node, ast.MatchAs) and node.name and isinstance(node.pattern, ast.MatchClass):
                scope.bindings[node.name].append(Binding(How.OBJECT, node.pattern.cls, node.lineno))


def _in_function(scope: Scope | None) -> bool:
    while scope is not None:
        if isinstance(scope, FunctionScope):
            return True
        scope = scope.parent
    return False


def _method_owner(scope: Scope | None, first: str) -> ClassScope | None:
    """The class whose method has this name for its first parameter, seen from the method or from inside it."""
    while isinstance(scope, FunctionScope):
        names = scope.positional
        if isinstance(scope.parent, ClassScope) and names and names[0].arg == first:
            return scope.parent
        if any(parameter.arg == first for parameter in scope.parameters):
            return None
        scope = scope.parent
    return None
