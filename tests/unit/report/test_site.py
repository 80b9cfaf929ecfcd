"""The index over several reports: grouped by denominator, ordered by code, honest about gaps, inert."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from leverage.report.csvout import to_csv
from leverage.report.format import TIMES
from leverage.report.html import policy
from leverage.report.site import Kept, grouped, render_site, trend_table
from leverage.report.sitechart import Line, Point, Trend, trend_figure
from tests.unit.report.sample import empty_report, hostile_report, sample_report

if TYPE_CHECKING:
    from leverage.report.view import ReportV1


def dated(day: str, commit: str = "a" * 40, report: ReportV1 | None = None) -> ReportV1:
    report = report or sample_report()
    systems = [
        replace(one, pin=replace(one.pin, date=f"{day}T01:02:03Z" if day else "", id=commit))
        if one.id == "torch-spyre" and one.pin
        else one
        for one in report.systems
    ]
    return replace(report, systems=systems, provenance=replace(report.provenance, date=""))


def kept(name: str, report: ReportV1) -> Kept:
    return Kept(name, name, page=True, report=report)


def page(*reports: Kept, title: str = "Reports") -> str:
    return render_site(reports, title)["index.html"].decode()


def with_headline(report: ReportV1, **changes: object) -> ReportV1:
    heads = [
        replace(one, **changes) if one.headline else one  # type: ignore[arg-type]
        for one in report.denominators
    ]
    return replace(report, denominators=heads)


def test_reports_stand_in_the_order_of_their_code_whatever_the_order_they_were_named_in() -> None:
    (group,) = grouped([kept("b", dated("2026-06-01")), kept("a", dated("2026-05-01")), kept("no", dated(""))])
    assert [one.name for one in group.kept] == ["a", "b", "no"]
    assert group.undated == 1
    assert len(group.charts) >= 2


def test_another_denominator_is_another_group_even_under_the_same_id() -> None:
    other = with_headline(dated("2026-06-01"), sentence="something else is counted")
    groups = grouped([kept("a", dated("2026-05-01")), kept("b", other)])
    assert [group.denominator for group in groups][1] == "something else is counted"
    assert [len(group.kept) for group in groups] == [1, 1]
    assert all(not group.charts for group in groups), "one report is no trend"


def test_reports_of_one_day_are_no_trend_and_the_page_says_so() -> None:
    same = [kept(name, dated("2026-05-01")) for name in ("main", "branch")]
    assert grouped(same)[0].charts == []
    assert "not of code of different dates" in page(*same)


def point(day: str, value: Fraction | int | None, *, other: bool = False) -> Point:
    text = "" if value is None else f"{float(value):g}{TIMES}"
    return Point(day, f"r{day}", value, value, value, text, "it is closed", other)


def drawn(*lines: Line, figure: Fraction | None = None) -> ET.Element:
    trend = Trend("t", "Ratio", "lines", times=True, lines=list(lines), figure=figure, claimed="7" if figure else "")
    return ET.fromstring(str(trend_figure(trend)))  # noqa: S314 - our own


def test_a_line_breaks_where_the_figure_is_unknown_and_never_falls_to_zero() -> None:
    line = Line(
        "x", [point("2026-01-01", 4), point("2026-02-01", None), point("2026-03-01", 2), point("2026-04-01", 3)]
    )
    figure = drawn(line)
    wide = figure.find("div/svg")
    assert wide is not None
    stretches = [each for each in wide.iter("path") if each.get("fill") == "none"]
    assert len(stretches) == 1, "only March to April is joined"
    (hatched,) = wide.iter("rect")
    assert hatched.get("fill") == "url(#hatch)"
    assert hatched.findtext("title") == "x, r2026-02-01, 2026-02-01: unknown it is closed"
    assert figure.findtext("p") == f"Ratio: x 4{TIMES} to 3{TIMES}, where known."


def test_time_goes_right_in_proportion_and_values_up_from_zero() -> None:
    figure = drawn(Line("x", [point("2026-01-01", 0), point("2026-01-11", 5), point("2026-01-31", 10)]))
    svg = figure.find("div/svg")
    assert svg is not None
    ends = [re.findall(r"-?[\d.]+", each.get("d", "")) for each in svg.iter("path") if each.get("fill") == "none"]
    (x0, y0, x1, y1), (_, _, x2, y2) = [[float(number) for number in each] for each in ends]
    assert (x1 - x0) / (x2 - x0) == pytest.approx(1 / 3, abs=0.01)
    assert (y0 - y1) / (y0 - y2) == pytest.approx(1 / 2, abs=0.01)


def test_a_stretch_between_different_rules_is_dashed() -> None:
    figure = drawn(Line("x", [point("2026-01-01", 4), point("2026-02-01", 4, other=True)]))
    dashes = [each.get("stroke-dasharray") for each in figure.iter("path") if each.get("fill") == "none"]
    assert dashes == ["5 4", "5 4"], "in the wide and in the narrow drawing"
    assert figure.findtext("p") == f"Ratio: x 4{TIMES} throughout."


def test_the_rules_of_a_report_are_those_that_count_its_sides() -> None:
    report = dated("2026-05-01")
    packs = {"torch-spyre": "1", "nobody": "1"}
    old = replace(report, provenance=replace(report.provenance, packs=packs))
    elsewhere = replace(old, provenance=replace(old.provenance, packs={**packs, "nobody": "2"}))
    here = replace(old, provenance=replace(old.provenance, packs={**packs, "torch-spyre": "2"}))
    line_rule = replace(old, provenance=replace(old.provenance, rule_version="other"))
    assert kept("a", old).rules == kept("b", elsewhere).rules
    assert kept("a", old).rules != kept("b", here).rules
    assert kept("a", old).rules != kept("b", line_rule).rules


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other() -> None:
    lines = [Line(f"series {at}", [point("2026-01-01", 3), point("2026-02-01", 3)]) for at in range(6)]
    svg = drawn(*lines, figure=Fraction(7)).find("div/svg")
    assert svg is not None
    heights = sorted(float(each.get("y", "")) for each in svg.iter("text") if each.find("tspan") is not None)
    assert len(heights) == 6
    assert all(after - before >= 14.9 for before, after in pairwise(heights))


def test_only_verdicts_that_changed_are_listed_with_where_they_began() -> None:
    first = dated("2026-05-01")
    claim = first.claims[0]
    second = replace(dated("2026-06-01"), claims=[replace(claim, verdict="holds"), *first.claims[1:]])
    third = replace(dated("2026-07-01"), claims=second.claims)
    before = replace(first, claims=[replace(claim, verdict="does not hold"), *first.claims[1:]])
    (group,) = grouped([kept("a", before), kept("b", second), kept("c", third)])
    assert [(one.id, one.verdicts) for one in group.changes] == [(claim.id, [("does not hold", "a"), ("holds", "b")])]
    assert group.steady == len(first.claims) - 1


def test_the_table_has_both_integers_and_says_unknown_as_the_other_tables_do() -> None:
    table = trend_table(grouped([kept("a", dated("2026-05-01"))]))
    names = [name for name, _ in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    head = next(one for one in sample_report().denominators if one.headline)
    assert [row["left"] for row in rows] == [pair.left for pair in head.pairs]
    closed = next(row for row in rows if row["left"] == "sendnn")
    assert (closed["status"], closed["ratio"], closed["left_amount"]) == ("unknown", "", -1)
    known = next(row for row in rows if row["status"] == "ratio")
    assert int(known["left_amount"]) > 0 < int(known["right_amount"])
    assert to_csv(table).count("\n") == len(rows) + 1


def test_hostile_reports_are_text_and_the_page_loads_nothing() -> None:
    nasty = '"><script>alert(1)</script>\u202e\n' + "x" * 5000
    reports = [
        kept(nasty, dated("2026-05-01", report=hostile_report())),
        Kept(nasty, f"../{nasty}", page=True, report=dated("2026-06-01", report=hostile_report())),
        kept("empty", empty_report()),
    ]
    text = page(*reports, title=nasty)
    assert "<script" not in text
    assert "\u202e" not in text
    assert " style=" not in text
    assert "javascript:" not in re.sub(r">[^<]*<", "><", text)
    for link in re.findall(r'(?:href|src)="([^"]*)"', text):
        assert link.startswith(("#", "..", "empty", "trend.csv", "columns.json", "%22"))
    identities = re.findall(r' id="([^"]*)"', text)
    assert len(identities) == len(set(identities))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    assert policy(style[1], "") in text.replace("&#39;", "'")


def test_every_reference_inside_a_figure_leads_somewhere() -> None:
    text = page(kept("a", dated("2026-05-01")), kept("b", dated("2026-06-01")))
    identities = set(re.findall(r' id="([^"]*)"', text))
    wanted = {word for value in re.findall(r'aria-labelledby="([^"]*)"', text) for word in value.split()}
    assert wanted
    assert wanted <= identities
    assert text.count('role="img"') >= 4


def test_equal_reports_give_equal_bytes() -> None:
    reports = [kept("a", dated("2026-05-01")), kept("b", dated("2026-06-01"))]
    assert render_site(reports, "t") == render_site(reports, "t")
