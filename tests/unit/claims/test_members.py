from fractions import Fraction

import pytest
from leverage.claims.families import differences, left_out, member_id, members, unmeasured
from leverage.claims.members import compare_families, nearest, needed, spread, whole_grid
from leverage.model.amounts import Amount, Unit
from leverage.spec.axes import place_of
from leverage.spec.types import Denominator
from tests.unit.claims.grids import FAMILIES, family_world, grid_of, row_of
from tests.world import FILES, SPEC, fact, unknown, world

HEAD = "extension/production/code:leverage/programming"
SEVEN = Fraction(7)
READINGS = ["about", "at_least"]


def test_the_members_of_a_product_are_counted_by_hand() -> None:
    found = members(family_world().loaded.spec)
    # boundaries x (rules of code + exact units) x purposes x languages, without files in python or cpp
    assert len(found) == 3 * (3 + 7) * 3 * 3 - 3 * 3 * 2
    assert len({one.id for one in found}) == len(found)
    assert found[0].id == HEAD
    assert found[0].families == ("edge", "counting", "scope", "everything")


def test_a_rule_for_code_varies_only_where_the_unit_is_code() -> None:
    found = members(family_world().loaded.spec)
    assert {one.place["convention"] for one in found if one.place["unit"] != "code"} == {"exact"}
    assert {one.place["convention"] for one in found if one.place["unit"] == "code"} == {"leverage", "cloc", "physical"}


def test_ids_do_not_depend_on_order_or_on_other_members() -> None:
    turned = """\
families:
  scope: {vary: {languages: [cpp, programming, python], purpose: [with_build, with_tests, production]}}
  counting:
    vary:
      convention: [physical, leverage, cloc]
      unit: [files, functions, code, zstd, bytes, nonblank, tokens, physical]
  edge: {vary: {boundary: [all, plugin, extension]}}
  everything:
    product: [scope, counting, edge]
    without: [{where: {unit: [files], languages: [python, cpp]}, why: it says how files are cut}]
"""
    ids = {one.id for one in members(family_world().loaded.spec)}
    assert {one.id for one in members(family_world(families=turned).loaded.spec)} == ids
    alone = members(family_world(families="families:\n  f: {vary: {unit: [bytes]}}\n").loaded.spec)
    assert [one.id for one in alone] == ["extension/production/bytes/programming"]


def test_a_headline_of_other_purposes_keeps_them() -> None:
    spec = SPEC.replace("headline: code}", "headline: odd}") + FAMILIES
    spec = spec.replace("  tested:", "  odd: {boundary: extension, purposes: [test, build]}\n  tested:")
    first = members(world(spec).loaded.spec)
    assert "extension/build+test/bytes/programming" in {one.id for one in first}


def test_what_is_left_out_has_its_reason_and_size() -> None:
    (one,) = left_out(family_world().loaded.spec)
    assert (one.family, one.where, one.members) == ("everything", "unit files and languages python or cpp", 18)
    assert one.why == "it says how files are cut"


def test_what_is_not_measured_yet_is_listed_and_never_a_member() -> None:
    asked = "families:\n  f: {vary: {unit: [code, operators], revision: [pinned, history]}}\n"
    spec = family_world(families=asked).loaded.spec
    assert [one.id for one in members(spec)] == [HEAD]
    listed = {(one.axis, one.value): one.families for one in unmeasured(spec)}
    assert listed == {("unit", "operators"): ("f",), ("revision", "history"): ("f",)}


def test_the_grid_folds_members_of_equal_amounts_onto_the_first() -> None:
    grid = grid_of()
    same = row_of(grid, "extension/production/code:cloc/programming")
    assert (same.standing, same.same_as) == ("same amounts", HEAD)
    lines = row_of(grid, "extension/production/physical/programming")
    assert lines.same_as == "extension/production/code:physical/programming"
    assert row_of(grid, "extension/production/bytes/programming").standing == "distinct"


def test_equal_amounts_on_one_side_alone_do_not_fold() -> None:
    # the port has no build file in this world but the other side has one
    files = {"like": [*(fact(*row) for row in FILES["like"]), fact("upper/CMakeLists.txt", "cmake", 7)]}
    files["port"] = [fact(*row) for row in FILES["port"] if not row[0].endswith(".txt")]
    row = row_of(grid_of(files), "extension/with_build/code:leverage/programming")
    assert row.standing == "distinct"
    ratio = row.pairs[0].ratio
    assert ratio is not None
    assert (ratio.numerator.value, ratio.denominator.value) == (697, 100)


