"""Budgets: limits that `leverage check` enforces on the user's own port."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.select import Gap, Side, amount
from leverage.evidence.columns import code_column
from leverage.model.amounts import Unit
from leverage.model.decisions import UNDETERMINED, Purpose
from leverage.spec.types import Budget, Denominator

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence


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
    column = code_column(convention)
    total = int(rows[column].sum())
    if not total:
        return None
    return Fraction(int(rows[rows["stage"] == UNDETERMINED][column].sum()), total)


def headline_convention(evidence: Evidence) -> str:
    """The convention of the headline denominator; the default one where no comparison is declared."""
    spec = evidence.loaded.spec
    return (
        spec.denominators[spec.compare.headline].convention if spec.compare else Denominator(boundary="any").convention
    )


def _check(evidence: Evidence, budget: Budget) -> BudgetResult:
    limit = Fraction(budget.at_most)
    parts = budget.measure.split(".")
    found = _share(evidence, parts[:-1]) if parts[-1] == "undetermined_share" else _size(evidence, budget.measure)
    if isinstance(found, Gap):
        return BudgetResult(budget, None, None, found.why)
    return BudgetResult(budget, found, found <= limit, "")


def _share(evidence: Evidence, named: list[str]) -> Fraction | Gap:
    systems = named or [name for name, system in evidence.loaded.spec.systems.items() if system.source]
    missing = [name for name in systems if name not in evidence.facts]
    if missing:
        return Gap(f"no facts for {', '.join(missing)}")
    share = undetermined_share(evidence, systems, headline_convention(evidence))
    return Gap("no production code lines") if share is None else share


def _size(evidence: Evidence, measure: str) -> Fraction | Gap:
    system_and_component, _, unit = measure.rpartition(".")
    system, component = _owner(evidence, system_and_component)
    chosen = Side(system, "", ((system, component),), frozenset())
    denominator = Denominator(
        boundary="any",
        purposes=(evidence.loaded.spec.systems[system].components[component].purpose,),
        unit=Unit(unit).value,
        convention=headline_convention(evidence),
    )
    found = amount(evidence, chosen, denominator)
    # A limit is kept only if it is kept whatever the doubtful files hold.
    return found if isinstance(found, Gap) else Fraction(found.high)


def _owner(evidence: Evidence, name: str) -> tuple[str, str]:
    """Split ``system.component`` where both may hold dots: the split whose two halves exist."""
    for at, letter in enumerate(name):
        if letter == ".":
            system = evidence.loaded.spec.systems.get(name[:at])
            if system and name[at + 1 :] in system.components:
                return name[:at], name[at + 1 :]
    raise AssertionError(f"{name!r} passed the checks of the configuration but names no component")
