"""Small questions that several renderers ask of a report."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.model.amounts import Unit
from leverage.report.display import name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.report.view import (
        AmountView,
        ComponentView,
        ConditionView,
        CouplingView,
        DenominatorView,
        GridView,
        PairView,
        ReportV1,
        StagesView,
        SystemView,
        TornadoView,
    )

RATIO, NOT_COMPARABLE, UNKNOWN = "ratio", "not comparable", "unknown"
"""The values of `PairView.status`."""
UNDETERMINED = "undetermined"
"""Stage and divergence of code that no rule reached."""

MOST_NAMED = 6
"""Members that are named where only a few can be."""

ORIGINS = ("measured", "recorded", "attested", "reported", "unknown")
_NOUNS = {unit.value: unit.noun for unit in Unit}
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def claimed_figure(report: ReportV1) -> Fraction | None:
    """The claimed ratio as an exact number; None where no ratio is claimed."""
    found = _FIGURE.search(report.claimed)
    return Fraction(found[0]) if found else None


def sides(report: ReportV1) -> tuple[str, str]:
    """Ids of the two sides that are compared; empty where the report compares nothing."""
    left, right = [*report.comparison, "", ""][:2]
    return left, right


def base(side: str) -> str:
    """The system's id of a side that may carry a profile, such as ``torch-npu@default-back-end``."""
    return side.split("@", 1)[0]


def headline(report: ReportV1) -> DenominatorView | None:
    """The denominator that is used where only one can be shown: the headline, else the first."""
    return next((item for item in report.denominators if item.headline), next(iter(report.denominators), None))


def find_system(report: ReportV1, side: str) -> SystemView | None:
    """The system of a side."""
    return next((system for system in report.systems if system.id == base(side)), None)


def unit_noun(unit: str) -> str:
    """A unit as it stands behind a number, such as ``code lines``."""
    return _NOUNS.get(unit, unit)


def dimension(unit: str) -> str:
    """What a unit measures; only sizes of one dimension may stand on one axis."""
    return "lines" if unit in {Unit.CODE, Unit.PHYSICAL, Unit.NONBLANK} else unit_noun(unit)


def measure_text(item: DenominatorView | AmountView) -> str:
    """Unit and convention in words: ``code lines by the cloc rule``; exact units need no rule."""
    noun = unit_noun(item.unit)
    return noun if item.convention in {"", "exact"} else f"{noun} by the {item.convention} rule"


def compared_pairs(item: DenominatorView) -> list[PairView]:
    """The pairs of a denominator that have a ratio."""
    return [pair for pair in item.pairs if pair.status == RATIO and pair.ratio is not None]


def status_of(item: DenominatorView, side: str) -> str:
    """Whether a side can be compared under a denominator, in the words of the report."""
    return next((pair.status for pair in item.pairs if pair.left == side), UNKNOWN)


def pair_value(pair: PairView) -> tuple[Fraction, Fraction, Fraction]:
    """The exact low, middle and high of a pair that has a ratio."""
    ratio = pair.ratio
    if ratio is None:
        raise ValueError(f"{pair.left} against {pair.right} has no ratio")
    top, bottom = ratio.numerator, ratio.denominator
    return (
        Fraction(top.low, bottom.high),
        Fraction(top.value, bottom.value),
        Fraction(top.high, bottom.low),
    )


def headline_code(report: ReportV1, component: ComponentView) -> int | None:
    """Code lines of a component under the headline's convention, else under the first; None where none is known."""
    chosen = headline(report)
    if chosen is not None and chosen.convention in component.code:
        return component.code[chosen.convention]
    return component.code[min(component.code)] if component.code else None


def conventions(systems: Iterable[SystemView]) -> list[str]:
    """All conventions under which some component has code lines."""
    return sorted({key for system in systems for component in system.components for key in component.code})


