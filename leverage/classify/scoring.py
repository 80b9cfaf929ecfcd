"""Scores of stages from words, by the weights of ``weights.tsv``.

Every weight can be read there, and was learnt from systems whose stages are declared by rules (bench/words).

The scores of a unit are a mean of those of its file and of those of its own words: functions of one file mostly belong
together, and what one of them is about alone shows in its own words.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.classify.features import features
from leverage.classify.vocabulary import STAGE_IDS
from leverage.classify.words import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from leverage.classify.words import FileWords, Words

    Scores: TypeAlias = tuple[float, ...]
    """Logarithms of odds, one for each of `STAGE_IDS`, in that order."""

WEIGHTS = Path(__file__).with_name("weights.tsv")
OWN_SHARE = 0.7
"""Weight of the scores of a unit's own words against those of its file in their mean.

Words of one text told twice are no more certain than told once, hence the mean and not the sum."""
_HUNDREDTH = 0.01
_WEIGHT = re.compile(r"([a-z_]+)([+-][0-9]+)")


@dataclass(frozen=True, slots=True)
class Weights:
    """What features say about stages.

    Attributes:
        start: scores before any word is known.
        by_feature: for each feature, pairs of a stage's place in `STAGE_IDS` and its weight.
    """

    start: Scores
    by_feature: Mapping[str, tuple[tuple[int, float], ...]]


@cache
def weights() -> Weights:
    """The weights of ``weights.tsv``."""
    place = {stage: number for number, stage in enumerate(STAGE_IDS)}
    found: dict[str, tuple[tuple[int, float], ...]] = {}
    for line in WEIGHTS.read_text(encoding="utf-8").splitlines():
        name, tab, values = line.partition("\t")
        if tab:
            found[name] = tuple((place[stage], int(value) * _HUNDREDTH) for stage, value in _WEIGHT.findall(values))
    start = [0.0] * len(STAGE_IDS)
    for number, value in found.pop("start"):
        start[number] = value
    return Weights(tuple(start), found)


def scores(words: Words, *, start: Sequence[float] | None = None) -> Scores:
    """Scores of some words.

    Args:
        words: by field.
        start: what they are added to; the scores before any word is known where None.
    """
    known = weights()
    total = list(known.start if start is None else start)
    for name, value in features(words).items():
        for stage, weight in known.by_feature.get(name, ()):
            total[stage] += weight * value
    return tuple(total)


def unit_scores(words: FileWords) -> tuple[Scores, tuple[Scores, ...]]:
    """Scores of a file as a whole, and of each of its units."""
    whole = scores(words.whole())
    nothing = (0.0,) * len(STAGE_IDS)
    units = []
    for each in words.units:
        own = scores({key: count for key, count in each.items() if key[0] in OWN}, start=nothing)
        units.append(
            tuple((around + OWN_SHARE * alone) / (1 + OWN_SHARE) for around, alone in zip(whole, own, strict=True))
        )
    return whole, tuple(units)


def probabilities(of: Scores) -> tuple[float, ...]:
    """Probabilities of the stages, adding up to 1."""
    most = max(of)
    odds = [math.exp(value - most) for value in of]
    total = sum(odds)
    return tuple(value / total for value in odds)


def telling(words: Words, stage: str, against: str, most: int) -> tuple[tuple[str, float], ...]:
    """The features that speak most for one stage against another, with how much, strongest first."""
    known = weights()
    places = STAGE_IDS.index(stage), STAGE_IDS.index(against)
    found = []
    for name, value in features(words).items():
        by_stage = dict(known.by_feature.get(name, ()))
        gain = (by_stage.get(places[0], 0.0) - by_stage.get(places[1], 0.0)) * value
        if gain > 0:
            found.append((name, gain))
    return tuple(sorted(found, key=lambda each: (-each[1], each[0]))[:most])
