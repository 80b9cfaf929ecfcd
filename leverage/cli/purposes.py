"""What files are for, by their paths and by what they hold, where no configuration says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.coupling.files import other_purpose, packages_of
from leverage.measure.languages import PURPOSE_OF_KIND, languages
from leverage.model.decisions import Purpose
from leverage.model.files import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.model.files import FileFacts, SourceFile


def purposes_below(below: str, files: Sequence[SourceFile]) -> Callable[[str], Purpose]:
    """Tells purposes of paths; what was named is meant, whatever the folders above it are called.

    Args:
        below: the folder that was named; empty for the whole tree.
        files: all files of it.
    """
    packages = packages_of(file.path for file in files)

    def purpose_of(path: str) -> Purpose:
        return other_purpose(path.removeprefix(f"{below}/") if below else path, packages) or Purpose.PRODUCTION

    return purpose_of


def purpose_of_file(fact: FileFacts, declared: Purpose | None) -> Purpose:
    """What a file is for: as declared; inside production, by its screening and its language."""
    if declared is not Purpose.PRODUCTION:
        return declared or Purpose.DATA
    reason = fact.disposition.reason
    if fact.disposition.state is State.EXCLUDED and reason in {Purpose.GENERATED.value, Purpose.VENDORED.value}:
        return Purpose(reason)
    language = languages().get(fact.language)
    return Purpose.DATA if language is None else PURPOSE_OF_KIND.get(language.kind, Purpose.PRODUCTION)
