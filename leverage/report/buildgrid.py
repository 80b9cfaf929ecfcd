"""From the grid of denominators and its swings to report format 1."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.denominators import sentence
from leverage.claims.families import headline, left_out, unmeasured
from leverage.claims.members import (
    DISTINCT,
    FOLDED,
    Grid,
    Needed,
    Row,
    Spread,
    compare_families,
    nearest,
    needed,
    spread,
)
from leverage.claims.normalised import normalised
from leverage.claims.ratios import Pair, reaches
from leverage.claims.sensitivity import Choice, Swing, TwoWay, tornadoes, two_way
from leverage.claims.verdict import READINGS
from leverage.model.amounts import Amount
from leverage.report.format import exact_text, ratio_text
from leverage.report.view import (
    CellView,
    ChoiceView,
    FamilyView,
    GridView,
    LeftOutView,
    MemberView,
    NearView,
    NeededView,
    NormalisedView,
    RequiredView,
    SpanView,
    SpreadView,
    SwingView,
    Table,
    TornadoView,
    TwoWayView,
    UnmeasuredView,
)
from leverage.spec.axes import AXES, written

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.report.view import ReportV1
    from leverage.spec.types import Spec

MOST_NEAREST = 8
"""Pairs nearest to the claimed figure that are listed."""


def grid_view(evidence: Evidence, grid: Grid, figure: Fraction | None) -> GridView:
    """The whole grid; ``figure`` is the claimed ratio."""
    spec, readings = evidence.loaded.spec, list(READINGS)
    counted = grid.counted
    spreads = [spread(counted, index, left, figure, readings) for index, left in enumerate(grid.lefts)]
    close = [] if figure is None else nearest(grid, figure, MOST_NEAREST)
    return GridView(
        lefts=list(grid.lefts),
        declared=len(grid.rows),
        comparable=len(counted) + len(grid.standing(FOLDED)),
        distinct=len(counted),
        pairs=sum(one.ratios for one in spreads),
        reaching={} if figure is None else {each: sum(one.reaching[each] for one in spreads) for each in readings},
        members_reaching={}
        if figure is None
        else {each: _members_reaching(counted, figure, each) for each in readings},
        spreads=[_spread(one, figure) for one in spreads],
        families=[
            FamilyView(
                id=one.family,
                varies=_varied(spec, one.family),
                declared=one.declared,
                comparable=one.comparable,
                distinct=one.distinct,
                spreads=[_spread(each, figure) for each in one.spreads],
            )
            for one in compare_families(grid, figure, readings)
        ],
        nearest=[_near(grid.lefts[row.pairs.index(pair)], row, pair, figure) for row, pair in close],
        needed=[] if figure is None else [_needed(one, figure) for one in needed(grid, figure, readings)],
        left_out=[
            LeftOutView(family=one.family, where=one.where, why=one.why, members=one.members)
            for one in (left_out(spec) if grid.rows else [])
        ],
        unmeasured=[
            UnmeasuredView(axis=one.axis, value=one.value, why=one.why, families=list(one.families))
            for one in (unmeasured(spec) if grid.rows else [])
        ],
        members=[_member(grid, row, figure) for row in grid.rows],
    )


def grid_sentence(view: GridView, figure: Fraction | None) -> list[str]:
    """What the grid adds to the strip at the head of the page; nothing where it has no ratio."""
    if figure is None or not view.pairs:
        return []
    about, least = (view.members_reaching[reading] for reading in ("about", "at_least"))
    claimed = exact_text(figure) + "x"
    sentence_ = (
        f"Over all {view.distinct:,} distinct denominators of the declared families, some stand-in is within 10 % of "
        f"{claimed} under {about:,} and at least {claimed} under {least:,}."
    )
    return [sentence_]


def moves_view(evidence: Evidence, grid: Grid, figure: Fraction | None) -> list[TornadoView]:
    """The swings of each left side that can be compared under the headline."""
    if not grid.rows:
        return []
    start = headline(evidence.loaded.spec)
    return [
        TornadoView(
            left=one.left,
            base=_choice("", "", one.base, figure),
            swings=[_swing(each, figure) for each in one.swings],
            two_way=_two_way(two_way(grid, one, start), figure),
        )
        for one in tornadoes(grid, start)
    ]


def normalised_view(evidence: Evidence, figure: Fraction | None) -> list[NormalisedView]:
    """Sizes per covered stage and per divergence under the headline."""
    spec = evidence.loaded.spec
    if spec.compare is None:
        return []
    return [
        NormalisedView(
            base=one.base,
            left=one.left,
            left_size=one.ratio.numerator.value,
            left_covers=one.left_covers,
            left_each=round(Fraction(one.ratio.numerator.value, one.left_covers)),
            right_size=one.ratio.denominator.value,
            right_covers=one.right_covers,
            right_each=round(Fraction(one.ratio.denominator.value, one.right_covers)),
            ratio=ratio_text(one.value, figure),
        )
        for one in normalised(evidence, headline(spec))
    ]


def grid_table(report: ReportV1) -> Table:
    """Every member against every left side, for `tables/grid.csv`."""
    columns = (
        ("member", "id of the member, made of its values on the axes"),
        ("sentence", "the same in words"),
        ("boundary", "value on this axis"),
        ("purpose", "value on this axis"),
        ("unit", "what is counted"),
        ("convention", "rule by which a line is code; exact where none is needed"),
        ("languages", "value on this axis"),
        ("copies", "in, or out where lines that stand in what a side builds on are left out"),
        ("families", "families that declare it"),
        ("standing", "distinct (counted), same amounts, not comparable or unknown"),
        ("same_as", "for folded members: the first member with the same amounts on every side"),
        ("left", "left side"),
        ("status", "ratio, not comparable or unknown"),
        ("left_amount", "exact amount of the left side; empty where unknown"),
        ("left_low", "what doubtful assignments allow at least"),
        ("left_high", "what they allow at most"),
        ("left_unsized", "files of the left side whose size in this unit is not known"),
        ("right_amount", "exact amount of the right side; empty where unknown"),
        ("right_low", "what doubtful assignments allow at least"),
        ("right_high", "what they allow at most"),
        ("right_unsized", "files of the right side whose size in this unit is not known"),
        ("ratio", "ratio as shown"),
        ("ratio_low", "its lower end"),
        ("ratio_high", "its upper end"),
        ("why", "why there is no ratio"),
    )
    first = {member.id: member for member in report.grid.members}
    rows = [
        (
            *(member.id, member.sentence, member.boundary, member.purpose, member.unit, member.convention),
            *(member.languages, member.copies, " ".join(member.families), member.standing, member.same_as),
            *(cell.left, cell.status, *map(_blank, (cell.size, cell.low, cell.high)), cell.unsized),
            *map(_blank, (member.size, member.low, member.high)),
            member.unsized,
            *(cell.ratio, cell.ratio_low, cell.ratio_high, cell.why),
        )
        for member in report.grid.members
        for cell in (first[member.same_as].cells if member.same_as else member.cells)
    ]
    return Table("grid", columns, tuple(rows))


def _blank(value: int | None) -> int | str:
    return "" if value is None else value


def _varied(spec: Spec, name: str) -> list[str]:
    family = spec.families[name]
    parts = [family, *(spec.families[other] for other in family.product)]
    return [axis for axis in AXES if any(written(part.vary, axis) for part in parts)]


def _members_reaching(rows: list[Row], figure: Fraction, reading: str) -> int:
    return sum(any(one.ratio and reaches(one.ratio, figure, reading) == "yes" for one in row.pairs) for row in rows)


def _spread(one: Spread, figure: Fraction | None) -> SpreadView:
    low, high = one.lowest, one.highest
    return SpreadView(
        left=one.left,
        ratios=one.ratios,
        lowest="" if low is None else ratio_text(low[0], figure),
        lowest_member="" if low is None else low[1].id,
        highest="" if high is None else ratio_text(high[0], figure),
        highest_member="" if high is None else high[1].id,
        reaching=one.reaching,
    )


def _near(left: str, row: Row, pair: Pair, figure: Fraction | None) -> NearView:
    if pair.ratio is None:
        raise AssertionError("only pairs with a ratio are near a figure")
    return NearView(
        member=row.member.id,
        sentence=sentence(row.member.denominator),
        left=left,
        numerator=pair.ratio.numerator.value,
        denominator=pair.ratio.denominator.value,
        ratio=ratio_text(pair.ratio.value, figure),
    )


def _needed(one: Needed, figure: Fraction) -> NeededView:
    required = []
    for reading, low in one.smallest.items():
        high = one.largest[reading]
        lead = "at least " if reading == "at_least" else ""
        span = f"{low:,} to {high:,}" if low != high else f"{low:,}"
        text = f"{lead}{span} {one.unit.noun}"
        required.append(RequiredView(figure=exact_text(figure), reading=reading, low=low, high=high, text=text))
    return NeededView(
        boundary=one.boundary,
        unit=one.unit.value,
        sizes=one.members,
        required=required,
        measured=[SpanView(left=left, low=low, high=high) for left, (low, high) in one.sizes.items()],
    )


def _member(grid: Grid, row: Row, figure: Fraction | None) -> MemberView:
    place, size = row.member.place, row.pairs[0].denominator if row.pairs else None
    known = size if isinstance(size, Amount) else None
    cells = [
        _cell(left, pair, figure, counted=row.standing == DISTINCT)
        for left, pair in zip(grid.lefts, row.pairs, strict=True)
    ]
    return MemberView(
        id=row.member.id,
        sentence=sentence(row.member.denominator),
        boundary=place["boundary"],
        purpose=place["purpose"],
        unit=place["unit"],
        convention=place["convention"],
        languages=place["languages"],
        copies=place["copies"],
        families=list(row.member.families),
        standing=row.standing,
        same_as=row.same_as,
        why=row.why,
        size=None if known is None else known.value,
        low=None if known is None else known.low,
        high=None if known is None else known.high,
        unsized=0 if known is None else known.unsized,
        cells=[] if row.same_as else cells,
    )


def _cell(left: str, pair: Pair, figure: Fraction | None, *, counted: bool) -> CellView:
    size = pair.numerator if isinstance(pair.numerator, Amount) else None
    ratio = pair.ratio
    return CellView(
        left=left,
        status=pair.status,
        size=None if size is None else size.value,
        low=None if size is None else size.low,
        high=None if size is None else size.high,
        unsized=0 if size is None else size.unsized,
        ratio="" if ratio is None else ratio_text(ratio.value, figure),
        ratio_low="" if ratio is None else ratio_text(ratio.low, figure),
        ratio_high="" if ratio is None else ratio_text(ratio.high, figure),
        reaches={} if ratio is None or figure is None else {each: reaches(ratio, figure, each) for each in READINGS},
        why=pair.why if counted else "",  # else the member says it, once for all its cells
    )


def _choice(value: str, member: str, pair: Pair, figure: Fraction | None) -> ChoiceView:
    top, bottom = pair.numerator, pair.denominator
    return ChoiceView(
        value=value,
        member=member,
        status=pair.status,
        numerator=top.value if isinstance(top, Amount) else None,
        denominator=bottom.value if isinstance(bottom, Amount) else None,
        ratio="" if pair.ratio is None else ratio_text(pair.ratio.value, figure),
        why=pair.why,
    )


def _chosen(one: Choice, figure: Fraction | None) -> ChoiceView:
    return _choice(one.value, one.member, one.pair, figure)


def _swing(one: Swing, figure: Fraction | None) -> SwingView:
    return SwingView(
        axis=one.axis,
        title=AXES[one.axis].title,
        base=one.base,
        low=_chosen(one.low, figure),
        high=_chosen(one.high, figure),
        factor=ratio_text(one.factor),
        choices=[_chosen(each, figure) for each in one.choices],
    )


def _two_way(found: TwoWay | None, figure: Fraction | None) -> TwoWayView | None:
    if found is None:
        return None
    rows = list(dict.fromkeys(row for row, _ in found.values))
    columns = list(dict.fromkeys(column for _, column in found.values))
    return TwoWayView(
        rows=found.rows,
        columns=found.columns,
        row_values=rows,
        column_values=columns,
        cells=[[_crossed(found, row, column, figure) for column in columns] for row in rows],
    )


def _crossed(found: TwoWay, row: str, column: str, figure: Fraction | None) -> ChoiceView:
    cell = found.values.get((row, column))
    if cell is None:
        why = "no family declares this combination"
        return ChoiceView(value="", member="", status="left out", numerator=None, denominator=None, ratio="", why=why)
    return _choice("", cell[0], cell[1], figure)
