"""Anchors: places where a port hands code to its substrate, and the stage that this tells.

A class that derives from upstream's scheduling class schedules; a function registered as a lowering lowers; a method
that overrides one of upstream does what that one does. The table of hooks is `anchors.toml`; for the rest, upstream's
own classification rules answer. Code that runs only on behalf of anchors of one stage is reached by that stage.
"""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict, deque
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from leverage.classify.pack import load_pack
from leverage.resolve.program import definition, nodes_of
from leverage.resolve.scopes import ClassScope, FunctionScope
from leverage.resolve.values import Form, OwnClass, OwnFunction, OwnObject, Upstream
from leverage.resolve.values import Pack as WrittenOut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leverage.classify.pack import Pack
    from leverage.resolve.program import Program
    from leverage.resolve.scopes import Module, Scope

UPSTREAM_RULES = "torch-inductor"
"""Pack that says which stage upstream's own code has."""
_FOLDER = "torch/_inductor/"
_TAKES_CODE = frozenset({"lowering", "decomposition", "graph_rewrite"})  # stages whose hooks are called with code


class How(StrEnum):
    """How code is anchored."""

    HOOK = "hook"
    """It is registered with a hook, or put under its name."""
    OVERRIDE = "override"
    """It takes the place of an upstream method or function."""
    CLASS = "class"
    """Its class derives from an upstream class."""
    REACHED = "reached"
    """It runs on behalf of anchored code of one stage alone."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a place says about a unit of code.

    Attributes:
        stage: the stage.
        divergence: the divergence where the hook tells it, else empty.
        symbol: upstream's name; for `How.REACHED` the unit that it is reached from, as ``path::symbol``.
        how: how they hang together.
        line: line of the unit's file where it is written, from 1.
    """

    stage: str
    divergence: str
    symbol: str
    how: How
    line: int


@dataclass(frozen=True, slots=True)
class _Meaning:
    stage: str
    divergence: str
    caller: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What upstream's names mean: by dotted name, for hooks and for the rest."""

    hooks: Mapping[str, _Meaning]
    upstream: Mapping[str, _Meaning]

    def of_hook(self, symbol: str) -> _Meaning | None:
        """The meaning of a hook, by the longest name that fits."""
        return _longest(self.hooks, symbol)

    def of_upstream(self, symbol: str) -> _Meaning | None:
        """The meaning of an upstream class, method or function."""
        known = _longest(self.upstream, symbol)
        return known if known is not None else _by_rules(symbol)


@cache
def table() -> Table:
    """The table of `anchors.toml`."""
    data = tomllib.loads((files("leverage.classify") / "anchors.toml").read_text(encoding="utf-8"))

    def read(section: str) -> dict[str, _Meaning]:
        return {
            name: _Meaning(entry["stage"], entry.get("divergence", ""), entry.get("caller", False))
            for name, entry in data[section].items()
        }

    return Table(read("hooks"), read("upstream"))


def _longest(names: Mapping[str, _Meaning], symbol: str) -> _Meaning | None:
    parts = symbol.split(".")
    for length in range(len(parts), 1, -1):
        if (found := names.get(".".join(parts[:length]))) is not None:
            return found
    return None


@cache
def _by_rules(symbol: str) -> _Meaning | None:
    """What upstream's own classification rules say of a name: the shortest module that they know decides."""
    if not symbol.startswith(f"{_FOLDER.replace('/', '.')}"):
        return None
    pack = _upstream_rules()
    parts = symbol.split(".")
    for ending in (".py", "/__init__.py"):  # a module of its own before a name in the package
        for length in range(3, len(parts) + 1):
            if rules := pack.reaching("/".join(parts[:length]) + ending, ".".join(parts[length:])):
                return _Meaning(rules[0].stage, "", caller=False)
    return None


@cache
def _upstream_rules() -> Pack:
    return load_pack(UPSTREAM_RULES)


Place = tuple[str, str]
"""Path and symbol of a unit of code."""


def anchors(program: Program) -> dict[Place, tuple[Anchor, ...]]:
    """Anchors by unit of code, the strongest first.

    Args:
        program: the port, read.
    """
    reader = _Reader(program)
    for module in sorted(program.modules.values(), key=lambda each: each.path):
        for node, scope in nodes_of(module):
            reader.read(node, scope, module)
    _reach(program, reader.started, reader.found)
    order = list(How)
    return {place: tuple(sorted(each, key=lambda one: order.index(one.how))) for place, each in reader.found.items()}


