"""Patterns for paths, as in a `.gitignore` at the root of a source, with one rule made simpler.

Every pattern starts at the root: ``setup.py`` is the one there, ``**/setup.py`` is any. A pattern that names a folder
stands for everything in it. ``*``, ``?`` and ``[…]`` never match ``/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec


def glob_fault(glob: str) -> tuple[str, str] | None:
    """Why a pattern is refused, and what to write instead; None for a good one."""
    if glob.startswith("!"):
        return "begins with `!`", "patterns do not take back one another: write it under `exclude`, without the `!`"
    if glob.startswith("#"):
        return "begins with `#`, which makes it a comment", "write `[#]` for the character itself"
    if "\\" in glob:
        return "holds a backslash", "separate folders with `/`; write `[*]` for the character `*` itself"
    if glob.startswith("/") or re.match(r"[A-Za-z]:", glob):
        return "is an absolute path", "write it from the root of the source, such as `src/**`"
    if glob.startswith("~"):
        return "begins with `~`", "write it from the root of the source, such as `src/**`"
    if any(part in {".", ".."} for part in glob.split("/")):
        return "holds the step `.` or `..`", "write it from the root of the source, such as `src/**`"
    if "//" in glob:
        return "holds an empty step `//`", "write one `/`"
    if re.search(r"\{[^}]*,[^}]*\}", glob):
        return "holds braces, which gitignore patterns do not know", "write one pattern for each alternative"
    if any(not char.isprintable() for char in glob) or glob != glob.strip():
        return "holds a control character, or a blank at an end", "delete it"
    try:
        compiled = Globs((glob,))
    except (ValueError, re.error):
        compiled = None
    if compiled is None or not compiled.usable:
        return "is not a valid pattern", "check its brackets `[…]`; write `[[]` for the character `[` itself"
    return None


class Globs:
    """A set of patterns that a path may match.

    Args:
        globs: patterns that `glob_fault` accepts.

    Raises:
        ValueError, re.error: a pattern is malformed.
    """

    def __init__(self, globs: Iterable[str]) -> None:
        self.globs = tuple(globs)
        # pathspec translates; its expressions are asked one by one, since its faster engines want valid UTF-8.
        patterns = GitIgnoreSpec.from_lines([f"/{glob}" for glob in self.globs]).patterns
        expressions = [pattern.regex for pattern in patterns if pattern.include and pattern.regex is not None]
        self.usable = len(expressions) == len(self.globs)
        self._tests = [
            (_literal_head(glob), expression.search) for glob, expression in zip(self.globs, expressions, strict=False)
        ]

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
