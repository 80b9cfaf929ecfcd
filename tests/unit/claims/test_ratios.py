from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.claims.ratios import Pair, grid, pair, pairs, reaches, required
from leverage.claims.select import Gap, Selection, Side, amount, side
from leverage.evidence.build import Evidence, build
from leverage.measure.extents import Extent
from leverage.model.amounts import Amount, Ratio, Unit
from leverage.model.files import FileFacts
from leverage.spec.types import Denominator
from tests.world import FILES, SPEC, fact, unknown, world


def sides(name: str, boundary: str = "extension") -> Side:
    found = side(world(), name, boundary)
    assert isinstance(found, Side)
    return found


def size(evidence: Evidence, name: str, denominator: str) -> Amount:
    chosen = evidence.loaded.spec.denominators[denominator]
    where = side(evidence, name, chosen.boundary)
    assert isinstance(where, Side)
    found = amount(evidence, where, chosen)
    assert isinstance(found, Amount), found
    return found


@pytest.mark.parametrize(
    ("denominator", "expected"),
    [
        ("code", 60 + 40),
        ("physical", 62 + 42),
        ("bytes", 620 + 420),
        ("files", 2),
        ("built", 60 + 40 + 10),
        ("plugin", 60 + 40 + 50),
        ("tested", 60 + 40 + 50 + 200),
    ],
)
def test_amounts_of_the_port_worked_out_by_hand(denominator: str, expected: int) -> None:
    found = size(world(), "port", denominator)
    assert (found.value, found.low, found.high) == (expected, expected, expected)


def test_a_profile_narrows_a_side() -> None:
    assert size(world(), "port@narrow", "code").value == 60


def test_a_ratio_keeps_both_integers() -> None:
    one = pair(world(), world().loaded.spec.denominators["code"], "like", "port", "closed")
    assert one.status == "ratio"
    assert one.ratio is not None
    assert (one.ratio.numerator.value, one.ratio.denominator.value) == (690, 100)
    assert one.ratio.value == Fraction(69, 10)


def test_sides_of_other_height_are_not_comparable_and_both_heights_are_named() -> None:
    one = pair(world(), world().loaded.spec.denominators["code"], "tall", "port")
    assert one.status == "not comparable"
    assert "graph to binary" in one.why
    assert "graph to tile_ir" in one.why


def test_an_undeclared_boundary_is_not_comparable() -> None:
    one = pair(world(), world().loaded.spec.denominators["tested"], "like", "port")
    assert one.status == "not comparable"
    assert "declares no boundary 'all'" in one.why


def test_a_closed_side_is_unknown_never_zero() -> None:
    one = pair(world(), world().loaded.spec.denominators["code"], "closed", "port")
    assert one.status == "unknown"
    assert isinstance(one.numerator, Gap)
    assert "closed" in one.why


def test_a_system_without_facts_is_unknown_with_its_reason() -> None:
    evidence = world(gaps={"like": "the forge did not answer"})
    one = pair(evidence, evidence.loaded.spec.denominators["code"], "like", "port")
    assert (one.status, one.why) == ("unknown", "like: the forge did not answer")


def test_unknown_files_widen_the_interval_upward() -> None:
    rows = [fact(*row) for row in FILES["port"]]
    evidence = world(files={"port": [*rows, unknown("core/x", physical=30), unknown("core/y", size=7)]})
    found = size(evidence, "port", "code")
    assert (found.low, found.value, found.high) == (100, 100, 137)


def test_a_file_of_unknown_size_leaves_no_amount() -> None:
    rows = [fact(*row) for row in FILES["port"]]
    evidence = world(files={"port": [*rows, unknown("core/x")]})
    found = amount(evidence, sides("port"), evidence.loaded.spec.denominators["code"])
    assert isinstance(found, Gap)
    assert "size of 1 file is unknown" in found.why


def test_the_grid_has_every_left_side_under_every_denominator() -> None:
    rows = grid(world())
    assert list(rows) == ["code", "physical", "bytes", "files", "built", "plugin", "tested"]
    assert [one.left_name for one in rows["code"]] == ["closed", "like", "tall"]


def test_the_order_of_files_and_systems_changes_no_amount() -> None:
    turned = {name: [fact(*row) for row in reversed(rows)] for name, rows in reversed(FILES.items())}
    assert size(world(files=turned), "port", "tested") == size(world(), "port", "tested")


@given(st.sets(st.sampled_from([row[0] for row in FILES["port"]])))
def test_leaving_files_out_never_raises_an_amount(left_out: set[str]) -> None:
    whole = world()
    less = world(files={"port": [fact(*row) for row in FILES["port"] if row[0] not in left_out]})
    for denominator in ("code", "physical", "bytes", "files", "tested"):
        assert size(less, "port", denominator).value <= size(whole, "port", denominator).value


def ratio(low: int, value: int, high: int, over: int = 100) -> Ratio:
    return Ratio(Amount(value, Unit.CODE, "c", "s", low, high), Amount(over, Unit.CODE, "c", "s"))


