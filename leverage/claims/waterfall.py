"""From every tracked file of a side to its amount under a denominator: what falls away at each step, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from leverage.claims.select import Selection, Side, scope, size_column
from leverage.model.amounts import Amount, Unit
from leverage.model.files import State
from leverage.spec.axes import LINES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.claims.select import Mask
    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

TOTAL, LESS = "total", "less"
"""Kinds of step: what is left, and what falls away from it."""

_NARROWED = {
    "boundary": "in components outside the boundary {boundary}",
    "profile": "outside the profile {profile}",
    "purpose": "of another purpose than {purposes}",
    "languages": "in languages outside the set {languages}",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a waterfall.

    Attributes:
        kind: `TOTAL` or `LESS`.
        id: ``tracked``, ``outside``, ``excluded``, ``unknown``, ``counted``, ``boundary``, ``profile``, ``purpose``,
            ``languages``, ``selected``, ``unsized``, ``not-code``, ``copied`` or ``amount``.
        what: in plain words.
        files: number of files.
        lines: physical lines of those that were read.
    """

    kind: str
    id: str
    what: str
    files: int
    lines: int


def waterfall(evidence: Evidence, chosen: Side, denominator: Denominator, size: Amount) -> list[Step]:
    """The steps from all files that the sources of a side track to an amount.

    Every total is the one before it without what falls away in between. Where the unit is a kind of line, the last
    total is the amount itself; else it is the lines of the files that the amount is of.

    Args:
        evidence: the tables.
        chosen: the side; all systems that it has parts of have facts.
        denominator: what is selected.
        size: the amount of the side under it.
    """
    selection, files = Selection(evidence), evidence.files
    owners = list(dict.fromkeys(owner for owner, _ in chosen.parts))
    accounts = [evidence.identities[owner] for owner in owners]
    outside = [group for owner in owners for group in evidence.facts[owner].outside]
    left = Step(
        TOTAL,
        "tracked",
        f"tracked in {', '.join(owners)}",
        sum(one.tracked_files for one in accounts),
        sum(one.tracked_lines for one in accounts),
    )
    lost = Step(LESS, "outside", "outside every component", *_sums((one.files, one.lines) for one in outside))
    steps = [left, lost] if lost.files else [left]
    own = selection.of("system", owners)
    physical = files["physical"].clip(lower=0).to_numpy()

    def less(id_: str, what: str, mask: Mask) -> None:
        if mask.any():
            steps.append(Step(LESS, id_, what, int(mask.sum()), int(physical[mask].sum())))

    def total(id_: str, what: str, mask: Mask) -> None:
        steps.append(Step(TOTAL, id_, what, int(mask.sum()), int(physical[mask].sum())))

    for state in (State.EXCLUDED, State.UNKNOWN):
        mask = own & selection.of("state", [state.value])
        reasons = Counter(files["reason"][mask].tolist())
        less(
            state.value,
            f"{state.value}: {', '.join(f'{why} {count:,}' for why, count in sorted(reasons.items()))}",
            mask,
        )
    keep = own & selection.of("state", [State.COUNTED.value])
    total("counted", "counted", keep)
    words = {
        "boundary": denominator.boundary,
        "profile": chosen.profile,
        "purposes": " or ".join(sorted(one.value for one in set(denominator.purposes))),
        "languages": denominator.languages,
    }
    for name, mask in selection.filters(chosen, denominator).items():
        less(name, _NARROWED[name].format(**words), keep & ~mask)
        keep = keep & mask
    total("selected", f"in this denominator: {scope(replace(denominator, copies='in'))}", keep)
    if size.unit not in LINES:
        return steps
    sizes = files[size_column(size.unit, size.convention)].to_numpy()
    unsized = keep & (sizes < 0)
    less("unsized", f"of a size that is not known in {size.unit.noun}", unsized)
    keep = keep & ~unsized
    left_files, left_lines, sized = int(keep.sum()), int(physical[keep].sum()), int(sizes[keep].sum())
    if size.unit is not Unit.PHYSICAL:
        rule = f" by the {size.convention} rule" if size.unit is Unit.CODE else ""
        steps.append(Step(LESS, "not-code", f"lines that are not {size.unit.noun}{rule}", 0, left_lines - sized))
    if denominator.copies == "out":
        below = evidence.loaded.spec.systems[chosen.system].builds_on or "what it builds on"
        steps.append(Step(LESS, "copied", f"lines that stand verbatim in {below}", 0, sized - size.value))
    if steps[-1].kind == LESS:
        steps.append(Step(TOTAL, "amount", size.unit.noun, left_files, size.value))
    return steps


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    files, lines = 0, 0
    for more_files, more_lines in pairs:
        files, lines = files + more_files, lines + more_lines
    return files, lines
