"""The conditions under which a port's figure would transfer to another accelerator, and which hold for which port."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.claims.coupling import touched
from leverage.claims.headline import headline, headline_convention
from leverage.claims.outcome import Input, Outcome, joined
from leverage.claims.releases import SUBSTRATE, fates, indexed
from leverage.claims.select import Gap, Side, amount, side
from leverage.claims.share import departures
from leverage.coupling.releases.hooks import landings, shipped_hooks
from leverage.coupling.releases.matrix import Status
from leverage.evidence.columns import code_column
from leverage.evidence.touchpoints import UNRESOLVED, as_touchpoint
from leverage.model.amounts import Amount
from leverage.model.decisions import Purpose
from leverage.model.touchpoints import TouchKind
from leverage.model.verdicts import Verdict
from leverage.spec.types import Role

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence
    from leverage.spec.types import System

HOLDS, FAILS, PARTLY, MEASURED = "yes", "no", "partly", "measured"
NOT_MEASURED, UNKNOWN = "not measured yet", "unknown"
"""Answers to a condition."""
CHANGING = (TouchKind.MONKEY_PATCH, TouchKind.CONTAINER_MUTATION, TouchKind.CONFIG_KEY)
"""Touchpoints that change state of the substrate."""


@dataclass(frozen=True, slots=True)
class Below:
    """A second stage under a port: its public code lines, or why there is no such figure."""

    system: str
    name: str
    vendor: str
    closed: bool
    code: int | None
    why: str

    @property
    def words(self) -> str:
        """Name and size in plain words."""
        return f"{self.name} ({f'{self.code:,} code lines' if self.code is not None else self.why})"


@dataclass(frozen=True, slots=True)
class Other:
    """A port of another vendor: its size, and in what it differs from the one it is compared with."""

    name: str
    system: str
    vendor: str
    size: Amount
    differs: tuple[str, ...]

    @property
    def words(self) -> str:
        """Name, size and differences in plain words."""
        differs = f": {', '.join(self.differs)}" if self.differs else ""
        return (
            f"{self.name} of {self.vendor or 'a vendor that is not stated'} ({self.size.value:,} code lines{differs})"
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of transfer for one port: its answer and what it rests on."""

    id: str
    question: str
    answer: str
    finding: str


@dataclass(frozen=True, slots=True)
class PortConditions:
    """All conditions for one port; ``name`` carries the profile that was counted."""

    port: str
    name: str
    conditions: tuple[Condition, ...]


def transfer_table(evidence: Evidence) -> list[PortConditions]:
    """The conditions for every port that is declared, in the order of the file."""
    systems = evidence.loaded.spec.systems
    ports = [name for name, system in systems.items() if system.role is Role.EXTENSION]
    return [_port(evidence, name) for name in ports]


def second_stages(evidence: Evidence, port: str) -> list[Below]:
    """What is declared below a port, with the production code that is public."""
    return [_below(evidence, name) for name in evidence.loaded.spec.systems[port].below]


def other_ports(evidence: Evidence, port: str) -> list[Other] | Gap:
    """Ports of other vendors that are cut at the same heights; why not, where the port itself cannot be measured."""
    spec = evidence.loaded.spec
    own = spec.systems[port]
    mine = side(evidence, port, headline(evidence).boundary)
    if isinstance(mine, Gap):
        return mine
    found = []
    for name, system in spec.systems.items():
        if system.role is not Role.EXTENSION or name == port or system.vendor == own.vendor:
            continue
        theirs = side(evidence, name, headline(evidence).boundary)
        size = theirs if isinstance(theirs, Gap) else amount(evidence, theirs, headline(evidence))
        if isinstance(theirs, Side) and isinstance(size, Amount) and theirs.steps == mine.steps:
            found.append(Other(theirs.name, name, system.vendor, size, tuple(_differences(own, mine, system, theirs))))
    return found


def has_second_stage(evidence: Evidence, port: str) -> Outcome:
    """Test: a second stage is declared below a port; what of it is public is counted."""
    below = second_stages(evidence, port)
    expression = f"a system is declared below {port}"
    inputs = tuple(
        Input(one.name, one.system, "" if one.code is None else f"{one.code:,} code lines", why=one.why)
        for one in below
    )
    if not below:
        because = f"nothing is declared below {port}, which says nothing about what there is"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, "a second stage, declared under `below`")
    because = f"declared below {port}: {', '.join(one.words for one in below)}"
    return Outcome(expression, Verdict.HOLDS, because, "a port that makes device programs by itself", inputs)


