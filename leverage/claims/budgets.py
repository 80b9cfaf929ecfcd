"""Budgets: limits that `leverage check` enforces on the user's own port."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.coupling import touched
from leverage.claims.headline import headline_convention
from leverage.claims.select import Gap, Side, amount, pieces
from leverage.evidence.columns import code_column
from leverage.model.decisions import UNDETERMINED, Purpose
from leverage.model.touchpoints import TouchKind
from leverage.spec.refs import resolve_measure
from leverage.spec.types import Denominator

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.model.amounts import Amount, Unit
    from leverage.spec.refs import Measure
    from leverage.spec.types import Budget


@dataclass(frozen=True, slots=True)
class BudgetResult:
    """A budget, what was found, and whether it holds (None: could not be checked)."""

    budget: Budget
    actual: Fraction | None
    holds: bool | None
    why: str


def check_budgets(evidence: Evidence) -> list[BudgetResult]:
    """Evaluate every declared budget, in order."""
    return [_check(evidence, budget) for budget in evidence.loaded.spec.budgets]


def undetermined_share(evidence: Evidence, systems: list[str], convention: str) -> Fraction | None:
    """Share of production code lines whose stage is undetermined, over the given systems; None where there are none."""
    files = evidence.files
    rows = files[
        files["system"].isin(systems)
        & (files["state"] == "counted")
        & (files["purpose"] == Purpose.PRODUCTION.value)
        & (files["language_kind"] == "programming")
    ]
    parts = pieces(evidence, rows)
    column = code_column(convention)
    total = int(parts[column].sum())
    if not total:
        return None
    return Fraction(int(parts[parts["stage"] == UNDETERMINED][column].sum()), total)


def _check(evidence: Evidence, budget: Budget) -> BudgetResult:
    measure = resolve_measure(evidence.loaded.spec, budget.measure)
    if measure is None:
        raise AssertionError(f"{budget.measure!r} passed the checks of the configuration but names nothing")
    limit = Fraction(budget.at_most)
    if measure.touched:
        return _places(evidence, budget, measure, limit)
    if measure.unit is not None:
        return _sized(budget, limit, _size(evidence, measure, measure.unit))
    share = _share(evidence, measure)
    if isinstance(share, Gap):
        return BudgetResult(budget, None, None, share.why)
    return BudgetResult(budget, share, share <= limit, "")


def _places(evidence: Evidence, budget: Budget, measure: Measure, limit: Fraction) -> BudgetResult:
    """Kept or exceeded by what was found; what could not be resolved is told beside it."""
    found = touched(evidence, measure.system)
    if isinstance(found, Gap):
        return BudgetResult(budget, None, None, found.why)
    patches = found.of(TouchKind.MONKEY_PATCH)
    number = {
        "touchpoints": found.whole.sites,
        "private_touchpoints": found.whole.private,
        "monkey_patches": patches.sites if patches else 0,
    }[measure.touched]
    open_ = found.unresolved
    why = f"{open_:,} further place{'' if open_ == 1 else 's'} could not be resolved" if open_ else ""
    return BudgetResult(budget, Fraction(number), number <= limit, why)


def _sized(budget: Budget, limit: Fraction, size: Amount | Gap) -> BudgetResult:
    """Kept only if it is kept whatever the doubtful files hold, and exceeded only if it is exceeded without them."""
    if isinstance(size, Gap):
        return BudgetResult(budget, None, None, size.why)
    if size.low <= limit < size.high:
        files = f"{size.unsized:,} file{'' if size.unsized == 1 else 's'}"
        why = (
            f"{size.low:,} {size.unit.noun} are sure, and {files} of a size that is not known can make it {size.high:,}"
        )
        return BudgetResult(budget, None, None, why)
    return BudgetResult(budget, Fraction(size.low if size.low > limit else size.high), size.high <= limit, "")


def _share(evidence: Evidence, measure: Measure) -> Fraction | Gap:
    sourced = [name for name, system in evidence.loaded.spec.systems.items() if system.source]
    systems = [measure.system] if measure.system else sourced
    missing = [name for name in systems if name not in evidence.facts]
    if missing:
        return Gap(f"no facts for {', '.join(missing)}")
    share = undetermined_share(evidence, systems, headline_convention(evidence))
    return Gap("no production code lines") if share is None else share


def _size(evidence: Evidence, measure: Measure, unit: Unit) -> Amount | Gap:
    part = (measure.system, measure.component)
    denominator = Denominator(
        boundary="any",
        purposes=(evidence.loaded.spec.systems[measure.system].components[measure.component].purpose,),
        unit=unit.value,
        convention=headline_convention(evidence),
    )
    return amount(evidence, Side(measure.system, "", (part,), frozenset()), denominator)
