"""Why a unit of code was classified as it was: everything that spoke for it and against, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.classify.anchors import How
from leverage.classify.engine import declared
from leverage.classify.reading import read_file
from leverage.classify.scoring import probabilities, telling
from leverage.classify.symbols import BETWEEN, plain
from leverage.classify.units import classify_units, witness
from leverage.classify.vocabulary import STAGE_IDS
from leverage.classify.words import OWN
from leverage.cli.aligned import number, plural
from leverage.cli.explaintext import RULE, labelled
from leverage.evidence.classified import classified, is_code, statements
from leverage.measure.conventions import code_lines
from leverage.model.errors import ConfigurationError, Problem
from leverage.report.display import visible
from leverage.spec.text import closest, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.classify.anchors import Anchor
    from leverage.classify.pack import Pack
    from leverage.classify.units import Classified
    from leverage.evidence.classified import Statements
    from leverage.measure.cache import Cache
    from leverage.model.files import FileFacts
    from leverage.sources.base import OpenSource

CONTENDERS = 3
"""Stages whose probability is told."""
TELLING = 8
"""Words that are told."""
_HOW = {
    How.HOOK: "given to",
    How.OVERRIDE: "takes the place of",
    How.CLASS: "its class derives from",
    How.REACHED: "reached from",
}


def unit_lines_of(
    source: OpenSource,
    facts: Sequence[FileFacts],
    place: tuple[str, str],
    *,
    pack: Pack | None,
    cache: Cache | None,
    jobs: int,
) -> Iterator[str]:
    """What every unit of a name in a file is, and why.

    Args:
        source: where the bytes come from.
        facts: the production files of the system, the file among them: what they are about together decides too.
        place: path of the file, and a symbol, which may lack its outer scopes.
        pack: declared rules, or None.
        cache: results of earlier runs, or None.
        jobs: worker processes.

    Raises:
        ConfigurationError: the file has no unit of this name.
    """
    path, symbol = place
    told = statements(source, facts, pack=pack, cache=cache, jobs=jobs)
    in_file = [row for row in classified(told, pack) if row.path == path]
    rows = [row for row in in_file if _is_called(row.unit.symbol, symbol)]
    if not rows:
        known = [row.unit.symbol for row in in_file if row.unit.symbol]
        near = closest(symbol, known)
        raise ConfigurationError(
            Problem(
                "no-such-unit",
                f"{shown(path)} has no function, class or record {shown(symbol)}",
                hint=f"did you mean {visible(path)}{BETWEEN}{visible(near)}?"
                if near
                else f"it has {plural(len(known), 'unit')}; list them with: leverage classify {visible(path)}",
            )
        )
    language = next(fact.language for fact in told.wanted if fact.file.path == path)
    for row in rows:
        yield from _unit(row, language)
        for candidate in declared(pack, path, row.unit.symbol) if pack is not None else ():
            yield labelled("rule", f"{candidate.stage} by {candidate.rule} ({candidate.where}): {candidate.reason}")
        for anchor in told.anchors.get((path, row.unit.symbol), ()):
            yield labelled("anchor", _anchor(anchor))
        yield from _words(row, _data(source, told, path), language)


def stage_lines(path: str, facts: FileFacts, data: bytes) -> Iterator[str]:
    """What the words of one file say of its stages, without what is around it.

    Args:
        path: the file as it was asked for.
        facts: what was measured about it.
        data: its bytes.
    """
    if not is_code(facts):
        return
    rows = classify_units([witness(facts.file.path, facts.language, data)], pack=None, anchors={})
    sizes: dict[str, int] = {}
    for row in rows:
        code = code_lines(RULE, facts.language, row.unit.lines) or 0
        sizes[row.decision.stage] = sizes.get(row.decision.stage, 0) + code
    told = ", ".join(
        f"{stage} {number(code)}" for stage, code in sorted(sizes.items(), key=lambda each: -each[1]) if code
    )
    yield labelled("stages", f"by its words alone, in code lines: {told or 'none'}")
    largest = max((row.unit for row in rows if row.unit.symbol), key=lambda unit: unit.lines.physical, default=None)
    if largest is not None:
        yield labelled("", f"for and against: leverage explain {visible(path)}{BETWEEN}{visible(largest.symbol)}")


def _is_called(unit: str, symbol: str) -> bool:
    return symbol in {unit, plain(unit)} or plain(unit).endswith(f".{symbol}")


def _data(source: OpenSource, told: Statements, path: str) -> bytes:
    file = next(fact.file for fact in told.wanted if fact.file.path == path)
    _, data = next(iter(source.read([file])))
    return data if isinstance(data, bytes) else b""


def _unit(row: Classified, language: str) -> Iterator[str]:
    unit, decision = row.unit, row.decision
    yield f"{visible(row.path)}{BETWEEN}{visible(unit.symbol)}"
    code = code_lines(RULE, language, unit.lines) or 0
    yield labelled(unit.kind.value, f"lines {unit.first:,} to {unit.last:,}, {plural(code, 'line')} of code of its own")
    second = f"; {decision.runner_up} came second" if decision.runner_up else ""
    yield labelled("stage", f"{decision.stage}, divergence {decision.divergence} ({decision.confidence.value}){second}")
    yield labelled("because", visible(decision.reason))


def _anchor(anchor: Anchor) -> str:
    return f"{anchor.stage}: {_HOW[anchor.how]} {visible(anchor.symbol)} (line {number(anchor.line)})"


def _words(row: Classified, data: bytes, language: str) -> Iterator[str]:
    spoken = next(
        (each for each in witness(row.path, language, data).units if each.unit.symbol == row.unit.symbol), None
    )
    if spoken is None:
        return
    chances = sorted(zip(probabilities(spoken.scores), STAGE_IDS, strict=True), key=lambda each: (-each[0], each[1]))
    yield labelled("words", ", ".join(f"{stage} {chance:.0%}" for chance, stage in chances[:CONTENDERS]))
    (_, first), (_, second) = chances[0], chances[1]
    read = read_file(row.path, language, data)
    at = next(index for index, unit in enumerate(read.units.units) if unit.symbol == row.unit.symbol)
    own = {key: count for key, count in read.words.units[at].items() if key[0] in OWN}
    for label, words in (("of the file", read.words.whole()), ("of the unit", own)):
        for stage, against in ((first, second), (second, first)):
            if best := telling(words, stage, against, TELLING):
                yield labelled(label, f"for {stage}: {', '.join(visible(name) for name, _ in best)}")
