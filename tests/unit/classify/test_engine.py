from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.classify.engine import Candidate, classify, decide, explain
from leverage.classify.pack import Pack, load_pack, parse_pack
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.model.decisions import UNDETERMINED, Confidence, Decision
from leverage.model.errors import Location

PACK = parse_pack(
    b"""\
id: port
about: {read: all of it, source: https://example.org/port, revision: "1"}
roots: [src]
rules:
  - id: pool
    stage: scratchpad
    divergence: on_chip_storage
    paths: [src/chip/pool.py]
    reason: Assigns buffers to the memory of each core.
    matches: [src/chip/pool.py]
  - id: chip
    stage: scratchpad
    divergence: data_movement
    paths: [src/chip/**]
    reason: Moves tiles between the memories of the chip.
    matches: [src/chip/move.py]
    not: [src/chip/pool.py]
  - id: passes
    stage: pass_management
    divergence: substrate_glue
    paths: [src/**/pool.py, src/passes.py]
    reason: Lists the passes and puts them in order.
    matches: [src/passes.py, src/other/pool.py]
""",
    name="port",
    file="port.yaml",
)

paths = st.text(st.characters(), max_size=60) | st.builds(
    "/".join, st.lists(st.sampled_from(["src", "chip", "pool.py", "passes.py", "..", "", "\n", "\udcff"]), max_size=6)
)


def test_the_first_rule_that_reaches_a_path_decides() -> None:
    assert classify(PACK, "src/chip/move.py") == Decision(
        "scratchpad", "data_movement", "port/chip", "Moves tiles between the memories of the chip.", Confidence.DECLARED
    )


def test_the_runner_up_is_the_next_rule_with_another_stage() -> None:
    decision = classify(PACK, "src/chip/pool.py")
    assert (decision.rule, decision.runner_up) == ("port/pool", "pass_management")
    assert classify(PACK, "src/passes.py").runner_up == ""


def test_an_explanation_shows_all_evidence_in_order_with_its_place() -> None:
    explanation = explain(PACK, "src/chip/pool.py")
    assert [candidate.rule for candidate in explanation.candidates] == ["port/pool", "port/chip", "port/passes"]
    assert [candidate.where for candidate in explanation.candidates] == [
        Location("port.yaml", 5),
        Location("port.yaml", 11),
        Location("port.yaml", 18),
    ]
    assert explanation.decision == classify(PACK, "src/chip/pool.py")


@pytest.mark.parametrize("path", ["src/new.py", "elsewhere/chip/pool.py", "", "src", "src/chip"])
def test_what_no_rule_reaches_is_undetermined_and_says_so(path: str) -> None:
    decision = classify(PACK, path)
    assert (decision.stage, decision.divergence, decision.rule) == (UNDETERMINED, UNDETERMINED, "")
    assert decision.confidence is Confidence.NONE
    assert "'port'" in decision.reason


def test_without_a_pack_everything_is_undetermined() -> None:
    assert classify(None, "src/chip/pool.py") == Decision(
        UNDETERMINED, UNDETERMINED, "", "the system has no rules", Confidence.NONE
    )


@given(paths)
def test_any_path_gives_a_decision_in_the_vocabulary(path: str) -> None:
    decision = classify(PACK, path)
    assert decision.stage in (*STAGE_IDS, UNDETERMINED)
    assert decision.divergence in DIVERGENCE_IDS
    assert (decision.stage == UNDETERMINED) == (decision.rule == "")
    assert decision.runner_up != decision.stage


@given(st.lists(paths, unique=True), st.randoms())
def test_a_decision_depends_on_nothing_but_its_path(many: list[str], random: object) -> None:
    before = {path: classify(PACK, path) for path in many}
    shuffled = list(many)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert {path: classify(PACK, path) for path in shuffled} == before


candidates = st.lists(
    st.builds(
        Candidate,
        st.sampled_from(STAGE_IDS[:3]),
        st.sampled_from(DIVERGENCE_IDS),
        st.text(min_size=1),
        st.text(),
        st.just(Confidence.DECLARED),
        st.just(Location("x")),
    )
)


@given(candidates, candidates)
def test_weaker_evidence_never_changes_the_stage_and_only_fills_an_empty_runner_up(
    strong: list[Candidate], weak: list[Candidate]
) -> None:
    alone, both = decide(strong, "none"), decide([*strong, *weak], "none")
    if strong:
        assert (both.stage, both.divergence, both.rule) == (alone.stage, alone.divergence, alone.rule)
    if alone.runner_up:
        assert both.runner_up == alone.runner_up


def test_the_order_of_rules_decides() -> None:
    reversed_pack = Pack(PACK.id, PACK.about, PACK.roots, PACK.rules[::-1], PACK.file, PACK.digest)
    assert classify(reversed_pack, "src/chip/pool.py").rule == "port/passes"


def test_ten_thousand_paths_take_a_fraction_of_a_second() -> None:
    pack = load_pack("torch-spyre")
    known = [path for rule in pack.rules for path in rule.matches]
    many = [f"{known[number % len(known)]}{'' if number % 3 else number}" for number in range(10_000)]
    begin = time.process_time()
    decided = sum(classify(pack, path).rule != "" for path in many)
    spent = time.process_time() - begin
    assert 0 < decided < 10_000
    assert spent < 1.0  # seconds of CPU; about 0.1 on an idle core, and a regression to "all patterns, always" takes 3
