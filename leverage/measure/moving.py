"""A tree that moves from commit to commit: what has to be asked again after a change, and the sums as they change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import add, attrgetter, sub
from typing import TYPE_CHECKING

from leverage.measure.attributes import NAME, Attributes, Marks
from leverage.measure.languages import Context, Question, evidence
from leverage.measure.pipeline import Ask, asked_of, facts_about
from leverage.measure.screen import screen_entry
from leverage.measure.series import Label, LeftOut, Part, Sample
from leverage.measure.tree import DECIDED
from leverage.model.files import EntryKind, FileFacts, SourceFile, State
from leverage.model.lines import FIELDS, LineCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from leverage.measure.cache import Key
    from leverage.measure.pipeline import Result
    from leverage.sources.base import Missing
    from leverage.sources.githistory import Changes, Commit, Entry

_CLASSES = attrgetter(*FIELDS)
_UNMARKED = Marks()

_Place = tuple[Label, str]  # label and language


@dataclass(frozen=True, slots=True)
class Event:
    """A labelled file as it stands after a commit that changed it or what decides about it.

    Attributes:
        label: what it is told apart by.
        file: the tree entry.
        marks: what the attributes say about it.
        ask: what is asked about its bytes; None where the kind of the entry decides.
    """

    label: Label
    file: SourceFile
    marks: Marks
    ask: Ask | None

    def facts(self, results: Mapping[Key, Result]) -> FileFacts:
        """What was measured about it."""
        return facts_about(self.file, self.marks, self.ask, results)


class MovingTree:
    """All entries of a tree, and what decides how the labelled ones are counted.

    Args:
        read: the contents of blobs, in their order.
        label: what a path is told apart by; None where it is not part of what is measured.
    """

    def __init__(
        self, read: Callable[[Iterable[str]], Iterator[bytes | Missing]], label: Callable[[str], Label | None]
    ) -> None:
        self._read = read
        self._label = label
        self._labels: dict[str, Label | None] = {}
        self._entries: dict[str, Entry] = {}
        self._asked: dict[str, Event] = {}  # labelled files
        self._doubtful: dict[str, set[str]] = {}  # folder -> labelled files whose language their neighbours decide
        self._around = _Around()
        self._attributes = Attributes()

    def step(self, changes: Changes) -> dict[str, Event | None]:
        """Take in what a commit changed; the labelled files to count anew, None where one is gone."""
        majority, folders = self._around.majority, set()
        marked = False
        for path, entry in changes.items():
            before = self._entries.get(path)
            folders |= self._around.moved(path, before, entry)
            marked = marked or path.rpartition("/")[2] == NAME
            if entry is None:
                self._entries.pop(path, None)
            else:
                self._entries[path] = entry
        again = dict.fromkeys(changes)
        if marked:
            self._attributes = Attributes.of(self._attribute_files())
            again.update(dict.fromkeys(self._entries))
        else:
            if majority != self._around.majority:
                folders.update(self._doubtful)
            for folder in folders:
                again.update(dict.fromkeys(sorted(self._doubtful.get(folder, ()))))
        return dict(self._events(again))

    def _attribute_files(self) -> Iterator[tuple[str, bytes]]:
        wanted = [
            (path, entry.blob)
            for path, entry in self._entries.items()
            if path.rpartition("/")[2] == NAME and entry.kind is EntryKind.FILE
        ]
        contents = self._read(blob for _, blob in wanted)
        yield from ((path, data) for (path, _), data in zip(wanted, contents, strict=True) if isinstance(data, bytes))

    def _events(self, paths: Iterable[str]) -> Iterator[tuple[str, Event | None]]:
        for path in paths:
            before, after = self._asked.get(path), self._event(path)
            if before == after:
                continue
            folder = path.rpartition("/")[0]
            if after is None:
                del self._asked[path]
                self._doubtful.get(folder, set()).discard(path)
            else:
                self._asked[path] = after
                if after.ask is not None and isinstance(after.ask.asked, Question):
                    self._doubtful.setdefault(folder, set()).add(path)
                else:
                    self._doubtful.get(folder, set()).discard(path)
            yield path, after

    def _event(self, path: str) -> Event | None:
        entry = self._entries.get(path)
        label = self._labelled(path) if entry is not None else None
        if entry is None or label is None:
            return None
        file = SourceFile(path, entry.blob, -1, entry.kind)
        found = self._attributes.marks(path) if self._attributes.rules else _UNMARKED
        marks = found if found.values else _UNMARKED
        ask = Ask(file, asked_of(path, marks, self._around.context)) if screen_entry(file) is None else None
        return Event(label, file, marks, ask)

    def _labelled(self, path: str) -> Label | None:
        if path not in self._labels:
            self._labels[path] = self._label(path)
        return self._labels[path]


class _Around:
    """The `Context` of a tree, kept up as it changes."""

    def __init__(self) -> None:
        self._stems: dict[str, Counter[str]] = {}
        self._folders: dict[str, Counter[str]] = {}
        self._votes: Counter[str] = Counter()
        self.context = Context()

    @property
    def majority(self) -> str:
        """Language of most C-family sources."""
        return self.context.majority

    def moved(self, path: str, before: Entry | None, after: Entry | None) -> set[str]:
        """Take in a change; the folders in which it may decide differently about doubtful files."""
        was = before is not None and before.kind is EntryKind.FILE
        is_ = after is not None and after.kind is EntryKind.FILE
        language = evidence(path) if was != is_ else ""
        if not language:
            return set()
        stem = path.rpartition(".")[0]
        folder = stem.rpartition("/")[0]
        step = 1 if is_ else -1
        for table, key in ((self._stems, stem), (self._folders, folder)):
            counter = table.setdefault(key, Counter())
            counter[language] += step
            if not counter[language]:
                del counter[language]
            if not counter:
                del table[key]
        self._votes[language] += step
        if not self._votes[language]:
            del self._votes[language]
        majority = min(self._votes, key=lambda one: (-self._votes[one], one), default="")
        if majority != self.majority:
            self.context = Context(self._stems, self._folders, majority)
        return {folder}


class MovingSums:
    """Labelled files added up, one at a time put in, changed or taken out."""

    def __init__(self) -> None:
        self._counted: dict[str, tuple[_Place, tuple[int, ...]]] = {}
        self._uncounted: dict[str, tuple[State, str]] = {}
        self._lacking: dict[str, str] = {}  # path -> content that is not at hand
        self._sums: dict[_Place, list[int]] = {}
        self._parts: dict[_Place, Part] = {}  # those that did not change since they were shown
        self._left: Counter[tuple[State, str]] = Counter()

    def put(self, path: str, label: Label, fact: FileFacts) -> None:
        """Let a file stand at a path, in place of what stood there."""
        self.drop(path)
        disposition = fact.disposition
        if disposition.state is State.COUNTED and fact.lines is not None:
            place = label, fact.language
            values = (1, *_CLASSES(fact.lines))
            sums = self._sums.setdefault(place, [0] * len(values))
            sums[:] = map(add, sums, values)
            self._parts.pop(place, None)
            self._counted[path] = place, values
        else:
            reason = disposition.state, disposition.reason
            self._left[reason] += 1
            self._uncounted[path] = reason
            if disposition.state is State.UNKNOWN and disposition.reason not in DECIDED:
                self._lacking[path] = fact.file.blob

    def drop(self, path: str) -> None:
        """Let nothing stand at a path."""
        if reason := self._uncounted.pop(path, None):
            self._left[reason] -= 1
            self._lacking.pop(path, None)
        if (held := self._counted.pop(path, None)) is None:
            return
        place, values = held
        sums = self._sums[place]
        sums[:] = map(sub, sums, values)
        self._parts.pop(place, None)
        if not sums[0]:
            del self._sums[place]

    def sample(self, commit: Commit) -> Sample:
        """The sums as they stand; a sum that did not change is the same object as in the sample before."""
        for place, sums in self._sums.items():
            if place not in self._parts:
                (label, language), (files, *classes) = place, sums
                self._parts[place] = Part(label, language, files, LineCounts(*classes))
        left = [LeftOut(state, reason, files) for (state, reason), files in self._left.items() if files]
        parts = tuple(self._parts[place] for place in sorted(self._sums))
        return Sample(commit, parts, tuple(sorted(left)), lacking=tuple(sorted(set(self._lacking.values()))))
