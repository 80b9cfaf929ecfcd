"""The five verdicts on a claim."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Fixed vocabulary; each is shown with an icon and the word."""

    HOLDS = "holds"
    HOLDS_ONLY_UNDER = "holds only under"
    DOES_NOT_HOLD = "does not hold"
    NOT_COMPARABLE = "not comparable"
    CANNOT_BE_CHECKED = "cannot be checked"
