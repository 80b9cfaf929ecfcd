"""Every kind of test of a claim with evidence that confirms, refutes, and is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.claims.outcome import IN_DOUBT, NO, YES, over_readings
from leverage.claims.share import Part
from leverage.claims.verdict import ClaimResult, judge
from leverage.evidence.facts import ProbeFact, Site
from leverage.evidence.probes import probe_digest
from leverage.model.verdicts import Verdict
from leverage.spec.claimcheck import TESTS, probe_kind
from tests.world import COMMIT, SPEC, fact, unknown, world

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence

PROBES = """\
probes:
  cores: {system: port, path: a.py, constant: CORES, note: the cores}
  size: {system: port, path: a.py, constant: SIZE}
  rebinds: {system: port, path: a.py, assigns: G.run, note: the port replaces it}
  ordered: {system: port, path: a.py, within: f, calls: [a, b], note: one before the other}
"""
GIVEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "cores": ("32", ("CORES",)),
    "size": ("2097152", ()),
    "rebinds": (YES, ()),
    "ordered": (NO, ()),
}


def with_claim(test: str, given: dict[str, tuple[str, tuple[str, ...]]] | None = None) -> Evidence:
    """The small world with one claim more, and with what its probes found."""
    spec = SPEC.replace(
        "claims:\n", f"{PROBES}claims:\n  x: {{text: t, wording: paraphrase, by: b, source: s, {test}}}\n"
    )
    evidence = world(spec)
    probes = evidence.loaded.spec.probes
    found = tuple(
        ProbeFact(
            name,
            probe_digest(probes[name]),
            probe_kind(probes[name]),
            value,
            (Site("a.py", 7, "b" * 40),) if value not in {"", NO} else (),
            1,
            1,
            environment,
            "" if value not in {"", NO} else f"why {name}",
        )
        for name, (value, environment) in (GIVEN if given is None else given).items()
    )
    return replace(evidence, facts={**evidence.facts, "port": replace(evidence.facts["port"], probes=found)})


def judged(test: str, given: dict[str, tuple[str, tuple[str, ...]]] | None = None) -> ClaimResult:
    return next(one for one in judge(with_claim(test, given)) if one.id == "x")


def test_every_kind_has_a_test() -> None:
    from leverage.claims.verdict import _TESTS  # noqa: PLC0415 - the table that must be complete

    assert set(_TESTS) == {"", *TESTS}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([YES], Verdict.HOLDS),
        ([YES, YES], Verdict.HOLDS),
        ([YES, NO], Verdict.HOLDS_ONLY_UNDER),
        ([YES, IN_DOUBT], Verdict.HOLDS_ONLY_UNDER),
        ([NO, IN_DOUBT], Verdict.CANNOT_BE_CHECKED),
        ([NO, NO], Verdict.DOES_NOT_HOLD),
    ],
)
def test_readings_make_a_verdict(answers: list[str], expected: Verdict) -> None:
    assert over_readings({str(at): answer for at, answer in enumerate(answers)}) is expected


def test_found_holds_with_the_place_it_was_found_at() -> None:
    one = judged("found: [rebinds]")
    assert one.verdict is Verdict.HOLDS
    assert one.outcome.because == "the port replaces it (a.py:7)"
    assert one.outcome.inputs[0].sites == (Site("a.py", 7, "b" * 40),)
    assert one.kind == "found"


def test_found_is_refuted_by_one_that_is_not_there_even_beside_an_unknown() -> None:
    one = judged("found: [rebinds, ordered]", {**GIVEN, "rebinds": ("", ())})
    assert one.verdict is Verdict.DOES_NOT_HOLD
    assert one.outcome.because == "why ordered"


def test_found_cannot_be_checked_without_a_value_and_says_why() -> None:
    one = judged("found: [rebinds]", {"rebinds": ("", ())})
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "why rebinds" in one.outcome.because


def test_a_record_without_the_probe_says_how_to_make_it() -> None:
    one = judged("found: [rebinds]", {})
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "the record of port holds nothing for this probe; `leverage record port`" in one.outcome.because


def test_a_value_of_another_declaration_is_no_evidence() -> None:
    evidence = with_claim("found: [rebinds]")
    port = evidence.facts["port"]
    old = tuple(replace(one, declared="sha256:other") for one in port.probes)
    evidence = replace(evidence, facts={**evidence.facts, "port": replace(port, probes=old)})
    one = next(one for one in judge(evidence) if one.id == "x")
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "another declaration of this probe" in one.outcome.because


def test_without_facts_of_the_system_nothing_is_known() -> None:
    evidence = with_claim("found: [rebinds]")
    rest = {name: facts for name, facts in evidence.facts.items() if name != "port"}
    one = next(one for one in judge(replace(evidence, facts=rest, gaps={"port": "gone"})) if one.id == "x")
    assert one.outcome.because == "rebinds: port: gone"


def test_arithmetic_over_constants_by_reading() -> None:
    one = judged('arithmetic: {whole: "cores * size == 64 * 2**20", decimal: "cores * size == 64 * 10**6"}')
    assert one.verdict is Verdict.HOLDS_ONLY_UNDER
    assert one.outcome.by_reading == {"whole": Verdict.HOLDS, "decimal": Verdict.DOES_NOT_HOLD}
    assert one.outcome.because == (
        "holds only as: whole; whole: 67,108,864 against 67,108,864, holds; "
        "decimal: 67,108,864 against 64,000,000, does not hold; "
        "cores is a default that the environment variable CORES changes"
    )
    assert judged('arithmetic: {whole: "cores * size == 64 * 2**20"}').verdict is Verdict.HOLDS
    assert judged('arithmetic: {whole: "cores == 31"}').verdict is Verdict.DOES_NOT_HOLD


def test_arithmetic_on_an_unknown_constant_cannot_be_checked() -> None:
    one = judged('arithmetic: {whole: "cores * size == 1"}', {**GIVEN, "size": ("", ())})
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "size: why size" in one.outcome.because


def test_arithmetic_that_has_no_value_says_so() -> None:
    one = judged('arithmetic: {a: "1 / (cores - 32) == 1"}')
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "divides by zero" in one.outcome.because


@pytest.mark.parametrize(
    ("stated", "computed", "verdict"),
    [
        ("14", "100 / 7", Verdict.HOLDS),
        ("14.3", "100 / 7", Verdict.HOLDS),
        ("14.2", "100 / 7", Verdict.DOES_NOT_HOLD),
        ("15", "100 / 7", Verdict.DOES_NOT_HOLD),
        ("0.5", "0.45", Verdict.HOLDS),
        ("14", "100 / 0", Verdict.CANNOT_BE_CHECKED),
        ("14", "x", Verdict.CANNOT_BE_CHECKED),
        ("14", "1; 2", Verdict.CANNOT_BE_CHECKED),
        ("14", "9**9**9", Verdict.CANNOT_BE_CHECKED),
    ],
)
def test_a_figure_is_consistent_with_what_it_rounds(stated: str, computed: str, verdict: Verdict) -> None:
    one = judged(f'consistent: {{stated: "{stated}", computed: "{computed}"}}')
    assert one.verdict is verdict
    if computed == "100 / 7" and stated == "14":
        assert "100/7, which lies within 13.5 to 14.5" in one.outcome.because


def shared(test: str, rows: dict[str, tuple[str, str]], *, missing: bool = False) -> ClaimResult:
    """A claim on shares; stage and divergence of the port's core/a.py (60) and core/other/b.py (40) are set by hand."""
    spec = SPEC.replace("claims:\n", f"claims:\n  x: {{text: t, wording: paraphrase, by: b, source: s, {test}}}\n")
    evidence = world(spec, gaps={"port": "gone"} if missing else None)
    files = evidence.files.copy()
    for path, (stage, divergence) in rows.items():
        files.loc[files["path"] == path, ["stage", "divergence"]] = [stage, divergence]
    return next(one for one in judge(replace(evidence, files=files)) if one.id == "x")


