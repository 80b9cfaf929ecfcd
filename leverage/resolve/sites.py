"""Every place where a port touches its substrate."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Call, Certainty, Parameter, Scope, Touchpoint, TouchKind, Unresolved
from leverage.resolve.evaluate import is_class_name, shortened
from leverage.resolve.scopes import ClassScope, FunctionScope
from leverage.resolve.values import Form, Known, Many, OwnFunction, Pack, Upstream
from leverage.resolve.walk import Around, walked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leverage.resolve.program import Program
    from leverage.resolve.scopes import Module

Members = "Callable[[str], frozenset[str] | None]"
DYNAMIC = "<dynamic>"
MUTATORS = frozenset(
    {
        "add",
        "append",
        "appendleft",
        "clear",
        "difference_update",
        "discard",
        "extend",
        "extendleft",
        "insert",
        "intersection_update",
        "move_to_end",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "symmetric_difference_update",
        "update",
        "__delitem__",
        "__setitem__",
    }
)
_INNARDS = frozenset(
    {"__closure__", "__code__", "__dict__", "__wrapped__", "__globals__", "__defaults__", "__kwdefaults__"}
)
_NAMESPACES = ("torch.ops",)  # their attributes are operators, whatever they are called


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


def is_private(symbol: str) -> bool:
    """Whether a part of a dotted name begins with one underscore; ``__name__`` does not count."""
    return any(
        part.startswith("_") and not (part.startswith("__") and part.endswith("__")) for part in symbol.split(".")
    )


def parameters(function: FunctionScope) -> tuple[Parameter, ...]:
    """Signature of a function of the port."""
    arguments = function.node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(
        zip([each.arg for each in plain[len(plain) - len(arguments.defaults) :]], arguments.defaults, strict=True)
    )

    def one(name: str, kind: str, default: ast.expr | None) -> Parameter:
        return Parameter(name, kind, None if default is None else shortened(default))

    found = [one(each.arg, "positional_only", defaults.get(each.arg)) for each in arguments.posonlyargs]
    found += [one(each.arg, "positional", defaults.get(each.arg)) for each in arguments.args]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, "var_positional"))
    found += [
        one(each.arg, "keyword_only", default)
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, "var_keyword"))
    return tuple(found)


def _imported_modules(program: Program) -> Iterator[str]:
    """Names that are modules of the substrate for certain: whatever is imported as one, and what leads there."""
    for module in program.modules.values():
        for scope in module.scopes.values():
            for several in scope.imports.values():
                for each in several:
                    if program.evaluator.is_upstream(each.module):
                        parts = each.module.split(".")
                        yield from (".".join(parts[:size]) for size in range(1, len(parts) + 1))


@dataclass(slots=True)
class _Finder:
    """Visits the nodes of one module and collects what it sees."""

    program: Program
    module: Module
    members: Callable[[str], frozenset[str] | None] | None
    modules: frozenset[str]
    found: list[Touchpoint] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    told: set[int] = field(default_factory=set)  # nodes that are part of a touchpoint already
    kept: list[ast.expr] = field(default_factory=list)  # nodes made here, kept so that their ids stay theirs

    def visit(self, node: ast.AST, around: Around) -> None:
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

    # ------------------------------------------------------------------ rows

    def _row(
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
        self.found.append(row)
        return row

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

    # ------------------------------------------------------------------ classes

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
                        within=_symbol(self.module, node),
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
                if name in known if known is not None else _says_so(function, name):
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
                        wraps=_calls_super(function, name),
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
                    call=_shape(decorator) if isinstance(decorator, ast.Call) else Call(1),
                    value=shortened(decorator.args[0]) if isinstance(decorator, ast.Call) and decorator.args else "",
                    within=_symbol(self.module, node),
                )

    def _registers(self, path: str) -> bool:
        return self.program.evaluator.known.registration.fullmatch(path.rpartition(".")[2]) is not None

    # ------------------------------------------------------------------ stores

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

    def _patched(
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
            self._row(
                node,
                around,
                TouchKind.CONFIG_KEY,
                form,
                symbol,
                owner.known,
                scope=Scope.GLOBAL,
                value=_text(value),
                **more,
            )
            return
        if owner.form is Form.OBJECT and owner.known.resolution == "constructed" and not is_private(name):
            return  # an object that the port made itself and fills in
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
            value=_text(value),
            detail="finally" if around.final else "",
            **more,
        )
        if value is not None and self._is_original(symbol, value, functions, around):
            self.found[-1] = replace(self.found[-1], form="restore", restored=True, wraps=None)

    def _is_shared(self, owner: Upstream) -> bool:
        """Whether everybody sees the object; a patched method that writes to its own object does what methods do."""
        shared = owner.form is Form.OBJECT and owner.path in self.program.evaluator.known.shared
        return shared and owner.known.resolution != "patched"

    def _written(
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
            node, around, TouchKind.ATTRIBUTE_USE, form, symbol, owner.known, scope=Scope.INSTANCE, value=_text(value)
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

    def _names_symbol(self, expression: ast.expr, symbol: str, around_scope: object) -> bool:
        values = self.program.evaluator.values(expression, around_scope)  # type: ignore[arg-type]
        return any(
            isinstance(each, Upstream) and each.form is not Form.OBJECT and each.path == symbol for each in values
        )

    def _wraps(self, symbol: str, value: ast.expr, functions: list[FunctionScope], around: Around) -> bool | None:
        """Whether the new value calls what was there before."""
        if any(self._mentions(function, symbol) for function in functions):
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
        waiting: list[tuple[ast.AST, object]] = [(function.node, function)]
        while waiting:
            node, scope = waiting.pop()
            if id(node) in skipped:
                continue
            scope = self.module_of(function).scopes.get(node, scope) if node is not function.node else function
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                if self._names_symbol(node, symbol, scope):
                    return True
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr == last
                    and isinstance(node.value, ast.Call)
                    and _is_super(node.value)
                ):
                    return True
            waiting.extend((child, scope) for child in ast.iter_child_nodes(node))
        return False

    @staticmethod
    def module_of(function: FunctionScope) -> Module:
        """The module of a function."""
        return function.module

    def _is_original(self, symbol: str, value: ast.expr, functions: list[FunctionScope], around: Around) -> bool:
        """Whether a value is what stood there before, kept under another name."""
        if functions or not isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
            return False
        values = self.program.evaluator.values(value, around.scope)
        return len(values) == 1 and self._names_symbol(value, symbol, around.scope)

    def _item(
        self,
        node: ast.Subscript,
        container: ast.expr,
        index: ast.expr,
        value: ast.expr | None,
        form: str,
        around: Around,
    ) -> None:
        self._told_below(node)
        if shortened(container) == "sys.modules":
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
                        value=_text(value),
                    )
            return
        kind = "slice" if isinstance(index, ast.Slice) else "item" if form in {"assignment", "loop"} else form
        for owner in self._containers(container, around):
            if owner.path.endswith(".__dict__"):
                text = index.value if isinstance(index, ast.Constant) else DYNAMIC
                bare = Upstream(owner.path.removesuffix(".__dict__"), owner.form, owner.known)
                self._patched(node, bare, str(text), value, "__dict__", around)
            else:
                self._mutated(node, owner, kind, around, value=_text(index) if kind != "slice" else "")

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
            return True
        return not (
            value.path in self.modules
            or is_class_name(value.path)
            or value.path.startswith(_NAMESPACES)
            or value.path in self.program.evaluator.known.config
        )

    def _mutated(self, node: ast.AST, owner: Upstream, form: str, around: Around, **more: object) -> None:
        self._row(
            node,
            around,
            TouchKind.CONTAINER_MUTATION,
            form,
            owner.path.replace("[]", ""),
            owner.known,
            scope=Scope.GLOBAL if owner.form is Form.SYMBOL else Scope.INSTANCE,
            **more,
        )

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
            self._mutated(node.target, each, "augmented", around, value=_text(node.value))
        self._told_below(node.target)
        return bool(found)

    # ------------------------------------------------------------------ calls

    def _called(self, call: ast.Call, around: Around) -> None:  # noqa: C901 - one question after the other
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        evaluator = self.program.evaluator
        if name in {"setattr", "delattr", "__setattr__", "__delattr__"}:
            self._set_by_name(call, name, around)
            return
        if name in {"object", "patch", "dict", "multiple"} and self._mocked(call, name, around):
            return
        if name == "reload" and call.args:
            for value in evaluator.values(call.args[0], around.scope):
                if isinstance(value, Upstream):
                    self._row(
                        call, around, TouchKind.MONKEY_PATCH, "reload", value.path, value.known, scope=Scope.GLOBAL
                    )
            return
        if isinstance(call.func, ast.Attribute):
            if name == "patch" and self._config_patch(call, call.func.value, around):
                return
            if name in MUTATORS and self._mutates(call, call.func, around):
                return
            if name in {"cache_clear", "clear_cache"}:
                for value in evaluator.values(call.func.value, around.scope):
                    if isinstance(value, Upstream) and value.form is not Form.OBJECT:
                        self._told_below(call.func)
                        self._mutated(call, value, name, around)
                return
        if name == "getattr" and len(call.args) > 1:
            self._got_by_name(call, around)
            return
        self._used_in_call(call, around)

    def _set_by_name(self, call: ast.Call, name: str, around: Around) -> None:
        evaluator = self.program.evaluator
        quiet = name.startswith("__")
        arguments = call.args
        if (
            isinstance(call.func, ast.Attribute)
            and not quiet
            and name == "setattr"
            and arguments
            and _is_text(arguments[0])
        ):
            self._patched_text(call, arguments[0], arguments[1] if len(arguments) > 1 else None, "monkeypatch", around)
            return
        if len(arguments) < 2:  # noqa: PLR2004 - owner and name
            return
        owners = evaluator.values(arguments[0], around.scope)
        texts = tuple(dict.fromkeys(evaluator.texts(arguments[1], around.scope)))
        attribute = texts[0] if len(texts) == 1 else DYNAMIC
        value = arguments[2] if len(arguments) > 2 else None  # noqa: PLR2004 - and value
        upstream = [each for each in owners if isinstance(each, Upstream)]
        self._told_below(arguments[0])
        for owner in upstream:
            if quiet:
                symbol = f"{owner.path}.{attribute}"
                scope = Scope.GLOBAL if owner.form is Form.SYMBOL else Scope.INSTANCE
                form = f"object.{name}"
                self._row(
                    call, around, TouchKind.ATTRIBUTE_USE, form, symbol, owner.known, scope=scope, value=_text(value)
                )
            else:
                members = texts if len(texts) != 1 else ()
                form = "monkeypatch" if isinstance(call.func, ast.Attribute) else name
                self._patched(call, owner, attribute, value, form, around, members=members)
        if not owners and not quiet and not _is_self(arguments[0], around):
            self._doubt(call, TouchKind.MONKEY_PATCH, arguments[0], "what the first argument is could not be told")

    def _mocked(self, call: ast.Call, name: str, around: Around) -> bool:
        """`mock.patch` in its forms; they put back what was there."""
        func = call.func
        base = func.value if isinstance(func, ast.Attribute) else None
        is_patch = name == "patch" and call.args and _is_text(call.args[0])
        is_method = name in {"object", "dict", "multiple"} and base is not None and _last(base) == "patch"
        if is_patch:
            value = call.args[1] if len(call.args) > 1 else _keyword(call, "new")
            return self._patched_text(call, call.args[0], value, "mock.patch", around)
        if not is_method or not call.args:
            return False
        if name == "object" and len(call.args) > 1:
            for owner in self.program.evaluator.values(call.args[0], around.scope):
                if isinstance(owner, Upstream):
                    texts = self.program.evaluator.texts(call.args[1], around.scope)
                    value = call.args[2] if len(call.args) > 2 else _keyword(call, "new")  # noqa: PLR2004 - the third
                    attribute = texts[0] if len(texts) == 1 else DYNAMIC
                    members = tuple(texts) if len(texts) != 1 else ()
                    self._told_below(call.args[0])
                    self._patched(call, owner, attribute, value, "patch.object", around, restored=True, members=members)
        elif name == "dict":
            for owner in self._containers(call.args[0], around):
                self._told_below(call.args[0])
                self._mutated(call, owner, "patch.dict", around, restored=True)
        return True

    def _patched_text(
        self, call: ast.Call, target: ast.expr, value: ast.expr | None, form: str, around: Around
    ) -> bool:
        texts = [
            text
            for text in self.program.evaluator.texts(target, around.scope)
            if self.program.evaluator.is_upstream(text)
        ]
        for text in texts:
            owner, _, attribute = text.rpartition(".")
            if owner:
                named = Upstream(owner, Form.SYMBOL, Known("literal"))
                self._patched(call, named, attribute, value, form, around, restored=True)
        return bool(texts)

    def _config_patch(self, call: ast.Call, owner: ast.expr, around: Around) -> bool:
        config = self.program.evaluator.known.config
        for value in self.program.evaluator.values(owner, around.scope):
            if isinstance(value, Upstream) and (value.path in config or value.path.endswith(".config")):
                keys = [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg]
                if call.args and isinstance(call.args[0], ast.Dict):
                    keys += [
                        (key.value, each)
                        for key, each in zip(call.args[0].keys, call.args[0].values, strict=True)
                        if isinstance(key, ast.Constant) and isinstance(key.value, str)
                    ]
                elif call.args and _is_text(call.args[0]):
                    texts = self.program.evaluator.texts(call.args[0], around.scope)
                    keys += [(text, call.args[1] if len(call.args) > 1 else call.args[0]) for text in texts]
                self._told_below(call.func)
                for key, each in keys or [(DYNAMIC, None)]:
                    self._row(
                        call,
                        around,
                        TouchKind.CONFIG_KEY,
                        "patch",
                        f"{value.path}.{key}",
                        value.known,
                        scope=Scope.GLOBAL,
                        restored=True,
                        value=_text(each),
                    )
                return True
        return False

    def _mutates(self, call: ast.Call, func: ast.Attribute, around: Around) -> bool:
        owners = self._containers(func.value, around)
        if not owners:
            return False
        self._told_below(func)
        first = _text(call.args[0]) if call.args else ""
        for owner in owners:
            if owner.path.endswith(".__dict__"):
                bare = Upstream(owner.path.removesuffix(".__dict__"), owner.form, owner.known)
                self._patched(call, bare, DYNAMIC, None, "__dict__", around)
            else:
                self._mutated(call, owner, func.attr, around, value=first)
        return True

    def _got_by_name(self, call: ast.Call, around: Around) -> None:
        texts = self.program.evaluator.texts(call.args[1], around.scope)
        attribute = texts[0] if len(texts) == 1 else DYNAMIC
        for owner in self.program.evaluator.values(call.args[0], around.scope):
            if isinstance(owner, Upstream):
                symbol = f"{owner.path}.{attribute}"
                if is_private(symbol) or attribute in _INNARDS:
                    self._told_below(call.args[0])
                    members = tuple(dict.fromkeys(texts)) if len(texts) > 1 else ()
                    self._row(call, around, TouchKind.ATTRIBUTE_USE, "getattr", symbol, owner.known, members=members)

    def _used_in_call(self, call: ast.Call, around: Around) -> None:
        evaluator = self.program.evaluator
        for value in evaluator.values(call.func, around.scope):
            if not isinstance(value, Upstream) or value.form is Form.OBJECT:
                continue
            first = _text(call.args[0]) if call.args else ""
            if id(call.func) in self.told:
                return
            if value.path in evaluator.known.mutating and len(call.args) > evaluator.known.mutating[value.path]:
                for owner in self._containers(call.args[evaluator.known.mutating[value.path]], around):
                    self._mutated(call, owner, "helper", around, value=value.path)
            elif self._registers(value.path):
                self._row(
                    call,
                    around,
                    TouchKind.REGISTRATION,
                    "call",
                    value.path,
                    value.known,
                    scope=Scope.GLOBAL,
                    call=_shape(call),
                    value=first,
                )
            elif is_private(value.path):
                self._row(
                    call,
                    around,
                    TouchKind.ATTRIBUTE_USE,
                    "call",
                    value.path,
                    value.known,
                    call=_shape(call),
                    detail=self._ignored(call),
                )
            else:
                continue
            self._told_below(call.func)

    # ------------------------------------------------------------------ reads

    def _read(self, node: ast.Attribute, around: Around) -> None:
        if id(node) in self.told:
            self._told_below(node)
            return
        innards = node.attr in _INNARDS
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
                    detail=self._ignored(node),
                )
            elif isinstance(value, Upstream) and value.form is Form.OBJECT and value.known.resolution == "virtualized":
                self._told_below(node)

    def _indexed(self, node: ast.Subscript, around: Around) -> None:
        if not isinstance(node.slice, ast.Constant | ast.UnaryOp) or not isinstance(_constant(node.slice), int):
            return
        for value in self.program.evaluator.values(node.value, around.scope):
            if isinstance(value, Upstream) and value.form is Form.SYMBOL and self._is_collection(value):
                self._told_below(node.value)
                self._row(
                    node, around, TouchKind.ATTRIBUTE_USE, "index", value.path, value.known, value=_text(node.slice)
                )

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


def _paired(rows: list[Touchpoint]) -> list[Touchpoint]:
    """Mark patches whose original is put back somewhere in the same file."""
    back = {row.symbol for row in rows if row.form == "restore"}
    return [
        replace(row, restored=True) if row.kind is TouchKind.MONKEY_PATCH and row.symbol in back else row
        for row in rows
    ]


def _one_each(rows: list[Touchpoint]) -> list[Touchpoint]:
    """One row for each place, kind and form: of several possible receivers the surest; the others are named in it."""
    rank = list(Certainty)
    groups: dict[tuple[str, int, int, TouchKind, str, tuple[str, ...]], list[Touchpoint]] = {}
    for row in rows:
        own = (row.symbol,) if row.kind in {TouchKind.IMPORT, TouchKind.CONFIG_KEY, TouchKind.SUBCLASS} else ()
        groups.setdefault((row.path, row.line, row.column, row.kind, row.form, own), []).append(row)
    found = []
    for several in groups.values():
        best = min(several, key=lambda row: (rank.index(row.certainty), row.symbol))
        others = sorted({row.symbol for row in several} - {best.symbol})
        if others:
            told = f"may also be {', '.join(others[:4])}"
            best = replace(best, detail=f"{best.detail}; {told}" if best.detail else told)
        found.append(best)
    return found


def _symbol(module: Module, node: ast.AST) -> str:
    scope = module.scopes.get(node)
    return "" if scope is None else scope.symbol


def _says_so(function: FunctionScope, name: str) -> bool:
    return _calls_super(function, name) or any(_last(each) == "override" for each in function.decorators())


def _calls_super(function: FunctionScope, name: str) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Call)
        and _is_super(node.value)
        for node in ast.walk(function.node)
    )


def _is_super(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "super"


def _is_self(expression: ast.expr, around: Around) -> bool:
    scope = around.scope
    return (
        isinstance(expression, ast.Name)
        and isinstance(scope, FunctionScope)
        and isinstance(scope.parent, ClassScope)
        and bool(scope.positional)
        and scope.positional[0].arg == expression.id
    )


def _shape(call: ast.Call) -> Call:
    return Call(
        sum(not isinstance(argument, ast.Starred) for argument in call.args),
        tuple(keyword.arg for keyword in call.keywords if keyword.arg),
        any(isinstance(argument, ast.Starred) for argument in call.args),
        any(keyword.arg is None for keyword in call.keywords),
    )


def _last(expression: ast.expr) -> str:
    return expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")


def _is_text(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and isinstance(expression.value, str)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _constant(expression: ast.expr) -> object:
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None


def _text(expression: ast.expr | None) -> str:
    return "" if expression is None else shortened(expression)
