"""Which component a path belongs to, and which profile it is part of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.spec.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.spec.types import System


@dataclass(frozen=True, slots=True)
class Conflict:
    """Paths that several components claim. Components in the order of the spec, paths in the order given."""

    components: tuple[str, ...]
    paths: tuple[str, ...]


class Selector:
    """The components and profiles of one system, ready to be asked about paths.

    Paths have ``/`` separators and start at the root of the source; they may hold anything that a tree can hold.

    Args:
        system: a system of a checked spec: its patterns are valid and `exclude_components` has no cycle.
    """

    def __init__(self, system: System) -> None:
        self._include = {name: Globs(component.include) for name, component in system.components.items()}
        self._exclude = {name: Globs(component.exclude) for name, component in system.components.items()}
        self._others = {name: component.exclude_components for name, component in system.components.items()}
        self._profiles = {name: Globs(profile.exclude) for name, profile in system.profiles.items()}

    def _claims(self, name: str, path: str, known: dict[str, bool]) -> bool:
        """Whether a component claims a path; ``known`` holds what has been found out about this path already."""
        if name not in known:
            known[name] = (
                path in self._include[name]
                and path not in self._exclude[name]
                and not any(self._claims(other, path, known) for other in self._others[name])
            )
        return known[name]

    def claimants(self, path: str) -> list[str]:
        """Every component that claims a path, in the order of the spec."""
        known: dict[str, bool] = {}
        return [name for name in self._include if self._claims(name, path, known)]

    def component(self, path: str) -> str | None:
        """The component of a path: the first that claims it; None where none does."""
        known: dict[str, bool] = {}
        return next((name for name in self._include if self._claims(name, path, known)), None)

    def conflicts(self, paths: Iterable[str]) -> list[Conflict]:
        """Paths that more than one component claims, gathered by the components that claim them."""
        found: dict[tuple[str, ...], list[str]] = {}
        for path in paths:
            claimants = self.claimants(path)
            if len(claimants) > 1:
                found.setdefault(tuple(claimants), []).append(path)
        return [Conflict(components, tuple(claimed)) for components, claimed in found.items()]

    def unmatched(self, paths: Iterable[str]) -> list[tuple[str, str]]:
        """Component and pattern of every include pattern that matches none of the paths."""
        open_globs = {(name, glob) for name, globs in self._include.items() for glob in globs.globs}
        for path in paths:
            if not open_globs:
                break
            open_globs -= {(name, glob) for name, globs in self._include.items() for glob in globs.matching(path)}
        return [
            (name, glob) for name, globs in self._include.items() for glob in globs.globs if (name, glob) in open_globs
        ]

    def in_profile(self, path: str, profile_id: str) -> bool:
        """Whether a profile keeps a path; the profile ``""`` keeps all.

        Raises:
            KeyError: the system has no such profile.
        """
        return not profile_id or path not in self._profiles[profile_id]


def default_profile(system: System) -> str:
    """Id of the profile marked `default`; empty where none is."""
    return next((name for name, profile in system.profiles.items() if profile.default), "")


def parse_side(text: str) -> tuple[str, str]:
    """System and profile of one side of a ratio: ``torch-npu@full`` gives ``("torch-npu", "full")``.

    The profile is empty where none is written; `default_profile` says which one is meant then.
    """
    system, _, profile = text.partition("@")
    return system, profile
