"""Sizes along a history: the first tree is measured, and then nothing but what each commit changed.

A file is asked again where its bytes, its attributes or the sources beside it changed, by the code that measures a
single tree; so the sums of a commit are what measuring it alone gives. A stretch of commits that was measured before is
one look-up. What is held in memory is one tree and one stretch, however long the history is.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING

from leverage.measure.moving import MovingSums, MovingTree
from leverage.measure.pipeline import keep, result_of
from leverage.measure.series import Sample, samples_of, text_of
from leverage.measure.version import code_version
from leverage.measure.workers import Workers
from leverage.sources.base import Missing, Progress, silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from leverage.measure.cache import Cache, Key
    from leverage.measure.moving import Event
    from leverage.measure.pipeline import Ask, Result
    from leverage.measure.series import Label
    from leverage.sources.githistory import Changes, Commit, History

STRETCH = 100
"""Commits that are measured and kept together."""
_WINDOW = 20_000  # files asked about before they are measured: the bound on memory
_BATCH = 1_000  # results kept in one transaction of the cache


def measure_history(
    history: History,
    commits: Sequence[Commit],
    label: Callable[[str], Label | None],
    *,
    scope: str,
    cache: Cache | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Iterator[Sample]:
    """Measure commits of a history in their order; every one of them gives a sample, be it a gap.

    Args:
        history: where trees and contents come from.
        commits: which commits, oldest first; any may be left out.
        label: what a path is told apart by; None where it is not part of what is measured.
        scope: names everything that ``label`` depends on.
        cache: results of earlier runs, or None.
        jobs: worker processes; 1 works in this one.
        progress: receives lines for people.
    """
    measuring = _Measuring(history, label, cache)
    with Workers(jobs) as workers:
        for start in range(0, len(commits), STRETCH):
            progress(f"counting {len(commits):,} commits, {start:,} done")
            stretch = commits[start : start + STRETCH]
            key = _key(scope, stretch)
            if cache is not None and (samples := _kept(cache, key, stretch, history)):
                yield from samples
                continue
            samples = list(measuring.measured(stretch, workers))
            if cache is not None and (text := text_of(samples)):
                cache.note({key: text})
            yield from samples


def _kept(cache: Cache, key: str, commits: Sequence[Commit], history: History) -> list[Sample]:
    """What is known about a stretch; nothing where contents that it lacked are at hand by now."""
    if not (text := cache.notes([key]).get(key, "")):
        return []
    samples = samples_of(text, commits)
    lacking = sorted({blob for sample in samples for blob in sample.lacking})
    return samples if all(isinstance(data, Missing) for data in history.contents(lacking)) else []


def _key(scope: str, commits: Sequence[Commit]) -> str:
    digest = hashlib.sha256(f"{scope}\0{code_version()}".encode())
    for commit in commits:
        digest.update(commit.tree.encode())
    return f"history {digest.hexdigest()}"


class _Measuring:
    """One pass over a history."""

    def __init__(self, history: History, label: Callable[[str], Label | None], cache: Cache | None) -> None:
        self._history = history
        self._cache = cache
        self._tree = ""
        self._state = MovingTree(history.contents, label)
        self._sums = MovingSums()

    def measured(self, commits: Sequence[Commit], workers: Workers) -> Iterator[Sample]:
        window: list[tuple[Commit, dict[str, Event | None] | Missing]] = []
        size = 0
        for commit, changes in self._changes(commits):
            events = changes if isinstance(changes, Missing) else self._state.step(changes)
            size += 0 if isinstance(events, Missing) else len(events)
            window.append((commit, events))
            if size > _WINDOW:
                yield from self._counted(window, workers)
                window, size = [], 0
        yield from self._counted(window, workers)

    def _changes(self, commits: Sequence[Commit]) -> Iterator[tuple[Commit, Changes | Missing]]:
        """What changed up to each commit since the last one that could be read."""
        trees = [self._tree, *(commit.tree for commit in commits)]
        found = self._history.changes(list(pairwise(trees)))
        broken = any(isinstance(changes, Missing) for changes in found)
        for commit, ahead in zip(commits, found, strict=True):
            changes = self._history.changes([(self._tree, commit.tree)])[0] if broken else ahead
            if not isinstance(changes, Missing):
                self._tree = commit.tree
            yield commit, changes

    def _counted(
        self, window: list[tuple[Commit, dict[str, Event | None] | Missing]], workers: Workers
    ) -> Iterator[Sample]:
        asks = [
            event.ask
            for _, events in window
            if not isinstance(events, Missing)
            for event in events.values()
            if event is not None and event.ask is not None
        ]
        results = self._results(asks, workers)
        for commit, events in window:
            if isinstance(events, Missing):
                yield Sample(commit, (), (), events.detail)
                continue
            for path, event in events.items():
                if event is None:
                    self._sums.drop(path)
                else:
                    self._sums.put(path, event.label, event.facts(results))
            yield self._sums.sample(commit)

    def _results(self, asks: Iterable[Ask], workers: Workers) -> Mapping[Key, Result]:
        wanted = {ask.key: ask for ask in asks}
        known: dict[Key, Result] = dict(self._cache.get(wanted)) if self._cache is not None else {}
        unknown = [ask for key, ask in wanted.items() if key not in known]
        contents = self._history.contents(ask.file.blob for ask in unknown)
        stream = ((ask.key, ask.asked, data) for ask, data in zip(unknown, contents, strict=True))
        batch: dict[Key, Result] = {}
        for key, result in workers.map(result_of, stream):
            batch[key] = known[key] = result
            if len(batch) >= _BATCH:
                keep(self._cache, batch)
                batch = {}
        keep(self._cache, batch)
        return known
