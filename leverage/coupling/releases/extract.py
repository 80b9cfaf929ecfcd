"""What one module of a substrate holds, read from its source: every name with all that a port may lean on."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from leverage.coupling.releases.normalise import annotations_hash, body_hash, digest, modern, value_hash
from leverage.model.exact import dotted, syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_VALUE = 48
"""Characters of a default or constant up to which its text is kept; of longer ones there is a fingerprint."""
LONGEST_SWITCH = 160
"""Likewise of a constant in a module of switches."""
LONGEST_NOTE = 120
"""Likewise of an annotation of a constant or field."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Sort(StrEnum):
    """What a name stands for."""

    CLASS = "c"
    FUNCTION = "f"
    VALUE = "v"
    """A constant, a switch, a table; in a class also a declared field."""
    ATTRIBUTE = "a"
    """What a method binds on ``self``."""
    IMPORT = "i"
    """A name that comes from another module; ``text`` is its full name there."""
    STAR = "s"
    """All names of another module; ``text`` is that module."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in one form.

    Attributes:
        sort: what it stands for.
        text: signature of a function, as source without annotations; bases of a class by full names, with spaces;
            source text or fingerprint of a value (``[3]`` before it is the length of a collection that is written out);
            full name of what is imported.
        marks: full or bare names of decorators, with spaces; of an import ``typing`` where only type checkers see it.
        body: fingerprint of a body; empty for all but functions.
        note: fingerprint of a function's annotations; text of a value's annotation.
        line: line in the first release that has this form; 0 for imports and attributes.
    """

    sort: Sort
    text: str = ""
    marks: str = ""
    body: str = ""
    note: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What a module holds.

    Attributes:
        open: whether it may hold names that its source does not show: made when it runs, or a stub of compiled code.
        entries: by the path of names inside the module (``Class.method``), in the order of the source.
    """

    open: bool
    entries: dict[str, Entry]


def module_facts(data: bytes, name: str, *, package: bool, stub: bool) -> ModuleFacts | None:
    """Read one module; None where it cannot be parsed.

    Args:
        data: its source.
        name: its dotted name.
        package: whether it is the ``__init__`` of a package.
        stub: whether it is a ``.pyi`` file.
    """
    try:
        tree = syntax_tree(data)
        reader = _Reader(name, package=package, stub=stub)
        reader.block(tree.body, typing=False)
        reader.resolve_bases()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ModuleFacts(stub or reader.open, reader.entries)


class _Reader:
    def __init__(self, name: str, *, package: bool, stub: bool) -> None:
        self.name = name
        self.package = package
        self.stub = stub
        self.open = False
        self.switches = name.rpartition(".")[2] == "config"
        self.entries: dict[str, Entry] = {}

    def block(self, statements: Sequence[ast.stmt], *, typing: bool) -> None:
        """Names that statements of the module's top level bind."""
        for statement in statements:
            self._statement(statement, typing=typing)

    def _statement(self, node: ast.stmt, *, typing: bool) -> None:  # noqa: C901, PLR0912 - one case for each kind of statement
        match node:
            case ast.Import(names=names):
                for alias in names:
                    target = alias.name if alias.asname else alias.name.partition(".")[0]
                    self._bind(alias.asname or target, self._import(target, typing=typing))
            case ast.ImportFrom(names=names):
                module = self._absolute(node.level, node.module or "")
                for alias in names:
                    if alias.name == "*":
                        self._bind(f"*{module}", Entry(Sort.STAR, module))
                    else:
                        bound = self._import(f"{module}.{alias.name}", typing=typing)
                        self._bind(alias.asname or alias.name, bound)
            case ast.ClassDef():
                self._class(node, "", typing=typing)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, "", typing=typing)
                if node.name == "__getattr__":
                    self.open = True
            case ast.If(test=test, body=body, orelse=other):
                checked = _asks_for_typing(test)
                self.block(body, typing=typing or checked is True)
                self.block(other, typing=typing or checked is False)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                self.block([*body, *other], typing=typing)
                for handler in handlers:
                    self.block(handler.body, typing=typing)
                self.block(last, typing=typing)
            case ast.With(body=body, items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self._targets(item.optional_vars, None, None, "")
                self.block(body, typing=typing)
            case ast.For(body=body, target=loop, orelse=other):
                self._targets(loop, None, None, "")
                self._makes_names(node)
                self.block([*body, *other], typing=typing)
            case ast.While(body=body, orelse=other):
                self.block([*body, *other], typing=typing)
            case _:
                self._value(node, "")
                self._makes_names(node)

    def _makes_names(self, node: ast.AST) -> None:
        if not self.open:
            self.open = any(
                isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "globals"
                for each in ast.walk(node)
            )

    def _import(self, target: str, *, typing: bool) -> Entry:
        return Entry(Sort.IMPORT, target, "typing" if typing else "")

    def _absolute(self, level: int, module: str) -> str:
        if not level:
            return module
        parts = self.name.split(".")
        cut = level - 1 if self.package else level
        return ".".join([*parts[: len(parts) - cut], *([module] if module else [])])

    def _bind(self, path: str, entry: Entry, *, merge: bool = False) -> None:
        """Bind a name. Of several bindings a definition stays rather than an import, else the first that runs."""
        before = self.entries.get(path)
        if before is None or _weight(entry) > _weight(before):
            self.entries[path] = entry
        elif merge and before.sort is Sort.FUNCTION is entry.sort and before.text != "" and entry.body != before.body:
            # Variants of one function: under a condition, or overloads of a stub.
            body = digest(f"{before.body} {entry.text} {entry.body}")
            self.entries[path] = replace(before, body=body)

    def _value(self, node: ast.stmt, prefix: str) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._targets(target, value, None, prefix)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                self._targets(target, value, annotation, prefix)
            case _:
                pass

    def _targets(self, target: ast.expr, value: ast.expr | None, note: ast.expr | None, prefix: str) -> None:
        match target:
            case ast.Name(id=name):
                noted = "" if note is None else _short(modern(note), LONGEST_NOTE)
                text = _value_text(value, LONGEST_SWITCH if self.switches else LONGEST_VALUE)
                entry = Entry(Sort.VALUE, text, note=noted, line=target.lineno)
                before = self.entries.get(prefix + name)
                if before is not None and before.sort is Sort.VALUE and prefix + name in self.entries:
                    # Bound again: what it holds depends on both.
                    if entry.text != before.text:
                        kept = (
                            entry if not before.text else replace(before, text=f"#{digest(before.text + entry.text)}")
                        )
                        self.entries[prefix + name] = replace(kept, note=before.note or noted)
                elif before is None or before.sort in {Sort.IMPORT, Sort.ATTRIBUTE}:
                    self.entries[prefix + name] = entry
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._targets(part, None, None, prefix)
            case ast.Starred(value=inner):
                self._targets(inner, None, None, prefix)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if not prefix and owner in self.entries:
                if self.entries[owner].sort is Sort.CLASS:  # a method that a class of the module is given afterwards
                    self._targets(ast.Name(name, ast.Store(), lineno=target.lineno), value, note, f"{owner}.")
            case _:
                pass

    def _function(self, node: _Function, prefix: str, *, typing: bool = False) -> None:
        marks = [_decorator(each) for each in node.decorator_list]
        if any(mark.rpartition(".")[2] == "overload" for mark in marks) and not self.stub:
            return
        if any(mark.endswith((".setter", ".deleter", ".getter")) for mark in marks):
            setter = self.entries.get(prefix + node.name)
            if setter is not None and setter.sort is Sort.FUNCTION:
                self.entries[prefix + node.name] = replace(setter, body=digest(setter.body + body_hash(node)))
            return
        entry = Entry(
            Sort.FUNCTION,
            signature(node.args),
            " ".join(mark for mark in marks if mark),
            "" if self.stub else body_hash(node),
            annotations_hash(node),
            node.lineno,
        )
        self._bind(prefix + node.name, replace(entry, marks="typing") if typing else entry, merge=True)

    def _class(self, node: ast.ClassDef, prefix: str, *, typing: bool = False) -> None:
        path = prefix + node.name
        bases = [_base_text(base) for base in node.bases]
        marks = [_decorator(each) for each in node.decorator_list]
        entry = Entry(
            Sort.CLASS,
            " ".join(bases),
            "typing" if typing else " ".join(mark for mark in marks if mark),
            line=node.lineno,
        )
        before = self.entries.get(path)
        if before is not None and before.sort is Sort.CLASS and before.marks != "typing":
            self._members(node.body, f"{path}.")  # the other branch of a condition: its members count as well
            return
        self.entries[path] = entry
        self._members(node.body, f"{path}.")
        self._record(node, path, bases, marks)

    def _record(self, node: ast.ClassDef, path: str, bases: Sequence[str], marks: Sequence[str]) -> None:
        """The constructor that a decorator or base makes of the fields of a class."""
        fields = _fields(node) if _is_record(bases, marks) else None
        if fields is not None and f"{path}.__init__" not in self.entries:
            mark = "dataclass-fields" if any(_ends_with_dataclass(each) for each in marks) else "tuple-fields"
            self.entries[f"{path}.__init__"] = Entry(Sort.FUNCTION, fields, mark, "", "", node.lineno)

    def _members(self, statements: Sequence[ast.stmt], prefix: str) -> None:
        for node in statements:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._function(node, prefix)
                    for name in _on_self(node):
                        self.entries.setdefault(prefix + name, Entry(Sort.ATTRIBUTE))
                case ast.ClassDef():
                    self._class(node, prefix)
                case ast.If(body=body, orelse=other):
                    self._members([*body, *other], prefix)
                case ast.Try(body=body, handlers=handlers, orelse=other):
                    self._members([*body, *other, *(each for one in handlers for each in one.body)], prefix)
                case ast.ImportFrom(names=names):
                    module = self._absolute(node.level, node.module or "")
                    for alias in names:
                        target = f"{module}.{alias.name}"
                        self._bind(prefix + (alias.asname or alias.name), Entry(Sort.IMPORT, target))
                case _:
                    self._value(node, prefix)

    def resolve_bases(self) -> None:
        """Give bases their full names, by what the module binds."""
        for path, entry in list(self.entries.items()):
            if entry.sort is Sort.CLASS and entry.text:
                full = " ".join(self._full(base, path) for base in entry.text.split(" "))
                self.entries[path] = replace(entry, text=full)

    def _full(self, base: str, path: str) -> str:
        first, _, rest = base.partition(".")
        outer = path.rpartition(".")[0]
        if outer and f"{outer}.{first}" in self.entries:
            return f"{self.name}.{outer}.{base}"
        bound = self.entries.get(first)
        if bound is None:
            return base
        if bound.sort is Sort.IMPORT:
            return f"{bound.text}.{rest}" if rest else bound.text
        return f"{self.name}.{base}"


def _weight(entry: Entry) -> int:
    if entry.marks == "typing":
        return 0
    return 1 if entry.sort in {Sort.IMPORT, Sort.ATTRIBUTE} else 2


def _asks_for_typing(test: ast.expr) -> bool | None:
    """True where a condition holds for type checkers alone, False where it holds for all but them."""
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            asked = _asks_for_typing(inner)
            return None if asked is None else not asked
        case _:
            return None


def _on_self(function: _Function) -> Iterator[str]:
    """Names that a method binds on its first parameter."""
    first = [*function.args.posonlyargs, *function.args.args][:1]
    if not first:
        return
    owner = first[0].arg
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Store()) if name == owner:
                yield attribute
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="object"), attr="__setattr__"),
                args=[ast.Name(id=name), ast.Constant(value=str() as attribute), *_],
            ) if name == owner:
                yield attribute
            case _:
                pass