class _Reader:
    """Collects anchors from the syntax of a port.

    Attributes:
        found: anchors by unit.
        started: by stage, the functions that a call graph may start from.
    """

    def __init__(self, program: Program) -> None:
        self.found: defaultdict[Place, list[Anchor]] = defaultdict(list)
        self.started: defaultdict[str, set[FunctionScope]] = defaultdict(set)
        self._program = program
        self._table = table()

    def read(self, node: ast.AST, scope: Scope, module: Module) -> None:
        """Take what one syntax node tells; its children are handed in by themselves."""
        match node:
            case ast.ClassDef():
                self._class(node, module.scopes[node])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._decorated(node, scope, module.scopes[node])
            case ast.Call():
                self._called(node, scope)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Attribute | ast.Subscript):
                        self._stored(target, value, scope)
            case _:
                pass

    def _put(
        self, scope: FunctionScope | ClassScope, meaning: _Meaning | None, symbol: str, how: How, line: int
    ) -> None:
        if meaning is None or not meaning.stage:
            return
        where = definition(scope)
        self.found[where.path, where.unit].append(Anchor(meaning.stage, meaning.divergence, symbol, how, line))
        if isinstance(scope, FunctionScope) and not meaning.caller:
            self.started[meaning.stage].add(scope)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        if not isinstance(scope, ClassScope):
            return
        for base in self._program.evaluator.ancestry(scope)[1]:
            meaning = self._table.of_upstream(base.path)
            self._put(scope, meaning, base.path, How.CLASS, node.lineno)
            for name, several in scope.functions.items():
                finer = self._table.of_upstream(f"{base.path}.{name}")
                for function in several:
                    self._put(function, meaning, base.path, How.CLASS, node.lineno)
                    if finer != meaning:
                        self._put(function, finer, f"{base.path}.{name}", How.OVERRIDE, function.node.lineno)

    def _decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, own: Scope) -> None:
        for decorator in node.decorator_list:
            hook = decorator.func if isinstance(decorator, ast.Call) else decorator
            for symbol in self._upstream(hook, scope):
                if isinstance(own, FunctionScope):
                    self._put(own, self._table.of_hook(symbol), symbol, How.HOOK, decorator.lineno)

    def _called(self, node: ast.Call, scope: Scope) -> None:
        for symbol in self._upstream(node.func, scope):
            meaning = self._table.of_hook(symbol)
            if meaning is None:
                continue
            if meaning.caller and isinstance(scope, FunctionScope):
                self._put(scope, meaning, symbol, How.HOOK, node.lineno)
            elif meaning.stage in _TAKES_CODE:
                for argument in (*node.args, *(each.value for each in node.keywords)):
                    for function in self._functions(argument, scope):
                        self._put(function, meaning, symbol, How.HOOK, node.lineno)

    def _stored(self, target: ast.Attribute | ast.Subscript, value: ast.expr, scope: Scope) -> None:
        functions = list(self._functions(value, scope))
        if not functions:
            return
        ending = f".{target.attr}" if isinstance(target, ast.Attribute) else ""
        for owner in self._upstream(target.value, scope):
            symbol = f"{owner}{ending}"
            hook = self._table.of_hook(symbol)
            meaning = hook if hook is not None else self._table.of_upstream(symbol)
            for function in functions:
                how = How.HOOK if hook is not None else How.OVERRIDE
                self._put(function, meaning, symbol, how, target.lineno)

    def _upstream(self, expression: ast.expr, scope: Scope) -> Iterator[str]:
        for value in self._program.evaluator.values(expression, scope):
            if isinstance(value, Upstream) and value.form is not Form.OBJECT:
                yield value.path

    def _functions(self, expression: ast.expr, scope: Scope) -> Iterator[FunctionScope]:
        """Functions of the port that an expression stands for: itself, its `__call__`, or what a list of them holds."""
        for value in self._program.evaluator.values(expression, scope):
            match value:
                case OwnFunction(scope=function):
                    yield function
                case OwnObject(scope=of) | OwnClass(scope=of):
                    for own in self._program.evaluator.ancestry(of)[0]:
                        yield from own.functions.get("__call__", ())[:1]
                case WrittenOut(parts=parts, scope=around):
                    for part in parts:
                        for each in self._program.evaluator.values(part, around):
                            if isinstance(each, OwnFunction):
                                yield each.scope
                case _:
                    pass


def _reach(
    program: Program, started: Mapping[str, set[FunctionScope]], found: defaultdict[Place, list[Anchor]]
) -> None:
    """Code that is reached from anchors of one stage alone takes it; from several, each is told and none decides."""
    from_: defaultdict[Place, dict[str, Anchor]] = defaultdict(dict)
    for stage in sorted(started):
        starts = sorted(started[stage], key=lambda scope: (definition(scope).path, definition(scope).first))
        seen = set(starts)
        waiting = deque((start, start) for start in starts)
        while waiting:
            start, function = waiting.popleft()
            for called in sorted(
                program.calls.get(function, ()), key=lambda scope: (scope.module.path, scope.node.lineno)
            ):
                if called in seen:
                    continue
                seen.add(called)
                waiting.append((start, called))
                at, where = definition(start), definition(called)
                anchor = Anchor(stage, "", f"{at.path}::{at.unit}", How.REACHED, where.first)
                from_[where.path, where.unit].setdefault(stage, anchor)
    for place in sorted(from_):
        if not any(each.how is not How.CLASS for each in found[place]):
            found[place] += from_[place].values()
