"""Facts and decisions joined into one table of files. The only place that makes data frames of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.classify.engine import classify
from leverage.classify.pack import Pack
from leverage.evidence.columns import FILE_COLUMNS, code_column
from leverage.evidence.facts import SystemFacts
from leverage.evidence.identity import Identity, identity
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.measure.languages import Language, languages
from leverage.model.decisions import Purpose
from leverage.model.files import FileFacts
from leverage.spec.load import LoadedSpec
from leverage.spec.select import Selector
from leverage.spec.types import System

if TYPE_CHECKING:
    import pandas as pd

PURPOSE_OF_KIND: dict[str, Purpose] = {
    "build": Purpose.BUILD,
    "prose": Purpose.DOCS,
    "markup": Purpose.DOCS,
    "data": Purpose.DATA,
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
    import pandas as pd

    known = languages()
    rows = [
        row
        for system_id, system_facts in facts.items()
        for row in _rows(system_id, loaded.spec.systems[system_id], system_facts, packs.get(system_id), known)
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
    system_id: str, system: System, facts: SystemFacts, pack: Pack | None, known: Mapping[str, Language]
) -> list[tuple[object, ...]]:
    selector = Selector(system)
    return [_row(system_id, system, selector, fact, pack, known) for fact in facts.files]


def _row(
    system_id: str, system: System, selector: Selector, fact: FileFacts, pack: Pack | None, known: Mapping[str, Language]
) -> tuple[object, ...]:
    component = selector.component(fact.file.path)
    if component is None:
        raise AssertionError(f"{system_id}: {fact.file.path!r} has facts but no component")
    language = known.get(fact.language)
    kind = language.kind if language else ""
    purpose = system.components[component].purpose
    if purpose is Purpose.PRODUCTION:
        purpose = PURPOSE_OF_KIND.get(kind, purpose)
    decision = classify(pack, fact.file.path)
    return (
        system_id,
        component,
        fact.file.path,
        fact.file.blob,
        fact.file.size,
        fact.disposition.state.value,
        fact.disposition.reason,
        fact.disposition.rule,
        fact.language,
        fact.language_rule,
        kind,
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
        *(
            0 if fact.lines is None else code_lines(name, fact.language, fact.lines) or 0 for name in CONVENTIONS
        ),
    )
