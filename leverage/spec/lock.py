"""`repos.lock`: what the sources of `repos.yaml` were resolved to. Written by `leverage lock`, read by all else."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.provenance import Pin
from leverage.spec.files import read_file
from leverage.spec.text import shown
from leverage.spec.types import Commit, GitSource, Id, PathSource, PypiSource, Source
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.spec.load import LoadedSpec

HEADER = "# written by leverage lock\n"
WRITE_ANEW = "run `leverage lock` to write it anew"

_CONFIG = ConfigDict(extra="forbid", strict=True)
_Word = Annotated[str, Field(min_length=1)]
_Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class LockedGit:
    """A commit of a remote repository. ``url`` carries no credentials; ``date`` is the commit's, ISO 8601 in UTC."""

    url: _Word
    commit: Commit
    tree: Commit
    date: str = ""

    @property
    def pin(self) -> Pin:
        """The same as a pin."""
        return Pin("git", self.commit, self.tree, self.date)


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class LockedPath:
    """A commit of a local repository; ``path`` as written in `repos.yaml`."""

    path: _Word
    commit: Commit
    tree: Commit
    date: str = ""

    @property
    def pin(self) -> Pin:
        """The same as a pin."""
        return Pin("git", self.commit, self.tree, self.date)


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class LockedPypi:
    """An artifact of a package index.

    Attributes:
        name: distribution, as written in `repos.yaml`.
        version: exact version.
        artifact: file name.
        sha256: hash of the file, 64 hex digits.
        size: bytes of the file; None where it is not known.
        tree: hash over the files that were read (see `leverage.model.provenance.Pin`).
        date: of the upload, ISO 8601 in UTC; empty where it is not known.
    """

    name: _Word
    version: _Word
    artifact: _Word
    sha256: _Sha256
    size: Annotated[int, Field(ge=0)] | None = None
    tree: _Word
    date: str = ""

    @property
    def pin(self) -> Pin:
        """The same as a pin."""
        return Pin("pypi", f"sha256:{self.sha256}", self.tree, self.date, self.artifact)


LockEntry = LockedGit | LockedPath | LockedPypi


def _tag(value: object) -> str | None:
    has = value.__contains__ if isinstance(value, dict) else lambda key: hasattr(value, key)
    return next((key for key in ("url", "path", "artifact") if has(key)), None)


_Entry = Annotated[
    Annotated[LockedGit, Tag("url")] | Annotated[LockedPath, Tag("path")] | Annotated[LockedPypi, Tag("artifact")],
    Discriminator(_tag),
]


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class Lock:
    """Entries by id of the system.

    Attributes:
        version: format of the file.
        systems: the entries.
    """

    version: Literal[1] = 1
    systems: dict[Id, _Entry] = Field(default_factory=dict)

    def for_system(self, system: str) -> LockEntry | None:
        """The entry of a system; None where nothing is locked."""
        return self.systems.get(system)


_ADAPTER: TypeAdapter[Lock] = TypeAdapter(Lock)


def load_lock(path: Path) -> Lock:
    """Read `repos.lock`; a file that does not exist is an empty lock.

    Raises:
        ConfigurationError: the file cannot be read, or is not what `leverage lock` writes.
    """
    file = str(path)
    if not path.exists():
        return Lock()
    data = read_file(path, noun="lock", missing_hint=WRITE_ANEW)
    try:
        text = data.decode("utf-8")
        # JSON mode, as for repos.yaml; `str` is for the dates of TOML.
        content = json.dumps(tomllib.loads(text), default=str)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and TOMLDecodeError are ValueErrors
        line = re.search(r"\(at line ([0-9]+)", str(error))
        what = f"the lock cannot be read: {error}" if isinstance(error, ValueError) else "the lock is nested too deeply"
        place = Location(file, int(line[1]) if line else 0)
        raise ConfigurationError(Problem("bad-lock", what, place, hint=WRITE_ANEW)) from None
    try:
        return _ADAPTER.validate_json(content)
    except ValidationError as error:
        raise ConfigurationError(
            *(
                Problem(
                    "bad-lock",
                    f"{_name(each['loc'])}: {_WORDS.get(each['type'], each['msg'])}",
                    _line_place(text, file, each["loc"]),
                    why="a damaged lock could make figures be of other bytes than those named",
                    hint=WRITE_ANEW,
                )
                for each in error.errors(include_url=False, include_context=False)
            )
        ) from None


def dump_lock(lock: Lock) -> str:
    """The text of `repos.lock`: the same lock gives the same text. URLs lose their credentials here at the latest."""
    parts = [HEADER, f"version = {lock.version}\n"]
    for system, entry in sorted(lock.systems.items()):
        parts.append(f"\n{_header(system)}\n")
        for each in fields(entry):
            value = getattr(entry, each.name)
            if value not in {None, ""}:
                parts.append(f"{each.name} = {_toml(redact(value) if each.name == 'url' else value)}\n")
    return "".join(parts)


