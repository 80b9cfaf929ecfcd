"""Denominators in words."""

from __future__ import annotations

from leverage.measure.conventions import CONVENTIONS
from leverage.model.amounts import Unit
from leverage.spec.types import Denominator

LANGUAGES = {
    "programming": "in all programming languages",
    "compiler": "in the languages that compilers are written in",
    "python": "in Python",
    "cpp": "in C, C++ and CUDA",
    "all": "in every language, data and prose included",
}

BOUNDARIES = {
    "extension": "the compiler part at the height of an Inductor extension",
    "plugin": "the compiler part and its run-time",
    "with_second_stage": "the compiler part, its run-time and the public second stage below it",
    "with_substrate": "the compiler part and the substrate it builds on",
}


def sentence(denominator: Denominator) -> str:
    """A denominator in one plain phrase: what is counted, of which files, within which boundary."""
    unit = Unit(denominator.unit)
    what = unit.noun
    if unit is Unit.CODE:
        what = f"{what} by the rule of {CONVENTIONS[denominator.convention].title}"
    purposes = " and ".join(sorted(purpose.value for purpose in set(denominator.purposes)))
    boundary = BOUNDARIES.get(denominator.boundary, f"the boundary {denominator.boundary}")
    return f"{what} of {purposes} files {LANGUAGES[denominator.languages]}, {boundary}"
