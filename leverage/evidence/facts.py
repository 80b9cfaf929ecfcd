"""The facts of one system: what is stored, shipped and verified. Counts only; opinions are computed from them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leverage.measure.extents import Extent
    from leverage.model.decisions import Decision
    from leverage.model.files import FileFacts
    from leverage.model.lines import LineCounts
    from leverage.model.provenance import Provenance
    from leverage.model.units import Unit
    from leverage.spec.types import System


@dataclass(frozen=True, slots=True, order=True)
class OutsideGroup:
    """Tracked files outside every declared component, by top-level folder.

    Attributes:
        top: first part of the path with a trailing slash, or ``.`` for files at the root.
        files: number of tracked entries.
        lines: physical lines of those that were read.
        unread: number of entries whose bytes were not read.
    """

    top: str
    files: int
    lines: int
    unread: int


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """A line of a file at the pin; ``blob`` is the git blob id of its content."""

    path: str
    line: int
    blob: str


@dataclass(frozen=True, slots=True)
class ProbeFact:
    """What a probe found in the source of its system.

    Attributes:
        probe: id in `repos.yaml`.
        declared: digest of what was looked for.
        kind: one of `leverage.spec.claimcheck.KINDS`.
        value: an exact number such as ``67108864`` or ``1/5``, or ``yes`` or ``no``; empty where it is not known.
        sites: lines that decided, the first few.
        found: number of such lines.
        searched: number of files that were looked into.
        environment: environment variables whose defaults the value rests on; whoever sets one changes it.
        why: why there is no value, or why the answer is no.
    """

    probe: str
    declared: str
    kind: str
    value: str = ""
    sites: tuple[Site, ...] = ()
    found: int = 0
    searched: int = 0
    environment: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, order=True)
class ReachFact:
    """A function of a system, and whether it may run when those of a probe that `reaches` run.

    Attributes:
        probe: id of the probe.
        path: its file.
        first: line of its first decorator or of its head, from 1.
        last: its last line.
        symbol: dotted name in the file.
        reached: ``yes`` where it may run.
        lines: those of it, and of what is inside it, that belong to no other row: a function inside another belongs to
            that, unless it alone is reached.
    """

    probe: str
    path: str
    first: int
    last: int
    symbol: str
    reached: str
    lines: LineCounts = field(compare=False)


@dataclass(frozen=True, slots=True)
class UnitFact:
    """A unit of code with a decision of its own, in a file whose parts are not all alike."""

    path: str
    unit: Unit
    decision: Decision


@dataclass(frozen=True, slots=True)
class TouchFact:
    """A place where a port touches its substrate, or may touch it: a `Touchpoint` without the steps and source texts.

    Attributes:
        path: file.
        line: line of the statement, from 1.
        column: column of the expression, from 0.
        kind: a `TouchKind`, or ``unresolved`` for a place that could not be resolved.
        form: how, as a slug; of a place that could not be resolved, the kind that it would be.
        symbol: upstream symbol, canonical and dotted; empty where it could not be resolved.
        members: the names that a dynamic last part ranges over, with a space between them.
        scope: what a change reaches.
        restored: ``yes`` where the same owner and name are put back.
        wraps: ``yes`` where a patch or override calls the original, ``no`` where it replaces it; else empty.
        effect: for a patch, ``patch``, ``add`` or ``unknown``; else empty.
        guarded: ``yes`` where conditions around it ask for a version or for existence.
        resolution: how the receiver was resolved.
        certainty: how sure that is.
        within: the port's function or class that holds it.
        detail: more, in words; why it could not be resolved.
    """

    path: str
    line: int
    column: int
    kind: str
    form: str
    symbol: str
    members: str = ""
    scope: str = ""
    restored: str = ""
    wraps: str = ""
    effect: str = ""
    guarded: str = ""
    resolution: str = ""
    certainty: str = ""
    within: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """Everything measured about one system.

    Attributes:
        system: id in `repos.yaml`.
        provenance: where the facts come from.
        scope: digest of the component globs that the facts were measured for; other globs need another measurement.
        tracked: number of entries in the snapshot's own listing, counted before anything was decided about them.
        files: files inside the declared components, sorted by path.
        outside: the rest of the tree, so that nothing tracked vanishes.
        probes: what was found for the probes of the system.
        extents: sizes of counted files that no line gives, by path; a file without is unknown.
        units: units that were decided apart from their file, by path, then as they stand in it; together they are the
            lines of each file that has some.
        decided_by: digest of the rules that decided them.
        copied: lines of counted files that stand verbatim in what the system builds on, by path; a file without any has
            no entry.
        copied_from: tree of what they were looked for in; empty where nothing was looked for.
        reached: what may run with the functions that probes name, by probe, path and line.
        touched: where the production Python of a port touches its substrate, in order of paths, lines and columns.
        touched_by: version of what found them; empty where nothing was looked for.
        touched_against: tree of the substrate that was asked which names it has; empty where it was not at hand.
    """

    system: str
    provenance: Provenance
    scope: str
    tracked: int
    files: tuple[FileFacts, ...]
    outside: tuple[OutsideGroup, ...]
    probes: tuple[ProbeFact, ...] = ()
    extents: Mapping[str, Extent] = field(default_factory=dict)
    units: tuple[UnitFact, ...] = ()
    decided_by: str = ""
    copied: Mapping[str, LineCounts] = field(default_factory=dict)
    copied_from: str = ""
    reached: tuple[ReachFact, ...] = ()
    touched: tuple[TouchFact, ...] = ()
    touched_by: str = ""
    touched_against: str = ""


def scope_digest(system: System) -> str:
    """Digest of what decides which files are inside: the globs of all components, in order of their ids."""
    globs = {
        name: [list(part.include), list(part.exclude), sorted(part.exclude_components)]
        for name, part in sorted(system.components.items())
    }
    text = json.dumps(globs, sort_keys=True, ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
