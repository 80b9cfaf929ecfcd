"""A report in a notebook: ``leverage.load("reports/out/report.json").ratios()`` is a DataFrame.

Numbers are those of `report.json`, so nothing is measured or rounded here. Ratios are floats for plotting; the exact
integers of both sides stand beside them. What is unknown is missing (NaN or None) with its reason in ``why``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.report.reading import read_report

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    import pandas as pd

    from leverage.report.view import RatioView, ReportV1

RATIO_COLUMNS = (
    "denominator",
    "headline",
    "left",
    "right",
    "stands_in_for",
    "status",
    "ratio",
    "low",
    "high",
    "left_amount",
    "right_amount",
    "unit",
    "convention",
    "why",
)


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was read.

    Attributes:
        view: all of `report.json`, as `leverage schema report` describes it.
    """

    view: ReportV1

    def ratios(self) -> pd.DataFrame:
        """One row for each pair under each denominator; columns are `RATIO_COLUMNS`.

        ``ratio``, ``low`` and ``high`` are floats, NaN where the two sides are not comparable or one is unknown;
        amounts are exact integers in ``unit``.
        """
        rows = []
        for one in self.view.denominators:
            for pair in one.pairs:
                left, right = pair.numerator, pair.denominator
                rows.append(
                    (
                        one.id,
                        one.headline,
                        pair.left,
                        pair.right,
                        pair.stands_in_for,
                        pair.status,
                        *_ratios(pair.ratio),
                        left.value if left else None,
                        right.value if right else None,
                        one.unit,
                        one.convention,
                        pair.why,
                    )
                )
        return _frame(rows, RATIO_COLUMNS)

    def stages(self) -> pd.DataFrame:
        """Code lines of each system in each stage: ``system``, ``stage``, ``lines``, ``low``, ``high``, ``total``."""
        totals = self.view.stages.totals
        rows = [
            (each.system, each.stage, each.lines, each.low, each.high, totals[each.system])
            for each in self.view.stages.shares
        ]
        return _frame(rows, ("system", "stage", "lines", "low", "high", "total"))

    def divergences(self) -> pd.DataFrame:
        """Code lines by ``system``, ``stage`` and ``divergence``, with the number of ``files``."""
        return _picked(self.view.stages.cells, ("system", "stage", "divergence", "files", "lines"))

    def claims(self) -> pd.DataFrame:
        """The ledger: who said what, the expression that tests it, the verdict, why, and what would change it."""
        columns = ("id", "text", "by", "source", "expression", "verdict", "because", "would_change")
        return _picked(self.view.claims, columns)

    def systems(self) -> pd.DataFrame:
        """One row for each component: where it comes from, its files, its lines by rule (columns ``code_*``)."""
        rules = sorted({rule for one in self.view.systems for part in one.components for rule in part.code})
        rows = [
            (
                one.id,
                one.role,
                one.vendor,
                one.origin,
                one.pin.id if one.pin else "",
                part.id,
                part.purpose,
                part.files,
                part.physical,
                part.nonblank,
                *(part.code.get(rule) for rule in rules),
            )
            for one in self.view.systems
            for part in one.components
        ]
        fixed = ("system", "role", "vendor", "origin", "pin", "component", "purpose", "files", "physical", "nonblank")
        return _frame(rows, (*fixed, *(f"code_{rule}" for rule in rules)))

    def touchpoints(self) -> pd.DataFrame:
        """Where ports touch their substrate, counted by ``port`` and ``kind``; the kind ``all`` is their sum."""
        columns = ("kind", "sites", "private", "global_scope", "instance_scope", "restored", "symbols", "files")
        rows = [
            (one.port, *(getattr(total, name) for name in columns))
            for one in self.view.coupling
            for total in one.totals
        ]
        return _frame(rows, ("port", *columns))

    def budgets(self) -> pd.DataFrame:
        """``measure``, ``at_most``, ``actual``, ``status`` and ``note``, as text."""
        return _picked(self.view.budgets, ("measure", "at_most", "actual", "status", "note"))


def load(path: str | PathLike[str]) -> Report:
    """Read a report.

    Args:
        path: `report.json`, or the folder that holds it.

    Raises:
        ConfigurationError: there is none, or it is no report of a format that this version knows.
    """
    return Report(read_report(path))


def _ratios(ratio: RatioView | None) -> tuple[float | None, float | None, float | None]:
    """Value and interval of a ratio of two amounts with intervals."""
    if ratio is None:
        return None, None, None
    left, right = ratio.numerator, ratio.denominator
    high = float(Fraction(left.high, right.low)) if right.low else float("inf")
    return float(Fraction(left.value, right.value)), float(Fraction(left.low, right.high)), high


def _picked(values: Iterable[object], columns: tuple[str, ...]) -> pd.DataFrame:
    """A table of attributes of some values."""
    return _frame([tuple(getattr(each, name) for name in columns) for each in values], columns)


def _frame(rows: Iterable[tuple[object, ...]], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 - takes 0.35 s, which `import leverage` must not pay

    return pd.DataFrame(list(rows), columns=list(columns))
