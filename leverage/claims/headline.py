"""What everything that has no denominator of its own is measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.spec.types import Denominator

if TYPE_CHECKING:
    from leverage.evidence.build import Evidence

DEFAULT_BOUNDARY = "extension"


def headline_convention(evidence: Evidence) -> str:
    """The convention of the headline denominator; the default one where no comparison is declared."""
    spec = evidence.loaded.spec
    return (
        spec.denominators[spec.compare.headline].convention if spec.compare else Denominator(boundary="any").convention
    )


def headline(evidence: Evidence) -> Denominator:
    """What ports are measured by: the boundary and convention of the headline, production code."""
    spec = evidence.loaded.spec
    boundary = spec.denominators[spec.compare.headline].boundary if spec.compare else DEFAULT_BOUNDARY
    return Denominator(boundary=boundary, convention=headline_convention(evidence))
