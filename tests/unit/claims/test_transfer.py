from dataclasses import replace

from leverage.claims.transfer import FAILS, HOLDS, MEASURED, NOT_MEASURED, PARTLY, UNKNOWN, Condition, transfer_table
from leverage.report.buildclaims import claim_view, transfer_view
from tests.unit.claims.test_coupling import ROWS, coupled
from tests.unit.claims.test_expressions import BELOW, SECOND, judged, other_port
from tests.world import SPEC, fact, world


def conditions(spec: str = SPEC, **more: object) -> dict[str, Condition]:
    (port,) = [one for one in transfer_table(world(spec, **more)) if one.port == "port"]  # type: ignore[arg-type]
    return {one.id: one for one in port.conditions}


def test_every_port_has_every_condition_in_one_order() -> None:
    table = transfer_table(world(other_port(), files={"other": [fact("o/a.py", "python", 33)]}))
    assert [one.port for one in table] == ["port", "other"]
    assert {tuple(one.id for one in port.conditions) for port in table} == {
        ("second-stage", "public", "maintained", "departs", "touches", "hook", "later-releases", "second-vendor")
    }


def test_nothing_declared_below_is_unknown() -> None:
    found = conditions()
    assert [found[one].answer for one in ("second-stage", "public", "maintained")] == [UNKNOWN] * 3


def test_what_lies_below_is_named_with_what_of_it_is_public() -> None:
    found = conditions(BELOW, files=SECOND)
    assert found["second-stage"].finding == "closed, The second"
    assert (found["public"].answer, found["public"].finding) == (PARTLY, "closed (closed), The second (75 code lines)")
    assert found["maintained"].answer == NOT_MEASURED


def test_who_maintains_is_not_guessed_from_who_is_declared() -> None:
    spec = BELOW.replace("    name: The second\n", "    name: The second\n    vendor: One\n")
    spec = spec.replace("    role: extension\n", "    role: extension\n    vendor: One\n")
    one = conditions(spec, files=SECOND)["maintained"]
    assert one.answer == NOT_MEASURED
    assert one.finding == "the port's own vendor: One; who writes its commits is not measured yet"


def test_departures_are_files_and_lines_and_glue_is_apart() -> None:
    evidence = world()
    files = evidence.files.copy()
    files.loc[files["path"] == "core/a.py", "divergence"] = "on_chip_storage"
    files.loc[files["path"] == "core/other/b.py", "divergence"] = "substrate_glue"
    (port,) = transfer_table(replace(evidence, files=files))
    one = next(one for one in port.conditions if one.id == "departs")
    assert one.answer == MEASURED
    assert one.finding == "60 of 100 code lines, in 1 file; 40 more are glue that upstream hooks would make vanish"
    assert conditions()["departs"].finding == "0 of 100 code lines, in 0 files; 100 more are undetermined"
    assert conditions(gaps={"port": "gone"})["departs"].answer == UNKNOWN


def test_places_that_change_the_substrate_are_counted_apart_from_those_that_touch_it() -> None:
    (port,) = transfer_table(coupled())
    one = next(one for one in port.conditions if one.id == "touches")
    assert one.answer == MEASURED
    assert one.finding == (
        "2 of 4 places change it, 2 of them by a monkey patch; 3 places touch a private symbol; "
        "1 more could not be resolved"
    )
    assert conditions()["touches"].answer == UNKNOWN


def test_a_hook_that_no_release_has_is_told_with_what_is_patched_for_want_of_it() -> None:
    assert conditions()["hook"].answer == UNKNOWN
    (port,) = transfer_table(coupled())
    none = next(one for one in port.conditions if one.id == "hook")
    assert none.answer == HOLDS
    assert "nothing that it changes is what a known hook of torch 2.6.0 to " in none.finding
    patch = next(row for row in ROWS if row.kind == "monkey_patch")
    waits = replace(patch, symbol="torch._inductor.graph.GraphLowering._update_scheduler")
    could = replace(patch, symbol="torch._inductor.decomposition.decompositions")
    (port,) = transfer_table(coupled(touched=(waits, could)))
    one = next(one for one in port.conditions if one.id == "hook")
    assert one.answer == FAILS
    assert "has what `torch._inductor.graph.GraphLowering._update_scheduler` is patched for" in one.finding
    assert "could take the place of `torch._inductor.decomposition.decompositions`" in one.finding
    (port,) = transfer_table(coupled(touched=(could,)))
    assert next(one for one in port.conditions if one.id == "hook").answer == PARTLY


def test_later_releases_are_asked_what_they_do_to_touched_names() -> None:
    assert conditions()["later-releases"].answer == UNKNOWN
    spec = SPEC.replace("    role: extension\n", "    role: extension\n    builds_on: below\n").replace(
        "systems:\n",
        "systems:\n  below: {role: substrate, source: {pypi: torch, version: 2.11.0}, components: "
        '{all: {include: ["torch/**"], height: [graph, tile_ir]}}, boundaries: {extension: [all]}}\n',
    )
    import_ = next(row for row in ROWS if row.kind == "import")
    rows = tuple(
        replace(import_, symbol=symbol)
        for symbol in (
            "torch._inductor.scheduler.Scheduler",
            "torch._inductor.sizevars.SizeVarAllocator.size_hint",
        )
    )
    (port,) = transfer_table(coupled(spec, touched=rows))
    one = next(one for one in port.conditions if one.id == "later-releases")
    assert one.answer == MEASURED
    assert one.finding.startswith("of 2 names as torch 2.11.0 has them; 2.12.1: ")
    assert "2.15.0: 1 gone" in one.finding


def test_comparable_is_the_same_in_both_directions() -> None:
    rows = {"other": [fact("o/a.py", "python", 33)]}
    table = transfer_table(world(other_port("builds_on: tall"), files=rows))
    answers = {port.port: one.answer for port in table for one in port.conditions if one.id == "second-vendor"}
    assert answers == {"port": PARTLY, "other": PARTLY}  # `port` has several back ends, whichever is asked about


def test_the_view_carries_all_of_it() -> None:
    (port,) = transfer_table(world())
    view = transfer_view(port)
    assert [one.question for one in view.conditions] == [one.question for one in port.conditions]
    claim = claim_view(judged("found: [rebinds]"))
    assert (claim.kind, claim.verdict, claim.inputs[0].sites[0].line) == ("found", "holds", 7)
    assert claim_view(judged('arithmetic: {a: "cores == 32", b: "cores == 1"}')).readings == {
        "a": "holds",
        "b": "does not hold",
    }
