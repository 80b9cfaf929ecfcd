"""Text about sources that is safe to show: no credentials, no control characters, no reordering marks."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from leverage.model.errors import Problem, SourceError

LONGEST = 400
"""Characters of foreign text that a message repeats at most."""

_USERINFO = re.compile(r"(?<=://)[^\s/?#'\"]*@")
_QUERY = re.compile(r"(?<=\S)(://[^\s?#'\"]*)[?#][^\s'\"]*")
_PASSWORD = re.compile(r"://[^\s/?#:@]*:([^\s/?#]*)@|://([^\s/?#:@]+)@")
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_SHORTEST_SECRET = 4  # shorter ones (`git`) are user names and would blank out ordinary words


def redact(text: str) -> str:
    """Take user names, passwords, queries and fragments out of every URL in ``text``."""
    return _QUERY.sub(r"\1", _USERINFO.sub("", text))


def secrets_of(url: str) -> tuple[str, ...]:
    """Words of a URL that must not be repeated by a message, as written and percent-decoded."""
    found = {part for match in _PASSWORD.finditer(url) for part in match.groups() if part}
    found |= {unquote(part) for part in found}
    return tuple(sorted((part for part in found if len(part) >= _SHORTEST_SECRET), key=len, reverse=True))


def shown(text: str, *, without: tuple[str, ...] = ()) -> str:
    """Foreign text for a message: redacted, one line, unprintable and reordering characters escaped, cut short."""
    for secret in without:
        text = text.replace(secret, "***")
    text = redact(" ".join(text.split()))
    if len(text) > LONGEST:
        text = text[: LONGEST - 1] + "…"
    return "".join(
        char.encode("unicode_escape", "surrogatepass").decode("ascii")
        if unicodedata.category(char) in _UNSAFE
        else char
        for char in text
    )


def failure(slug: str, what: str, *, why: str = "", hint: str = "") -> SourceError:
    """A `SourceError` with one problem."""
    return SourceError(Problem(slug=slug, what=what, why=why, hint=hint))