@pytest.mark.parametrize(
    ("interval", "reading", "expected"),
    [
        ((700, 700, 700), "at_least", "yes"),
        ((699, 699, 699), "at_least", "no"),
        ((699, 699, 700), "at_least", "in doubt"),
        ((650, 710, 720), "at_least", "in doubt"),
        ((630, 700, 770), "about", "yes"),
        ((629, 700, 770), "about", "in doubt"),
        ((771, 771, 771), "about", "no"),
        ((500, 500, 629), "about", "no"),
        ((500, 500, 900), "about", "in doubt"),
    ],
)
def test_whether_an_interval_reaches_seven(interval: tuple[int, int, int], reading: str, expected: str) -> None:
    assert reaches(ratio(*interval), Fraction(7), reading) == expected


def test_required_sizes_are_whole_and_lie_inside_the_reading() -> None:
    port = Amount(101, Unit.CODE, "c", "s")
    assert required(port, Fraction(7), "at_least") == (707, None)
    low, high = required(port, Fraction(7), "about")
    assert (low, high) == (637, 777)
    assert reaches(Ratio(Amount(low, Unit.CODE, "c", "s"), port), Fraction(7), "about") == "yes"
    assert reaches(Ratio(Amount(low - 1, Unit.CODE, "c", "s"), port), Fraction(7), "about") == "no"
    assert high is not None
    assert reaches(Ratio(Amount(high + 1, Unit.CODE, "c", "s"), port), Fraction(7), "about") == "no"


def test_without_a_comparison_there_are_no_pairs() -> None:
    spec = SPEC.replace("compare: {left: closed, right: port, headline: code}\n", "")
    assert grid(world(spec))["code"] == []


def sized(denominator: Denominator, name: str = "port", files: dict[str, list[FileFacts]] | None = None) -> Amount:
    evidence = world(files=files)
    chosen = side(evidence, name, denominator.boundary)
    assert isinstance(chosen, Side)
    found = amount(evidence, chosen, denominator)
    assert isinstance(found, Amount)
    return found


def test_a_rule_that_does_not_know_a_language_widens_by_physical_lines() -> None:
    rows = [fact("core/a.py", "python", 60), fact("core/a.td", "tablegen", 30), fact("core/b.td", "tablegen", 4)]
    found = sized(Denominator(boundary="extension", convention="tokei"), files={"port": rows})
    assert (found.value, found.low, found.high, found.unsized) == (60, 60, 60 + 32 + 6, 2)
    known = sized(Denominator(boundary="extension", convention="cloc"), files={"port": rows})
    assert (known.value, known.high, known.unsized) == (94, 94, 0)


def test_units_that_no_line_gives_by_hand() -> None:
    # 60 and 40 code lines: 4 compressed bytes and 5 tokens a line, a function for every ten.
    by_unit = {unit: sized(Denominator(boundary="extension", unit=unit)) for unit in ("zstd", "tokens", "functions")}
    assert {unit: (one.value, one.high) for unit, one in by_unit.items()} == {
        "zstd": (400, 400),
        "tokens": (500, 500),
        "functions": (10, 10),
    }
    assert by_unit["zstd"].convention == "exact"


def test_a_file_without_extents_holds_at_most_a_token_a_byte() -> None:
    rows = [fact("core/a.py", "python", 60), fact("core/b.py", "python", 40)]
    evidence = world(files={"port": rows})
    stated = evidence.facts["port"]
    part = replace(stated, extents={"core/a.py": Extent(200, None, 6)})  # and of the other nothing is known
    evidence = build(evidence.loaded, {**evidence.facts, "port": part}, {}, {})
    chosen = side(evidence, "port", "extension")
    assert isinstance(chosen, Side)
    sizes = {
        unit: amount(evidence, chosen, Denominator(boundary="extension", unit=unit))
        for unit in ("zstd", "tokens", "functions")
    }
    # Files of 620 and 420 bytes.
    spans = {unit: (one.low, one.high, one.unsized) for unit, one in sizes.items() if isinstance(one, Amount)}
    assert spans == {
        "zstd": (200, 200 + 420 + 420 // 128 + 64, 1),
        "tokens": (0, 620 + 420, 2),
        "functions": (6, 6 + 420, 1),
    }
    (pair,) = (one for one in grid_pairs(evidence, "tokens") if one.left_name == "like")
    assert (pair.ratio, pair.status) == (None, "unknown")
    assert pair.why == "port may have nothing under this denominator: the size of 2 files is unknown"


def test_functions_are_at_most_as_many_as_tokens() -> None:
    evidence = world(files={"port": [fact("core/a.java", "java", 60)]})
    part = replace(evidence.facts["port"], extents={"core/a.java": Extent(200, 90, None)})
    evidence = build(evidence.loaded, {**evidence.facts, "port": part}, {}, {})
    found = amount(evidence, sides("port"), Denominator(boundary="extension", unit="functions"))
    assert isinstance(found, Amount)
    assert (found.value, found.high, found.unsized) == (0, 90, 1)


def grid_pairs(evidence: Evidence, unit: str) -> list[Pair]:
    return pairs(evidence, Denominator(boundary="extension", unit=unit), Selection(evidence))  # type: ignore[arg-type]
