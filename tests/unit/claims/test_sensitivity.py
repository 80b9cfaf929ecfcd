from fractions import Fraction

from leverage.claims.families import headline
from leverage.claims.members import whole_grid
from leverage.claims.sensitivity import Tornado, tornadoes, two_way, value_of
from tests.unit.claims.grids import family_world, grid_of
from tests.world import SPEC

UNITS = {"code", "nonblank", "physical", "bytes", "zstd", "tokens", "functions", "files"}


def tornado() -> Tornado:
    evidence = family_world()
    (found,) = tornadoes(whole_grid(evidence), headline(evidence.loaded.spec))
    return found


def test_only_sides_with_a_ratio_under_the_headline_have_a_tornado() -> None:
    assert tornado().left == "like"


def test_the_swings_by_hand_widest_first() -> None:
    found = {swing.axis: (swing.low.value, swing.high.value, swing.factor) for swing in tornado().swings}
    assert found == {
        "unit": ("files", "code", Fraction(69, 10)),
        "boundary": ("plugin", "extension", Fraction(690 * 150, 100 * 720)),
        "purpose": ("with_build", "production", Fraction(110, 100)),
        "convention": ("physical", "leverage", Fraction(690 * 104, 100 * 694)),
        "languages": ("programming", "programming", Fraction(1)),
    }
    assert list(found) == ["unit", "boundary", "purpose", "convention", "languages"]


def test_values_that_cannot_be_compared_stay_in_the_list() -> None:
    boundary = next(swing for swing in tornado().swings if swing.axis == "boundary")
    assert [choice.value for choice in boundary.choices] == ["extension", "plugin", "all"]
    assert boundary.choices[2].pair.ratio is None
    assert boundary.base == "extension"


def test_a_choice_differs_from_the_headline_in_its_axis_alone() -> None:
    for swing in tornado().swings:
        for choice in swing.choices[1:]:
            parts = zip(choice.member.split("/"), swing.choices[0].member.split("/"), strict=True)
            assert sum(one != two for one, two in parts) == 1, choice.member


def test_the_two_widest_axes_are_crossed() -> None:
    cross = two_way(grid_of(), tornado(), headline(family_world().loaded.spec))
    assert cross is not None
    assert (cross.rows, cross.columns) == ("unit", "boundary")
    assert {row for row, _ in cross.values} == UNITS
    member, pair = cross.values["files", "plugin"]
    assert member == "plugin/production/files/programming"
    assert pair.ratio is not None
    assert pair.ratio.value == Fraction(3, 3)


def test_unit_and_counting_rule_do_not_cross() -> None:
    families = "families:\n  f: {vary: {unit: all, convention: all}}\n  g: {vary: {purpose: all}}\n"
    families += "  h: {product: [f, g]}\n"
    evidence = family_world(families=families)
    grid = whole_grid(evidence)
    (one,) = tornadoes(grid, headline(evidence.loaded.spec))
    cross = two_way(grid, one, headline(evidence.loaded.spec))
    assert cross is not None
    assert {cross.rows, cross.columns} == {"unit", "purpose"}


def test_one_axis_alone_gives_no_cross() -> None:
    evidence = family_world(families="families:\n  f: {vary: {unit: all}}\n")
    grid = whole_grid(evidence)
    (one,) = tornadoes(grid, headline(evidence.loaded.spec))
    assert two_way(grid, one, headline(evidence.loaded.spec)) is None


def test_without_the_headline_among_the_members_nothing_is_varied() -> None:
    evidence = family_world(families="families:\n  f: {vary: {unit: [bytes, files]}}\n")
    assert tornadoes(whole_grid(evidence), headline(evidence.loaded.spec)) == []


def test_a_headline_in_an_exact_unit_varies_to_code() -> None:
    evidence = family_world(spec=SPEC.replace("headline: code}", "headline: bytes}"))
    (found,) = tornadoes(whole_grid(evidence), headline(evidence.loaded.spec))
    units = next(swing for swing in found.swings if swing.axis == "unit")
    assert {choice.value for choice in units.choices} == UNITS
    assert value_of(units.choices[0]) == Fraction(6940, 1040)
