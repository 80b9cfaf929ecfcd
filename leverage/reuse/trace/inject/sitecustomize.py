"""Started by every Python of the traced program, before the program: begins to trace, and says what is running.

Runs in whatever Python the user names, so it uses nothing of leverage and no syntax newer than Python 3.9. It stands in
place of a `sitecustomize` that the user may have, and so runs that as well.
"""

import atexit
import json
import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path


def _begin(notes: str) -> None:
    os.environ.setdefault("COVERAGE_CORE", "sysmon" if sys.version_info >= (3, 12) else "ctrace")
    try:
        import coverage
    except ImportError as error:
        _write(notes, {"python": sys.executable, "missing": str(error)})
        return
    coverage.process_startup()
    atexit.register(_describe, notes, coverage.__version__)


def _describe(notes: str, tracer: str) -> None:
    names = os.environ["LEVERAGE_TRACE_PACKAGES"].split(",")
    _write(
        notes,
        {
            "implementation": sys.implementation.name,
            "python": ".".join(map(str, sys.version_info[:3])),
            "platform": sys.platform,
            "coverage": tracer,
            "core": os.environ["COVERAGE_CORE"],
            "versions": {name: _version(name) for name in names if name in sys.modules},
        },
    )


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    for candidate in (name, name.replace("_", "-")):
        try:
            return version(candidate)
        except PackageNotFoundError:
            pass
    return str(getattr(sys.modules[name], "__version__", ""))


def _write(notes: str, note: object) -> None:
    (Path(notes) / f"note-{os.getpid()}.json").write_text(json.dumps(note))


def _next_in_line() -> None:
    """Run the `sitecustomize` that would have run without us."""
    here = Path(__file__).resolve().parent
    path = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))


_next_in_line()
if "LEVERAGE_TRACE_NOTES" in os.environ:
    _begin(os.environ["LEVERAGE_TRACE_NOTES"])
