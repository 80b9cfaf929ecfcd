"""Which artifacts of a version there are, on every platform, and how to get one: the simple index, as HTML or JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from leverage.sources.pipconfig import pip_configuration
from leverage.sources.places import normalized
from leverage.sources.store import working_directory
from leverage.sources.web import Unreachable, Web
from leverage.sources.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.sources.base import Access

LARGEST_ARTIFACT = 4 * 1024**3
TRIES = 3
_STEPS = 20  # times that a download reports its progress
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+!-]*")
_WHEEL = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl")
_SDIST = re.compile(r"(?P<name>.+)-(?P<version>[^-]+)\.(tar\.gz|tar\.bz2|tar\.xz|tgz|zip)")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An artifact that an index offers.

    Attributes:
        filename: a wheel's or source distribution's, of safe characters only.
        url: where it is; for a ``file:`` URL the file is read in place.
        sha256: the hash that the index gives; empty where it gives none.
        size: bytes; -1 where unknown.
        uploaded: ISO 8601 date in UTC, empty where unknown.
        index: the index or directory that offers it; may carry credentials.
    """

    filename: str
    url: str
    sha256: str
    size: int
    uploaded: str
    index: str

    @property
    def path(self) -> Path | None:
        """The file, if it lies on this machine."""
        parts = urlsplit(self.url)
        return Path(unquote(parts.path)) if parts.scheme == "file" else None


def is_artifact_of(filename: str, name: str, version: str) -> bool:
    """Whether a file name is that of a wheel or source distribution of a version (``name`` normalized)."""
    match = _WHEEL.fullmatch(filename) or _SDIST.fullmatch(filename)
    if match is None or not _SAFE.fullmatch(filename):
        return False
    return normalized(match["name"]) == name and match["version"].lower() == version.lower()


