"""The small world with families, for the tests of the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.claims.members import Grid, Row, whole_grid
from tests.world import SPEC, world

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leverage.evidence.build import Evidence
    from leverage.model.files import FileFacts

FAMILIES = """\
families:
  edge: {vary: {boundary: [extension, plugin, all]}}
  counting: {vary: {unit: all, convention: [leverage, cloc, physical]}}
  scope: {vary: {purpose: all, languages: [programming, python, cpp]}}
  everything:
    product: [edge, counting, scope]
    without: [{where: {unit: [files], languages: [python, cpp]}, why: it says how files are cut}]
"""


def family_world(
    files: Mapping[str, Sequence[FileFacts]] | None = None, *, families: str = FAMILIES, spec: str = SPEC
) -> Evidence:
    return world(spec + families, files)


def grid_of(files: Mapping[str, Sequence[FileFacts]] | None = None, *, families: str = FAMILIES) -> Grid:
    return whole_grid(family_world(files, families=families))


def row_of(grid: Grid, member: str) -> Row:
    return next(row for row in grid.rows if row.member.id == member)
