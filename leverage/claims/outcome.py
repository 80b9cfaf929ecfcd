"""What a test of a claim gives, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from leverage.model.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.evidence.facts import Site

YES, NO, IN_DOUBT = "yes", "no", "in doubt"


@dataclass(frozen=True, slots=True)
class Input:
    """A piece of evidence behind a verdict.

    Attributes:
        name: id of a probe, or what was counted.
        system: id of the system it was read from.
        value: as text, exact; empty where it is not known.
        sites: lines at the pin; empty for what was counted.
        found: number of such lines, of which `sites` are the first.
        environment: environment variables whose defaults the value rests on.
        note: what it is, in plain words.
        why: why the value is not known, or is no.
    """

    name: str
    system: str
    value: str
    sites: tuple[Site, ...] = ()
    found: int = 0
    environment: tuple[str, ...] = ()
    note: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one test.

    Attributes:
        expression: the test in words; ours, not the claimant's.
        verdict: one of the five.
        because: why, with what decided.
        would_change: what evidence would change the verdict.
        inputs: what it was decided on.
        by_reading: verdict under each reading of the statement; empty where there is one only.
    """

    expression: str
    verdict: Verdict
    because: str
    would_change: str
    inputs: tuple[Input, ...] = ()
    by_reading: Mapping[str, Verdict] = field(default_factory=dict)


VERDICT_OF = {YES: Verdict.HOLDS, NO: Verdict.DOES_NOT_HOLD, IN_DOUBT: Verdict.CANNOT_BE_CHECKED}


def over_readings(outcomes: Mapping[str, str]) -> Verdict:
    """The verdict on a statement that can be read in several ways: holds, if it does under all of them.

    Args:
        outcomes: `YES`, `NO` or `IN_DOUBT` by reading; at least one.
    """
    answers = set(outcomes.values())
    if answers == {YES}:
        return Verdict.HOLDS
    if YES in answers:
        return Verdict.HOLDS_ONLY_UNDER
    return Verdict.CANNOT_BE_CHECKED if IN_DOUBT in answers else Verdict.DOES_NOT_HOLD


def only_under(outcomes: Mapping[str, str]) -> list[str]:
    """The readings under which a statement holds, as a finding, where it does not hold under all."""
    holds = [reading for reading, outcome in outcomes.items() if outcome == YES]
    return [f"holds only as: {', '.join(holds)}"] if 0 < len(holds) < len(outcomes) else []


def joined(parts: list[str]) -> str:
    """Several findings in one sentence."""
    return "; ".join(parts)