SHARE = "share: {{of: port, boundary: extension, by: {}, readings: {{a: [{}]}}, against: [{}], more_than: '{}'}}"


@pytest.mark.parametrize(
    ("by", "kinds", "against", "bound", "verdict"),
    [
        ("divergence", "on_chip_storage", "all", "0.59", Verdict.HOLDS),
        ("divergence", "on_chip_storage", "all", "0.6", Verdict.DOES_NOT_HOLD),
        ("divergence", "on_chip_storage", "departing", "0.99", Verdict.HOLDS),
        ("divergence", "on_chip_storage, none", "all", "0.99", Verdict.HOLDS),
        ("stage", "fusion", "all", "0.39", Verdict.HOLDS),
        ("stage", "fusion", "all", "0.4", Verdict.DOES_NOT_HOLD),
        ("stage", "tiling", "all", "0", Verdict.DOES_NOT_HOLD),
        ("stage", "tilling", "all", "0", Verdict.CANNOT_BE_CHECKED),
    ],
)
def test_shares_of_60_and_40_lines(by: str, kinds: str, against: str, bound: str, verdict: Verdict) -> None:
    rows = {"core/a.py": ("scratchpad", "on_chip_storage"), "core/other/b.py": ("fusion", "none")}
    one = shared(SHARE.format(by, kinds, against, bound), rows)
    assert one.verdict is verdict
    if kinds == "tilling":
        assert "did you mean `tiling`?" in one.outcome.because


