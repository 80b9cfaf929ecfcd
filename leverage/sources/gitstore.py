"""Fetch one commit into the store, so that it is there whole or not at all.

The store holds one bare repository for each (place, commit). A fetch runs in a directory of its own, is checked, and
is then renamed to its final name. So an interrupted fetch leaves nothing that looks complete, and two processes that
fetch the same commit do not meet: the second finds the name taken and throws its copy away.
"""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.errors import SourceError
from leverage.sources.base import FIRST_SIGN
from leverage.sources.gitcommand import fetching_environment, git_process, make_git_directory
from leverage.sources.gitlocal import absent, is_complete, open_commit
from leverage.sources.places import store_name
from leverage.sources.store import working_directory
from leverage.sources.wording import secrets_of, shown
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from leverage.sources.base import Access
    from leverage.sources.gitobjects import OpenCommit

RECORD = "leverage.json"
LONGEST = 2 * 3600.0  # seconds that one fetch may take however lively it is
ALL_BRANCHES = "the server gives out no single commits, so all branches and tags were fetched"


@dataclass(frozen=True, slots=True)
class Stored:
    """A commit in the store.

    Attributes:
        path: bare repository that holds the commit whole.
        answered_by: the place that delivered it, without credentials.
        note: how it was obtained, where that is unusual.
    """

    path: Path
    answered_by: str
    note: str


@dataclass(frozen=True, slots=True)
class Unfetched:
    """Why a place did not deliver.

    Attributes:
        answer: in words, without credentials.
        reached: whether the place was reached at all.
    """

    answer: str
    reached: bool


def _final(store: Path, url: str, commit: str) -> Path:
    return store / "git" / store_name(url) / f"{commit}.git"