def _decorator(node: ast.expr) -> str:
    return dotted(node.func if isinstance(node, ast.Call) else node)


def _base_text(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        base = base.value
    return dotted(base) or "?"


def _ends_with_dataclass(mark: str) -> bool:
    return mark.rpartition(".")[2].endswith("dataclass")


def _is_record(bases: Sequence[str], marks: Sequence[str]) -> bool:
    return any(map(_ends_with_dataclass, marks)) or any(base.rpartition(".")[2] == "NamedTuple" for base in bases)


def _fields(node: ast.ClassDef) -> str | None:
    """Parameters that a generated constructor has for the fields of this class; None where none can be told."""
    keyword_only = False
    plain: list[str] = []
    keywords: list[str] = []
    for each in node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=annotation):
                noted = _short(annotation, LONGEST_NOTE)
                if "ClassVar" in noted:
                    continue
                if noted.rpartition(".")[2] == "KW_ONLY":
                    keyword_only = True
                    continue
                init, default, only = _field(value)
                if init:
                    (keywords if only or keyword_only else plain).append(f"{name}={default}" if default else name)
            case _:
                pass
    return ", ".join(["self", *plain, *(["*", *keywords] if keywords else [])])


def _field(value: ast.expr | None) -> tuple[bool, str, bool]:
    """Of a field's value: whether the constructor takes it, its default, and whether by keyword only."""
    if isinstance(value, ast.Call) and _decorator(value).rpartition(".")[2] == "field":
        given = {each.arg: each.value for each in value.keywords}
        default = given.get("default") or given.get("default_factory")
        return (
            not _is_constant(given.get("init"), value=False),
            "" if default is None else _short(default, LONGEST_VALUE),
            _is_constant(given.get("kw_only"), value=True),
        )
    return True, "" if value is None else _short(value, LONGEST_VALUE), False


