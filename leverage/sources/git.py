"""Open a git commit: what is on this machine (store, mirrors, local paths) before what must be fetched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.sources.gitlocal import absent, check_tree, open_commit
from leverage.sources.gitstore import Unfetched, fetch_commit, find_stored, open_stored
from leverage.sources.places import local_part, local_path, mirror_of, refuse_unsafe
from leverage.sources.wording import failure, shown
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from leverage.sources.base import Access, OpenSource
    from leverage.sources.gitobjects import OpenCommit
    from leverage.spec.types import GitSource


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere a commit may be.

    Attributes:
        name: what the reader is told, without credentials; for a mirror not its path, which differs by machine.
        path: a repository on this machine; None where it must be fetched.
        url: what is fetched; empty for a path.
    """

    name: str
    path: Path | None
    url: str = ""


def places_of(urls: tuple[str, ...], access: Access) -> Iterator[Place]:
    """Every place to look at, those on this machine first, each group in the order that the user wrote."""
    remote = []
    for url in urls:
        if mirror := mirror_of(url, access.mirrors):
            yield Place(f"local mirror of {redact(url)}", local_path(mirror, access.base))
        if (path := local_part(url)) is not None:
            yield Place(url, local_path(path, access.base))
        else:
            remote.append(Place(redact(url), None, url))
    yield from remote


def open_git(source: GitSource, access: Access) -> OpenSource:
    """Open a commit of a repository, fetching it if it is nowhere on this machine.

    Raises:
        ConfigurationError: a URL is unsafe.
        SourceError: no place has the commit (the message says what each answered), what it has is not a commit, or it
            is not what the lock says.
    """
    urls = (source.git, *source.also)
    for url in urls:
        refuse_unsafe(url)
    opened = _from_store(urls, source.commit, access) or _from_places(urls, source.commit, access)
    check_tree(opened.snapshot.pin, access.expect)
    return opened


def _from_store(urls: tuple[str, ...], commit: str, access: Access) -> OpenCommit | None:
    for url in urls:
        if stored := find_stored(access.store, url, commit):
            if opened := open_stored(stored, commit, redact(urls[0])):
                return opened
            access.progress(f"{redact(url)}: the stored copy was damaged and has been removed")
    return None


def _from_places(urls: tuple[str, ...], commit: str, access: Access) -> OpenCommit:
    answers: list[str] = []
    reached = True
    for place in places_of(urls, access):
        if place.path is not None:
            answer = absent(place.path, commit)
            if not answer:
                return open_commit(place.path, commit, location=redact(urls[0]), answered_by=place.name)
        elif access.offline:
            answer, reached = "not asked, for we are offline", False
        else:
            access.progress(f"{place.name}: fetching {commit[:12]}")
            fetched = fetch_commit(access, place.url, commit)
            if not isinstance(fetched, Unfetched):
                return open_commit(
                    fetched.path,
                    commit,
                    location=redact(urls[0]),
                    answered_by=fetched.answered_by,
                    note=fetched.note,
                )
            answer, reached = fetched.answer, reached and fetched.reached
        answers.append(f"{shown(place.name)}: {answer}")
    raise failure(
        "commit-not-found" if reached else "source-unreachable",
        f"commit {commit} could not be had; asked: {'; '.join(answers)}",
        why="only the pinned commit is measured, so that anyone can repeat the figures",
        hint="check the commit id and the URL; behind a firewall name a local copy with --mirror"
        if reached
        else "run again with a connection, or name a local copy with --mirror",
    )
