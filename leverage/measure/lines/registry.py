"""Which scanner counts which family: the one place that knows them all.

A family is what `languages.toml` names. A family without a scanner here is counted by pygount.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.measure.languages import by_word, languages
from leverage.measure.lines import (
    asm,
    c,
    c_like,
    cmake,
    dialects,
    hash_comment,
    html,
    javascript,
    jinja,
    make,
    mlir,
    notebook,
    plain,
    prose,
    python,
    rust,
    shell,
    tablegen,
    yaml,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.measure.lines.base import Scanner


def _embedded(word: str) -> Scanner | None:
    """The scanner of the language that a fence or directive in prose names."""
    language = languages().get(by_word(word))
    return SCANNERS.get(language.family) if language else None


SCANNERS: Mapping[str, Scanner] = MappingProxyType(
    {
        **{family: dialect.scanner(family) for family, dialect in dialects.DIALECTS.items()},
        "asm": asm.ASM,
        "c": c.C,
        "cmake": cmake.CMAKE,
        "cuda": c.C,
        "data": plain.DATA,
        "dockerfile": make.DOCKERFILE,
        "flatbuffers": c_like.FLATBUFFERS,
        "go": c_like.GO,
        "hash": hash_comment.HASH,
        "html": html.HTML,
        "ini": hash_comment.INI,
        "java": c_like.JAVA,
        "javascript": javascript.JAVASCRIPT,
        "jinja": jinja.JINJA,
        "jinja-c": jinja.over(c.C),
        "jinja-python": jinja.over(python.PYTHON),
        "llvm": mlir.LLVM,
        "make": make.MAKE,
        "markdown": prose.markdown(_embedded),
        "mlir": mlir.MLIR,
        "notebook": notebook.NOTEBOOK,
        "objc": c.C,
        "protobuf": c_like.PROTOBUF,
        "python": python.PYTHON,
        "rst": prose.rst(_embedded),
        "rust": rust.RUST,
        "shell": shell.SHELL,
        "starlark": python.STARLARK,
        "tablegen": tablegen.TABLEGEN,
        "toml": hash_comment.TOML,
        "tex": plain.TEX,
        "text": plain.TEXT,
        "xml": plain.XML,
        "yaml": yaml.YAML,
    }
)