def _is_constant(node: ast.expr | None, *, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def signature(arguments: ast.arguments) -> str:
    """A signature as source, without annotations; long defaults are fingerprints: ``self, a, *, b='#x4Fd'``."""
    plain = [*arguments.posonlyargs, *arguments.args]
    missing = len(plain) - len(arguments.defaults)
    parts = []
    for at, each in enumerate(plain):
        parts.append(each.arg if at < missing else f"{each.arg}={_default(arguments.defaults[at - missing])}")
        if arguments.posonlyargs and at == len(arguments.posonlyargs) - 1:
            parts.append("/")
    if arguments.vararg is not None:
        parts.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        parts.append("*")
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parts.append(each.arg if default is None else f"{each.arg}={_default(default)}")
    if arguments.kwarg is not None:
        parts.append(f"**{arguments.kwarg.arg}")
    return ", ".join(parts)


def _default(node: ast.expr) -> str:
    text = _short(node, LONGEST_VALUE)
    return repr(text) if text.startswith("#") else text


def _short(node: ast.expr, most: int) -> str:
    """Source of an expression on one line; of a long one a fingerprint."""
    text = ast.unparse(node)
    if len(text) <= most and text.isprintable() and not text.startswith("#"):
        return text
    return f"#{value_hash(node)}"


def _value_text(value: ast.expr | None, most: int) -> str:
    """Text or fingerprint of a value, with the length of a collection that is written out; of a switch its default."""
    if value is None:
        return ""
    match value:
        case ast.Call(func=ast.Name(id="Config"), keywords=keywords) if any(each.arg == "default" for each in keywords):
            return _value_text(next(each.value for each in keywords if each.arg == "default"), most)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            size = len(parts)
        case ast.Dict(keys=keys):
            size = len(keys)
        case _:
            return _short(modern(value) if isinstance(value, ast.Subscript) else value, most)
    text = _short(value, most)
    return text if not text.startswith("#") else f"[{size}]{text}"
