import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.report.display import name, prose
from leverage.report.format import TIMES
from leverage.report.markdown import LIMIT, SECTIONS, code, escaped, to_markdown
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.unit.report.sample import HOSTILE, empty_report, hostile_report, sample_report

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens(text: str) -> list[Token]:
    flat = []
    for token in PARSER.parse(text):
        flat += [token, *(token.children or [])]
    return flat


def shown(text: str) -> str:
    return "".join(token.content for token in tokens(text) if token.type in {"text", "code_inline", "text_special"})


@pytest.mark.parametrize(
    "report", [sample_report(), hostile_report(), empty_report()], ids=["sample", "hostile", "empty"]
)
def test_a_report_has_no_html_no_image_and_only_forge_links(report: object) -> None:
    text = to_markdown(report)  # type: ignore[arg-type]
    found = tokens(text)
    assert not [token for token in found if token.type in {"html_inline", "html_block", "image", "fence", "code_block"}]
    links = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    assert all(link.startswith("https://forge.example/") for link in links)
    assert [token.tag for token in found if token.type == "heading_open"].count("h1") == 1
    assert len(text.encode("utf-8")) < LIMIT


def test_it_says_what_matters() -> None:
    text = shown(to_markdown(sample_report()))
    assert sample_report().verdict.sentence in text
    for words in ("cannot be checked", f"7.4{TIMES}", "68,200", "13,129", "82,713 to 101,093", "e1abccf7033e", "3,754"):
        assert words in text
    assert [title for title, _ in SECTIONS][:5] == [
        "Ratio under each denominator",
        "What moves it",
        "Every denominator",
        "What would have to be true",
        "Stage by stage",
    ]


def test_tables_keep_their_columns_whatever_the_names() -> None:
    for row in PARSER.parse(to_markdown(hostile_report())):
        assert row.type != "html_block"
    tables: list[list[int]] = []
    for token in PARSER.parse(to_markdown(hostile_report())):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append(0)
        elif token.type in {"th_open", "td_open"}:
            tables[-1][-1] += 1
    assert len(tables) > 5
    assert all(len(set(widths)) == 1 for widths in tables)


@given(st.text(st.characters(codec=None), max_size=80))
def test_escaped_text_shows_itself_in_a_line_a_list_and_a_table(text: str) -> None:
    plain = prose(text)
    for document in (f"x {escaped(text)}", f"- {escaped(text)}", f"| a |\n|---|\n| {escaped(text)} |"):
        found = tokens(document)
        assert not [
            token
            for token in found
            if token.type
            in {
                "html_inline",
                "html_block",
                "link_open",
                "image",
                "em_open",
                "strong_open",
                "heading_open",
                "code_inline",
                "hr",
                "ordered_list_open",
                "blockquote_open",
                "fence",
                "code_block",
            }
        ]
        assert [token.type for token in found].count("bullet_list_open") == document.startswith("- ")
        if plain:
            assert shown(document).replace("\u2060", "").endswith(plain)


@given(st.text(st.characters(codec=None), min_size=1, max_size=80))
def test_code_spans_hold_exactly_the_name(text: str) -> None:
    found = tokens(f"| a |\n|---|\n| {code(text)} |")
    spans = [token.content for token in found if token.type == "code_inline"]
    assert [span.strip() for span in spans] == [name(text).strip()] if name(text).strip() else True


def test_nobody_is_called() -> None:
    assert "@someone" not in escaped("hello @someone")
    assert "torch-npu@full" in escaped("torch-npu@full")


def test_starts_that_would_open_a_block_are_escaped() -> None:
    for text in ("# a", "- a", "+ a", "1. a", "1) a", "> a", "---", "=== a", "* a"):
        found = tokens(f"- {escaped(text)}")
        assert [token.type for token in found].count("list_item_open") == 1
        assert shown(f"- {escaped(text)}") == text
    assert escaped("5.2") == "5.2"


def test_a_section_that_does_not_fit_is_named() -> None:
    text = to_markdown(sample_report(), limit=4000)
    assert len(text.encode()) < 4000
    left_out = re.search(r"Left out here for size, see `index.html`: (.*)\.", text)
    assert left_out
    assert "Ratio under each denominator" in left_out[1]


def test_long_tables_say_what_is_missing() -> None:
    report = sample_report()
    many = [replace(item, id=f"{item.id}-{index}") for index in range(5) for item in report.denominators]
    text = to_markdown(replace(report, denominators=many))
    assert "and 60 more, see `index.html`" in text
    assert len(text.encode()) < LIMIT


def test_hostile_names_are_shown_as_text() -> None:
    text = shown(to_markdown(hostile_report()))
    assert HOSTILE[0] in text
    assert "photo⟨U+202E⟩gpj.py" in text
