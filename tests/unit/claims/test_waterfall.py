"""From every tracked file to an amount: the steps by hand, and that they always add up."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.claims.select import Side, amount, side
from leverage.claims.waterfall import LESS, TOTAL, Step, waterfall
from leverage.evidence.build import Evidence, build
from leverage.evidence.facts import OutsideGroup
from leverage.model.amounts import Amount
from leverage.model.decisions import Purpose
from leverage.model.files import Disposition, State
from leverage.spec.types import Denominator
from tests.world import FILES, fact, facts, unknown, world

GENERATED = Disposition(State.EXCLUDED, "generated", "its head says so")


def steps(evidence: Evidence, denominator: Denominator, name: str = "port") -> list[Step]:
    chosen = side(evidence, name, denominator.boundary)
    assert isinstance(chosen, Side)
    size = amount(evidence, chosen, denominator)
    assert isinstance(size, Amount)
    return waterfall(evidence, chosen, denominator, size)


def crowded() -> Evidence:
    """The port with two files outside, a generated one and one that is missing."""
    whole = world()
    rows = [
        *(fact(*row) for row in FILES["port"]),
        fact("core/made.py", "python", 8, GENERATED),
        unknown("core/gone.py", size=30),
    ]
    stated = facts(whole.loaded, "port", rows, outside=[OutsideGroup("docs/", 2, 31, 1)])
    return build(whole.loaded, {**whole.facts, "port": stated}, {}, {})


def test_every_step_by_hand() -> None:
    # Five counted files of 60, 40, 10, 50 and 200 code lines, each with a comment and a blank line.
    found = steps(crowded(), Denominator(boundary="extension"), "port@narrow")
    assert [(one.kind, one.id, one.files, one.lines) for one in found] == [
        (TOTAL, "tracked", 9, 370 + 10 + 31),
        (LESS, "outside", 2, 31),
        (LESS, "excluded", 1, 10),
        (LESS, "unknown", 1, 0),
        (TOTAL, "counted", 5, 370),
        (LESS, "boundary", 2, 52 + 202),
        (LESS, "profile", 1, 42),
        (LESS, "purpose", 1, 12),
        (TOTAL, "selected", 1, 62),
        (LESS, "not-code", 0, 2),
        (TOTAL, "amount", 1, 60),
    ]
    words = {one.id: one.what for one in found}
    assert words["excluded"] == "excluded: generated 1"
    assert words["profile"] == "outside the profile narrow"
    assert words["purpose"] == "of another purpose than production"


def test_a_unit_that_is_no_kind_of_line_ends_with_the_files() -> None:
    found = steps(world(), Denominator(boundary="extension", unit="bytes"))
    assert (found[-1].id, found[-1].files, found[-1].lines) == ("selected", 2, 104)


def test_files_that_a_rule_does_not_know_fall_away_by_name() -> None:
    rows = [fact("core/a.py", "python", 60), fact("core/a.td", "tablegen", 30)]
    found = steps(world(files={"port": rows}), Denominator(boundary="extension", convention="tokei"))
    assert [(one.id, one.files, one.lines) for one in found[-4:]] == [
        ("selected", 2, 94),
        ("unsized", 1, 32),
        ("not-code", 0, 2),
        ("amount", 1, 60),
    ]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["core/{}.py", "core/other/{}.py", "rest/{}.cpp", "tests/{}.py", "core/{}.td"]),
            st.integers(0, 90),
            st.sampled_from([None, GENERATED]),
        ),
        max_size=8,
    ),
    st.integers(0, 3),
    st.sampled_from(["extension", "plugin", "all"]),
    st.sampled_from(["code", "nonblank", "physical", "bytes", "tokens", "files"]),
    st.sampled_from(["programming", "python", "cpp", "all"]),
)
def test_every_total_is_the_one_before_without_what_falls_away(
    rows: list[tuple[str, int, Disposition | None]], outside: int, boundary: str, unit: str, languages: str
) -> None:
    kinds = {"py": "python", "cpp": "cpp", "td": "tablegen"}
    listed = []
    for index, (pattern, code, state) in enumerate(rows):
        one = fact(pattern.format(index), kinds[pattern.rpartition(".")[2]], code)
        listed.append(one if state is None else replace(one, disposition=state))
    whole = world()
    groups = [OutsideGroup("docs/", outside, 7 * outside, 0)] if outside else []
    evidence = build(whole.loaded, {"port": facts(whole.loaded, "port", listed, outside=groups)}, {}, {})
    denominator = Denominator(
        boundary=boundary,
        purposes=(Purpose.PRODUCTION, Purpose.TEST),
        unit=unit,  # type: ignore[arg-type]
        convention="tokei" if unit == "code" else "leverage",
        languages=languages,  # type: ignore[arg-type]
    )
    files = lines = -1
    for step in steps(evidence, denominator):
        assert step.files >= 0
        assert step.lines >= 0
        if step.kind == TOTAL:
            assert (files, lines) in {(step.files, step.lines), (-1, -1)}
            files, lines = step.files, step.lines
        else:
            files, lines = files - step.files, lines - step.lines