def test_glue_is_no_departure() -> None:
    rows = {"core/a.py": ("scratchpad", "on_chip_storage"), "core/other/b.py": ("support", "substrate_glue")}
    one = shared(SHARE.format("divergence", "on_chip_storage", "departing", "0.99"), rows)
    assert one.outcome.because == "a: 60 of 60 code lines, more than 99/100"


def test_undetermined_lines_leave_a_share_in_doubt() -> None:
    rows = {"core/a.py": ("scratchpad", "on_chip_storage")}  # the other 40 stay undetermined
    assert shared(SHARE.format("divergence", "on_chip_storage", "all", "0.5"), rows).verdict is Verdict.HOLDS
    one = shared(SHARE.format("divergence", "on_chip_storage", "all", "0.7"), rows)
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "40 more are undetermined" in one.outcome.because
    assert shared(SHARE.format("divergence", "tensor_layout", "all", "0.4"), rows).verdict is Verdict.DOES_NOT_HOLD


def test_a_share_of_what_is_not_there_cannot_be_checked() -> None:
    one = shared(SHARE.format("stage", "fusion", "all", "0"), {}, missing=True)
    assert (one.verdict, one.outcome.because) == (Verdict.CANNOT_BE_CHECKED, "port: gone")
    neutral = {"core/a.py": ("support", "none"), "core/other/b.py": ("support", "none")}
    one = shared(SHARE.format("divergence", "tensor_layout", "departing", "0"), neutral)
    assert (one.verdict, one.outcome.because) == (Verdict.CANNOT_BE_CHECKED, "port has no such code lines")


@pytest.mark.parametrize("part", [Part(3, 10, 0), Part(0, 0, 5), Part(10, 10, 7), Part(1, 4, 100)])
def test_every_way_of_deciding_the_doubtful_lines_lies_within_the_interval(part: Part) -> None:
    for named in range(part.doubt + 1):
        for other in range(part.doubt - named + 1):
            base = part.base + named + other
            if base:
                assert part.low * base <= part.named + named <= part.high * base


BELOW = SPEC.replace("    profiles:\n", "    below: [closed, second]\n    profiles:\n").replace(
    "compare:",
    f"""\
  second:
    role: second_stage
    name: The second
    source: {{git: https://example.org/second, commit: "{COMMIT}"}}
    components: {{all: {{include: ["s/**"]}}}}
compare:""",
)
SECOND = {"second": [fact("s/a.cpp", "cpp", 70), fact("s/b.py", "python", 5), fact("s/CMakeLists.txt", "cmake", 9)]}


def exists(spec: str, test: str, **more: object) -> ClaimResult:
    spec = spec.replace("claims:\n", f"claims:\n  x: {{text: t, wording: paraphrase, by: b, source: s, {test}}}\n")
    return next(one for one in judge(world(spec, **more)) if one.id == "x")  # type: ignore[arg-type]


