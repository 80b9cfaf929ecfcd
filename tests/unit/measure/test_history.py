"""Histories measured by what each commit changed: every sample equals counting its commit alone."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from leverage.measure.cache import Cache
from leverage.measure.history import measure_history
from leverage.measure.pipeline import measure
from leverage.measure.series import LeftOut, Sample
from leverage.model.files import State
from leverage.model.lines import LineCounts
from leverage.sources.githistory import History
from leverage.sources.gitlocal import open_commit
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from leverage.measure.series import Label

Sums = dict[tuple["Label", str], tuple[int, LineCounts]]


def whole(path: str) -> Label | None:
    return (path.partition("/")[0] if "/" in path else ".",)


def inside(path: str) -> Label | None:
    return ("core",) if path.startswith("core/") else None


def alone(repository: Path, commit: str, label: Callable[[str], Label | None]) -> tuple[Sums, dict[LeftOut, int]]:
    """The commit counted by the code that counts a single tree."""
    source = open_commit(repository, commit, location="x", answered_by="x")
    files = [file for file in source.snapshot.files if label(file.path) is not None]
    sums: Sums = {}
    left: dict[tuple[State, str], int] = {}
    for fact in measure(source, files, context=source.snapshot.files):
        if fact.disposition.state is State.COUNTED and fact.lines is not None:
            key = label(fact.file.path) or (), fact.language
            files_before, lines = sums.get(key, (0, LineCounts()))
            sums[key] = files_before + 1, lines + fact.lines
        else:
            reason = fact.disposition.state, fact.disposition.reason
            left[reason] = left.get(reason, 0) + 1
    return sums, {LeftOut(*reason, files): files for reason, files in left.items()}


def series(
    repository: Repository,
    label: Callable[[str], Label | None] = whole,
    *,
    cache: Cache | None = None,
    every: int = 1,
    scope: str = "s",
) -> list[Sample]:
    with History(repository.git_directory / "objects", repository.git("rev-parse", "HEAD")) as history:
        commits, _ = history.commits()
        return list(measure_history(history, commits[::-every][::-1], label, scope=scope, cache=cache))


def check(repository: Repository, samples: list[Sample], label: Callable[[str], Label | None] = whole) -> None:
    for sample in samples:
        sums, left = alone(repository.path, sample.commit.id, label)
        assert {(part.label, part.language): (part.files, part.lines) for part in sample.parts} == sums
        assert {one: one.files for one in sample.left_out} == left


def grown(repository: Repository) -> None:
    """A history in which every thing that decides how a file counts changes at least once."""
    repository.commit({"core/a.py": b'"""d"""\nx = 1\n', "core/h.h": b"int a;\n", "run": b"#!/bin/sh\necho\n"})
    repository.commit({"core/c.cpp": b"int b;\n"})  # the header is C++ from here on
    repository.commit(
        {"core/c.c": b"int b;\n", "other/k.c": b"int k;\n", "third/l.c": b"int l;\n"}
    )  # and doubtful here
    repository.commit({".gitattributes": b"core/a.py linguist-generated\n*.zzz linguist-language=Python\n"})
    repository.commit({"core/q.zzz": b"x = 1\n# c\n", "core/b.bin": b"\0\1"})
    repository.git("mv", "core", "moved")
    repository.commit({})
    repository.commit({".gitattributes": b"", "moved/inner/.gitattributes": b"*.py linguist-vendored\n"})
    repository.commit({"moved/inner/d.py": b"y = 2\n"})
    repository.git("rm", "-q", "moved/c.cpp", "moved/inner/.gitattributes")
    repository.commit({"lone.h": b"int c;\n"})
    repository.git("mv", "moved", "core")
    repository.commit({"core/empty.py": b"", "core/link.h": b"int z;\n"})


def test_every_sample_is_what_counting_the_commit_alone_gives(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    grown(repository)
    for label in (whole, inside):
        samples = series(repository, label)
        assert len(samples) == 10
        check(repository, samples, label)


def test_the_figures_are_those_worked_out_by_hand(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    grown(repository)
    samples = series(repository)
    first = {(part.label, part.language): (part.files, part.lines.code) for part in samples[0].parts}
    assert first == {(("core",), "python"): (1, 1), (("core",), "c"): (1, 1), ((".",), "shell"): (1, 1)}
    second = {part.language: part.files for part in samples[1].parts if part.label == ("core",)}
    assert second == {"python": 1, "cpp": 2}


@pytest.mark.parametrize("every", [1, 2, 3, 20])
def test_sampling_changes_nothing(every: int, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    grown(repository)
    assert series(repository, every=every) == series(repository)[::-every][::-1]


@pytest.mark.parametrize("seed", range(4))
def test_random_histories_equal_their_recount(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.measure.history.STRETCH", 5)
    monkeypatch.setattr("leverage.measure.history._WINDOW", 6)
    chance = random.Random(seed)  # noqa: S311 - the same every time
    repository = Repository(tmp_path / "r")
    names = ["a.h", "a.c", "a.cpp", "d/a.h", "d/b.c", "d/b.inc", "d/c.mm", "x.py", "d/x.py", ".gitattributes"]
    rules = [b"*.py linguist-vendored\n", b"d/* linguist-generated\n", b"*.inc linguist-language=C\n", b""]
    for _ in range(23):
        gone = [name for name in names if chance.random() < 0.2 and (repository.path / name).exists()]
        for name in gone:
            (repository.path / name).unlink()
        written = {
            name: chance.choice(rules) if name.startswith(".") else b"int x;\n" * chance.randint(0, 3) + b"// c\n"
            for name in names
            if chance.random() < 0.25
        }
        repository.commit(written)
    with Cache(tmp_path / "counts.sqlite") as cache:
        samples = series(repository, cache=cache)
        check(repository, samples)
        assert series(repository, cache=cache) == samples
    # An interrupted run leaves whole stretches: what follows starts from a tree that was never stepped to.
    with Cache(tmp_path / "counts.sqlite") as cache:
        repository.commit({"d/new.py": b"z = 1\n"})
        again = series(repository, cache=cache)
        assert again[:-1] == samples
        check(repository, again[-1:])


def test_a_warm_run_reads_no_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "r")
    grown(repository)
    with Cache(tmp_path / "counts.sqlite") as cache:
        cold = series(repository, cache=cache)
        monkeypatch.setattr(History, "changes", None)
        assert series(repository, cache=cache) == cold
        with pytest.raises(TypeError):
            series(repository, cache=cache, scope="another")


def test_contents_that_are_not_at_hand_are_told_and_found_when_they_come(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit({"core/a.py": b"x = 1\n", "core/b.py": b"y = 1\n"})
    repository.commit({"core/a.py": b"x = 1\nz = 2\n"})
    loose = repository.loose(repository.git("rev-parse", "HEAD:core/b.py"))
    kept = loose.read_bytes()
    loose.unlink()
    with Cache(tmp_path / "counts.sqlite") as cache:
        short = series(repository, cache=cache)
        assert [sample.missing for sample in short] == [1, 1]
        assert [sample.parts[0].lines.code for sample in short] == [1, 2]
        assert series(repository, cache=cache) == short
        loose.write_bytes(kept)
        healed = series(repository, cache=cache)
    assert [sample.missing for sample in healed] == [0, 0]
    assert [sample.parts[0].lines.code for sample in healed] == [2, 3]


def test_a_commit_whose_tree_is_gone_is_a_gap_and_the_next_is_whole(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit({"core/a.py": b"x = 1\n", "top.py": b"t = 1\n"})
    repository.commit({"core/a.py": b"x = 1\ny = 2\n", "top.py": b"t = 2\n"})
    repository.commit({"core/a.py": b"x = 1\ny = 2\nz = 3\n"})
    repository.loose(repository.git("rev-parse", "HEAD~1:core")).unlink()
    with Cache(tmp_path / "counts.sqlite") as cache:
        first, gap, last = series(repository, cache=cache)
        assert series(repository, cache=cache) == [first, gap, last]
    assert sum(part.lines.code for part in first.parts) == 2
    assert (gap.parts, bool(gap.gap)) == ((), True)
    assert sum(part.lines.code for part in last.parts) == 4
    check(repository, [first, last])
