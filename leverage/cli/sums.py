"""What `leverage count` adds up: rows of files, sums by language, and each under any convention."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from leverage.measure.conventions import CONVENTIONS, Projected
from leverage.model.files import FileFacts, State
from leverage.model.lines import FIELDS, LineClass, LineCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_VALUES = attrgetter(*FIELDS)


@dataclass(frozen=True, slots=True)
class Row:
    """A file under the path by which it is shown."""

    path: str
    facts: FileFacts

    @property
    def counted(self) -> bool:
        """Whether the file is part of the totals."""
        return self.facts.disposition.state is State.COUNTED and self.facts.lines is not None


@dataclass(frozen=True, slots=True)
class Sum:
    """Counted files of one language; an empty file that has no language stands under the empty id."""

    language: str
    files: int
    counts: LineCounts

    def under(self, convention: str) -> Projected | None:
        """The sum under a convention; None where it does not know the language."""
        return projected(convention, self.language, self.counts)


@dataclass(frozen=True, slots=True)
class Group:
    """Files that are not part of the totals for one reason; ``lines`` are those of the files whose lines are known."""

    state: State
    reason: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Everything about a set of rows.

    Attributes:
        sums: the counted files by language.
        groups: the others by reason, excluded before unknown, most files first.
    """

    sums: tuple[Sum, ...]
    groups: tuple[Group, ...]

    @property
    def files(self) -> int:
        """Counted files."""
        return sum(one.files for one in self.sums)

    @property
    def counts(self) -> LineCounts:
        """Lines of the counted files by class."""
        return add(one.counts for one in self.sums)

    def under(self, convention: str) -> Projected:
        """The counted files under a convention, those left out whose language it does not know."""
        return sum((found for one in self.sums if (found := one.under(convention))), Projected())

    def unanswered(self, convention: str) -> int:
        """Counted files whose language a convention does not know."""
        return sum(one.files for one in self.sums if one.under(convention) is None)

    def of(self, state: State) -> tuple[Group, ...]:
        """The groups of one state."""
        return tuple(group for group in self.groups if group.state is state)


def projected(convention: str, language: str, counts: LineCounts) -> Projected | None:
    """Lines under a convention; None where it does not know the language, unless there is nothing to know."""
    return CONVENTIONS[convention].project(language, counts) if any(_VALUES(counts)) else Projected()


def add(counts: Iterable[LineCounts]) -> LineCounts:
    """The sum; faster than `+` for many."""
    return LineCounts(*map(sum, zip(*map(_VALUES, counts), strict=True)))


def totals(rows: Iterable[Row]) -> Totals:
    """Add rows up."""
    counts: dict[str, list[LineCounts]] = {}
    files: Counter[tuple[State, str]] = Counter()
    lines: Counter[tuple[State, str]] = Counter()
    for row in rows:
        facts = row.facts
        if row.counted and facts.lines is not None:
            counts.setdefault(facts.language, []).append(facts.lines)
        else:
            key = facts.disposition.state, facts.disposition.reason
            files[key] += 1
            lines[key] += max(facts.physical, 0)
    groups = [Group(*key, count, lines[key]) for key, count in files.items()]
    return Totals(
        tuple(Sum(language, len(found), add(found)) for language, found in sorted(counts.items())),
        tuple(sorted(groups, key=lambda group: (group.state.value, -group.files, group.reason))),
    )


def unique(rows: Sequence[Row]) -> list[Row]:
    """The rows without further copies of a content: of equal counted files, the first. Nothing else is left out."""
    seen: set[str] = set()
    kept = []
    for row in rows:
        blob = row.facts.file.blob if row.counted else ""
        if blob not in seen:
            kept.append(row)
        if blob:
            seen.add(blob)
    return kept


def parts_of(sums: Iterable[Sum], convention: str, line_class: LineClass) -> list[str]:
    """What a convention calls lines of a class in the given languages; several words where the languages differ."""
    rule = CONVENTIONS[convention]
    known = [one.language for one in sums if one.counts[line_class] and rule.knows(one.language)]
    return list(dict.fromkeys(rule.part(language, line_class).value for language in known))