def test_a_second_stage_is_what_is_declared_below_with_its_public_size() -> None:
    one = exists(BELOW, "second_stage_of: port", files=SECOND)
    assert one.verdict is Verdict.HOLDS
    assert one.outcome.because == "declared below port: closed (closed), The second (75 code lines)"
    gone = exists(BELOW, "second_stage_of: port", gaps={"second": "gone"})
    assert "The second (unknown: gone)" in gone.outcome.because


def test_nothing_declared_below_is_no_evidence_of_nothing() -> None:
    assert exists(SPEC, "second_stage_of: port").verdict is Verdict.CANNOT_BE_CHECKED


def other_port(builds_on: str = "", vendor: str = "Other", height: str = "tile_ir", profiles: str = "") -> str:
    return SPEC.replace("    role: extension\n", "    role: extension\n    vendor: One\n    builds_on: tall\n").replace(
        "compare:",
        f"""\
  other:
    role: extension
    vendor: {vendor}
    {builds_on}
    source: {{git: https://example.org/other, commit: "{COMMIT}"}}
    components: {{all: {{include: ["o/**"], height: [graph, {height}]}}}}
    boundaries: {{extension: [all]}}
    {profiles}
compare:""",
    )


OTHER = {"other": [fact("o/a.py", "python", 33)], "port": [fact("core/a.py", "python", 60)]}


@pytest.mark.parametrize(
    ("spec", "verdict", "words"),
    [
        (other_port("builds_on: closed"), Verdict.HOLDS_ONLY_UNDER, "builds on closed"),
        (other_port(), Verdict.HOLDS_ONLY_UNDER, "substrate of one of the two is not declared"),
        (other_port("builds_on: tall", vendor="One"), Verdict.CANNOT_BE_CHECKED, "no measured system"),
        (other_port("builds_on: tall", height="binary"), Verdict.CANNOT_BE_CHECKED, "no measured system"),
        (other_port("builds_on: tall", profiles="profiles: {a: {}}"), Verdict.HOLDS_ONLY_UNDER, "several back ends"),
    ],
)
def test_a_second_vendor_is_compared_and_differences_are_named(spec: str, verdict: Verdict, words: str) -> None:
    one = exists(spec, "second_vendor_of: port", files=OTHER)
    assert one.verdict is verdict
    assert words in one.outcome.because


def test_a_port_like_it_in_every_way_holds() -> None:
    spec = other_port("builds_on: tall").replace('    profiles:\n      narrow: {exclude: ["core/other/**"]}\n', "")
    one = exists(spec, "second_vendor_of: port", files=OTHER)
    assert one.verdict is Verdict.HOLDS
    assert one.outcome.because == "other of Other (33 code lines)"


def test_what_is_awaited_or_needed_is_named() -> None:
    awaited, needed, nothing = (judged(test) for test in ("awaits: [a graph, runs]", "needs: the talk", "note: n"))
    assert awaited.outcome.because == "not measured yet: a graph; runs"
    assert needed.outcome.because == "missing: the talk"
    assert nothing.outcome.because == "missing: an expression that tests it"
    assert {one.verdict for one in (awaited, needed, nothing)} == {Verdict.CANNOT_BE_CHECKED}
    assert [one.kind for one in (awaited, needed, nothing)] == ["awaits", "needs", ""]


def test_inputs_are_shown_and_decide_nothing() -> None:
    one = judged("needs: the talk, inputs: [cores, ordered]")
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert [(each.name, each.value) for each in one.outcome.inputs] == [("cores", "32"), ("ordered", "no")]
    again = judged("found: [rebinds], inputs: [rebinds]")
    assert [each.name for each in again.outcome.inputs] == ["rebinds"]


def test_files_that_cannot_be_read_widen_a_share() -> None:
    test = SHARE.format("stage", "fusion", "all", "0.5")
    spec = SPEC.replace("claims:\n", f"claims:\n  x: {{text: t, wording: paraphrase, by: b, source: s, {test}}}\n")
    rows = [fact("core/a.py", "python", 60), unknown("core/gone.py", physical=100)]
    evidence = world(spec, files={"port": rows})
    files = evidence.files.copy()
    files.loc[files["path"] == "core/a.py", "stage"] = "tiling"
    one = next(one for one in judge(replace(evidence, files=files)) if one.id == "x")
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
