"""The claims ledger and the conditions of transfer, on the page and in Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from leverage.model.verdicts import Verdict
from leverage.report.html import to_html
from leverage.report.markdown import to_markdown
from tests.unit.report.sample import empty_report, hostile_report, sample_report, sample_tables

if TYPE_CHECKING:
    from leverage.report.view import ReportV1

COMMIT = "e1abccf7033e1a8e399b971b8cb6e25e66d47708"


def page(report: ReportV1) -> str:
    return to_html(report, sample_tables(), []).split('<script type="application/json"', maxsplit=1)[0]


def section(source: str, name: str) -> str:
    found = re.search(rf'<section id="{name}".*?</section>', source, re.DOTALL)
    assert found
    return found[0]


SAMPLE = page(sample_report())
CLAIMS, TRANSFER = section(SAMPLE, "claims"), section(SAMPLE, "transfer")


def text(source: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", source).split())


def test_one_row_a_claim_with_verdict_reason_test_and_change() -> None:
    rows = re.findall(r'<article class="claim is-([a-z-]+)" id="claim-([a-z-]+)">(.*?)</article>', CLAIMS, re.DOTALL)
    report = sample_report()
    assert [row[1] for row in rows] == [claim.id for claim in report.claims]
    for (tone, _, row), claim in zip(rows, report.claims, strict=True):
        assert tone == claim.verdict.replace(" ", "-")
        shown = text(row)
        for words in (claim.text, claim.verdict, claim.because, claim.would_change, "unknown"):
            assert words in shown
        assert "(our expression)" in shown


def test_the_filter_needs_no_script_and_knows_every_verdict() -> None:
    style = files("leverage.report").joinpath("templates", "style.css").read_text()
    for verdict in Verdict:
        slug = verdict.value.replace(" ", "-")
        assert f"#claims:has(#show-{slug}:checked) .claim:not(.is-{slug},:target)" in style
    ids = re.findall(r'<input type="radio" name="claims" id="show-([a-z-]+)"( checked)?>', CLAIMS)
    assert ids == [("all", " checked"), ("holds-only-under", ""), ("does-not-hold", ""), ("cannot-be-checked", "")]
    assert "all 3" in text(CLAIMS)
    assert "cannot be checked 1" in text(CLAIMS)


def test_evidence_leads_to_its_line_at_the_pin() -> None:
    assert f"https://forge.example/sample/torch-spyre/tree/{COMMIT}/torch_spyre/_inductor/config.py#L43" in CLAIMS
    shown = text(CLAIMS)
    assert "cores : 32 default of CORES number of cores torch-spyre torch_spyre/_inductor/config.py:43" in shown
    assert "torch-2.11 torch/_inductor/scheduler.py:9 and 2 more" in shown, "a wheel has no address to link to"
    assert "planned : unknown planned is not assigned in the module" in shown


def test_readings_have_their_verdicts() -> None:
    shown = text(CLAIMS)
    assert "✓ holds whole ✕ does not hold default" in shown
    assert "? cannot be checked within 10 % of the figure ? cannot be checked not smaller than the figure" in shown


def test_a_test_that_does_not_exist_is_not_called_ours() -> None:
    report = sample_report()
    claim = replace(report.claims[0], kind="awaits", expression="none yet")
    assert "our expression" not in section(page(replace(report, claims=[claim])), "claims")


def test_words_are_quoted_only_where_they_are_at_hand() -> None:
    assert "“Everything fits on the chip.”" in CLAIMS
    assert "“roughly" not in CLAIMS


def test_conditions_stand_by_port_with_answer_and_finding() -> None:
    assert re.findall(r'data-label="([^"]*)"', TRANSFER) == ["torch-spyre", "torch-npu@default"] * 2
    shown = text(TRANSFER)
    assert "Is it public? torch-spyre ◐ partly DeepTools (closed), scheduler (19,000 code lines)" in shown
    assert "… not measured yet" in shown
    assert "Of 2 conditions for torch-spyre, 1 is met in part and 1 is not measured yet." in shown


def test_nothing_declared_is_said_and_hostile_text_stays_text() -> None:
    empty = page(empty_report())
    assert "No claim is declared." in section(empty, "claims")
    assert "<input" not in section(empty, "claims")
    assert "No port is declared." in section(empty, "transfer")
    hostile = page(hostile_report())
    for name in ("claims", "transfer"):
        found = section(hostile, name)
        assert "<img" not in found
        assert "<script" not in found
        assert 'href="javascript' not in found


def test_markdown_has_the_ledger_and_the_table() -> None:
    shown = to_markdown(sample_report())
    row = next(line for line in shown.splitlines() if line.startswith("| `on-chip` |"))
    assert "“Everything fits on the chip.”" in row
    assert "`cores` 32, default of CORES [`torch_spyre/_inductor/config.py:43`](https://forge.example/" in row
    assert row.count(" | ") == 7
    assert "## Would it transfer?" in shown
    assert "**partly**: DeepTools (closed), scheduler (19,000 code lines)" in shown
