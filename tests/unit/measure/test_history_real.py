"""Histories of real repositories: samples equal the recount of their commits."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from leverage.measure.cache import Cache
from leverage.measure.history import measure_history
from leverage.measure.pipeline import measure
from leverage.measure.series import Label, LeftOut
from leverage.model.files import State
from leverage.model.lines import LineCounts
from leverage.sources.githistory import History
from leverage.sources.gitlocal import open_commit
from leverage.sources.gitplace import find_repository, head_commit

pytestmark = pytest.mark.real
RECOUNTED = 10


def label(path: str) -> Label:
    return (path.partition("/")[0],)


@pytest.mark.parametrize("name", ["AdnanHoque+torch-spyre", "tenstorrent+tt-buda", "MooreThreads+torch_musa"])
def test_ten_commits_chosen_at_random_equal_their_recount(name: str, tmp_path: Path) -> None:
    folder = Path(os.environ["LEVERAGE_MIRRORS"]) / name / "repo"
    repository = find_repository(folder)
    assert repository is not None
    with (
        History(repository.objects, head_commit(repository)) as history,
        Cache(tmp_path / "counts.sqlite") as cache,
    ):
        commits, _ = history.commits()
        samples = list(measure_history(history, commits, label, scope="", cache=cache, jobs=2))
    assert [sample.commit for sample in samples] == list(commits)
    for sample in random.sample(samples, min(RECOUNTED, len(samples))):
        source = open_commit(folder, sample.commit.id, location=name, answered_by=name)
        sums: dict[tuple[Label, str], tuple[int, LineCounts]] = {}
        left: dict[tuple[State, str], int] = {}
        for fact in measure(source, source.snapshot.files, context=source.snapshot.files):
            if fact.disposition.state is State.COUNTED and fact.lines is not None:
                files, lines = sums.get(key := (label(fact.file.path), fact.language), (0, LineCounts()))
                sums[key] = files + 1, lines + fact.lines
            else:
                reason = fact.disposition.state, fact.disposition.reason
                left[reason] = left.get(reason, 0) + 1
        found = {(part.label, part.language): (part.files, part.lines) for part in sample.parts}
        assert found == sums, sample.commit.id
        assert set(sample.left_out) == {LeftOut(*reason, files) for reason, files in left.items()}
