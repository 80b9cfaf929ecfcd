"""From evidence and judged claims to report format 1. The only place that knows both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING

from leverage import __version__
from leverage.claims.budgets import BudgetResult, check_budgets
from leverage.claims.denominators import sentence
from leverage.claims.members import whole_grid
from leverage.claims.ratios import Pair, grid, reaches, required
from leverage.claims.select import Gap, Side
from leverage.claims.transfer import transfer_table
from leverage.claims.verdict import READINGS, judge
from leverage.claims.waterfall import waterfall
from leverage.evidence.columns import code_column
from leverage.evidence.witness import disagreements
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.languages import Kind
from leverage.measure.version import RULE_VERSION
from leverage.model.amounts import Amount, Ratio, Unit
from leverage.model.files import State
from leverage.model.lines import LineClass
from leverage.model.provenance import Origin, Pin
from leverage.report.buildamount import amount_view
from leverage.report.buildclaims import claim_view, transfer_view
from leverage.report.buildcoupling import coupling_views, leverage_views
from leverage.report.buildgrid import grid_sentence, grid_view, moves_view, normalised_view
from leverage.report.buildstages import stages_view
from leverage.report.forge import browse_url
from leverage.report.format import exact_text, percent_text, ratio_text
from leverage.report.strip import verdict_strip
from leverage.report.view import (
    FORMAT,
    BudgetView,
    ComponentView,
    DenominatorView,
    IdentityRow,
    IdentityView,
    PairView,
    PinView,
    ProvenanceView,
    RatioView,
    ReportV1,
    RequiredView,
    StepView,
    SystemView,
    TermView,
    WaterfallView,
    WitnessRow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.evidence.build import Evidence
    from leverage.evidence.identity import Identity
    from leverage.spec.types import Denominator, System


@dataclass(frozen=True, slots=True)
class Context:
    """What a report says about its own making.

    Attributes:
        command: the command that makes it again.
        lock_digest: digest of `repos.lock`, empty where there is none.
        date: ISO 8601 date from SOURCE_DATE_EPOCH, or empty.
        warnings: what a reader must know, in plain words.
    """

    command: str
    lock_digest: str
    date: str
    warnings: tuple[str, ...]


def build_report(evidence: Evidence, context: Context) -> ReportV1:
    """The whole view. Pure: the same evidence and context give the same report."""
    spec = evidence.loaded.spec
    claims = judge(evidence)
    figure = _figure(evidence)
    rows = grid(evidence)
    members = whole_grid(evidence)
    cells = grid_view(evidence, members, figure)
    verdict = verdict_strip(evidence, claims, rows, figure)
    verdict = replace(verdict, then=[*verdict.then, *grid_sentence(cells, figure)])
    return ReportV1(
        format=FORMAT,
        title=spec.title,
        provenance=ProvenanceView(
            tool="leverage",
            tool_version=__version__,
            rule_version=RULE_VERSION,
            spec=PurePath(evidence.loaded.file).name,
            spec_hash=evidence.loaded.digest,
            lock_hash=context.lock_digest,
            packs=dict(sorted(evidence.packs.items())),
            command=context.command,
            date=context.date,
            warnings=[*context.warnings, *_outdated(evidence)],
        ),
        verdict=verdict,
        claimed="" if figure is None else exact_text(figure),
        comparison=[spec.compare.left, spec.compare.right] if spec.compare else [],
        denominators=[_denominator(evidence, name, one, rows[name], figure) for name, one in spec.denominators.items()],
        grid=cells,
        moves=moves_view(evidence, members, figure),
        normalised=normalised_view(evidence, figure),
        stages=stages_view(evidence),
        systems=[_system(evidence, name, system) for name, system in spec.systems.items()],
        identity=[_identity(one) for one in evidence.identities.values()],
        witness=[
            WitnessRow(
                system=one.system, path=one.path, language=one.language, ours=one.ours, witness=one.witness, cause=""
            )
            for one in disagreements(evidence.facts.values())
        ],
        claims=[claim_view(one) for one in claims],
        transfer=[transfer_view(one) for one in transfer_table(evidence)],
        coupling=coupling_views(evidence),
        leverage=leverage_views(evidence),
        budgets=[_budget(one) for one in check_budgets(evidence)],
        glossary=_glossary(),
        terms=[TermView(id=word, title=word, definition=meaning) for word, meaning in spec.terms.items()],
    )


def _outdated(evidence: Evidence) -> list[str]:
    """What a reader must know where what is recorded was made by other rules, or another version, than today's."""
    return (
        [
            f"the functions of {name} were decided by other rules than today's, so its files stand for them; "
            f"`leverage record {name}` decides them anew"
            for name in evidence.outdated
        ]
        + [f"where {name} touches its substrate is not known: {why}" for name, why in evidence.untouched.items()]
        + [f"the trace of {name} is not used: {why}" for name, why in evidence.untraced.items()]
    )


