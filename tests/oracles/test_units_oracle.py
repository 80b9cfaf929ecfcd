"""Units and tokens against other people's parsers, on real trees. Each part is skipped where its judge is absent.

A run over real folders::

    LEVERAGE_CORPUS=/folder:/other pytest tests/oracles/test_units_oracle.py -m real -s

docs/units.md has what these tests printed, and what the differences are.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from leverage.measure.lines.base import normalize
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.measure.tokens import count_tokens
from leverage.measure.units import read_units
from leverage.model.lines import LineCounts
from leverage.model.units import UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.model.units import Unit

FUNCTIONS = (UnitKind.FUNCTION, UnitKind.METHOD)
FAMILIES = {
    "c": ("c", ".c"),
    "cpp": ("c", ".cc .cpp .h .hpp"),
    "cuda": ("cuda", ".cu .cuh"),
    "mlir": ("mlir", ".mlir"),
    "musa": ("cuda", ".mu .muh"),
    "python": ("python", ".py .pyi"),
    "tablegen": ("tablegen", ".td"),
}


def folders() -> list[Path]:
    found = [Path(name) for name in os.environ.get("LEVERAGE_CORPUS", "").split(os.pathsep) if name]
    if not found:
        pytest.skip("LEVERAGE_CORPUS names no folder")
    return found


def texts(language: str) -> Iterator[tuple[Path, bytes]]:
    _, suffixes = FAMILIES[language]
    for folder in folders():
        for path in sorted(folder.rglob("*")):
            if path.suffix in suffixes.split() and path.is_file():
                yield path, readable(path.read_bytes())[0]


def needs(module: str, wheel: str) -> Any:
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"needs the {wheel} wheel")
    return importlib.import_module(module)


def functions(language: str, data: bytes) -> list[Unit]:
    classes = bytes(SCANNERS[FAMILIES[language][0]].scan(data))
    return [unit for unit in read_units(language, data, classes).units if unit.kind in FUNCTIONS]


@pytest.mark.real
@pytest.mark.parametrize("language", FAMILIES)
def test_units_add_up_in_every_file(language: str) -> None:
    files = lines = units = 0
    problems = []
    for path, data in texts(language):
        classes = bytes(SCANNERS[FAMILIES[language][0]].scan(data))
        found = read_units(language, data, classes)
        total = LineCounts()
        for unit in found.units:
            total += unit.lines
        assert total == LineCounts.of(classes), path
        assert len(found.owners) == len(classes), path
        files, lines, units = files + 1, lines + len(classes), units + len(found.units)
        if found.problem:
            problems.append(f"{path}: {found.problem}")
    sys.stdout.write(f"{language}: {files} files, {lines} lines, {units} units\n" + "".join(f"{p}\n" for p in problems))


@pytest.mark.real
def test_functions_of_python_as_a_walk_over_the_tree_has_them() -> None:
    total = 0
    for path, data in texts("python"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(normalize(data))
        except (SyntaxError, ValueError):
            continue
        inside = {
            id(child)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for child in ast.walk(node)
            if child is not node
        }
        wanted = sorted(
            (min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and id(node) not in inside
        )
        assert [(unit.first, unit.last) for unit in functions("python", data)] == wanted, path
        total += len(wanted)
    sys.stdout.write(f"{total} functions judged\n")
    assert total


@pytest.mark.real
def test_functions_of_cpp_as_lizard_has_them() -> None:
    """Lizard has a reader of its own that follows braces; a function is the same where it ends on the same line."""
    lizard = needs("lizard", "lizard")
    ours = theirs = same = 0
    differ = []
    for path, data in texts("cpp"):
        text = data.decode("utf-8", "replace")
        units = functions("cpp", data)
        found = {unit.last for unit in units}
        judged = lizard.analyze_file.analyze_source_code(f"{path}pp", text).function_list
        ends = {one.end_line for one in judged}
        ours, theirs, same = ours + len(units), theirs + len(judged), same + len(found & ends)
        if found != ends:
            differ.append(f"{path}: only here {sorted(found - ends)}, only lizard {sorted(ends - found)}")
    sys.stdout.write(
        f"{ours} functions here, {theirs} by lizard, {same} on the same lines\n" + "\n".join(differ) + "\n"
    )
    assert same > 0.98 * max(ours, theirs)


@pytest.mark.real
def test_functions_of_mlir_as_the_grammar_has_them() -> None:
    tree_sitter_mlir = needs("tree_sitter_mlir", "tree-sitter-mlir")
    from tree_sitter import Language, Parser, Query, QueryCursor  # noqa: PLC0415

    language = Language(tree_sitter_mlir.language())
    query = Query(language, "(func_operation body: (_)) @f (custom_operation name: (_) (region)) @f")
    parser = Parser(language)
    total = ours = same = 0
    differ = []
    for path, data in texts("mlir"):
        text = normalize(data)
        nodes = QueryCursor(query).captures(parser.parse(text).root_node).get("f", [])
        nodes = [node for node in nodes if re.match(rb"(\w+\.)*func\b", text[node.start_byte : node.end_byte])]
        spans = sorted((node.start_point.row + 1, node.end_point.row + 1) for node in nodes)
        outer = [span for span in spans if not any(a <= span[0] and span[1] <= b for a, b in spans if (a, b) != span)]
        classes = bytes(SCANNERS["mlir"].scan(data))
        found = [(unit.first, unit.last) for unit in read_units("mlir", data, classes).units[1:]]
        total, ours, same = total + len(outer), ours + len(found), same + len(set(found) & set(outer))
        if found != outer:
            differ.append(f"{path}: only here {set(found) - set(outer)}, only the grammar {set(outer) - set(found)}")
    sys.stdout.write(f"{ours} functions here, {total} by the grammar, {same} on the same lines\n" + "\n".join(differ))
    assert same > 0.98 * max(ours, total)


@pytest.mark.real
def test_tokens_of_cpp_as_clang_has_them() -> None:
    """Files with a branch that is never taken are left out: libclang lexes those branches too."""
    clang = needs("clang.cindex", "libclang")
    index = clang.Index.create()
    options = clang.TranslationUnit.PARSE_INCOMPLETE
    total = files = 0
    differ = []
    for path, data in texts("cpp"):
        text = data.decode("utf-8", "replace")
        if not text.strip() or int(LineCounts.of(SCANNERS["c"].scan(data)).inactive):
            continue
        unit = index.parse("x.cpp", args=["-std=c++17", "-nostdinc"], unsaved_files=[("x.cpp", text)], options=options)
        tokens = unit.get_tokens(extent=unit.cursor.extent)
        judged = sum(token.kind is not clang.TokenKind.COMMENT for token in tokens)
        total, files = total + judged, files + 1
        if (found := count_tokens("cpp", data)) != judged:
            differ.append(f"{path}: {found} here, {judged} by clang")
    sys.stdout.write(f"{total} tokens in {files} files judged, {len(differ)} files differ\n" + "\n".join(differ) + "\n")
    assert len(differ) <= files // 100
