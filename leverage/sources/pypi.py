"""Open a package-index artifact without installing it: no code of it runs, nothing is unpacked."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from leverage.model.files import EntryKind, SourceFile
from leverage.model.provenance import Pin
from leverage.sources.archive import Archive, Member, open_archive
from leverage.sources.base import Access, Missing, OpenSource, Snapshot
from leverage.sources.blobid import blob_id, content_id
from leverage.sources.index import Indexes, is_artifact_of
from leverage.sources.places import local_path, mirror_of, normalized
from leverage.sources.store import working_directory
from leverage.sources.wording import failure, shown
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from leverage.spec.types import PypiSource

MOST_TRIES = 4  # artifacts downloaded at most in search of one that carries the wanted files


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact file on this machine.

    Attributes:
        path: the file.
        sha256: hash of its content, computed here.
        uploaded: ISO 8601 date in UTC, empty where unknown.
        answered_by: where it came from, without credentials.
    """

    path: Path
    sha256: str
    uploaded: str
    answered_by: str


def open_pypi(source: PypiSource, access: Access) -> OpenSource:
    """Open the smallest artifact of a version that carries the wanted files.

    Order: a mirror (``pypi:<name>==<version>`` -> a local file), the store, the indexes of pip's configuration.

    Raises:
        SourceError: no artifact can be had, none carries a wanted file, or it is not what the lock says.
    """
    name = normalized(source.pypi)
    tried: list[str] = []
    for artifact in _artifacts(name, source.version, access, tried):
        opened = _open_artifact(artifact, f"{name}=={source.version}", access)
        if opened is not None:
            return opened
        tried.append(f"{artifact.path.name} carries none of the wanted files")
        if len(tried) >= MOST_TRIES:
            break
    raise failure(
        "artifact-not-found",
        f"no artifact of {name}=={source.version} could be had; {'; '.join(tried)}",
        why="source is read from the package that the index gives out",
        hint="check the version and the include globs; without a connection name a local file with --mirror: "
        f"pypi:{name}=={source.version}",
    )


def _artifacts(name: str, version: str, access: Access, tried: list[str]) -> Iterator[Artifact]:
    """Artifacts that can be had, best first; why others cannot is added to ``tried``."""
    if mirror := mirror_of(f"pypi:{name}=={version}", access.mirrors):
        path = local_path(mirror, access.base)
        if problem := _mirror_problem(path, name, version):
            tried.append(problem)
        else:
            yield Artifact(path, file_hash(path), "", f"local mirror of {name}=={version}")
    stored = list(_stored(name, version, access.store, tried))
    yield from stored
    have = {artifact.path.name for artifact in stored}
    indexes = Indexes(access)
    for candidate in indexes.candidates(name, version, tried):
        if candidate.filename in have:
            continue
        access.progress(f"{name}=={version}: fetching {candidate.filename}")
        fetched = indexes.fetch(candidate)
        if isinstance(fetched, str):
            tried.append(f"{candidate.filename}: {fetched}")
            continue
        artifact = Artifact(fetched, file_hash(fetched), candidate.uploaded, redact(candidate.index))
        if candidate.sha256 and artifact.sha256 != candidate.sha256:
            tried.append(f"{candidate.filename}: its SHA-256 is not the one that {artifact.answered_by} gives")
            continue
        if candidate.path is None:
            _remember(name, version, access.store, artifact)
        yield artifact


