"""Features of words: numbers that scores are made of, alike for learning and for classifying.

A feature is a word in a field (``code:tile``), or a head of the thesaurus in a field (``file@tiling``), which stands
for all words under it. The values of a field have length 1 whatever the number of its words, so a long function says no
more than a short one, and a comment no more than a name.
"""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.classify.words import Field, parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from leverage.classify.words import Words

    Heads: TypeAlias = Mapping[str, tuple[str, ...]]
    """The heads that a word stands under."""

WEIGHT_OF_FIELD: Mapping[str, float] = MappingProxyType(
    {
        Field.FOLDER: 1.0,
        Field.FILE: 1.5,
        Field.SYMBOL: 1.0,
        Field.SCOPE: 1.0,
        Field.CODE: 1.0,
        Field.COMMENT: 0.7,
        Field.USES: 0.4,
    }
)
"""How much a field may say at most; names are chosen with more care than what they are called in."""
_HEADS_AGAINST_WORDS = 1.5


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """Words by what they are about.

    Attributes:
        stages: heads that are stages, by word.
        divergences: heads that are divergences, and ``gpu``, by word.
    """

    stages: Heads
    divergences: Heads


@cache
def thesaurus() -> Thesaurus:
    """The thesaurus of `thesaurus.toml`."""
    data = tomllib.loads((files("leverage.classify") / "thesaurus.toml").read_text(encoding="utf-8"))
    return Thesaurus(_by_word(data["stages"]), _by_word(data["divergences"]))


def _by_word(heads: dict[str, str]) -> Heads:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for head in sorted(heads):
        for word in sorted({"_".join(parts_of(word)) for word in heads[head].split()} - {""}):
            found[word].append(head)
    return {word: tuple(of_word) for word, of_word in found.items()}


def features(words: Words) -> dict[str, float]:
    """All features of some words, by name."""
    return {**word_features(words), **head_features(words, thesaurus().stages)}


def word_features(words: Words) -> dict[str, float]:
    """How much each word says in its field: the logarithm of its count, brought to length 1 in every field."""
    raw = {key: 1.0 + math.log(count) for key, count in words.items()}
    squares: defaultdict[str, float] = defaultdict(float)
    for (field, _), value in raw.items():
        squares[field] += value * value
    return {
        f"{field}:{word}": value / math.sqrt(squares[field]) * WEIGHT_OF_FIELD[field]
        for (field, word), value in raw.items()
    }


def head_features(words: Words, heads: Heads) -> dict[str, float]:
    """Share of each head among the words of a field that stand under some head."""
    counts: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (field, word), count in words.items():
        of_word = heads.get(word, ())
        for head in of_word:
            counts[field, head] += math.log1p(count) / len(of_word)
    totals: defaultdict[str, float] = defaultdict(float)
    for (field, _), value in counts.items():
        totals[field] += value
    return {
        f"{field}@{head}": value / (totals[field] + 1.0) * WEIGHT_OF_FIELD[field] * _HEADS_AGAINST_WORDS
        for (field, head), value in counts.items()
    }
