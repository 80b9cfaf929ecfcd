"""Which lines of a Python file can run, and in which function: read from the code objects that CPython makes of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MADE_BY_COMPILER = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>"})


@dataclass(frozen=True, slots=True)
class Body:
    """The inside of a function.

    Attributes:
        symbol: dotted name inside the file; a function inside a function belongs to the outer one.
        first: line of its `def`, from 1.
        lines: lines of its body that can run. The `def` itself runs when the module is imported and is not among them.
    """

    symbol: str
    first: int
    lines: frozenset[int]


@dataclass(frozen=True, slots=True)
class Executable:
    """Lines of a file that can run.

    Attributes:
        outside: lines of the module and of class bodies, which an import runs.
        bodies: functions and methods, sorted by first line and symbol.
    """

    outside: frozenset[int]
    bodies: tuple[Body, ...]

    @property
    def lines(self) -> frozenset[int]:
        """All of them."""
        return self.outside.union(*(body.lines for body in self.bodies))


def executable(source: bytes) -> Executable | str:
    """Read the lines that can run in a file, or say why it cannot be compiled. Runs nothing of it.

    A line that both an import and a function run (two statements on it, a lambda) counts as the import's.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the file's own literals deserve is not our reader's concern
            module = compile(source, "<traced>", "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    outside: set[int] = set()
    found: list[tuple[str, int, set[int]]] = []
    _read(module, "", outside, found)
    bodies = [Body(symbol, first, frozenset(lines - outside)) for symbol, first, lines in found]
    return Executable(frozenset(outside), tuple(sorted(bodies, key=lambda body: (body.first, body.symbol))))


def _read(code: CodeType, scope: str, outside: set[int], found: list[tuple[str, int, set[int]]]) -> None:
    """Lines of a module or class, and the functions directly in it."""
    outside.update(_lines(code))
    for inner in _inner(code):
        symbol = f"{scope}.{inner.co_name}" if scope else inner.co_name
        if _is_class(inner):
            _read(inner, symbol, outside, found)
        elif inner.co_name in _MADE_BY_COMPILER:
            outside.update(_all_lines(inner))
        else:
            lines = _all_lines(inner)
            # A decorated function starts at its decorator, which the import runs, as it runs the line of `def`.
            found.append((symbol, inner.co_firstlineno, lines - {inner.co_firstlineno}))


def _all_lines(code: CodeType) -> set[int]:
    lines: set[int] = set()
    waiting = [code]
    while waiting:
        one = waiting.pop()
        lines.update(_lines(one))
        waiting += _inner(one)
    return lines


def _lines(code: CodeType) -> Iterator[int]:
    for start, _, line in code.co_lines():
        # The first instructions of a function resume it and belong to no statement.
        if line and not (start == 0 and line == code.co_firstlineno and code.co_name != "<module>"):
            yield line


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _is_class(code: CodeType) -> bool:
    """Whether this is the body of a class: only that stores its own qualified name first."""
    return "__qualname__" in code.co_names and not code.co_flags & 0x02  # CO_NEWLOCALS is set for functions alone
