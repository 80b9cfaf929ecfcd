"""Twenty members of the default grid, drawn at random, recounted from git objects by a second path.

Needs local copies of the default systems (LEVERAGE_MIRRORS, as `leverage report --mirror` takes it) and takes minutes
the first time, since both paths count everything.
"""

from __future__ import annotations

import os
import random
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from leverage.claims.members import DISTINCT, FOLDED, whole_grid
from leverage.claims.select import Side
from leverage.evidence.build import build
from leverage.evidence.collect import collect
from leverage.model.amounts import Amount
from leverage.sources.opening import open_source
from leverage.spec.load import load_spec
from leverage.spec.mirrors import mirrors_from
from leverage.spec.select import Selector
from leverage.spec.types import GitSource
from tests import recount

if TYPE_CHECKING:
    from leverage.evidence.facts import SystemFacts

ROOT = Path(__file__).parents[3]
SEED = 20_260_624
pytestmark = pytest.mark.real


def inside(selector: Selector, path: str) -> bool:
    return selector.component(path) is not None


def test_twenty_members_recounted_from_git_objects_agree_exactly(tmp_path: Path) -> None:
    mirrors = mirrors_from(None, os.environ)
    if not mirrors:
        pytest.skip("LEVERAGE_MIRRORS is not set")
    loaded = load_spec(ROOT / "repos.yaml")
    spec = loaded.spec
    assert spec.compare is not None
    sides = [
        name
        for name, system in spec.systems.items()
        if isinstance(system.source, GitSource) and spec.compare.left in {name, system.stands_in_for}
    ]
    sides.append(spec.compare.right)
    owners = {
        entry.rpartition(".")[0] or side
        for side in sides
        for entries in spec.systems[side].boundaries.values()
        for entry in entries
    }
    facts: dict[str, SystemFacts] = {}
    counted: dict[str, list[recount.Counted]] = {}
    for name in sorted(owners):
        system = spec.systems[name]
        if not isinstance(system.source, GitSource):
            continue  # the substrate comes from a package index: no git objects
        with open_source(
            system.source,
            base=ROOT,
            store=tmp_path,
            mirrors=mirrors,
            offline=True,
            wanted=partial(inside, Selector(system)),
        ) as source:
            facts[name] = collect(loaded, name, source, cache=None, jobs=1, witness=False)
        place = next(mirrors[url] for url in (system.source.git, *system.source.also) if url in mirrors)
        counted[name] = recount.count_system(system, place, system.source.commit)
    evidence = build(loaded, facts, {}, {})
    started = time.perf_counter()
    grid = whole_grid(evidence)
    assert time.perf_counter() - started < 1  # a fifth of it on an idle machine
    known = [
        row
        for row in grid.rows
        if row.member.place["unit"] not in recount.ONE_PATH and row.member.place["copies"] == "in"
    ]
    comparable = [row for row in known if row.standing in {DISTINCT, FOLDED}]
    drawn = random.Random(SEED).sample(comparable, 20)  # noqa: S311 - a fixed draw
    agreed = 0
    for row in drawn:
        for pair in row.pairs:
            for where, found in ((pair.left, pair.numerator), (pair.right, pair.denominator)):
                if isinstance(where, Side) and isinstance(found, Amount):
                    again = recount.amount(spec, where.system, row.member.denominator, counted)
                    assert found.value == again, (row.member.id, where.name)
                    agreed += 1
    assert agreed >= 2 * len(drawn)
