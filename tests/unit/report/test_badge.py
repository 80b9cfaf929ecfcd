"""The badge names its denominator, says what is not known, and holds no markup of others."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from leverage.report.badge import (
    KNOWN,
    LONGEST,
    NONE,
    STOOD_IN,
    Badge,
    badge_of,
    to_badge_json,
    to_badge_svg,
)
from leverage.report.format import TIMES
from tests.unit.report.sample import empty_report, hostile_report, sample_report

SVG = "{http://www.w3.org/2000/svg}"


def test_ratios_of_stand_ins_are_never_shown_as_that_of_the_closed_side() -> None:
    badge = badge_of(sample_report())
    assert badge.label == "sendnn / torch-spyre, production code lines by the leverage rule, boundary extension"
    assert badge.message.startswith("unknown; stand-ins ")
    assert badge.message.endswith(sample_report().verdict.headline)
    assert badge.colour == STOOD_IN


def test_a_measured_side_shows_its_ratio() -> None:
    report = sample_report()
    measured = replace(report, verdict=replace(report.verdict, subject="sendnn", headline=f"6.4{TIMES}"))
    badge = badge_of(measured)
    assert (badge.message, badge.colour) == (f"6.4{TIMES}", KNOWN)
    assert "production code lines" in badge.label
    assert badge.title.startswith(f"sendnn over torch-spyre: 6.4{TIMES} (")


def test_without_a_ratio_the_badge_says_so() -> None:
    report = sample_report()
    unknown = replace(report, verdict=replace(report.verdict, headline=""))
    assert badge_of(unknown).message == "unknown"
    assert badge_of(replace(unknown, verdict=replace(unknown.verdict, subject="sendnn"))).message == "not comparable"
    empty = badge_of(empty_report())
    assert (empty.label, empty.message, empty.colour) == ("leverage", "no ratio is declared", NONE)


def test_what_the_denominator_leaves_out_is_named() -> None:
    report = sample_report()
    heads = [
        replace(one, copies="out", languages="python", purposes=["production", "test"]) for one in report.denominators
    ]
    label = badge_of(replace(report, denominators=heads)).label
    assert "production and test code lines" in label
    assert label.endswith("python alone, copies left out")


def test_hostile_text_stays_text_and_short() -> None:
    report = hostile_report()
    heads = [replace(one, boundary='"><script>alert(1)</script>\u202e' + "x" * 5000) for one in report.denominators]
    badge = badge_of(replace(report, denominators=heads, title="]]>&<\x00"))
    assert len(badge.label) < LONGEST + 30
    drawn = ET.fromstring(to_badge_svg(badge))  # noqa: S314 - our own
    assert {each.tag.removeprefix(SVG) for each in drawn.iter()} == {"svg", "title", "rect", "path", "g", "text"}
    assert [each.text for each in drawn.iter(f"{SVG}text")] == [badge.label, badge.message]
    assert json.loads(to_badge_json(badge))["label"] == badge.label


def test_the_image_needs_nothing_and_says_all_to_a_screen_reader() -> None:
    badge = badge_of(sample_report())
    text = to_badge_svg(badge)
    drawn = ET.fromstring(text)  # noqa: S314 - our own
    assert drawn.get("role") == "img"
    title = drawn.find(f"{SVG}title")
    assert title is not None
    assert (title.get("id"), title.text) == (drawn.get("aria-labelledby"), badge.title)
    assert "style=" not in text
    assert "href" not in text
    width = int(drawn.get("width", ""))
    places = [(float(one.get("x", "")), float(one.get("textLength", ""))) for one in drawn.iter(f"{SVG}text")]
    assert places[0][0] + places[0][1] < places[1][0]
    assert places[1][0] + places[1][1] <= width


def test_the_endpoint_has_exactly_the_keys_of_its_format() -> None:
    stated = json.loads(to_badge_json(badge_of(sample_report())))
    assert stated.keys() == {"schemaVersion", "label", "message", "color", "labelColor", "cacheSeconds"}
    assert stated["schemaVersion"] == 1
    assert to_badge_json(badge_of(sample_report())).isascii()


@pytest.mark.parametrize("colour", [KNOWN, STOOD_IN, NONE])
def test_white_text_can_be_read_on_every_colour(colour: str) -> None:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (luminance + 0.05) >= 4.5


def test_equal_reports_give_equal_bytes() -> None:
    assert to_badge_svg(badge_of(sample_report())) == to_badge_svg(badge_of(sample_report()))
    assert to_badge_svg(Badge("a", "b", NONE, "c")) != to_badge_svg(Badge("a", "d", NONE, "c"))
