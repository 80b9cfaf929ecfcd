"""Sentences and cells of the section on leverage and coupling, for what is known and for what is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from leverage.report import couplingtext, lookup
from leverage.report.format import TIMES
from leverage.report.html import MOST_PATCHES, to_html
from leverage.report.markdown import to_markdown
from tests.unit.report.sample import empty_report, sample_report
from tests.unit.report.sample_coupling import patch, sample_coupling, sample_leverage


def section(source: str) -> str:
    found = re.search(r'<section id="coupling".*?</section>', source, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[0]))


def test_the_finding_is_about_the_port_of_the_comparison_and_has_both_numbers() -> None:
    report = sample_report()
    assert couplingtext.coupling_finding(report) == (
        "torch-spyre touches its substrate in 97 places, 4 of them monkey patches; "
        f"while 2 models compiled, 22,400 lines of it ran for 3,160 own ones (7{TIMES})."
    )
    assert couplingtext.coupling_finding(replace(report, leverage=[])) == (
        "torch-spyre touches its substrate in 97 places, 4 of them monkey patches."
    )
    unknown = replace(report.coupling[0], why="no record")
    assert "is not known" in couplingtext.coupling_finding(replace(report, coupling=[unknown]))
    assert couplingtext.coupling_finding(empty_report()) == "No port is declared, so nothing is coupled."


def test_what_is_not_known_is_said_and_never_a_zero() -> None:
    spyre, npu, musa = sample_coupling()
    assert [lookup.copied(one) for one in (spyre, npu, musa)] == [16, None, None]
    assert "of which that is not known" in couplingtext.touched_text(spyre)
    assert "1 further place could not be resolved" in couplingtext.touched_text(spyre)
    assert "source of its substrate was not at hand" in couplingtext.touched_text(npu)
    text = section(to_html(sample_report(), [], []))
    assert "Not known: the record of torch-musa holds none." in text
    assert text.count("unknown") >= 4  # copied and own of two ports
    assert "40 of them ran in functions that stand in the substrate" in text
    assert "| code lines copied | 16 of 13,129 | unknown |" in to_markdown(sample_report())


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"effect": "patch", "wraps": "yes", "restored": True}, "wraps, for the whole process, put back"),
        ({"effect": "patch", "wraps": "no", "guarded": True}, "replaces, for the whole process, only under conditions"),
        ({"effect": "patch", "wraps": "", "scope": "instance"}, "replaces, on one object"),
        ({"effect": "add", "wraps": "yes"}, "adds, for the whole process"),
        ({"effect": "unknown", "wraps": "no", "scope": "instance"}, "binds, on one object"),
        ({"effect": "", "wraps": ""}, "binds, for the whole process"),
    ],
)
def test_what_a_patch_does_in_words(stated: dict[str, object], words: str) -> None:
    assert couplingtext.patch_text(patch("torch.f", 1, **{"restored": False, **stated})) == words


def test_long_lists_are_cut_and_say_so_and_the_data_beside_the_page_has_all() -> None:
    report = sample_report()
    many = [patch(f"torch.x{at}", at + 1) for at in range(MOST_PATCHES + 5)]
    whole = replace(report, coupling=[replace(one, patches=many) for one in report.coupling[:2]])
    text = section(to_html(whole, [], []))
    assert f"{len(many)} monkey patches, the first {MOST_PATCHES}" in text
    assert f"{len(many)} monkey patches, the first {MOST_PATCHES // 3}" in text
    assert text.count("torch.x0 ") == 2
    assert f"torch.x{MOST_PATCHES}" not in text


def test_stages_are_named_and_ordered_by_what_ran() -> None:
    (one,) = sample_leverage()
    assert couplingtext.stage_runs(sample_report(), one) == [
        ("Code generation", 2000),
        ("Layout", 900),
        ("undetermined", 300),
    ]
    assert couplingtext.environment_text(one) == "torch 2.13.0+cpu, Python 3.11.7"
    assert couplingtext.environment_text(replace(one, versions={}, environment={})) == "versions not stated"
