"""HTTP for package indexes: the user's proxies, certificates and credentials, and limits on what a server can do."""

from __future__ import annotations

import base64
import hashlib
import netrc
import ssl
import time
import urllib.error
import urllib.request
from contextlib import closing
from http.client import HTTPException
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from leverage import __version__
from leverage.sources.base import FIRST_SIGN
from leverage.sources.wording import secrets_of, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.client import HTTPResponse

    from leverage.sources.pipconfig import PipConfiguration

LONGEST_PAGE = 64 * 1024 * 1024
LONGEST_TIME = 2 * 3600.0  # seconds for one download, however lively
_CHUNK = 1 << 18
ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


class Unreachable(Exception):  # noqa: N818 - an answer in words rather than an error of ours
    """A server gave no usable answer; the text says what happened, without credentials."""


class Web:
    """Asks HTTP servers as pip's configuration says; ``timeout`` is in seconds of silence."""

    def __init__(self, configuration: PipConfiguration, timeout: float) -> None:
        context = ssl.create_default_context(cafile=configuration.certificates or None)
        if configuration.client_certificate:
            context.load_cert_chain(configuration.client_certificate)
        proxies = {"http": configuration.proxy, "https": configuration.proxy} if configuration.proxy else None
        self._timeout = timeout
        self._patience = min(timeout, FIRST_SIGN)
        # Built by hand: the usual opener would also open files and ftp, to which a redirect could lead.
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(proxies),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPErrorProcessor(),
        ):
            self._opener.add_handler(handler)

    def _open(self, url: str, *, timeout: float, method: str = "GET", credentials_of: str = "") -> HTTPResponse:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        request = urllib.request.Request(  # noqa: S310 - the opener knows http and https only
            urlunsplit(parts._replace(netloc=host)), method=method
        )
        request.add_header("User-Agent", f"leverage/{__version__}")
        request.add_header("Accept", ACCEPT)
        if login := _login(url, credentials_of):
            # Not sent again if the server redirects to another place.
            request.add_unredirected_header("Authorization", f"Basic {login}")
        try:
            answer: HTTPResponse = self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with closing(error):
                raise Unreachable(f"the server answers {error.code}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise Unreachable(_words(error, url)) from error
        return answer

    def page(self, url: str) -> tuple[str, str, bytes]:
        """Final URL, media type and content of a page.

        Raises:
            Unreachable: it cannot be had, or is longer than `LONGEST_PAGE`.
        """
        with closing(self._open(url, timeout=self._patience)) as answer:
            try:
                data = answer.read(LONGEST_PAGE + 1)
            except (OSError, HTTPException) as error:
                raise Unreachable(_words(error, url)) from error
            if len(data) > LONGEST_PAGE:
                raise Unreachable(f"the page is longer than {LONGEST_PAGE} bytes")
            return answer.geturl(), answer.headers.get_content_type(), data

    def size(self, url: str, credentials_of: str) -> int:
        """Length of a file in bytes as the server states it; -1 where it does not."""
        try:
            with closing(
                self._open(url, timeout=self._patience, method="HEAD", credentials_of=credentials_of)
            ) as answer:
                length = answer.headers.get("Content-Length", "")
                return int(length) if length.isdigit() else -1
        except Unreachable:
            return -1

    def save(self, url: str, file: IO[bytes], *, most: int, credentials_of: str, report: Callable[[int], None]) -> str:
        """Write a file of at most ``most`` bytes and return the SHA-256 of what was written, in hex.

        Raises:
            Unreachable: the answer broke off, is longer than it may be, or took longer than `LONGEST_TIME`.
        """
        digest = hashlib.sha256()
        done = 0
        until = time.monotonic() + LONGEST_TIME
        with closing(self._open(url, timeout=self._timeout, credentials_of=credentials_of)) as answer:
            try:
                while piece := answer.read(_CHUNK):
                    done += len(piece)
                    if done > most:
                        raise Unreachable(f"the server sends more than the {most} bytes it promised")
                    if time.monotonic() > until:
                        raise Unreachable(f"not done after {LONGEST_TIME:g} seconds")
                    file.write(piece)
                    digest.update(piece)
                    report(done)
            except (OSError, HTTPException) as error:
                raise Unreachable(_words(error, url)) from error
        return digest.hexdigest()


def _words(error: Exception, url: str) -> str:
    reason = getattr(error, "reason", None) or error
    return f"it cannot be reached ({shown(str(reason), without=secrets_of(url)) or type(error).__name__})"


def _login(url: str, credentials_of: str) -> str:
    """Credentials for HTTP's basic scheme: out of the URL, of its index if that is the same host, or of ``.netrc``."""
    for place in (url, credentials_of):
        parts = urlsplit(place)
        if parts.username is not None and parts.hostname == urlsplit(url).hostname:
            text = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            return base64.b64encode(text.encode()).decode()
    try:
        found = netrc.netrc().authenticators(urlsplit(url).hostname or "")
    except (OSError, netrc.NetrcParseError):
        return ""
    return base64.b64encode(f"{found[0]}:{found[2]}".encode()).decode() if found else ""
