"""What a port touches, copies and stands on, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverage.claims.coupling import Leverage, Touched, Written, leverage, touched, written
from leverage.claims.select import Gap
from leverage.coupling.existence import Effect
from leverage.evidence.build import Evidence, build
from leverage.evidence.facts import SystemFacts, TouchFact
from leverage.evidence.touchpoints import touch_version
from leverage.evidence.traces import TraceFact, take_trace
from leverage.model.decisions import Confidence, Decision
from leverage.model.lines import LineCounts
from leverage.model.touchpoints import TouchKind
from leverage.model.units import Unit, UnitKind
from leverage.reuse.trace.values import Runs
from tests.unit.evidence.test_traces import two
from tests.world import SPEC, cut, world

ROWS = (
    TouchFact("core/a.py", 1, 0, "import", "import", "torch", scope="none", certainty="certain"),
    TouchFact("core/a.py", 2, 0, "import", "from", "torch._x", scope="none", certainty="certain"),
    TouchFact(
        "core/a.py",
        6,
        0,
        "monkey_patch",
        "assignment",
        "torch._x.f",
        "",
        "global",
        "yes",
        "no",
        "patch",
        "",
        "",
        "likely",
    ),
    TouchFact(
        "core/a.py", 7, 0, "monkey_patch", "assignment", "torch._x.g", "", "instance", "", "", "add", "", "", "guess"
    ),
    TouchFact("core/a.py", 9, 0, "monkey_patch", "restore", "torch._x.f", "", "global", "", "", "", "", "", "certain"),
    TouchFact("rest/b.py", 9, 0, "unresolved", "monkey_patch", "", detail="not told"),
)


def coupled(spec: str = SPEC, trace: TraceFact | None = None, **more: object) -> Evidence:
    whole = world(spec)
    stated: dict[str, object] = {"touched": ROWS, "touched_by": touch_version(), **more}
    port: SystemFacts = replace(whole.facts["port"], **stated)  # type: ignore[arg-type]
    return build(whole.loaded, {**whole.facts, "port": port}, {}, {}, {} if trace is None else {"port": trace})


def test_touchpoints_are_counted_and_what_only_puts_back_is_not() -> None:
    found = touched(coupled(), "port")
    assert isinstance(found, Touched)
    assert [(one.kind, one.sites, one.private, one.global_, one.instance, one.restored) for one in found.totals] == [
        (TouchKind.IMPORT, 2, 1, 0, 0, 0),
        (TouchKind.MONKEY_PATCH, 2, 2, 1, 1, 1),
        (None, 4, 3, 1, 1, 1),
    ]
    assert (found.restores, found.unresolved, found.against) == (1, 1, "")
    assert found.effects() == {Effect.PATCH: 1, Effect.ADD: 1, Effect.UNKNOWN: 0}
    assert [row.line for row in found.patches] == [6, 7]
    assert next((one.symbol, one.sites) for one in found.holds) == ("torch", 1)


def test_what_is_not_known_is_a_gap_with_its_reason() -> None:
    stale = touched(coupled(touched_by="0-0"), "port")
    assert isinstance(stale, Gap)
    assert "version 0-0" in stale.why
    assert touched(coupled(), "like") == Gap(
        "like is not declared to extend anything, so its touchpoints were not looked for"
    )
    assert isinstance(touched(world(gaps={"port": "gone"}), "port"), Gap)


def test_raw_copied_and_own_lines() -> None:
    spec = SPEC.replace("    role: extension\n", "    role: extension\n    builds_on: like\n")
    found = written(coupled(spec, copied={"core/a.py": LineCounts(code=12)}, copied_from="f" * 40), "port")
    assert isinstance(found, Written)
    assert (found.raw.value, found.copied, found.own.value) == (100, 12, 88)
    without = written(coupled(), "port")
    assert isinstance(without, Written)
    assert without.copied is None
    assert isinstance(written(coupled(), "closed"), Gap)


def test_what_ran_beneath_the_port_for_each_line_of_its_own() -> None:
    trace = take_trace(two(), "port")
    found = leverage(coupled(trace=trace), "port")
    assert isinstance(found, Leverage)
    assert (found.own, found.substrate) == (Runs(16, 12, 2, 3), Runs(93, 80, 1, 6))
    assert [(part, runs.run_in_bodies) for part, runs in found.parts] == [("torch/_inductor", 6), ("torch/fx", 0)]
    assert (found.for_each(found.substrate), found.copied) == (Fraction(2), 0)
    assert replace(found, own=Runs()).for_each(found.substrate) is None
    assert [found.of_model(model) for model in trace.models] == [Fraction(3, 2), Fraction(2)]
    assert found.stages == (("undetermined", 3),)
    assert leverage(coupled(), "port") == Gap("no trace of port is at hand")


def test_lines_of_copied_functions_are_no_denominator() -> None:
    (own,) = take_trace(two(), "port").own
    copy = TouchFact(own.path, 3, 0, "copied", "function", "up.go", scope="none", certainty="likely", within=own.symbol)
    found = leverage(coupled(trace=take_trace(two(), "port"), touched=(*ROWS, copy)), "port")
    assert isinstance(found, Leverage)
    assert (found.copied, found.for_each(found.substrate)) == (3, None)
    # A run of statements inside a function of its own does not make that a copy.
    part = leverage(coupled(trace=take_trace(two(), "port"), touched=(replace(copy, form="run"),)), "port")
    assert isinstance(part, Leverage)
    assert (part.copied, part.for_each(part.substrate)) == (0, Fraction(2))


def test_own_lines_that_ran_have_the_stage_of_the_smallest_unit_around_them() -> None:
    evidence = coupled(trace=take_trace(two(), "port"))
    stages = {"": ("support", 1, 62), "go": ("codegen", 3, 20)}
    units = [
        (
            Unit(
                symbol,
                UnitKind.FUNCTION if symbol else UnitKind.REST,
                first,
                last,
                LineCounts(code=30) if symbol else LineCounts(code=30, comment=1, blank=1),
            ),
            Decision(stage, "none", "a rule", "a reason", Confidence.DECLARED, ""),
        )
        for symbol, (stage, first, last) in stages.items()
    ]
    divided = cut(evidence.facts["port"], {"core/a.py": units})
    again = build(evidence.loaded, {**evidence.facts, "port": divided}, {}, {}, evidence.traces)
    found = leverage(again, "port")
    assert isinstance(found, Leverage)
    assert found.stages == (("codegen", 3),)
