"""Report format 1: everything that a reader may see, in plain types. The only input of every renderer.

`report.json` is this view and nothing else; the page, the Markdown and the tables are drawn from it, so what people
see can be rebuilt from what they download. Fields are added, never renamed or given another meaning, within format 1.
Integers are exact; text that was rounded for display stands beside them and never crosses a claimed figure.
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountView:
    """An amount (see `leverage.model.amounts.Amount`) of one side."""

    value: int
    low: int
    high: int
    unit: str
    convention: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioView:
    """A ratio: both exact integers, and the text that may be shown."""

    numerator: AmountView
    denominator: AmountView
    text: str
    low_text: str
    high_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredView:
    """Size the unmeasured side would need for the reported figure to be true; exact, rounded to whole units outward."""

    figure: str
    reading: str
    low: int
    high: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """One left side against one right side under one denominator.

    Attributes:
        left: system id, with ``@profile`` where a profile is used.
        right: likewise.
        stands_in_for: system id that the left side stands in for; empty where it is itself.
        status: ``ratio``, ``not comparable`` or ``unknown``.
        why: reason where there is no ratio; in plain words.
        left_covers: heights that the left side covers, such as ``graph to tile_ir, runtime``.
        right_covers: likewise.
        numerator: amount of the left side, None where unknown.
        denominator: amount of the right side, None where unknown.
        ratio: None unless status is ``ratio``.
        reaches: whether the ratio reaches the claimed figure, by reading; empty without a ratio.
    """

    left: str
    right: str
    stands_in_for: str
    status: str
    why: str
    left_covers: str
    right_covers: str
    numerator: AmountView | None
    denominator: AmountView | None
    ratio: RatioView | None
    reaches: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DenominatorView:
    """A denominator with every pair of sides under it."""

    id: str
    headline: bool
    sentence: str
    boundary: str
    purposes: list[str]
    unit: str
    convention: str
    languages: str
    pairs: list[PairView]
    required: list[RequiredView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A claim with its verdict."""

    id: str
    text: str
    wording: str
    by: str
    source: str
    revision_measured_by_claimant: str
    expression: str
    verdict: str
    expected: str
    because: str
    would_change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentView:
    """A component with its sizes, all of counted files. ``code``: by convention, lines in programming languages."""

    id: str
    purpose: str
    height: list[str]
    include: list[str]
    exclude: list[str]
    files: int
    physical: int
    nonblank: int
    code: dict[str, int]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinView:
    """What was read (see `leverage.model.provenance.Pin`)."""

    kind: str
    id: str
    tree: str
    date: str
    artifact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """A system: what it is, where its figures come from, how big its parts are.

    ``browse`` is the forge's address of the pinned tree, ending in ``/``, to which a path is appended; empty where
    there is none. ``spec_line`` is the place of the entry in `repos.yaml`.
    """

    id: str
    name: str
    role: str
    vendor: str
    licence: str
    stands_in_for: str
    builds_on: str
    origin: str
    pin: PinView | None
    location: str
    answered_by: str
    browse: str
    tool_version: str
    rule_version: str
    measured_on: str
    note: str
    needed: str
    spec_line: int
    components: list[ComponentView]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityRow:
    """Files and physical lines of one system by what became of them.

    ``lines`` covers the files that were read; ``unread_files`` says how many were not, so that lines add up:
    tracked = counted + excluded + unknown, in files, and in lines over the files that were read.
    """

    system: str
    state: str
    reason: str
    rule: str
    files: int
    lines: int
    unread_files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityView:
    """The accounting identity of one system, in files and in physical lines."""

    system: str
    tracked_files: int
    counted_files: int
    excluded_files: int
    unknown_files: int
    tracked_lines: int
    counted_lines: int
    excluded_lines: int
    unknown_lines: int
    unread_files: int
    rows: list[IdentityRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCell:
    """Code lines of one system in one stage and divergence under the headline's convention, purpose and languages."""

    system: str
    stage: str
    divergence: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TermView:
    """A word with its definition: a stage, a divergence, a convention, a line class."""

    id: str
    title: str
    definition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesView:
    """The stage and divergence matrix. ``unit`` says what the lines are; ``systems`` gives the columns in order."""

    unit: str
    systems: list[str]
    stages: list[TermView]
    divergences: list[TermView]
    cells: list[StageCell]
    undetermined: dict[str, int]
    totals: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessRow:
    """A file on which the line rule and the independent witness disagree beyond the threshold."""

    system: str
    path: str
    language: str
    ours: int
    witness: int
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetView:
    """A budget and whether it holds: ``holds``, ``exceeded`` or ``cannot be checked``."""

    measure: str
    at_most: str
    actual: str
    status: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """The strip at the head of the page.

    Attributes:
        sentence: first sentence: what can and cannot be confirmed.
        then: what can be said instead, one sentence each.
        claim: id of the claim it is about; empty where the spec has none.
        verdict: one of the five verdicts.
        comparable: number of (denominator, stand-in) pairs with a ratio.
        pairs: number of all such pairs.
        reaching: number of pairs that reach the claimed figure, by reading.
        lowest: text of the smallest ratio; empty where there is none.
        highest: likewise.
        undetermined: share of the headline's code lines whose stage is undetermined, as text, by system.
    """

    sentence: str
    then: list[str]
    claim: str
    verdict: str
    comparable: int
    pairs: int
    reaching: dict[str, int]
    lowest: str
    highest: str
    undetermined: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceView:
    """How this report was made. ``date`` comes from SOURCE_DATE_EPOCH and is empty without it."""

    tool: str
    tool_version: str
    rule_version: str
    spec: str
    spec_hash: str
    lock_hash: str
    packs: dict[str, str]
    command: str
    date: str
    warnings: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportV1:
    """A whole report."""

    format: int
    title: str
    provenance: ProvenanceView
    verdict: VerdictView
    claimed: str
    comparison: list[str]
    denominators: list[DenominatorView]
    stages: StagesView
    systems: list[SystemView]
    identity: list[IdentityView]
    witness: list[WitnessRow]
    claims: list[ClaimView]
    budgets: list[BudgetView]
    glossary: list[TermView]


@dataclass(frozen=True, slots=True)
class Table:
    """A table for `tables/*.csv`: a name, columns with their meanings, and rows of plain values in stable order."""

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str | int, ...], ...]
