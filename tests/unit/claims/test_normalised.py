from dataclasses import replace
from fractions import Fraction

from leverage.claims.families import headline
from leverage.claims.normalised import normalised
from leverage.evidence.build import Evidence
from tests.world import SPEC, world

STAGES = {
    "core/a.py": ("lowering", "data_movement"),
    "core/other/b.py": ("codegen", "none"),
    "upper/u.cpp": ("lowering", "none"),
    "tiles/t.cpp": ("undetermined", "undetermined"),
}


def staged(stages: dict[str, tuple[str, str]]) -> Evidence:
    evidence = world()
    files = evidence.files.copy()
    for column, index in (("stage", 0), ("divergence", 1)):
        files[column] = [stages.get(path, ("undetermined", "undetermined"))[index] for path in files["path"]]
    return replace(evidence, files=files)


def test_sizes_are_divided_by_the_stages_that_each_side_has() -> None:
    evidence = staged(STAGES)
    (found,) = normalised(evidence, headline(evidence.loaded.spec))
    assert (found.base, found.left, found.left_covers, found.right_covers) == ("stage", "like", 1, 2)
    assert found.value == Fraction(690, 1) / Fraction(100, 2)


def test_a_base_that_one_side_lacks_gives_no_ratio() -> None:
    evidence = staged({**STAGES, "upper/u.cpp": ("undetermined", "data_movement")})
    (found,) = normalised(evidence, headline(evidence.loaded.spec))
    assert (found.base, found.left_covers, found.right_covers) == ("divergence", 1, 1)
    assert normalised(staged({}), headline(evidence.loaded.spec)) == []


def test_without_a_comparison_nothing_is_normalised() -> None:
    bare = world(SPEC.replace("compare: {left: closed, right: port, headline: code}\n", ""))
    assert normalised(bare, bare.loaded.spec.denominators["code"]) == []
