"""The text for a pull request that nobody asked for: there only if a verdict, a headline ratio or a touchpoint changed.

What changed of these is shown at once; the rest is behind a fold, and left out where the whole would be too long for a
comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.cli.aligned import plural
from leverage.cli.differences import CLAIM, HEADLINE, TOUCHPOINT
from leverage.report.findings import listed
from leverage.report.markdown import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.cli.differences import Difference, Section

LIMIT = 60_000
"""Bytes; forges refuse a comment of more than 65,536 characters."""
MOST_SHOWN, MOST_FOLDED = 12, 20
"""Rows of a section that are shown, and that are behind the fold."""
LONGEST = 200
"""Characters of a cell."""
TITLES = {CLAIM: "verdict", HEADLINE: "headline ratio", TOUCHPOINT: "count of touchpoints"}
"""What is said at once, the weightiest first."""


def comment(found: Difference, limit: int = LIMIT) -> str:
    """The text as Markdown of less than ``limit`` bytes; empty where nothing of that kind changed."""
    by = {section.title: section for section in found.sections}
    decisive = [(by[title], noun) for title, noun in TITLES.items() if title in by]
    if not decisive:
        return ""
    counts = [_counted(len(section.rows), noun) for section, noun in decisive]
    lines = [f"**{listed(counts)} changed**", "", "| | before | after | can be due to |", "|---|---:|---:|---|"]
    for section, _ in decisive:
        lines += _rows(section, MOST_SHOWN)
    lines += [
        "",
        *(f"- {escaped(cause)} changed: {escaped('; '.join(what))}" for cause, what in found.causes.items() if what),
    ]
    head = "\n".join(lines) + "\n"
    rest = "\n".join(_folded(section) for section in found.sections if section.title not in TITLES)
    foot = f"\nTo repeat: leverage diff {escaped(found.before, LONGEST)} {escaped(found.after, LONGEST)}\n"
    whole = f"{head}{rest}{foot}"
    return whole if len(whole.encode()) < limit else head + foot


def _counted(count: int, noun: str) -> str:
    first, _, rest = noun.partition(" ")
    return plural(count, noun) if rest in {"", "ratio"} else f"{plural(count, first)} {rest}"


def _rows(section: Section, most: int) -> Iterator[str]:
    for row in section.rows[:most]:
        yield f"| {escaped(row.key, LONGEST)} | {_value(row.before)} | {_value(row.after)} | {escaped(row.cause)} |"
    if len(section.rows) > most:
        yield f"| and {plural(len(section.rows) - most, 'more row')} | | | |"


def _value(value: int | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else escaped(value, LONGEST)


def _folded(section: Section) -> str:
    title = f"{escaped(section.title)} ({escaped(section.unit)})"
    lines = [
        "",
        f"<details><summary>{title}</summary>",
        "",
        "| | before | after | can be due to |",
        "|---|---:|---:|---|",
    ]
    return "\n".join([*lines, *_rows(section, MOST_FOLDED), "", "</details>", ""])
