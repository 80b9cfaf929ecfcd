import pytest
from leverage.spec.claimcheck import TESTS, claim_kind, probe_kind
from leverage.spec.types import Claim
from tests.unit.spec.examples import GOOD, load, only

PROBES = """\
probes:
  cores: {system: port, path: a.py, constant: CORES}
  size: {system: port, path: a.py, constant: "f.size", given: {config.part: cores, other: "0.2"}}
  macro: {system: port, path: a.h, define: N}
  rebinds: {system: port, path: "**/*.py", assigns: G.run}
  ordered: {system: port, path: a.py, within: f, calls: [a, b.c]}
  named: {system: port, path: a.py, within: f, names: [a]}
  tally: {system: port, path: "*.py", counts: [register], namespace: aten}
  switches: {system: port, path: config.py, settings: all}
  reach: {system: port, path: a.py, reaches: [f, C.__call__]}
"""
CLAIM = "  x: {{text: t, wording: paraphrase, by: b, source: s, {}}}\n"


def document(probes: str = PROBES, claim: str = "") -> str:
    text = GOOD.replace("budgets:", probes + "budgets:", 1)
    return text.replace("probes:\n", CLAIM.format(claim) + "probes:\n", 1) if claim else text


def test_every_kind_of_probe_is_read() -> None:
    probes = load(document()).spec.probes
    assert [probe_kind(probe) for probe in probes.values()] == [
        "constant",
        "constant",
        "define",
        "assigns",
        "calls",
        "names",
        "counts",
        "settings",
        "reaches",
    ]
    assert probes["size"].given == {"config.part": "cores", "other": "0.2"}


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        ("needs: a source", "needs"),
        ("awaits: [a graph]", "awaits"),
        ("found: [rebinds, ordered]", "found"),
        ('arithmetic: {whole: "cores * size == 64 * 2**20", some: "size < 1 / 2"}', "arithmetic"),
        ("consistent: {stated: '14', computed: 100 / 7}", "consistent"),
        ("share: {of: port, boundary: extension, by: stage, readings: {all: [layout]}, more_than: '0.5'}", "share"),
        ("touches: {of: port, symbols: [torch.f], kinds: [monkey_patch]}", "touches"),
        ("left_alone: {of: port, more_than: 0, readings: {a: {probe: tally, of: switches}}}", "left_alone"),
        ("left_alone: {of: port, more_than: 0, readings: {a: {by: module}, b: {ran: x}}}", "left_alone"),
        ('runs_beneath: {of: port, more_than: 1, readings: {all: ""}}', "runs_beneath"),
        ("decided_in: {of: port, boundary: extension, reach: reach, decisions: {a: [tiling]}}", "decided_in"),
        ("second_stage_of: port", "second_stage_of"),
        ("second_vendor_of: port", "second_vendor_of"),
        ("ratio_of: [closed, port], value: 7", "ratio_of"),
        ("note: nothing tests it", ""),
    ],
)
def test_every_kind_of_claim_is_read(test: str, kind: str) -> None:
    assert claim_kind(load(document(claim=test)).spec.claims["x"]) == kind


def test_the_kinds_are_keys_of_a_claim() -> None:
    assert set(TESTS) <= set(Claim.__dataclass_fields__)