def _figure(evidence: Evidence) -> Fraction | None:
    """The reported ratio of the declared comparison."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return None
    for reported in spec.systems[spec.compare.left].reported:
        if reported.over == spec.compare.right:
            return reported.fraction
    for claim in spec.claims.values():
        if claim.ratio_of == (spec.compare.left, spec.compare.right) and claim.value is not None:
            return Fraction(claim.value)
    return None


def _ratio(found: Ratio, figure: Fraction | None) -> RatioView:
    numerator, denominator = amount_view(found.numerator), amount_view(found.denominator)
    if numerator is None or denominator is None:
        raise AssertionError("a ratio has two amounts")
    return RatioView(
        numerator=numerator,
        denominator=denominator,
        text=ratio_text(found.value, figure),
        low_text=ratio_text(found.low, figure),
        high_text=ratio_text(found.high, figure),
    )


def _pair(one: Pair, figure: Fraction | None) -> PairView:
    outcomes = (
        {reading: reaches(one.ratio, figure, reading) for reading in READINGS}
        if one.ratio is not None and figure is not None
        else {}
    )
    return PairView(
        left=one.left.name if isinstance(one.left, Side) else one.left_name,
        right=one.right.name if isinstance(one.right, Side) else one.right_name,
        stands_in_for=one.stands_in_for,
        status=one.status,
        why=one.why,
        left_covers=one.left.covers if isinstance(one.left, Side) else "",
        right_covers=one.right.covers if isinstance(one.right, Side) else "",
        numerator=amount_view(one.numerator),
        denominator=amount_view(one.denominator),
        ratio=None if one.ratio is None else _ratio(one.ratio, figure),
        reaches=outcomes,
    )


def _denominator(
    evidence: Evidence, name: str, one: Denominator, row: Sequence[Pair], figure: Fraction | None
) -> DenominatorView:
    compare = evidence.loaded.spec.compare
    sizes: list[RequiredView] = []
    smaller = row[0].denominator if row else Gap("no comparison is declared")
    if figure is not None and isinstance(smaller, Amount):
        noun = Unit(one.unit).noun
        for reading in READINGS:
            low, high = required(smaller, figure, reading)
            text = f"at least {low:,} {noun}" if high is None else f"{low:,} to {high:,} {noun}"
            sizes.append(RequiredView(figure=exact_text(figure), reading=reading, low=low, high=high, text=text))
    return DenominatorView(
        id=name,
        headline=compare is not None and compare.headline == name,
        sentence=sentence(one),
        boundary=one.boundary,
        purposes=sorted(purpose.value for purpose in set(one.purposes)),
        unit=one.unit,
        convention=one.convention if one.unit == "code" else "exact",
        languages=one.languages,
        copies=one.copies,
        note=one.note,
        pairs=[_pair(pair, figure) for pair in row],
        required=sizes,
        waterfalls=[
            _waterfall(evidence, chosen, one, size)
            for chosen, size in [(row[0].right, row[0].denominator), *((pair.left, pair.numerator) for pair in row)]
            if isinstance(chosen, Side) and isinstance(size, Amount)
        ]
        if row
        else [],
    )


def _waterfall(evidence: Evidence, chosen: Side, denominator: Denominator, size: Amount) -> WaterfallView:
    return WaterfallView(
        side=chosen.name,
        steps=[
            StepView(kind=one.kind, id=one.id, what=one.what, files=one.files, lines=one.lines)
            for one in waterfall(evidence, chosen, denominator, size)
        ],
    )


def _system(evidence: Evidence, name: str, system: System) -> SystemView:
    facts = evidence.facts.get(name)
    where = facts.provenance if facts else None
    if system.source is None:
        origin, note = Origin.REPORTED if system.reported else Origin.UNKNOWN, system.note
    elif where is None:
        origin, note = Origin.UNKNOWN, evidence.gaps.get(name, "")
    else:
        origin, note = where.origin, where.note
    pin = where.pin if where else None
    location = where.location if where else ""
    return SystemView(
        id=name,
        name=system.name or name,
        role=system.role.value,
        vendor=system.vendor,
        licence=system.licence,
        stands_in_for=system.stands_in_for or "",
        builds_on=system.builds_on or "",
        origin=origin.value,
        pin=None if pin is None else _pin(pin),
        location=location,
        answered_by=where.answered_by if where else "",
        browse=browse_url(location, pin),
        tool_version=where.tool_version if where else "",
        rule_version=where.rule_version if where else "",
        measured_on=where.measured_on if where else "",
        note="; ".join(part for part in (note, system.note if system.source else "") if part),
        needed=system.needed,
        spec_line=evidence.loaded.locate("systems", name).line,
        components=_components(evidence, name, system) if facts else [],
    )


def _pin(pin: Pin) -> PinView:
    return PinView(kind=pin.kind, id=pin.id, tree=pin.tree, date=pin.date, artifact=pin.artifact)


def _components(evidence: Evidence, name: str, system: System) -> list[ComponentView]:
    files = evidence.files
    mine = files[(files["system"] == name) & (files["state"] == State.COUNTED.value)]
    views = []
    for component, declared in system.components.items():
        rows = mine[mine["component"] == component]
        purpose = declared.purpose
        # Fixtures in YAML would make a test folder look like a compiler.
        code_rows = rows[rows["language_kind"] == Kind.PROGRAMMING.value]
        views.append(
            ComponentView(
                id=component,
                purpose=purpose.value,
                height=list(declared.height),
                include=list(declared.include),
                exclude=[*declared.exclude, *(f"component {other}" for other in declared.exclude_components)],
                files=len(rows),
                physical=int(rows["physical"].sum()),
                nonblank=int(rows["nonblank"].sum()),
                # Physical and non-blank lines stand beside them already, of all files and not of programs alone.
                code={
                    one: int(code_rows[code_column(one)].clip(lower=0).sum())
                    for one in CONVENTIONS
                    if one not in set(Unit)
                },
                unsized={
                    one: count
                    for one in CONVENTIONS
                    if one not in set(Unit) and (count := int((code_rows[code_column(one)] < 0).sum()))
                },
                note=declared.note,
            )
        )
    return views


def _identity(one: Identity) -> IdentityView:
    (counted, counted_lines), (excluded, excluded_lines), (unknown, unknown_lines) = (
        one.total(state) for state in (State.COUNTED, State.EXCLUDED, State.UNKNOWN)
    )
    return IdentityView(
        system=one.system,
        tracked_files=one.tracked_files,
        counted_files=counted,
        excluded_files=excluded,
        unknown_files=unknown,
        tracked_lines=one.tracked_lines,
        counted_lines=counted_lines,
        excluded_lines=excluded_lines,
        unknown_lines=unknown_lines,
        unread_files=sum(account.unread for account in one.accounts),
        rows=[
            IdentityRow(
                system=one.system,
                state=account.state.value,
                reason=account.reason,
                rule=account.rule,
                files=account.files,
                lines=account.lines,
                unread_files=account.unread,
            )
            for account in one.accounts
        ],
    )


def budget_texts(one: BudgetResult) -> tuple[str, str]:
    """Limit and actual value of a budget as text, on the same side of each other as they are."""
    limit = Fraction(one.budget.at_most)
    if one.budget.measure.endswith("undetermined_share"):
        return percent_text(limit), one.why if one.actual is None else percent_text(one.actual, limit)
    return exact_text(limit), one.why if one.actual is None else exact_text(one.actual)


def _budget(one: BudgetResult) -> BudgetView:
    limit, actual = budget_texts(one)
    return BudgetView(
        measure=one.budget.measure,
        at_most=limit,
        actual=actual,
        status="cannot be checked" if one.holds is None else "holds" if one.holds else "exceeded",
        note=one.budget.note,
    )


def _glossary() -> list[TermView]:
    return [
        *(
            TermView(id=f"convention-{name}", title=one.title, definition=one.definition)
            for name, one in CONVENTIONS.items()
        ),
        *(TermView(id=f"class-{one.label}", title=one.label, definition=one.meaning) for one in LineClass),
    ]
