"""Which reader finds the units of which language, and what is done where none can."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.lines.base import normalize
from leverage.measure.units import cpp, mlir, python, tablegen
from leverage.measure.units.partition import UnitMap, Unreadable, divided
from leverage.measure.version import hash_of_code
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from leverage.measure.units.partition import Found

MOST_BYTES = 8 * 2**20
"""Bytes of a file above which it is one unit: nobody writes such a file by hand, and parsers take time on it."""

_READERS: Mapping[str, Callable[[bytes], Iterable[Found]]] = MappingProxyType(
    {
        "c": cpp.found,
        "cpp": cpp.found,
        "cuda": cpp.found_in_kernels,
        "hip": cpp.found_in_kernels,
        "ispc": cpp.found,
        "metal": cpp.found,
        "mlir": mlir.found,
        "musa": cpp.found_in_kernels,
        "objc": cpp.found,
        "objcpp": cpp.found,
        "opencl": cpp.found,
        "python": python.found,
        "tablegen": tablegen.found,
    }
)

_FUNCTIONS = frozenset((UnitKind.FUNCTION, UnitKind.METHOD))
_GRAMMARS = ("tree-sitter", "tree-sitter-cpp", "tree-sitter-cuda")


def has_units(language: str) -> bool:
    """Whether the units of a language (an id of ``languages.toml``) can be read. Others are one unit, the rest."""
    return language in _READERS


def read_units(language: str, data: bytes, classes: bytes) -> UnitMap:
    """The units of one file. Pure, and never raises for what the bytes are.

    Args:
        language: id of ``languages.toml``; a language without a reader gives one unit.
        data: the text of the file, as `leverage.measure.screen.readable` hands it on.
        classes: one `LineClass` value per physical line, as the language's scanner gives them.

    Raises:
        ValueError: ``classes`` has another number of lines than the text.
    """
    text = normalize(data)
    try:
        return divided(text, _found(language, text), classes)
    except Unreadable as why:
        return divided(text, (), classes, str(why))


def count_functions(language: str, data: bytes) -> int | None:
    """Number of functions and methods with a body; None where the language has no reader or the text is unreadable.

    Args:
        language: id of ``languages.toml``.
        data: the text of the file, as for `read_units`.
    """
    if not has_units(language):
        return None
    try:
        return sum(unit.kind in _FUNCTIONS for unit in _found(language, normalize(data)))
    except Unreadable:
        return None


def _found(language: str, text: bytes) -> Iterable[Found]:
    reader = _READERS.get(language)
    if reader is None:
        return ()
    if len(text) > MOST_BYTES:
        raise Unreadable(f"larger than {MOST_BYTES // 2**20} MiB")
    return reader(text)


@cache
def readers_version() -> str:
    """Hash over all that decides about units: the readers' code, the grammars' versions, and this Python's grammar."""
    grammars = "".join(f"{grammar} {version(grammar)}\n" for grammar in _GRAMMARS)
    return hash_of_code(f"{sys.version_info[:2]}{grammars}", files("leverage.measure.units"))
