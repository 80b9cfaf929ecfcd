"""How much code of a side is in each stage, with what doubtful decisions allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.select import Gap, Side, amount, pieces, selected
from leverage.evidence.columns import code_column
from leverage.model.decisions import UNDETERMINED, Confidence

if TYPE_CHECKING:
    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

FIRM = (Confidence.DECLARED.value, Confidence.ANCHORED.value)
"""Confidence of decisions that no runner-up can put in doubt: somebody who read the code wrote the rule, or the code is
handed to a hook that says what it is."""


@dataclass(frozen=True, slots=True)
class StageShare:
    """Code lines of a side in one stage.

    Attributes:
        stage: id of the stage.
        lines: lines that were decided for it.
        low: those of them that no weaker evidence puts into another stage.
        high: with all lines that may belong to it: where it came second on weak evidence, what is undetermined, and
            what files of unknown content hold at most.
    """

    stage: str
    lines: int
    low: int
    high: int


def is_weak(code: pd.DataFrame) -> pd.Series:
    """Which pieces of code may as well be in the stage that came second."""
    return (code["runner_up"] != "") & ~code["confidence"].isin(FIRM)


def stage_shares(evidence: Evidence, chosen: Side, denominator: Denominator) -> list[StageShare]:
    """Every stage that code of a side is or may be in, by id; the undetermined rest is not one of them."""
    size = amount(evidence, chosen, denominator)
    if isinstance(size, Gap):
        return []
    code = pieces(evidence, selected(evidence, chosen, denominator))
    column = code_column(denominator.convention)
    decided = code.groupby("stage")[column].sum()
    weak = code[is_weak(code) & (code["stage"] != UNDETERMINED)]
    leaving, coming = weak.groupby("stage")[column].sum(), weak.groupby("runner_up")[column].sum()
    open_ = int(decided.get(UNDETERMINED, 0)) + size.high - size.value
    shares = []
    for stage in sorted({*decided.index, *coming.index} - {UNDETERMINED}):
        lines = int(decided.get(stage, 0))
        low, high = lines - int(leaving.get(stage, 0)), lines + int(coming.get(stage, 0)) + open_
        shares.append(StageShare(str(stage), lines, low, high))
    return shares
