"""What `.gitattributes` files of a snapshot say about its files: the four `linguist-` attributes, nothing else.

The files are read from the snapshot itself, so at the counted revision. Their patterns come from strangers and are
matched without regular expressions, in time that grows with pattern times path and never faster.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = ".gitattributes"
MAX_BYTES = 2**20
MAX_RULES = 2_000
"""Rules beyond this number, over all files of a snapshot, are not read; no honest repository comes near."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What the attribute files say about one path; a rule is the place that said it, such as ``.gitattributes:3``.

    Attributes:
        values: attribute -> value: ``true``, ``false`` or the text that was given.
        rules: attribute -> place.
    """

    values: dict[str, str] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)

    def truth(self, attribute: str) -> bool | None:
        """Whether an attribute is set, unset, or (None) not spoken of."""
        value = self.values.get(attribute)
        return None if value is None else value.lower() not in {"false", "0", "no"}


@dataclass(frozen=True, slots=True)
class _Rule:
    folder: str  # of the attribute file, with a closing slash; empty at the root
    segments: tuple[str, ...]  # of the pattern; one segment without a slash matches at any depth
    anchored: bool
    settings: tuple[tuple[str, str | None], ...]  # None: back to unspecified
    place: str


@dataclass(frozen=True, slots=True)
class Attributes:
    """All rules of a snapshot, weakest first."""

    rules: tuple[_Rule, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[tuple[str, bytes]]) -> Attributes:
        """Read attribute files given as (path in the snapshot, bytes); malformed lines say nothing."""
        rules: list[_Rule] = []
        for path, data in sorted(texts, key=lambda item: (item[0].count("/"), item[0])):
            rules.extend(_rules(path, data[:MAX_BYTES]))
        return cls(tuple(rules[:MAX_RULES]))

    def marks(self, path: str) -> Marks:
        """What the rules say about a path; the last matching rule of the nearest file wins."""
        marks = Marks()
        for rule in self.rules:
            if not path.startswith(rule.folder) or not _matches(rule, path[len(rule.folder) :]):
                continue
            for attribute, value in rule.settings:
                if value is None:
                    marks.values.pop(attribute, None)
                else:
                    marks.values[attribute] = value
                    marks.rules[attribute] = rule.place
        return marks


def _rules(path: str, data: bytes) -> Iterator[_Rule]:
    folder = path[: -len(NAME)]
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").splitlines(), 1):
        pattern, settings = _line(line.strip())
        if not pattern or pattern.endswith("/") or pattern.startswith("!") or not settings:
            continue
        anchored = "/" in pattern
        yield _Rule(folder, tuple(pattern.removeprefix("/").split("/")), anchored, settings, f"{path}:{number}")


def _line(line: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    if not line or line.startswith(("#", "[attr]")):
        return "", ()
    if line.startswith('"'):
        pattern, _, rest = line[1:].partition('"')
        words = rest.split()
    else:
        pattern, *words = line.split()
    return pattern, tuple(filter(None, map(_setting, words)))


def _setting(word: str) -> tuple[str, str | None] | None:
    name, equals, value = word.partition("=")
    bare = name.lstrip("-!")
    if not bare.startswith("linguist-"):
        return None
    if name.startswith("!"):
        return bare, None
    if name.startswith("-"):
        return bare, "false"
    return bare, value if equals else "true"


def _matches(rule: _Rule, path: str) -> bool:
    parts = path.split("/")
    if not rule.anchored:
        return _glob(rule.segments[0], parts[-1])
    return _segments(rule.segments, parts)


def _segments(pattern: tuple[str, ...], parts: list[str]) -> bool:
    """Match whole segments, `**` for any number of them; going back only to the last `**` is enough."""
    at = place = 0
    star, resume = -1, 0
    while place < len(parts):
        if at < len(pattern) and pattern[at] == "**":
            star, resume = at, place
            at += 1
        elif at < len(pattern) and _glob(pattern[at], parts[place]):
            at += 1
            place += 1
        elif star >= 0:
            resume += 1
            at, place = star + 1, resume
        else:
            return False
    return at == len(pattern)


def _glob(pattern: str, text: str) -> bool:
    """Match `*`, `?` and `[...]` inside one segment, by the same method."""
    tokens = _tokens(pattern)
    at = place = 0
    star, resume = -1, 0
    while place < len(text):
        if at < len(tokens) and tokens[at] == "*":
            star, resume = at, place
            at += 1
        elif at < len(tokens) and _one(tokens[at], text[place]):
            at += 1
            place += 1
        elif star >= 0:
            resume += 1
            at, place = star + 1, resume
        else:
            return False
    return all(token == "*" for token in tokens[at:])  # noqa: S105 - a wildcard, no secret


def _tokens(pattern: str) -> list[str]:
    tokens: list[str] = []
    place = 0
    while place < len(pattern):
        end = place + 1
        if pattern[place] == "\\" and end < len(pattern):
            end += 1
        elif pattern[place] == "[":
            close = pattern.find("]", place + (3 if pattern[place + 1 : place + 2] in {"!", "^"} else 2))
            end = close + 1 if close > 0 else end
        tokens.append(pattern[place:end])
        place = end
    return tokens


def _one(token: str, char: str) -> bool:
    if token == "?":  # noqa: S105 - a wildcard, no secret
        return True
    if token.startswith("\\") and len(token) > 1:
        return token[1] == char
    if not token.startswith("["):
        return token == char
    if len(token) == 1:  # never closed: git lets the whole pattern fail
        return False
    inverted = token[1] in "!^"
    inner = token[2 if inverted else 1 : -1]
    found = char in inner.replace("-", "") or any(
        low <= char <= high for low, dash, high in zip(inner, inner[1:], inner[2:], strict=False) if dash == "-"
    )
    return found != inverted
