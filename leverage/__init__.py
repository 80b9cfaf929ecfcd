"""Code size and leverage of compiler ports, with explicit denominators.

In a notebook: ``leverage.load("reports/out").ratios()``; `leverage.api` says what there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leverage.api import Report, load

__version__ = "0.1.0"
__all__ = ["Report", "__version__", "load"]


def __getattr__(name: str) -> object:
    """The public names, imported when they are asked for, so that the command line pays nothing for them."""
    if name in {"Report", "load"}:
        from leverage import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
