"""What must hold of the grid whatever the files, the order of things and the claimed figure."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.claims.members import whole_grid
from leverage.claims.select import Side
from leverage.evidence.build import build
from leverage.evidence.collect import collect
from leverage.model.amounts import Amount
from leverage.report.buildgrid import grid_view
from leverage.report.format import TIMES
from leverage.sources.opening import open_source
from leverage.spec.load import parse_spec
from tests import recount
from tests.unit.claims.grids import FAMILIES, family_world, grid_of, row_of
from tests.unit.sources.tools import Repository
from tests.world import FILES, SPEC, fact, unknown, world

if TYPE_CHECKING:
    from pathlib import Path

PHYSICAL = {"physical", "nonblank", "bytes", "files"}


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from([row[0] for row in FILES["port"]])))
def test_excluding_files_never_raises_a_physical_amount(left_out: set[str]) -> None:
    whole = grid_of()
    fewer = grid_of({"port": [fact(*row) for row in FILES["port"] if row[0] not in left_out]})
    for before, after in zip(whole.rows, fewer.rows, strict=True):
        assert before.member.id == after.member.id
        one, two = before.pairs[0].denominator, after.pairs[0].denominator
        if before.member.place["unit"] in PHYSICAL and isinstance(one, Amount):
            assert isinstance(two, Amount)
            assert two.value <= one.value


@settings(max_examples=10, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_permuting_files_rules_or_systems_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    files = {name: [fact(*row) for row in chance.sample(rows, len(rows))] for name, rows in FILES.items()}
    names = chance.sample(list(files), len(files))
    blocks = re.split(r"(?m)^(?=  [a-z]+:$)", SPEC[SPEC.index("  closed:") : SPEC.index("compare:")])[1:]
    assert len(blocks) == 4
    spec = SPEC.replace("".join(blocks), "".join(chance.sample(blocks, len(blocks))))
    turned = whole_grid(world(spec + FAMILIES, {name: files[name] for name in names}))
    by_left = {left: index for index, left in enumerate(turned.lefts)}
    straight = grid_of()
    for row in straight.rows:
        other = row_of(turned, row.member.id)
        assert (row.standing, row.same_as) == (other.standing, other.same_as)
        for index, left in enumerate(straight.lefts):
            one, two = row.pairs[index], other.pairs[by_left[left]]
            assert (one.status, one.numerator, one.denominator) == (two.status, two.numerator, two.denominator)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(min_value=0, max_value=60),
    st.sampled_from(["core", "rest", "tests"]),
    st.sampled_from([("python", "py"), ("cpp", "cpp"), ("cmake", "cmake")]),
)
def test_moving_a_doubtful_file_stays_inside_every_interval(code: int, place: str, kind: tuple[str, str]) -> None:
    rows = [fact(*row) for row in FILES["port"]]
    settled = fact(f"{place}/x.{kind[1]}", kind[0], code)
    doubt = unknown(f"{place}/x", physical=settled.physical, size=settled.file.size)
    doubtful, moved = grid_of({"port": [*rows, doubt]}), grid_of({"port": [*rows, settled]})
    for before, after in zip(doubtful.rows, moved.rows, strict=True):
        one, two = before.pairs[0].denominator, after.pairs[0].denominator
        # Build files are in by their purpose; of a file of unknown language it is the component's.
        if isinstance(one, Amount) and isinstance(two, Amount) and kind[0] != "cmake":
            assert one.low <= two.value <= one.high, before.member.id


@settings(max_examples=40, deadline=None)
@given(st.fractions(min_value=Fraction(1, 4), max_value=20, max_denominator=500))
def test_no_shown_ratio_crosses_the_claim_over_all_members(figure: Fraction) -> None:
    evidence = family_world()
    grid = whole_grid(evidence)
    shown = {member.id: member for member in grid_view(evidence, grid, figure).members}
    for row in grid.counted:
        for pair, cell in zip(row.pairs, shown[row.member.id].cells, strict=True):
            if pair.ratio is not None:
                for exact, text in (
                    (pair.ratio.low, cell.ratio_low),
                    (pair.ratio.value, cell.ratio),
                    (pair.ratio.high, cell.ratio_high),
                ):
                    assert side_of(text, figure) == (exact > figure) - (exact < figure), (row.member.id, text)


def side_of(text: str, figure: Fraction) -> int:
    """-1 below, 0 at and 1 above the figure, as a reader takes the text."""
    number = text.removesuffix(TIMES).replace(",", "")
    if number[0] in "<>":
        limit, sign = Fraction(number[1:]), -1 if number[0] == "<" else 1
        return sign if limit == figure else (limit > figure) - (limit < figure)
    value = Fraction(number)
    return (value > figure) - (value < figure)


@pytest.mark.parametrize("size", [699, 700, 701, 6_999, 7_000, 7_001, 629, 630, 769, 770, 771])
def test_the_worst_cases_near_the_claim_are_shown_on_their_side(size: int) -> None:
    over = 1_000 if size > 1_000 else 100
    evidence = family_world(
        {"port": [fact("core/a.py", "python", over)], "like": [fact("upper/u.cpp", "cpp", size)]},
    )
    view = grid_view(evidence, whole_grid(evidence), Fraction(7))
    cell = view.members[0].cells[0]
    assert side_of(cell.ratio, Fraction(7)) == (size > 7 * over) - (size < 7 * over)
    assert cell.reaches["at_least"] == ("yes" if size >= 7 * over else "no")


CPP = b"// a comment\nint f() {\n  return 1;\n}\n\n"
PY = b'"""Words."""\n\nx = [\n    1,\n]  # one\n'
PORT = {
    "core/a.py": PY * 3,
    "core/other/b.py": PY,
    "core/CMakeLists.txt": b"project(x)\n# c\n",
    "core/notes.md": b"# Notes\n\ntext\n",
    "core/made.py": b"# This file was generated by x. Do not edit.\nx = 1\n",
    "core/vendor/v.py": PY,
    ".gitattributes": b"core/vendor/** linguist-vendored\n",
    "rest/c.cpp": CPP * 2,
    "tests/t.py": PY * 4,
    "README.md": b"outside\n",
}
LIKE = {
    "upper/u.cpp": CPP * 90 + b"/* no end of line */ int g;",
    "upper/u.td": b"def X { let description = [{\nwords\n\n}]; }\n" * 6,
    "upper/CMakeLists.txt": b"add_library(u)\n",
    "tiles/t.h": CPP * 31,
    "tiles/run.py": PY * 2,
    "rest/r.cpp": CPP * 7,
}


def test_every_member_recounted_from_git_objects_by_a_second_path_agrees_exactly(tmp_path: Path) -> None:
    places = {"port": tmp_path / "port", "like": tmp_path / "like"}
    commits = {name: Repository(places[name]).commit(files) for name, files in (("port", PORT), ("like", LIKE))}
    spec = SPEC
    for name, commit in commits.items():
        old = re.escape(f"source: {{git: https://example.org/{name}, commit: ") + r'"[0-9a-f]{40}"'
        spec, changed = re.subn(old, f'source: {{path: "{places[name]}", commit: "{commit}"', spec)
        assert changed == 1
    families = FAMILIES.replace("convention: [leverage, cloc, physical]", "convention: all")
    families = families.replace("languages: [programming, python, cpp]", "languages: all")
    loaded = parse_spec((spec + families).encode(), "repos.yaml")
    facts, counted = {}, {}
    for name, place in places.items():
        system = loaded.spec.systems[name]
        assert system.source is not None
        opened = open_source(
            system.source, base=tmp_path, store=tmp_path / "store", mirrors={}, offline=True, wanted=lambda _: True
        )
        with opened as source:
            facts[name] = collect(loaded, name, source, cache=None, jobs=1, witness=False)
        counted[name] = recount.count_system(system, place, commits[name])
    grid = whole_grid(build(loaded, facts, {"tall": "not in this test"}, {}))
    assert len(grid.counted) > 40
    agreed = 0
    for row in grid.rows:
        first = row.pairs[0]
        if row.member.place["unit"] in recount.ONE_PATH:
            continue
        for one, amount in ((first.left, first.numerator), (first.right, first.denominator)):
            if isinstance(one, Side) and isinstance(amount, Amount):
                again = recount.amount(loaded.spec, one.system, row.member.denominator, counted)
                assert amount.value == again, (row.member.id, one.name)
                agreed += bool(again)
    assert agreed > 200
