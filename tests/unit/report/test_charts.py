import re
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from leverage.report.charts import draw_charts, palette
from leverage.report.charts.scale import decade_ticks, log2_scale, round_ticks, times_text
from leverage.report.charts.svg import Chart, finish
from leverage.report.format import TIMES
from tests.unit.report.sample import empty_report, hostile_report, sample_report

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = {chart.name: chart for chart in draw_charts(sample_report())}
HOSTILE_CHARTS = {chart.name: chart for chart in draw_charts(hostile_report())}
EVERY = [*SAMPLE.values(), *HOSTILE_CHARTS.values()]
IDS = [*SAMPLE, *(f"hostile-{name}" for name in HOSTILE_CHARTS)]


def parse(source: str) -> ET.Element:
    return ET.fromstring(source)  # noqa: S314 - our own figures


def texts(chart: Chart) -> list[str]:
    return [element.text or "" for element in parse(chart.body).iter(f"{SVG}text")]


def row(chart: Chart, name: str) -> list[str]:
    """All texts on the lines on which a name stands, from left to right."""
    elements = list(parse(chart.body).iter(f"{SVG}text"))
    heights = {element.get("y") for element in elements if element.text == name}
    return [element.text or "" for element in elements if element.get("y") in heights]


def test_each_figure_comes_for_screen_and_phone() -> None:
    sections = ("ratio", "moves", "required", "stages")
    assert list(SAMPLE) == [name for section in sections for name in (section, f"{section}-narrow")]


@pytest.mark.parametrize("chart", EVERY, ids=IDS)
def test_a_figure_is_clean(chart: Chart) -> None:
    root = parse(chart.document)
    elements = list(root.iter())
    assert root.get("role") == "img"
    assert root.get("viewBox")
    assert root.get("width") is None
    assert not [element for element in elements if element.get("style")]
    assert {element.tag.removeprefix(SVG) for element in elements} <= {
        "svg",
        "title",
        "desc",
        "g",
        "defs",
        "path",
        "use",
        "text",
        "pattern",
        "rect",
    }
    ids = [found for element in elements if (found := element.get("id"))]
    assert len(ids) == len(set(ids))
    assert all(found == f"chart-{chart.name}" or found.startswith(f"chart-{chart.name}-") for found in ids)
    referred = set(re.findall(r'(?:href="#|url\(#)([^")]+)', chart.body))
    assert referred <= set(ids)
    assert root.get("aria-labelledby") == f"chart-{chart.name}-title chart-{chart.name}-desc"
    assert chart.title
    assert "DejaVu" not in chart.body


@pytest.mark.parametrize("chart", EVERY, ids=IDS)
def test_every_colour_can_be_recoloured(chart: Chart) -> None:
    names = {colour.light: colour.name for colour in palette.COLOURS}
    for element in parse(chart.body).iter():
        for key in ("fill", "stroke"):
            value = element.get(key, "none")
            if value != "none" and not value.startswith("url("):
                assert f"{key[0]}-{names[value]}" in element.get("class", ""), f"{element.tag} {value}"


def test_every_class_has_a_rule() -> None:
    used = {name for chart in EVERY for found in re.findall(r'class="([^"]+)"', chart.body) for name in found.split()}
    rules = palette.style_rules()
    assert all(f".{name}{{" in rules for name in used - {"chart"})


def luminance(colour: str) -> float:
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_stand_out_in_both_schemes(scheme: str) -> None:
    paper = getattr(palette.PAPER, scheme)
    for colour in (palette.INK, palette.MUTED, palette.CLAIM):
        assert contrast(getattr(colour, scheme), paper) >= 4.5, colour.name
    assert contrast(getattr(palette.MUTED, scheme), getattr(palette.BAND, scheme)) >= 4.5
    for colour, _ in palette.SERIES:
        assert contrast(getattr(colour, scheme), paper) >= 3, colour.name


def test_series_differ_in_shape_and_in_colour() -> None:
    assert len({marker for _, marker in palette.SERIES}) == len(palette.SERIES)
    assert len({colour.light for colour, _ in palette.SERIES}) == len(palette.SERIES)
    assert len({colour.light for colour in palette.COLOURS}) == len(palette.COLOURS)


def test_a_system_has_one_colour_in_all_figures() -> None:
    series = palette.series_of(sample_report())
    assert list(series)[:3] == ["onnx-mlir", "tt-buda", "glow"]
    assert series["torch-spyre"][0] is palette.INK
    assert len({colour.name for colour, _ in series.values()}) == len(series)


@pytest.mark.parametrize("name", ["ratio", "ratio-narrow"])
def test_each_ratio_stands_with_both_integers(name: str) -> None:
    found = row(SAMPLE[name], "tt-buda")
    assert "97,000 ÷ 13,129" in found
    assert f"7.4{TIMES}" in found
    assert f"claimed 7{TIMES}" in texts(SAMPLE[name])


def test_a_ratio_below_the_claim_is_not_shown_on_it() -> None:
    shown = texts(SAMPLE["ratio"])
    assert f"6.98{TIMES}" in shown  # 94,100 over 13,477
    assert f"7.0{TIMES}" not in shown


