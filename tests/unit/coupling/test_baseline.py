from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.coupling.baseline import Baseline, baseline_text, key_of, news, parse_baseline
from leverage.model.errors import ConfigurationError
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint, Unresolved

ONE = Touchpoint(
    "a.py", 3, 0, TouchKind.MONKEY_PATCH, "assignment", "up.f", False, Scope.GLOBAL, "import", Certainty.CERTAIN
)
LEFT = Unresolved("a.py", 5, TouchKind.MONKEY_PATCH, "x.y", "the name is computed")


def test_a_touchpoint_that_moved_is_no_news() -> None:
    known = Baseline.of([ONE], [LEFT])
    found = news(known, [replace(ONE, line=90, column=4)], [replace(LEFT, line=1)])
    assert (found.touchpoints, found.unresolved, found.accepted, found.gone) == ((), (), 2, 0)


@pytest.mark.parametrize(
    "moved",
    [
        replace(ONE, path="other"),
        replace(ONE, form="other"),
        replace(ONE, symbol="other"),
        replace(ONE, within="other"),
        replace(ONE, kind=TouchKind.IMPORT),
    ],
)
def test_another_place_form_or_symbol_is_news(moved: Touchpoint) -> None:
    found = news(Baseline.of([ONE], []), [moved], [])
    assert (found.touchpoints, found.accepted, found.gone) == ((moved,), 0, 1)


def test_one_more_of_the_same_is_news() -> None:
    rows = [ONE, replace(ONE, line=8), replace(ONE, line=9)]
    found = news(Baseline.of(rows[:2], []), rows, [])
    assert (found.touchpoints, found.accepted, found.gone) == ((rows[2],), 2, 0)


def test_what_could_not_be_resolved_can_be_accepted_as_well() -> None:
    other = replace(LEFT, text="z.y")
    found = news(Baseline.of([], [LEFT]), [], [LEFT, other])
    assert (found.unresolved, found.accepted) == ((other,), 1)


def test_the_file_has_one_entry_a_line_in_order() -> None:
    text = baseline_text(Baseline.of([replace(ONE, path="b.py"), ONE, replace(ONE, line=7)], []))
    assert text == (
        '{"format":1,"accepted":[\n'
        '{"path": "a.py", "kind": "monkey_patch", "form": "assignment", "symbol": "up.f", "within": "", "count": 2},\n'
        '{"path": "b.py", "kind": "monkey_patch", "form": "assignment", "symbol": "up.f", "within": "", "count": 1}\n'
        "]}\n"
    )


@given(st.dictionaries(st.tuples(*[st.text(max_size=8)] * 5), st.integers(1, 9), max_size=5))
def test_what_is_written_is_read_back(accepted: dict[tuple[str, str, str, str, str], int]) -> None:
    baseline = Baseline(Counter(accepted))
    assert parse_baseline(baseline_text(baseline).encode(), "b.json") == baseline


@given(st.lists(st.sampled_from([ONE, replace(ONE, path="b.py"), replace(ONE, line=4)])))
def test_accepted_and_new_are_everything(rows: list[Touchpoint]) -> None:
    found = news(Baseline.of([ONE], []), rows, [])
    assert found.accepted + len(found.touchpoints) == len(rows)
    assert news(Baseline.of(rows, []), rows, []).touchpoints == ()
    assert Counter(map(key_of, rows)) == Baseline.of(rows, []).accepted


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"format":2,"accepted":[]}',
        b'{"format":1}',
        b'{"format":1,"accepted":[1]}',
        b'{"format":1,"accepted":[{"path":"a"}]}',
        b'{"format":1,"accepted":[{"path":"a","kind":"k","form":"f","symbol":"s","within":"","count":0}]}',
        b'{"format":1,"accepted":[{"path":"a","kind":"k","form":"f","symbol":"s","within":"","count":true}]}',
        b'{"format":1,"accepted":[{"path":"a","kind":"k","form":"f","symbol":7,"within":"","count":1}]}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_a_file_that_is_no_baseline_is_refused_with_what_to_do(data: bytes) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_baseline(data, "b.json")
    assert str(caught.value).startswith("b.json: this is no baseline of touchpoints:")
    assert "--write-baseline" in str(caught.value)
