"""Units of code that were decided apart from their file: which are kept, and by which rules they were decided.

A file whose parts all belong together needs no more than its own row. Where functions of one file work in different
stages, each unit is a row, and together they are the file's lines.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.engine import classify
from leverage.evidence.classified import classified, statements, tables_digest
from leverage.evidence.facts import UnitFact
from leverage.model.units import Unit, UnitKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from leverage.classify.pack import Pack
    from leverage.measure.cache import Cache
    from leverage.model.decisions import Decision
    from leverage.model.files import FileFacts
    from leverage.sources.base import OpenSource

    Decided = Mapping[str, Sequence[tuple[Unit, Decision]]]


@dataclass(frozen=True, slots=True)
class UnitRules:
    """What decides the units of a system.

    Attributes:
        digest: of everything that a decision depends on besides the source, as `rules_digest` gives it.
        whole: the decision on a file as a whole, by its path.
        decide: from a source and its files to the units of some of them, by path; the units of a file partition it.
    """

    digest: str
    whole: Callable[[str], Decision]
    decide: Callable[[OpenSource, Sequence[FileFacts]], Decided]


def rules_digest(pack: Pack | None) -> str:
    """Digest of what decides units: the pack, and the tables that decide where it doesn't.

    Decisions that were recorded under another one are not used.
    """
    return hashlib.sha256(f"{'' if pack is None else pack.digest} {tables_digest()}".encode()).hexdigest()


def rules_of(
    pack: Pack | None, is_production: Callable[[str], bool], *, cache: Cache | None = None, jobs: int = 1
) -> UnitRules:
    """What decides units of production code.

    Rules of the pack about units do, and, in files that no rule reaches, anchors and words.

    Args:
        pack: declared rules, or None.
        is_production: whether the file of a path is production code.
        cache: results of earlier runs, or None.
        jobs: worker processes.
    """

    def open_to_units(path: str) -> bool:
        return is_production(path) and (pack is None or pack.divides(path) or not pack.reaching(path))

    def decide(source: OpenSource, files: Sequence[FileFacts]) -> Decided:
        wanted = [fact for fact in files if open_to_units(fact.file.path)]
        found: defaultdict[str, list[tuple[Unit, Decision]]] = defaultdict(list)
        for row in classified(statements(source, wanted, pack=pack, cache=cache, jobs=jobs), pack):
            found[row.path].append((row.unit, row.decision))
        return found

    return UnitRules(rules_digest(pack), lambda path: classify(pack, path), decide)


def kept_units(decided: Decided, whole: Callable[[str], Decision]) -> tuple[UnitFact, ...]:
    """The units worth a row: those of files in which some unit was decided otherwise than the file as a whole.

    A file whose units agree with each other, and not with the file, is one unit.
    """
    kept: list[UnitFact] = []
    for path in sorted(decided):
        units = [(unit, decision) for unit, decision in decided[path] if unit.lines.physical]
        opinions = {(decision.stage, decision.divergence) for _, decision in units}
        own = whole(path)
        if opinions <= {(own.stage, own.divergence)}:
            continue
        if len(opinions) == 1:
            lines = units[0][0].lines
            for unit, _ in units[1:]:
                lines += unit.lines
            rest = Unit("", UnitKind.REST, 1, max(unit.last for unit, _ in units), lines)
            kept.append(UnitFact(path, rest, max((each for _, each in units), key=lambda one: bool(one.runner_up))))
        else:
            kept += [UnitFact(path, unit, decision) for unit, decision in units]
    return tuple(kept)
