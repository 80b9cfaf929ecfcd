"""What `leverage coupling --against` compares a port with: shipped releases, files of `leverage index`, trees."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.cli.indexing import release_of_folder
from leverage.coupling.releases.exposure import Exposed, exposure
from leverage.coupling.releases.guessed import guessed_sites
from leverage.coupling.releases.hooks import Landing, landings, shipped_hooks
from leverage.coupling.releases.matrix import Matrix, matrix_of, symbols_of
from leverage.coupling.releases.outlook import Outlook, Summary, outlook_of
from leverage.coupling.releases.pins import chosen_pin, numbers
from leverage.coupling.releases.series import packed, read_series, series_of
from leverage.coupling.releases.shipped import releases_of, shipped_series
from leverage.model.errors import ConfigurationError, Problem
from leverage.spec.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.coupling.port import Port
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.coupling.releases.pins import Requirement
    from leverage.model.touchpoints import Touchpoint

EVERY = "all"


@dataclass(frozen=True, slots=True)
class Against:
    """Releases that a port is compared with.

    Attributes:
        releases: all that are known, in order.
        asked: versions to be shown.
    """

    releases: tuple[ReleaseNames, ...]
    asked: tuple[str, ...]


def opened_against(words: Sequence[str], substrate: str) -> Against:
    """The releases that the words of the option name.

    Args:
        words: ``all``, versions such as ``2.12`` or ``2.12.1``, files of `leverage index`, folders with the substrate.
        substrate: import name of its main package.

    Raises:
        ConfigurationError: there is no index, no such release, or the file is none.
    """
    series = shipped_series(substrate)
    releases = [] if series is None else releases_of(series)
    asked: list[str] = []
    for word in words:
        if word == EVERY and releases:
            asked += [each.version for each in releases]
            continue
        same = [each.version for each in releases if numbers(each.version) and _same(word, each.version)]
        if same and not Path(word).exists():
            asked.append(same[-1])
            continue
        more = _from_place(word, substrate, [each.version for each in releases])
        releases += [each for each in more if each.version not in {one.version for one in releases}]
        asked += [each.version for each in more]
    order = [each.version for each in releases]
    return Against(tuple(releases), tuple(sorted(set(asked), key=order.index)))


def _same(word: str, version: str) -> bool:
    """Whether a word means a release: its whole number, its minor one, or another patch release of that."""
    parts = word.split(".")
    return len(parts) > 1 and all(part.isdecimal() for part in parts) and version.split(".")[:2] == parts[:2]


def _from_place(word: str, substrate: str, known: Sequence[str]) -> list[ReleaseNames]:
    place = Path(word).expanduser()
    if place.is_file():
        return releases_of(read_series(place.read_bytes(), word))
    if place.is_dir() and (place / substrate).is_dir():
        release, modules = release_of_folder(place, substrate)
        return releases_of(read_series(packed(series_of(substrate, [(release, modules)])), word))
    raise ConfigurationError(
        Problem(
            "no-such-release",
            f"{shown(word)} is no release of the index, no file of `leverage index`, no folder with {substrate} in it",
            why="a port can only be compared with a release whose names are known",
            hint=f"releases: {', '.join(known) or 'none are shipped for this substrate'}; "
            f"another is made by: leverage index {substrate}==VERSION --into FILE",
        )
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """A port beside releases.

    Attributes:
        matrix: its names in all releases that are known.
        asked: versions to be shown.
        outlook: what happens at each site, and release by release.
        guessed: likewise of calls that are matched by the name of their method alone.
        hooks: official extension points, and what of the port they could replace.
        exposure: touched names, the most exposed first.
    """

    matrix: Matrix
    asked: tuple[str, ...]
    outlook: Outlook
    guessed: Outlook
    hooks: tuple[Landing, ...]
    exposure: tuple[Exposed, ...]

    @property
    def summaries(self) -> Sequence[Summary]:
        """One for each release that is shown, in order."""
        return [each for each in self.outlook.summaries if each.version in self.asked]


def judged(port: Port, against: Against, pin: int, why: str) -> Judged:
    """Compare a port's touchpoints with releases.

    Args:
        port: the port, read with its loose calls.
        against: the releases.
        pin: which of them it is written for.
        why: how that is known.
    """
    releases, touchpoints = against.releases, port.touchpoints
    matrix = matrix_of(symbols_of(touchpoints), releases, pin, why)
    guesses = guessed_sites(port.loose, releases[pin])
    beside = matrix_of(symbols_of(guesses), releases, pin, why)
    return Judged(
        matrix,
        against.asked,
        outlook_of(touchpoints, matrix, releases),
        outlook_of(guesses, beside, releases),
        landings(shipped_hooks(), touchpoints, releases) if releases[pin].series.substrate == "torch" else (),
        exposure(touchpoints, matrix, releases, port.spans),
    )


def pin_of(
    touchpoints: Sequence[Touchpoint], against: Against, required: Requirement | None, said: str
) -> tuple[int, str]:
    """Which release a port is written for; see `chosen_pin`.

    Raises:
        ConfigurationError: a version was given that is none.
    """
    if said and not numbers(said):
        raise ConfigurationError(
            Problem("no-version", f"{shown(said)} is no version", hint="name a release, such as --pin 2.11")
        )
    return chosen_pin(against.releases, symbols_of(touchpoints), required, said)
