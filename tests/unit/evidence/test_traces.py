"""Traces as evidence: the figures that are kept, whose they are, and what a record must not say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.evidence.build import build
from leverage.evidence.traces import (
    OwnRun,
    PartRun,
    read_trace_fact,
    system_of,
    take_trace,
    trace_fact_text,
    traces_name,
    why_unfit,
)
from leverage.model.errors import ConfigurationError
from leverage.reuse.trace.values import FileRun, FunctionRun, Idle, PackageRun, Runs, Side, Trace
from tests.world import world

if TYPE_CHECKING:
    from pathlib import Path

WORLD = world()
BLOBS = {row.file.path: row.file.blob for row in WORLD.facts["port"].files}


def ran(label: str, own: frozenset[int], below: frozenset[int], *, path: str = "core/a.py", blob: str = "") -> Trace:
    """One function of the port with ten lines and one of the substrate with twenty."""
    mine = FileRun(
        path, blob or BLOBS["core/a.py"], 4, 12, frozenset({1, 2}), (FunctionRun("go", 3, 10, own),) if own else ()
    )
    theirs = FileRun("torch/_inductor/ir.py", "b" * 40, 8, 30, frozenset({1}), (FunctionRun("f", 5, 20, below),))
    return Trace(
        label,
        (("python", "3.11.7"),),
        1,
        (
            PackageRun("core", Side.OWN, "", (mine,), ()),
            PackageRun("torch", Side.SUBSTRATE, "2.13.0", (theirs,), (Idle("torch/fx", 2, 5, 50),)),
        ),
    )


def two() -> list[Trace]:
    return [
        ran("mlp", frozenset({4, 5}), frozenset({6, 7, 8})),
        ran("block", frozenset({5, 9}), frozenset({8, 9, 10, 11})),
    ]


def test_what_ran_for_any_model_is_summed_by_part_and_the_ports_functions_are_kept() -> None:
    fact = take_trace(two(), "port", "2026-12-01")
    assert fact.parts == (
        PartRun("own", "core", 16, 12, 2, 3),
        PartRun("substrate", "torch/_inductor", 38, 30, 1, 6),
        PartRun("substrate", "torch/fx", 55, 50, 0, 0),
    )
    assert fact.own == (OwnRun("core/a.py", 3, "go", BLOBS["core/a.py"], 10, 3),)
    assert (fact.total(Side.OWN), fact.total(Side.SUBSTRATE)) == (Runs(16, 12, 2, 3), Runs(93, 80, 1, 6))
    assert [(one.label, one.total(Side.SUBSTRATE).run_in_bodies) for one in fact.models] == [("mlp", 3), ("block", 4)]
    assert (fact.environment, fact.versions) == ((("python", "3.11.7"),), (("core", ""), ("torch", "2.13.0")))


def test_a_trace_belongs_to_the_system_whose_very_files_ran() -> None:
    assert system_of(two()[0], WORLD.facts) == "port"
    changed = ran("mlp", frozenset({4}), frozenset({6}), blob="c" * 40)
    assert system_of(changed, WORLD.facts) == ""
    assert system_of(ran("mlp", frozenset({4}), frozenset({6}), path="core/gone.py"), WORLD.facts) == ""
    assert why_unfit(take_trace(two(), "port"), WORLD.facts["port"]) == ""
    assert why_unfit(take_trace([changed], "port"), WORLD.facts["port"]).startswith("it is of another revision: 1 of")
    assert why_unfit(take_trace(two(), "port"), None) == "the port itself is unknown"


def test_a_trace_of_another_revision_is_not_used_and_said_so() -> None:
    changed = take_trace([ran("mlp", frozenset({4}), frozenset({6}), blob="c" * 40)], "port")
    evidence = build(WORLD.loaded, WORLD.facts, {}, {}, {"port": changed})
    assert evidence.traces == {}
    assert "of another revision" in evidence.untraced["port"]
    good = take_trace(two(), "port")
    assert build(WORLD.loaded, WORLD.facts, {}, {}, {"port": good}).traces == {"port": good}


def test_what_is_recorded_is_read_back_and_nothing_else(tmp_path: Path) -> None:
    fact = take_trace(two(), "port", "2026-12-01")
    text = trace_fact_text(fact)
    path = tmp_path / traces_name("port")
    path.write_text(text)
    assert read_trace_fact(tmp_path, "port") == fact
    assert read_trace_fact(tmp_path, "like") is None
    path.rename(tmp_path / traces_name("like"))
    with pytest.raises(ConfigurationError, match="the recorded trace of like cannot be used"):
        read_trace_fact(tmp_path, "like")


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('"format": 1', '"format": 9', "format 9"),
        ("38, 30, 1, 6]", "38, 30, 1, 31]", "more lines of torch/_inductor ran than can run"),
        ("38, 30, 1, 6]", "38, 30, 9, 6]", "more lines of torch/_inductor ran than can run"),
        ("10, 3]", "10, 11]", "more lines of a function ran than can run"),
        ("10, 3]", "10, 2]", "do not add up"),
        (', "on"', ',  "on"', "not written as this version writes it"),
        ('"label": "mlp"', '"label": 7', "a name is not a text"),
        ('"python": "3.11.7"', '"python": 3', "a name is not a text"),
        ("38, 30, 1, 6]", "38, 30, 1, 6.0]", "not a whole number"),
        ("38, 30, 1, 6]", "38, 30, 1, true]", "not a whole number"),
        ("38, 30, 1, 6]", "38, 30, -1, 6]", "more lines of torch/_inductor ran than can run"),
        ('"own", "core"', '"ours", "core"', "a side is none"),
        ("{", "[", "cannot be used"),
    ],
)
def test_a_record_that_cannot_be_is_refused(tmp_path: Path, before: str, after: str, why: str) -> None:
    text = trace_fact_text(take_trace(two(), "port", "2026-12-01"))
    assert before in text
    (tmp_path / traces_name("port")).write_text(text.replace(before, after, 1 if "[" not in after else -1))
    with pytest.raises(ConfigurationError, match=why):
        read_trace_fact(tmp_path, "port")


def test_the_same_figures_give_the_same_bytes() -> None:
    fact = take_trace(two(), "port", "2026-12-01")
    assert trace_fact_text(fact) == trace_fact_text(replace(fact))
    assert trace_fact_text(fact).endswith("\n")
