"""A user's own copies of sources: a YAML mapping from a public place to a local path.

```yaml
https://github.com/onnx/onnx-mlir: ~/mirrors/onnx-mlir.git
"pypi:torch==2.11.0": wheels/torch-2.11.0-cp311-none-macosx_11_0_arm64.whl
```
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.spec.files import read_file
from leverage.spec.text import shown
from leverage.spec.urls import is_repository_url, redact
from leverage.spec.yamlread import parse
from leverage.spec.yamltree import Mapping, Scalar, noun

if TYPE_CHECKING:
    from collections.abc import Mapping as AnyMapping

VARIABLE = "LEVERAGE_MIRRORS"
_PYPI = re.compile(r"pypi:[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.!+_-]*")


def mirrors_from(option: str | None, environ: AnyMapping[str, str]) -> dict[str, str]:
    """Mirrors named by the command line, else by the variable `LEVERAGE_MIRRORS`, else none.

    Raises:
        ConfigurationError: see `load_mirrors`.
    """
    name = option or environ.get(VARIABLE)
    return load_mirrors(Path(name)) if name else {}


def load_mirrors(path: Path) -> dict[str, str]:
    """Read a file of mirrors.

    Args:
        path: the file; ``~`` is the home directory.

    Returns:
        Absolute local path by public place (URL of a git repository, or ``pypi:NAME==VERSION``). Relative paths start
        at the folder of the file. Whether anything is there is found out by who opens it.

    Raises:
        ConfigurationError: the file cannot be read or is wrong. Holds every problem, sorted by place.
    """
    path = _expanded(path)
    file = str(path)
    hint = f"correct --mirror or {VARIABLE}"
    root, problems = parse(read_file(path, noun="file of mirrors", missing_hint=hint), file)
    mirrors: dict[str, str] = {}
    if isinstance(root, Mapping):
        for place, node in root.values.items():
            where = root.keys[place]
            if not is_repository_url(place) and not _PYPI.fullmatch(place):
                what = f"{shown(redact(place))} is neither the URL of a repository nor `pypi:NAME==VERSION`"
                problems.append(Problem("bad-mirror", what, where, hint="write the place as in repos.yaml"))
            if isinstance(node, Scalar) and isinstance(node.value, str):
                mirrors[place] = str(path.absolute().parent / _expanded(Path(node.value)))
            else:
                what = f"the local path of {shown(redact(place))} must be text, and this is {noun(node)}"
                problems.append(Problem("wrong-type", what, where, hint="write the path of a repository or a wheel"))
    elif root is not None:
        what = f"the file must be a mapping from places to paths, and this is {noun(root)}"
        hint = "write lines such as `https://HOST/REPOSITORY: PATH`"
        problems.append(Problem("wrong-type", what, root.where, hint=hint))
    if problems:
        raise ConfigurationError(*sorted(problems, key=lambda each: (each.where or Location(file), each.what)))
    return mirrors


def _expanded(path: Path) -> Path:
    """A path with ``~`` written out where the home directory is known."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path
