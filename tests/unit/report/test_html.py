import base64
import gzip
import hashlib
import re
from dataclasses import fields, replace
from html.parser import HTMLParser

import pytest
from leverage.report.charts import draw_charts
from leverage.report.format import TIMES
from leverage.report.html import MOST_PRINTED, SECTIONS, Anchors, embedded, to_html
from leverage.report.jsonview import from_json
from leverage.report.view import ReportV1, WitnessRow
from tests.unit.report.sample import HOSTILE, empty_report, hostile_report, sample_report, sample_tables

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}


class Page(HTMLParser):
    """The page as a browser's parser would meet it: elements, attributes, text, and whether everything is closed."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.raw: dict[str, list[str]] = {"style": [], "script": []}
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in <{tag}>"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        place = self._open[-1] if self._open else ""
        if place in self.raw:
            self.raw[place].append(data)
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def render(report: ReportV1) -> str:
    return to_html(report, sample_tables(), draw_charts(report))


SOURCES = {"sample": render(sample_report()), "hostile": render(hostile_report()), "empty": render(empty_report())}
PAGES = {name: Page(source) for name, source in SOURCES.items()}
every_page = pytest.mark.parametrize("name", list(SOURCES))


@every_page
def test_nothing_is_loaded_from_anywhere(name: str) -> None:
    page = PAGES[name]
    assert not page.attributes("src")
    assert not page.attributes("srcset")
    assert not page.attributes("action")
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"link", "img", "iframe", "object", "embed", "form", "base", "image", "animate", "foreignobject"}
    assert "@import" not in SOURCES[name]
    assert "url(" not in page.raw["style"][0]


@every_page
def test_links_go_to_the_forge_to_files_beside_or_inside(name: str) -> None:
    page = PAGES[name]
    ids = set(page.attributes("id"))
    for target in page.attributes("href"):
        if target.startswith("#"):
            assert target[1:] in ids, target
        else:
            assert re.fullmatch(
                r"(https://[!-~]+|report\.(json|md)|tables/[a-z]+\.(csv|json)|charts/[a-z]+\.svg)", target
            ), target


@every_page
def test_the_policy_allows_exactly_our_style_and_script(name: str) -> None:
    page = PAGES[name]
    policy = next(
        found["content"] for tag, found in page.elements if found.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    code = [text for text in page.raw["script"] if not text.startswith("{")]
    assert len(page.raw["style"]) == len(code) == 1
    for kind, source in (("style", page.raw["style"][0]), ("script", code[0])):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


@every_page
def test_no_inline_style_or_handler(name: str) -> None:
    attributes = {key for _, found in PAGES[name].elements for key in found}
    assert "style" not in attributes
    assert not [key for key in attributes if key.startswith("on")]


@every_page
def test_ids_are_unique_and_labels_lead_somewhere(name: str) -> None:
    page = PAGES[name]
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", found) for found in ids)
    assert {part for found in page.attributes("aria-labelledby") for part in found.split()} <= set(ids)


@every_page
def test_the_report_is_embedded_once_and_comes_back(name: str) -> None:
    reports = {"sample": sample_report, "hostile": hostile_report, "empty": empty_report}
    data = [text for text in PAGES[name].raw["script"] if text.startswith("{")]
    assert len(data) == 1
    assert "<" not in data[0]
    assert from_json(data[0]) == embedded(reports[name]())


def test_what_is_embedded_lacks_members_reasons_and_all_waterfalls_but_the_headlines() -> None:
    report = sample_report()
    assert report.grid.members
    carried = embedded(report)
    assert carried.grid.members == []
    assert [bool(one.waterfalls) for one in carried.denominators] == [one.headline for one in report.denominators]
    assert not [one for one in carried.identity if one.rows]
    assert (carried.moves, report.moves != []) == ([], True)
    assert carried.grid == replace(report.grid, members=[])
    # What is listed one by one stands in the tables of the page and in report.json.
    assert [(one.patches, one.holds) for one in carried.coupling] == [([], [])] * 3
    assert [one.parts for one in carried.leverage] == [[]]
    assert [one.totals for one in carried.coupling] == [one.totals for one in report.coupling]
    left = {"grid", "moves", "denominators", "identity", "coupling", "leverage"}
    for field in fields(ReportV1):
        assert field.name in left or getattr(carried, field.name) == getattr(report, field.name)


def test_each_side_comes_to_its_amount_step_by_step_on_the_page() -> None:
    section = re.search(r'<section id="identity".*?</section>', SOURCES["sample"], re.DOTALL)
    assert section
    text = re.sub(r"<[^>]+>", " ", section[0])
    assert (
        text.index("tracked in torch-spyre")
        < text.index("\N{MINUS SIGN} outside every component")
        < text.index("= counted")
    )
    assert "Figures:" in text


def test_files_of_unknown_size_words_of_the_configuration_and_notes_are_shown() -> None:
    page = SOURCES["sample"]
    assert re.search(r'<small class="unknown">3 files unknown</small>', page)
    assert "the summary that the comparison began with" in page
    assert "The one that is shown first." in page or "the one that is shown first." in page
    assert "Functions were decided one by one in 12 files of torch-spyre" in page


def test_a_figure_in_the_page_takes_its_colours_from_the_style_sheet() -> None:
    page = SOURCES["sample"]
    svg = re.search(r'<svg [^>]*id="chart-ratio".*?</svg>', page, re.DOTALL)
    assert svg
    assert not re.search(r'(?:fill|stroke)="#', svg[0])
    assert 'class="f-ink"' in svg[0]


def test_a_long_table_says_on_paper_how_many_rows_it_has() -> None:
    rows = re.findall(r'<table class="[^"]*\blong\b[^"]*">\s*<caption data-rows="([0-9,]+)"', SOURCES["sample"])
    assert all(int(count.replace(",", "")) > MOST_PRINTED for count in rows)
    style = PAGES["sample"].raw["style"][0]
    assert f"nth-child(n+{MOST_PRINTED + 1}){{display:none}}" in style
    assert f"the first {MOST_PRINTED} of" in style


@every_page
def test_every_table_has_a_caption_and_scoped_heads(name: str) -> None:
    page = PAGES[name]
    tags = [tag for tag, _ in page.elements]
    assert tags.count("table") == tags.count("caption")
    assert all(found.get("scope") for tag, found in page.elements if tag == "th")
    assert all(
        found.get("tabindex") == "0" and found.get("aria-label")
        for tag, found in page.elements
        if found.get("class") == "scroll"
    )


@every_page
def test_the_first_sentence_is_the_verdict(name: str) -> None:
    page = re.sub(r"<(style|script)[\s\S]*?</\1>", "", SOURCES[name])
    first = re.search(r"<main>\s*<section[^>]*>\s*<p class=\"lead\">(.*?)</p>", page, re.DOTALL)
    assert first
    if name == "sample":
        assert first[1] == sample_report().verdict.sentence


def test_sections_have_permanent_anchors_in_reading_order() -> None:
    ids = [found["id"] for tag, found in PAGES["sample"].elements if tag == "section"]
    assert ids == [
        "verdict",
        "ratio",
        "moves",
        "grid",
        "required",
        "stages",
        "code",
        "coupling",
        "claims",
        "transfer",
        "budgets",
        "provenance",
        "identity",
        "witness",
        "method",
        "data",
    ]
    assert [section.id for section in SECTIONS] == ids[1:]
    anchors = PAGES["sample"].attributes("id")
    for anchor in (
        "denominator-extension",
        "system-torch-spyre",
        "claim-seven-x",
        "stage-scratchpad",
        "identity-glow",
        "divergence-on_chip_storage",
        "term-bracket",
    ):
        assert anchor in anchors


def test_every_ratio_shows_both_integers() -> None:
    text = PAGES["sample"].text
    report = sample_report()
    for item in report.denominators:
        for pair in item.pairs:
            if pair.ratio is not None:
                assert f"{pair.ratio.numerator.value:,}" in text
                assert f"{pair.ratio.denominator.value:,}" in text
                assert pair.ratio.text in text


def test_unknown_is_a_word_and_hatched_never_zero() -> None:
    source = SOURCES["sample"]
    closed = re.search(r"<tr role=\"row\">\s*<th[^>]*><a href=\"#system-sendnn\">.*?</tr>", source, re.DOTALL)
    assert closed
    assert '<span class="unknown">unknown</span>' in closed[0]
    assert "hatched" in closed[0]
    assert not re.search(r">\s*0\s*<", closed[0])
    unread = re.search(r"<tr class=\"hatched\"><td>unknown</td>.*?</tr>", source)
    assert unread
    assert '<span class="unknown">unknown</span>' in unread[0]


def test_exact_is_said_only_of_what_is_exact() -> None:
    report = sample_report()
    pair = report.denominators[4].pairs[3]
    assert pair.ratio is not None
    assert pair.ratio.low_text == pair.ratio.high_text
    row = re.search(r"<td[^>]*>119,500.*?</tr>.*?95,500.*?</tr>", SOURCES["sample"], re.DOTALL)
    assert row
    assert "exact" not in row[0]


def test_origins_stand_beside_figures_and_systems() -> None:
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", SOURCES["sample"], re.DOTALL)
    assert len(captions) == 4
    assert all("measured here" in caption for caption in captions)
    assert "reported</span> sendnn" in captions[0]
    assert "recorded</span> torch-npu" in captions[3]
    assert "recorded 2026-09-01" in SOURCES["sample"]


def test_commits_and_files_lead_to_the_forge() -> None:
    targets = PAGES["sample"].attributes("href")
    commit = "e1abccf7033e1a8e399b971b8cb6e25e66d47708"
    assert f"https://forge.example/sample/torch-spyre/tree/{commit}/" in targets
    assert f"https://forge.example/sample/torch-spyre/tree/{commit}/torch_spyre/_inductor" in targets
    assert f"https://forge.example/sample/torch-spyre/tree/{commit}/torch_spyre/_inductor/lowering.py" in targets


def test_the_account_is_shown_and_a_wrong_one_is_called_wrong() -> None:
    assert "Each of 10,331 tracked files is counted, excluded for a reason, or unknown" in PAGES["sample"].text
    assert "does not add up" not in PAGES["sample"].text
    report = sample_report()
    wrong = replace(report.identity[0], counted_files=report.identity[0].counted_files + 1)
    text = Page(render(replace(report, identity=[wrong]))).text
    assert "does not add up for torch-spyre: do not use these figures" in text


def test_hostile_text_is_shown_as_text() -> None:
    text = PAGES["hostile"].text
    for shown in (
        "<script>alert(1)</script>",
        "\"'><img src=x onerror=alert(1)>",
        "{{ 7*7 }}{% raw %}",
        "photo⟨U+202E⟩gpj.py",
        "⟨0x80⟩⟨0xFF⟩.py",
        "(5,000 characters)",
    ):
        assert shown in text
    assert "javascript:alert(1)" in text
    assert not [target for target in PAGES["hostile"].attributes("href") if target.startswith("javascript")]
    assert len(HOSTILE[8]) == 5000
    assert HOSTILE[8] not in text


def test_a_realistic_page_is_small() -> None:
    source = SOURCES["sample"].encode()
    assert len(source) < 1_000_000
    assert len(gzip.compress(source, 9)) < 150_000


def test_a_large_page_is_small_too() -> None:
    report = sample_report()
    rows = [
        WitnessRow(
            system="onnx-mlir",
            path=f"src/dir{index % 40}/file{index}.cpp",
            language="cpp",
            ours=index,
            witness=1,
            cause="",
        )
        for index in range(3000)
    ]
    names = [f"vendor-{index}" for index in range(12)]
    systems = [*report.systems, *(replace(report.systems[1], id=name, name=name) for name in names)]
    identity = [*report.identity, *(replace(report.identity[1], system=name) for name in names)]
    more = [replace(item, id=f"{item.id}-{index}") for index in range(2) for item in report.denominators]
    source = render(replace(report, systems=systems, identity=identity, witness=rows, denominators=more)).encode()
    assert len(source) < 1_000_000
    assert len(gzip.compress(source, 9)) < 150_000
    assert "the 20 largest of 3,000 differences" in Page(source.decode()).text


def test_an_empty_report_says_so_in_each_section() -> None:
    text = PAGES["empty"].text
    for sentence in (
        "No claim is declared, so there is nothing to confirm.",
        "No denominator is declared",
        "No code was classified.",
        "No system is declared.",
        "No tree was read",
    ):
        assert sentence in text


def test_claims_show_wording_and_verdict() -> None:
    text = PAGES["sample"].text
    assert "roughly 7x paraphrase of IBM, as told by a summary; summary [11]" in text
    assert "“roughly 7x”" not in text, "a paraphrase is not a quotation"
    report = sample_report()
    claim = replace(report.claims[0], wording="verbatim")
    assert "“roughly 7x”" in Page(render(replace(report, claims=[claim]))).text


def test_anchors_are_stable_and_unique() -> None:
    anchor = Anchors()
    assert anchor("system", "torch-npu@full") == "system-torch-npu-full"
    assert anchor("system", "torch-npu full") == "system-torch-npu-full-2"
    assert anchor("system", "torch-npu@full") == "system-torch-npu-full"
    assert anchor("system", "表") == "system-x"


def test_the_claimed_figure_is_beside_the_counts() -> None:
    assert f"Are at least 7{TIMES}3 of 15" in PAGES["sample"].text


def test_back_ticks_become_code_and_stay_escaped() -> None:
    report = sample_report()
    note = replace(report.systems[-1], note="put `source: <x>` in place of `reported`, or a lone ` mark")
    source = render(replace(report, systems=[note]))
    assert "put `source: &lt;x&gt;` in place" in source, "an odd number of them is left alone"
    note = replace(note, note="put `source: <x>` there")
    assert "put <code>source: &lt;x&gt;</code> there." in render(replace(report, systems=[note]))


def test_long_lists_of_patterns_are_folded() -> None:
    report = sample_report()
    part = replace(report.systems[0].components[0], include=[f"src/{index}/**" for index in range(9)], exclude=["a/**"])
    source = render(replace(report, systems=[replace(report.systems[0], components=[part])]))
    assert "9 patterns, 1 taken away" in source
    assert "src/8/**" in source
