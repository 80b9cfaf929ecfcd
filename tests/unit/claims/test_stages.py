"""Shares of stages where functions of a file were decided apart, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.budgets import undetermined_share
from leverage.claims.normalised import normalised
from leverage.claims.select import Side, pieces, selected, side
from leverage.claims.share import departures, share
from leverage.claims.stages import StageShare, stage_shares
from leverage.evidence.build import Evidence, build
from leverage.model.decisions import Confidence, Decision
from leverage.model.lines import LineCounts
from leverage.model.units import Unit, UnitKind
from leverage.spec.types import Denominator, Share
from tests.world import FILES, cut, fact, unknown, world

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.model.files import FileFacts

CODE = Denominator(boundary="extension")
LOWERING = Decision("lowering", "operator_set", "anchor", "reached", Confidence.DECLARED)
TILING = Decision("tiling", "work_distribution", "anchor", "reached", Confidence.DECLARED)
WEAK = Decision("tiling", "work_distribution", "words", "its names", Confidence.NONE, "lowering")
OPEN = Decision("undetermined", "undetermined", "", "nothing", Confidence.NONE)


def units(*parts: tuple[str, int, Decision]) -> list[tuple[Unit, Decision]]:
    """Functions of so many code lines; the first one has the file's comment and blank line too."""
    found, line = [], 1
    for index, (name, code, decision) in enumerate(parts):
        lines = LineCounts(code=code, comment=int(not index), blank=int(not index))
        last = line + lines.physical - 1
        found.append((Unit(name, UnitKind.FUNCTION, line, last, lines), decision))
        line = last + 1
    return found


def divided(*parts: tuple[str, int, Decision], more: Sequence[FileFacts] = ()) -> Evidence:
    """The small world with the 60 code lines of `core/a.py` cut; the 40 of `core/other/b.py` are undetermined."""
    rows = [*(fact(*row) for row in FILES["port"]), *more]
    whole = world(files={"port": rows})
    stated = dict(whole.facts)
    stated["port"] = cut(stated["port"], {"core/a.py": units(*parts)})
    return build(whole.loaded, stated, {}, {})


def port(evidence: Evidence) -> Side:
    found = side(evidence, "port", "extension")
    assert isinstance(found, Side)
    return found


def test_a_file_that_was_cut_counts_by_its_units_and_the_others_whole() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 15, TILING))
    code = pieces(evidence, selected(evidence, port(evidence), CODE))
    rows = sorted(zip(code["path"], code["stage"], code["code_leverage"], strict=True))
    assert rows == [
        ("core/a.py", "lowering", 45),
        ("core/a.py", "tiling", 15),
        ("core/other/b.py", "undetermined", 40),
    ]


def test_pieces_add_up_to_the_files_they_are_of_under_every_convention() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 15, TILING))
    files = selected(evidence, port(evidence), CODE)
    code = pieces(evidence, files)
    for column in (name for name in map(str, files) if name.startswith("code_")):
        assert code[column].sum() == files[column].clip(lower=0).sum()


def test_without_units_the_pieces_are_the_files() -> None:
    evidence = world()
    files = selected(evidence, port(evidence), CODE)
    assert list(pieces(evidence, files)["path"]) == list(files["path"])
    assert list(files["path"]) == ["core/a.py", "core/other/b.py"]


def test_undetermined_code_may_be_in_any_stage() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 15, TILING))
    assert stage_shares(evidence, port(evidence), CODE) == [
        StageShare("lowering", 45, 45, 45 + 40),
        StageShare("tiling", 15, 15, 15 + 40),
    ]


def test_weak_evidence_may_be_of_the_stage_that_came_second() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 10, TILING), ("h", 5, WEAK))
    assert stage_shares(evidence, port(evidence), CODE) == [
        StageShare("lowering", 45, 45, 45 + 5 + 40),
        StageShare("tiling", 15, 10, 15 + 40),
    ]


def test_a_runner_up_of_a_declared_rule_puts_nothing_in_doubt() -> None:
    sure = replace(TILING, runner_up="lowering")
    evidence = divided(("f", 45, LOWERING), ("g", 15, sure))
    assert stage_shares(evidence, port(evidence), CODE)[1] == StageShare("tiling", 15, 15, 55)


def test_a_stage_that_only_came_second_has_no_lines_and_may_have_some() -> None:
    evidence = divided(("f", 55, TILING), ("h", 5, WEAK))
    assert stage_shares(evidence, port(evidence), CODE)[0] == StageShare("lowering", 0, 0, 5 + 40)


def test_files_of_unknown_content_may_hold_any_stage() -> None:
    evidence = divided(("f", 60, LOWERING), more=[unknown("core/x", physical=7, size=80)])
    assert stage_shares(evidence, port(evidence), CODE) == [StageShare("lowering", 60, 60, 60 + 40 + 7)]


def test_the_undetermined_share_is_over_units() -> None:
    before = undetermined_share(world(), ["port"], "leverage")
    after = undetermined_share(divided(("f", 45, LOWERING), ("g", 15, OPEN)), ["port"], "leverage")
    # production code: 60 and 40 of the core, 50 of the rest
    assert (before, after) == (Fraction(1), Fraction(15 + 40 + 50, 150))


def test_departures_are_over_units_and_count_a_file_once() -> None:
    evidence = divided(("f", 30, LOWERING), ("g", 15, TILING), ("h", 15, replace(LOWERING, divergence="none")))
    found = departures(evidence, port(evidence), CODE)
    assert (found.files, found.lines, found.undetermined, found.whole) == (1, 45, 40, 100)


def test_stages_that_are_covered_are_those_of_units() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 15, TILING))
    like = {"upper/u.cpp": [(Unit("u", UnitKind.FUNCTION, 1, 502, LineCounts(code=500, comment=1, blank=1)), LOWERING)]}
    stated = {**evidence.facts, "like": cut(evidence.facts["like"], like)}
    rows = normalised(build(evidence.loaded, stated, {}, {}), CODE)
    (stage,) = (one for one in rows if one.base == "stage")
    assert (stage.left_covers, stage.right_covers) == (1, 2)


def claim(by: str, kinds: tuple[str, ...], bound: str) -> Share:
    return Share(of="port", boundary="extension", by=by, readings={"named": kinds}, more_than=bound)  # type: ignore[arg-type]


def test_a_share_of_stages_is_in_doubt_only_where_the_runner_up_would_change_it() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 10, TILING), ("h", 5, WEAK))
    inside = share(evidence, claim("stage", ("lowering", "tiling"), "0.5"))
    assert inside.inputs[0].value == "60 of 60 code lines"
    outside = share(evidence, claim("stage", ("tiling",), "0.5"))
    assert outside.inputs[0].value == "10 of 55 code lines"
    assert outside.inputs[0].note == "45 more are undetermined or in doubt"


def test_a_share_of_divergences_leaves_weak_decisions_open() -> None:
    evidence = divided(("f", 45, LOWERING), ("g", 10, TILING), ("h", 5, WEAK))
    found = share(evidence, claim("divergence", ("work_distribution",), "0.05"))
    assert found.inputs[0].value == "10 of 55 code lines"
    assert found.verdict.value == "holds"  # 10 of 100 at least
