"""For which release a port is written: what its packaging asks for, else the release whose names fit best."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.coupling.releases.names import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leverage.coupling.releases.names import ReleaseNames

_FILES = re.compile(
    r"pyproject\.toml|setup\.py|setup\.cfg|[\w.-]*requirements[\w.-]*\.(txt|in)|constraints[\w.-]*\.txt"
    r"|environment[\w.-]*\.ya?ml"
)
_ASIDE = frozenset({"doc", "docs", "example", "examples", "test", "tests", "third_party", "benchmark", "benchmarks"})
MOST_BYTES = 2**20
DEEPEST = 2
"""Folders above a file of requirements, at most."""
_VERSION = r"\d+(?:\.\d+)*"
_EXACT = frozenset({"==", "===", "~="})


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a port's packaging says of its substrate.

    Attributes:
        path: the file.
        line: its line, from 1.
        bounds: operators and versions: ``~=`` and ``2.11.0``.
    """

    path: str
    line: int
    bounds: tuple[tuple[str, str], ...]

    @property
    def exact(self) -> str:
        """The one release that is asked for; empty where it is a range."""
        return next((version for operator, version in self.bounds if operator in _EXACT), "")

    @property
    def text(self) -> str:
        """As it is written, roughly."""
        return ",".join(f"{operator}{version}" for operator, version in self.bounds)

    def allows(self, version: str) -> bool:
        """Whether a release is within the bounds; of one that is asked for exactly its minor release is."""
        mine = numbers(version)
        return all(_holds(operator, mine, numbers(bound)) for operator, bound in self.bounds)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version: (2, 11, 0) for ``2.11.0+cpu``; empty for what is none."""
    found = re.match(_VERSION, version)
    return tuple(int(part[:9]) for part in found[0].split(".")[:6]) if found else ()


def _holds(operator: str, mine: tuple[int, ...], bound: tuple[int, ...]) -> bool:
    size = max(len(mine), len(bound))
    left, right = mine + (0,) * (size - len(mine)), bound + (0,) * (size - len(bound))
    match operator:
        case "==" | "===" | "~=":
            return mine[:2] == bound[:2]
        case ">=":
            # Of a minor release one is in the index, so any of its releases will do.
            return left[:2] >= right[:2]
        case ">":
            return left > right
        case "<=":
            return left[:2] <= right[:2]
        case "<":
            return left < right
        case _:
            return left != right


def asks_for_packages(path: str) -> bool:
    """Whether a file may say which packages a port needs."""
    *folders, leaf = path.split("/")
    return len(folders) <= DEEPEST and _ASIDE.isdisjoint(folders) and _FILES.fullmatch(leaf.lower()) is not None


def requirement(texts: Mapping[str, bytes], package: str) -> Requirement | None:
    """What files say of a package: an exact version before a range, the file nearest to the root first.

    Args:
        texts: bytes by path; those for which `asks_for_packages` holds.
        package: name of the distribution.
    """
    wanted = re.compile(
        rf"(?<![\w./-]){re.escape(package)}(?:\[[\w,. -]*\])?\s*\(?\s*"
        rf"((?:(?:===|==|~=|>=|<=|!=|<|>)\s*v?{_VERSION}[\w.+*]*\s*,?\s*)+)",
    )
    bound = re.compile(rf"(===|==|~=|>=|<=|!=|<|>)\s*v?({_VERSION})")
    found: list[Requirement] = []
    for path in sorted(texts, key=lambda path: (path.count("/"), not path.endswith("pyproject.toml"), path)):
        if len(texts[path]) > MOST_BYTES:
            continue
        for at, line in enumerate(texts[path].decode("utf-8", "replace").splitlines(), 1):
            said = line.partition("#")[0] if not path.endswith(".py") else line
            for match in wanted.finditer(said[:2000]):
                found.append(Requirement(path, at, tuple(bound.findall(match[1]))))  # noqa: PERF401 - two loops
    exact = [each for each in found if each.exact]
    return next(iter(exact or found), None)


def chosen_pin(
    releases: Sequence[ReleaseNames], symbols: Iterable[str], required: Requirement | None, said: str = ""
) -> tuple[int, str]:
    """Which release a port is written for, from 0, and how that is known.

    Args:
        releases: in order, the oldest first; at least one.
        symbols: upstream names that the port touches.
        required: what its packaging says; None where nothing.
        said: a version that the user or the configuration names; empty where none.
    """
    named = said or ("" if required is None else required.exact)
    where = "" if required is None else f"{required.path}:{required.line} asks for {required.text}"
    origin = f"{named} is given" if said else where
    if named:
        same = [at for at, each in enumerate(releases) if numbers(each.version)[:2] == numbers(named)[:2]]
        if same:
            return same[-1], origin
        older = [at for at, each in enumerate(releases) if numbers(each.version) < numbers(named)]
        return (older[-1] if older else 0), f"{origin}; the nearest release of the index stands in for it"
    allowed = [at for at, each in enumerate(releases) if required is None or required.allows(each.version)]
    names = list(symbols)
    fits = {
        at: sum(isinstance(releases[at].find(name), Found) for name in names) for at in allowed or range(len(releases))
    }
    best = max(fits, key=lambda at: (fits[at], at))
    why = f"{fits[best]} of {len(names)} touched names are in it, more than in any other that is allowed"
    return best, f"{where}; {why}" if where else f"nothing says so; {why}"
