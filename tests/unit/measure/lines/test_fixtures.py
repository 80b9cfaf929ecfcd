"""Every fixture states its own counts on its first line: ``counts: code=3 comment=1``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from leverage.measure.lines import asm, c, c_like, javascript, jinja, mlir, notebook, python, rust, tablegen
from leverage.model.lines import FIELDS, LineCounts

FOLDER = Path(__file__).parents[3] / "fixtures" / "lang"
STATED = re.compile(rb"counts:((?: \w+=\d+)+)")
SCANNERS = {
    "asm.s": asm.ASM,
    "c.c": c.C,
    "cpp.cpp": c.C,
    "cuda.cu": c.C,
    "flatbuffers.fbs": c_like.FLATBUFFERS,
    "go.go": c_like.GO,
    "java.java": c_like.JAVA,
    "javascript.js": javascript.JAVASCRIPT,
    "jinja.py.j2": jinja.over(python.PYTHON),
    "llvm.ll": mlir.LLVM,
    "mlir.mlir": mlir.MLIR,
    "notebook.ipynb": notebook.NOTEBOOK,
    "objc.mm": c.C,
    "protobuf.proto": c_like.PROTOBUF,
    "rust.rs": rust.RUST,
    "tablegen.td": tablegen.TABLEGEN,
    "typescript.ts": javascript.JAVASCRIPT,
}


@pytest.mark.parametrize("name", SCANNERS)
def test_counts_are_as_stated(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    stated = STATED.search(data.partition(b"\n")[0])
    assert stated is not None
    wanted = {key.decode(): int(value) for key, value in (pair.split(b"=") for pair in stated[1].split())}
    assert wanted.keys() <= set(FIELDS)
    assert LineCounts.of(SCANNERS[name].scan(data)) == LineCounts(**wanted)