def find_stored(store: Path, url: str, commit: str) -> Stored | None:
    """What an earlier fetch of the commit from ``url`` has left."""
    path = _final(store, url, commit)
    try:
        record = json.loads((path / RECORD).read_text("utf-8"))
        return Stored(path, record["answered_by"], record["note"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # nothing there, or written by another version: fetched anew


def open_stored(stored: Stored, commit: str, location: str) -> OpenCommit | None:
    """The stored commit; None where it has been damaged since it was stored, after which it is out of the way."""
    try:
        if not absent(stored.path, commit):
            opened = open_commit(
                stored.path, commit, location=location, answered_by=stored.answered_by, note=stored.note
            )
            if is_complete(opened):
                return opened
    except SourceError:
        # It was read once before it was stored, so whatever is wrong now is damage and not the commit's own fault.
        pass
    _discard(stored.path)
    return None


def _discard(path: Path) -> None:
    """Remove a repository of the store in one step as seen by others."""
    with working_directory(path.parents[1]) as grave, contextlib.suppress(FileNotFoundError):  # another was faster
        path.rename(grave / "repository")


def fetch_commit(access: Access, url: str, commit: str) -> Stored | Unfetched:
    """Fetch a commit from a URL that `refuse_unsafe` has let pass, and put it into the store.

    Raises:
        SourceError: what the id names is not a commit, or its tree is not one that git would write.
    """
    final = _final(access.store, url, commit)
    with working_directory(access.store / "git") as working:
        repository = working / "repository"
        make_git_directory(repository)
        note = ""
        failed = _fetch(access, url, repository, ["--depth=1"], [f"{commit}:refs/leverage/pin"])
        if failed and _refused_single(failed.answer):
            access.progress(f"{redact(url)}: {ALL_BRANCHES}")
            note = ALL_BRANCHES
            failed = _fetch(access, url, repository, [], ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
        if failed:
            return _in_words(failed)
        if answer := absent(repository, commit):
            return Unfetched(f"{answer}{' on any branch or tag' if note else ''}", reached=True)
        name = redact(url)
        if not is_complete(open_commit(repository, commit, location=name, answered_by=name)):
            return Unfetched("it delivered the commit without all of its files", reached=True)
        (repository / "FETCH_HEAD").unlink(missing_ok=True)
        (repository / RECORD).write_text(json.dumps({"answered_by": name, "note": note}), "utf-8")
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            repository.rename(final)
        except OSError:
            if not find_stored(access.store, url, commit):
                raise  # not because another process was faster
        return Stored(final, name, note)


def settings_of(timeout: float) -> dict[str, str]:
    """Settings of git under which a remote repository is asked: nothing of it, or of the user's hooks, is run.

    Args:
        timeout: seconds of silence after which a connection is given up.
    """
    return {
        "core.hooksPath": "/dev/null",  # a global one would run `reference-transaction` here
        "core.fsmonitor": "false",
        "core.alternateRefsCommand": "true",
        "core.attributesFile": "/dev/null",
        "submodule.recurse": "false",
        "fetch.recurseSubmodules": "false",
        "fetch.unpackLimit": "1",  # always one pack, never thousands of loose files
        "fetch.writeCommitGraph": "false",
        "fetch.prune": "false",
        "gc.auto": "0",
        "maintenance.auto": "false",
        "transfer.bundleURI": "false",  # bytes come from the named place, not from one that it names
        "http.lowSpeedLimit": "1",
        "http.lowSpeedTime": str(max(1, int(timeout))),
        "credential.interactive": "false",
    }


def _fetch(access: Access, url: str, repository: Path, options: list[str], refspecs: list[str]) -> Unfetched | None:
    """Run one fetch. None when it succeeded; the answer is git's own text, shortened and redacted."""
    arguments = ["fetch", "--progress", "--no-tags", "--no-recurse-submodules", *options, "--", url, *refspecs]
    try:
        with git_process(
            arguments,
            directory=repository,
            environment=fetching_environment(repository, settings_of(access.timeout)),
            silence=access.timeout,
            first_sign=FIRST_SIGN,
            on_error_text=_progress_lines(access.progress, redact(url)),
        ) as process:
            status = process.finish(LONGEST)
            if status == 0:
                return None
            return Unfetched(last_words(process.error_text, secrets_of(url)), reached=True)
    except TimeoutError as error:
        return Unfetched(str(error), reached=False)


def _progress_lines(progress: Callable[[str], None], name: str) -> Callable[[bytes], None]:
    """Pass on git's progress, the newest line of each piece that it writes."""

    def on_text(piece: bytes) -> None:
        lines = [line for line in re.split(rb"[\r\n]+", piece) if b"%" in line]
        if lines:
            progress(shown(f"{name}: {lines[-1].decode('utf-8', 'replace')}"))

    return on_text


def last_words(text: str, secrets: tuple[str, ...]) -> str:
    """What git said at the end, shortened and without secrets."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    telling = [
        line for line in lines if re.match(r"fatal:|error:|ssh:|remote: (error|fatal|not found)", line, re.IGNORECASE)
    ]
    return shown("; ".join((telling or lines)[-3:]), without=secrets) or "git failed without a word"


def _refused_single(answer: str) -> bool:
    """Whether a server may have the commit but gives out only what a branch or tag points to, or all there is."""
    return bool(re.search(r"unadvertised object|want \w+ not valid|does not support shallow|dumb http", answer))


_MEANINGS = (
    (r"not our ref|couldn't find remote ref", "it does not have the commit", True),
    (
        r"could not read (Username|Password)|Authentication failed|Permission denied|Host key verif|error: 40[13]\b",
        "it asks for credentials: the repository is private or does not exist",
        True,
    ),
    (r"repository .*not found|does not appear to be a git repo|error: 404\b", "there is no repository", True),
    (
        r"Could not resolve|unable to|connect|connection|unreachable|timed out|no answer for|not done after",
        "it cannot be reached",
        False,
    ),
)


def _in_words(failed: Unfetched) -> Unfetched:
    for pattern, meaning, reached in _MEANINGS:
        if re.search(pattern, failed.answer, re.IGNORECASE):
            return Unfetched(f"{meaning} ({failed.answer})", reached)
    return failed
