"""Find the objects of a local repository by looking at files only: git is not asked, its configuration not obeyed."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from leverage.sources.wording import failure, shown

SMALL = 64 * 1024  # bytes: no file that is read here is longer in a real repository
PACKED_REFS = 64 * 1024 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40}")
_TAGS = "refs/tags/"
_LINKS = 5  # symbolic refs followed: HEAD -> branch is one


@dataclass(frozen=True, slots=True)
class LocalRepository:
    """A repository on this machine.

    Attributes:
        git_directory: holds HEAD and the index (of this work tree).
        common_directory: holds objects and refs; differs from ``git_directory`` in a linked work tree.
    """

    git_directory: Path
    common_directory: Path

    @property
    def objects(self) -> Path:
        """The object directory."""
        return self.common_directory / "objects"


def _text(path: Path, limit: int = SMALL) -> str:
    """Content of a regular file, empty if there is none; never waits on a pipe or device."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        return file.read(limit).decode("utf-8", "surrogateescape")


def find_repository(path: Path) -> LocalRepository | None:
    """The repository at ``path`` (bare, with a work tree, or a linked work tree); None where there is none.

    Parent directories are not searched: what is measured is what was named.

    Raises:
        SourceError: there is a repository, but of a kind that cannot be read (SHA-256, borrowed objects).
    """
    directory = path / ".git"
    if directory.is_file():
        pointer = _text(directory).strip()
        if not pointer.startswith("gitdir: "):
            return None
        directory = path / pointer.removeprefix("gitdir: ")
    elif not directory.is_dir():
        directory = path
    common = directory
    if pointer := _text(directory / "commondir").strip():
        common = directory / pointer
    if not ((directory / "HEAD").is_file() and (common / "objects").is_dir()):
        return None
    repository = LocalRepository(directory, common)
    _refuse_unreadable(repository, path)
    return repository


def _refuse_unreadable(repository: LocalRepository, path: Path) -> None:
    # git's syntax is not quite INI, and a hostile file need not be either: only the one section is looked for.
    section = re.search(
        r"^\s*\[extensions\][^\[]*", _text(repository.common_directory / "config"), re.MULTILINE | re.IGNORECASE
    )
    if section and re.search(r"objectformat\s*=\s*\"?sha256", section.group(), re.IGNORECASE):
        raise failure(
            "git-sha256",
            f"{shown(str(path))} is a repository with SHA-256 object ids",
            why="pins in repos.yaml are SHA-1 commit ids of 40 hex digits, none of which is a commit here",
            hint="export the tree to a plain directory and give that as `path:` without `commit:`",
        )
    for name in ("alternates", "http-alternates"):
        borrowed = repository.objects / "info" / name
        if _text(borrowed).strip() or (borrowed.exists() and not borrowed.is_file()):
            raise failure(
                "git-borrowed-objects",
                f"{shown(str(path))} borrows objects from another repository (objects/info/{name})",
                why="only objects of the named repository are read, or a file could come from anywhere on this machine",
                hint=f"make it whole: git -C {shown(str(path))} repack -a -d, then delete objects/info/{name}; "
                "or clone it again without --reference and --shared",
            )


def head_commit(repository: LocalRepository) -> str:
    """Commit id that HEAD points to; empty where it points to nothing (no commit yet) or cannot be followed."""
    name = "HEAD"
    for _ in range(_LINKS):
        value = ref_value(repository, name)
        if _COMMIT.fullmatch(value):
            return value
        name = value.removeprefix("ref: ").strip()
        if name == value or not name.startswith("refs/") or ".." in name or "\0" in name:
            return ""
    return ""


def tags(repository: LocalRepository) -> dict[str, str]:
    """Object id by tag name, loose or packed; an id may be that of an annotated tag."""
    found = {}
    for line in _text(repository.common_directory / "packed-refs", PACKED_REFS).splitlines():
        name, _, ref = line.partition(" ")
        if ref.startswith(_TAGS) and _COMMIT.fullmatch(name):
            found[ref.removeprefix(_TAGS)] = name
    top = repository.common_directory / _TAGS
    for folder, _, names in os.walk(top):  # follows no links
        for name in names:
            path = Path(folder, name)
            if _COMMIT.fullmatch(value := _text(path).strip()):
                found[path.relative_to(top).as_posix()] = value
    return dict(sorted(found.items()))


def ref_value(repository: LocalRepository, name: str) -> str:
    """What a full ref name holds, loose or packed: an object id or ``ref: NAME``; empty where there is no such ref."""
    for directory in (repository.git_directory, repository.common_directory):
        if value := _text(directory / name).strip():
            return value
    for line in _text(repository.common_directory / "packed-refs", PACKED_REFS).splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""