def has_second_vendor(evidence: Evidence, port: str) -> Outcome:
    """Test: another vendor has a port that is cut at the same heights; what differs is named."""
    expression = f"a declared port of another vendor covers the heights of {port}"
    others = other_ports(evidence, port)
    would = "a port of another vendor on the same torch release with one back end"
    if isinstance(others, Gap) or not others:
        because = others.why if isinstance(others, Gap) else "no measured system here is one; there may be others"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, would)
    inputs = tuple(
        Input(one.name, one.system, f"{one.size.value:,} code lines", note=", ".join(one.differs)) for one in others
    )
    alike = [one for one in others if not one.differs]
    because = joined([one.words for one in (alike or others)])
    if alike:
        return Outcome(expression, Verdict.HOLDS, because, "other revisions", inputs)
    return Outcome(
        expression, Verdict.HOLDS_ONLY_UNDER, f"only where these differences do not count: {because}", would, inputs
    )


def _below(evidence: Evidence, name: str) -> Below:
    system = evidence.loaded.spec.systems[name]
    shown = system.name or name
    if system.source is None:
        return Below(name, shown, system.vendor, True, None, "closed")
    if name not in evidence.facts:
        return Below(name, shown, system.vendor, False, None, f"unknown: {evidence.gaps.get(name, 'no facts')}")
    files = evidence.files
    rows = files[
        (files["system"] == name)
        & (files["state"] == "counted")
        & (files["purpose"] == Purpose.PRODUCTION.value)
        & (files["language_kind"] == "programming")
    ]
    code = int(rows[code_column(headline_convention(evidence))].sum())
    return Below(name, shown, system.vendor, False, code, "")


def _differences(own: System, mine: Side, other: System, theirs: Side) -> list[str]:
    differs = []
    if own.builds_on is None or other.builds_on is None:
        differs.append("the substrate of one of the two is not declared")
    elif other.builds_on != own.builds_on:
        differs.append(f"builds on {other.builds_on}")
    for system, chosen in ((other, theirs), (own, mine)):
        if system.profiles:
            counted = f"the profile {chosen.profile} is counted" if chosen.profile else "all are counted"
            differs.append(f"{chosen.system} has several back ends, {counted}")
    return differs


def _port(evidence: Evidence, name: str) -> PortConditions:
    system = evidence.loaded.spec.systems[name]
    chosen = side(evidence, name, headline(evidence).boundary)
    below = second_stages(evidence, name)
    conditions = (
        _exists(below),
        _public(below),
        _maintained(system, below),
        _departs(evidence, chosen),
        _touches(evidence, name),
        _hook(evidence, name),
        _later(evidence, name),
        _second_vendor(evidence, name),
    )
    return PortConditions(name, chosen.name if isinstance(chosen, Side) else name, conditions)


def _exists(below: list[Below]) -> Condition:
    question = "Does a second-stage compiler exist?"
    if not below:
        return Condition("second-stage", question, UNKNOWN, "none is declared")
    return Condition("second-stage", question, HOLDS, ", ".join(one.name for one in below))


def _public(below: list[Below]) -> Condition:
    question = "Is it public, and how large?"
    if not below:
        return Condition("public", question, UNKNOWN, "none is declared")
    finding = ", ".join(one.words for one in below)
    public = [one for one in below if one.code is not None]
    total = sum(one.code or 0 for one in public)
    answer = HOLDS if len(public) == len(below) else PARTLY if public else UNKNOWN
    if all(one.closed for one in below):
        answer = FAILS
    return Condition("public", question, answer, f"{total:,} code lines: {finding}" if len(public) > 1 else finding)


def _maintained(system: System, below: list[Below]) -> Condition:
    question = "Does somebody else maintain it?"
    if not below:
        return Condition("maintained", question, UNKNOWN, "none is declared")
    vendors = sorted({one.vendor for one in below if one.vendor})
    if not vendors:
        return Condition("maintained", question, NOT_MEASURED, "needs the authors of its commits")
    whose = "the port's own vendor" if vendors == [system.vendor] else "declared vendor"
    finding = f"{whose}: {', '.join(vendors)}; who writes its commits is not measured yet"
    return Condition("maintained", question, NOT_MEASURED, finding)


