"""Totals of touchpoints, and what hangs on what."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.touchpoints import Scope, TouchKind, Touchpoint

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Total:
    """Touchpoints of one kind, counted.

    Attributes:
        kind: the kind; None for all kinds together.
        sites: touchpoints.
        private: those of a private symbol.
        global_: those that change what the whole process sees.
        instance: those that change one live object.
        restored: those of the changes that are put back.
        symbols: different upstream symbols.
        files: files that hold one.
    """

    kind: TouchKind | None
    sites: int
    private: int
    global_: int
    instance: int
    restored: int
    symbols: int
    files: int

    @property
    def public(self) -> int:
        """Touchpoints of a public symbol."""
        return self.sites - self.private


@dataclass(frozen=True, slots=True)
class Hold:
    """An upstream symbol and what of the port hangs on it.

    Attributes:
        symbol: the symbol.
        private: whether it is private.
        sites: touchpoints.
        files: files that hold one.
        kinds: touchpoints by kind, in the order of `TouchKind`.
    """

    symbol: str
    private: bool
    sites: int
    files: int
    kinds: tuple[tuple[TouchKind, int], ...]


def totals(touchpoints: Iterable[Touchpoint]) -> list[Total]:
    """Totals of each kind that occurs, in the order of `TouchKind`, and of all together, last."""
    by_kind: dict[TouchKind, list[Touchpoint]] = defaultdict(list)
    every: list[Touchpoint] = []
    for each in touchpoints:
        by_kind[each.kind].append(each)
        every.append(each)
    return [*(_total(kind, by_kind[kind]) for kind in TouchKind if kind in by_kind), _total(None, every)]


def _total(kind: TouchKind | None, rows: list[Touchpoint]) -> Total:
    scopes = Counter(each.scope for each in rows)
    return Total(
        kind,
        sites=len(rows),
        private=sum(each.private for each in rows),
        global_=scopes[Scope.GLOBAL],
        instance=scopes[Scope.INSTANCE],
        restored=sum(each.restored for each in rows),
        symbols=len({each.symbol for each in rows}),
        files=len({each.path for each in rows}),
    )


def holds(touchpoints: Iterable[Touchpoint]) -> list[Hold]:
    """Every upstream symbol, the one with most sites first; then the one in most files, then by name."""
    by_symbol: dict[str, list[Touchpoint]] = defaultdict(list)
    for each in touchpoints:
        by_symbol[each.symbol].append(each)
    found = []
    for symbol, rows in by_symbol.items():
        counts = Counter(each.kind for each in rows)
        kinds = tuple((kind, counts[kind]) for kind in TouchKind if kind in counts)
        files = len({each.path for each in rows})
        found.append(Hold(symbol, any(each.private for each in rows), len(rows), files, kinds))
    return sorted(found, key=lambda each: (-each.sites, -each.files, each.symbol))
