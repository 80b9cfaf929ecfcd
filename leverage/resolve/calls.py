"""Calls: what sets, patches, registers or changes something of theirs by being called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Scope, TouchKind
from leverage.resolve.rows import DYNAMIC, is_private
from leverage.resolve.stores import Stores
from leverage.resolve.syntax import is_self, is_super, is_text, keyword_of, last_name, shape_of, source_of
from leverage.resolve.values import Form, Known, Pack, Upstream

if TYPE_CHECKING:
    from leverage.resolve.walk import Around

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
INNARDS = frozenset(
    {"__closure__", "__code__", "__dict__", "__wrapped__", "__globals__", "__defaults__", "__kwdefaults__"}
)


class Calls(Stores):
    """Finds calls."""

    __slots__ = ()

    def _called(self, call: ast.Call, around: Around) -> None:  # noqa: C901, PLR0911 - one question after the other
        name = last_name(call.func)
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
                        one = Scope.INSTANCE if name == "clear_cache" and call.args else None
                        self._mutated(call, value, name, around, scope=one)
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
            and is_text(arguments[0])
        ):
            self._patched_text(call, arguments[0], arguments[1] if len(arguments) > 1 else None, "monkeypatch", around)
            return
        if quiet and isinstance(call.func, ast.Attribute) and len(arguments) == (2 if "set" in name else 1):
            self._set_on_owner(call, call.func.value, name, around)
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
                    call,
                    around,
                    TouchKind.ATTRIBUTE_USE,
                    form,
                    symbol,
                    owner.known,
                    scope=scope,
                    value=source_of(value),
                )
            else:
                members = texts if len(texts) != 1 else ()
                form = "monkeypatch" if isinstance(call.func, ast.Attribute) else name
                self._patched(call, owner, attribute, value, form, around, members=members)
        known = owners or is_self(arguments[0], around.scope) or self._is_foreign(arguments[0], around.scope)
        if not known and not quiet:
            self._doubt(call, TouchKind.MONKEY_PATCH, arguments[0], "what the first argument is could not be told")

    def _set_on_owner(self, call: ast.Call, base: ast.expr, name: str, around: Around) -> None:
        """`module.__setattr__("name", value)`, which is an assignment; `super()` of an own object is none of theirs."""
        if isinstance(base, ast.Call) and is_super(base):
            return
        texts = tuple(dict.fromkeys(self.program.evaluator.texts(call.args[0], around.scope)))
        attribute, members = (texts[0], ()) if len(texts) == 1 else (DYNAMIC, texts)
        value = call.args[1] if len(call.args) > 1 else None
        for owner in self.program.evaluator.values(base, around.scope):
            if isinstance(owner, Upstream):
                self._told_below(base)
                self._patched(call, owner, attribute, value, name, around, members=members)

    def _mocked(self, call: ast.Call, name: str, around: Around) -> bool:
        """`mock.patch` in its forms; they put back what was there."""
        func = call.func
        base = func.value if isinstance(func, ast.Attribute) else None
        is_patch = name == "patch" and call.args and is_text(call.args[0])
        is_method = name in {"object", "dict", "multiple"} and base is not None and last_name(base) == "patch"
        if is_patch:
            value = call.args[1] if len(call.args) > 1 else keyword_of(call, "new")
            return self._patched_text(call, call.args[0], value, "mock.patch", around)
        if not is_method or not call.args:
            return False
        if name == "object" and len(call.args) > 1:
            for owner in self.program.evaluator.values(call.args[0], around.scope):
                if isinstance(owner, Upstream):
                    texts = self.program.evaluator.texts(call.args[1], around.scope)
                    value = call.args[2] if len(call.args) > 2 else keyword_of(call, "new")  # noqa: PLR2004 - the third
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
                keys: list[tuple[str, ast.expr | None]] = [
                    (keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg
                ]
                starred = [keyword.value for keyword in call.keywords if keyword.arg is None]
                for given in [*call.args[:1], *starred]:
                    keys += self._keys(given, around)
                if call.args and is_text(call.args[0]):
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
                        value=source_of(each),
                    )
                return True
        return False

    def _keys(self, given: ast.expr, around: Around) -> list[tuple[str, ast.expr | None]]:
        """Keys and values of a dict that is written out, here or where the name comes from."""
        return [
            (key.value, each)
            for pack in self.program.evaluator.values(given, around.scope)
            if isinstance(pack, Pack)
            for key, each in zip(pack.keys, pack.parts, strict=False)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        ]

    def _mutates(self, call: ast.Call, func: ast.Attribute, around: Around) -> bool:
        owners = self._containers(func.value, around)
        if not owners:
            return False
        self._told_below(func)
        first = source_of(call.args[0]) if call.args else ""
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
                if is_private(symbol) or attribute in INNARDS:
                    self._told_below(call.args[0])
                    members = tuple(dict.fromkeys(texts)) if len(texts) > 1 else ()
                    self._row(call, around, TouchKind.ATTRIBUTE_USE, "getattr", symbol, owner.known, members=members)

    def _used_in_call(self, call: ast.Call, around: Around) -> None:
        evaluator = self.program.evaluator
        for value in evaluator.values(call.func, around.scope):
            if not isinstance(value, Upstream) or value.form is Form.OBJECT:
                continue
            first = source_of(call.args[0]) if call.args else ""
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
                    call=shape_of(call),
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
                    call=shape_of(call),
                )
            else:
                continue
            self._told_below(call.func)
