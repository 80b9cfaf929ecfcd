"""Patterns for paths, as in a `.gitignore` at the root of a source, with one rule made simpler.

Every pattern starts at the root: ``setup.py`` is the one there, ``**/setup.py`` is any. A pattern that names a folder
stands for everything in it. ``*``, ``?`` and ``[…]`` never match ``/``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

_FROM_ROOT = "write it from the root of the source, such as `src/**`"
_ANY = "write `?`, which matches any one character"
_FAULTS: tuple[tuple[str, str, str], ...] = (
    (r"^!", "begins with `!`", "patterns do not take back one another: write it under `exclude`, without the `!`"),
    (r"^#", "begins with `#`, which makes it a comment", "write `[#]` for the character itself"),
    (r"\\", "holds a backslash", "separate folders with `/`; write `[*]` for the character `*` itself"),
    (r"^(/|[A-Za-z]:)", "is an absolute path", _FROM_ROOT),
    (r"^~", "begins with `~`", _FROM_ROOT),
    (r"(^|/)\.\.?(/|$)", "holds the step `.` or `..`", _FROM_ROOT),
    (r"//", "holds an empty step `//`", "write one `/`"),
    (r"\{[^}]*,[^}]*\}", "holds braces, which these patterns do not know", "write one pattern for each alternative"),
    (r"\[[^\]]*(\[|--|&&|\|\||~~)", "holds a set that is read differently by different tools", _ANY),
    (r"^\s|\s$", "has a blank at an end", "delete the blank"),
)


def glob_fault(glob: str) -> tuple[str, str] | None:
    """Why a pattern is refused, and what to write instead; None for a good one."""
    for expression, what, hint in _FAULTS:
        if re.search(expression, glob):
            return what, hint
    if not glob.isprintable():
        return "holds a control character", _ANY
    try:
        Globs((glob,))
    except (ValueError, re.error):
        return "is not a valid pattern", f"check its brackets; for the character `[` itself {_ANY}"
    return None


class Globs:
    """A set of patterns that a path may match.

    Args:
        globs: patterns that `glob_fault` accepts.

    Raises:
        ValueError: a pattern is malformed.
        re.error: likewise.
    """

    def __init__(self, globs: Iterable[str]) -> None:
        self.globs = tuple(globs)
        # pathspec translates; its expressions are asked one by one, since its faster engines want valid UTF-8.
        patterns = GitIgnoreSpec.from_lines([f"/{glob}" for glob in self.globs]).patterns
        self._tests = []
        for glob, pattern in zip(self.globs, patterns, strict=True):
            if not pattern.include or pattern.regex is None:
                raise ValueError(f"not a usable pattern: {glob!r}")
            self._tests.append((_literal_head(glob), pattern.regex.search))

    def __contains__(self, path: str) -> bool:
        """Whether any pattern matches a path (``/`` separators, from the root; surrogate escapes allowed)."""
        path = _flat(path)
        return any(path.startswith(head) and search(path) for head, search in self._tests)

    def matching(self, path: str) -> list[str]:
        """The patterns that match a path."""
        path = _flat(path)
        return [
            glob
            for glob, (head, search) in zip(self.globs, self._tests, strict=True)
            if path.startswith(head) and search(path)
        ]


def _flat(path: str) -> str:
    # In an expression `.` does not match a line feed and `$` matches before one at the end. NUL has no such meaning
    # and is in no path, so a file with a line feed in its name can neither hide nor pass for another.
    return path.replace("\n", "\0") if "\n" in path else path


def _literal_head(glob: str) -> str:
    """Text that every matching path begins with; a quick test before the slow one."""
    head = re.split(r"[*?[]", glob, maxsplit=1)[0]
    return head.rstrip("/") if head == glob or glob.startswith("**", len(head)) else head
