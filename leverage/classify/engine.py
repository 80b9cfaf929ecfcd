"""Declared rules: from a path, or a unit of code in it, to the rules that reach it, of which the first decides.

Where no rule reaches, `leverage.classify.units` asks anchors and words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.decisions import UNDETERMINED, Confidence, Decision
from leverage.model.errors import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.classify.pack import Pack


@dataclass(frozen=True, slots=True)
class Candidate:
    """One piece of evidence.

    Attributes:
        stage: stage that it speaks for.
        divergence: divergence that it speaks for.
        rule: where it comes from, such as ``torch-spyre/scratchpad``.
        reason: why, in words.
        confidence: how strong evidence of its kind is.
        where: the place where it is declared.
    """

    stage: str
    divergence: str
    rule: str
    reason: str
    confidence: Confidence
    where: Location


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision with everything that spoke for it or for something else.

    Attributes:
        path: what was classified.
        decision: the outcome.
        candidates: all evidence, strongest first; empty where nothing is known.
    """

    path: str
    decision: Decision
    candidates: tuple[Candidate, ...]


def classify(pack: Pack | None, path: str, symbol: str = "") -> Decision:
    """Stage and divergence of a file, or of a unit of code in it, by declared rules.

    Args:
        pack: rules of the system; None where it has none.
        path: path from the root of the source, with ``/``.
        symbol: name of a unit of code; empty for the file as a whole.

    Returns:
        The decision of the first rule that reaches it; `undetermined`, with the reason, where none does.
    """
    return explain(pack, path, symbol).decision


def explain(pack: Pack | None, path: str, symbol: str = "") -> Explanation:
    """Like `classify`, with all evidence in order of strength."""
    candidates = () if pack is None else declared(pack, path, symbol)
    missing = "the system has no rules" if pack is None else f"no rule of the pack {pack.id!r} reaches this path"
    return Explanation(path, decide(candidates, missing), candidates)


def decide(candidates: Sequence[Candidate], missing: str) -> Decision:
    """Let the first candidate decide; the runner-up is the next one that speaks for another stage.

    Args:
        candidates: evidence, strongest first.
        missing: the reason to give where there is no evidence.
    """
    if not candidates:
        return Decision(UNDETERMINED, UNDETERMINED, "", missing, Confidence.NONE)
    first = candidates[0]
    runner_up = next((other.stage for other in candidates if other.stage != first.stage), "")
    return Decision(first.stage, first.divergence, first.rule, first.reason, first.confidence, runner_up)


def declared(pack: Pack, path: str, symbol: str = "") -> tuple[Candidate, ...]:
    """What the rules of a pack say of a file or of a unit of code in it, in their order."""
    return tuple(
        Candidate(
            rule.stage,
            rule.divergence,
            f"{pack.id}/{rule.id}",
            rule.reason,
            Confidence.DECLARED,
            Location(pack.file, rule.line),
        )
        for rule in pack.reaching(path, symbol)
    )
