"""What must fit together in the `claims` and `probes` of `repos.yaml`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.model.exact import Exact, Refused, compared, names_in
from leverage.spec.findings import Finding, positive, refers
from leverage.spec.globs import glob_fault
from leverage.spec.select import parse_side
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.spec.schema import KeyPath
    from leverage.spec.types import Claim, Probe, Share, Spec, Untouched

KINDS = ("constant", "define", "assigns", "calls", "names", "counts", "settings", "reaches")
"""Keys of a probe of which it has exactly one."""
SEARCHING = ("assigns", "counts")
"""Those whose path may be a pattern."""
NUMBERS = ("constant", "define", "counts", "settings", "reaches")
"""Those whose value is a number."""
TESTS = (
    "ratio_of",
    "arithmetic",
    "found",
    "share",
    "consistent",
    "touches",
    "left_alone",
    "runs_beneath",
    "decided_in",
    "second_stage_of",
    "second_vendor_of",
    "awaits",
    "needs",
)
"""Keys of a claim of which it has at most one."""

_WILD = re.compile(r"[*?\[]")


def probe_kind(probe: Probe) -> str:
    """The one key of `KINDS` that a probe has."""
    return next(kind for kind in KINDS if getattr(probe, kind))


def claim_kind(claim: Claim) -> str:
    """The one key of `TESTS` that a claim has; empty where nothing tests it."""
    return next((kind for kind in TESTS if getattr(claim, kind)), "")


def check_claims(spec: Spec) -> Iterator[Finding]:
    """Everything that does not fit."""
    above: set[str] = set()
    for name, probe in spec.probes.items():
        yield from _probe(spec, ("probes", name), probe, above)
        above.add(name)
    for name, claim in spec.claims.items():
        yield from _claim(spec, ("claims", name), claim)


def _probe(spec: Spec, here: KeyPath, probe: Probe, above: set[str]) -> Iterator[Finding]:
    yield from refers(spec.systems, probe.system, (*here, "system"), "system")
    if probe.system in spec.systems and spec.systems[probe.system].source is None:
        what = f"{shown(probe.system)} has no source that could be read"
        yield Finding((*here, "system"), "bad-reference", what, "name a system with `source:`, or delete the probe")
    kinds = [kind for kind in KINDS if getattr(probe, kind)]
    if len(kinds) != 1:
        what = f"the probe {shown(str(here[-1]))} looks for {'nothing' if not kinds else 'several things at once'}"
        yield Finding(here, "bad-value", what, f"give it exactly one of {', '.join(map(shown, KINDS))}")
        return
    kind = kinds[0]
    if (kind in {"calls", "names"}) != (probe.within is not None):
        what = f"{shown('within')} is the function in which {shown('calls')} and {shown('names')} are looked for"
        yield Finding(here, "bad-value", what, "add it there, and delete it elsewhere")
    if _WILD.search(probe.path) and kind not in SEARCHING:
        what = f"the path of a {shown(kind)} cannot be a pattern"
        yield Finding((*here, "path"), "bad-value", what, "name one file; only `assigns` and `counts` search many")
    if probe.namespace and kind != "counts":
        what = f"{shown('namespace')} belongs to {shown('counts')}"
        yield Finding((*here, "namespace"), "bad-value", what, "delete it")
    if fault := glob_fault(probe.path):
        yield Finding((*here, "path"), "bad-glob", f"the path {shown(probe.path)} {fault[0]}", fault[1])
    if probe.given and kind != "constant":
        what = f"{shown('given')} belongs to {shown('constant')}"
        yield Finding((*here, "given"), "bad-value", what, "delete it")
    for name, value in probe.given.items():
        if isinstance(value, str) and not value[0].isdigit():
            yield from _given(spec, (*here, "given", name), probe, value, above)


def _given(spec: Spec, path: KeyPath, probe: Probe, value: str, above: set[str]) -> Iterator[Finding]:
    if value not in above:
        hint = did_you_mean(value, above, "probes above")
        yield Finding(path, "unknown-reference", f"there is no probe {shown(value)} above", hint, about="probes")
    elif spec.probes[value].system != probe.system:
        what = f"{shown(value)} is a probe of another system"
        yield Finding(path, "bad-reference", what, "name a probe of the same system, or write the number")


def _claim(spec: Spec, here: KeyPath, claim: Claim) -> Iterator[Finding]:
    tests = [kind for kind in TESTS if getattr(claim, kind)]
    if len(tests) > 1:
        what = f"the claim {shown(str(here[-1]))} is tested in {len(tests)} ways: {', '.join(map(shown, tests))}"
        why = "one verdict cannot say which of them decided"
        yield Finding((*here, tests[1]), "bad-value", what, "keep one, and make a claim of its own of the other", why)
    if claim.value is not None:
        yield from positive(claim.value, (*here, "value"))
    yield from _systems(spec, here, claim)
    yield from _probes(spec, here, claim)
    if claim.share is not None:
        yield from _share(spec, (*here, "share"), claim.share)
    if claim.decided_in is not None:
        yield from _boundary(spec, (*here, "decided_in"), claim.decided_in.of, claim.decided_in.boundary)
        yield from _probe_of(spec, (*here, "decided_in", "reach"), claim.decided_in.reach, ("reaches",))
    if claim.left_alone is not None:
        for reading, one in claim.left_alone.readings.items():
            yield from _untouched(spec, (*here, "left_alone", "readings", reading), one)


def _systems(spec: Spec, here: KeyPath, claim: Claim) -> Iterator[Finding]:
    for index, side in enumerate(claim.ratio_of or ()):
        yield from refers(spec.systems, side, (*here, "ratio_of", index), "system")
    for key, port in (("second_stage_of", claim.second_stage_of), ("second_vendor_of", claim.second_vendor_of)):
        if port is not None:
            yield from refers(spec.systems, port, (*here, key), "system")
    for key in ("touches", "left_alone", "runs_beneath"):
        test = getattr(claim, key)
        if test is not None:
            yield from refers(spec.systems, test.of, (*here, key, "of"), "system")


def _probes(spec: Spec, here: KeyPath, claim: Claim) -> Iterator[Finding]:
    for key, names in (("found", claim.found), ("inputs", claim.inputs)):
        for index, name in enumerate(names):
            yield from refers(spec.probes, name, (*here, key, index), "probe")
    for index, name in enumerate(claim.found):
        if name in spec.probes and probe_kind(spec.probes[name]) in NUMBERS:
            what = f"{shown(name)} is a number, which is neither true nor false"
            yield Finding((*here, "found", index), "bad-reference", what, "compare it under `arithmetic`")
    for reading, text in claim.arithmetic.items():
        yield from _comparison(spec, (*here, "arithmetic", reading), text)


def _comparison(spec: Spec, path: KeyPath, text: str) -> Iterator[Finding]:
    names = names_in(text)
    for name in sorted(names):
        yield from refers(spec.probes, name, path, "probe")
    # With a stand-in for every probe what is left to be refused is the form.
    form = compared(text, {name: Exact(Fraction(3 + 2 * at)) for at, name in enumerate(sorted(names))})
    if isinstance(form, Refused):
        what = f"{shown(text)} cannot be tested: {form.why}"
        yield Finding(path, "bad-value", what, "write one comparison of numbers and probes, such as `a * b == 64`")


def _probe_of(spec: Spec, path: KeyPath, name: str, kinds: tuple[str, ...]) -> Iterator[Finding]:
    yield from refers(spec.probes, name, path, "probe")
    if name in spec.probes and probe_kind(spec.probes[name]) not in kinds:
        what = f"{shown(name)} is a probe of another kind"
        yield Finding(path, "bad-reference", what, f"name one that has {' or '.join(map(shown, kinds))}")


def _untouched(spec: Spec, here: KeyPath, one: Untouched) -> Iterator[Finding]:
    ways = [key for key in ("by", "probe", "ran") if getattr(one, key)]
    if len(ways) != 1:
        what = "a reading counts in exactly one way"
        yield Finding(here, "bad-value", what, f"give it one of {', '.join(map(shown, ('by', 'probe', 'ran')))}")
        return
    for key in ("probe", "of"):
        if (name := getattr(one, key)) is not None:
            yield from _probe_of(spec, (*here, key), name, NUMBERS)
    if (one.of is None) != (ways == ["ran"] or one.by == "module"):
        what = f"{shown('of')} counts all of what is touched; lines and modules are counted without it"
        yield Finding(here, "bad-value", what, "add it there, and delete it elsewhere")


def _share(spec: Spec, here: KeyPath, share: Share) -> Iterator[Finding]:
    yield from _boundary(spec, here, share.of, share.boundary)


def _boundary(spec: Spec, here: KeyPath, of: str, boundary: str) -> Iterator[Finding]:
    system, profile = parse_side(of)
    if system not in spec.systems:
        yield from refers(spec.systems, system, (*here, "of"), "system")
        return
    if profile:
        yield from refers(spec.systems[system].profiles, profile, (*here, "of"), "profile")
    boundaries = spec.systems[system].boundaries
    if boundary not in boundaries:
        what = f"{shown(system)} declares no boundary {shown(boundary)}"
        hint = did_you_mean(boundary, boundaries, "boundaries")
        yield Finding((*here, "boundary"), "unknown-reference", what, hint, about="boundaries")