def test_what_cannot_be_compared_is_listed_with_the_reason_and_not_counted() -> None:
    grid = grid_of()
    row = row_of(grid, "all/production/code:leverage/programming")
    assert row.standing == "not comparable"
    assert "like declares no boundary 'all'" in row.why
    assert row not in grid.counted
    empty = row_of(grid, "extension/production/code:leverage/cpp")
    assert "port has nothing under this denominator" in empty.why
    nothing = row_of(grid, "extension/production/code:leverage/python")
    assert "like has nothing under this denominator" in nothing.why


def test_a_side_without_facts_makes_members_unknown_not_incomparable() -> None:
    evidence = world(SPEC + FAMILIES, gaps={"like": "no network", "tall": "no network"})
    row = row_of(whole_grid(evidence), HEAD)
    assert row.standing == "unknown"
    assert "no network" in row.why


def test_families_are_compared_by_what_differs_inside_them() -> None:
    figures = {one.family: one for one in compare_families(grid_of(), SEVEN, READINGS)}
    assert list(figures) == ["edge", "counting", "scope", "everything"]
    counting = figures["counting"]
    # code, code:physical, nonblank, bytes, files, and zstd, tokens, functions; cloc is code, and physical lines are
    # code:physical
    assert (counting.declared, counting.comparable, counting.distinct) == (10, 10, 8)
    like, tall = counting.spreads
    assert like.lowest is not None
    assert like.highest is not None
    assert (like.lowest[0], like.highest[0]) == (Fraction(2, 2), Fraction(690, 100))
    assert like.reaching == {"about": 7, "at_least": 0}
    assert (tall.ratios, tall.lowest) == (0, None)


def test_the_nearest_come_once_for_each_pair_of_sizes() -> None:
    found = nearest(grid_of(), SEVEN, 3)
    assert (found[0][0].member.id, found[0][1].left_name) == (HEAD, "like")
    amounts = [(one.numerator, one.denominator) for _, one in found]
    assert len(set(amounts)) == len(amounts) == 3
    distances = [max(one.ratio.value / 7, 7 / one.ratio.value) for _, one in found if one.ratio]
    assert distances == sorted(distances)


def test_without_a_figure_nothing_reaches_it() -> None:
    assert spread(grid_of().counted, 0, "like", None, READINGS).reaching == {}


def test_required_sizes_run_from_the_least_to_the_greatest() -> None:
    found = {(one.boundary, one.unit): one for one in needed(grid_of(), SEVEN, READINGS)}
    code = found["extension", Unit.CODE]
    # sizes of the port: 100 (code), 104 (physical), 110 and 116 with the build file
    assert code.smallest == {"about": 630, "at_least": 700}
    assert code.largest == {"about": int(Fraction(77, 10) * 116), "at_least": 7 * 116}
    assert code.sizes == {"like": (690, 694)}
    assert found["all", Unit.FILES].sizes == {}


def test_without_families_or_comparison_the_grid_is_empty() -> None:
    assert whole_grid(world()).rows == ()
    bare = SPEC.replace("compare: {left: closed, right: port, headline: code}\n", "")
    assert whole_grid(world(bare)).rows == ()


@pytest.mark.parametrize(
    ("start", "other", "expected"),
    [
        ({}, {"unit": "bytes"}, ("unit",)),
        ({}, {"convention": "cloc"}, ("convention",)),
        ({"unit": "bytes"}, {}, ("unit",)),
        ({"unit": "bytes"}, {"convention": "cloc"}, ("unit", "convention")),
        ({"convention": "cloc"}, {"unit": "bytes", "languages": "cpp"}, ("unit", "languages")),
        ({}, {}, ()),
    ],
)
def test_axes_on_which_two_places_differ(
    start: dict[str, str], other: dict[str, str], expected: tuple[str, ...]
) -> None:
    one, two = (place_of(Denominator(boundary="extension", **changed)) for changed in (start, other))  # type: ignore[arg-type]
    assert differences(one, two) == expected


def test_an_id_names_the_rule_only_where_there_is_one() -> None:
    assert member_id(place_of(Denominator(boundary="b", unit="files"))) == "b/production/files/programming"


def test_moving_a_doubtful_file_stays_inside_the_interval() -> None:
    rows = [fact(*row) for row in FILES["port"]]
    doubtful = grid_of({"port": [*rows, unknown("core/x", physical=37, size=400)]})
    for code in (0, 1, 20, 35):
        settled = grid_of({"port": [*rows, fact("core/x.py", "python", code)]})
        for row in settled.counted:
            before = row_of(doubtful, row.member.id)
            for one, two in zip(before.pairs, row.pairs, strict=True):
                if one.ratio and two.ratio and isinstance(two.denominator, Amount):
                    assert one.ratio.low <= two.ratio.value <= one.ratio.high, row.member.id
