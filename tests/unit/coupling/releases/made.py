"""Small substrates for tests: releases from sources written here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.coupling.releases.build import read_module, release_facts
from leverage.coupling.releases.series import Release, packed, read_series, series_of
from leverage.coupling.releases.shipped import releases_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.coupling.releases.names import ReleaseNames


def index_text(*releases: Mapping[str, str]) -> str:
    """The text of an index of releases 1.0, 1.1 ..., each given as source by path."""
    found = []
    for at, files in enumerate(releases):
        modules = release_facts((path, read_module(path, text.encode(), "up")) for path, text in files.items())
        found.append((Release(f"1.{at}"), modules))
    return series_of("up", found)


def releases(*sources: Mapping[str, str]) -> list[ReleaseNames]:
    """The names of such releases, through the file."""
    return releases_of(read_series(packed(index_text(*sources)), "made"))


def single(*texts: str) -> list[ReleaseNames]:
    """Releases of a substrate `up` of one module `up.m`."""
    return releases(*({"up/__init__.py": "", "up/m.py": text} for text in texts))
