"""Run git so that nothing but git itself runs: the environment, the process, its time limit.

Reading never lets git see the configuration of the repository that is read. Git runs inside a fresh, empty git
directory of ours and is pointed at the foreign *object directory* alone. Hooks, fsmonitor, filters, includes, replace
refs, grafts, promisor remotes (lazy fetching), ownership checks: all of these live in the git directory, so none of
them exists for us, whatever version of git runs.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

from leverage.sources.wording import failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from git import Git

CHUNK = 1 << 20
TAIL = 16 * 1024  # bytes of stderr kept for messages

GIT_DIRECTORY_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

# GitPython starts children with a copy of our environment, so what must not be inherited is set to a neutral value.
_NEUTRAL = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
    "GIT_ASKPASS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NAMESPACE": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
}


def make_git_directory(path: Path) -> None:
    """Write an empty bare repository by hand: no template, hence no hooks, whatever the machine is set up to do."""
    for name in ("objects", "refs"):
        (path / name).mkdir(parents=True)
    (path / "HEAD").write_text("ref: refs/heads/none\n")
    (path / "config").write_text(GIT_DIRECTORY_CONFIG)


def reading_environment(git_directory: Path, objects: Path) -> dict[str, str]:
    """Environment for reading ``objects`` through an empty ``git_directory`` of ours: nobody's configuration counts."""
    return {
        **_NEUTRAL,
        "GIT_DIR": str(git_directory),
        "GIT_COMMON_DIR": str(git_directory),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "0",
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_ALLOW_PROTOCOL": "none",
    }


def fetching_environment(git_directory: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Environment for fetching into ``git_directory``: the user's own configuration counts, then ``settings`` over it.

    The user's proxies, certificates, credential helpers and ``insteadOf`` are meant to work; ``settings`` come last
    and therefore win.
    """
    inherited = os.environ.get("GIT_CONFIG_COUNT", "")
    start = int(inherited) if inherited.isdigit() else 0
    environment = {
        **_NEUTRAL,
        "GIT_DIR": str(git_directory),
        "GIT_COMMON_DIR": str(git_directory),
        "GIT_OBJECT_DIRECTORY": str(git_directory / "objects"),
        "GIT_CONFIG_COUNT": str(start + len(settings)),
        # `file` is reachable only through an `insteadOf` of the user's own; a local path is read in place instead.
        "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    }
    for number, (key, value) in enumerate(settings.items(), start):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    return environment


def _git(directory: Path) -> Git:
    try:
        from git import Git  # noqa: PLC0415 - imports slowly and looks for the program at import
    except ImportError as error:
        raise failure(
            "git-not-found",
            "the program `git` cannot be run",
            why="git repositories are read through it",
            hint="install git and see that it is on PATH; then run the same command again",
        ) from error
    return Git(str(directory))


class GitProcess:
    """One child process of git: own process group, no terminal, errors drained, silence limited.

    Args:
        arguments: the git command without the program itself.
        directory: where it runs; always a directory of ours, never a foreign one.
        environment: from `reading_environment` or `fetching_environment`.
        silence: seconds without any output before the process counts as hung.
        first_sign: the same for the time before the first output, where that is to be shorter.
        on_error_text: receives every piece of stderr as it comes.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
        silence: float,
        first_sign: float | None = None,
        on_error_text: Callable[[bytes], None] | None = None,
    ) -> None:
        git = _git(directory)
        # A session of its own has no controlling terminal: neither git nor ssh nor a helper can wait for a keyboard.
        handle: Any = git.execute(
            [git.GIT_PYTHON_GIT_EXECUTABLE, *arguments],
            istream=subprocess.PIPE,
            as_process=True,
            shell=False,
            env=environment,
            start_new_session=True,
        )
        self._process: subprocess.Popen[bytes] = handle.proc
        self._handle = handle  # its finalizer would end the process early
        self._silence = silence
        self._patience = silence if first_sign is None else min(first_sign, silence)
        self._buffer = bytearray()
        self._tail = bytearray()
        self._on_error_text = on_error_text
        self._last_sign_of_life = time.monotonic()
        self._selector = selectors.DefaultSelector()
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        assert self._process.stdout is not None  # noqa: S101
        assert self._process.stderr is not None  # noqa: S101
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._errors = self._process.stderr
        self._selector.register(self._output, selectors.EVENT_READ)
        self._drain = threading.Thread(target=self._drain_errors, daemon=True)
        self._drain.start()

    def _drain_errors(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the pipe is closed while we wait
            while piece := os.read(self._errors.fileno(), CHUNK):
                self._last_sign_of_life = time.monotonic()
                self._patience = self._silence
                self._tail += piece
                del self._tail[:-TAIL]
                if self._on_error_text:
                    self._on_error_text(piece)

    @property
    def error_text(self) -> str:
        """The end of what the process wrote to stderr."""
        self._drain.join(timeout=1)
        return self._tail.decode("utf-8", "backslashreplace")

    def send(self, data: bytes) -> None:
        """Write to the process, a pipe's capacity at most, so that it never blocks. EOFError if it has ended."""
        try:
            self._input.write(data)
            self._input.flush()
        except BrokenPipeError as error:
            raise EOFError from error

    def close_input(self) -> None:
        """Tell the process that no more input comes."""
        with contextlib.suppress(BrokenPipeError):
            self._input.close()

    def _more(self) -> None:
        if not self._selector.select(self._silence):
            raise TimeoutError(f"no answer for {self._silence:g} seconds")
        piece = os.read(self._output.fileno(), CHUNK)
        if not piece:
            raise EOFError
        self._buffer += piece

    def line(self, limit: int = CHUNK) -> bytes:
        """The next line without its end. EOFError at the end of the output, TimeoutError after `silence`."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > limit:
                raise EOFError
            self._more()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def exactly(self, size: int) -> bytes:
        """The next ``size`` bytes. Errors as in `line`."""
        while len(self._buffer) < size:
            self._more()
        data = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return data

    def skip(self, size: int) -> None:
        """Read ``size`` bytes and forget them, a piece at a time."""
        while size:
            self.exactly(piece := min(size, CHUNK))
            size -= piece

    def rest(self) -> bytes:
        """Everything up to the end of the output. TimeoutError after `silence`."""
        with contextlib.suppress(EOFError):
            while True:
                self._more()
        return bytes(self._buffer)

    def finish(self, limit: float) -> int:
        """Wait for the end and return the status. TimeoutError after `silence` or after ``limit`` seconds in all."""
        self.close_input()
        until = time.monotonic() + limit
        while True:
            try:
                return self._process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                now = time.monotonic()
                if now - self._last_sign_of_life > self._patience:
                    raise TimeoutError(f"no answer for {self._patience:g} seconds") from None
                if now > until:
                    raise TimeoutError(f"not done after {limit:g} seconds") from None

    def close(self) -> None:
        """End the process and everything it started; safe to call twice."""
        if self._process.poll() is None:  # once it was waited for, its number may belong to somebody else
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._drain.join(timeout=5)
        self._selector.close()
        with contextlib.suppress(BrokenPipeError):
            self._input.close()
        self._output.close()
        self._errors.close()


@contextlib.contextmanager
def git_process(
    arguments: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    silence: float,
    first_sign: float | None = None,
    on_error_text: Callable[[bytes], None] | None = None,
) -> Iterator[GitProcess]:
    """A `GitProcess` that is gone when the block is left, however it is left."""
    process = GitProcess(
        arguments,
        directory=directory,
        environment=environment,
        silence=silence,
        first_sign=first_sign,
        on_error_text=on_error_text,
    )
    try:
        yield process
    finally:
        process.close()
