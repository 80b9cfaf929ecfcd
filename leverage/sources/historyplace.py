"""Where the history of something is: a folder that a user names, or the repository that a source comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.sources.git import places_of
from leverage.sources.githistory import History
from leverage.sources.gitlocal import absent
from leverage.sources.gitplace import LocalRepository, find_repository, tags
from leverage.sources.places import local_path, refuse_unsafe
from leverage.sources.revision import resolve
from leverage.sources.wording import failure, shown
from leverage.spec.types import GitSource, PathSource
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from leverage.sources.base import Access
    from leverage.spec.types import Source


@dataclass(frozen=True, slots=True)
class HistoryPlace:
    """A repository on this machine and the commit up to which its history is asked for.

    Attributes:
        repository: where it is.
        head: id of the last commit.
        location: the public place, without credentials and, for a mirror, without its path.
        below: folder that was named inside it; empty for all of it.
    """

    repository: LocalRepository
    head: str
    location: str
    below: str = ""

    def open(self) -> History:
        """The history, ready to be read."""
        return History(self.repository.objects, self.head)

    def tagged(self, history: History) -> dict[str, str]:
        """Name of a tag by the id of its commit, the first by name where a commit has several."""
        found: dict[str, str] = {}
        for name, id_ in tags(self.repository).items():
            if commit := history.peeled(id_):
                found.setdefault(commit, name)
        return found


def history_of_path(folder: Path, revision: str, name: str) -> HistoryPlace:
    """The history of a folder in a repository, or of a bare repository.

    Args:
        folder: an existing folder, resolved.
        revision: the last commit, as a user writes it.
        name: the folder as a user wrote it, for messages.

    Raises:
        SourceError: there is no repository around it, or no such revision.
    """
    for root in (folder, *folder.parents):
        if repository := find_repository(root):
            below = "" if root in {folder, repository.git_directory} else folder.relative_to(root).as_posix()
            return HistoryPlace(repository, resolve(repository, revision, shown(name)), shown(name), below)
    raise failure(
        "not-a-repository",
        f"{shown(name)} is neither a git repository nor in one, so it has no history",
        hint="name a repository, a folder in one, or a system of the configuration",
    )


def history_of_source(source: Source, access: Access, revision: str = "") -> HistoryPlace:
    """The history that a source comes from, up to its pinned commit or to another revision.

    Raises:
        ConfigurationError: a URL is unsafe.
        SourceError: the source is not a repository, or no repository with its history is on this machine.
    """
    repository, location = _repository(source, access)
    pinned = source.commit if isinstance(source, GitSource | PathSource) else None
    head = resolve(repository, revision, location) if revision else pinned
    return HistoryPlace(repository, head or resolve(repository, "HEAD", location), location)


def _repository(source: Source, access: Access) -> tuple[LocalRepository, str]:
    answers = []
    for name, path, commit in _candidates(source, access):
        answer = absent(path, commit) if commit else ""
        repository = None if answer else find_repository(path)
        if repository is not None:
            return repository, name
        answers.append(f"{shown(name)}: {answer or 'it is not a git repository'}")
    asked = f"; asked: {'; '.join(answers)}" if answers else ""
    raise failure(
        "no-history",
        f"no repository with the whole history of this source is on this machine{asked}",
        why="what is fetched for a report is one commit, and a history needs them all",
        hint="run: git clone --bare URL FOLDER, write `URL: FOLDER` into a file and name it with --mirror",
    )


def _candidates(source: Source, access: Access) -> Iterator[tuple[str, Path, str]]:
    """Public name, path and pinned commit of the repositories on this machine that a source may come from."""
    if isinstance(source, GitSource):
        urls = (source.git, *source.also)
        for url in urls:
            refuse_unsafe(url)
        for place in places_of(urls, access):
            if place.path is not None:
                yield redact(source.git), place.path, source.commit
    elif isinstance(source, PathSource):
        yield source.path, local_path(source.path, access.base), source.commit or ""
