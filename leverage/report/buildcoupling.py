"""From touchpoints, copies and traces to report format 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.claims.coupling import leverage, touched, written
from leverage.claims.select import Gap
from leverage.evidence.touchpoints import is_port
from leverage.report.buildamount import amount_view
from leverage.report.format import ratio_text
from leverage.report.view import (
    CouplingView,
    HoldView,
    LeverageView,
    ModelView,
    PatchView,
    RunsView,
    TouchTotalView,
)
from leverage.reuse.trace.values import Side

if TYPE_CHECKING:
    from fractions import Fraction

    from leverage.claims.coupling import Leverage, Written
    from leverage.coupling.summary import Total
    from leverage.evidence.build import Evidence
    from leverage.report.view import AmountView
    from leverage.reuse.trace.values import Runs

MOST_HOLDS = 40
"""Upstream symbols that a report names; `tables/touchpoints.csv` has every place."""


def coupling_views(evidence: Evidence) -> list[CouplingView]:
    """Every port, in the order of the configuration."""
    return [_coupling(evidence, name) for name, system in evidence.loaded.spec.systems.items() if is_port(system)]


def _coupling(evidence: Evidence, port: str) -> CouplingView:
    found, size = touched(evidence, port), written(evidence, port)
    sizes = None if isinstance(size, Gap) else size
    name = port if sizes is None else sizes.name
    raw, own = _sizes(sizes)
    if isinstance(found, Gap):
        return CouplingView(
            port=port,
            why=found.why,
            against="",
            totals=[],
            effects={},
            restores=0,
            unresolved=0,
            patches=[],
            holds=[],
            symbols=0,
            name=name,
            raw=raw,
            own=own,
        )
    blobs = {row.file.path: row.file.blob for row in evidence.facts[port].files}
    return CouplingView(
        port=port,
        why="",
        against=found.against,
        totals=[_total(one) for one in found.totals],
        effects={effect.value: count for effect, count in found.effects().items()},
        restores=found.restores,
        unresolved=found.unresolved,
        patches=[
            PatchView(
                symbol=row.symbol,
                path=row.path,
                line=row.line,
                blob=blobs.get(row.path, ""),
                effect=row.effect,
                wraps=row.wraps,
                scope=row.scope,
                restored=bool(row.restored),
                guarded=bool(row.guarded),
            )
            for row in found.patches
        ],
        holds=[
            HoldView(
                symbol=one.symbol,
                private=one.private,
                sites=one.sites,
                files=one.files,
                kinds={kind.value: count for kind, count in one.kinds},
            )
            for one in found.holds[:MOST_HOLDS]
        ],
        symbols=len(found.holds),
        name=name,
        raw=raw,
        own=own,
    )


def _sizes(sizes: Written | None) -> tuple[AmountView | None, AmountView | None]:
    return (None, None) if sizes is None else (amount_view(sizes.raw), amount_view(sizes.own))


def _total(one: Total) -> TouchTotalView:
    return TouchTotalView(
        kind="all" if one.kind is None else one.kind.value,
        sites=one.sites,
        private=one.private,
        global_scope=one.global_,
        instance_scope=one.instance,
        restored=one.restored,
        symbols=one.symbols,
        files=one.files,
    )


def leverage_views(evidence: Evidence) -> list[LeverageView]:
    """Every port of which a trace is at hand, in the order of the configuration."""
    found = [(name, leverage(evidence, name)) for name in evidence.loaded.spec.systems if name in evidence.traces]
    return [_leverage(name, one) for name, one in found if not isinstance(one, Gap)]


def _leverage(port: str, one: Leverage) -> LeverageView:
    trace = one.trace
    return LeverageView(
        port=port,
        on=trace.on,
        environment=dict(trace.environment),
        versions=dict(trace.versions),
        models=[
            ModelView(
                label=model.label,
                own=model.total(Side.OWN).run_in_bodies,
                substrate=model.total(Side.SUBSTRATE).run_in_bodies,
                for_each=_text(one.of_model(model)),
            )
            for model in trace.models
        ],
        own=_runs(one, "own", one.own),
        copied=one.copied,
        substrate=_runs(one, "substrate", one.substrate),
        parts=[_runs(one, part, runs) for part, runs in one.parts],
        stages=dict(one.stages),
    )


def _runs(one: Leverage, part: str, runs: Runs) -> RunsView:
    return RunsView(
        part=part,
        executable=runs.executable,
        bodies=runs.bodies,
        imported=runs.imported,
        run=runs.run_in_bodies,
        for_each=_text(one.for_each(runs)),
    )


def _text(value: Fraction | None) -> str:
    return "" if value is None else ratio_text(value)
