"""A port's Python, read as one program: modules, classes, functions, who calls whom, and what is handed to upstream."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.exact import syntax_tree
from leverage.model.touchpoints import Certainty, Step, Unresolved
from leverage.resolve.evaluate import Evaluator
from leverage.resolve.scopes import ClassScope, FunctionScope, Module, Scope, read_scopes
from leverage.resolve.syntax import is_class_name
from leverage.resolve.values import Form, Many, OwnClass, OwnFunction, OwnObject, Pack, Upstream

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

ROUNDS = 2
"""Times that arguments are carried into parameters: what a caller's caller knows arrives in the second."""
_MOST_BYTES = 8 * 2**20
_UPSTREAM = ("torch",)


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class of the port.

    Attributes:
        path: its file.
        symbol: dotted name inside the file; a function inside a function has the outer one's name before its own.
        unit: symbol of the unit of code that its lines belong to.
        first: line of its first decorator or of its head, from 1.
        last: its last line.
    """

    path: str
    symbol: str
    unit: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Program:
    """What was read.

    Attributes:
        modules: by dotted name.
        evaluator: answers what an expression stands for.
        functions: every function and lambda.
        classes: every class.
        calls: by function, the functions of the port that it calls, or hands on to be called.
        unread: files that cannot be read, with the reason.
    """

    modules: Mapping[str, Module]
    evaluator: Evaluator
    functions: tuple[FunctionScope, ...]
    classes: tuple[ClassScope, ...]
    calls: Mapping[Scope, frozenset[FunctionScope]]
    unread: tuple[Unresolved, ...]

    def reached(self, start: FunctionScope) -> frozenset[FunctionScope]:
        """Functions of the port that may run when one runs, itself included."""
        found = {start}
        waiting = [start]
        while waiting:
            for called in self.calls.get(waiting.pop(), ()):
                if called not in found:
                    found.add(called)
                    waiting.append(called)
        return frozenset(found)


def definition(scope: FunctionScope | ClassScope) -> Definition:
    """Name and lines of a function or class."""
    node = scope.node
    first = node.lineno
    if not isinstance(node, ast.Lambda) and node.decorator_list:
        first = min(first, node.decorator_list[0].lineno)
    return Definition(scope.module.path, scope.symbol, scope.unit, first, node.end_lineno or node.lineno)


def read_program(files: Mapping[str, bytes], *, upstream: Collection[str] = _UPSTREAM) -> Program:
    """Read the Python files of a port. Nothing of it is run or imported.

    Args:
        files: bytes by path, with ``/``.
        upstream: import names of the substrate's packages.

    Returns:
        The program; a file that cannot be parsed is told in `Program.unread` and is otherwise left out.
    """
    names = module_names(files)
    modules: dict[str, Module] = {}
    unread: list[Unresolved] = []
    for path in sorted(files):
        parsed = _parsed(path, files[path])
        if isinstance(parsed, Unresolved):
            unread.append(parsed)
            continue
        text = files[path].decode("utf-8", "replace").splitlines()
        module = Module(path, names[path], path.rpartition("/")[2] == "__init__.py", parsed, text)
        try:
            read_scopes(module)
        except RecursionError:
            unread.append(Unresolved(path, 1, None, "", "its syntax is nested too deeply to be followed"))
            continue
        modules[names[path]] = module
    evaluator = Evaluator(modules, upstream)
    functions = [
        scope for module in modules.values() for scope in module.scopes.values() if isinstance(scope, FunctionScope)
    ]
    classes = [
        scope for module in modules.values() for scope in module.scopes.values() if isinstance(scope, ClassScope)
    ]
    for _ in range(ROUNDS):
        _carry_arguments(evaluator, modules)
        evaluator.forget()
    return Program(modules, evaluator, tuple(functions), tuple(classes), _calls(evaluator, modules), tuple(unread))


def module_names(paths: Collection[str]) -> dict[str, str]:
    """Dotted name of each file: from the topmost folder in an unbroken row of folders with `__init__.py`."""
    packages = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] == "__init__.py"}
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths):
        folder, _, file = path.rpartition("/")
        parts = [] if file == "__init__.py" else [file.removesuffix(".py")]
        while folder in packages and folder:
            parts.insert(0, folder.rpartition("/")[2])
            folder = folder.rpartition("/")[0]
        name = ".".join(parts) or "__init__"
        if name in taken:  # two scripts of one name in different folders; neither is imported by it
            name = path.removesuffix(".py").replace("/", ".")
        taken.add(name)
        names[path] = name
    return names


def _parsed(path: str, data: bytes) -> ast.Module | Unresolved:
    if len(data) > _MOST_BYTES:
        return Unresolved(path, 1, None, "", f"has {len(data):,} bytes; files above {_MOST_BYTES:,} are not parsed")
    try:
        return syntax_tree(data)
    except SyntaxError as error:
        return Unresolved(path, error.lineno or 1, None, "", f"does not parse: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Unresolved(path, 1, None, "", f"does not parse: {type(error).__name__}: {error}")


def nodes_of(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Every syntax node of a module with the scope that it is evaluated in, in order of the source."""
    waiting: list[tuple[ast.AST, Scope]] = [(module.tree, module.scope)]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        waiting.extend(reversed(list(children(node, scope, module))))


