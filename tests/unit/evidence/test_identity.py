import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.evidence.facts import OutsideGroup, SystemFacts
from leverage.evidence.identity import identity
from leverage.model.files import Disposition, FileFacts, SourceFile, State
from leverage.model.lines import LineCounts
from leverage.spec.load import parse_spec
from tests.world import SPEC, fact, facts, unknown

LOADED = parse_spec(SPEC.encode(), "repos.yaml")
GENERATED = Disposition(State.EXCLUDED, "generated", "marker in line 1")


def test_accounts_by_state_reason_and_rule_worked_out_by_hand() -> None:
    rows = [
        fact("core/a.py", "python", 3),
        fact("core/b.py", "python", 5),
        fact("core/g.py", "python", 100, GENERATED),
        unknown("core/gone", size=10),
        unknown("core/odd", physical=4),
    ]
    found = identity(facts(LOADED, "port", rows, outside=[OutsideGroup("docs/", 2, 30, 1)]))
    told = [(one.state.value, one.reason, one.files, one.lines, one.unread) for one in found.accounts]
    assert sorted(told) == [
        ("counted", "counted", 2, 12, 0),
        ("excluded", "generated", 1, 102, 0),
        ("excluded", "outside-components", 2, 30, 1),
        ("unknown", "object-missing", 2, 4, 1),
    ]
    assert (found.tracked_files, found.tracked_lines) == (7, 148)
    assert found.total(State.EXCLUDED) == (3, 132)


def test_a_file_that_a_step_lost_stops_the_report() -> None:
    whole = facts(LOADED, "port", [fact("core/a.py", "python", 3), fact("core/b.py", "python", 3)])
    lost = SystemFacts(whole.system, whole.provenance, whole.scope, whole.tracked, whole.files[:1], whole.outside)
    with pytest.raises(AssertionError, match="2 tracked files are not the sum"):
        identity(lost)


def test_classes_that_do_not_add_up_to_the_lines_of_a_file_stop_the_report() -> None:
    wrong = FileFacts(
        SourceFile("core/a.py", "0" * 40, 10),
        fact("x", "python", 1).disposition,
        "python",
        "",
        5,
        5,
        LineCounts(code=4),
    )
    with pytest.raises(AssertionError, match="do not add up"):
        identity(facts(LOADED, "port", [wrong]))


states = st.sampled_from(list(State))


@given(
    st.lists(st.tuples(states, st.integers(-1, 50), st.sampled_from(["a", "b"])), max_size=20),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), max_size=4),
)
def test_tracked_is_counted_and_excluded_and_unknown(
    rows: list[tuple[State, int, str]], groups: list[tuple[int, int]]
) -> None:
    files = [
        FileFacts(SourceFile(f"core/{at}", "", -1), Disposition(state, reason, reason), "", "", lines, lines)
        for at, (state, lines, reason) in enumerate(rows)
    ]
    outside = [OutsideGroup(f"{at}/", count, lines, 0) for at, (count, lines) in enumerate(groups)]
    found = identity(facts(LOADED, "port", files, outside=outside))
    totals = [found.total(state) for state in State]
    assert sum(count for count, _ in totals) == found.tracked_files == len(rows) + sum(count for count, _ in groups)
    assert sum(lines for _, lines in totals) == found.tracked_lines
