"""Which GPU-shaped assumption code departs from, judged by its stage, its words and the system around it.

A stage mostly tells the departure of an accelerator's compiler: whoever assigns scratchpads departs in on-chip storage.
`USUAL` is that table. Words that are common in the code and rare elsewhere can speak for another one. A system that
talks of GPUs departs from nothing; one that hardly talks of accelerators departs only in folders that do.
The figures below were chosen on the systems that have packs and on those of ``bench/words/labels.yaml``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.classify.anchors import How
from leverage.classify.features import thesaurus
from leverage.classify.words import Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leverage.classify.anchors import Anchor
    from leverage.classify.words import Words

NONE, GLUE, GPU = "none", "substrate_glue", "gpu"
USUAL: Mapping[str, str] = MappingProxyType(
    {
        "graph_rewrite": "operator_set",
        "decomposition": "operator_set",
        "lowering": "operator_set",
        "layout": "tensor_layout",
        "tiling": "on_chip_storage",
        "work_division": "work_distribution",
        "scratchpad": "on_chip_storage",
        "fusion": "execution_model",
        "scheduling": "execution_model",
        "codegen": "execution_model",
        "backend": "execution_model",
        "device_registration": GLUE,
    }
)
"""Departure that a stage mostly has in an accelerator's compiler; `none` for stages that are not named."""
RATES: Mapping[str, float] = MappingProxyType(
    {
        "data_movement": 4.67,
        "on_chip_storage": 1.32,
        "work_distribution": 3.17,
        "tensor_layout": 5.93,
        "dtype_numerics": 8.32,
        "execution_model": 7.84,
        "operator_set": 7.99,
        GLUE: 1.3,
    }
)
"""Words of each head of the thesaurus among 1,000 words, the mean of all systems that were learnt from."""
_CHIP = ("data_movement", "on_chip_storage", "work_distribution", "execution_model")
_GATED = frozenset({"execution_model", "operator_set", "on_chip_storage"})  # said of every stage, so the place decides
_GPU_SHARE = 0.28  # of GPU words among words of hardware, above which a system is shaped like a GPU's
_ACCELERATOR = 9.0  # words of accelerators among 1,000, above which a system is one's throughout
_LOCAL = 8.0  # the same in a folder of another system
_PRIOR_WORDS = 0.5  # of the mean rate, so that one word of a short function is no lift
_OF_BODY, _OF_NAMES, _OF_STAGE, _OF_NONE, _NEUTRAL, _OF_GLUE = 0.7, 0.7, 2.5, 0.5, 1.5, -1.0
_REPLACES = 1.5


@dataclass(frozen=True, slots=True)
class Talk:
    """What some words are about.

    Attributes:
        total: number of words.
        heads: of these, how many stand under each head of the thesaurus, in parts where one stands under several.
    """

    total: int
    heads: Mapping[str, float]

    def rate(self, *heads: str) -> float:
        """Words of some heads among 1,000."""
        return 1000 * sum(self.heads.get(head, 0.0) for head in heads) / self.total if self.total else 0.0


BODY = frozenset({Field.CODE, Field.COMMENT, Field.SYMBOL, Field.SCOPE})
NAMES = frozenset({Field.FILE, Field.SYMBOL, Field.SCOPE})


def talk_of(words: Words, fields: frozenset[Field]) -> Talk:
    """What the words of some fields are about."""
    known = thesaurus().divergences
    total = 0
    heads: dict[str, float] = {}
    for (field, word), count in words.items():
        if field in fields:
            total += count
            of_word = known.get(word, ())
            for head in of_word:
                heads[head] = heads.get(head, 0.0) + count / len(of_word)
    return Talk(total, heads)


def united(talks: Iterable[Talk]) -> Talk:
    """Several as one."""
    total = 0
    heads: dict[str, float] = {}
    for each in talks:
        total += each.total
        for head, count in each.heads.items():
            heads[head] = heads.get(head, 0.0) + count
    return Talk(total, heads)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the code around a file is about.

    Attributes:
        like_gpu: the system talks of GPUs.
        accelerator: the system talks of accelerators throughout, or this folder does.
    """

    like_gpu: bool
    accelerator: bool


def surroundings(system: Talk, folder: Talk) -> Surroundings:
    """What a system and a folder of it, with the folders below, say of a file there."""
    hardware = system.rate(*_CHIP, "tensor_layout")
    gpu = system.rate(GPU)
    like_gpu = gpu > _GPU_SHARE * (gpu + hardware)
    return Surroundings(like_gpu, system.rate(*_CHIP) > _ACCELERATOR or folder.rate(*_CHIP) >= _LOCAL)


@dataclass(frozen=True, slots=True)
class Judged:
    """A departure and why.

    Attributes:
        divergence: id of the vocabulary.
        reason: in words.
    """

    divergence: str
    reason: str


def judge(
    stage: str, around: Surroundings, body: Sequence[Talk], names: Talk, anchors: Sequence[Anchor] = ()
) -> Judged:
    """The departure of a piece of code.

    Args:
        stage: its stage, an id of the vocabulary.
        around: what the code around it is about.
        body: what its own words and those of its file are about; each counts the same, whatever its length.
        names: what its own name and that of its file are about.
        anchors: how it hangs on its substrate.
    """
    told = next((each for each in anchors if each.divergence), None)
    replaces = any(each.how is How.OVERRIDE for each in anchors)
    if around.like_gpu:
        glue = stage == "device_registration" or any(each.how in {How.OVERRIDE, How.CLASS} for each in anchors)
        return Judged(GLUE if glue else NONE, "the system is shaped like those of GPUs")
    if told is not None:
        return Judged(told.divergence, f"what {told.symbol} is given departs so")
    usual = USUAL.get(stage, NONE)
    if usual in _GATED and not around.accelerator:
        usual = NONE
    scores = {head: _lift(head, body) * _OF_BODY + _OF_NAMES * names.heads.get(head, 0.0) for head in RATES}
    scores[NONE] = 0.0
    scores[GLUE] += _OF_GLUE + (_REPLACES if replaces else 0.0)
    scores[usual] += _OF_STAGE + (_NEUTRAL if stage not in USUAL or stage == "device_registration" else 0.0)
    if usual == NONE:
        scores[NONE] += _OF_NONE
    divergence = max(sorted(scores), key=scores.__getitem__)
    reason = f"usual of {stage}" if divergence == usual else f"its words speak of {divergence}"
    return Judged(divergence, reason)


def _lift(head: str, body: Sequence[Talk]) -> float:
    """Logarithm of how much more often words of a head stand here than elsewhere, drawn to 0 where nothing is known."""
    rate = sum(each.rate(head) for each in body) / len(body) if body else 0.0
    usual = RATES[head]
    return math.log((rate + _PRIOR_WORDS * usual) / (usual * (1 + _PRIOR_WORDS)))
