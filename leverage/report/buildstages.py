"""From evidence to the stages of report format 1: which code is where, and what doubt allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.claims.select import Gap, amount, pieces, scope, selected, side
from leverage.claims.stages import stage_shares
from leverage.classify.vocabulary import DIVERGENCES, STAGES
from leverage.evidence.columns import code_column
from leverage.model.amounts import Unit
from leverage.model.decisions import UNDETERMINED
from leverage.report.view import ShareView, StageCell, StagesView, TermView
from leverage.spec.types import Denominator

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence


def stages_view(evidence: Evidence) -> StagesView:
    """The matrix under the headline denominator; without a comparison, all production code of every system."""
    spec = evidence.loaded.spec
    headline = spec.denominators[spec.compare.headline] if spec.compare else Denominator(boundary="all")
    denominator = replace(headline, unit=Unit.CODE.value)
    column = code_column(denominator.convention)
    cells: list[StageCell] = []
    shares: list[ShareView] = []
    systems: list[str] = []
    totals: dict[str, int] = {}
    unknown: dict[str, int] = {}
    divided: dict[str, int] = {}
    profiles: dict[str, str] = {}
    for name in evidence.facts:
        chosen = side(evidence, name, denominator.boundary)
        if isinstance(chosen, Gap) or isinstance(amount(evidence, chosen, denominator), Gap):
            continue
        files = selected(evidence, chosen, denominator)
        rows = pieces(evidence, files)
        systems.append(chosen.name)
        totals[chosen.name] = int(rows[column].sum())
        unknown[chosen.name] = int(rows[rows["stage"] == UNDETERMINED][column].sum())
        divided[chosen.name] = int((files["units"] > 0).sum())
        if chosen.profile:
            profiles[chosen.name] = spec.systems[chosen.system].profiles[chosen.profile].note
        grouped = rows.groupby(["stage", "divergence"], sort=True).agg(files=("path", "nunique"), lines=(column, "sum"))
        cells.extend(
            StageCell(
                system=chosen.name, stage=str(stage), divergence=str(divergence), files=int(size), lines=int(lines)
            )
            for (stage, divergence), size, lines in zip(grouped.index, grouped["files"], grouped["lines"], strict=True)
        )
        shares.extend(
            ShareView(system=chosen.name, stage=one.stage, lines=one.lines, low=one.low, high=one.high)
            for one in stage_shares(evidence, chosen, denominator)
        )
    return StagesView(
        unit=f"code lines by the {denominator.convention} rule, {scope(denominator)}, boundary {denominator.boundary}",
        systems=systems,
        stages=[TermView(id=one.id, title=one.title, definition=one.definition) for one in STAGES],
        divergences=[TermView(id=one.id, title=one.title, definition=one.definition) for one in DIVERGENCES],
        cells=cells,
        shares=shares,
        undetermined=unknown,
        totals=totals,
        divided=divided,
        profiles=profiles,
    )
