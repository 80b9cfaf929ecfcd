"""Traces given to a report and kept in a record, from files to the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from leverage.evidence.traces import read_trace_fact
from leverage.reuse.trace.files import trace_text
from leverage.reuse.trace.values import FileRun, FunctionRun, PackageRun, Side, Trace
from leverage.sources.blobid import blob_id
from tests.unit.cli.conftest import PORT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Place


def traced(place: Place, label: str, below: frozenset[int], content: bytes = PORT["core/a.py"]) -> Path:
    """A trace file of one run: two lines of the port's own function, and some of a function beneath it."""
    mine = FileRun("core/a.py", blob_id(content), 2, 2, frozenset({3}), (FunctionRun("f", 6, 2, frozenset({8})),))
    theirs = FileRun("torch/_inductor/ir.py", "b" * 40, 3, 20, frozenset(), (FunctionRun("g", 1, 20, below),))
    packages = (
        PackageRun("core", Side.OWN, "", (mine,), ()),
        PackageRun("torch", Side.SUBSTRATE, "2.13.0", (theirs,), ()),
    )
    path = place.path / f"{label}.json"
    path.write_text(trace_text(Trace(label, (("python", "3.11.7"),), 1, packages)))
    return path


def leverage_of(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((place.path / "reports/out/report.json").read_text())["leverage"]
    return found


def test_a_trace_that_is_given_is_on_the_page_with_both_of_its_numbers(world: Place) -> None:
    one, two = traced(world, "mlp", frozenset({2, 3})), traced(world, "block", frozenset({3, 4, 5}))
    ran = world.run("report", "--trace", str(one), "--trace", str(two))
    assert ran.code == 0, ran.err
    (found,) = leverage_of(world)
    assert (found["port"], found["own"]["run"], found["substrate"]["run"]) == ("port", 1, 4)
    assert [(model["label"], model["substrate"]) for model in found["models"]] == [("mlp", 2), ("block", 3)]
    page = (world.path / "reports/out/index.html").read_text()
    assert "while 2 models compiled, 4 lines of it ran for 1 own ones" in page
    assert "leverage report --trace mlp.json --trace block.json" in page
    assert str(world.path) not in page


def test_a_trace_of_other_files_is_refused_before_anything_is_written(world: Place) -> None:
    other = traced(world, "other", frozenset({2}), content=b"another revision")
    ran = world.run("report", "--trace", str(other))
    assert ran.code == 2
    assert "the port's files that ran are not those of any system here" in ran.err
    assert world.outputs() == []
    assert world.run("report", "--trace", str(world.path / "repos.yaml")).code == 2


def test_a_recorded_trace_is_used_until_one_is_given_and_dropped_when_the_port_moves(world: Place) -> None:
    one = traced(world, "mlp", frozenset({2, 3}))
    ran = world.run("record", "--into", "kept", "--trace", str(one))
    assert ran.code == 0, ran.err
    assert str(world.path / "kept" / "port+trace.json").endswith(ran.out.splitlines()[-1])
    fact = read_trace_fact(world.path / "kept", "port")
    assert fact is not None
    assert fact.on
    assert world.run("report", "--record", "kept").code == 0
    assert leverage_of(world)[0]["substrate"]["run"] == 2
    assert (
        world.run("report", "--record", "kept", "--trace", str(traced(world, "more", frozenset({1, 2, 3})))).code == 0
    )
    assert leverage_of(world)[0]["substrate"]["run"] == 3
    # A measurement alone leaves the trace where it is; another revision of the port does not use it.
    assert world.run("record", "--into", "kept").code == 0
    assert read_trace_fact(world.path / "kept", "port") == fact
    damaged = world.path / "kept" / "port+trace.json"
    damaged.write_text(damaged.read_text().replace(fact.own[0].blob, "c" * 40))
    assert world.run("report", "--record", "kept").code == 0
    assert leverage_of(world) == []
    assert "the trace of port is not used: it is of another revision" in (
        world.path / "reports/out/report.md"
    ).read_text().replace("\\", "")
    damaged.write_text("{}")
    assert world.run("report", "--record", "kept").code == 2
