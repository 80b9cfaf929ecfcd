from __future__ import annotations

from pathlib import Path

from leverage.classify.vocabulary import DIVERGENCE_IDS, DIVERGENCES, STAGE_IDS, STAGES, vocabulary_markdown
from leverage.model.decisions import UNDETERMINED

PAGE = Path(__file__).parents[3] / "docs" / "stages.md"


def test_stages_stand_in_pipeline_order() -> None:
    assert STAGE_IDS == (
        "capture",
        "graph_rewrite",
        "decomposition",
        "lowering",
        "layout",
        "tiling",
        "work_division",
        "scratchpad",
        "memory_planning",
        "fusion",
        "scheduling",
        "codegen",
        "backend",
        "runtime",
        "device_registration",
        "distributed",
        "profiling",
        "pass_management",
        "support",
    )


def test_divergences_are_complete() -> None:
    assert DIVERGENCE_IDS == (
        "data_movement",
        "on_chip_storage",
        "work_distribution",
        "tensor_layout",
        "dtype_numerics",
        "execution_model",
        "operator_set",
        "substrate_glue",
        "none",
        UNDETERMINED,
    )


def test_no_rule_may_declare_the_stage_undetermined() -> None:
    assert UNDETERMINED not in STAGE_IDS


def test_every_term_is_defined_in_a_sentence_and_delimited() -> None:
    for term in (*STAGES, *DIVERGENCES):
        assert term.definition.endswith("."), term.id
        assert len(term.definition) > 30, term.id
        assert term.belongs, term.id
        assert term.excludes or term.id == UNDETERMINED, term.id


def test_exclusions_of_stages_point_to_existing_stages() -> None:
    for term in STAGES:
        for line in term.excludes:
            if "(" not in line:
                continue
            words = line[line.rindex("(") + 1 : line.rindex(")")].split(",")
            named = [word.strip() for word in words]
            assert all(name in STAGE_IDS or "stage" in name for name in named), (term.id, line)
            assert term.id not in named, (term.id, line)


def test_the_committed_page_is_what_the_table_makes() -> None:
    assert PAGE.read_text(encoding="utf-8") == vocabulary_markdown(), (
        "run: python -m leverage.classify.vocabulary > docs/stages.md"
    )


def test_the_page_shows_every_term_once() -> None:
    page = vocabulary_markdown()
    for term in (*STAGES, *DIVERGENCES):
        assert page.count(f"(`{term.id}`)") == 1
        assert term.definition in page
