"""Finding places in Python source by name: what is assigned where, and what a function calls or mentions, in order.

Works on syntax alone. An alias (``G = GraphLowering``) is not followed, so what is not found here may still be done in
another way; the sentences that come of it say what was looked for.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from leverage.model.exact import Refused, dotted
from leverage.resolve.syntax import defaults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SELECTOR = re.compile(r"(?P<path>[A-Za-z_][A-Za-z0-9_.]*)(?P<keys>(\[[^\[\]]+\])*)(\((?P<parameter>\w+)\))?")


@dataclass(frozen=True, slots=True)
class Place:
    """An expression and the line it begins on."""

    line: int
    node: ast.expr


@dataclass(frozen=True, slots=True)
class Order:
    """Whether names stand in the order asked for, and the line of the first use of each that is used."""

    holds: bool
    lines: tuple[int, ...]
    why: str


def selected(tree: ast.Module, selector: str) -> Place | Refused:
    """The one expression that a selector (as `leverage.spec.types.Probe.constant` has it) names."""
    match = _SELECTOR.fullmatch(selector)
    if match is None:
        return Refused(f"`{selector}` is not a selector")
    if match["parameter"]:
        return _default(tree, match["path"], match["parameter"])
    scope, _, name = match["path"].rpartition(".")
    owner = _only_scope(tree, scope, _SCOPES)
    if isinstance(owner, Refused):
        return owner
    found, lines = _assigned(owner, name)
    where = f"`{scope}`" if scope else "the module"
    if not lines:
        return Refused(f"`{name}` is not assigned in {where}")
    if len(lines) > 1 or not found:
        times = f"{len(lines)} times" if len(lines) > 1 else "in a way that has no one value"
        return Refused(f"`{name}` is assigned {times} in {where} (lines {', '.join(map(str, lines[:8]))})")
    return _entry(found[0], match["keys"])


def order(tree: ast.Module, within: str, names: Sequence[str], *, called: bool) -> Order | Refused:
    """Whether a function calls (or mentions) names one after the other: every use of one before every use of the next.

    What stands in functions inside the function is left out, as it runs at another time. Where two names share a loop,
    the order of lines is not the order in which they run, and the answer is refused.
    """
    owner = _only_scope(tree, within, _FUNCTIONS)
    if isinstance(owner, Refused):
        return owner
    uses: dict[str, list[tuple[tuple[int, int], frozenset[int]]]] = {name: [] for name in names}
    for node, loops in _walk(owner):
        target = node.func if called and isinstance(node, ast.Call) else node
        if called is (target is node) or not isinstance(target, ast.Name | ast.Attribute):
            continue
        name = dotted(target) if isinstance(target.ctx, ast.Load) else ""
        if name in uses:
            uses[name].append(((target.lineno, target.col_offset), loops))
    lines = tuple(min(found)[0][0] for found in uses.values() if found)
    verb = "call" if called else "mention"
    if absent := [name for name in names if not uses[name]]:
        return Order(False, lines, f"`{within}` does not {verb} {', '.join(f'`{name}`' for name in absent)}")
    for one, other in pairwise(names):
        if any(a & b for _, a in uses[one] for _, b in uses[other]):
            return Refused(f"`{one}` and `{other}` share a loop, where lines do not say what runs first")
        if max(uses[one])[0] >= min(uses[other])[0]:
            return Order(False, lines, f"in `{within}`, `{other}` stands before a use of `{one}`")
    return Order(True, lines, "")


def assignments(tree: ast.Module, name: str) -> list[int]:
    """Lines on which a dotted name, or a longer one that ends in it, is assigned to; by `setattr` of a literal too."""
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Name(ctx=ast.Store() | ast.Del()):
                written = dotted(node)
            case ast.Call(func=function, args=[owner, ast.Constant(value=str() as attribute), *_]) if dotted(
                function
            ).rpartition(".")[2] in {"setattr", "delattr", "object"}:
                written = f"{dotted(owner)}.{attribute}"
            case _:
                continue
        if written == name or written.endswith(f".{name}"):
            lines.append(node.lineno)
    return sorted(set(lines))


def _only_scope(tree: ast.Module, path: str, kinds: tuple[type[ast.AST], ...]) -> ast.AST | Refused:
    """The one function or class of a dotted path; the module for an empty one."""
    owners: list[ast.AST] = [tree]
    for name in path.split(".") if path else ():
        owners = [
            node for owner in owners for node in _statements(owner) if isinstance(node, _SCOPES) and node.name == name
        ]
    if path:
        owners = [owner for owner in owners if isinstance(owner, kinds)]
    if len(owners) != 1:
        return Refused(f"`{path}` is defined {len(owners)} times" if owners else f"`{path}` is not defined")
    return owners[0]


def _statements(owner: ast.AST) -> Iterator[ast.AST]:
    """Everything that belongs to a scope itself, functions and classes in it included but not what is in them."""
    pending = [*reversed(getattr(owner, "body", []))]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_SCOPES, ast.Lambda)):
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def _walk(owner: ast.AST) -> Iterator[tuple[ast.AST, frozenset[int]]]:
    """Nodes of a function with the loops around each; nothing of functions in it."""
    pending: list[tuple[ast.AST, frozenset[int]]] = [(node, frozenset()) for node in getattr(owner, "body", [])]
    while pending:
        node, loops = pending.pop()
        yield node, loops
        if isinstance(node, (*_SCOPES, ast.Lambda)):
            continue
        around = loops | {id(node)} if isinstance(node, _LOOPS) else loops
        pending.extend((child, around) for child in ast.iter_child_nodes(node))


def _assigned(owner: ast.AST, name: str) -> tuple[list[Place], list[int]]:
    """Values that are assigned to a plain name in a scope, and the lines of all that binds it in any way."""
    values: list[Place] = []
    bare: set[int] = set()
    stores: list[ast.Name] = []
    for node in _statements(owner):
        if isinstance(node, ast.Assign) and any(_is(target, name) for target in node.targets):
            values.append(Place(node.value.lineno, node.value))
        elif isinstance(node, ast.AnnAssign) and _is(node.target, name):
            if node.value is None:
                bare.add(id(node.target))  # an annotation alone assigns nothing
            else:
                values.append(Place(node.value.lineno, node.value))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id == name:
            stores.append(node)
    return values, [node.lineno for node in stores if id(node) not in bare]


def _is(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _entry(place: Place, keys: str) -> Place | Refused:
    for key in re.findall(r"\[([^\[\]]+)\]", keys):
        if not isinstance(place.node, ast.Dict):
            return Refused(f"line {place.line} is not a table with the key `{key}`")
        values = [value for one, value in zip(place.node.keys, place.node.values, strict=True) if _key(one) == key]
        if len(values) != 1:
            return Refused(f"the table of line {place.line} has the key `{key}` {len(values)} times")
        place = Place(values[0].lineno, values[0])
    return place


def _key(node: ast.expr | None) -> str | None:
    return str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str | int) else None


def _default(tree: ast.Module, path: str, parameter: str) -> Place | Refused:
    owner = _only_scope(tree, path, _FUNCTIONS)
    if isinstance(owner, Refused):
        return owner
    if not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
        raise TypeError(f"{path} was looked for among functions")
    default = defaults(owner.args).get(parameter)
    if default is not None:
        return Place(default.lineno, default)
    return Refused(f"`{path}` has no parameter `{parameter}` with a default")


def first_arguments(tree: ast.Module, functions: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What functions of given names are called with first, as written, with its line; of a list, each element.

    A name is the last part of what is called, so that ``lowering.register(x)`` is a call of ``register``.
    """
    wanted = {name.rpartition(".")[2] for name in functions}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in wanted:
            first = node.args[0]
            for each in first.elts if isinstance(first, ast.List | ast.Tuple | ast.Set) else [first]:
                yield ast.unparse(each), each.lineno


def settings(tree: ast.Module) -> dict[str, int]:
    """Names that a module and the classes in it assign, dotted, with the line of the first; functions are left out."""
    found: dict[str, int] = {}
    waiting: list[tuple[ast.stmt, str]] = [(node, "") for node in reversed(tree.body)]
    while waiting:
        node, before = waiting.pop()
        match node:
            case ast.ClassDef(name=name, body=body):
                waiting += [(each, f"{before}{name}.") for each in reversed(body)]
            case ast.If() | ast.Try() | ast.With():
                nested = [*node.body, *getattr(node, "orelse", [])]
                nested += [each for handler in getattr(node, "handlers", []) for each in handler.body]
                waiting += [(each, before) for each in reversed(nested)]
            case ast.Assign(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(before + target.id, node.lineno)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                found.setdefault(before + name, node.lineno)
            case _:
                pass
    return found
