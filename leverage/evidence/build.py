"""Facts and decisions joined into one table of files. The only place that makes data frames of evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.engine import classify
from leverage.evidence.columns import FILE_COLUMNS, code_column
from leverage.evidence.identity import Identity, identity
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.measure.languages import Kind, Language, languages
from leverage.model.decisions import Decision, Purpose
from leverage.spec.select import Selector

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from leverage.classify.pack import Pack
    from leverage.evidence.facts import SystemFacts
    from leverage.model.files import FileFacts
    from leverage.spec.load import LoadedSpec
    from leverage.spec.types import System

PURPOSE_OF_KIND: dict[Kind, Purpose] = {
    Kind.BUILD: Purpose.BUILD,
    Kind.PROSE: Purpose.DOCS,
    Kind.MARKUP: Purpose.DOCS,
    Kind.DATA: Purpose.DATA,
}
"""Inside a production component a file of these kinds of language has a purpose of its own."""


@dataclass(frozen=True)
class Evidence:
    """What claims are computed from.

    Attributes:
        loaded: the configuration.
        facts: measured or recorded facts by system.
        gaps: systems with a source but without facts, and why.
        identities: the accounting identity by system, checked.
        files: one row for each file inside a component; columns are `FILE_COLUMNS` and one `code_*` per convention.
        packs: digest of the classification rules by system.
    """

    loaded: LoadedSpec
    facts: Mapping[str, SystemFacts]
    gaps: Mapping[str, str]
    identities: Mapping[str, Identity]
    files: pd.DataFrame
    packs: Mapping[str, str]


def build(
    loaded: LoadedSpec, facts: Mapping[str, SystemFacts], gaps: Mapping[str, str], packs: Mapping[str, Pack]
) -> Evidence:
    """Join facts with classification and check the identity of every system.

    Args:
        loaded: the configuration.
        facts: by system.
        gaps: by system, why there are no facts.
        packs: classification rules by system; systems without are undetermined throughout.
    """
    import pandas as pd  # noqa: PLC0415 - takes 0.35 s, which help and completion must not pay

    known = languages()
    rows = [
        row
        for system_id, system_facts in facts.items()
        for row in _rows(loaded.spec.systems[system_id], system_facts, packs.get(system_id), known)
    ]
    columns = [*FILE_COLUMNS, *(code_column(name) for name in CONVENTIONS)]
    return Evidence(
        loaded,
        facts,
        gaps,
        {system_id: identity(system_facts) for system_id, system_facts in facts.items()},
        pd.DataFrame(rows, columns=columns),
        {system_id: pack.digest for system_id, pack in packs.items()},
    )


def _rows(
    system: System, facts: SystemFacts, pack: Pack | None, known: Mapping[str, Language]
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
        yield (facts.system, component, *_row(fact, language, purpose, decision))


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
        decision.runner_up,
        fact.physical,
        fact.nonblank,
        *(0 if fact.lines is None else code_lines(name, fact.language, fact.lines) or 0 for name in CONVENTIONS),
    )
