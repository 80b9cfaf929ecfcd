"""Sentences about touchpoints, copies and what ran, computed from the report's own figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.report import lookup
from leverage.report.findings import listed
from leverage.report.format import count_text, part_text, plural

if TYPE_CHECKING:
    from leverage.report.view import CouplingView, LeverageView, PatchView, ReportV1, TouchTotalView

PATCHES = ("monkey patch", "monkey patches")
_SCOPES = {"global": "for the whole process", "instance": "on one object"}


def coupling_finding(report: ReportV1) -> str:
    """What the port of the comparison touches, copies and stands on; of the first port where there is none."""
    right = lookup.base(lookup.sides(report)[1])
    port = next((one for one in report.coupling if one.port == right), next(iter(report.coupling), None))
    if port is None:
        return "No port is declared, so nothing is coupled."
    if port.why:
        return f"Where {port.port} touches its substrate is not known."
    whole, patches = port.totals[-1], total_of(port, "monkey_patch")
    sentence = f"{port.port} touches its substrate in {plural(whole.sites, 'place')}"
    sentence += f", {count_text(patches.sites)} of them {PATCHES[patches.sites != 1]}" if patches else ""
    ran = next((one for one in report.leverage if one.port == port.port), None)
    if ran is not None and ran.substrate.for_each:
        below, own = count_text(ran.substrate.run), count_text(ran.own.run - ran.copied)
        sentence += f"; while {plural(len(ran.models), 'model')} compiled, {below} lines of it ran for {own} own ones"
        sentence += f" ({ran.substrate.for_each})"
    return f"{sentence}."


def total_of(port: CouplingView, kind: str) -> TouchTotalView | None:
    """The total of one kind; None where there is none of it."""
    return next((one for one in port.totals if one.kind == kind), None)


def touched_text(port: CouplingView) -> str:
    """The totals of a port in a sentence or three."""
    whole, patches = port.totals[-1], total_of(port, "monkey_patch")
    text = (
        f"{plural(whole.sites, 'place')} in {plural(whole.files, 'file')} touch "
        f"{plural(port.symbols, 'upstream symbol')}; "
        f"{part_text(whole.private, whole.sites)} of the places touch a private one."
    )
    if patches:
        told = [
            f"{count_text(port.effects.get(effect, 0))} {words}"
            for effect, words in (
                ("patch", "of a name that upstream has"),
                ("add", "of a name that it has not"),
                ("unknown", "of which that is not known"),
            )
            if port.effects.get(effect)
        ]
        text += f" {plural(patches.sites, *PATCHES)}: {listed(told)}; {count_text(patches.restored)} are put back."
    if not port.against:
        text += " The source of its substrate was not at hand, so fewer overrides are found."
    if port.unresolved:
        text += f" {plural(port.unresolved, 'further place')} could not be resolved."
    return text


def patch_text(patch: PatchView) -> str:
    """What a patch does, in words."""
    words = {"patch": "replaces", "add": "adds"}.get(patch.effect, "binds")
    if patch.effect != "add":
        words = {"yes": "wraps", "no": words}.get(patch.wraps, words)
    parts = [f"{words}, {_SCOPES.get(patch.scope, patch.scope)}"]
    if patch.restored:
        parts.append("put back")
    if patch.guarded:
        parts.append("only under conditions")
    return ", ".join(parts)


def environment_text(one: LeverageView) -> str:
    """What models compiled in: versions of what was traced, then of the rest that matters."""
    traced = [f"{name} {version}" for name, version in one.versions.items() if version]
    python = one.environment.get("python", "")
    return ", ".join([*traced, *([f"Python {python}"] if python else [])]) or "versions not stated"


def stage_runs(report: ReportV1, one: LeverageView) -> list[tuple[str, int]]:
    """Own lines that ran, by the title of their stage, most first."""
    titles = {term.id: term.title for term in report.stages.stages}
    ordered = sorted(one.stages.items(), key=lambda each: (-each[1], each[0]))
    return [(titles.get(stage, stage), lines) for stage, lines in ordered]
