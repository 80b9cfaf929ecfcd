"""The accounting identity: tracked = counted + excluded (by reason) + unknown (why), in files and in lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.model.files import State
from leverage.model.lines import LineCounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.evidence.facts import SystemFacts
    from leverage.model.units import Unit

OUTSIDE_REASON = "outside-components"


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """Files and lines that ended in one way.

    Attributes:
        state: counted, excluded or unknown.
        reason: slug of the reason.
        rule: what decided.
        files: tracked entries.
        lines: physical lines of those that were read.
        unread: entries whose bytes were not read, so that they have no line count (links, missing objects ...).
    """

    state: State
    reason: str
    rule: str
    files: int
    lines: int
    unread: int


@dataclass(frozen=True, slots=True)
class Identity:
    """The accounts of one system, and the independent totals that they must add up to."""

    system: str
    tracked_files: int
    tracked_lines: int
    accounts: tuple[Account, ...]

    def total(self, state: State) -> tuple[int, int]:
        """Files and lines that ended in a state."""
        chosen = [account for account in self.accounts if account.state is state]
        return sum(account.files for account in chosen), sum(account.lines for account in chosen)


def identity(facts: SystemFacts) -> Identity:
    """Account for every tracked entry of a system.

    Raises:
        AssertionError: the accounts do not add up to the snapshot's own listing; a defect of ours that must never
            reach a report.
    """
    files: Counter[tuple[State, str, str]] = Counter()
    lines: Counter[tuple[State, str, str]] = Counter()
    unread: Counter[tuple[State, str, str]] = Counter()
    for row in facts.files:
        key = (row.disposition.state, row.disposition.reason, row.disposition.rule)
        files[key] += 1
        lines[key] += max(row.physical, 0)
        unread[key] += row.physical < 0
    for group in facts.outside:
        key = (State.EXCLUDED, OUTSIDE_REASON, f"no component includes {group.top}")
        files[key] += group.files
        lines[key] += group.lines
        unread[key] += group.unread
    tracked_lines = sum(max(row.physical, 0) for row in facts.files) + sum(group.lines for group in facts.outside)
    accounts = tuple(sorted(Account(*key, files[key], lines[key], unread[key]) for key in files))
    result = Identity(facts.system, facts.tracked, tracked_lines, accounts)
    totals = [result.total(state) for state in State]
    if (facts.tracked, tracked_lines) != (sum(f for f, _ in totals), sum(n for _, n in totals)):
        raise AssertionError(f"{facts.system}: {facts.tracked} tracked files are not the sum of their accounts")
    for row in facts.files:
        if row.lines is not None and row.lines.physical != row.physical:
            raise AssertionError(f"{facts.system}: the line classes of {row.file.path!r} do not add up to its lines")
    counted = {row.file.path: row.lines for row in facts.files if row.disposition.state is State.COUNTED}
    _check_sizes(facts, counted)
    _check_units(facts, counted)
    return result


def _check_sizes(facts: SystemFacts, lines: Mapping[str, LineCounts | None]) -> None:
    """Extents are of counted files, and no more lines of a file are copied than it has.

    Raises:
        AssertionError: they are not.
    """
    if astray := sorted(facts.extents.keys() - lines.keys()):
        raise AssertionError(f"{facts.system}: {astray[0]!r} has extents and is not counted")
    for path, extent in facts.extents.items():
        if min(extent.compressed, extent.tokens or 0, extent.functions or 0) < 0:
            raise AssertionError(f"{facts.system}: an extent of {path!r} is less than nothing")
    for path, copied in facts.copied.items():
        all_ = lines.get(path)
        if all_ is None or any(part > whole for part, whole in zip(copied.counts, all_.counts, strict=True)):
            raise AssertionError(f"{facts.system}: more of {path!r} is copied than it has")


def _check_units(facts: SystemFacts, lines: Mapping[str, LineCounts | None]) -> None:
    """Units partition their file: every class of line adds up, no two have one name, none lies outside.

    Raises:
        AssertionError: they do not.
    """
    found: dict[str, list[Unit]] = {}
    for row in facts.units:
        found.setdefault(row.path, []).append(row.unit)
    for path, units in found.items():
        whole = lines.get(path)
        if whole is None:
            raise AssertionError(f"{facts.system}: {path!r} has units and is not counted")
        if sum((unit.lines for unit in units), LineCounts()) != whole:
            raise AssertionError(f"{facts.system}: the units of {path!r} do not add up to its lines")
        if len({unit.symbol for unit in units}) != len(units):
            raise AssertionError(f"{facts.system}: two units of {path!r} have one name")
        if not all(1 <= unit.first <= unit.last <= whole.physical for unit in units):
            raise AssertionError(f"{facts.system}: a unit of {path!r} lies outside of it")