@pytest.mark.parametrize(
    ("old", "new", "what", "hint"),
    [
        ("macro: {system: port", "macro: {system: prt", "no system `prt`", "did you mean `port`?"),
        ("macro: {system: port", "macro: {system: closed", "`closed` has no source", "`source:`"),
        ("constant: CORES}", "define: X, constant: CORES}", "several things at once", "exactly one of"),
        (", constant: CORES}", "}", "looks for nothing", "exactly one of"),
        ("within: f, calls", "calls", "is the function in which", "add it there"),
        ("constant: CORES}", "constant: CORES, within: f}", "is the function in which", "delete it elsewhere"),
        ("path: a.h", 'path: "*.h"', "cannot be a pattern", "only `assigns`"),
        ("settings: all", "settings: all, namespace: aten", "`namespace` belongs to `counts`", "delete it"),
        ("path: a.h", "path: ../a.h", "holds the step", "from the root"),
        ('path: "**/*.py"', 'path: "[a"', "has a `[` without", "brackets"),
        ("define: N}", "define: N, given: {a: 1}}", "`given` belongs to `constant`", "delete it"),
        ("config.part: cores", "config.part: macro", "there is no probe `macro` above", "`cores`"),
        ("size: {system: port", "size: {system: second", "a probe of another system", "same system"),
    ],
)
def test_probes_that_do_not_fit(old: str, new: str, what: str, hint: str) -> None:
    assert PROBES.count(old) == 1
    problem = only(document(PROBES.replace(old, new)))
    assert what in problem.what
    assert hint in problem.hint
    assert problem.where is not None
    assert problem.where.line > 1


@pytest.mark.parametrize(
    ("test", "what", "hint"),
    [
        ("needs: x, awaits: [y]", "tested in 2 ways: `awaits`, `needs`", "keep one"),
        ("found: [rebind]", "no probe `rebind`", "did you mean `rebinds`?"),
        ("found: [cores]", "`cores` is a number", "arithmetic"),
        ("needs: x, inputs: [corse]", "no probe `corse`", "did you mean `cores`?"),
        ('arithmetic: {a: "cores"}', "not one comparison", "one comparison"),
        ('arithmetic: {a: "cores == 9**9**9"}', "bits", "one comparison"),
        ('arithmetic: {a: "corse == 1"}', "no probe `corse`", "did you mean `cores`?"),
        ('arithmetic: {a: "open(1) == 1"}', "nothing is executed", "one comparison"),
        ("second_stage_of: prt", "no system `prt`", "did you mean `port`?"),
        ("touches: {of: prt, symbols: [torch.f]}", "no system `prt`", "did you mean `port`?"),
        ("found: [tally]", "`tally` is a number", "arithmetic"),
        ("left_alone: {of: port, more_than: 0, readings: {a: {of: tally}}}", "exactly one way", "give it one of"),
        (
            "left_alone: {of: port, more_than: 0, readings: {a: {probe: tally, ran: x}}}",
            "exactly one way",
            "give it one of",
        ),
        ("left_alone: {of: port, more_than: 0, readings: {a: {by: symbol}}}", "`of` counts all", "add it there"),
        (
            "left_alone: {of: port, more_than: 0, readings: {a: {by: module, of: tally}}}",
            "`of` counts all",
            "delete it elsewhere",
        ),
        (
            "left_alone: {of: port, more_than: 0, readings: {a: {probe: named, of: tally}}}",
            "`named` is a probe of another kind",
            "`counts`",
        ),
        ('runs_beneath: {of: prt, more_than: 1, readings: {all: ""}}', "no system `prt`", "did you mean `port`?"),
        (
            "decided_in: {of: port, boundary: extensio, reach: reach, decisions: {a: [b]}}",
            "declares no boundary `extensio`",
            "did you mean `extension`?",
        ),
        (
            "decided_in: {of: port, boundary: extension, reach: tally, decisions: {a: [b]}}",
            "`tally` is a probe of another kind",
            "`reaches`",
        ),
        ("second_vendor_of: prt", "no system `prt`", "did you mean `port`?"),
        (
            "share: {of: port@fuller, boundary: extension, by: stage, readings: {a: [b]}, more_than: 0}",
            "no profile `fuller`",
            "did you mean `full`?",
        ),
        (
            "share: {of: port, boundary: extensio, by: stage, readings: {a: [b]}, more_than: 0}",
            "declares no boundary `extensio`",
            "did you mean `extension`?",
        ),
        ("share: {of: prt, boundary: e, by: stage, readings: {a: [b]}, more_than: 0}", "no system `prt`", "`port`?"),
    ],
)
def test_claims_that_do_not_fit(test: str, what: str, hint: str) -> None:
    problem = only(document(claim=test))
    assert what in problem.what
    assert hint in problem.hint
