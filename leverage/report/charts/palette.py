"""Colours of figures by meaning: Okabe and Ito's palette, which people with colour-vision deficiency can tell apart.

Each colour has a name that becomes a class in the SVG (``f-blue`` for fills, ``s-blue`` for strokes), so the page's
style sheet can recolour figures for a dark screen. Figures on their own keep the light value as an attribute. Colour is
never the only channel: marks differ in shape too, and what is not known is hatched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.report import lookup

if TYPE_CHECKING:
    from leverage.report.view import ReportV1


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour by meaning, as ``#rrggbb``, for light and for dark paper. The light values are all different."""

    name: str
    light: str
    dark: str


INK = Colour("ink", "#1b1f24", "#e8e6e1")
MUTED = Colour("muted", "#5a626c", "#a3abb5")
RULE = Colour("rule", "#b4bac2", "#525a64")
FAINT = Colour("faint", "#e4e7eb", "#2c3239")
BAND = Colour("band", "#f4f5f7", "#1f242a")
PAPER = Colour("paper", "#fffffe", "#15181c")
HATCH = Colour("hatch", "#8d959f", "#7d8690")
CLAIM = Colour("claim", "#c24f00", "#f08a3c")
NEED = Colour("need", "#f6d3b8", "#5a3a20")
BLUE = Colour("blue", "#0072b2", "#56b4e9")
ORANGE = Colour("orange", "#b97f00", "#e69f00")
GREEN = Colour("green", "#00805d", "#2fc799")
PURPLE = Colour("purple", "#a8557f", "#d68fb2")
SKY = Colour("sky", "#3a87b5", "#8fd0f5")
STONE = Colour("stone", "#6f6a5e", "#b9b3a4")

COLOURS = (INK, MUTED, RULE, FAINT, BAND, PAPER, HATCH, CLAIM, NEED, BLUE, ORANGE, GREEN, PURPLE, SKY, STONE)
SERIES = ((BLUE, "o"), (ORANGE, "D"), (GREEN, "s"), (PURPLE, "^"), (SKY, "v"), (STONE, "P"))
"""Colour and marker shape of the n-th series."""


def series(index: int) -> tuple[Colour, str]:
    """Colour and marker of a series; they repeat after the sixth, where the label has to tell."""
    return SERIES[index % len(SERIES)]


def series_of(report: ReportV1) -> dict[str, tuple[Colour, str]]:
    """Colour and marker of each system, the same in every figure: stand-ins first, the side they are held against last.

    The right side of the comparison is drawn in ink.
    """
    right = lookup.sides(report)[1]
    pairs = [pair for item in report.denominators for pair in item.pairs if pair.numerator is not None]
    # Stand-ins keep their marks when the side that they stand in for becomes measured.
    names = [pair.left for pair in sorted(pairs, key=lambda pair: not pair.stands_in_for)]
    rest = [name for name in dict.fromkeys([*names, *report.stages.systems]) if lookup.base(name) != lookup.base(right)]
    drawn = {name: series(index) for index, name in enumerate(rest)}
    return drawn | {
        name: (INK, "o") for name in [right, *report.stages.systems] if lookup.base(name) == lookup.base(right)
    }


def style_rules() -> str:
    """The style rules that let a page recolour figures: variables for both schemes and one class per use."""
    light = "".join(f"--c-{colour.name}:{colour.light};" for colour in COLOURS)
    dark = "".join(f"--c-{colour.name}:{colour.dark};" for colour in COLOURS)
    uses = "".join(
        f".f-{colour.name}{{fill:var(--c-{colour.name})}}.s-{colour.name}{{stroke:var(--c-{colour.name})}}\n"
        for colour in COLOURS
    )
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{uses}"
