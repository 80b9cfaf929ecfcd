"""C, C++, CUDA and their relatives: functions, methods, classes and enumerations, by the tree-sitter grammars.

- A function is a definition with a body; a declaration, a `= default` and a `= delete` are lines of what is around.
- Functions and classes inside a function, and lambdas, belong to the function. A lambda outside is no unit.
- The head of a template belongs to what it is the head of, a ``typedef struct {...} Name;`` is the class ``Name``.
- ``class`` is every class, structure, union and enumeration with a body and a name.
- The symbol is the qualified name without template arguments and parameters: ``mlir.tt.Lower.match``. Unnamed
  namespaces leave no trace in it. Overloads are told apart by their order.
- A macro call that heads a block of statements, ``TEST_F(Suite, Name) {...}``, is a function of that name.

The grammar does not run the preprocessor: `repairs` says what is done about that. Text that cannot be parsed after all
becomes error nodes, in which whole definitions are found all the same.
"""

from __future__ import annotations

import time
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from leverage.measure.units.partition import LONGEST_NAME, Found, Unreadable
from leverage.measure.units.repairs import prepared, repaired
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node, Parser, Tree

PATIENCE = 30.0
"""Seconds after which a text is given up. 8 MiB of real code take 2; only text made to hurt gets there."""

_PIECE = 2**16  # bytes that the parser is handed at a time
_CLASSES = frozenset(("class_specifier", "struct_specifier", "union_specifier", "enum_specifier"))
_WRAPPERS = frozenset(("template_declaration", "type_definition"))
_DEFINITIONS = _CLASSES | _WRAPPERS | {"function_definition", "namespace_definition"}
# What else may hold a definition outside functions. Errors, blocks and statements there are scopes that were misread.
_AROUND = frozenset(
    (
        *("translation_unit", "declaration_list", "linkage_specification", "field_declaration_list", "ERROR"),
        *("declaration", "field_declaration", "friend_declaration", "preproc_if", "preproc_ifdef", "preproc_elif"),
        *("preproc_elifdef", "preproc_else", "compound_statement", "labeled_statement", "expression_statement"),
        *("if_statement", "else_clause", "switch_statement", "case_statement", "for_statement", "for_range_loop"),
        *("while_statement", "do_statement", "try_statement", "catch_clause"),
    )
)
_NO_BODY = frozenset(("default_method_clause", "delete_method_clause", "pure_virtual_clause"))
_NAMES = frozenset(("identifier", "field_identifier", "type_identifier", "namespace_identifier"))
_DEEPEST_NAME = 64  # declarators and scopes around one name


def found(text: bytes) -> list[Found]:
    """The units of a text of C or C++; broken text gives what can be made out.

    Raises:
        Unreadable: parsing took longer than `PATIENCE`.
    """
    return _found(text, "cpp")


def found_in_kernels(text: bytes) -> list[Found]:
    """The same for CUDA and its dialects."""
    return _found(text, "cuda")


@cache
def _parser(grammar: str) -> Parser:
    from tree_sitter import Language, Parser  # noqa: PLC0415 - only a tree with C++ in it needs them

    return Parser(Language(import_module(f"tree_sitter_{grammar}").language()))


def _found(text: bytes, grammar: str) -> list[Found]:
    plain = prepared(text)
    deadline = time.monotonic() + PATIENCE
    tree = _parsed(plain, grammar, deadline)
    if tree.root_node.has_error:
        least = _broken(tree)
        for reading in repaired(plain):
            other = _parsed(reading, grammar, deadline)
            if (broken := _broken(other)) < least:
                tree, least = other, broken
    return list(_units(_definitions(tree), text))


def _broken(tree: Tree) -> int:
    """How much of a text was not understood: bytes in error nodes, and one for each token that had to be made up."""
    total = 0
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and node.has_error:
            if node.is_error or node.is_missing:
                total += max(1, node.end_byte - node.start_byte)
            elif cursor.goto_first_child():
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return total


def _parsed(text: bytes, grammar: str, deadline: float) -> Tree:
    parser = _parser(grammar)

    def read(offset: int, _point: object) -> bytes:
        return text[offset : offset + _PIECE]

    def late(_offset: int, _broken: bool) -> bool:  # noqa: FBT001 - the parser calls it so
        return time.monotonic() > deadline

    try:
        return parser.parse(read, progress_callback=late)
    except ValueError as error:
        parser.reset()
        raise Unreadable(f"not parsed within {PATIENCE:.0f} s") from error