def _departs(evidence: Evidence, chosen: Side | Gap) -> Condition:
    question = "In how much code does the port depart from Inductor's assumptions?"
    size = chosen if isinstance(chosen, Gap) else amount(evidence, chosen, headline(evidence))
    if isinstance(chosen, Gap) or isinstance(size, Gap):
        return Condition("departs", question, UNKNOWN, size.why if isinstance(size, Gap) else "")
    found = departures(evidence, chosen, headline(evidence))
    finding = f"{found.lines:,} of {found.whole:,} code lines, in {found.files:,} file{'' if found.files == 1 else 's'}"
    finding += f"; {found.glue:,} more are glue that upstream hooks would make vanish" if found.glue else ""
    finding += f"; {found.undetermined:,} more are undetermined" if found.undetermined else ""
    return Condition("departs", question, MEASURED, finding)


def _hook(evidence: Evidence, name: str) -> Condition:
    question = "Has an official hook replaced the patch?"
    found = touched(evidence, name)
    if isinstance(found, Gap):
        return Condition("hook", question, UNKNOWN, found.why)
    releases = indexed()
    sites = [as_touchpoint(row) for row in evidence.facts[name].touched if row.kind != UNRESOLVED]
    matter = [each for each in landings(shipped_hooks(), sites, releases) if each.replaces]
    span = f"{SUBSTRATE} {releases[0].version} to {releases[-1].version}" if releases else "no release"
    if not matter:
        return Condition("hook", question, HOLDS, f"nothing that it changes is what a known hook of {span} is for")
    missing = [each for each in matter if not each.versions]
    there = [each for each in matter if each.versions]
    told = [f"none of {span} has what `{each.replaces[0]}` is patched for ({each.hook.what})" for each in missing]
    told += [f"`{each.name}`, since {each.since}, could take the place of `{each.replaces[0]}`" for each in there]
    return Condition("hook", question, FAILS if missing else PARTLY, joined(told))


def _later(evidence: Evidence, name: str) -> Condition:
    question = "What do later releases do to the names that it touches?"
    found = fates(evidence, name)
    if isinstance(found, Gap):
        return Condition("later-releases", question, UNKNOWN, found.why)
    told = [
        f"{one.version}: {one.by_status.get(Status.GONE, 0):,} gone, "
        f"{one.by_status.get(Status.SIGNATURE_CHANGED, 0):,} signatures and "
        f"{one.by_status.get(Status.BODY_CHANGED, 0):,} bodies changed"
        for one in found[1:]
    ]
    first = f"of {found[0].names:,} names as {SUBSTRATE} {found[0].pin} has them"
    finding = f"{first}; {'; '.join(told)}" if told else f"{first}; no later release is indexed"
    return Condition("later-releases", question, MEASURED, finding)


def _touches(evidence: Evidence, name: str) -> Condition:
    question = "In how many places does the port change or touch its substrate?"
    found = touched(evidence, name)
    if isinstance(found, Gap):
        return Condition("touches", question, UNKNOWN, found.why)
    whole, patches = found.whole, found.of(TouchKind.MONKEY_PATCH)
    changing = [one.sites for kind in CHANGING if (one := found.of(kind)) is not None]
    finding = (
        f"{sum(changing):,} of {whole.sites:,} places change it, {patches.sites if patches else 0:,} of them by a "
        f"monkey patch; {whole.private:,} places touch a private symbol"
    )
    finding += f"; {found.unresolved:,} more could not be resolved" if found.unresolved else ""
    return Condition("touches", question, MEASURED, finding)


def _second_vendor(evidence: Evidence, name: str) -> Condition:
    question = "Has a second vendor a comparable port?"
    others = other_ports(evidence, name)
    if isinstance(others, Gap) or not others:
        why = others.why if isinstance(others, Gap) else "none among the systems here"
        return Condition("second-vendor", question, UNKNOWN, why)
    alike = [one for one in others if not one.differs]
    finding = ", ".join(one.words for one in others)
    return Condition("second-vendor", question, HOLDS if alike else PARTLY, finding)
