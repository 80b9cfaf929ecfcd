"""What expressions of a port stand for: names followed through imports, aliases, calls, fields and annotations.

Nothing is run. An expression has several values where the source leaves several open, and none where nothing is known.
The order of statements is not looked at: a name is whatever is assigned to it anywhere in its scope.

One class, longer than others here: names, attributes, elements and calls are each defined by the other three.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Certainty, Step
from leverage.resolve.knowledge import knowledge
from leverage.resolve.scopes import Binding, ClassScope, FunctionScope, How, Module, Scope
from leverage.resolve.syntax import (
    defaults,
    is_class_method,
    is_class_name,
    is_static,
    is_sys_modules,
    last_name,
    shortened,
)
from leverage.resolve.values import (
    Form,
    Known,
    Many,
    OwnClass,
    OwnFunction,
    OwnModule,
    OwnObject,
    Pack,
    Text,
    Upstream,
    Value,
    same_key,
    unique,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

_NO_CIRCLE = 1_000_000
_CUT = -1  # of a circle: what was found depends on how deep the question was asked
_ROUNDS = 4  # times that a circle is gone round until nothing changes
_DEEPEST = 60  # evaluations inside evaluations; beyond, nothing is known
_ROOM = 30  # depth down to which an answer that was cut below is kept: it had as many levels to look into
_MOST_ANCESTORS = (
    256  # own classes above a class that are looked at: written code has some ten, a made chain any number
)
_SAME_ELEMENTS = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "OrderedSet", "deque"})
_VIEWS = frozenset({"copy", "values", "keys", "items"})
_ONE_OF = frozenset({"get", "pop", "setdefault", "popleft", "popitem"})
_SEQUENCES = frozenset(
    {
        "list",
        "List",
        "tuple",
        "Tuple",
        "set",
        "Set",
        "frozenset",
        "FrozenSet",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "Generator",
        "Collection",
        "OrderedSet",
        "deque",
        "dict",
        "Dict",
        "Mapping",
        "MutableMapping",
        "defaultdict",
        "DefaultDict",
    }
)
_WRAPPERS = frozenset({"Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired"})


def _is_copying(function: ast.expr) -> bool:
    """Whether a function by the name of `dataclasses.replace`, `copy.copy` or `copy.deepcopy` may be that one."""
    return isinstance(function, ast.Name) or (
        isinstance(function, ast.Attribute) and last_name(function.value) in {"dataclasses", "copy"}
    )


_Key = tuple[int | str, int]


def _differ(values: tuple[Value, ...], others: tuple[Value, ...] | None) -> bool:
    """Whether two findings are not the same things, whatever is known of how they became known."""
    return others is None or [same_key(each) for each in values] != [same_key(each) for each in others]


class Evaluator:
    """Evaluates expressions of the modules of one port."""

    def __init__(self, modules: Mapping[str, Module], upstream: Collection[str]) -> None:
        """Take the modules by name and the names of the substrate's packages."""
        self.modules = modules
        self.packages = {name.rpartition(".")[0] for name in modules} | {
            name for name, module in modules.items() if module.package
        }
        self.upstream = tuple(upstream)
        self.known = knowledge()
        self.arguments: defaultdict[FunctionScope, list[tuple[int | str, ast.expr, Scope]]] = defaultdict(list)
        self.given: defaultdict[FunctionScope, dict[int, tuple[Upstream | Many, ...]]] = defaultdict(dict)
        self._memo: dict[_Key, tuple[Value, ...]] = {}
        self._busy: dict[_Key, int] = {}  # what is being evaluated, and how deep
        # In circles that are open: what was found, the head of the outermost, and how deep it was found.
        self._inside: dict[_Key, tuple[tuple[Value, ...], int, int]] = {}
        self._guess: dict[_Key, tuple[Value, ...]] = {}  # what the last round around an open circle found
        self._circle = _NO_CIRCLE  # head of the outermost open circle that was met, as its depth
        self._changed = False
        self._ancestries: dict[ClassScope, tuple[list[ClassScope], list[Upstream]]] = {}
        self._kept: list[ast.expr] = []  # parsed annotations, kept so that their ids stay theirs

    def forget(self) -> None:
        """Evaluate anew from here on: more is known of parameters."""
        self._memo.clear()
        self._ancestries.clear()

    # ------------------------------------------------------------------ expressions

    def values(self, expression: ast.expr, scope: Scope) -> tuple[Value, ...]:
        """What an expression may stand for; empty where nothing is known."""
        return self._once((id(expression), id(scope)), lambda: self._evaluate(expression, scope))

    def _once(self, key: _Key, evaluate: Callable[[], list[Value]]) -> tuple[Value, ...]:
        """Evaluate and remember.

        Names may be defined in a circle (``x = f(x)``). What was found inside one is kept while the circle is open, so
        that every member is evaluated once a round, and the circle is gone round until nothing changes.
        """
        if key in self._memo:
            return self._memo[key]
        if key in self._inside:
            found, head, _ = self._inside[key]
            self._circle = min(self._circle, head)
            return found
        if key in self._busy:
            self._circle = min(self._circle, self._busy[key])
            return self._guess.get(key, ())
        depth = len(self._busy)
        if depth > _DEEPEST:
            self._circle = _CUT
            return ()
        before, changed = self._circle, self._changed
        self._busy[key] = depth
        opened = len(self._inside)
        try:
            found, head = self._rounds(key, evaluate, depth)
        finally:
            del self._busy[key]
        if head < depth and depth:
            self._changed = changed or self._changed or _differ(found, self._guess.get(key))
            self._inside[key] = found, head, depth
            self._guess[key] = found
            self._circle = min(before, head)
            return found
        while len(self._inside) > opened:  # what was met since stands at the end
            member, (values, _, at) = self._inside.popitem()
            self._guess.pop(member, None)
            if head != _CUT or at <= _ROOM:
                self._memo[member] = values
        self._guess.pop(key, None)
        self._memo[key] = found
        self._circle, self._changed = before, changed
        return found

    def _rounds(self, key: _Key, evaluate: Callable[[], list[Value]], depth: int) -> tuple[tuple[Value, ...], int]:
        """What is found, and the head of the outermost circle that it lies in; a circle of its own is closed."""
        opened = len(self._inside)
        round_ = 1
        while True:
            self._circle, self._changed = _NO_CIRCLE, False
            found = unique(evaluate())
            head = self._circle
            self._changed = self._changed or _differ(found, self._guess.get(key))
            if head != depth or round_ == _ROUNDS or not self._changed:
                return found, head
            self._guess[key] = found
            while len(self._inside) > opened:
                self._inside.popitem()
            round_ += 1

    def _evaluate(self, expression: ast.expr, scope: Scope) -> list[Value]:  # noqa: C901, PLR0911, PLR0912 - one case a kind
        match expression:
            case ast.Name(id=name):
                return list(self.lookup(name, scope))
            case ast.Attribute(value=inner, attr=name):
                owners = self.values(inner, scope)
                if not owners:
                    return []
                step = Step(scope.module.path, expression.lineno, f"attribute `{name}` of `{shortened(inner)}`")
                return [each for value in owners for each in self.attribute(value, name, step)]
            case ast.Call():
                return self._call(expression, scope)
            case ast.Subscript(value=inner, slice=index):
                return self._subscript(inner, index, scope)
            case ast.Constant(value=str() as text):
                return [Text(text)]
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return [Pack(tuple(parts), (), scope)]
            case ast.Dict(keys=keys, values=parts):
                return [Pack(tuple(parts), tuple(keys), scope)]
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                return [Many(value) for value in self.values(part, scope)]
            case ast.IfExp(body=one, orelse=other):
                return [*self.values(one, scope), *self.values(other, scope)]
            case ast.BoolOp(values=parts):
                return [value for part in parts for value in self.values(part, scope)]
            case ast.BinOp(left=one, op=ast.Add(), right=other):
                both = [*self.values(one, scope), *self.values(other, scope)]
                return [value for value in both if isinstance(value, Pack | Many)]
            case ast.NamedExpr(value=inner) | ast.Await(value=inner) | ast.Starred(value=inner):
                return list(self.values(inner, scope))
            case ast.Lambda():
                inner_scope = scope.module.scopes.get(expression)
                return [OwnFunction(inner_scope)] if isinstance(inner_scope, FunctionScope) else []
            case _:
                pass
        return []

    def _subscript(self, inner: ast.expr, index: ast.expr, scope: Scope) -> list[Value]:
        if is_sys_modules(inner):
            return [each for text in self.texts(index, scope) for each in self.module_value(text, scope, inner.lineno)]
        if isinstance(index, ast.Slice):
            return list(self.values(inner, scope))
        found: list[Value] = []
        for value in self.values(inner, scope):
            if isinstance(value, Pack) and isinstance(index, ast.Constant):
                found += self._part(value, index.value)
            elif isinstance(value, Pack) and value.keys:
                found += [each for part in value.parts for each in self.values(part, value.scope)]
            else:
                found += self.elements(value)
        return found

    def _part(self, pack: Pack, index: object) -> list[Value]:
        if pack.keys:
            wanted = [
                part
                for key, part in zip(pack.keys, pack.parts, strict=True)
                if isinstance(key, ast.Constant) and key.value == index
            ]
            return [each for part in wanted for each in self.values(part, pack.scope)]
        if isinstance(index, int) and -len(pack.parts) <= index < len(pack.parts):
            return list(self.values(pack.parts[index], pack.scope))
        return []

    def texts(self, expression: ast.expr, scope: Scope) -> list[str]:
        """Strings that an expression may be."""
        return [value.value for value in self.values(expression, scope) if isinstance(value, Text)]

    # ------------------------------------------------------------------ names

    def lookup(self, name: str, scope: Scope) -> tuple[Value, ...]:
        """What a name stands for in a scope."""
        return self._once((name, id(scope)), lambda: self._look_up(name, scope))

    def _look_up(self, name: str, scope: Scope) -> list[Value]:
        here: Scope | None = scope
        while here is not None:
            if (here is scope or not here.is_class) and name not in here.outer:
                found = self._in_scope(name, here)
                if found or name in here.bindings or self._is_parameter(name, here):
                    return found
            here = here.parent
        return [each for module in scope.module.scope.star for each in self._from(module, name, scope, 1)]

    def _is_parameter(self, name: str, scope: Scope) -> bool:
        if not isinstance(scope, FunctionScope):
            return False
        arguments = scope.node.args
        return any(
            each is not None and each.arg == name for each in (*scope.parameters, arguments.vararg, arguments.kwarg)
        )

    def _in_scope(self, name: str, scope: Scope) -> list[Value]:
        found: list[Value] = [OwnFunction(one) for one in scope.functions.get(name, ())]
        found += [OwnClass(one) for one in scope.classes.get(name, ())]
        for each in scope.imports.get(name, ()):
            if each.name:
                found += self._from(each.module, each.name, scope, each.line)
            else:
                found += self.module_value(each.module, scope, each.line)
        if isinstance(scope, FunctionScope):
            found += self._parameter(name, scope)
        for binding in scope.bindings.get(name, ()):
            found += self._bound(binding, name, scope)
        return found

    def _from(self, module: str, name: str, scope: Scope, line: int) -> list[Value]:
        """What `from module import name` gives."""
        if module in self.modules:
            values = self.lookup(name, self.modules[module].scope)
            if values:
                return list(values)
        if f"{module}.{name}" in self.modules or f"{module}.{name}" in self.packages:
            return [OwnModule(f"{module}.{name}")]
        if self.is_upstream(module):
            path = f"{module}.{name}"
            known = Known(steps=(Step(scope.module.path, line, f"`{name}` is imported from `{module}`"),))
            return self._symbol(path, known)
        return []

    def module_value(self, module: str, scope: Scope, line: int) -> list[Value]:
        """The module of a dotted name."""
        if module in self.modules or module in self.packages:
            return [OwnModule(module)]
        if self.is_upstream(module):
            step = Step(scope.module.path, line, f"the module `{module}` is imported")
            return [Upstream(module, Form.SYMBOL, Known(steps=(step,)))]
        return []

    def is_upstream(self, module: str) -> bool:
        """Whether a module belongs to the substrate."""
        return (
            any(module == name or module.startswith(f"{name}.") for name in self.upstream)
            and module not in self.modules
        )

    def _parameter(self, name: str, scope: FunctionScope) -> list[Value]:
        found_at = next((at for at, each in enumerate(scope.parameters) if each.arg == name), None)
        if found_at is None:
            return []
        at, parameter = found_at, scope.parameters[found_at]
        found: list[Value] = []
        owner = scope.parent
        if at == 0 and isinstance(owner, ClassScope) and not is_static(scope):
            found.append(OwnClass(owner) if is_class_method(scope) else OwnObject(owner))
        if parameter.annotation is not None:
            found += self.annotated(parameter.annotation, scope.parent or scope, parameter.lineno)
        found += self.given[scope].get(at, ())
        default = defaults(scope.node.args).get(name)
        if default is not None and not isinstance(default, ast.Constant):
            step = Step(scope.module.path, scope.node.lineno, f"parameter `{name}` of `{scope.symbol}`")
            found += [
                self._then(value, step, "default", Certainty.LIKELY)
                for value in self.values(default, scope.parent or scope)
            ]
        for place, argument, caller in self.arguments.get(scope, ()):
            if place in {at, name}:
                called = Step(
                    caller.module.path,
                    argument.lineno,
                    f"`{name}` of `{scope.symbol}` is called with `{shortened(argument)}`",
                )
                found += [
                    self._then(value, called, "parameter", Certainty.LIKELY) for value in self.values(argument, caller)
                ]
        return found

    def _bound(self, binding: Binding, name: str, scope: Scope) -> list[Value]:  # noqa: PLR0911 - one for each way
        line, expression = binding.line, binding.expression
        match binding.how:
            case How.VALUE:
                return self._named(self.values(expression, scope), name, binding, scope, "alias")
            case How.ELEMENT:
                return self._named(self._elements_of(expression, scope), name, binding, scope, "element")
            case How.UNPACKED:
                return self._unpacked(self.values(expression, scope), binding.place)
            case How.ELEMENT_UNPACKED:
                return self._element_unpacked(expression, binding.place, scope)
            case How.ANNOTATION:
                return self.annotated(expression, scope, line)
            case How.OBJECT:
                told = Step(scope.module.path, line, f"`{name}` is tested to be a `{shortened(expression)}`")
                return self._objects(expression, scope, told)
            case How.ENTERED:
                return self._named(self._entered(expression, scope), name, binding, scope, "with")

    def _named(
        self, values: Sequence[Value], name: str, binding: Binding, scope: Scope, resolution: str
    ) -> list[Value]:
        """Values under the name that they got; the step is written only where there is something to say of it."""
        if not values:
            return []
        step = Step(scope.module.path, binding.line, f"`{name}` is `{shortened(binding.expression)}`")
        return [self._then(value, step, resolution) for value in values]

    def _entered(self, expression: ast.expr, scope: Scope) -> list[Value]:
        if isinstance(expression, ast.Call):
            functions = [value for value in self.values(expression.func, scope) if isinstance(value, OwnFunction)]
            if functions:
                return [each for one in functions for part in one.scope.yields for each in self.values(part, one.scope)]
        return list(self.values(expression, scope))

    def _objects(self, expression: ast.expr, scope: Scope, step: Step) -> list[Value]:
        """Objects of the classes that an expression names, alone or in tuples of tuples; a tuple may hold itself."""
        found: list[Value] = []
        waiting, seen = [(expression, scope)], set()
        while waiting:
            part, around = waiting.pop(0)
            if id(part) in seen:
                continue
            seen.add(id(part))
            for value in self.values(part, around):
                if isinstance(value, Upstream) and value.form is Form.SYMBOL:
                    known = value.known.then(step, "isinstance", Certainty.LIKELY)
                    found.append(Upstream(value.path, Form.OBJECT, known))
                elif isinstance(value, OwnClass):
                    found.append(OwnObject(value.scope))
                elif isinstance(value, Pack):
                    waiting += [(one, value.scope) for one in value.parts]
        return found

    def annotated(self, annotation: ast.expr, scope: Scope, line: int) -> list[Value]:
        """Objects that an annotation promises."""
        match annotation:
            case ast.Constant(value=str() as text):
                try:
                    parsed = ast.parse(text.strip(), mode="eval").body
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return []
                self._kept.append(parsed)
                return self.annotated(parsed, scope, line)
            case ast.BinOp(left=one, op=ast.BitOr(), right=other):
                return [*self.annotated(one, scope, line), *self.annotated(other, scope, line)]
            case ast.Subscript(value=outer, slice=inner):
                return self._generic(outer, inner, scope, line)
            case ast.Name() | ast.Attribute():
                step = Step(scope.module.path, line, f"annotated as `{shortened(annotation)}`")
                found: list[Value] = []
                for value in self.values(annotation, scope):
                    if isinstance(value, Upstream) and value.form is Form.SYMBOL:
                        known = value.known.then(step, "annotation", Certainty.LIKELY)
                        found.append(Upstream(value.path, Form.OBJECT, known))
                    elif isinstance(value, OwnClass):
                        found.append(OwnObject(value.scope))
                return found
            case _:
                pass
        return []

    def _generic(self, outer: ast.expr, inner: ast.expr, scope: Scope, line: int) -> list[Value]:
        name = last_name(outer)
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in _WRAPPERS:
            return [each for part in parts for each in self.annotated(part, scope, line)]
        if name in {"type", "Type"}:
            return [each for part in parts for each in self.values(part, scope)]
        if name in _SEQUENCES:
            last = parts[0] if name == "Generator" else parts[-1]
            if name in {"tuple", "Tuple"}:
                parts = [part for part in parts if not isinstance(part, ast.Constant)]
                return [Many(each) for part in parts for each in self.annotated(part, scope, line)]
            return [Many(each) for each in self.annotated(last, scope, line)]
        return self.annotated(outer, scope, line)

    # ------------------------------------------------------------------ attributes and elements

    def attribute(self, value: Value, name: str, step: Step) -> list[Value]:  # noqa: C901, PLR0911 - one for each kind
        """What a value has under a name."""
        match value:
            case Upstream(path=path, form=form, known=known):
                full = f"{path}.{name}"
                if name == "__class__" and form is Form.OBJECT:
                    return [Upstream(path, Form.SYMBOL, known.then(step))]
                if form is Form.SYMBOL:
                    return self._symbol(full, known.then(step))
                if full in self.known.fields:
                    return [Upstream(self.known.fields[full], Form.OBJECT, known.then(step, "field", Certainty.LIKELY))]
                if path.endswith(f".{name}"):  # `x = x.data` in a loop goes down without end; one step stands for all
                    return [value]
                return [Upstream(full, Form.MEMBER, known.then(step))]
            case OwnModule(name=module):
                found = self._from(module, name, self.modules[module].scope, 1) if module in self.modules else []
                if not found and (f"{module}.{name}" in self.modules or f"{module}.{name}" in self.packages):
                    found = [OwnModule(f"{module}.{name}")]
                return found
            case OwnClass(scope=scope):
                return self._member(scope, name, step, bound=False)
            case OwnObject(scope=scope):
                return self._member(scope, name, step, bound=True)
            case OwnFunction() if name in {"__func__", "__wrapped__"}:
                return [value]
        return []

    def _symbol(self, path: str, known: Known) -> list[Value]:
        """An upstream symbol, or the object that stands under its name."""
        if path in self.known.fields:
            step = Step("", 0, f"`{path}` holds a `{self.known.fields[path]}`")
            return [Upstream(self.known.fields[path], Form.OBJECT, known.then(step, "virtualized", Certainty.LIKELY))]
        return [Upstream(path, Form.SYMBOL, known)]

    def bases(self, scope: ClassScope) -> list[Value]:
        """Classes that a class of the port derives from directly."""
        around = scope.parent or scope
        return [value for base in scope.node.bases for value in self.values(base, around)]

    def ancestry(self, scope: ClassScope) -> tuple[list[ClassScope], list[Upstream]]:
        """All own classes that a class derives from, itself first, and the upstream classes at their ends.

        Of a class with more than `_MOST_ANCESTORS` own classes above it, the nearest ones.
        """
        if scope in self._ancestries:
            return self._ancestries[scope]
        own: dict[ClassScope, None] = {}
        theirs: list[Upstream] = []
        waiting = deque([scope])
        settled = True
        while waiting and len(own) <= _MOST_ANCESTORS:
            one = waiting.popleft()
            if one in own:
                continue
            own[one] = None
            for base in self.bases(one):
                if isinstance(base, OwnClass):
                    waiting.append(base.scope)
                elif isinstance(base, Upstream) and base.form is Form.SYMBOL:
                    theirs.append(base)
            around = id(one.parent or one)
            settled = settled and all((id(base), around) in self._memo for base in one.node.bases)
        found = [*own], theirs
        if settled:  # inside an open circle, more may become known of a base
            self._ancestries[scope] = found
        return found

    def _member(self, scope: ClassScope, name: str, step: Step, *, bound: bool) -> list[Value]:
        own, theirs = self.ancestry(scope)
        found: list[Value] = []
        for one in own:
            found += [
                OwnFunction(function, (bound or is_class_method(function)) and not is_static(function))
                for function in one.functions.get(name, ())
            ]
            found += [OwnClass(each) for each in one.classes.get(name, ())]
            for binding in one.bindings.get(name, ()):
                found += self._bound(binding, name, one)
            for binding, method in one.fields.get(name, ()):
                told = Step(one.module.path, binding.line, f"`{one.symbol}` keeps it as `{name}`")
                found += [
                    self._then(value, told, "field", Certainty.LIKELY) for value in self._bound(binding, name, method)
                ]
            if found or name in one.bindings or name in one.fields:  # an own name, even if nothing is known of it
                return [self._property(value) for value in found] if bound else found
        for base in theirs:
            full = f"{base.path}.{name}"
            known = base.known.then(step, "inherited", Certainty.LIKELY)
            if bound and full in self.known.fields:
                found.append(Upstream(self.known.fields[full], Form.OBJECT, known))
            else:
                found.append(Upstream(full, Form.MEMBER if bound else Form.SYMBOL, known))
        return found

    def _property(self, value: Value) -> Value:
        """A property is what its function returns, where that is one thing."""
        if isinstance(value, OwnFunction) and any(
            isinstance(each, ast.Name | ast.Attribute)
            and shortened(each).rpartition(".")[2] in {"property", "cached_property"}
            for each in value.scope.decorators()
        ):
            results = self._results(value)
            if len(results) == 1:
                return results[0]
        return value

    def elements(self, value: Value) -> list[Value]:
        """What iterating over a value, or indexing it, gives."""
        match value:
            case Many(element=element):
                return [element]
            case Pack(parts=parts, keys=keys, scope=scope):
                return [each for part in (keys or parts) if part is not None for each in self.values(part, scope)]
            case Upstream(path=path, known=known) if path in self.known.elements:
                name = self.known.elements[path]
                step = Step("", 0, f"`{path}` holds objects of `{name}`")
                return [Upstream(name, Form.OBJECT, known.then(step, "element", Certainty.LIKELY))]
            case Upstream(path=path, form=Form.MEMBER, known=known):
                step = Step("", 0, f"an element of `{path}`")
                return [Upstream(f"{path}[]", Form.MEMBER, known.then(step, "element", Certainty.LIKELY))]
            case OwnObject(scope=scope):
                iterators = [
                    one
                    for one in self._member(scope, "__iter__", Step("", 0, ""), bound=True)
                    if isinstance(one, OwnFunction)
                ]
                return [each for one in iterators for part in one.scope.yields for each in self.values(part, one.scope)]
            case _:
                pass
        return []

    def _elements_of(self, expression: ast.expr, scope: Scope) -> list[Value]:
        if isinstance(expression, ast.Call):
            functions = [value for value in self.values(expression.func, scope) if isinstance(value, OwnFunction)]
            found = [each for one in functions for part in one.scope.yields for each in self.values(part, one.scope)]
            if found:
                return found
        return [each for value in self.values(expression, scope) for each in self.elements(value)]

    def _unpacked(self, values: Iterable[Value], place: int) -> list[Value]:
        found: list[Value] = []
        for value in values:
            if isinstance(value, Pack):
                found += self._part(value, place)
            elif isinstance(value, Many):
                found.append(value.element)
        return found

    def _element_unpacked(self, expression: ast.expr, place: int, scope: Scope) -> list[Value]:
        match expression:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                return self._elements_of(inner, scope) if place == 1 else []
            case ast.Call(func=ast.Name(id="zip"), args=inners) if place < len(inners):
                return self._elements_of(inners[place], scope)
            case ast.Call(func=ast.Attribute(value=inner, attr="items"), args=[]):
                found: list[Value] = []
                for value in self.values(inner, scope):
                    if isinstance(value, Pack):
                        parts = value.keys if place == 0 else value.parts
                        found += [each for part in parts if part is not None for each in self.values(part, value.scope)]
                    elif place == 1:
                        found += self.elements(value)
                return found
            case _:
                pass
        return self._unpacked(self._elements_of(expression, scope), place)

    # ------------------------------------------------------------------ calls

    def _call(self, call: ast.Call, scope: Scope) -> list[Value]:  # noqa: C901, PLR0911, PLR0912 - one case a function
        name = last_name(call.func)
        match name, call.args:
            case "getattr", [owner, attribute, *_]:
                told = Step(scope.module.path, call.lineno, f"`getattr` of `{shortened(owner)}`")
                return [
                    each
                    for text in self.texts(attribute, scope)
                    for value in self.values(owner, scope)
                    for each in self.attribute(value, text, told)
                ]
            case (("import_module" | "__import__"), [module, *_]):
                return [
                    each for text in self.texts(module, scope) for each in self.module_value(text, scope, call.lineno)
                ]
            case "super", _:
                return self._super(scope)
            case "cast", [kind, value]:
                return self.annotated(kind, scope, call.lineno) or list(self.values(value, scope))
            case "type", [value]:
                return [self._class_of(each) for each in self.values(value, scope) if not isinstance(each, Text)]
            case "vars", [value]:
                told = Step(scope.module.path, call.lineno, f"`vars` of `{shortened(value)}`")
                return [each for one in self.values(value, scope) for each in self.attribute(one, "__dict__", told)]
            case "partial", [function, *_]:
                return list(self.values(function, scope))
            case (("replace" | "copy" | "deepcopy"), [value, *_]) if _is_copying(call.func):
                # A copy is an object of the same class; a container that was copied is the port's own.
                copied = self.values(value, scope)
                return [each for each in copied if not isinstance(each, Upstream) or each.form is Form.OBJECT]
            case _ if name in _SAME_ELEMENTS and len(call.args) == 1:
                found = [Many(each) for each in self._elements_of(call.args[0], scope)]
                if found or name in {"list", "tuple", "set", "sorted", "reversed"}:
                    return list(found)
        if isinstance(call.func, ast.Attribute) and name in _VIEWS | _ONE_OF:
            held = self._held(call.func.value, name, scope)
            if held:
                return held
        if isinstance(call.func, ast.Call) and call.args and last_name(call.func.func) == "wraps":
            return list(self.values(call.args[0], scope))
        functions = self.values(call.func, scope)
        if not functions:
            return []
        step = Step(scope.module.path, call.lineno, f"result of `{shortened(call.func)}(...)`")
        return [each for value in functions for each in self.result(value, step)]

    def _held(self, container: ast.expr, name: str, scope: Scope) -> list[Value]:
        """What a method of a collection hands out."""
        found: list[Value] = []
        for value in self.values(container, scope):
            elements = self.elements(value)
            if isinstance(value, Pack) and value.keys and name in {"values", *_ONE_OF}:
                elements = [each for part in value.parts for each in self.values(part, value.scope)]
            found += [Many(each) for each in elements] if name in _VIEWS else elements
        return found

    def _super(self, scope: Scope) -> list[Value]:
        here: Scope | None = scope
        while here is not None and not isinstance(here, ClassScope):
            here = here.parent
        if here is None:
            return []
        found: list[Value] = []
        for base in self.bases(here):
            if isinstance(base, OwnClass):
                found.append(OwnObject(base.scope))
            elif isinstance(base, Upstream):
                step = Step(scope.module.path, here.node.lineno, f"`super()` of `{here.symbol}`")
                found.append(Upstream(base.path, Form.OBJECT, base.known.then(step, "super", Certainty.LIKELY)))
        return found

    def _class_of(self, value: Value) -> Value:
        if isinstance(value, Upstream) and value.form is Form.OBJECT:
            return Upstream(value.path, Form.SYMBOL, value.known)
        return OwnClass(value.scope) if isinstance(value, OwnObject) else value

    def result(self, value: Value, step: Step) -> list[Value]:
        """What calling a value gives."""
        match value:
            case Upstream(path=path, form=form, known=known):
                if path in self.known.returns:
                    return [
                        self.of_class(self.known.returns[path], known.then(step, "returned", Certainty.LIKELY))
                    ] * bool(self.known.returns[path])
                if form is Form.SYMBOL and is_class_name(path):
                    return [Upstream(path, Form.OBJECT, known.then(step, "constructed"))]
            case OwnClass(scope=scope):
                return [OwnObject(scope)]
            case OwnFunction():
                return self._results(value)
            case OwnObject(scope=scope):
                calls = self._member(scope, "__call__", step, bound=True)
                return [each for one in calls if isinstance(one, OwnFunction) for each in self._results(one)]
            case _:
                pass
        return []

    def _results(self, function: OwnFunction) -> list[Value]:
        node = function.scope.node
        found = [each for part in function.scope.returns for each in self.values(part, function.scope)]
        if not isinstance(node, ast.Lambda) and node.returns is not None:
            found += self.annotated(node.returns, function.scope.parent or function.scope, node.lineno)
        if function.scope.yields and not function.scope.returns:
            found += [Many(each) for part in function.scope.yields for each in self.values(part, function.scope)]
        return found

    def of_class(self, name: str, known: Known) -> Upstream | Many:
        """An object of a class, or with a trailing ``[]`` a sequence of such."""
        made = Upstream(name.removesuffix("[]"), Form.OBJECT, known)
        return Many(made) if name.endswith("[]") else made

    def _then(self, value: Value, step: Step, resolution: str, certainty: Certainty = Certainty.CERTAIN) -> Value:
        if isinstance(value, Upstream):
            return Upstream(value.path, value.form, value.known.then(step, resolution, certainty))
        if isinstance(value, Many):
            return Many(self._then(value.element, step, resolution, certainty))
        return value
