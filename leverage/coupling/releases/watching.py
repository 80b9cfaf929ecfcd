"""A test file for a port that fails when the upstream code that it patches changes: written here, run there.

What it compares is the source of each patched function as the port's environment has it, normalised by a few lines that
the file carries with it, so that it needs neither leverage nor its index.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from typing import TYPE_CHECKING

from leverage.coupling.releases.names import Found
from leverage.model.touchpoints import Scope, TouchKind
from leverage.resolve.rows import DYNAMIC, RESTORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leverage.coupling.releases.names import ReleaseNames
    from leverage.model.touchpoints import Touchpoint

_HEAD = '''\
"""Fails when upstream code that this port patches changes; then look at the patch, and write this file anew.

Written by `leverage guard`. Upstream is not imported: its sources are found and read.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from importlib.util import find_spec
from pathlib import Path

import pytest

WRITTEN_FOR = {version!r}

# Module, name in it, and a fingerprint of what it does: without docstrings and annotations.
PATCHED = [
{rows}]


{code}

@pytest.mark.parametrize(("module", "path", "expected"), PATCHED, ids=[f"{{each[0]}}.{{each[1]}}" for each in PATCHED])
def test_upstream_is_what_the_patch_was_written_for(module, path, expected):
    top, *parts = module.split(".")
    spec = find_spec(top)
    assert spec is not None and spec.submodule_search_locations, f"{{top}} is not installed"
    stem = Path(next(iter(spec.submodule_search_locations)), *parts)
    places = [place for place in (stem.with_suffix(".py"), stem / "__init__.py") if place.is_file()]
    assert places, f"{{module}} is gone"
    found = fingerprint(places[0].read_bytes(), path)
    assert found is not None, f"{{module}}.{{path}} is gone"
    assert found == expected, f"{{module}}.{{path}} is not what it was in {{WRITTEN_FOR}}: look at the patch of it"
'''


# These two functions are copied into the file that is written, so they need nothing but the standard library.


def told(node: object) -> str:
    """Syntax as text that is the same in every version of Python; without annotations."""
    if isinstance(node, ast.AST):
        left_out = {"ctx", "kind", "type_comment", "type_params", "annotation", "returns"}
        kept = [(name, value) for name, value in ast.iter_fields(node) if name not in left_out and value is not None]
        parts = [f"{name}={told(value)}" for name, value in kept if value != []]
        return f"{type(node).__name__}({','.join(parts)})"
    return f"[{','.join(told(each) for each in node)}]" if isinstance(node, list) else repr(node)


def fingerprint(source: bytes, path: str) -> str | None:
    """A fingerprint of a function or class; None where the source has none of that name."""
    tree: ast.AST = ast.parse(source)
    for name in path.split("."):
        found = [each for each in ast.walk(tree) if getattr(each, "name", None) == name and hasattr(each, "body")]
        if not found:
            return None
        tree = found[0]
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        match body:
            case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                vars(node)["body"] = rest
            case _:
                pass
    return hashlib.sha256(told(tree).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def patched_places(touchpoints: Iterable[Touchpoint], names: ReleaseNames) -> list[tuple[str, str]]:
    """Module and path of every upstream function that a port patches or overrides, in order, once each.

    Args:
        touchpoints: those of the port.
        names: the release that it is written for.
    """
    places: dict[tuple[str, str], None] = {}
    for each in touchpoints:
        patches = each.kind is TouchKind.MONKEY_PATCH and each.form != RESTORE and each.scope is not Scope.NONE
        if not patches and each.kind is not TouchKind.OVERRIDE:
            continue
        symbols = (
            [f"{each.symbol.removesuffix(DYNAMIC)}{member}" for member in each.members]
            if each.symbol.endswith(DYNAMIC)
            else [each.symbol]
        )
        for symbol in symbols:
            found = names.find(symbol)
            # What a stub declares, or Python makes, has no body to watch.
            if isinstance(found, Found) and not found.rest and found.entry is not None and found.entry.body:
                places[found.module, found.path] = None
    return sorted(places)


def guard_text(places: Sequence[tuple[str, str, str]], version: str) -> str:
    """The test file.

    Args:
        places: module, path and `fingerprint` of each.
        version: release that they are of.
    """
    rows = "".join(f"    ({module!r}, {path!r}, {print_!r}),\n" for module, path, print_ in places)
    code = "\n\n".join(inspect.getsource(each) for each in (told, fingerprint))
    return _HEAD.format(version=version, rows=rows, code=code)
