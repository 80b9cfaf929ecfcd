"""Patterns for paths, as in a `.gitignore` at the root of a source, with one rule made simpler.

Every pattern starts at the root: ``setup.py`` is the one there, ``**/setup.py`` is any. A pattern that names a folder
stands for everything in it. ``*``, ``?`` and ``[…]`` never match ``/``; ``**`` stands for any number of folders.

The translation is our own because paths are hostile and the ready-made ones backtrack: there, three ``*`` in a pattern
and one file name of 4,000 characters take hours. Here what follows a ``*`` or ``**`` is searched once, from left to
right, and never again: the leftmost place leaves the most room for the rest, so no other needs to be tried.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leverage.spec.text import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_END = r"/|\Z"  # what ends a step of a path
_FROM_ROOT = "write it from the root of the source, such as `src/**`"
_FAULTS: tuple[tuple[str, str, str], ...] = (
    (r"^!", "begins with `!`", "patterns do not take back one another: write it under `exclude`, without the `!`"),
    (r"^#", "begins with `#`, which makes it a comment", "write `[#]` for the character itself"),
    (r"\\", "holds a backslash", "separate folders with `/`; write `[*]` for the character `*` itself"),
    (r"^(/|[A-Za-z]:)", "is an absolute path", _FROM_ROOT),
    (r"^~", "begins with `~`", _FROM_ROOT),
    (r"(^|/)\.\.?(/|$)", "holds the step `.` or `..`", _FROM_ROOT),
    (r"//", "holds an empty step `//`", "write one `/`"),
    (r"\{[^}]*,[^}]*\}", "holds braces, which these patterns do not know", "write one pattern for each alternative"),
    (r"\*{3}|\*\*/$", "holds `***` or ends with `**/`", "write `**`"),
    (r"\[:", "holds a named set of characters", "write the characters, such as `[a-z]`"),
    (r"^\s|\s$", "has a blank at an end", "delete the blank"),
)


def glob_fault(glob: str) -> tuple[str, str] | None:
    """Why a pattern is refused, and what to write instead; None for a good one."""
    for expression, what, hint in _FAULTS:
        if re.search(expression, glob):
            return what, hint
    if not glob.isprintable():
        return "holds a control character", "write `?`, which matches any one character"
    try:
        Globs((glob,))
    except ValueError as error:
        return str(error), "check its brackets; write `[[]` for the character `[` itself"
    return None


def escaped(path: str) -> str:
    """A pattern that matches this path alone; for a character that no pattern may hold, any one character."""
    last = len(path) - 1
    drive = path[1:2] == ":" and path[:1].isalpha()
    return "".join(
        f"[{char}]"
        if char in "*?[{"
        else "?"
        if char == "\\"
        or not char.isprintable()
        or HIDDEN.match(char)
        or (at == 0 and char in "!#~")
        or (at in {0, last} and char.isspace())
        or (at == 1 and drive)
        else char
        for at, char in enumerate(path)
    )


class Globs:
    """A set of patterns that a path may match. Matching takes time linear in the length of the path.

    Args:
        globs: patterns that `glob_fault` accepts.

    Raises:
        ValueError: a pattern is malformed.
    """

    def __init__(self, globs: Iterable[str]) -> None:
        self.globs = tuple(globs)
        # What a path must begin with is a quick test before the slow one.
        self._tests = [
            (re.split(r"[*?[]", glob, maxsplit=1)[0].rstrip("/"), re.compile(_translated(glob), re.DOTALL).match)
            for glob in self.globs
        ]

    def __contains__(self, path: str) -> bool:
        """Whether any pattern matches a path (``/`` separators, from the root; any characters)."""
        return any(path.startswith(head) and match(path) for head, match in self._tests)

    def matching(self, path: str) -> list[str]:
        """The patterns that match a path."""
        return [
            glob
            for glob, (head, match) in zip(self.globs, self._tests, strict=True)
            if path.startswith(head) and match(path)
        ]


def _translated(glob: str) -> str:
    """The regular expression of a pattern, to be matched from the start of a path."""
    if not glob.strip("/"):
        raise ValueError("names nothing")
    steps = glob.split("/")
    # What must follow: something inside a folder, or either the end or a folder's inside.
    inside = steps[-1] in {"", "**"}
    runs: list[list[str]] = [[]]  # runs of neighbouring steps; `**` stands between them
    for step in steps:
        if step == "**":
            runs.append([])
        elif step:
            runs[-1].append(_step(step))
    floating = ["/".join(run) for run in runs[1:] if run]
    parts = ["/".join(runs[0])] if runs[0] else []
    parts += [f"(?>(?:[^/]*+/)*?{run}(?={_END}))" for run in floating]
    if not parts:
        return "."
    return "/".join(parts) + ("/." if inside else f"(?={_END})")


def _step(step: str) -> str:
    """The expression of one step of a pattern; it must end where the step of the path ends."""
    pieces = [""]  # pieces of fixed length; `*` stands between them
    for part in _parts(step):
        if part == "*":
            pieces.append("")
        else:
            pieces[-1] += part
    first, *rest = pieces
    if not rest:
        return first
    return first + "".join(rf"(?>[^/]*?{piece})" for piece in rest[:-1]) + f"[^/]*{rest[-1]}(?={_END})"


def _parts(step: str) -> Iterator[str]:
    """``*``, or the expression of one character each."""
    at = 0
    while at < len(step):
        char = step[at]
        at += 1
        if char == "[":
            end = step.find("]", at + (2 if step[at : at + 1] in {"!", "^"} else 1))
            if end < 0:
                raise ValueError("has a `[` without its `]`")
            yield _set(step[at:end])
            at = end + 1
        elif char == "*":
            yield "*"
        else:
            yield "[^/]" if char == "?" else re.escape(char)


def _set(inner: str) -> str:
    """The expression of a set of characters, from what stands between its brackets."""
    negated = inner[0] in {"!", "^"}
    members, rest = "", inner[negated:]
    while rest:
        low, high = (rest[0], rest[2]) if rest[1:2] == "-" and len(rest) > 2 else (rest[0], rest[0])  # noqa: PLR2004
        if low > high:
            raise ValueError(f"has the range {low}-{high}, which is the wrong way round")
        members += f"{re.escape(low)}-{re.escape(high)}"
        rest = rest[3:] if rest[1:2] == "-" and len(rest) > 2 else rest[1:]  # noqa: PLR2004
    return rf"(?!/)[{'^' * negated}{members}]"
