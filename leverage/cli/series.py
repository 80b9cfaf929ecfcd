"""What `leverage history` shows: a series of samples under one question, and which commits it samples."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.measure.languages import PURPOSE_OF_KIND, languages
from leverage.model.decisions import Purpose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.measure.series import Part, Sample
    from leverage.sources.githistory import Commit

TOTAL = "total"
BY = (TOTAL, "component", "stage", "divergence", "purpose", "language")
"""What a series is told apart by."""
EVERY = ("commit", "week", "month", "tag")
"""What is sampled; of a week or month, the last commit."""
_LABEL = ("component", "purpose", "stage", "divergence")
"""What stands in the label of a `Part`, in this order."""


@dataclass(frozen=True, slots=True)
class Point:
    """One sample of a series.

    Attributes:
        commit: which.
        files: counted files by what the series is told apart by.
        lines: code lines by convention (its id), then by what the series is told apart by. A convention says nothing
            about languages that it does not know.
        missing: files whose bytes are not at hand; the figures are lower bounds where there are any.
        gap: why nothing is known; empty where something is.
    """

    commit: Commit
    files: Mapping[str, int]
    lines: Mapping[str, Mapping[str, int]]
    missing: int
    gap: str


@dataclass(frozen=True, slots=True)
class Series:
    """A history as it is shown.

    Attributes:
        target: what was asked for.
        location: public place of the repository.
        by: what sizes are told apart by.
        keys: what was found of it, largest in the last sample first.
        everything: whether all purposes are part of it, or production alone.
        convention: the one under which single figures are shown.
        points: samples, oldest first.
        notes: what a reader must know about the whole.
    """

    target: str
    location: str
    by: str
    keys: tuple[str, ...]
    everything: bool
    convention: str
    points: tuple[Point, ...]
    notes: tuple[str, ...]


def purpose_of(part: Part) -> Purpose:
    """What the files of a part are for: as their label says; inside production, by their language."""
    declared = Purpose(part.label[_LABEL.index("purpose")])
    language = languages().get(part.language)
    if declared is not Purpose.PRODUCTION:
        return declared
    return Purpose.DATA if language is None else PURPOSE_OF_KIND.get(language.kind, Purpose.PRODUCTION)


def points_of(samples: Sequence[Sample], by: str, *, everything: bool) -> tuple[Point, ...]:
    """The samples added up by one thing, under every convention."""
    seen: dict[int, tuple[str, tuple[int, ...]] | None] = {}  # samples share their parts

    def valued(part: Part) -> tuple[str, tuple[int, ...]] | None:
        if id(part) not in seen:
            purpose = purpose_of(part)
            wanted = everything or by == "purpose" or purpose is Purpose.PRODUCTION
            sizes = tuple(code_lines(name, part.language, part.lines) or 0 for name in CONVENTIONS)
            seen[id(part)] = (_key(part, by, purpose), sizes) if wanted else None
        return seen[id(part)]

    points = []
    for sample in samples:
        files: dict[str, int] = {}
        sizes: dict[str, list[tuple[int, ...]]] = {}
        for part in sample.parts:
            if (found := valued(part)) is not None:
                key, values = found
                files[key] = files.get(key, 0) + part.files
                sizes.setdefault(key, []).append(values)
        lines = {key: tuple(map(sum, zip(*each, strict=True))) for key, each in sizes.items()}
        table = {name: {key: each[at] for key, each in lines.items()} for at, name in enumerate(CONVENTIONS)}
        points.append(Point(sample.commit, files, table, sample.missing, sample.gap))
    return tuple(points)


def _key(part: Part, by: str, purpose: Purpose) -> str:
    if by == TOTAL:
        return TOTAL
    if by == "purpose":
        return purpose.value
    return part.language if by == "language" else part.label[_LABEL.index(by)]


def keys_of(points: Sequence[Point], convention: str) -> tuple[str, ...]:
    """Everything that the points are told apart by, largest at the end of the series first."""
    largest: dict[str, int] = {}
    for point in points:
        for key, lines in point.lines.get(convention, {}).items():
            largest[key] = max(largest.get(key, 0), lines)
    known = [point for point in points if not point.gap]
    last = known[-1].lines[convention] if known else {}
    return tuple(sorted(largest, key=lambda key: (-last.get(key, 0), -largest[key], key)))


def sampled(commits: Sequence[Commit], every: str, since: str, tagged: Mapping[str, str]) -> tuple[Commit, ...]:
    """The commits of a history that are looked at; the last one is always among them.

    Args:
        commits: all of them, oldest first.
        every: one of `EVERY`.
        since: ISO date from which on they are looked at; empty for all.
        tagged: tag by id of commit.
    """
    kept: dict[str, Commit] = {}
    latest = ""
    for commit in commits:
        latest = max(latest, commit.date)  # clocks go wrong: a commit is no older than the one before it
        if latest[:10] >= since and (every != "tag" or commit.id in tagged):
            kept[_bucket(commit, latest, every)] = commit
    if commits and commits[-1].date[:10] >= since:
        kept.setdefault(commits[-1].id if every == "tag" else _bucket(commits[-1], latest, every), commits[-1])
    return tuple(kept.values())


def _bucket(commit: Commit, day: str, every: str) -> str:
    if every == "month":
        return day[:7]
    if every == "week" and day:
        year, week, _ = date.fromisoformat(day[:10]).isocalendar()
        return f"{year}-{week:02}"
    return commit.id
