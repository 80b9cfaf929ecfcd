"""The release index: every name of a substrate in a series of releases, each form of it with the releases it lasts.

The file is text, compressed with xz. Its first line is a JSON object that says what it is; then come modules, in the
order of their names, each a line ``@name``, its runs and the runs in which it may hold names that nobody can see, and
below it one line for each form of each name. Columns end with a tab: path, run, and the fields of `Entry`. A path that
begins with a dot continues the last class; an empty one is another form of the same name, and a field ``=`` is as in
the form before. A run is two digits in base 36, the numbers of its first and last release. Lines of a module are looked
at when it is asked for.
"""

from __future__ import annotations

import json
import lzma
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from leverage.coupling.releases.build import OUTLINED
from leverage.coupling.releases.extract import Entry, Sort
from leverage.coupling.releases.normalise import NORMALISER
from leverage.model.errors import ConfigurationError, Location, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.coupling.releases.extract import ModuleFacts

FORMAT = 1
MOST_BYTES = 256 * 2**20
"""Bytes of an index that is unpacked."""
MOST_RELEASES = 36
_METHOD = re.compile(r"^[\w.]*\.(\w+)\t\w\w\tf\t", re.MULTILINE)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FIELDS = tuple(each.name for each in fields(Entry))
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 32 * 2**20, "lc": 4, "pb": 0}]

Runs = tuple[tuple[int, int], ...]
"""Numbers of first and last release, both included, in order."""
Forms = tuple[tuple[int, int, Entry], ...]
"""First release, last release, and the form between them, in order."""


@dataclass(frozen=True, slots=True)
class Release:
    """One release of an index.

    Attributes:
        version: as the package calls it: ``2.11.0``.
        origin: the artifact or folder that was read, by its name alone.
    """

    version: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class ModuleForms:
    """One module through the releases.

    Attributes:
        runs: releases that have it.
        open: releases in which it may hold names that its source does not show.
        names: forms of each name, by its path inside the module.
    """

    runs: Runs
    open: Runs
    names: Mapping[str, Forms]

    def entry(self, path: str, release: int) -> Entry | None:
        """The form of a name in a release; None where it is not there."""
        for first, last, entry in self.names.get(path, ()):
            if first <= release <= last:
                return entry
        return None

    def stars(self, release: int) -> list[str]:
        """Modules of which this one takes over all names."""
        return [
            entry.text
            for path, forms in self.names.items()
            if path.startswith("*")
            for first, last, entry in forms
            if first <= release <= last
        ]


def within(runs: Runs, release: int) -> bool:
    """Whether one of the runs holds a release."""
    return any(first <= release <= last for first, last in runs)


@dataclass(slots=True)
class Series:
    """An index that was opened.

    Attributes:
        substrate: import name of the package.
        releases: in order.
        outlined: packages of which it has the modules alone.
    """

    substrate: str
    releases: tuple[Release, ...]
    outlined: tuple[str, ...]
    _blocks: dict[str, str]
    _read: dict[str, ModuleForms] = field(default_factory=dict)
    _methods: dict[str, tuple[str, ...]] | None = None
    _mentioned: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def versions(self) -> tuple[str, ...]:
        """Versions of the releases, in order."""
        return tuple(each.version for each in self.releases)

    def module(self, name: str) -> ModuleForms | None:
        """A module through the releases; None where no release has it."""
        if name not in self._blocks:
            return None
        if name not in self._read:
            self._read[name] = _module(self._blocks[name])
        return self._read[name]

    def is_outlined(self, module: str) -> bool:
        """Whether nothing but its name is kept of a module."""
        return f"{module}.".startswith(tuple(f"{package}." for package in self.outlined))

    def defining(self, name: str) -> tuple[str, ...]:
        """Modules in which some class defines a method of a name."""
        if self._methods is None:
            every: dict[str, dict[str, None]] = {}
            for module, block in self._blocks.items():
                for method in _METHOD.findall(block):
                    every.setdefault(method, {})[module] = None
            self._methods = {method: tuple(modules) for method, modules in every.items()}
        return self._methods.get(name, ())

    def mentions(self, text: str) -> tuple[str, ...]:
        """Modules in which some form of some name has this very text, such as the place it is imported from."""
        if text not in self._mentioned:
            cell = f"\t{text}"
            self._mentioned[text] = tuple(
                name
                for name, block in self._blocks.items()
                if cell in block and (f"{cell}\n" in block or f"{cell}\t" in block or block.endswith(cell))
            )
        return self._mentioned[text]


def series_of(substrate: str, found: Sequence[tuple[Release, Mapping[str, ModuleFacts]]]) -> str:
    """The text of an index.

    Args:
        substrate: import name of the package.
        found: releases in order, each with its modules by name.

    Raises:
        ValueError: there are none, or too many.
    """
    if not 0 < len(found) <= MOST_RELEASES:
        raise ValueError(f"an index holds 1 to {MOST_RELEASES} releases")
    head = {
        "leverage-index": FORMAT,
        "normaliser": NORMALISER,
        "substrate": substrate,
        "outlined": list(OUTLINED.get(substrate, ())),
        "releases": [{"version": release.version, "origin": release.origin} for release, _ in found],
    }
    lines = [json.dumps(head, separators=(",", ":"))]
    for name in sorted({name for _, modules in found for name in modules}):
        several = [modules.get(name) for _, modules in found]
        there = _runs([each is not None for each in several])
        unseen = _runs([each is not None and each.open for each in several])
        lines.append(f"@{name}\t{there}\t{unseen}".rstrip("\t"))
        lines += _names(several)
    return "\n".join(lines) + "\n"