def file_hash(path: Path) -> str:
    """SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mirror_problem(path: Path, name: str, version: str) -> str:
    label = f"local mirror of {name}=={version}"
    if not path.is_file():
        return f"{label}: there is no such file"
    if not is_artifact_of(path.name, name, version):
        return f"{label}: {shown(path.name)} is another distribution or version, or no wheel or source distribution"
    return ""


def _record(store: Path, name: str, version: str) -> Path:
    return store / "pypi" / f"{name}=={version}.json"


def _stored(name: str, version: str, store: Path, tried: list[str]) -> Iterator[Artifact]:
    for entry in _entries(_record(store, name, version)):
        path = store / "pypi" / entry["sha256"] / entry["filename"]
        if not path.is_file():
            continue
        if file_hash(path) == entry["sha256"]:
            yield Artifact(path, entry["sha256"], entry["uploaded"], entry["answered_by"])
        else:
            path.unlink(missing_ok=True)
            tried.append(f"the stored {shown(path.name)} was damaged and has been removed")


def _remember(name: str, version: str, store: Path, artifact: Artifact) -> None:
    path = _record(store, name, version)
    entry = {
        "filename": artifact.path.name,
        "sha256": artifact.sha256,
        "uploaded": artifact.uploaded,
        "answered_by": artifact.answered_by,
    }
    entries = [other for other in _entries(path) if other["filename"] != entry["filename"]] + [entry]
    with working_directory(store / "pypi") as working:
        written = working / path.name
        written.write_text(json.dumps(entries), "utf-8")
        written.replace(path)


def _entries(path: Path) -> list[dict[str, str]]:
    """What the record of a version lists; nothing where there is none, or where another version of ours wrote it."""
    try:
        listed = json.loads(path.read_text("utf-8"))
        return [{key: str(entry[key]) for key in ("filename", "sha256", "uploaded", "answered_by")} for entry in listed]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _open_artifact(artifact: Artifact, location: str, access: Access) -> OpenArtifact | None:
    """The artifact, listed and hashed; None where it carries no wanted file."""
    with ExitStack() as stack:
        archive = stack.enter_context(
            open_archive(artifact.path, access.wanted, strip_top=not artifact.path.name.endswith(".whl"))
        )
        files: dict[SourceFile, Member] = {}
        for member in archive.members:
            files[_listed(member, archive, wanted=access.wanted(member.path))] = member
        content = [(file.path, file.blob) for file in files if file.blob]
        if not content:
            return None
        pin = Pin(
            kind="pypi",
            id=f"sha256:{artifact.sha256}",
            tree=content_id(content),
            date=artifact.uploaded,
            artifact=artifact.path.name,
        )
        _check_lock(pin, access.expect, location)
        listing = sorted(files, key=lambda file: file.path.encode("utf-8", "surrogateescape"))
        snapshot = Snapshot(pin=pin, location=location, answered_by=artifact.answered_by, files=tuple(listing))
        return OpenArtifact(snapshot, archive, files, stack.pop_all(), access.wanted)
    raise AssertionError  # the stack swallows nothing


def _listed(member: Member, archive: Archive, *, wanted: bool) -> SourceFile:
    blob = ""
    if wanted and member.kind is EntryKind.FILE:
        data = archive.read(member)
        blob = blob_id(data) if isinstance(data, bytes) else ""
    return SourceFile(path=member.path, blob=blob, size=member.size, kind=member.kind)


def _check_lock(pin: Pin, expect: Pin | None, location: str) -> None:
    # Another platform's artifact is as good if it holds the same files.
    if expect and pin.id != expect.id and pin.tree != expect.tree:
        raise failure(
            "lock-mismatch",
            f"{pin.artifact} of {location} ({pin.id}) is not what repos.lock says "
            f"({shown(expect.artifact)}, {shown(expect.id)}), and its files differ too",
            why="a figure must belong to the content that was locked",
            hint="name the locked artifact with --mirror, or accept this one with: leverage lock",
        )


class OpenArtifact:
    """An artifact ready to be read; an `OpenSource`."""

    def __init__(
        self,
        snapshot: Snapshot,
        archive: Archive,
        members: dict[SourceFile, Member],
        stack: ExitStack,
        wanted: Callable[[str], bool],
    ) -> None:
        self._snapshot = snapshot
        self._archive = archive
        self._members = members
        self._stack = stack
        self._wanted = wanted

    @property
    def snapshot(self) -> Snapshot:
        """The listing."""
        return self._snapshot

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        """Yield each file with its bytes in the order given; see `OpenSource.read`."""
        for file in files:
            if file.kind is not EntryKind.FILE:
                yield file, Missing("not-a-file", f"a {file.kind} is listed, never followed")
            elif self._wanted(file.path):
                yield file, self._archive.read(self._members[file])
            else:
                yield file, Missing("not-fetched", "a member that no component includes is not read")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._stack.close()
