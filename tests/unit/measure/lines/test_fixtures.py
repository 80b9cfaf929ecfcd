"""Every fixture states its own counts on its first line: ``counts: code=3 comment=1``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines.registry import SCANNERS
from leverage.model.lines import FIELDS, LineCounts

FOLDER = Path(__file__).parents[3] / "fixtures" / "lang"
STATED = re.compile(rb"counts:((?: \w+=\d+)+)")
FAMILIES = {
    "asm.s": "asm",
    "c.c": "c",
    "cmake.cmake": "cmake",
    "cpp.cpp": "c",
    "cuda.cu": "cuda",
    "dockerfile.dockerfile": "dockerfile",
    "flatbuffers.fbs": "flatbuffers",
    "go.go": "go",
    "ini.ini": "ini",
    "java.java": "java",
    "javascript.js": "javascript",
    "jinja.py.j2": "jinja-python",
    "llvm.ll": "llvm",
    "make.mk": "make",
    "markdown.md": "markdown",
    "mlir.mlir": "mlir",
    "notebook.ipynb": "notebook",
    "objc.mm": "objc",
    "protobuf.proto": "protobuf",
    "python.pyw": "python",
    "rst.rst": "rst",
    "rust.rs": "rust",
    "shell.sh": "shell",
    "starlark.bzl": "starlark",
    "tablegen.td": "tablegen",
    "toml.toml": "toml",
    "typescript.ts": "javascript",
    "yaml.yaml": "yaml",
}


def test_every_fixture_is_counted() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_counts_are_as_stated(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    stated = STATED.search(data.partition(b"\n")[0])
    assert stated is not None
    wanted = {key.decode(): int(value) for key, value in (pair.split(b"=") for pair in stated[1].split())}
    assert wanted.keys() <= set(FIELDS)
    assert LineCounts.of(SCANNERS[FAMILIES[name]].scan(data)) == LineCounts(**wanted)


# A notebook is one JSON value, so two of them are none; a `#!` line is one only at the head of a file.
WHOLE = sorted(set(FAMILIES) - {"notebook.ipynb", "javascript.js"})


@given(st.sampled_from(WHOLE), st.integers(2, 4), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_files_joined_by_a_blank_line_count_as_their_sum(name: str, times: int, end: bytes) -> None:
    scanner = SCANNERS[FAMILIES[name]]
    data = (FOLDER / name).read_bytes().replace(b"\n", end)
    once = LineCounts.of(scanner.scan(data))
    expected = sum([once] * times, LineCounts(blank=times - 1))
    assert LineCounts.of(scanner.scan(end.join([data] * times))) == expected