def _runs(flags: Sequence[bool]) -> str:
    """Where flags are set: ``0359`` for 0 to 3 and 5 to 9."""
    text, start = "", -1
    for at, flag in enumerate([*flags, False]):
        if flag and start < 0:
            start = at
        elif not flag and start >= 0:
            text += _DIGITS[start] + _DIGITS[at - 1]
            start = -1
    return text


def _names(several: Sequence[ModuleFacts | None]) -> list[str]:
    lines: list[str] = []
    owner = ""
    for path in sorted(
        {path for facts in several if facts for path in facts.entries}, key=lambda path: path.split(".")
    ):
        forms = [facts.entries.get(path) if facts else None for facts in several]
        before: tuple[str, ...] = ()
        prefix = path.removeprefix(owner) if owner and path.startswith(f"{owner}.") else path
        at = 0
        while at < len(forms):
            entry = forms[at]
            last = at
            while last + 1 < len(forms) and forms[last + 1] == entry:
                last += 1
            if entry is not None:
                cells = _cells(entry)
                told = (
                    [old if old != new or not new else "=" for old, new in zip(cells, before, strict=True)]
                    if before
                    else list(cells)
                )
                lines.append("\t".join([prefix, _DIGITS[at] + _DIGITS[last], *told]).rstrip("\t"))
                before, prefix = cells, ""
                if entry.sort is Sort.CLASS:
                    owner = path
            at = last + 1
    return lines


def _cells(entry: Entry) -> tuple[str, ...]:
    """Fields as text on one line; a tab or line end inside one becomes a space."""
    cells = (entry.sort.value, entry.text, entry.marks, entry.body, entry.note, str(entry.line or ""))
    return tuple(" ".join(cell.split()) if not cell.isprintable() else cell for cell in cells)


def packed(text: str) -> bytes:
    """An index as the bytes of its file; the same text gives the same bytes."""
    return lzma.compress(text.encode("utf-8", "backslashreplace"), lzma.FORMAT_XZ, filters=_FILTERS)


def read_series(data: bytes, name: str) -> Series:
    """Open an index.

    Args:
        data: bytes of its file.
        name: its name, for messages.

    Raises:
        ConfigurationError: it is no index, a damaged one, or one that another normaliser made.
    """
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=512 * 2**20)
    try:
        raw = unpacker.decompress(data, MOST_BYTES)
        if not unpacker.eof:
            raise _wrong("it unpacks to too much, or its end is missing", name)
        head_line, _, rest = raw.decode().partition("\n")
        head = json.loads(head_line)
        if head.get("leverage-index") != FORMAT:
            raise _wrong(f"its format is not {FORMAT}, which is known here", name)
        if head.get("normaliser") != NORMALISER:
            raise _wrong(
                f"its fingerprints were made by normaliser {head.get('normaliser')}, and ours is {NORMALISER}", name
            )
        releases = tuple(Release(str(each["version"]), str(each["origin"])) for each in head["releases"])
        substrate, outlined = str(head["substrate"]), tuple(map(str, head["outlined"]))
    except (lzma.LZMAError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _wrong(f"it cannot be read ({type(error).__name__})", name) from error
    blocks = {}
    for block in f"\n{rest}".split("\n@")[1:]:
        module = block.partition("\n")[0].partition("\t")[0]
        blocks[module] = block
    return Series(substrate, releases, outlined, blocks)


def _wrong(what: str, name: str) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            "release-index",
            f"this is no index of releases that can be used: {what}",
            Location(name),
            why="what a release has and lacks is read from it",
            hint="make it anew: leverage index torch==VERSION --into FILE",
        )
    )


def _module(block: str) -> ModuleForms:
    head, *lines = block.rstrip("\n").split("\n")
    _, there, unseen = [*head.split("\t"), "", ""][:3]
    names: dict[str, Forms] = {}
    owner = path = ""
    cells: list[str] = []
    for line in lines:
        written, run, *told = line.split("\t")
        told += [""] * (len(_FIELDS) - len(told))
        if written:
            path = owner + written if written.startswith(".") else written
            cells = told
        else:
            cells = [old if new == "=" else new for old, new in zip(cells, told, strict=True)]
        sort, text, marks, body, note, at = cells
        entry = Entry(Sort(sort), text, marks, body, note, int(at or 0))
        names[path] = (*names.get(path, ()), (_DIGITS.index(run[0]), _DIGITS.index(run[1]), entry))
        if entry.sort is Sort.CLASS:
            owner = path
    return ModuleForms(_numbers(there), _numbers(unseen), names)


def _numbers(text: str) -> Runs:
    pairs = zip(text[::2], text[1::2], strict=True)
    return tuple((_DIGITS.index(first), _DIGITS.index(last)) for first, last in pairs)
