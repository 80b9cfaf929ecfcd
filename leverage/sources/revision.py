"""From the name of a revision to a commit, without obeying the repository that is asked.

Names (branches, tags, ``HEAD``) are looked up by reading files. Steps from there (``~2``, ``^``, a tag's commit, a
shortened id) are left to git, which sees the object directory alone.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.sources.gitcommand import git_process, make_git_directory, reading_environment
from leverage.sources.gitobjects import SILENCE
from leverage.sources.gitplace import ref_value
from leverage.sources.wording import failure, shown

if TYPE_CHECKING:
    from leverage.sources.gitplace import LocalRepository

_WHERE = (
    "{}",
    "refs/{}",
    "refs/tags/{}",
    "refs/heads/{}",
    "refs/remotes/{}",
    "refs/remotes/{}/HEAD",
)  # git's own order
_REVISION = re.compile(r"(?P<name>[^~^:?*\[\\\s\x00-\x1f\x7f]+)(?P<steps>(?:[~^][0-9]{0,6})*)(?:\^\{(?:commit)?\})?")
_UNSAFE = re.compile(r"\.\.|//|@\{|^[-./]|[./]$")  # leaves the folder of refs, an option, or a reflog
_ID = re.compile(r"[0-9a-f]{4,40}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LINKS = 5  # symbolic refs followed


def resolve(repository: LocalRepository, revision: str, place: str) -> str:
    """The full commit id of a revision: a branch, a tag, ``HEAD`` or an id of 4 to 40 digits, with ``~n`` and ``^n``.

    Args:
        repository: where to look; nothing is fetched.
        revision: as the user wrote it.
        place: name of the repository, for messages.

    Raises:
        SourceError: there is no such revision, or it is not a commit.
    """
    match = _REVISION.fullmatch(revision)
    if match is None or _UNSAFE.search(match["name"]):
        raise _unknown(revision, place, "it is not written as the name of a revision")
    start = _look_up(repository, match["name"])
    if not start and not _ID.fullmatch(match["name"]):
        raise _unknown(revision, place, "there is no such branch, tag or commit")
    return _commit(repository, (start or match["name"]) + match["steps"], revision, place)


def _look_up(repository: LocalRepository, name: str) -> str:
    """Object id that a name stands for; empty where it is no name here."""
    if _COMMIT.fullmatch(name):
        return name
    return next(filter(None, (_follow(repository, where.format(name)) for where in _WHERE)), "")


def _follow(repository: LocalRepository, name: str) -> str:
    for _ in range(_LINKS):
        value = ref_value(repository, name)
        if _COMMIT.fullmatch(value):
            return value
        name = value.removeprefix("ref: ").strip()
        if name == value or not name.startswith("refs/") or _UNSAFE.search(name) or "\0" in name:
            break
    return ""


def _commit(repository: LocalRepository, start: str, revision: str, place: str) -> str:
    with tempfile.TemporaryDirectory(prefix="leverage-") as folder:
        directory = Path(folder)
        make_git_directory(directory)
        with git_process(
            ["rev-parse", "--verify", f"{start}^{{commit}}"],
            directory=directory,
            environment=reading_environment(directory, repository.objects.absolute()),
            silence=SILENCE,
        ) as process:
            try:
                answer = process.rest().decode("ascii", "replace").strip()
                status, words = process.finish(SILENCE), process.error_text
            except TimeoutError as error:
                status, answer, words = 1, "", str(error)
    if status or not _COMMIT.fullmatch(answer):
        answer = "several objects begin with these digits" if "ambiguous" in words else "there is no such commit"
        raise _unknown(revision, place, answer)
    return answer


def _unknown(revision: str, place: str, answer: str) -> Exception:
    return failure(
        "no-such-revision",
        f"the revision {shown(revision)} of {place} cannot be read: {answer}",
        why="only a commit names one tree",
        hint="write a branch, a tag or a commit id of that repository, such as HEAD; "
        "what it does not have yet must be fetched first",
    )
