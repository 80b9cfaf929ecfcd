"""Opinions about code: stage, divergence, purpose, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """What a file is for."""

    PRODUCTION = "production"
    TEST = "test"
    BUILD = "build"
    DOCS = "docs"
    EXAMPLE = "example"
    GENERATED = "generated"
    VENDORED = "vendored"
    DATA = "data"


class Confidence(StrEnum):
    """How much evidence stands behind a decision."""

    DECLARED = "declared"
    """Somebody who read the code wrote a rule."""
    ANCHORED = "anchored"
    """The code is handed to an extension point of its substrate, or takes the place of upstream code."""
    LIKELY = "likely"
    """Its words speak clearly for one stage."""
    GUESS = "guess"
    """Its words speak for a stage, and for another almost as much."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Decision:
    """Which stage and divergence a piece of code belongs to, and why.

    Attributes:
        stage: id from the vocabulary of stages; ``undetermined`` where nothing decided.
        divergence: id from the vocabulary of divergences; ``undetermined`` where nothing decided.
        rule: id of the rule that decided, such as ``torch-spyre/scratchpad``; empty where none did.
        reason: the rule's own reason.
        confidence: how strong the evidence is.
        runner_up: stage that came second, or empty.
    """

    stage: str
    divergence: str
    rule: str
    reason: str
    confidence: Confidence
    runner_up: str = ""


UNDETERMINED = "undetermined"