def lock_entry(source: Source, pin: Pin, size: int | None = None) -> LockEntry | None:
    """The entry for a source that was resolved to a pin; None for a plain directory, which cannot be pinned.

    Args:
        source: what `repos.yaml` says.
        pin: what it was resolved to.
        size: bytes of the artifact, for package-index sources.
    """
    match source:
        case GitSource():
            return LockedGit(url=redact(source.git), commit=pin.id, tree=pin.tree, date=pin.date)
        case PypiSource():
            return LockedPypi(
                name=source.pypi,
                version=source.version,
                artifact=pin.artifact,
                sha256=pin.id.removeprefix("sha256:"),
                size=size,
                tree=pin.tree,
                date=pin.date,
            )
        case PathSource(commit=str()):
            return LockedPath(path=source.path, commit=pin.id, tree=pin.tree, date=pin.date)
        case PathSource():
            return None


def stale(loaded: LoadedSpec, lock: Lock, file: str = "repos.lock") -> list[Problem]:
    """Where lock and `repos.yaml` disagree, in the order of `repos.yaml`; entries of unknown systems come last.

    Args:
        loaded: the configuration.
        lock: the lock.
        file: name of the lock's file, for messages.
    """
    found: list[Problem] = []
    for name, system in loaded.spec.systems.items():
        wanted = _identity(system.source)
        entry = lock.for_system(name)
        path = ("systems", name, "source")
        if wanted and entry is None:
            what = f"{shown(name)} is not in {file}"
            found.append(Problem("stale-lock", what, loaded.locate(*path), _WHY_STALE, _HINT_STALE))
        elif entry is not None and not wanted:
            what = f"{file} has an entry for {shown(name)}, which has nothing to lock"
            found.append(Problem("stale-lock", what, loaded.locate("systems", name), _WHY_STALE, _HINT_STALE))
        elif entry is not None and type(entry) is not _LOCKED_AS[type(system.source)]:
            what = f"{shown(name)} is another kind of source in {file}"
            found.append(Problem("stale-lock", what, loaded.locate(*path), _WHY_STALE, _HINT_STALE))
        elif entry is not None:
            for key, (attribute, value) in wanted.items():
                locked = getattr(entry, attribute)
                if locked != value:
                    what = f"{shown(name)} has {key} {shown(value, 120)} here and {shown(locked, 120)} in {file}"
                    found.append(Problem("stale-lock", what, loaded.locate(*path, key), _WHY_STALE, _HINT_STALE))
    for name in sorted(set(lock.systems) - set(loaded.spec.systems)):
        what = f"{file} has an entry for {shown(name)}, and {loaded.file} has no such system"
        found.append(Problem("stale-lock", what, Location(file), _WHY_STALE, _HINT_STALE))
    return found


_WHY_STALE = "figures must be of the bytes that the configuration names"
_HINT_STALE = "run `leverage lock`"
_LOCKED_AS: dict[type, type] = {GitSource: LockedGit, PypiSource: LockedPypi, PathSource: LockedPath}


def _identity(source: Source | None) -> dict[str, tuple[str, str]]:
    """Keys of a source that its entry must repeat, with the entry's field and the value; empty where none is needed."""
    match source:
        case GitSource():
            return {"git": ("url", redact(source.git)), "commit": ("commit", source.commit)}
        case PypiSource():
            return {"pypi": ("name", source.pypi), "version": ("version", source.version)}
        case PathSource(commit=str() as commit):
            return {"path": ("path", source.path), "commit": ("commit", commit)}
        case _:
            return {}


def _name(path: tuple[str | int, ...]) -> str:
    """The place of an error in words, without the tag of the kind of entry that pydantic puts third."""
    steps = [str(step) for index, step in enumerate(path) if index != _TAG_STEP or len(path) == index + 1]
    return shown(".".join(steps), limit=120)


_WORDS = {
    "unexpected_keyword_argument": "there is no such key",
    "union_tag_not_found": "has none of the keys `url`, `path` and `artifact`",
    "missing": "is missing",
}
_TAG_STEP = 2  # systems, id of the system, tag, key


def _header(system: str) -> str:
    return f"[systems.{system if re.fullmatch(r'[A-Za-z0-9_-]+', system) else _toml(system)}]"


def _line_place(text: str, file: str, path: tuple[str | int, ...]) -> Location:
    """Line of the table (or of the key outside all tables) that an error is in, if it is as `dump_lock` writes it."""
    start = _header(str(path[1])) if path[:1] == ("systems",) and len(path) > 1 else f"{path[0] if path else ''} ="
    numbers = (number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))
    return Location(file, next(numbers, 0))


def _toml(value: str | int) -> str:
    """A TOML value: an integer, or a basic string with everything escaped that cannot be seen."""
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in escaped) + '"'
