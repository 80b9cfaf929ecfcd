"""Versions of the rule: one for people and provenance, one for caches."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from leverage.measure.languages import table_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

_NUMBER = 1
"""Raised when the same bytes may count differently, be it by a scanner, a screen or a convention."""


@cache
def rule_version() -> str:
    """Version of the line rule and the language table, such as ``1-0f3a9c51``; part of every provenance."""
    return f"{_NUMBER}-{hashlib.sha256(table_text().encode()).hexdigest()[:8]}"


@cache
def code_version() -> str:
    """Hash over all code of this layer that reads bytes, for caches of measures beside the line rule."""
    return hash_of_code(rule_version(), *_layer())


@cache
def counting_version() -> str:
    """Hash over the code that turns bytes into line classes.

    Caches key on it, so that what they hold never depends on somebody having raised a number. What takes no part in it
    is named, not what does: a new module counts until somebody says that it does not.
    """
    return hash_of_code(rule_version(), *_layer(), wanted=lambda name: name not in _APART)


_APART = frozenset(
    f"{name}.py"
    for name in (
        "cache",
        "compressed",
        "conventions",
        "explain",
        "extents",
        "growth",
        "history",
        "moving",
        "series",
        "tokens",
        "version",
        "workers",
    )
)


def hash_of_code(seed: str, *folders: Traversable, wanted: Callable[[str], bool] = lambda _name: True) -> str:
    """Hash over the Python files of folders, 16 hex digits.

    Args:
        seed: what else decides.
        folders: packages; those in them are not looked into.
        wanted: whether a file takes part, by its name.
    """
    digest = hashlib.sha256(seed.encode())
    entries = [entry for folder in folders for entry in folder.iterdir() if entry.name.endswith(".py")]
    for entry in sorted(entries, key=lambda entry: entry.name):
        if wanted(entry.name):
            digest.update(entry.read_bytes())
    return digest.hexdigest()[:16]


def _layer() -> tuple[Traversable, Traversable]:
    package = files("leverage.measure")
    return package, package.joinpath("lines")


RULE_VERSION = rule_version()
