"""Tests of claims on what a port touches, leaves alone and stands on: confirmed, refuted, in doubt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.claims.verdict import ClaimResult, judge
from leverage.evidence.build import Evidence, build
from leverage.evidence.facts import ProbeFact, ReachFact, TouchFact
from leverage.evidence.probes import probe_digest
from leverage.evidence.touchpoints import touch_version
from leverage.evidence.traces import take_trace
from leverage.model.decisions import Confidence, Decision
from leverage.model.lines import LineCounts
from leverage.model.units import Unit, UnitKind
from leverage.model.verdicts import Verdict
from leverage.spec.claimcheck import probe_kind
from tests.unit.evidence.test_traces import two
from tests.world import SPEC, cut, fact, world

if TYPE_CHECKING:
    from leverage.evidence.traces import TraceFact

PROBES = """\
probes:
  mine: {system: port, path: a.py, counts: [f]}
  all: {system: port, path: a.py, settings: all}
  reach: {system: port, path: core/a.py, reaches: [run]}
"""
BUILDS_ON = SPEC.replace("    role: extension\n", "    role: extension\n    builds_on: like\n")
ROWS = (
    TouchFact("core/a.py", 4, 0, "import", "from", "up.one.f", scope="none", certainty="certain"),
    TouchFact(
        "core/a.py",
        6,
        0,
        "monkey_patch",
        "assignment",
        "up.one.G.old",
        "",
        "global",
        effect="patch",
        certainty="likely",
    ),
    TouchFact(
        "core/a.py", 7, 0, "monkey_patch", "assignment", "up.one.G.new", "", "global", effect="add", certainty="likely"
    ),
    TouchFact("core/a.py", 8, 0, "monkey_patch", "restore", "up.one.G.kept", "", "global", certainty="likely"),
    TouchFact("core/a.py", 9, 0, "config_key", "patch", "up.config.fast", "", "global", certainty="certain"),
)
UPSTREAM = ["upper/u.cpp", "up/__init__.py", "up/one/__init__.py", "up/two.py", "up/config.py"]


def claimed(
    test: str,
    *,
    rows: tuple[TouchFact, ...] = ROWS,
    numbers: dict[str, str] | None = None,
    trace: TraceFact | None = None,
) -> ClaimResult:
    spec = BUILDS_ON.replace(
        "claims:\n", f"{PROBES}claims:\n  x: {{text: t, wording: paraphrase, by: b, source: s, {test}}}\n"
    )
    spec = spec.replace('upper: {include: ["upper/**"]', 'upper: {include: ["upper/**", "up/**"]')
    whole = world(spec, {"like": [fact(path, "python", 10) for path in UPSTREAM]})
    probes = whole.loaded.spec.probes
    found = tuple(
        ProbeFact(name, probe_digest(probes[name]), probe_kind(probes[name]), value, why="" if value else f"why {name}")
        for name, value in ({"mine": "3", "all": "10", "reach": "2"} | (numbers or {})).items()
    )
    port = replace(
        whole.facts["port"],
        touched=rows,
        touched_by=touch_version(),
        probes=found,
        reached=(
            ReachFact("reach", "core/a.py", 1, 30, "run", "yes", LineCounts(code=25)),
            ReachFact("reach", "core/a.py", 31, 36, "not", "", LineCounts(code=6)),
            ReachFact("reach", "core/a.py", 37, 39, "small", "", LineCounts(code=3)),
            ReachFact("reach", "core/a.py", 41, 50, "lay", "", LineCounts(code=9)),
            ReachFact("other", "core/a.py", 31, 40, "not", "yes", LineCounts(code=9)),
            ReachFact("reach", "core/gone.py", 1, 9, "away", "", LineCounts(code=9)),
        ),
    )
    evidence = build(whole.loaded, {**whole.facts, "port": port}, {}, {}, {} if trace is None else {"port": trace})
    return next(one for one in judge(_divided(evidence)) if one.id == "x")


def _divided(evidence: Evidence) -> Evidence:
    """Forty lines of one file do the tiling, twenty the layout."""
    parts = [
        ("run", "tiling", 1, 40, LineCounts(code=40)),
        ("lay", "layout", 41, 62, LineCounts(code=20, comment=1, blank=1)),
    ]
    units = [
        (
            Unit(symbol, UnitKind.FUNCTION, first, last, lines),
            Decision(stage, "none", "r", "why", Confidence.DECLARED, ""),
        )
        for symbol, stage, first, last, lines in parts
    ]
    divided = cut(evidence.facts["port"], {"core/a.py": units})
    return build(evidence.loaded, {**evidence.facts, "port": divided}, {}, {}, evidence.traces)


def test_a_place_that_is_there_confirms_and_shows_its_line() -> None:
    one = claimed("touches: {of: port, symbols: [up.one.G.old], kinds: [monkey_patch]}")
    assert (one.verdict, one.outcome.because) == (Verdict.HOLDS, "`up.one.G.old`: core/a.py, line 6")
    assert [(site.path, site.line) for site in one.outcome.inputs[0].sites] == [("core/a.py", 6)]


def test_a_place_that_is_not_there_refutes_and_says_what_is_replaced_beside_it() -> None:
    one = claimed("touches: {of: port, symbols: [up.one.G.run], kinds: [monkey_patch]}")
    assert one.verdict is Verdict.DOES_NOT_HOLD
    assert one.outcome.because == (
        "none of 2 such places is at `up.one.G.run`; of `up.one.G` what is replaced is `old` (core/a.py, line 6)"
    )
    assert claimed("touches: {of: port, symbols: [up.one.G.old], kinds: [import]}").verdict is Verdict.DOES_NOT_HOLD
    # Putting back is no patch of its own.
    assert claimed("touches: {of: port, symbols: [up.one.G.kept]}").verdict is Verdict.DOES_NOT_HOLD


def test_places_that_could_not_be_resolved_are_told() -> None:
    rows = (*ROWS, TouchFact("core/a.py", 9, 0, "unresolved", "monkey_patch", "", detail="?"))
    because = claimed("touches: {of: port, symbols: [up.x]}", rows=rows).outcome.because
    assert because.endswith("; 1 place could not be resolved")


def left(reading: str, bound: str = '"0.5"', **more: object) -> ClaimResult:
    return claimed(f"left_alone: {{of: port, more_than: {bound}, readings: {{it: {reading}}}}}", **more)  # type: ignore[arg-type]


def test_what_is_left_alone_is_a_share_of_what_there_is() -> None:
    one = left("{probe: mine, of: all}")
    assert (one.verdict, one.outcome.because) == (Verdict.HOLDS, "it: 3 of 10 are touched")
    assert left("{probe: mine, of: all}", '"0.7"').verdict is Verdict.DOES_NOT_HOLD
    assert left("{probe: mine, of: all}", numbers={"all": "2"}).verdict is Verdict.DOES_NOT_HOLD
    assert left("{probe: mine, of: all}", numbers={"all": ""}).verdict is Verdict.CANNOT_BE_CHECKED
    assert left("{probe: mine, of: all}", numbers={"all": "0"}).outcome.because == "it: there are none"


def test_symbols_and_modules_are_counted_from_the_touchpoints() -> None:
    assert (
        left("{by: symbol, below: up.config, kinds: [config_key], of: all}").outcome.because
        == "it: 1 of 10 are touched"
    )
    # Modules: up, up.one, up.two, up.config; C++ is none. Two are touched, and both are changed.
    one = left("{by: module}")
    assert (one.verdict, one.outcome.because) == (Verdict.DOES_NOT_HOLD, "it: 2 of 4 are touched")
    assert left("{by: module}", '"0.4"').verdict is Verdict.HOLDS
    assert left("{by: module, kinds: [import]}").outcome.because == "it: 1 of 4 are touched"
    assert left("{by: module, below: up.two}").outcome.because == "it: 0 of 4 are touched"


def test_what_could_not_be_resolved_may_be_one_more_and_leaves_a_doubt_where_that_decides() -> None:
    rows = (*ROWS, TouchFact("core/a.py", 9, 0, "unresolved", "monkey_patch", "", detail="?"))
    reading = "{by: module, kinds: [import]}"
    # One of four modules, or two of them: three quarters or one half are left alone.
    assert left(reading, '"0.4"', rows=rows).verdict is Verdict.HOLDS
    assert left(reading, '"0.5"', rows=rows).verdict is Verdict.CANNOT_BE_CHECKED
    one = left(reading, '"0.75"', rows=rows)
    assert one.verdict is Verdict.DOES_NOT_HOLD
    shown = one.outcome.inputs[0]
    assert (shown.note, [(site.path, site.line) for site in shown.sites]) == (
        "import; 1 not resolved",
        [("core/a.py", 4)],
    )


def test_lines_that_did_not_run_are_open_and_never_against() -> None:
    trace = take_trace(two(), "port")
    one = left("{ran: torch/_inductor}", trace=trace)
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert one.outcome.because == "it: 6 of 30 ran, of the others it is not known"
    assert left("{ran: torch/_inductor}", '"0.1"', trace=trace).verdict is Verdict.HOLDS
    assert "has no part" in left("{ran: torch/nn}", trace=trace).outcome.because
    assert left("{ran: torch/_inductor}").outcome.because == "it: no trace of port is at hand"


def test_a_statement_holds_only_under_the_readings_that_hold() -> None:
    readings = "readings: {few: {probe: mine, of: all}, many: {by: module}, ran: {ran: x}}"
    one = claimed(f'left_alone: {{of: port, more_than: "0.5", {readings}}}')
    assert one.verdict is Verdict.HOLDS_ONLY_UNDER
    assert one.outcome.because.startswith("holds only as: few; ")
    assert [verdict.value for verdict in one.outcome.by_reading.values()] == [
        "holds",
        "does not hold",
        "cannot be checked",
    ]


def test_lines_beneath_each_own_line() -> None:
    test = 'runs_beneath: {{of: port, more_than: {}, readings: {{one: torch/_inductor, all: ""}}}}'
    trace = take_trace(two(), "port")
    assert claimed(test.format(1), trace=trace).verdict is Verdict.HOLDS
    one = claimed(test.format(2), trace=trace)
    assert (one.verdict, one.outcome.because) == (
        Verdict.DOES_NOT_HOLD,
        "one: 6 lines ran for 3 own ones; all: 6 lines ran for 3 own ones",
    )
    assert claimed(test.format(1)).verdict is Verdict.CANNOT_BE_CHECKED


def test_where_a_decision_is_made() -> None:
    test = "decided_in: {{of: port, boundary: extension, reach: reach, decisions: {{{}}}}}"
    one = claimed(test.format("tiling: [tiling]"))
    assert one.verdict is Verdict.HOLDS_ONLY_UNDER
    assert one.outcome.because == (
        "holds only as: some of each, more than half of each; tiling: 25 of 34 code lines in functions are reached; "
        "2 functions are not, such as `core/a.py:not` (6), `core/a.py:small` (3)"
    )
    assert (one.outcome.inputs[1].value, one.outcome.inputs[1].note) == (
        "25 of 34 code lines in functions",
        "40 code lines in all",
    )
    both = claimed(test.format("tiling: [tiling], layout: [layout]"))
    assert both.verdict is Verdict.DOES_NOT_HOLD
    assert "layout: 0 of 9 code lines in functions are reached" in both.outcome.because
    together = claimed(test.format("all: [tiling, layout]"))
    assert "all: 25 of 43 code lines in functions are reached" in together.outcome.because
    assert claimed(test.format("fusion: [fusion]")).outcome.because == "no function of port is in the stages of fusion"
    assert claimed(test.format("a: [tiling]"), numbers={"reach": ""}).outcome.because == "why reach"
