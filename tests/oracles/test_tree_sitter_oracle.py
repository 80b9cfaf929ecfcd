"""Shell and CMake against tree-sitter grammars, on folders that are at hand.

Needs the wheels ``tree-sitter``, ``tree-sitter-bash`` and ``tree-sitter-cmake``::

    LEVERAGE_CORPUS=/folder:/other pytest tests/oracles/test_tree_sitter_oracle.py -m real

CMake is compared in every class. Of a shell file only the comment lines are: that grammar has no opinion on where
literal text ends. A file in which the grammar finds a syntax error is not judged, since then its own tokens are
guesses; how many those are is printed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from leverage.measure.lines.cmake import CMAKE
from leverage.measure.lines.shell import SHELL
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Judge = Callable[[Any, bytes], list[LineClass | None]]

LITERALS = {"quoted_argument", "bracket_argument"}
COMMENTS = {"line_comment", "bracket_comment", "comment"}
SEPARATORS = b"()[]{},;:"


def corpus() -> list[Path]:
    folders = [Path(name) for name in os.environ.get("LEVERAGE_CORPUS", "").split(os.pathsep) if name]
    if not folders:
        pytest.skip("LEVERAGE_CORPUS names no folder")
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def tokens(root: Any, whole: set[str]) -> Iterator[Any]:
    """Leaves of the tree, and nodes of the kinds that count as one token."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in whole or not node.children:
            yield node
        else:
            waiting.extend(node.children)


def painted(root: Any, data: bytes, whole: set[str], value: Callable[[Any], LineClass]) -> list[LineClass | None]:
    """The strongest class on each line, by the tokens that stand on it; None where there is none."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    seen: list[set[LineClass]] = [set() for _ in lines]
    around: list[LineClass | None] = [None] * len(lines)
    for node in tokens(root, whole):
        (first, left), (last, right) = node.start_point, node.end_point
        for number in range(first, min(last, len(lines) - 1) + 1):
            part = lines[number][left if number == first else 0 : right if number == last else None]
            if part.strip():
                seen[number].add(value(node))
            elif node.type in LITERALS:
                around[number] = LineClass.BLANK_IN_STRING
    return [min(found) if found else blank for found, blank in zip(seen, around, strict=True)]


def cmake(root: Any, data: bytes) -> list[LineClass | None]:
    def value(node: Any) -> LineClass:
        if node.type in COMMENTS:
            return LineClass.COMMENT
        if node.type in LITERALS:
            return LineClass.STRING
        return LineClass.CODE if data[node.start_byte : node.end_byte].strip(SEPARATORS) else LineClass.BRACKET

    classes = painted(root, data, COMMENTS | LITERALS, value)
    return [LineClass.BLANK if found is None else found for found in classes]


def shell(root: Any, data: bytes) -> list[LineClass | None]:
    whole = COMMENTS | {"heredoc_body", "raw_string", "ansi_c_string", "string_content"}
    classes = painted(root, data, whole, lambda node: LineClass.COMMENT if node.type in COMMENTS else LineClass.CODE)
    return [found if found == LineClass.COMMENT else None for found in classes]


def compare(grammar: str, paths: list[Path], expect: Judge, found: Callable[[bytes], list[LineClass | None]]) -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    parser = tree_sitter.Parser(tree_sitter.Language(pytest.importorskip(grammar).language()))
    wrong = []
    broken = 0
    for path in paths:
        data = path.read_bytes().replace(b"\r\n", b"\n")
        root = parser.parse(data).root_node
        if root.has_error:
            broken += 1
        elif (expected := expect(root, data)) != (classes := found(data)):
            pairs = enumerate(zip(expected, classes, strict=True), start=1)
            wrong.append(f"{path}:{next(number for number, (a, b) in pairs if a != b)}")
    sys.stdout.write(f"{grammar}: {len(paths) - broken} files judged, {broken} not\n")
    assert wrong == []
    assert len(paths) > broken


@pytest.mark.real
def test_cmake() -> None:
    paths = [path for path in corpus() if path.name == "CMakeLists.txt" or path.name.endswith(".cmake")]
    compare("tree_sitter_cmake", paths, cmake, lambda data: [LineClass(value) for value in CMAKE.scan(data)])


@pytest.mark.real
def test_shell() -> None:
    def comments(data: bytes) -> list[LineClass | None]:
        both = (LineClass.COMMENT, LineClass.SHEBANG)
        return [LineClass.COMMENT if value in both else None for value in SHELL.scan(data)]

    compare("tree_sitter_bash", [path for path in corpus() if path.suffix in {".sh", ".bash"}], shell, comments)
