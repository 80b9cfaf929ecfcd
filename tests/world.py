"""A small world for tests: a closed baseline, two stand-ins and a port, with facts that are stated, not measured."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from leverage.evidence.build import Evidence, build
from leverage.evidence.facts import OutsideGroup, SystemFacts, UnitFact, scope_digest
from leverage.evidence.units import rules_digest
from leverage.measure.extents import Extent
from leverage.model.files import COUNTED, Disposition, FileFacts, SourceFile, State
from leverage.model.lines import LineCounts
from leverage.model.provenance import Origin, Pin, Provenance
from leverage.spec.load import LoadedSpec, parse_spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.model.decisions import Decision
    from leverage.model.units import Unit

COMMIT = "0123456789abcdef0123456789abcdef01234567"

SPEC = f"""\
version: 1
title: a small world
systems:
  closed:
    role: from_scratch
    reported: [{{figure: size_ratio, over: port, value: 7, by: somebody, source: a talk}}]
    needed: its source
  port:
    role: extension
    source: {{git: https://example.org/port, commit: "{COMMIT}"}}
    components:
      core: {{include: ["core/**"], height: [graph, tile_ir]}}
      rest: {{include: ["rest/**"], height: [runtime]}}
      tests: {{include: ["tests/**"], purpose: test}}
    boundaries: {{extension: [core], plugin: [core, rest], all: [core, rest, tests]}}
    profiles:
      narrow: {{exclude: ["core/other/**"]}}
  like:
    role: from_scratch
    stands_in_for: closed
    source: {{git: https://example.org/like, commit: "{COMMIT}"}}
    components:
      upper: {{include: ["upper/**"], height: [graph, loop_ir]}}
      tiles: {{include: ["tiles/**"], height: [loop_ir, tile_ir]}}
      rest: {{include: ["rest/**"], height: [runtime]}}
    boundaries: {{extension: [upper, tiles], plugin: [upper, tiles, rest]}}
  tall:
    role: from_scratch
    stands_in_for: closed
    source: {{git: https://example.org/tall, commit: "{COMMIT}"}}
    components:
      whole: {{include: ["whole/**"], height: [graph, binary]}}
    boundaries: {{extension: [whole]}}
compare: {{left: closed, right: port, headline: code}}
denominators:
  code: {{boundary: extension}}
  physical: {{boundary: extension, unit: physical}}
  bytes: {{boundary: extension, unit: bytes}}
  files: {{boundary: extension, unit: files}}
  built: {{boundary: extension, purposes: [production, build]}}
  plugin: {{boundary: plugin}}
  tested: {{boundary: all, purposes: [production, test]}}
claims:
  seven:
    text: about 7x smaller
    wording: paraphrase
    by: somebody
    source: a talk
    ratio_of: [closed, port]
    value: 7
"""

FILES: dict[str, list[tuple[str, str, int]]] = {
    "port": [
        ("core/a.py", "python", 60),
        ("core/other/b.py", "python", 40),
        ("core/CMakeLists.txt", "cmake", 10),
        ("rest/c.cpp", "cpp", 50),
        ("tests/t.py", "python", 200),
    ],
    "like": [("upper/u.cpp", "cpp", 500), ("tiles/t.cpp", "cpp", 190), ("rest/r.cpp", "cpp", 30)],
    "tall": [("whole/w.cpp", "cpp", 900)],
}
"""By system: path, language, code lines. Each file has one comment and one blank line more."""


def fact(path: str, language: str, code: int, disposition: Disposition = COUNTED) -> FileFacts:
    """A file with a stated number of code lines, one comment and one blank line, ten bytes a line."""
    lines = LineCounts(code=code, comment=1, blank=1)
    blob = hashlib.sha1(path.encode(), usedforsecurity=False).hexdigest()
    return FileFacts(
        SourceFile(path, blob, 10 * lines.physical), disposition, language, "suffix", lines.physical, code + 1, lines
    )


def unknown(path: str, *, physical: int = -1, size: int = -1) -> FileFacts:
    """A file whose content or language is not known."""
    nonblank = physical
    return FileFacts(
        SourceFile(path, "", size), Disposition(State.UNKNOWN, "object-missing", "git"), "", "", physical, nonblank
    )


def facts(
    loaded: LoadedSpec, system: str, rows: Sequence[FileFacts], *, outside: Sequence[OutsideGroup] = ()
) -> SystemFacts:
    """Facts of a system with a made-up pin; a counted file has 4 compressed bytes and 5 tokens a line of code, and one
    function for every ten."""
    ordered = tuple(sorted(rows, key=lambda row: row.file.path))
    return SystemFacts(
        system,
        Provenance(
            Origin.MEASURED,
            Pin("git", COMMIT, "f" * 40, "2026-06-24T00:00:00Z"),
            f"https://example.org/{system}",
            f"https://example.org/{system}",
            "0.1.0",
            "1",
        ),
        scope_digest(loaded.spec.systems[system]),
        len(ordered) + sum(group.files for group in outside),
        ordered,
        tuple(outside),
        extents={
            row.file.path: Extent(4 * row.lines.code, 5 * row.lines.code, row.lines.code // 10)
            for row in ordered
            if row.disposition == COUNTED and row.lines is not None
        },
    )


def cut(stated: SystemFacts, decided: Mapping[str, Sequence[tuple[Unit, Decision]]]) -> SystemFacts:
    """The facts with some files decided in parts, as where there is no pack."""
    units = tuple(UnitFact(path, *each) for path in sorted(decided) for each in decided[path])
    return replace(stated, units=units, decided_by=rules_digest(None))


@cache
def _parsed(spec: str) -> LoadedSpec:
    return parse_spec(spec.encode(), "repos.yaml")


def world(
    spec: str = SPEC,
    files: Mapping[str, Sequence[FileFacts]] | None = None,
    gaps: Mapping[str, str] | None = None,
) -> Evidence:
    """Evidence of the small world; ``files`` replaces the rows of the systems that it names."""
    loaded = _parsed(spec)
    rows: dict[str, Sequence[FileFacts]] = {
        name: [fact(*row) for row in stated] for name, stated in FILES.items() if name in loaded.spec.systems
    }
    rows.update(files or {})
    missing = dict(gaps or {})
    return build(
        loaded, {name: facts(loaded, name, stated) for name, stated in rows.items() if name not in missing}, missing, {}
    )
