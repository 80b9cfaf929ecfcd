"""Which commit a branch or tag of a remote repository names now; nothing of it is fetched."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.sources.gitcommand import fetching_environment, git_process, make_git_directory
from leverage.sources.gitplace import find_repository
from leverage.sources.gitstore import last_words, settings_of
from leverage.sources.places import local_part, local_path, mirror_of, refuse_unsafe
from leverage.sources.revision import resolve
from leverage.sources.wording import failure, secrets_of, shown
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMIT = re.compile(r"[0-9a-f]{40}")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]{0,199}")
_MOST_ANSWER = 2**20  # bytes of refs that are read
_SILENCE = 60.0


def tip(url: str, revision: str, *, base: Path, mirrors: Mapping[str, str], offline: bool) -> str:
    """The full commit id that a revision of a repository names.

    Args:
        url: URL of the repository, or a path.
        revision: branch, tag, ``HEAD`` or a full commit id.
        base: folder that relative paths start from.
        mirrors: local repositories by URL; one that stands for the URL answers for it.
        offline: whether the network may not be used.

    Raises:
        ConfigurationError: the URL is unsafe.
        SourceError: there is no such revision, or nobody could be asked.
    """
    refuse_unsafe(url)
    if _COMMIT.fullmatch(revision):
        return revision
    place = mirror_of(url, mirrors) or local_part(url)
    if place is not None:
        repository = find_repository(local_path(place, base))
        if repository is None:
            raise failure("not-a-repository", f"{shown(redact(url))} is no git repository", hint="name one")
        return resolve(repository, revision, shown(redact(url)))
    if offline:
        raise failure(
            "source-unreachable",
            f"which commit {shown(revision)} of {shown(redact(url))} is was not asked, for we are offline",
            hint="name a full commit with --rev, or a local copy with --mirror",
        )
    return _asked(url, revision)


def _asked(url: str, revision: str) -> str:
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise failure("no-such-revision", f"{shown(revision)} is not written as the name of a branch or tag")
    names = [revision] if revision == "HEAD" else [f"refs/heads/{revision}", f"refs/tags/{revision}"]
    wanted = [*names, f"refs/tags/{revision}^{{}}"]
    with tempfile.TemporaryDirectory(prefix="leverage-") as folder:
        directory = Path(folder)
        make_git_directory(directory)
        try:
            with git_process(
                ["ls-remote", "--", url, *wanted],
                directory=directory,
                environment=fetching_environment(directory, settings_of(_SILENCE)),
                silence=_SILENCE,
            ) as process:
                answer = process.rest()[:_MOST_ANSWER].decode("ascii", "replace")
                status = process.finish(_SILENCE)
                words = last_words(process.error_text, secrets_of(url))
        except TimeoutError as error:
            status, answer, words = 1, "", str(error)
    found = {name: commit for commit, _, name in (line.partition("\t") for line in answer.splitlines())}
    for name in reversed(wanted):  # what an annotated tag stands for, before the tag itself
        if _COMMIT.fullmatch(found.get(name, "")):
            return found[name]
    raise failure(
        "no-such-revision" if status == 0 else "source-unreachable",
        f"which commit {shown(revision)} of {shown(redact(url))} is could not be learnt: {words or 'it has none'}",
        hint="check URL and branch; name a full commit with --rev, or a local copy with --mirror",
    )
