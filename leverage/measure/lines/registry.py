"""Which scanner counts which family: the one place that knows them all.

A family is what `languages.toml` names. A family without a scanner here is counted by pygount.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.lines import (
    asm,
    c,
    c_like,
    cmake,
    hash_comment,
    javascript,
    jinja,
    mlir,
    notebook,
    plain,
    python,
    rust,
    shell,
    tablegen,
    yaml,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.measure.lines.base import Scanner

SCANNERS: Mapping[str, Scanner] = MappingProxyType(
    {
        "asm": asm.ASM,
        "c": c.C,
        "cmake": cmake.CMAKE,
        "cuda": c.C,
        "data": plain.DATA,
        "flatbuffers": c_like.FLATBUFFERS,
        "go": c_like.GO,
        "hash": hash_comment.HASH,
        "ini": hash_comment.INI,
        "java": c_like.JAVA,
        "javascript": javascript.JAVASCRIPT,
        "jinja": jinja.JINJA,
        "jinja-c": jinja.over(c.C),
        "jinja-python": jinja.over(python.PYTHON),
        "llvm": mlir.LLVM,
        "mlir": mlir.MLIR,
        "notebook": notebook.NOTEBOOK,
        "objc": c.C,
        "protobuf": c_like.PROTOBUF,
        "python": python.PYTHON,
        "rust": rust.RUST,
        "shell": shell.SHELL,
        "starlark": python.STARLARK,
        "tablegen": tablegen.TABLEGEN,
        "toml": hash_comment.TOML,
        "text": plain.TEXT,
        "xml": plain.XML,
        "yaml": yaml.YAML,
    }
)
