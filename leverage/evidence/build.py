"""Facts and decisions joined into one table of files. The only place that makes data frames of evidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.engine import classify
from leverage.evidence.columns import FILE_COLUMNS, TOUCH_COLUMNS, UNIT_COLUMNS, code_column, copied_column
from leverage.evidence.identity import Identity, identity
from leverage.evidence.touchpoints import is_port, touch_version, touches_private
from leverage.evidence.traces import why_unfit
from leverage.evidence.units import rules_digest
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.measure.languages import PURPOSE_OF_KIND, Language, languages
from leverage.model.decisions import Decision, Purpose
from leverage.spec.select import Selector
from leverage.spec.types import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from leverage.classify.pack import Pack
    from leverage.evidence.facts import SystemFacts, TouchFact, UnitFact
    from leverage.evidence.traces import TraceFact
    from leverage.measure.extents import Extent
    from leverage.model.files import FileFacts
    from leverage.model.lines import LineCounts
    from leverage.spec.load import LoadedSpec
    from leverage.spec.types import System

UNSEARCHED, NONE_COPIED = (-1,) * len(CONVENTIONS), (0,) * len(CONVENTIONS)


@dataclass(frozen=True)
class Evidence:
    """What claims are computed from.

    Attributes:
        loaded: the configuration.
        facts: measured or recorded facts by system.
        gaps: systems with a source but without facts, and why.
        identities: the accounting identity by system, checked.
        files: one row for each file inside a component; columns are `FILE_COLUMNS` and one `code_*` and one `copied_*`
            per convention.
        units: one row for each unit of the files that were decided in parts; columns are `UNIT_COLUMNS` and one
            `code_*` per convention. The rows of a file add up to its own.
        touchpoints: one row for each place where a port touches its substrate; columns are `TOUCH_COLUMNS`.
        untouched: ports whose touchpoints are not known, and why; of all others the rows are there, if there are any.
        traces: what ran while a port compiled models, by system; only of the very files that are measured here.
        untraced: ports with a trace that says nothing about these files, and why.
        packs: digest of the classification rules by system.
        outdated: systems whose recorded units were decided by other rules than today's, so that files stand for them.
    """

    loaded: LoadedSpec
    facts: Mapping[str, SystemFacts]
    gaps: Mapping[str, str]
    identities: Mapping[str, Identity]
    files: pd.DataFrame
    units: pd.DataFrame
    touchpoints: pd.DataFrame
    untouched: Mapping[str, str]
    traces: Mapping[str, TraceFact]
    untraced: Mapping[str, str]
    packs: Mapping[str, str]
    outdated: tuple[str, ...]


def build(
    loaded: LoadedSpec,
    facts: Mapping[str, SystemFacts],
    gaps: Mapping[str, str],
    packs: Mapping[str, Pack],
    traces: Mapping[str, TraceFact] | None = None,
) -> Evidence:
    """Join facts with classification and check the identity of every system.

    Args:
        loaded: the configuration.
        facts: by system.
        gaps: by system, why there are no facts.
        packs: classification rules by system; systems without are undetermined throughout.
        traces: what ran while ports compiled models, by system.
    """
    import pandas as pd  # noqa: PLC0415 - takes 0.35 s, which help and completion must not pay

    known = languages()
    identities = {system_id: identity(system_facts) for system_id, system_facts in facts.items()}
    outdated = tuple(
        system_id
        for system_id, system_facts in facts.items()
        if system_facts.units and system_facts.decided_by != rules_digest(packs.get(system_id))
    )
    units = [(system_id, row) for system_id, each in facts.items() if system_id not in outdated for row in each.units]
    parts = Counter((system_id, row.path) for system_id, row in units)
    rows = [
        row
        for system_id, system_facts in facts.items()
        for row in _rows(
            loaded.spec.systems[system_id],
            system_facts,
            packs.get(system_id),
            known,
            parts,
            searched=_searched(loaded.spec.systems[system_id], system_facts, facts),
        )
    ]
    language = {(name, row.file.path): row.language for name, each in facts.items() for row in each.files}
    untouched = {
        name: why
        for name, each in facts.items()
        if is_port(loaded.spec.systems[name]) and (why := _why_untouched(loaded.spec.systems[name], each, facts))
    }
    untraced = {name: why for name, each in (traces or {}).items() if (why := why_unfit(each, facts.get(name)))}
    codes = [code_column(name) for name in CONVENTIONS]
    copied = [copied_column(name) for name in CONVENTIONS]
    return Evidence(
        loaded,
        facts,
        gaps,
        identities,
        pd.DataFrame(rows, columns=[*FILE_COLUMNS, *codes, *copied]),
        pd.DataFrame(
            [_unit_row(system_id, row, language[system_id, row.path]) for system_id, row in units],
            columns=[*UNIT_COLUMNS, *codes],
        ),
        pd.DataFrame(
            [
                _touch_row(system_id, row)
                for system_id, each in facts.items()
                if system_id not in untouched
                for row in each.touched
            ],
            columns=list(TOUCH_COLUMNS),
        ),
        untouched,
        {name: each for name, each in (traces or {}).items() if name not in untraced},
        untraced,
        {system_id: pack.digest for system_id, pack in packs.items()},
        outdated,
    )


def _rows(
    system: System,
    facts: SystemFacts,
    pack: Pack | None,
    known: Mapping[str, Language],
    parts: Mapping[tuple[str, str], int],
    *,
    searched: bool,
) -> Iterator[tuple[object, ...]]:
    selector = Selector(system)
    for fact in facts.files:
        component = selector.component(fact.file.path)
        if component is None:
            raise AssertionError(f"{facts.system}: {fact.file.path!r} has facts but no component")
        language = known.get(fact.language)
        purpose = system.components[component].purpose
        if purpose is Purpose.PRODUCTION and language is not None:
            purpose = PURPOSE_OF_KIND.get(language.kind, purpose)
        decision = classify(pack, fact.file.path)
        extent, units = facts.extents.get(fact.file.path), parts.get((facts.system, fact.file.path), 0)
        found = facts.copied.get(fact.file.path)
        copied = (NONE_COPIED if found is None else _codes(fact.language, found)) if searched else UNSEARCHED
        yield (facts.system, component, *_row(fact, language, purpose, decision), units, *_sizes(fact, extent), *copied)


def _searched(system: System, facts: SystemFacts, all_: Mapping[str, SystemFacts]) -> bool:
    """Whether it is known which lines stand in what a system builds on: the very tree that was looked in.

    What is built from scratch builds on nothing that is declared, so nothing of it is taken for a copy.
    """
    if system.builds_on is None:
        return system.role in {Role.FROM_SCRATCH, Role.SUBSTRATE}
    below = all_.get(system.builds_on)
    pin = below.provenance.pin if below else None
    return bool(facts.copied_from) and (pin is None or pin.tree == facts.copied_from)


def _why_untouched(system: System, facts: SystemFacts, all_: Mapping[str, SystemFacts]) -> str:
    """Why the touchpoints of a port are not known; empty where they are."""
    again = f"`leverage record {facts.system}` makes it anew"
    if not facts.touched_by:
        return f"the record of {facts.system} holds none; {again}"
    if facts.touched_by != touch_version():
        return (
            f"the record of {facts.system} has those that version {facts.touched_by} finds, this version has "
            f"{touch_version()}; {again}"
        )
    below = all_.get(system.builds_on or "")
    pin = below.provenance.pin if below else None
    if facts.touched_against and pin is not None and pin.tree != facts.touched_against:
        return f"those of {facts.system} were found against another tree of {system.builds_on}; {again}"
    return ""


def _row(fact: FileFacts, language: Language | None, purpose: Purpose, decision: Decision) -> tuple[object, ...]:
    return (
        fact.file.path,
        fact.file.blob,
        fact.file.size,
        fact.disposition.state.value,
        fact.disposition.reason,
        fact.disposition.rule,
        fact.language,
        fact.language_rule,
        language.kind.value if language else "",
        language.group if language else "",
        int(language.compiler) if language else 0,
        purpose.value,
        decision.stage,
        decision.divergence,
        decision.rule,
        decision.reason,
        decision.confidence.value,
        decision.runner_up,
    )


def _sizes(fact: FileFacts, extent: Extent | None) -> tuple[int, ...]:
    sizes = (-1, -1, -1) if extent is None else (extent.compressed, _known(extent.tokens), _known(extent.functions))
    return (fact.physical, fact.nonblank, *sizes, *_codes(fact.language, fact.lines))


def _codes(language: str, lines: LineCounts | None) -> tuple[int, ...]:
    """Code lines under each convention; -1 where it does not know the language, and none where there are no lines."""
    if lines is None:
        return (-1,) * len(CONVENTIONS)
    if not lines.physical:
        return (0,) * len(CONVENTIONS)
    return tuple(_known(code_lines(name, language, lines)) for name in CONVENTIONS)


def _known(number: int | None) -> int:
    return -1 if number is None else number


def _touch_row(system: str, row: TouchFact) -> tuple[object, ...]:
    private = "yes" if touches_private(row) else ""
    stated = {"system": system, "private": private}
    return tuple(stated[column] if column in stated else getattr(row, column) for column in TOUCH_COLUMNS)


def _unit_row(system: str, row: UnitFact, language: str) -> tuple[object, ...]:
    unit, decision = row.unit, row.decision
    return (
        system,
        row.path,
        unit.symbol,
        unit.kind.value,
        unit.first,
        unit.last,
        decision.stage,
        decision.divergence,
        decision.rule,
        decision.reason,
        decision.confidence.value,
        decision.runner_up,
        *_codes(language, unit.lines),
    )
