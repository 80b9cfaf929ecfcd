"""What a history comes to: for each commit its counted files, added up by label and language, and what was left out.

A label is whatever the caller wants files told apart by; this layer does not know what it means. Commits that follow
one another share nearly all of their sums, so a stretch of them is kept as one text that holds each sum once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from leverage.measure.tree import DECIDED
from leverage.model.files import State
from leverage.model.lines import FIELDS, LineCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.sources.githistory import Commit

Label = tuple[str, ...]

_CLASSES = attrgetter(*FIELDS)


@dataclass(frozen=True, slots=True)
class Part:
    """The counted files of one label and language (units: files, lines by class)."""

    label: Label
    language: str
    files: int
    lines: LineCounts


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """Labelled files that are not counted, for one reason; the reasons are those of `FileFacts.disposition`."""

    state: State
    reason: str
    files: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One commit of a series.

    Attributes:
        commit: which.
        parts: its counted files, sorted by label and language.
        left_out: its other files inside the labels, sorted.
        gap: why nothing is known about it; empty where something is. A gap is no zero.
        lacking: ids of the contents that are not at hand, sorted; every sum is a lower bound where there are any.
    """

    commit: Commit
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]
    gap: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """Files whose bytes are not at hand."""
        return sum(one.files for one in self.left_out if one.state is State.UNKNOWN and one.reason not in DECIDED)


def text_of(samples: Sequence[Sample]) -> str:
    """The samples without their commits; an empty text where one of them is a gap and may be none tomorrow."""
    if any(sample.gap for sample in samples):
        return ""
    labels: dict[Label, int] = {}
    parts: dict[int, int] = {}  # samples share their parts, so that they are told apart by what they are
    rows: list[list[object]] = []
    commits = []
    for sample in samples:
        for part in sample.parts:
            if id(part) not in parts:
                parts[id(part)] = len(rows)
                label = labels.setdefault(part.label, len(labels))
                rows.append([label, part.language, part.files, *_CLASSES(part.lines)])
        left = [[one.state, one.reason, one.files] for one in sample.left_out]
        commits.append([[parts[id(part)] for part in sample.parts], left, sample.lacking])
    return json.dumps({"labels": list(labels), "parts": rows, "commits": commits}, separators=(",", ":"))


def samples_of(text: str, commits: Sequence[Commit]) -> list[Sample]:
    """The samples that a text of `text_of` holds about the commits."""
    kept = json.loads(text)
    labels = [tuple(label) for label in kept["labels"]]
    parts = [
        Part(labels[label], language, files, LineCounts(*classes)) for label, language, files, *classes in kept["parts"]
    ]
    return [
        Sample(
            commit,
            tuple(parts[number] for number in numbers),
            tuple(LeftOut(State(state), reason, files) for state, reason, files in left),
            lacking=tuple(lacking),
        )
        for commit, (numbers, left, lacking) in zip(commits, kept["commits"], strict=True)
    ]
