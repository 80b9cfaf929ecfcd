"""The badge: one line that never shows a ratio without what it is a ratio of and what was counted.

Two forms of the same text: `badge.svg`, which loads nothing, and `badge.json` for services that draw badges from an
endpoint (the format of shields.io, version 1). The colour says whether there is a ratio, never whether it is good: a
size is not a grade.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from leverage.report import lookup
from leverage.report.display import name, prose
from leverage.report.findings import listed, stood_in

if TYPE_CHECKING:
    from leverage.report.view import DenominatorView, ReportV1

KNOWN, STOOD_IN, NONE = "#00609a", "#6f6a5e", "#5a626c"
"""Colours: a ratio of the two sides; ratios of stand-ins alone; no ratio. White text on each can be read."""
LONGEST_SIDE = 40
"""Characters of a system's id that are shown."""
LONGEST = 160
"""Characters of each half."""
LONGEST_TITLE = 400
HEIGHT, PADDING = 20, 7
_NARROW, _WIDE = frozenset("ijlftrI.,:;'|!()[] "), frozenset("mwMW@%")
_FONT = "Verdana,DejaVu Sans,Geneva,sans-serif"


@dataclass(frozen=True, slots=True)
class Badge:
    """What a badge says.

    Attributes:
        label: what is divided by what, and what was counted.
        message: the ratio or ratios, or why there is none.
        colour: ``#rrggbb``.
        title: the same in full, for those who point at it or have it read out.
    """

    label: str
    message: str
    colour: str
    title: str


def badge_of(report: ReportV1) -> Badge:
    """The badge of a report, from its headline denominator."""
    head = lookup.headline(report)
    left, right = (name(side, LONGEST_SIDE) for side in lookup.sides(report))
    if head is None or not left:
        return Badge(
            "leverage",
            "no ratio is declared",
            NONE,
            name(f"{prose(report.title)}: no ratio is declared", LONGEST_TITLE),
        )
    said, colour = _message(report)
    label = name(f"{left} / {right}, {measured_in(head)}", LONGEST)
    title = name(f"{left} over {right}: {prose(said)} ({prose(head.sentence)})", LONGEST_TITLE)
    return Badge(label, name(said, LONGEST), colour, title)


def measured_in(head: DenominatorView) -> str:
    """A denominator in few words: purposes, unit, rule and boundary, and what else it leaves out."""
    words = [f"{listed(head.purposes)} {lookup.measure_text(head)}", f"boundary {head.boundary}"]
    words += [] if head.languages in {"", "all", "programming"} else [f"{head.languages} alone"]
    words += ["copies left out"] if head.copies == "out" else []
    return ", ".join(words)


def _message(report: ReportV1) -> tuple[str, str]:
    verdict = report.verdict
    if not stood_in(report):
        return (verdict.headline, KNOWN) if verdict.headline else ("not comparable", NONE)
    if verdict.headline:
        return f"unknown; stand-ins {verdict.headline}", STOOD_IN
    return "unknown", NONE


def to_badge_json(badge: Badge) -> str:
    """The badge for an endpoint; ASCII, so that any server delivers it right."""
    stated = {
        "schemaVersion": 1,
        "label": badge.label,
        "message": badge.message,
        "color": badge.colour.removeprefix("#"),
        "labelColor": "1b1f24",
        "cacheSeconds": 3600,
    }
    return json.dumps(stated, indent=1) + "\n"


def to_badge_svg(badge: Badge) -> str:
    """The badge as an image. Text is text, stretched or pressed to the space that was set aside for it."""
    left, right = _width(badge.label), _width(badge.message)
    whole = left + right + 4 * PADDING
    start = left + 2 * PADDING
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{HEIGHT}" viewBox="0 0 {whole} {HEIGHT}" '
        f'role="img" aria-labelledby="leverage-badge">\n'
        f'<title id="leverage-badge">{escape(badge.title)}</title>\n'
        f'<rect width="{whole}" height="{HEIGHT}" rx="3" fill="{badge.colour}"/>\n'
        f'<path d="M3 0H{start}V{HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#1b1f24"/>\n'
        f'<g fill="#fff" font-family="{_FONT}" font-size="11">\n'
        f'<text x="{PADDING}" y="14" textLength="{left}" lengthAdjust="spacingAndGlyphs">{escape(badge.label)}</text>\n'
        f'<text x="{start + PADDING}" y="14" textLength="{right}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(badge.message)}</text>\n"
        "</g>\n</svg>\n"
    )


def _width(text: str) -> int:
    """About how many pixels a text takes at 11 pixels, wherever it is drawn: fonts are the reader's."""
    tenths = sum(37 if char in _NARROW else 105 if char in _WIDE else 69 if char.isascii() else 105 for char in text)
    return -(-tenths // 10)
