"""Small questions about syntax, asked in several places."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Call, Parameter
from leverage.resolve.scopes import ClassScope, FunctionScope

if TYPE_CHECKING:
    from leverage.resolve.scopes import Module, Scope


def is_class_name(path: str) -> bool:
    """Whether the last part of a name is written as classes are."""
    last = path.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() and not last.isupper()


def shortened(expression: ast.AST, most: int = 60) -> str:
    """Source of an expression on one line, cut where it is long."""
    try:
        text = " ".join(ast.unparse(expression).split())
    except (RecursionError, ValueError, AttributeError):
        return "..."
    return text if len(text) <= most else text[: most - 3] + "..."


def last_name(expression: ast.expr) -> str:
    """The name at the end of a dotted expression; empty for others."""
    return expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")


def is_sys_modules(expression: ast.expr) -> bool:
    """Whether an expression is `sys.modules`."""
    return (
        isinstance(expression, ast.Attribute)
        and expression.attr == "modules"
        and isinstance(expression.value, ast.Name)
        and expression.value.id == "sys"
    )


def is_static(scope: FunctionScope) -> bool:
    """Whether a function takes no object."""
    return any(last_name(each) == "staticmethod" for each in scope.decorators())


def is_class_method(scope: FunctionScope) -> bool:
    """Whether a function takes its class for its first parameter."""
    name = "" if isinstance(scope.node, ast.Lambda) else scope.node.name
    return name in {"__new__", "__init_subclass__", "__class_getitem__"} or any(
        last_name(each) == "classmethod" for each in scope.decorators()
    )


def defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """Defaults of a signature by the name of the parameter; those without one are left out."""
    plain = [*arguments.posonlyargs, *arguments.args]
    found = {
        each.arg: default
        for each, default in zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)
    }
    for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            found[each.arg] = value
    return found


def parameters(function: FunctionScope) -> tuple[Parameter, ...]:
    """Signature of a function of the port."""
    arguments = function.node.args
    given = {name: shortened(default) for name, default in defaults(arguments).items()}

    def each_of(parameters: list[ast.arg], kind: str) -> list[Parameter]:
        return [Parameter(each.arg, kind, given.get(each.arg)) for each in parameters]

    found = [*each_of(arguments.posonlyargs, "positional_only"), *each_of(arguments.args, "positional")]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, "var_positional"))
    found += each_of(arguments.kwonlyargs, "keyword_only")
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, "var_keyword"))
    return tuple(found)


def symbol_of(module: Module, node: ast.AST) -> str:
    """Symbol of what a node defines; empty where it defines nothing."""
    scope = module.scopes.get(node)
    return "" if scope is None else scope.symbol


def says_so(function: FunctionScope, name: str) -> bool:
    """Whether a method says by itself that it overrides one."""
    return calls_super(function, name) or any(last_name(each) == "override" for each in function.decorators())


def calls_super(function: FunctionScope, name: str) -> bool:
    """Whether a function uses `super()` under this name."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Call)
        and is_super(node.value)
        for node in ast.walk(function.node)
    )


def is_super(call: ast.Call) -> bool:
    """Whether a call is `super()`."""
    return isinstance(call.func, ast.Name) and call.func.id == "super"


def is_self(expression: ast.expr, scope: Scope) -> bool:
    """Whether an expression is the object of the method that it stands in."""
    return (
        isinstance(expression, ast.Name)
        and isinstance(scope, FunctionScope)
        and isinstance(scope.parent, ClassScope)
        and bool(scope.positional)
        and scope.positional[0].arg == expression.id
    )


def shape_of(call: ast.Call) -> Call:
    """How a call passes its arguments."""
    return Call(
        sum(not isinstance(argument, ast.Starred) for argument in call.args),
        tuple(keyword.arg for keyword in call.keywords if keyword.arg),
        any(isinstance(argument, ast.Starred) for argument in call.args),
        any(keyword.arg is None for keyword in call.keywords),
    )


def is_text(expression: ast.expr) -> bool:
    """Whether an expression is a string."""
    return isinstance(expression, ast.Constant) and isinstance(expression.value, str)


def keyword_of(call: ast.Call, name: str) -> ast.expr | None:
    """Value of a keyword argument."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def constant_of(expression: ast.expr) -> object:
    """A constant, or a negative number; None for others."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        value = constant_of(expression.operand)
        return -value if isinstance(value, int) else None
    return expression.value if isinstance(expression, ast.Constant) else None


def source_of(expression: ast.expr | None) -> str:
    """Source of an expression, shortened; empty for none."""
    return "" if expression is None else shortened(expression)
