from dataclasses import replace

from leverage.report import findings, lookup
from leverage.report.format import TIMES
from leverage.report.view import ReportV1, RequiredView
from tests.unit.report.sample import empty_report, sample_report


def every_finding(report: ReportV1) -> list[str]:
    return [
        findings.ratio_finding(report),
        findings.required_finding(report),
        findings.stages_finding(report),
        findings.code_finding(report),
        findings.provenance_finding(report),
        findings.identity_finding(report),
        findings.witness_finding(report),
        findings.claims_finding(report),
        findings.transfer_finding(report),
        findings.budgets_finding(report),
    ]


SAMPLE = f"""
Public stand-ins for sendnn measure 0.27{TIMES} to 7.4{TIMES} the size of torch-spyre over 6 denominators;
of 15 comparable pairs, 5 are about 7{TIMES} and 3 are at least 7{TIMES}.

For torch-spyre to be about 7{TIMES} smaller, sendnn would need 82,713 to 101,093 code lines under the headline
denominator; 2 of 3 public stand-ins have such a size.

The largest stages of torch-spyre are Scratchpad (16.8 %), Layout (14.4 %) and Work division (13.2 %);
no rule reached 1.8 % of its 13,129 lines.

6 systems with 10 components were counted; sendnn could not be.

Of 7 systems, 5 measured here, 1 read from recorded evidence and 1 only reported.

Each of 10,331 tracked files is counted, excluded for a reason, or unknown; 7 files could not be judged.

The independent witness disagrees beyond the threshold on 2 files.

Of 3 claims, 1 cannot be checked, 1 does not hold and 1 holds only under named readings.

Of 2 conditions for torch-spyre, 1 is met in part and 1 is not measured yet.

Of 3 budgets, 1 cannot be checked, 1 is exceeded and 1 holds.
"""


def test_findings_of_the_sample() -> None:
    assert every_finding(sample_report()) == [" ".join(part.split()) for part in SAMPLE.split("\n\n")]


def test_nothing_is_said_of_nothing() -> None:
    assert every_finding(empty_report()) == [
        "No denominator is declared, so there is no ratio.",
        "No figure is reported for a system without bytes, so no size is required.",
        "No code was classified.",
        "No system is declared.",
        "There is no source.",
        "No tree was read, so there is nothing to account for.",
        "Nothing was counted, so there is nothing to compare with the independent witness.",
        "No claim is declared.",
        "No port is declared.",
        "No budget is declared.",
    ]


def test_no_comparable_pair_is_said() -> None:
    report = sample_report()
    verdict = replace(report.verdict, comparable=0, pairs=18)
    assert findings.ratio_finding(replace(report, verdict=verdict)) == (
        "None of 18 pairs can be compared, so there is no ratio."
    )


def test_everything_classified_is_said_without_a_zero() -> None:
    report = sample_report()
    stages = replace(report.stages, undetermined=dict.fromkeys(report.stages.undetermined, 0))
    assert findings.stages_finding(replace(report, stages=stages)).endswith("; rules reached all of its 13,129 lines.")


def test_required_sizes_are_placed_on_exact_integers() -> None:
    apart = "not comparable"
    item = next(one for one in sample_report().denominators if any(pair.status == apart for pair in one.pairs))
    like = next(pair.left for pair in item.pairs if pair.status == "ratio")
    unlike = next(pair.left for pair in item.pairs if pair.status == "not comparable")
    about = RequiredView(figure="7", reading="about", low=10, high=20, text="10 to 20 lines")
    told = [findings.position(item, about, like, value) for value in (9, 10, 20, 21)]
    assert told == ["below", "inside", "inside", "above"]
    assert findings.position(item, about, unlike, 15) == "inside, other height"
    at_least = replace(about, high=None)
    assert [findings.position(item, at_least, like, value) for value in (9, 10, 10**9)] == ["below", "inside", "inside"]
    assert findings.span_text(at_least) == "at least 10"


def test_the_account_checks_files_and_lines() -> None:
    item = sample_report().identity[0]
    assert findings.adds_up(item)
    assert not findings.adds_up(replace(item, unknown_lines=1))
    assert not findings.adds_up(replace(item, unknown_files=1))


def test_the_claimed_figure_is_found() -> None:
    report = sample_report()
    assert str(lookup.claimed_figure(replace(report, claimed="about 6.5x"))) == "13/2"
    assert lookup.claimed_figure(replace(report, claimed="")) is None


def test_sizes_of_different_dimension_do_not_share_an_axis() -> None:
    assert {lookup.dimension(unit) for unit in ("code", "physical", "nonblank")} == {"lines"}
    assert lookup.dimension("bytes") == "bytes"


def test_missing_systems_are_unknown() -> None:
    assert lookup.by_origin(sample_report(), ["torch-npu@full", "nowhere", "torch-npu"]) == [
        ("recorded", ["torch-npu"]),
        ("unknown", ["nowhere"]),
    ]


def test_lists_read_like_lists() -> None:
    assert [findings.listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
