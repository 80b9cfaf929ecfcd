"""Where a repository may be: which URLs are safe to hand to git, which are local paths, which mirror stands for one."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from leverage.model.errors import ConfigurationError, Problem
from leverage.sources.wording import shown
from leverage.spec.urls import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMES = ("https", "ssh", "git", "http", "file")
_SCP = re.compile(r"(?:(?P<user>[^@:/\s]+)@)?(?P<host>[^:/\s]+):(?P<path>.*)", re.DOTALL)


def refuse_unsafe(url: str) -> None:
    """Refuse a URL that could make git run something or that hides what it names.

    Raises:
        ConfigurationError: with the reason; credentials in the URL are not repeated.
    """
    if reason := _unsafe(url):
        raise ConfigurationError(
            Problem(
                slug="url-refused",
                what=f"the repository {shown(url)!r} {reason}",
                why="git would take such text as a command or an option, not as a place",
                hint="write https://host/owner/name, ssh://user@host/path, user@host:path, or the path of a repository",
            )
        )


def _unsafe(url: str) -> str:
    """What is wrong with a URL, to follow "the repository ..."; empty where nothing is."""
    if not url.strip() or any(unicodedata.category(char) in {"Cc", "Zl", "Zp"} for char in url):
        return "is empty or holds control characters"
    if url.startswith("-"):
        return "starts with a hyphen, as options do"
    if helper := re.match(r"([A-Za-z0-9+.-]*)::", url):
        return f"names a transport helper (`{shown(helper[1])}::`), which is a program to run"
    if "://" in url:
        return _unsafe_parts(url)
    if local_part(url) is None and (match := _SCP.fullmatch(url)) and any(map(_like_an_option, match.groups())):
        return "has a part that starts with a hyphen, as options do"
    return ""


def _unsafe_parts(url: str) -> str:
    scheme = url.split("://", 1)[0].lower()
    if scheme not in SCHEMES:
        return f"uses `{shown(scheme)}://`, which is not one of {', '.join(SCHEMES)}"
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username
    except ValueError:
        return "is not a URL"
    if scheme == "file":
        return "" if parts.netloc in {"", "localhost"} else "names a file on another host"
    if not host:
        return "names no host"
    if _like_an_option(host) or _like_an_option(user):
        return "has a host or user name that starts with a hyphen, as options do"
    return ""


def _like_an_option(part: str | None) -> bool:
    return (part or "").startswith("-")


def local_part(url: str) -> str | None:
    """The path inside a ``file://`` URL or a bare path; None where the URL names another machine."""
    if url.lower().startswith("file://"):
        return unquote(urlsplit(url).path)
    if "://" in url or "::" in url:
        return None
    before_slash = url.split("/", 1)[0]
    return None if ":" in before_slash else url


def local_path(path: str, base: Path) -> Path:
    """A path as a user writes it: ``~`` is the home directory, relative paths start at ``base``."""
    return base / Path(path).expanduser()


def normalized(name: str) -> str:
    """A distribution name as indexes spell it: lower case, runs of ``-_.`` as one hyphen."""
    return re.sub(r"[-_.]+", "-", name).lower()


def place_key(url: str) -> str:
    """A place without what does not change it: credentials, a trailing slash, ``.git``, the spelling of a name."""
    if url.startswith("pypi:"):
        name, separator, version = url.removeprefix("pypi:").partition("==")
        return f"pypi:{normalized(name)}{separator}{version}"
    return redact(url).rstrip("/").removesuffix(".git")


def mirror_of(place: str, mirrors: Mapping[str, str]) -> str | None:
    """The local path that stands for a place, if the user named one."""
    if place in mirrors:
        return mirrors[place]
    key = place_key(place)
    return next((path for url, path in mirrors.items() if place_key(url) == key), None)


def store_name(place: str) -> str:
    """A directory name for a place, the same whatever credentials its URL carries."""
    return hashlib.sha256(os.fsencode(place_key(place))).hexdigest()[:20]
