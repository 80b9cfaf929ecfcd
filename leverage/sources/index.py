"""Which artifacts of a version there are, and how to get one: the simple index, reached as pip's configuration says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from leverage.sources.base import Access

_WHEEL = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl")
_SDIST = re.compile(r"(?P<name>.+)-(?P<version>[^-]+)\.(tar\.gz|tar\.bz2|tar\.xz|tgz|zip)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An artifact that an index offers.

    Attributes:
        filename: as the index spells it.
        url: where it is.
        sha256: the hash that the index gives.
        size: bytes.
        uploaded: ISO 8601 date in UTC, empty where unknown.
        index: the index that offers it.
    """

    filename: str
    url: str
    sha256: str
    size: int
    uploaded: str
    index: str

    @staticmethod
    def parse(filename: str) -> tuple[str, str] | None:
        """Name and version out of the file name of a wheel or source distribution; None where it is neither."""
        match = _WHEEL.fullmatch(filename) or _SDIST.fullmatch(filename)
        return (match["name"], match["version"]) if match else None


def find_candidates(name: str, version: str, access: Access, tried: list[str]) -> Iterator[Candidate]:
    """Not yet."""
    tried.append("index not asked")
    return iter(())


def download(candidate: Candidate, store: Path, access: Access) -> Path | str:
    """Not yet."""
    return "not yet"