def _definitions(tree: Tree) -> Iterator[Node]:
    """Functions, classes, namespaces and what wraps them, in order, the outer first; nothing from inside a function.

    A cursor, for queries take time that grows with the square of the longest list of siblings.
    """
    cursor = tree.walk()
    while True:
        node = cursor.node
        what = node.type if node is not None else ""
        if node is not None and what in _DEFINITIONS:
            yield node
            enters = what != "function_definition" or _is_disguised_class(node)
        else:
            enters = what in _AROUND
        if enters and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _units(definitions: Iterable[Node], text: bytes) -> Iterator[Found]:
    scopes: list[tuple[int, str, bool]] = []  # end, name, is it a class: of what we are in, outermost first
    namespaces: set[str] = set()
    wrapper: Node | None = None  # the outermost template head or typedef that waits for its definition
    typedef: Node | None = None
    for node in definitions:
        start, end = node.byte_range
        while scopes and scopes[-1][0] <= start:
            scopes.pop()
        if wrapper is not None and wrapper.end_byte <= start:
            wrapper = typedef = None
        if node.type in _WRAPPERS:
            wrapper = wrapper or node
            typedef = node if node.type == "type_definition" else None
            continue
        if node.type == "namespace_definition":
            names = _scope_names(node, text)
            namespaces.update(names)
            scopes.extend((end, name, False) for name in names)
            continue
        if len(scopes) > _DEEPEST_NAME:
            continue
        scope = [name for _, name, _ in scopes]
        in_class = bool(scopes) and scopes[-1][2]
        kind = UnitKind.CLASS
        if node.type != "function_definition" or _is_disguised_class(node):
            name = _class_name(node, typedef, text)
            scopes.extend((end, part, True) for part in name)
        else:
            name = _function_name(node, scope[-1] if in_class else "", text)
            method = in_class or (len(name) > 1 and name[-2] not in namespaces)
            kind = UnitKind.METHOD if method else UnitKind.FUNCTION
        if name:
            first, last = wrapper.byte_range if wrapper is not None else (start, end)
            yield Found(".".join((*scope, *name)), kind, first, min(last, len(text)))
        wrapper = typedef = None


def _is_disguised_class(definition: Node) -> bool:
    """Whether a function is really ``class MACRO Name {...}``, which the grammar takes for a function of that type."""
    kind = definition.child_by_field_name("type")
    if kind is None or kind.type not in _CLASSES or kind.child_by_field_name("body") is not None:
        return False
    declarator = definition.child_by_field_name("declarator")
    return declarator is not None and declarator.type == "identifier"


def _text(node: Node, text: bytes) -> str:
    """The text of a node, white space folded, of bounded length."""
    start = node.start_byte
    end = min(node.end_byte, start + 4 * LONGEST_NAME)
    return " ".join(text[start:end].decode("utf-8", "replace").split())[:LONGEST_NAME]


def _scope_names(namespace: Node, text: bytes) -> list[str]:
    """``a`` and ``b`` of ``namespace a::inline b``; nothing for an unnamed one."""
    name = namespace.child_by_field_name("name")
    if name is None:
        return []
    if name.type == "nested_namespace_specifier":
        return [part for part in _text(name, text).replace("inline ", "").replace(" ", "").split("::") if part]
    return [_text(name, text)]


def _class_name(node: Node, typedef: Node | None, text: bytes) -> list[str]:
    """The parts of the name of a class with a body; empty where it has none of the two."""
    if node.type == "function_definition":
        name = node.child_by_field_name("declarator")
        return _parts(name, text) if name is not None else []
    if node.child_by_field_name("body") is None:
        return []
    name = node.child_by_field_name("name")
    if name is None and typedef is not None:
        name = typedef.child_by_field_name("declarator")
    return _parts(name, text) if name is not None else []


def _function_name(node: Node, class_name: str, text: bytes) -> list[str]:
    """The parts of the name of a definition with a body; empty where it has no body or no name."""
    if any(child.type in _NO_BODY for child in node.children[-2:]):
        return []
    declarator = node.child_by_field_name("declarator")
    function: Node | None = None
    for _ in range(_DEEPEST_NAME):
        if declarator is None or declarator.type in _LEAVES:
            break
        function = declarator if declarator.type == "function_declarator" else function
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or next((child for child in declarator.named_children if child.type in _DECLARES), None)
    if declarator is None:
        return []
    parts = _parts(declarator, text)  # none where the grammar made a name up
    if not parts:
        return []
    if node.child_by_field_name("type") is None and declarator.type == "identifier" and parts != [class_name]:
        parameters = function.child_by_field_name("parameters") if function is not None else None
        return [parts[0] + _text(parameters, text)] if parameters is not None else parts
    return parts


_LEAVES = _NAMES | {"qualified_identifier", "destructor_name", "operator_name", "operator_cast", "template_function"}
_DECLARES = _LEAVES | {
    "function_declarator",
    "pointer_declarator",
    "reference_declarator",
    "parenthesized_declarator",
    "attributed_declarator",
    "array_declarator",
}


def _parts(name: Node, text: bytes) -> list[str]:
    """A name without template arguments, cut at its scopes."""
    parts: list[str] = []
    node: Node | None = name
    for _ in range(_DEEPEST_NAME):
        if node is None:
            break
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            parts.extend(_parts(scope, text) if scope is not None else [])
            node = node.child_by_field_name("name")
        elif node.type in ("template_type", "template_function", "template_method"):
            node = node.child_by_field_name("name")
        elif node.type == "operator_cast":
            kind = node.child_by_field_name("type")
            parts.append(f"operator {_text(kind, text)}" if kind is not None else "operator")
            break
        else:
            leaf = _text(node, text)
            parts.append(leaf.replace("operator ", "operator") if node.type == "operator_name" else leaf)
            break
    return [part for part in parts if part]
