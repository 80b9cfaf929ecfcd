"""Units of code of a system and what each of them is: declared rules first, then anchors, then words.

Whoever classifies hands in the files' bytes and gets rows; nothing is opened here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.anchors import How
from leverage.classify.divergence import BODY, NAMES, Talk, judge, surroundings, talk_of, united
from leverage.classify.engine import decide, declared
from leverage.classify.reading import read_file, read_units_of
from leverage.classify.scoring import probabilities, unit_scores
from leverage.classify.vocabulary import STAGE_IDS
from leverage.model.decisions import UNDETERMINED, Confidence, Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leverage.classify.anchors import Anchor, Place
    from leverage.classify.pack import Pack
    from leverage.classify.scoring import Scores
    from leverage.model.units import Unit

STRENGTH: Mapping[How, float] = {How.HOOK: 20.0, How.OVERRIDE: 5.0, How.CLASS: 3.0, How.REACHED: 1.0}
"""What an anchor adds to the score (a logarithm of odds) of its stage; nothing outvotes a hook."""
LEAST = 0.2
"""Probability below which nothing is decided: about that often the first answer would be right."""
CLEAR = 0.5
"""Probability from which words are clear: more likely right than not."""
RIVAL = 0.1
"""Probability from which the second stage is worth telling."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the words of a unit say.

    Attributes:
        unit: the unit.
        scores: scores of the stages; empty where words were not asked.
        body: what its own words are about.
        names: what its name is about.
    """

    unit: Unit
    scores: Scores
    body: Talk
    names: Talk


@dataclass(frozen=True, slots=True)
class FileWitness:
    """What the words of a file say; depends on its path, its language and its bytes alone.

    Attributes:
        path: its path.
        body: what it is about as a whole.
        names: what its name is about.
        units: its units, in the order of lines; they partition the file.
        problem: why it is one unit although its language has a reader; empty where it was read.
    """

    path: str
    body: Talk
    names: Talk
    units: tuple[Spoken, ...]
    problem: str = ""


def witness(path: str, language: str, data: bytes) -> FileWitness:
    """Read a file. Pure, and never raises for what the bytes are.

    Args:
        path: path from the root of the source, with ``/``.
        language: id of ``languages.toml``.
        data: the content as it is stored.
    """
    read = read_file(path, language, data)
    _, scores = unit_scores(read.words)
    units = tuple(
        Spoken(unit, of_unit, talk_of(words, BODY), talk_of(words, NAMES))
        for unit, of_unit, words in zip(read.units.units, scores, read.words.units, strict=True)
    )
    whole = read.words.whole()
    return FileWitness(path, talk_of(whole, BODY), talk_of(read.words.around, NAMES), units, read.units.problem)


_SILENT = Talk(0, {})


def units_alone(path: str, language: str, data: bytes) -> FileWitness:
    """Read a file without asking its words, for one whose units are all declared. Pure, and never raises.

    Args:
        path: path from the root of the source, with ``/``.
        language: id of ``languages.toml``.
        data: the content as it is stored.
    """
    found = read_units_of(language, data)
    units = tuple(Spoken(unit, (), _SILENT, _SILENT) for unit in found.units)
    return FileWitness(path, _SILENT, _SILENT, units, found.problem)


@dataclass(frozen=True, slots=True)
class Classified:
    """A unit of code and what was decided.

    Attributes:
        path: its file.
        unit: the unit.
        decision: the outcome.
    """

    path: str
    unit: Unit
    decision: Decision


def classify_units(
    files: Sequence[FileWitness], *, pack: Pack | None, anchors: Mapping[Place, Sequence[Anchor]]
) -> list[Classified]:
    """What every unit of a system is, in the order of the files and of their lines.

    Args:
        files: all files of a system; what the system is about decides with them.
        pack: declared rules; None where there are none.
        anchors: how units hang on the substrate.
    """
    system, folders = united(each.body for each in files), _folders(files)
    found = []
    for file in files:
        around = surroundings(system, folders[file.path.rpartition("/")[0]])
        for spoken in file.units:
            symbol = spoken.unit.symbol
            rules = declared(pack, file.path, symbol) if pack is not None else ()
            if rules:
                found.append(Classified(file.path, spoken.unit, decide(rules, "")))
                continue
            held = anchors.get((file.path, symbol), ())
            stage, runner_up, confidence, reason = _stage(spoken.scores, held)
            if stage == UNDETERMINED:
                decision = Decision(UNDETERMINED, UNDETERMINED, "", reason, Confidence.NONE, runner_up)
            else:
                judged = judge(stage, around, (spoken.body, file.body), united((spoken.names, file.names)), held)
                rule = "anchor" if confidence is Confidence.ANCHORED else "words"
                reason = f"{reason}; {judged.reason}"
                decision = Decision(stage, judged.divergence, rule, reason, confidence, runner_up)
            found.append(Classified(file.path, spoken.unit, decision))
    return found


def _folders(files: Iterable[FileWitness]) -> dict[str, Talk]:
    """What each folder is about, with those below it."""
    talks: defaultdict[str, list[Talk]] = defaultdict(list)
    for file in files:
        folder = file.path.rpartition("/")[0]
        while True:
            talks[folder].append(file.body)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
    return {folder: united(each) for folder, each in talks.items()}


def _stage(scores: Scores, anchors: Sequence[Anchor]) -> tuple[str, str, Confidence, str]:
    """Stage, the one that came second, how sure, and why."""
    total = list(scores)
    reached = {each.stage for each in anchors if each.how is How.REACHED}
    said = {(each.stage, each.how) for each in anchors if each.how is not How.REACHED or len(reached) == 1}
    for anchored, how in sorted(said):
        total[STAGE_IDS.index(anchored)] += STRENGTH[how]
    chances = sorted(zip(probabilities(tuple(total)), STAGE_IDS, strict=True), key=lambda each: (-each[0], each[1]))
    (first, stage), (second, other) = chances[0], chances[1]
    runner_up = other if second >= RIVAL else ""
    if first < LEAST:
        return UNDETERMINED, stage, Confidence.NONE, "its words speak for no stage above others"
    held = next((each for each in anchors if each.stage == stage and each.how is not How.REACHED), None)
    if held is not None:
        return stage, runner_up, Confidence.ANCHORED, f"{_TOLD[held.how]} {held.symbol}"
    confidence = Confidence.LIKELY if first >= CLEAR else Confidence.GUESS
    return stage, runner_up, confidence, f"its words say so with {first:.0%}"


_TOLD = {
    How.HOOK: "it is given to",
    How.OVERRIDE: "it takes the place of",
    How.CLASS: "its class derives from",
}
