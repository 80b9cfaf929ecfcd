"""List and read the members of wheels, zips and tars; nothing is ever unpacked onto a disk under its own name.

An archive whose listing is itself an attack (names that climb, names twice, more than anyone would pack) is refused as
a whole: no tool that makes packages writes such a thing.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

from leverage.model.files import EntryKind
from leverage.sources.base import LARGEST_FILE, Missing
from leverage.sources.wording import failure, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MOST_MEMBERS = 500_000
MOST_BYTES = 4 * 1024**3  # unpacked size of the wanted members of a zip, or of everything in a tar
_READ = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an archive: a file or a link, never a directory.

    Attributes:
        path: with ``/`` separators, perhaps without its top directory.
        name: as the archive spells it.
        size: declared size in bytes; -1 where it is neither file nor link.
        kind: file, or symlink for every kind of link.
    """

    path: str
    name: str
    size: int
    kind: EntryKind


class Archive(Protocol):
    """An open archive."""

    members: tuple[Member, ...]

    def read(self, member: Member) -> bytes | Missing:
        """The content of a wanted file."""
        ...


@contextmanager
def open_archive(path: Path, wanted: Callable[[str], bool], *, strip_top: bool) -> Iterator[Archive]:
    """Open a wheel or zip by its name, or else a tar.

    Args:
        path: the file.
        wanted: whether the content of a path will be asked for; of other members only the listing is to be had.
        strip_top: whether to take off the top directory, as source distributions have one.

    Raises:
        SourceError: it is neither, is damaged, or is built to do harm.
    """
    paths = _Paths(strip_top=strip_top)
    with ExitStack() as stack:
        file = stack.enter_context(path.open("rb"))
        try:
            archive: Archive
            if path.suffix in {".whl", ".zip"}:
                archive = _Zip(stack.enter_context(zipfile.ZipFile(file)), wanted, path.name, paths)
            else:
                spool = stack.enter_context(tempfile.TemporaryFile(prefix="leverage-"))
                archive = _Tar(file, wanted, path.name, paths, spool)
        except _DAMAGE as error:
            raise _refused(path.name, f"cannot be read: {shown(str(error))}") from error
        yield archive


# What the standard library raises on malformed archives; ValueError covers undecodable names and numbers.
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
)


def _refused(name: str, why: str) -> Exception:
    return failure(
        "archive-refused",
        f"the archive {shown(name)} {why}",
        why="an archive that packaging tools would not write may show one content here and another elsewhere",
        hint="fetch it again, or use another version or another index",
    )


_UNSAFE_NAME = re.compile(r"(^|/)\.\.(/|$)|^/|^[A-Za-z]:|\\|\0|//|(^|/)\.(/|$)|^$")


def _checked(members: list[Member], archive: str) -> tuple[Member, ...]:
    if len(members) > MOST_MEMBERS:
        raise _refused(archive, f"has more than {MOST_MEMBERS} members")
    seen = set()
    for member in members:
        if _UNSAFE_NAME.search(member.path) or _UNSAFE_NAME.search(member.name.removeprefix("./")):
            raise _refused(archive, f"has a member with an unsafe name: {shown(member.name)!r}")
        if member.path in seen:
            raise _refused(archive, f"has two members of one name: {shown(member.name)!r}")
        seen.add(member.path)
    return tuple(members)


class _Paths:
    """From names to paths: takes off the top directory that the first member lies in, where that is asked for."""

    def __init__(self, *, strip_top: bool) -> None:
        self._strip = strip_top
        self._top = ""

    def of(self, name: str) -> str:
        name = name.removeprefix("./")
        if not self._strip:
            return name
        self._top = self._top or f"{name.partition('/')[0]}/"
        return name.removeprefix(self._top) or name


