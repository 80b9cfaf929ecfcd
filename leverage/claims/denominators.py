"""Denominators in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.measure.conventions import CONVENTIONS
from leverage.model.amounts import Unit

if TYPE_CHECKING:
    from leverage.spec.types import Denominator

LANGUAGES = {
    "programming": "in programming languages",
    "compiler": "in the languages that compilers are written in",
    "python": "in Python",
    "cpp": "in C, C++ and CUDA",
    "all": "in every language, data and prose included",
}

BOUNDARIES = {
    "extension": "cut at the height of an Inductor extension",
    "plugin": "the extension and its run-time",
    "with_second_stage": "extension, run-time and public second stage",
    "with_substrate": "the extension and the substrate it builds on",
}


def sentence(denominator: Denominator) -> str:
    """A denominator in one plain phrase: what is counted, of which files, within which boundary."""
    unit = Unit(denominator.unit)
    purposes = " and ".join(sorted(purpose.value for purpose in set(denominator.purposes)))
    what = f"{purposes} {unit.noun}"
    if unit is Unit.CODE:
        what = f"{what} by the {CONVENTIONS[denominator.convention].title} rule"
    boundary = BOUNDARIES.get(denominator.boundary, f"boundary {denominator.boundary}")
    own = ", without lines that stand in what a side builds on" if denominator.copies == "out" else ""
    return f"{what} {LANGUAGES[denominator.languages]}, {boundary}{own}"
