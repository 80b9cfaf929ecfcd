"""What a port touches of its substrate, what of it is copied, and what runs beneath it: counted, never judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.headline import headline
from leverage.claims.places import stage_at
from leverage.claims.select import Gap, amount, side
from leverage.coupling.copied import FUNCTION
from leverage.coupling.existence import Effect
from leverage.coupling.summary import Hold, Total, holds, totals
from leverage.evidence.touchpoints import UNRESOLVED, as_touchpoint, is_port
from leverage.model.touchpoints import TouchKind
from leverage.resolve.rows import RESTORE
from leverage.reuse.trace.values import Side as Whose

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.evidence.facts import TouchFact
    from leverage.evidence.traces import ModelRun, TraceFact
    from leverage.model.amounts import Amount
    from leverage.reuse.trace.values import Runs


@dataclass(frozen=True, slots=True)
class Touched:
    """Where a port touches its substrate.

    Attributes:
        port: id of the system.
        against: id of the substrate whose source was asked which names exist; empty where none was.
        totals: by kind, and all together, last; lines that only put an original back belong to their patch and are
            left out.
        patches: monkey patches, in order of paths and lines.
        restores: lines that put an original back.
        holds: upstream symbols, the one with most sites first.
        unresolved: places that could not be resolved.
    """

    port: str
    against: str
    totals: tuple[Total, ...]
    patches: tuple[TouchFact, ...]
    restores: int
    holds: tuple[Hold, ...]
    unresolved: int

    @property
    def whole(self) -> Total:
        """All kinds together."""
        return self.totals[-1]

    def of(self, kind: TouchKind) -> Total | None:
        """The total of one kind; None where there is none."""
        return next((one for one in self.totals if one.kind is kind), None)

    def effects(self) -> dict[Effect, int]:
        """How many patches replace a name, add one, or may do either."""
        counted = Counter(row.effect for row in self.patches)
        return {effect: counted[effect.value] for effect in Effect}


def touched(evidence: Evidence, port: str) -> Touched | Gap:
    """The touchpoints of a port; why they are not known, where they are not."""
    facts = evidence.facts.get(port)
    if facts is None:
        return Gap(f"{port}: {evidence.gaps.get(port, 'there are no facts')}")
    if not is_port(evidence.loaded.spec.systems[port]):
        return Gap(f"{port} is not declared to extend anything, so its touchpoints were not looked for")
    if port in evidence.untouched:
        return Gap(evidence.untouched[port])
    back = [row for row in facts.touched if row.form == RESTORE]
    rows = [row for row in facts.touched if row.kind != UNRESOLVED and row.form != RESTORE]
    points = [as_touchpoint(row) for row in rows]
    return Touched(
        port,
        (evidence.loaded.spec.systems[port].builds_on or "") if facts.touched_against else "",
        tuple(totals(points)),
        tuple(row for row in rows if row.kind == TouchKind.MONKEY_PATCH),
        len(back),
        tuple(holds(points)),
        sum(row.kind == UNRESOLVED for row in facts.touched),
    )


@dataclass(frozen=True, slots=True)
class Written:
    """Code lines of a port under the headline: all, and those that stand nowhere in its substrate."""

    name: str
    raw: Amount
    own: Amount

    @property
    def copied(self) -> int | None:
        """Lines that stand in the substrate; None where they were not looked for."""
        return None if self.own.low != self.own.value else self.raw.value - self.own.value


def written(evidence: Evidence, port: str) -> Written | Gap:
    """How much of a port is its own."""
    chosen = side(evidence, port, headline(evidence).boundary)
    if isinstance(chosen, Gap):
        return chosen
    raw = amount(evidence, chosen, headline(evidence))
    own = amount(evidence, chosen, replace(headline(evidence), copies="out"))
    if isinstance(raw, Gap) or isinstance(own, Gap):
        return raw if isinstance(raw, Gap) else own if isinstance(own, Gap) else Gap("")
    return Written(chosen.name, raw, own)


@dataclass(frozen=True, slots=True)
class Leverage:
    """Lines inside functions that ran: of the port, and of what it stands on.

    Attributes:
        trace: the evidence.
        own: lines of the port.
        copied: those of them that ran inside functions that stand in the substrate; nobody wrote them here.
        substrate: lines of all of the substrate.
        parts: of each part of the substrate, the one that ran most first.
        stages: lines of the port that ran, by the stage of the file or function they stand in, the largest first.
    """

    trace: TraceFact
    own: Runs
    copied: int
    substrate: Runs
    parts: tuple[tuple[str, Runs], ...]
    stages: tuple[tuple[str, int], ...]

    def for_each(self, runs: Runs) -> Fraction | None:
        """Lines of something that ran inside functions for each line of the port's own that did; None without any."""
        return _over(runs.run_in_bodies, self.own.run_in_bodies - self.copied)

    def of_model(self, model: ModelRun) -> Fraction | None:
        """The same of one model, where copies count as the port's own: which functions ran for it is not kept."""
        return _over(model.total(Whose.SUBSTRATE).run_in_bodies, model.total(Whose.OWN).run_in_bodies)


def _over(substrate: int, own: int) -> Fraction | None:
    return Fraction(substrate, own) if own > 0 else None


def leverage(evidence: Evidence, port: str) -> Leverage | Gap:
    """What ran while a port compiled models."""
    trace = evidence.traces.get(port)
    if trace is None:
        return Gap(evidence.untraced.get(port, f"no trace of {port} is at hand"))
    copied = {
        (row.path, row.within)
        for row in evidence.facts[port].touched
        if port not in evidence.untouched and row.kind == TouchKind.COPIED and row.form == FUNCTION
    }
    parts = [(one.part, one.runs) for one in trace.parts if one.side == Whose.SUBSTRATE.value]
    ran = sorted(parts, key=lambda each: (-each[1].run_in_bodies, each[0]))
    return Leverage(
        trace,
        trace.total(Whose.OWN),
        sum(one.run for one in trace.own if (one.path, one.symbol) in copied),
        trace.total(Whose.SUBSTRATE),
        tuple(ran),
        tuple(_stages(evidence, port, trace)),
    )


def _stages(evidence: Evidence, port: str, trace: TraceFact) -> list[tuple[str, int]]:
    """Own lines that ran, by stage, the largest first."""
    stage_of = stage_at(evidence, port)
    counted: Counter[str] = Counter()
    for one in trace.own:
        counted[stage_of(one.path, one.first)] += one.run
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))
