"""From an amount to report format 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.claims.select import Gap
from leverage.report.view import AmountView

if TYPE_CHECKING:
    from leverage.model.amounts import Amount


def amount_view(found: Amount | Gap) -> AmountView | None:
    """The amount; None where there is none."""
    if isinstance(found, Gap):
        return None
    return AmountView(
        value=found.value,
        low=found.low,
        high=found.high,
        unit=found.unit.value,
        convention=found.convention,
        scope=found.scope,
        unsized=found.unsized,
    )