class _Zip:
    def __init__(self, archive: zipfile.ZipFile, wanted: Callable[[str], bool], name: str, paths: _Paths) -> None:
        self._archive = archive
        self.members = _checked([_zip_member(info, paths) for info in archive.infolist() if not info.is_dir()], name)
        total = sum(member.size for member in self.members if member.size <= LARGEST_FILE and wanted(member.path))
        if total > MOST_BYTES:
            raise _refused(name, f"would unpack to {total} bytes, more than {MOST_BYTES}")

    def read(self, member: Member) -> bytes | Missing:
        if member.size > LARGEST_FILE:
            return _too_large(member)
        try:
            # zipfile gives at most the declared size and compares the checksum, so a lying header ends here.
            with self._archive.open(member.name) as file:
                data = file.read(member.size + 1)
        except (*_DAMAGE, OSError) as error:
            return Missing("unreadable", f"the member is damaged: {shown(str(error))}")
        if len(data) != member.size:
            return Missing("unreadable", f"the member has {len(data)} bytes, but declares {member.size}")
        return data


def _zip_member(info: zipfile.ZipInfo, paths: _Paths) -> Member:
    kind = EntryKind.SYMLINK if stat.S_ISLNK(info.external_attr >> 16) else EntryKind.FILE
    # `orig_filename` still has what zipfile cuts off behind a NUL; a name that it changed is refused.
    return Member(paths.of(info.filename), info.orig_filename, info.file_size, kind)


def _too_large(member: Member) -> Missing:
    return Missing("too-large", f"{member.size} bytes, more than the {LARGEST_FILE} that are read")


class _Limited:
    """A stream that goes forward only, gives so many bytes and no more, and none of them in one huge piece."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name
        self._position = 0

    def read(self, size: int) -> bytes:
        if size > LARGEST_FILE + _READ:
            raise _refused(self._name, f"has a header of {size} bytes")
        data = self._stream.read(size)
        self._position += len(data)
        if self._position > MOST_BYTES:
            raise _refused(self._name, f"unpacks to more than {MOST_BYTES} bytes")
        return data

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> None:
        if position < self._position:
            raise tarfile.StreamError("the archive points backwards")
        while self._position < position:
            if not self.read(min(_READ, position - self._position)):
                return


def _decompressed(file: IO[bytes]) -> IO[bytes]:
    head = file.read(6)
    file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if head.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if head.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(file)
    return file


class _Tar:
    """A tar can be read only from front to back, so the wanted content is put aside on the way."""

    def __init__(
        self, file: IO[bytes], wanted: Callable[[str], bool], name: str, paths: _Paths, spool: IO[bytes]
    ) -> None:
        self._spool = spool
        self._places: dict[str, int] = {}
        found: list[Member] = []
        limited = _Limited(_decompressed(file), name)
        with tarfile.TarFile(fileobj=limited, mode="r") as archive:  # type: ignore[arg-type]
            while (info := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # else every header stays in memory
                if info.isdir():
                    continue
                if len(found) > MOST_MEMBERS:
                    raise _refused(name, f"has more than {MOST_MEMBERS} members")
                member = _tar_member(info, paths)
                found.append(member)
                if member.kind is EntryKind.FILE and 0 <= member.size <= LARGEST_FILE and wanted(member.path):
                    content = archive.extractfile(info)
                    if content is not None:
                        self._places[member.name] = spool.seek(0, 2)
                        spool.write(content.read(member.size))
        self.members = _checked(found, name)

    def read(self, member: Member) -> bytes | Missing:
        if member.size > LARGEST_FILE:
            return _too_large(member)
        if member.name not in self._places:
            return Missing("unreadable", "the member is neither a file nor a link")
        self._spool.seek(self._places[member.name])
        return self._spool.read(member.size)


def _tar_member(info: tarfile.TarInfo, paths: _Paths) -> Member:
    path = paths.of(info.name)
    if info.issym() or info.islnk():
        return Member(path, info.name, 0, EntryKind.SYMLINK)
    return Member(path, info.name, info.size if info.isfile() else -1, EntryKind.FILE)