def children(node: ast.AST, scope: Scope, module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Child nodes, each with its scope: defaults, decorators and bases are evaluated outside of what they belong to."""
    inner = module.scopes.get(node, scope)
    for name, value in ast.iter_fields(node):
        inside = inner if name == "body" else scope
        if isinstance(value, ast.AST):
            yield value, inside
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, ast.AST):
                    yield each, inside


def _carry_arguments(evaluator: Evaluator, modules: Mapping[str, Module]) -> None:
    """Tell the evaluator what parameters are called with, as far as the callers are known by now."""
    arguments: defaultdict[FunctionScope, list[tuple[int | str, ast.expr, Scope]]] = defaultdict(list)
    given: defaultdict[FunctionScope, dict[int, tuple[Upstream | Many, ...]]] = defaultdict(dict)
    for module in modules.values():
        for node, scope in nodes_of(module):
            if isinstance(node, ast.Call):
                passed = list(_passed(node))
                for function, shift in _called(evaluator, node, scope):
                    for place, argument in passed:
                        shifted = place + shift if isinstance(place, int) else place
                        arguments[function].append((shifted, argument, scope))
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute):
                        _give(evaluator, target, node.value, scope, given)
    evaluator.arguments, evaluator.given = arguments, given


def _passed(call: ast.Call) -> Iterator[tuple[int | str, ast.expr]]:
    """Arguments with their place or keyword; what follows a starred one has no known place."""
    for place, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        yield place, argument
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value


def _called(evaluator: Evaluator, call: ast.Call, scope: Scope) -> Iterator[tuple[FunctionScope, int]]:
    """Functions of the port that a call runs, and how many parameters are taken before its first argument."""
    for value in evaluator.values(call.func, scope):
        if isinstance(value, OwnFunction):
            yield value.scope, int(value.bound)
        elif isinstance(value, OwnClass | OwnObject):
            name = "__init__" if isinstance(value, OwnClass) else "__call__"
            for own in evaluator.ancestry(value.scope)[0]:
                if name in own.functions:
                    yield own.functions[name][0], 1
                    break


def _give(
    evaluator: Evaluator,
    target: ast.Attribute,
    value: ast.expr,
    scope: Scope,
    given: defaultdict[FunctionScope, dict[int, tuple[Upstream | Many, ...]]],
) -> None:
    """What upstream will call a function with that is put under one of its names."""
    functions = [
        each.scope for each in evaluator.values(value, scope) if isinstance(each, OwnFunction) and not each.bound
    ]
    objects = [each.scope for each in evaluator.values(value, scope) if isinstance(each, OwnObject)]
    if not functions and not objects:
        return
    for owner in evaluator.values(target.value, scope):
        if not isinstance(owner, Upstream):
            continue
        step = Step(scope.module.path, target.lineno, f"upstream calls what stands under `{owner.path}.{target.attr}`")
        known = owner.known.then(step, "patched", Certainty.LIKELY)
        classes = evaluator.known.calls.get(f"{owner.path}.{target.attr}", ())
        for function in functions:
            if is_class_name(owner.path):
                given[function][0] = (Upstream(owner.path, Form.OBJECT, known),)
            for at, name in enumerate(classes):
                given[function][at] = (evaluator.of_class(name, known),)
        for own in objects:
            calls = [one for each in evaluator.ancestry(own)[0] for one in each.functions.get("__call__", ())]
            for function in calls[:1]:
                for at, name in enumerate(classes):
                    given[function][at + 1] = (evaluator.of_class(name, known),)


def _calls(evaluator: Evaluator, modules: Mapping[str, Module]) -> dict[Scope, frozenset[FunctionScope]]:
    """Edges of the call graph. A function that is named without being called may be called by whoever gets it."""
    edges: defaultdict[Scope, set[FunctionScope]] = defaultdict(set)
    for module in modules.values():
        for node, scope in nodes_of(module):
            if isinstance(node, ast.Call):
                edges[scope].update(function for function, _ in _called(evaluator, node, scope))
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                for value in evaluator.values(node, scope):
                    edges[scope].update(_mentioned(evaluator, value))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inner = module.scopes[node]
                if isinstance(inner, FunctionScope) and isinstance(scope, FunctionScope):
                    edges[scope].add(inner)  # a function inside a function is part of what that does
    return {scope: frozenset(found) for scope, found in edges.items()}


def _mentioned(evaluator: Evaluator, value: object) -> Iterator[FunctionScope]:
    if isinstance(value, OwnFunction):
        yield value.scope
    elif isinstance(value, Pack):
        for part in value.parts:
            for each in evaluator.values(part, value.scope):
                if isinstance(each, OwnFunction):
                    yield each.scope
    elif isinstance(value, OwnObject):
        for own in evaluator.ancestry(value.scope)[0]:
            if "__call__" in own.functions:
                yield own.functions["__call__"][0]
                break
