"""Which files of a checkout are the port itself, by their paths alone; for trees that no configuration describes.

A folder of tests or of other people's code is set aside wherever it stands. Folders of documents, examples and build
scripts are set aside only outside Python packages: a package may well have a ``tools`` of its own that it ships, or a
``vendor`` for what it does for each vendor of chips.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.model.decisions import Purpose
from leverage.resolve.cpp import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

PYTHON = (".py",)
READ = (*PYTHON, *SUFFIXES)
"""Endings of files in which touchpoints are looked for."""

_ANYWHERE = {
    **dict.fromkeys(("test", "tests", "testing", "unittest", "unittests"), Purpose.TEST),
    **dict.fromkeys(("third_party", "thirdparty", "3rdparty", "vendored", "_vendor"), Purpose.VENDORED),
    **dict.fromkeys(("external", "extern", "site-packages", "venv", ".venv", "node_modules"), Purpose.VENDORED),
}
_OUTSIDE = {
    **dict.fromkeys(("build", "_build", "dist", "cmake", "ci", ".ci", ".github", "docker"), Purpose.BUILD),
    **dict.fromkeys(("scripts", "tools", "packaging"), Purpose.BUILD),
    **dict.fromkeys(("doc", "docs"), Purpose.DOCS),
    "vendor": Purpose.VENDORED,
    **dict.fromkeys(("example", "examples", "sample", "samples", "tutorial", "tutorials"), Purpose.EXAMPLE),
    **dict.fromkeys(("bench", "benchmark", "benchmarks"), Purpose.EXAMPLE),
}
_TEST_FILE = re.compile(r"test_.*|.*_tests?|conftest")
_BUILD_FILE = re.compile(r"setup|setup_.*|.*_setup|noxfile")


def _outside(name: str) -> Purpose | None:
    return Purpose.EXAMPLE if name.endswith(("_examples", "-examples")) else _OUTSIDE.get(name)


def packages_of(paths: Iterable[str]) -> frozenset[str]:
    """Folders that are Python packages."""
    return frozenset(path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] == "__init__.py")


def other_purpose(path: str, packages: Collection[str]) -> Purpose | None:
    """What a file is for if it is not for the port's users; None for the port's own code.

    Args:
        path: path from the root of the tree, with ``/``.
        packages: see `packages_of`.
    """
    *folders, leaf = path.split("/")
    within = False
    for depth, folder in enumerate(folders):
        name = folder.lower()
        if purpose := _ANYWHERE.get(name) or (None if within else _outside(name)):
            return purpose
        within = within or "/".join(folders[: depth + 1]) in packages
    stem = leaf.rpartition(".")[0].lower()
    if _TEST_FILE.fullmatch(stem):
        return Purpose.TEST
    return Purpose.BUILD if not within and _BUILD_FILE.fullmatch(stem) else None
