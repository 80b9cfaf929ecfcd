"""Departures by stage, words and surroundings."""

from __future__ import annotations

import pytest
from leverage.classify.anchors import Anchor, How
from leverage.classify.divergence import (
    BODY,
    RATES,
    USUAL,
    Surroundings,
    Talk,
    judge,
    surroundings,
    talk_of,
    united,
)
from leverage.classify.features import thesaurus
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.classify.words import Field

QUIET = Talk(1000, dict(RATES))  # every head as often as everywhere
NAMELESS = Talk(0, {})
CHIP = Surroundings(like_gpu=False, accelerator=True)
GENERAL = Surroundings(like_gpu=False, accelerator=False)
LIKE_GPU = Surroundings(like_gpu=True, accelerator=False)


def test_tables_use_the_words_of_the_vocabulary() -> None:
    assert set(USUAL) <= set(STAGE_IDS)
    assert set(USUAL.values()) | set(RATES) <= set(DIVERGENCE_IDS)
    heads = {head for of_word in thesaurus().divergences.values() for head in of_word}
    assert heads == {*RATES, "gpu"}
    assert {head for of_word in thesaurus().stages.values() for head in of_word} == set(STAGE_IDS)


@pytest.mark.parametrize("stage", STAGE_IDS)
def test_code_without_a_word_of_its_own_departs_as_its_stage_mostly_does(stage: str) -> None:
    assert judge(stage, CHIP, (QUIET,), NAMELESS).divergence == USUAL.get(stage, "none")


def test_a_general_compiler_departs_only_where_a_stage_exists_for_the_hardware() -> None:
    found = {stage: judge(stage, GENERAL, (QUIET,), NAMELESS).divergence for stage in STAGE_IDS}
    assert {found[stage] for stage in ("codegen", "backend", "lowering", "graph_rewrite", "fusion")} == {"none"}
    assert found["layout"] == "tensor_layout"
    assert found["work_division"] == "work_distribution"


def test_words_that_stand_out_say_something_else() -> None:
    moved = Talk(1000, {**RATES, "data_movement": 200.0})
    assert judge("lowering", CHIP, (moved,), Talk(3, {"data_movement": 2.0})).divergence == "data_movement"
    assert judge("lowering", CHIP, (QUIET,), NAMELESS).divergence == "operator_set"


def test_a_system_like_a_gpus_departs_from_nothing_but_is_glued_on() -> None:
    assert judge("codegen", LIKE_GPU, (QUIET,), NAMELESS).divergence == "none"
    assert judge("device_registration", LIKE_GPU, (QUIET,), NAMELESS).divergence == "substrate_glue"
    patch = Anchor("scheduling", "", "torch._inductor.scheduler.Scheduler.fuse", How.OVERRIDE, 3)
    assert judge("scheduling", LIKE_GPU, (QUIET,), NAMELESS, (patch,)).divergence == "substrate_glue"


def test_a_hook_tells_its_departure() -> None:
    hook = Anchor("lowering", "operator_set", "torch._inductor.lowering.register_lowering", How.HOOK, 3)
    moved = Talk(1000, {**RATES, "data_movement": 200.0})
    judged = judge("lowering", CHIP, (moved,), NAMELESS, (hook,))
    assert judged.divergence == "operator_set"
    assert "register_lowering" in judged.reason


def test_surroundings_come_from_the_system_and_from_the_folder() -> None:
    gpu = Talk(1000, {"gpu": 30.0, "work_distribution": 5.0})
    chip = Talk(1000, {"execution_model": 20.0, "data_movement": 5.0})
    plain = Talk(1000, {"operator_set": 30.0})
    assert surroundings(gpu, plain) == Surroundings(like_gpu=True, accelerator=False)
    assert surroundings(chip, plain) == Surroundings(like_gpu=False, accelerator=True)
    assert surroundings(plain, plain) == GENERAL
    assert surroundings(plain, chip) == CHIP
    assert surroundings(NAMELESS, NAMELESS) == GENERAL


def test_talk_adds_up() -> None:
    words: dict[tuple[str, str], int] = {
        (Field.CODE, "dma"): 3,
        (Field.COMMENT, "scratchpad"): 1,
        (Field.USES, "dma"): 9,
        (Field.CODE, "else"): 2,
    }
    talk = talk_of(words, BODY)
    assert talk.total == 6
    assert talk.heads["data_movement"] == 3
    assert united((talk, talk)).heads["data_movement"] == 6
    assert united((talk, talk)).rate("data_movement") == talk.rate("data_movement") == 500
    assert united(()) == NAMELESS
