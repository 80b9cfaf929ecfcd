"""Why one line counts as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.measure.conventions import CONVENTIONS, Part
from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.measure.lines.base import Explanation


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """The class of a line and what follows from it.

    Attributes:
        why: class, rule, reason, and the token that decided.
        parts: convention id -> what the line is under it, or None where the convention does not know the language.
    """

    why: Explanation
    parts: Mapping[str, Part | None]


def explain_line(data: bytes, language: str, line: int) -> ExplainedLine | None:
    """Why a line (counted from 1) has its class and how each convention counts it.

    None where no scanner of ours counts the language: pygount, which does, gives totals only.

    Raises:
        KeyError: there is no such language.
        IndexError: the file has no such line.
    """
    scanner = SCANNERS.get(languages()[language].family)
    if scanner is None:
        return None
    text, _ = readable(data)
    why = scanner.explain(text, line)
    parts = {
        id_: convention.part(language, why.line_class) if convention.knows(language) else None
        for id_, convention in CONVENTIONS.items()
    }
    return ExplainedLine(why, parts)
