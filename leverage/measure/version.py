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
    return _hashed(lambda _name: True)


@cache
def counting_version() -> str:
    """Hash over the code that turns bytes into line classes.

    Caches key on it, so that what they hold never depends on somebody having raised a number. What takes no part in it
    is named, not what does: a new module counts until somebody says that it does not.
    """
    return _hashed(lambda name: name not in _APART)


_APART = frozenset(
    f"{name}.py"
    for name in ("cache", "compressed", "conventions", "explain", "extents", "tokens", "version", "workers")
)


def _hashed(wanted: Callable[[str], bool]) -> str:
    package = files("leverage.measure")
    digest = hashlib.sha256(rule_version().encode())
    for entry in sorted(_modules(package), key=lambda entry: entry.name):
        if wanted(entry.name):
            digest.update(entry.read_bytes())
    return digest.hexdigest()[:16]


def _modules(folder: Traversable) -> list[Traversable]:
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".py")]
    lines = folder.joinpath("lines")
    return found + [entry for entry in lines.iterdir() if entry.name.endswith(".py")]


RULE_VERSION = rule_version()