def test_what_is_not_known_is_hatched_and_named() -> None:
    assert "unknown: sendnn is closed: there are no bytes to count" in row(SAMPLE["ratio"], "sendnn")
    assert texts(SAMPLE["ratio"]).count("sendnn") == 1, "said once, not under each denominator"
    assert sum(text.startswith("not comparable: covers") for text in texts(SAMPLE["ratio"])) == 3
    assert "<pattern" in SAMPLE["ratio"].body
    assert SAMPLE["ratio"].body.count('fill="url(#chart-ratio-h') == 4
    assert SAMPLE["stages"].body.count('fill="url(#chart-stages-h') == 5


def test_a_side_of_another_height_is_hollow() -> None:
    hollow = [
        element
        for element in parse(SAMPLE["required"].body).iter(f"{SVG}use")
        if element.get("fill") == palette.PAPER.light
    ]
    assert len(hollow) == 3


def test_marks_lie_where_their_ratio_is() -> None:
    scale = log2_scale([Fraction(1, 4), Fraction(8)], 0, 100)
    assert [scale(Fraction(value)) for value in ("1/4", "1", "2", "8")] == [0, 40, 60, 100]
    assert scale(Fraction(0)) == 0
    assert scale(Fraction(1000)) == 100


def test_stages_show_every_count() -> None:
    assert "2,210" in row(SAMPLE["stages"], "Scratchpad")
    assert "3,300" in row(SAMPLE["stages"], "Scratchpad")
    assert "240" in row(SAMPLE["stages"], "Undetermined")


def test_a_figure_says_what_was_read_and_by_whom() -> None:
    for name in ("ratio", "required", "stages"):
        foot = " ".join(texts(SAMPLE[name]))
        assert "onnx-mlir ec744fe of 2026-06-24" in foot
        assert "leverage 0.1.0, line rule 1, 2026-09-02" in foot
    assert "torch-npu 0b74b65 of 2026-06-24, recorded 2026-09-01" in " ".join(texts(SAMPLE["stages"]))


def test_a_dollar_is_a_dollar() -> None:
    shown = " ".join(texts(HOSTILE_CHARTS["stages"]))
    assert "$\\frac" in shown
    assert "<script" in shown
    assert not re.search(r"<script|<img", HOSTILE_CHARTS["stages"].body)


def test_nothing_to_show_is_no_figure() -> None:
    assert draw_charts(empty_report()) == []


def test_one_denominator_without_a_ratio_still_draws() -> None:
    report = sample_report()
    only = replace(report.denominators[0], pairs=report.denominators[0].pairs[:1])
    charts = draw_charts(
        replace(report, denominators=[only], claimed="", verdict=replace(report.verdict, comparable=0))
    )
    assert "No pair can be compared" in texts(charts[0])


def test_a_left_side_of_nothing_is_held_at_the_edge() -> None:
    report = sample_report()
    pair = report.denominators[0].pairs[1]
    assert pair.numerator is not None
    assert pair.ratio is not None
    zero = replace(pair.numerator, value=0, low=0)
    empty = replace(pair, numerator=zero, ratio=replace(pair.ratio, numerator=zero, text=f"0{TIMES}"))
    charts = draw_charts(replace(report, denominators=[replace(report.denominators[0], pairs=[empty])]))
    assert f"0{TIMES}" in texts(charts[0])


def test_the_same_report_gives_the_same_bytes() -> None:
    assert [chart.document for chart in draw_charts(sample_report())] == [chart.document for chart in SAMPLE.values()]


def test_a_style_without_an_attribute_is_a_defect() -> None:
    raw = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M 0 0" style="filter: blur(1px)"/></svg>'
    with pytest.raises(ValueError, match="filter"):
        finish(raw, name="x", title="t", description="d")


def test_numbers_are_rounded_and_ids_prefixed() -> None:
    raw = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10.126 5">'
        '<metadata>x</metadata><g id="axes_1"><defs><path id="m1" d="M 1.23456 -0.001"/></defs>'
        '<use xlink:href="#m1" x="1.999999" style="fill: #0072b2; font-family: X"/></g></svg>'
    )
    assert finish(raw, name="fig", title="a < b", description="").body.endswith(
        '<title id="chart-fig-title">a &lt; b</title><desc id="chart-fig-desc"></desc>'
        '<defs><path id="chart-fig-m1" d="M 1.23 0"/></defs>'
        '<use x="2" href="#chart-fig-m1" fill="#0072b2" class="f-blue"/></svg>'
    )


def test_ticks() -> None:
    assert [times_text(exponent) for exponent in (-4, -2, 0, 3)] == [
        f"{text}{TIMES}" for text in ("1/16", "¼", "1", "8")
    ]
    assert round_ticks(21800, 2) == [0, 10000, 20000]
    assert round_ticks(0) == [0]
    assert round_ticks(7) == [0, 2, 4, 6]
    assert decade_ticks(log2_scale([2000, 200000], 0, 600), 40) == [2000, 5000, 10000, 20000, 50000, 100000, 200000]
    assert decade_ticks(log2_scale([2000, 200000], 0, 110), 40) == [10000, 100000]
