"""URLs as they may be shown and stored: without credentials."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+://)(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL)
_INSIDE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+://)(?P<authority>[^/?#\s]*)(?P<rest>\S*)")
_HOST = re.compile(r"(\[[^\]]*\]|[^:@]+)(:[0-9]*)?")
_SCP = re.compile(r"(?P<user>[^/\s]*@)(?=[^/@\s]+:)")
_SECRET = re.compile(r"(?i)([?&][^=&#\s]*(?:token|secret|passw|key|auth|sig)[^=&#\s]*=)[^&#\s]*")
_REPOSITORY = re.compile(r"(https?|ssh|git|git\+ssh|file)://[^\s-]\S*|[A-Za-z0-9_][\w.-]*@[\w.-]+:[^:\s]\S*")


def is_repository_url(text: str) -> bool:
    """Whether a text is a URL that git may be given; forms that make git run a program are not."""
    return _REPOSITORY.fullmatch(text) is not None


def redact(text: str) -> str:
    """A URL, or a text with URLs in it, without user names, passwords and secret-looking query values.

    The user `git` of ssh addresses stays, since it names no one. What is no URL comes back as it is.
    """
    if whole := _WHOLE.fullmatch(text):
        text = _bare(whole)
    elif scp := _SCP.match(text):
        text = ("git@" if scp["user"] == "git@" else "") + text[scp.end() :]
    return _SECRET.sub(r"\1…", _INSIDE.sub(_bare, text))


def _bare(url: re.Match[str]) -> str:
    authority, rest = url["authority"], url["rest"]
    user, _, host = authority.rpartition("@")
    if "@" in rest and (":" in user or not _HOST.fullmatch(host)):
        # A `/`, `?` or `#` that should have been encoded ended the authority inside a password. Where the `@` belongs
        # to the path of a URL with a password after all, too much goes, and not too little.
        user, _, host = f"{authority}{rest}".rpartition("@")
        rest = ""
    keep = "git@" if user == "git" and "ssh" in url["scheme"].lower() else ""
    return f"{url['scheme']}{keep}{host}{rest}"
