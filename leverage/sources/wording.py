"""Text about sources that is safe to show: no credentials, no control characters, no reordering marks."""

from __future__ import annotations

import re
from urllib.parse import unquote

from leverage.model.errors import Problem, SourceError
from leverage.spec import text as spec_text
from leverage.spec.urls import redact

LONGEST = 400
"""Characters of foreign text that a message repeats at most."""

_SECRETS = re.compile(r"://[^\s/?#:@]*:([^\s/?#]*)@|://([^\s/?#:@]+)@")
_SHORTEST_SECRET = 4  # shorter ones (`git`) are user names and would blank out ordinary words


def secrets_of(url: str) -> tuple[str, ...]:
    """Words of a URL that must not be repeated by a message, as written and percent-decoded."""
    found = {part for match in _SECRETS.finditer(url) for part in match.groups() if part}
    found |= {unquote(part) for part in found}
    return tuple(sorted((part for part in found if len(part) >= _SHORTEST_SECRET), key=len, reverse=True))


def shown(text: str, *, without: tuple[str, ...] = ()) -> str:
    """Foreign text inside a sentence of ours: one line, redacted, unprintable characters escaped, cut at `LONGEST`."""
    for secret in without:
        text = text.replace(secret, "***")
    return spec_text.shown(redact(" ".join(text.split())), LONGEST)[1:-1]


def failure(slug: str, what: str, *, why: str = "", hint: str = "") -> SourceError:
    """A `SourceError` with one problem."""
    return SourceError(Problem(slug=slug, what=what, why=why, hint=hint))
