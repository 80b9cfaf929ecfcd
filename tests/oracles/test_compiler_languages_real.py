"""TableGen and MLIR of tt-mlir at a fixed commit, against figures that others obtained.

Needs a local copy of the repository: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it.

- TableGen: an independent scanner found 15,124 lines of code, 2,131 of embedded C++, 10,194 of description text and
  1,052 of comment. Ours calls 137 of the 17,255 lines of code and one of comment documentation: the text of interface
  methods and literals continued in a description, which the other did not look for. Its 10,194 are documentation here.
- MLIR: scc 4.1.0 finds 111,570 lines of code and 43,376 of comment, directives among them.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines.mlir import MLIR
from leverage.measure.lines.tablegen import TABLEGEN
from leverage.model.lines import LineCounts
from leverage.spec.mirrors import mirrors_from

if TYPE_CHECKING:
    from leverage.measure.lines.base import Scanner

REPOSITORY = "https://github.com/tenstorrent/tt-mlir"
COMMIT = "19c86fca45ae7c3d8f886c0401d8b40a40d2f294"

pytestmark = pytest.mark.real


def counts(scanner: Scanner, suffix: str) -> LineCounts:
    mirrors = {url.removesuffix(".git"): place for url, place in mirrors_from(None, os.environ).items()}
    if REPOSITORY not in mirrors:
        pytest.skip(f"LEVERAGE_MIRRORS names no copy of {REPOSITORY}")
    git = ["git", "-C", mirrors[REPOSITORY]]
    listing = subprocess.run([*git, "ls-tree", "-rz", COMMIT], capture_output=True, check=True).stdout
    entries = (entry.split(b"\t", 1) for entry in listing.split(b"\0") if entry)
    blobs = [
        (meta.split()[2], path) for meta, path in entries if meta.startswith(b"100") and path.endswith(suffix.encode())
    ]
    total = LineCounts()
    for blob, _ in blobs:
        data = subprocess.run([*git, "cat-file", "blob", blob], capture_output=True, check=True).stdout
        total += LineCounts.of(scanner.scan(data))
    return total


def test_tablegen() -> None:
    found = counts(TABLEGEN, ".td")
    assert found.code + found.string + found.bracket == 15_124 + 2_131 - 137
    assert found.documentation == 10_194 + 138
    assert found.comment == 1_052 - 1


def test_mlir() -> None:
    found = counts(MLIR, ".mlir")
    assert found.code + found.string + found.bracket == 111_570
    assert found.comment + found.directive == 43_376
    assert found.directive == 33_956
