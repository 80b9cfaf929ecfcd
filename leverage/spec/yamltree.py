"""A YAML document as a tree in which every node knows its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from leverage.model.errors import Location
from leverage.spec.text import shown


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts. ``text`` is what stood in the file, ``value`` what YAML takes it for."""

    where: Location
    text: str
    value: str | int | float | bool | None

    def plain(self) -> str | int | float | bool | None:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    where: Location
    items: tuple[Node, ...]

    def plain(self) -> list[Any]:
        """A list of plain values."""
        return [item.plain() for item in self.items]


@dataclass(frozen=True, slots=True)
class Mapping:
    """Nodes by key; ``keys`` has the place of each key."""

    where: Location
    keys: dict[str, Location]
    values: dict[str, Node]

    def plain(self) -> dict[str, Any]:
        """A dict of plain values, in the order of the file."""
        return {key: value.plain() for key, value in self.values.items()}


Node = Scalar | Sequence | Mapping


def locate(root: Node | None, file: str, path: tuple[str | int, ...]) -> Location:
    """Place of the key (or list item) at a path; of the nearest parent that exists where it does not."""
    place, node = Location(file, 1, 1) if root is None else root.where, root
    for step in path:
        match node:
            case Mapping() if str(step) in node.keys:
                place, node = node.keys[str(step)], node.values[str(step)]
            case Sequence() if isinstance(step, int) and 0 <= step < len(node.items):
                node = node.items[step]
                place = node.where
            case _:
                return place
    return place


def node_at(root: Node | None, path: tuple[str | int, ...]) -> Node | None:
    """The node at a path, None where there is none."""
    node = root
    for step in path:
        match node:
            case Mapping():
                node = node.values.get(str(step))
            case Sequence() if isinstance(step, int) and 0 <= step < len(node.items):
                node = node.items[step]
            case _:
                return None
    return node


def noun(node: Node | None) -> str:
    """What a node is, for messages: ``a list``, ``the number `7```."""
    match node:
        case Sequence():
            return "a list"
        case Mapping():
            return "a mapping"
        case Scalar(value=bool()):
            return f"the truth value {shown(node.text)}"
        case Scalar(value=int() | float()):
            return f"the number {shown(node.text)}"
        case Scalar(value=str()) if node.text:
            return f"the text {shown(node.text)}"
        case _:
            return "empty"