def by_origin(report: ReportV1, ids: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Systems by the origin of their figures, strongest origin first; systems that the report lacks are unknown."""
    groups: dict[str, list[str]] = {origin: [] for origin in ORIGINS}
    for side in dict.fromkeys(base(side) for side in ids):
        system = find_system(report, side)
        groups.setdefault(system.origin if system else "unknown", []).append(side)
    return [(origin, names) for origin, names in groups.items() if names]


def pins_text(report: ReportV1, ids: Iterable[str]) -> str:
    """What was read, for the foot of a figure: ``onnx-mlir ec744fe (2026-03-02), recorded 2026-09-01``."""
    parts = []
    for side in dict.fromkeys(base(side) for side in ids):
        system = find_system(report, side)
        if system is None or system.pin is None:
            parts.append(f"{side} (no bytes)")
            continue
        short = system.pin.id.removeprefix("sha256:").removeprefix("content:")[:7]
        origin = "" if system.origin == "measured" else f", {system.origin} {system.measured_on[:10]}".rstrip()
        date = f" of {system.pin.date[:10]}" if system.pin.date else ""
        parts.append(f"{side} {short}{date}{origin}")
    return " · ".join(parts)


def made_by(report: ReportV1) -> str:
    """Tool, version and date, for the foot of a figure."""
    made = report.provenance
    date = f", {made.date[:10]}" if made.date else ""
    return f"{made.tool} {made.tool_version}, line rule {made.rule_version}{date}"


def axis_title(one: TornadoView, axis: str) -> str:
    """Heading of an axis that a tornado varies."""
    return next((swing.title for swing in one.swings if swing.axis == axis), axis)


def folded(grid: GridView) -> list[tuple[str, list[str]]]:
    """Each member that others are folded onto, with them, in the order of the grid."""
    found: dict[str, list[str]] = {}
    for member in grid.members:
        if member.same_as:
            found.setdefault(member.same_as, []).append(member.id)
    return list(found.items())


def uncounted(grid: GridView) -> list[tuple[str, str, list[str]]]:
    """Standing, reason and members of all that give no ratio."""
    found: dict[tuple[str, str], list[str]] = {}
    for member in grid.members:
        if member.why:
            found.setdefault((member.standing, member.why), []).append(member.id)
    return [(standing, why, names) for (standing, why), names in found.items()]


def all_names(names: Iterable[str]) -> str:
    """Names in a row, each cut where it is absurdly long."""
    return ", ".join(name(one, 120) for one in names)


def briefly(names: list[str], most: int = MOST_NAMED) -> str:
    """The first few of many names; the table beside the page has all."""
    rest = len(names) - most
    return all_names(names[:most]) + (f" and {rest:,} more in tables/grid.csv" if rest > 0 else "")


def budget_systems(report: ReportV1) -> list[str]:
    """Systems that budgets limit; all that were measured where one limits them together."""
    named = [
        system.id
        for system in report.systems
        if any(budget.measure.startswith(f"{system.id}.") for budget in report.budgets)
    ]
    together = any("." not in budget.measure for budget in report.budgets)
    return [system.id for system in report.systems if system.components] if together else named


def transfer_rows(report: ReportV1) -> list[list[ConditionView]]:
    """The conditions of transfer, each with one cell for every port, in the order of `ReportV1.transfer`."""
    columns = [one.conditions for one in report.transfer]
    return [list(row) for row in zip(*columns, strict=True)]


def copied(port: CouplingView) -> int | None:
    """Lines of a port that stand in its substrate; None where they were not looked for."""
    if port.raw is None or port.own is None or port.own.low != port.own.value:
        return None
    return port.raw.value - port.own.value


def stage_ranges(view: StagesView) -> dict[tuple[str, str], tuple[int, int]]:
    """What doubt allows, by system and stage, where it allows more than one figure."""
    return {(one.system, one.stage): (one.low, one.high) for one in view.shares if one.low != one.high}


def stage_lines(view: StagesView) -> dict[str, Counter[str]]:
    """System to stage to lines, without what is undetermined."""
    lines: dict[str, Counter[str]] = {system: Counter() for system in view.systems}
    for cell in view.cells:
        if cell.stage != UNDETERMINED and cell.system in lines:
            lines[cell.system][cell.stage] += cell.lines
    return lines