class Indexes:
    """The indexes of pip's configuration."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._configuration = pip_configuration(access.timeout)
        self._web = Web(self._configuration, access.timeout)

    def candidates(self, name: str, version: str, tried: list[str]) -> list[Candidate]:
        """Every artifact of a version on any platform, the locked one first, then the smallest.

        What was asked in vain is added to ``tried``, in words.
        """
        found: dict[str, Candidate] = {}
        for place, offered in self._offers(name, tried):
            mine = [each for each in offered if is_artifact_of(each.filename, name, version)]
            if not mine:
                tried.append(f"{shown(place)}: no artifact of {name} {version}")
            for each in mine:
                # A file on this machine costs nothing, so it stands for one of the same name elsewhere.
                if each.filename not in found or (each.path and not found[each.filename].path):
                    found[each.filename] = each
        sized = [each if each.size >= 0 else replace(each, size=self._size(each)) for each in found.values()]
        locked = self._access.expect.id if self._access.expect else ""

        def rank(each: Candidate) -> tuple[bool, bool, int, bool, str]:
            wheel = each.filename.endswith(".whl")
            return f"sha256:{each.sha256}" != locked, each.size < 0, each.size, not wheel, each.filename

        return sorted(sized, key=rank)

    def _size(self, candidate: Candidate) -> int:
        return self._web.size(candidate.url, candidate.index)

    def _offers(self, name: str, tried: list[str]) -> Iterator[tuple[str, list[Candidate]]]:
        pages = [(place, place) for place in self._configuration.find_links]
        pages += [(index, f"{index.rstrip('/')}/{name}/") for index in self._configuration.indexes]
        for place, page in pages:
            try:
                if (directory := _local(page)) is not None:
                    yield place, _directory_offers(directory, place)
                elif self._access.offline:
                    tried.append(f"{shown(place)}: not asked, for we are offline")
                else:
                    url, kind, data = self._web.page(page)
                    yield (
                        place,
                        _json_offers(data, url, place) if kind.endswith("json") else _html_offers(data, url, place),
                    )
            except Unreachable as error:
                tried.append(f"{shown(place)}: {error}")

    def fetch(self, candidate: Candidate) -> Path | str:
        """The artifact on this machine, its hash checked; or in words why it cannot be had."""
        if candidate.path:
            return candidate.path if candidate.path.is_file() else "there is no such file"
        if not candidate.sha256:
            return "the index gives no SHA-256 for it, so what arrives could not be checked"
        if candidate.size > LARGEST_ARTIFACT:
            return f"it has {candidate.size} bytes, more than the {LARGEST_ARTIFACT} that are fetched"
        answer = ""
        for _try in range(TRIES):
            try:
                return self._download(candidate)
            except Unreachable as error:
                answer = str(error)
        return answer

    def _download(self, candidate: Candidate) -> Path:
        store = self._access.store / "pypi"
        most = candidate.size if candidate.size >= 0 else LARGEST_ARTIFACT
        reported = 0

        def report(done: int) -> None:
            nonlocal reported
            if done - reported >= most / _STEPS:
                reported = done
                self._access.progress(f"{candidate.filename}: {done / 1e6:.1f} of {most / 1e6:.1f} MB")

        with working_directory(store) as working:
            arrived = working / candidate.filename
            with arrived.open("wb") as file:
                sha256 = self._web.save(candidate.url, file, most=most, credentials_of=candidate.index, report=report)
            if sha256 != candidate.sha256:
                raise Unreachable(f"what arrived has SHA-256 {sha256}, but the index says {candidate.sha256}")
            final = store / sha256 / candidate.filename
            final.parent.mkdir(parents=True, exist_ok=True)
            arrived.replace(final)
        return final


def _local(place: str) -> Path | None:
    """The path of a place on this machine, None for one elsewhere."""
    if place.lower().startswith("file:"):
        return Path(unquote(urlsplit(place).path))
    return None if "://" in place else Path(place).expanduser()


def _directory_offers(path: Path, index: str) -> list[Candidate]:
    page = path if path.is_file() else path / "index.html"
    if page.is_file():
        return [
            _measured(each) for each in _html_offers(page.read_bytes(), page.absolute().as_uri(), index) if each.path
        ]
    if not path.is_dir():
        return []
    return [
        Candidate(file.name, file.absolute().as_uri(), "", file.stat().st_size, "", index)
        for file in sorted(path.iterdir())
        if file.is_file()
    ]


def _measured(candidate: Candidate) -> Candidate:
    path = candidate.path
    return replace(candidate, size=path.stat().st_size) if path and path.is_file() else candidate


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get("href")
        if tag == "a" and target:
            self.found.append(target)
        elif tag == "base" and target:
            self.base = target


def _html_offers(data: bytes, url: str, index: str) -> list[Candidate]:
    links = _Links()
    links.feed(data.decode("utf-8", "replace"))
    offers = []
    for link in links.found:
        offer = _offer(urljoin(urljoin(url, links.base), link), url, index)
        if offer:
            offers.append(offer)
    return offers


def _offer(link: str, page: str, index: str) -> Candidate | None:
    """A link of a page; None if it leads somewhere that the page may not send us."""
    target, fragment = urldefrag(link)
    parts = urlsplit(target)
    # A page from the network may not name a file of this machine.
    if parts.scheme not in {"http", "https"} and not (parts.scheme == "file" and urlsplit(page).scheme == "file"):
        return None
    sha256 = fragment.removeprefix("sha256=")
    return Candidate(
        unquote(parts.path).rpartition("/")[2], target, sha256 if _SHA256.fullmatch(sha256) else "", -1, "", index
    )


def _json_offers(data: bytes, url: str, index: str) -> list[Candidate]:
    try:
        listed = json.loads(data)["files"]
        return [offer for entry in listed if (offer := _json_offer(entry, url, index))]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Unreachable(f"its answer is not an index page ({type(error).__name__})") from error


def _json_offer(entry: dict[str, Any], url: str, index: str) -> Candidate | None:
    filename, link, sha256 = entry["filename"], entry["url"], entry["hashes"].get("sha256", "")
    if not all(isinstance(each, str) for each in (filename, link, sha256)):
        raise TypeError
    size, date = entry.get("size"), _DATE.fullmatch(entry.get("upload-time") or "")
    offer = _offer(urljoin(url, link), url, index)
    return offer and replace(
        offer,
        filename=filename,
        sha256=sha256 if _SHA256.fullmatch(sha256) else "",
        size=size if isinstance(size, int) and size >= 0 else -1,
        uploaded=f"{date[1]}Z" if date else "",
    )
