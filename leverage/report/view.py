"""Report format 1: everything that a reader may see, in plain types. The only input of every renderer.

`report.json` is this view and nothing else; the page, the Markdown and the tables are drawn from it, so what people
see can be rebuilt from what they download. Fields are added, never renamed or given another meaning, within format 1.
Integers are exact; text that was rounded for display stands beside them and never crosses a claimed figure.

Long because a format is read in one place.
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountView:
    """An amount (see `leverage.model.amounts.Amount`) of one side.

    ``unsized`` is the number of files whose size in this unit is not known; ``high`` has what they hold at most.
    """

    value: int
    low: int
    high: int
    unit: str
    convention: str
    scope: str
    unsized: int


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
class StepView:
    """A step of a waterfall: what is left (``total``), or what falls away from it (``less``), and why.

    ``lines`` are physical lines of the files that were read; under a unit that is a kind of line the last total is the
    amount itself.
    """

    kind: str
    id: str
    what: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallView:
    """From every file that the sources of a side track to its amount."""

    side: str
    steps: list[StepView]


@dataclass(frozen=True, slots=True, kw_only=True)
class DenominatorView:
    """A denominator with every pair of sides under it, and how each side comes to its amount."""

    id: str
    headline: bool
    sentence: str
    boundary: str
    purposes: list[str]
    unit: str
    convention: str
    languages: str
    copies: str
    note: str
    pairs: list[PairView]
    required: list[RequiredView]
    waterfalls: list[WaterfallView]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """One left side under one member of the grid. ``size`` has the unit and rule of the member.

    ``size``, ``low`` and ``high`` are None where unknown; ``unsized`` is as in `AmountView`; ``ratio`` and its ends are
    empty where the two sides cannot be compared, and ``why`` says why; ``reaches`` is as in `PairView`.
    """

    left: str
    status: str
    size: int | None
    low: int | None
    high: int | None
    unsized: int
    ratio: str
    ratio_low: str
    ratio_high: str
    reaches: dict[str, str]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberView:
    """A member of the grid: one value on each axis, and what comes of it.

    Attributes:
        id: made of the values alone.
        sentence: in plain words.
        boundary: value on this axis, as are the next five; ``convention`` is ``exact`` where no rule is needed.
        families: families that it belongs to.
        standing: ``distinct``, ``same amounts`` (as an earlier member), ``not comparable`` or ``unknown``; only the
            first is counted.
        same_as: id of the member with the same amounts on every side.
        why: why no side can be compared under it.
        size: exact size of the right side, None where unknown; ``low`` and ``high`` are what doubt allows.
        unsized: files of the right side whose size in this unit is not known.
        cells: the left sides, in the order of `GridView.lefts`; empty where the amounts are those of ``same_as``.
    """

    id: str
    sentence: str
    boundary: str
    purpose: str
    unit: str
    convention: str
    languages: str
    copies: str
    families: list[str]
    standing: str
    same_as: str
    why: str
    size: int | None
    low: int | None
    high: int | None
    unsized: int
    cells: list[CellView]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadView:
    """Ratios of one left side over distinct members, with the members at both ends; empty where there is none."""

    left: str
    ratios: int
    lowest: str
    lowest_member: str
    highest: str
    highest_member: str
    reaching: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyView:
    """A family: which axes it varies, members declared, comparable, distinct among these, and each left side."""

    id: str
    varies: list[str]
    declared: int
    comparable: int
    distinct: int
    spreads: list[SpreadView]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearView:
    """A pair whose ratio is near the claimed figure, by factor."""

    member: str
    sentence: str
    left: str
    numerator: int
    denominator: int
    ratio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanView:
    """Least and greatest size of one left side, where it is of like height."""

    left: str
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededView:
    """Sizes that the claimed figure requires over all members of one boundary and unit, beside measured ones.

    ``required`` goes from the least to the greatest required size; without an upper end, to the greatest lower end.
    """

    boundary: str
    unit: str
    sizes: int
    required: list[RequiredView]
    measured: list[SpanView]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutView:
    """An exclusion of a family, its reason, and how many members it takes away."""

    family: str
    where: str
    why: str
    members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmeasuredView:
    """A value on an axis that is not measured yet, and so is never counted."""

    axis: str
    value: str
    why: str
    families: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridView:
    """Every member of every family.

    Attributes:
        lefts: the left sides, in the order of all cells.
        declared: number of members.
        comparable: members under which some left side can be compared, folded ones included.
        distinct: comparable members whose amounts no earlier one has.
        pairs: pairs with a ratio over the distinct members.
        reaching: of these pairs, those that reach the claimed figure, by reading.
        members_reaching: distinct members under which some pair reaches it, by reading.
        spreads: each left side over the distinct members.
        families: the families compared.
        nearest: pairs nearest to the claimed figure, nearest first.
        needed: sizes that it requires.
        left_out: exclusions.
        unmeasured: values that are not measured yet.
        members: all members, nearest to the headline first.
    """

    lefts: list[str]
    declared: int
    comparable: int
    distinct: int
    pairs: int
    reaching: dict[str, int]
    members_reaching: dict[str, int]
    spreads: list[SpreadView]
    families: list[FamilyView]
    nearest: list[NearView]
    needed: list[NeededView]
    left_out: list[LeftOutView]
    unmeasured: list[UnmeasuredView]
    members: list[MemberView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceView:
    """A value on an axis, all else as in the headline. ``ratio`` is empty where there is none; ``why`` says why."""

    value: str
    member: str
    status: str
    numerator: int | None
    denominator: int | None
    ratio: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingView:
    """One axis: its headline value, the values with the smallest and the largest ratio, and all values."""

    axis: str
    title: str
    base: str
    low: ChoiceView
    high: ChoiceView
    factor: str
    choices: list[ChoiceView]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoWayView:
    """Two axes varied together. ``cells[row][column]`` belongs to ``row_values[row]`` and ``column_values[column]``."""

    rows: str
    columns: str
    row_values: list[str]
    column_values: list[str]
    cells: list[list[ChoiceView]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalisedView:
    """A pair under the headline, both sizes divided by the number of different stages or divergences they cover.

    ``left_each`` and ``right_each`` are whole units rounded to nearest; ``ratio`` comes from the exact numbers.
    """

    base: str
    left: str
    left_size: int
    left_covers: int
    left_each: int
    right_size: int
    right_covers: int
    right_each: int
    ratio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TornadoView:
    """What moves the ratio of one left side, the largest swing first; the headline's own ratio as ``base``."""

    left: str
    base: ChoiceView
    swings: list[SwingView]
    two_way: TwoWayView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """A line of a file of a system at its pin; ``blob`` is the git blob id of the file."""

    path: str
    line: int
    blob: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputView:
    """A piece of evidence behind a verdict.

    Attributes:
        name: id of the probe, or what was counted.
        system: id of the system it was read from.
        value: as text, exact; empty where it is not known.
        environment: environment variables whose defaults the value rests on; whoever sets one changes it.
        note: what it is.
        why: why the value is not known, or is no.
        found: number of lines that decided, of which ``sites`` are the first.
        sites: lines at the pin; empty for what was counted.
    """

    name: str
    system: str
    value: str
    environment: list[str]
    note: str
    why: str
    found: int
    sites: list[SiteView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A claim with its verdict.

    ``kind`` is the key of the claim that says how it is tested (such as ``ratio_of``), empty where nothing does;
    ``readings`` gives the verdict under each reading where there are several; ``expression`` is ours, not the
    claimant's.
    """

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
    kind: str
    readings: dict[str, str]
    inputs: list[InputView]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionView:
    """A condition of transfer: ``yes``, ``no``, ``partly``, ``measured``, ``not measured yet`` or ``unknown``."""

    id: str
    question: str
    answer: str
    finding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferView:
    """Under which conditions the figure of a port would transfer; ``name`` carries the profile that was counted."""

    port: str
    name: str
    conditions: list[ConditionView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentView:
    """A component with its sizes, all of counted files.

    ``code``: by convention, lines in programming languages; ``unsized``: of how many such files a convention does not
    know the language, so that its lines lack them; those without are left out.
    """

    id: str
    purpose: str
    height: list[str]
    include: list[str]
    exclude: list[str]
    files: int
    physical: int
    nonblank: int
    code: dict[str, int]
    unsized: dict[str, int]
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
    """Code lines of one system in one stage and divergence under the headline's convention, purpose and languages.

    ``files`` is the number of files that have such code; a file whose functions were decided one by one may be in
    several cells.
    """

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
class ShareView:
    """Code lines of one system in one stage, and what doubtful decisions and undetermined code allow."""

    system: str
    stage: str
    lines: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesView:
    """The stage and divergence matrix.

    Attributes:
        unit: what the lines are.
        systems: the columns, in order.
        stages: all stages, in pipeline order.
        divergences: all divergences.
        cells: where there is code.
        shares: each stage that code is or may be in, with what doubt allows.
        undetermined: lines that nothing decided, by system.
        totals: all lines, by system.
        divided: files whose functions were decided one by one, by system; the others were decided as a whole.
        profiles: what the profile of a system leaves out, by system, in the words of the configuration.
    """

    unit: str
    systems: list[str]
    stages: list[TermView]
    divergences: list[TermView]
    cells: list[StageCell]
    shares: list[ShareView]
    undetermined: dict[str, int]
    totals: dict[str, int]
    divided: dict[str, int]
    profiles: dict[str, str]


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
class TouchTotalView:
    """Touchpoints of one kind, or of ``all`` kinds, counted in sites, upstream symbols and files.

    ``private``: of a symbol of which a part below the package begins with an underscore; ``global_scope`` and
    ``instance_scope``: of those that change something, what the change reaches; ``restored``: that are put back.
    """

    kind: str
    sites: int
    private: int
    global_scope: int
    instance_scope: int
    restored: int
    symbols: int
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchView:
    """A monkey patch. ``effect`` is ``patch`` (upstream has the name), ``add`` (it has not) or ``unknown``.

    ``wraps`` is ``yes`` where the original is called, ``no`` where it is replaced, empty where that is not known or
    means nothing; ``blob`` is the git blob id of the file.
    """

    symbol: str
    path: str
    line: int
    blob: str
    effect: str
    wraps: str
    scope: str
    restored: bool
    guarded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldView:
    """An upstream symbol and how many places of the port hang on it, by kind."""

    symbol: str
    private: bool
    sites: int
    files: int
    kinds: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CouplingView:
    """Where the production Python of a port touches its substrate.

    Attributes:
        port: id of the system.
        why: why its touchpoints are not known; empty where they are.
        against: system whose source was asked which names exist; empty where none was at hand.
        totals: by kind, and all together, last.
        effects: monkey patches by effect.
        restores: lines that only put an original back; they are in no total.
        unresolved: places that could not be resolved.
        patches: every monkey patch.
        holds: the upstream symbols on which most hangs.
        symbols: number of all upstream symbols that are touched.
        name: the port as it is sized, with ``@profile`` where one is used.
        raw: code lines under the headline; None where unknown.
        own: those of them that stand nowhere in the substrate; ``low`` and ``high`` differ where that is not known.
    """

    port: str
    why: str
    against: str
    totals: list[TouchTotalView]
    effects: dict[str, int]
    restores: int
    unresolved: int
    patches: list[PatchView]
    holds: list[HoldView]
    symbols: int
    name: str
    raw: AmountView | None
    own: AmountView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsView:
    """Lines of a part of a package while models compiled, in line numbers that carry code.

    ``executable`` can run, ``bodies`` of them inside functions; ``imported`` lines outside functions ran, which an
    import does by itself; ``run`` lines inside functions ran. ``for_each`` is ``run`` over the port's own lines,
    copies left out, as text.
    """

    part: str
    executable: int
    bodies: int
    imported: int
    run: int
    for_each: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """One model by itself: lines inside functions that ran, of the port and of all of the substrate."""

    label: str
    own: int
    substrate: int
    for_each: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverageView:
    """What ran beneath a port while it compiled models.

    Attributes:
        port: id of the system.
        on: date of the record, ISO 8601; empty for a trace that was given for this report.
        environment: names and versions of what they ran in.
        versions: version of each package that was traced.
        models: each model by itself.
        own: lines of the port that ran for at least one.
        copied: those of them inside functions that stand in the substrate; no denominator has them.
        substrate: the same of all of the substrate.
        parts: of each part of the substrate, the one that ran most first.
        stages: lines of the port inside functions that ran, by stage of the code.
    """

    port: str
    on: str
    environment: dict[str, str]
    versions: dict[str, str]
    models: list[ModelView]
    own: RunsView
    copied: int
    substrate: RunsView
    parts: list[RunsView]
    stages: dict[str, int]


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
        subject: whose ratios are counted: the id of the left side where it is measured, else ``stand-ins``.
        comparable: number of (denominator, left side) pairs with a ratio.
        pairs: number of all such pairs.
        reaching: number of pairs that reach the claimed figure, by reading.
        headline: text of the ratio or ratios under the headline denominator; empty where there is none.
        lowest: text of the smallest ratio; empty where there is none.
        highest: likewise.
        undetermined: share of the headline's code lines whose stage is undetermined, as text, by system.
    """

    sentence: str
    then: list[str]
    claim: str
    verdict: str
    subject: str
    comparable: int
    pairs: int
    reaching: dict[str, int]
    headline: str
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
    """A whole report. ``terms`` are words of the configuration's own that a reader cannot know."""

    format: int
    title: str
    provenance: ProvenanceView
    verdict: VerdictView
    claimed: str
    comparison: list[str]
    denominators: list[DenominatorView]
    grid: GridView
    moves: list[TornadoView]
    normalised: list[NormalisedView]
    stages: StagesView
    systems: list[SystemView]
    identity: list[IdentityView]
    witness: list[WitnessRow]
    claims: list[ClaimView]
    transfer: list[TransferView]
    coupling: list[CouplingView]
    leverage: list[LeverageView]
    budgets: list[BudgetView]
    glossary: list[TermView]
    terms: list[TermView]


@dataclass(frozen=True, slots=True)
class Table:
    """A table for `tables/*.csv`: a name, columns with their meanings, and rows of plain values in stable order."""

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str | int, ...], ...]
