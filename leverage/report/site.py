"""Many reports as one site: which there are, how the headline moved, which verdicts changed.

Every figure is one of a report; nothing is computed here but the order. Reports are in the order of the code that they
measured, since that is what a ratio depends on. Only ratios under one and the same headline denominator share a line,
and a line is broken where the ratio is unknown and dashed where the rules of counting changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from leverage import __version__
from leverage.report import lookup
from leverage.report.badge import badge_of, measured_in
from leverage.report.charts import palette
from leverage.report.csvout import column_meanings, to_csv
from leverage.report.findings import claimed_text
from leverage.report.format import count_text, plural
from leverage.report.html import environment_of_pages, policy, resource
from leverage.report.sitechart import Line, Point, Trend, trend_figure
from leverage.report.view import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from leverage.report.view import AmountView, PairView, ReportV1

TREND = "trend"
"""Name of the table beside the index, without suffix."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A report of a site.

    Attributes:
        name: what it is called on the index.
        folder: where it lies, relative to the index, with ``/``, not quoted.
        page: whether its page lies there too; else the data alone.
        report: the report.
    """

    name: str
    folder: str
    page: bool
    report: ReportV1

    @property
    def code_date(self) -> str:
        """Day of the code of the right side, ISO 8601; else the day of the report; empty where neither is known."""
        found = lookup.find_system(self.report, lookup.sides(self.report)[1])
        for text in (found.pin.date if found and found.pin else "", self.report.provenance.date):
            try:
                return date.fromisoformat(text[:10]).isoformat()
            except ValueError:
                continue
        return ""

    @property
    def commit(self) -> str:
        """What the right side was read from, in full; empty where it has no bytes."""
        found = lookup.find_system(self.report, lookup.sides(self.report)[1])
        return found.pin.id if found and found.pin else ""

    @property
    def headline(self) -> str:
        """The ratio or ratios under the headline, or why there is none."""
        return badge_of(self.report).message

    @property
    def size(self) -> AmountView | None:
        """Size of the right side under the headline; None where it is not known."""
        head = lookup.headline(self.report)
        return next((pair.denominator for pair in head.pairs if pair.denominator), None) if head else None

    @property
    def touched(self) -> int | None:
        """Places where the right side touches its substrate; None where they are not known."""
        right = lookup.base(lookup.sides(self.report)[1])
        port = next((one for one in self.report.coupling if one.port == right and not one.why), None)
        return next((total.sites for total in port.totals if total.kind == "all"), None) if port else None

    @property
    def rules(self) -> tuple[str, ...]:
        """What decides how the sides are counted, besides their code; equal rules count equal code equally."""
        packs = self.report.provenance.packs
        systems = {lookup.base(pair.left) for pair in self.pairs} | {lookup.base(lookup.sides(self.report)[1])}
        return (self.report.provenance.rule_version, *(packs.get(system, "") for system in sorted(systems)))

    @property
    def pairs(self) -> list[PairView]:
        """The pairs under the headline."""
        head = lookup.headline(self.report)
        return head.pairs if head else []


@dataclass(frozen=True, slots=True)
class Change:
    """A claim whose verdict is not the same in all reports: its verdicts in order, each with where it stood first."""

    id: str
    text: str
    verdicts: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Group:
    """Reports whose headline is of the same sides under the same denominator, in the order of their code.

    Attributes:
        left: left side, which may be closed.
        right: right side.
        denominator: the headline denominator, in full; empty where the reports compare nothing.
        short: the same in few words.
        unit: what sizes are counted in.
        kept: the reports.
        charts: inline SVG; empty where there are not two dates.
        changes: claims whose verdict changed.
        steady: number of claims whose verdict is the same in all reports that have them.
        undated: reports that no chart has, because their code has no date.
    """

    left: str
    right: str
    denominator: str
    short: str
    unit: str
    kept: list[Kept]
    charts: list[Markup]
    changes: list[Change]
    steady: int
    undated: int


def grouped(reports: Iterable[Kept]) -> list[Group]:
    """Reports by what their headline is of; groups in the order in which their first report was named."""
    by: dict[tuple[str, ...], list[Kept]] = {}
    for one in reports:
        head = lookup.headline(one.report)
        what = (head.sentence, head.unit, head.convention) if head else ("", "", "")
        by.setdefault((*lookup.sides(one.report), *what), []).append(one)
    return [_group(f"trend-{at}", key, sorted(kept, key=_by_date)) for at, (key, kept) in enumerate(by.items(), 1)]


def _by_date(one: Kept) -> tuple[bool, str]:
    return not one.code_date, one.code_date


def _group(name: str, key: tuple[str, ...], kept: list[Kept]) -> Group:
    left, right, denominator, unit, _ = key
    head = lookup.headline(kept[0].report)
    changes, steady = _changes(kept)
    dated = [one for one in kept if one.code_date]
    noun = lookup.unit_noun(unit)
    return Group(
        left=left,
        right=right,
        denominator=denominator,
        short=measured_in(head) if head else "",
        unit=noun,
        kept=kept,
        charts=[trend_figure(trend) for trend in _trends(name, right, dated)]
        if len({one.code_date for one in dated}) > 1
        else [],
        changes=changes,
        steady=steady,
        undated=len(kept) - len(dated),
    )


def _claim(kept: Sequence[Kept]) -> Fraction | None:
    """The claimed ratio where all reports test the same one."""
    figures = {lookup.claimed_figure(one.report) for one in kept}
    return figures.pop() if len(figures) == 1 else None


def _trends(name: str, right: str, kept: Sequence[Kept]) -> list[Trend]:
    """Ratios of each left side, sizes of the right side, places where it touches its substrate; only what is known."""
    head = lookup.headline(kept[0].report)
    if head is None:
        return []
    lefts = dict.fromkeys(pair.left for one in kept for pair in one.pairs)
    steps = list(zip([None, *kept], kept, strict=False))
    ratios = [Line(left, [_ratio_point(one, left, before) for before, one in steps]) for left in lefts]
    known = [line for line in ratios if any(point.value is not None for point in line.points)]
    sizes = Line(right, [_size_point(one, before) for before, one in steps])
    touched = Line("places", [_point(one, one.touched, before) for before, one in steps])
    figure = _claim(kept)
    claimed = claimed_text(kept[-1].report) if figure is not None else ""
    found = [
        Trend(
            f"{name}-ratio", f"Ratio to {right}", head.sentence, times=True, lines=known, figure=figure, claimed=claimed
        ),
        Trend(
            f"{name}-size",
            f"Size of {right}",
            f"{lookup.unit_noun(head.unit)}: {head.sentence}",
            times=False,
            lines=[sizes],
        ),
        Trend(
            f"{name}-touched",
            f"Where {right} touches its substrate",
            "places of all kinds",
            times=False,
            lines=[touched],
        ),
    ]
    return [one for one in found if any(point.value is not None for line in one.lines for point in line.points)]


def _point(one: Kept, value: int | None, before: Kept | None, why: str = "") -> Point:
    """A point without an interval."""
    text = "" if value is None else count_text(value)
    return Point(one.code_date, one.name, value, value, value, text, why, _changed(one, before))


def _ratio_point(one: Kept, left: str, before: Kept | None) -> Point:
    pair = next((each for each in one.pairs if each.left == left), None)
    if pair is None or pair.ratio is None:
        return _point(one, None, before, why=pair.why if pair else "not in this report")
    low, middle, high = lookup.pair_value(pair)
    return Point(one.code_date, one.name, middle, low, high, pair.ratio.text, "", _changed(one, before))


def _size_point(one: Kept, before: Kept | None) -> Point:
    size = one.size
    if size is None:
        return _point(one, None, before)
    text = count_text(size.value)
    return Point(one.code_date, one.name, size.value, size.low, size.high, text, "", _changed(one, before))


def _changed(one: Kept, before: Kept | None) -> bool:
    return before is not None and before.rules != one.rules


def _changes(kept: Sequence[Kept]) -> tuple[list[Change], int]:
    """Claims by id and wording: a claim whose words changed is another one."""
    seen: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for one in kept:
        for claim in one.report.claims:
            seen.setdefault((claim.id, claim.text), []).append((claim.verdict, one.name))
    found = []
    for (claim_id, text), told in seen.items():
        runs = [next(run) for _, run in groupby(told, key=lambda pair: pair[0])]
        if len(runs) > 1:
            found.append(Change(claim_id, text, runs))
    return found, len(seen) - len(found)


def trend_table(groups: Iterable[Group]) -> Table:
    """One row for each report and pair under its headline."""
    columns = (
        ("report", "name of the report on the index"),
        ("code_date", "day of the code of the right side, ISO 8601; empty where it is not known"),
        ("commit", "what the right side was read from"),
        ("left", "left side of the ratio"),
        ("right", "right side of the ratio"),
        ("denominator", "the headline denominator in words"),
        ("status", "ratio, not comparable or unknown"),
        ("ratio", "ratio as the report shows it; empty where there is none"),
        ("left_amount", "size of the left side in the unit"),
        ("right_amount", "size of the right side in the unit"),
        ("unit", "unit of both sizes"),
        ("touched", "places where the right side touches its substrate"),
        ("rule_version", "version of the line rule"),
        ("tool_version", "version of leverage"),
    )
    rows = [
        (
            one.name,
            one.code_date,
            one.commit,
            pair.left,
            pair.right,
            group.denominator,
            pair.status,
            pair.ratio.text if pair.ratio else "",
            pair.numerator.value if pair.numerator else -1,
            pair.denominator.value if pair.denominator else -1,
            group.unit,
            -1 if one.touched is None else one.touched,
            one.report.provenance.rule_version,
            one.report.provenance.tool_version,
        )
        for group in groups
        for one in group.kept
        for pair in one.pairs
    ]
    return Table(TREND, columns, tuple(rows))


def _short(pin: str) -> str:
    """The first digits of what was read."""
    return pin.removeprefix("sha256:").removeprefix("content:")[:12]


def render_site(reports: Sequence[Kept], title: str) -> dict[str, bytes]:
    """The files of the index: name to content. Reports themselves are not among them."""
    style = palette.style_rules() + resource("style.css") + resource("site.css")
    groups = grouped(reports)
    table = trend_table(groups)
    environment = environment_of_pages()
    environment.filters |= {"path": quote, "commit": _short}
    page = environment.get_template("site.html.j2").render(
        title=title,
        groups=groups,
        count=plural(len(reports), "report"),
        trend=f"{TREND}.csv",
        style=Markup(style),  # noqa: S704 - ours
        policy=policy(style, ""),
        version=__version__,
    )
    files = {"index.html": page, f"{TREND}.csv": to_csv(table), "columns.json": column_meanings([table])}
    return {name: text.encode("utf-8") for name, text in files.items()}
