"""Failures as values: what, where, why it matters, what to type next.

Every failure that a user can meet is a `LeverageError` with a slug (stable, documented) and an exit code. Anything
else that escapes is a defect of ours and ends with exit code 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command line, as documented in the README."""

    DONE = 0
    FAILS = 1
    USAGE = 2
    UNCHECKABLE = 3
    BUG = 4


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a text file; ``line`` and ``column`` count from 1, 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}" if not self.column else f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        slug: stable name of this kind of problem, lower case with hyphens.
        what: one sentence that says what is wrong.
        where: the place in a file, if there is one.
        why: why it matters.
        hint: what to type or change next.
    """

    slug: str
    what: str
    where: Location | None = None
    why: str = ""
    hint: str = ""

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        lines = [f"{head} [{self.slug}]"]
        if self.why:
            lines.append(f"  why it matters: {self.why}")
        if self.hint:
            lines.append(f"  what to do: {self.hint}")
        return "\n".join(lines)


class LeverageError(Exception):
    """A failure that the user can act on; carries one or more problems and the exit code."""

    exit_code = ExitCode.USAGE

    def __init__(self, *problems: Problem) -> None:
        if not problems:
            raise ValueError("an error needs at least one problem")
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))


class ConfigurationError(LeverageError):
    """`repos.yaml`, `repos.lock`, a pack or an option is wrong (exit code 2); holds all problems at once."""


class UncheckableError(LeverageError):
    """Something needed for the answer cannot be had: a source, a commit, evidence (exit code 3)."""

    exit_code = ExitCode.UNCHECKABLE


class SourceError(UncheckableError):
    """A source could not be fetched, opened or read."""


class IncommensurableError(TypeError):
    """Two amounts of different unit, convention or scope were added or divided. Always a defect of the caller."""
