from fractions import Fraction

import pytest
from leverage.claims.budgets import check_budgets, undetermined_share
from leverage.claims.ratios import grid
from leverage.claims.verdict import judge, verdict_of
from leverage.model.verdicts import Verdict
from leverage.report.strip import verdict_strip
from tests.unit.claims.test_coupling import coupled
from tests.world import SPEC, fact, unknown, world


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ({}, Verdict.NOT_COMPARABLE),
        ({"a": "yes", "b": "yes"}, Verdict.HOLDS),
        ({"a": "yes", "b": "no"}, Verdict.HOLDS_ONLY_UNDER),
        ({"a": "yes", "b": "in doubt"}, Verdict.HOLDS_ONLY_UNDER),
        ({"a": "no", "b": "no"}, Verdict.DOES_NOT_HOLD),
        ({"a": "no", "b": "in doubt"}, Verdict.CANNOT_BE_CHECKED),
    ],
)
def test_verdict_from_outcomes(outcomes: dict[str, str], expected: Verdict) -> None:
    verdict, why = verdict_of(outcomes)
    assert verdict is expected
    if expected is Verdict.HOLDS_ONLY_UNDER:
        assert "a" in why.split(": ")[1]


def test_a_claim_about_a_closed_system_cannot_be_checked_and_says_what_is_missing() -> None:
    (one,) = judge(world())
    assert one.verdict is Verdict.CANNOT_BE_CHECKED
    assert "no evidence for it" in one.outcome.because
    assert one.outcome.would_change.startswith("its source")
    assert one.holds is None


def test_an_expected_verdict_is_what_holding_means() -> None:
    (one,) = judge(world(SPEC + "    expect: cannot be checked\n"))
    assert (one.as_expected, one.holds) == (True, True)
    (other,) = judge(world(SPEC + "    expect: holds\n"))
    assert (other.as_expected, other.holds) == (False, False)


def test_a_measured_baseline_is_judged_by_each_reading() -> None:
    spec = SPEC.replace("ratio_of: [closed, port]", "ratio_of: [like, port]")
    (one,) = judge(world(spec))
    # 690:100 code, 694:104 physical, 6940:1040 bytes, 2:2 files, 690:110 with build, 720:150 plugin; `tested` is not
    # declared by the larger side. Of the six, 6.9, 6.67 (twice) lie within 6.3 to 7.7; none is at least 7.
    assert one.outcome.by_reading == {"about": Verdict.HOLDS_ONLY_UNDER, "at_least": Verdict.DOES_NOT_HOLD}
    assert one.verdict is Verdict.HOLDS_ONLY_UNDER
    assert "3 of 6 comparable denominators reach it: code, physical, bytes" in one.outcome.because
    assert "none of 6 comparable denominators reaches it" in one.outcome.because


def test_stand_ins_are_counted_apart_from_the_claim() -> None:
    strip = verdict_strip(world(), judge(world()), grid(world()), Fraction(7))
    assert (strip.comparable, strip.pairs) == (6, 14)
    assert strip.reaching == {"about": 3, "at_least": 0}


BUDGETS = """\
budgets:
  - {measure: port.core.code, at_most: 100}
  - {measure: port.core.code, at_most: 99}
  - {measure: port.tests.physical, at_most: 202}
  - {measure: port.undetermined_share, at_most: "0.05"}
  - {measure: undetermined_share, at_most: 1}
"""


def test_budgets_hold_up_to_their_limit() -> None:
    assert [one.holds for one in check_budgets(world(SPEC + BUDGETS))] == [True, False, True, False, True]


def test_a_budget_over_missing_facts_is_unchecked_not_kept() -> None:
    results = check_budgets(world(SPEC + BUDGETS, gaps={"port": "gone"}))
    assert [one.holds for one in results] == [None, None, None, None, None]
    assert results[0].why == "port: gone"


def test_without_rules_everything_is_undetermined() -> None:
    assert undetermined_share(world(), ["port"], "leverage") == 1
    assert undetermined_share(world(), [], "leverage") is None


def test_a_budget_that_files_of_unknown_size_may_exceed_is_in_doubt() -> None:
    rows = [fact("core/a.py", "python", 60), unknown("core/x", physical=20, size=200)]
    spec = (
        SPEC
        + "budgets:\n"
        + "".join(f"  - {{measure: port.core.code, at_most: {limit}}}\n" for limit in (59, 60, 79, 80))
    )
    found = check_budgets(world(spec, files={"port": rows}))
    assert [one.holds for one in found] == [False, None, None, True]
    assert found[1].why == "60 code lines are sure, and 1 file of a size that is not known can make it 80"


@pytest.mark.parametrize(
    ("measure", "limit", "holds", "actual"),
    [
        ("touchpoints", 4, True, 4),
        ("private_touchpoints", 3, True, 3),
        ("private_touchpoints", 2, False, 3),
        ("monkey_patches", 1, False, 2),
    ],
)
def test_a_budget_on_touchpoints(measure: str, limit: int, holds: bool, actual: int) -> None:  # noqa: FBT001 - a table
    spec = SPEC + f"budgets:\n  - {{measure: port.{measure}, at_most: {limit}}}\n"
    (one,) = check_budgets(coupled(spec))
    assert (one.holds, one.actual) == (holds, Fraction(actual))
    assert one.why == "1 further place could not be resolved"
    (unknown,) = check_budgets(world(spec))
    assert (unknown.holds, unknown.actual) == (None, None)
    assert unknown.why.startswith("the record of port holds none")
