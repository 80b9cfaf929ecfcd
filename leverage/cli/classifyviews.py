"""How `leverage classify` prints what it found."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.cli.aligned import Column, number, plural, table
from leverage.measure.conventions import code_lines
from leverage.model.decisions import UNDETERMINED, Confidence, Purpose
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from leverage.classify.pack import Pack
    from leverage.classify.units import Classified

CONVENTION = "leverage"
SUPPORT = "support"
_SHOWN = 12
_TOLERANCE = Fraction(1, 10)
"""Change of a rule's size, against what it was written for, that is worth a warning."""
COLUMNS = (
    "path",
    "symbol",
    "kind",
    "first",
    "last",
    "lines",
    "code",
    "stage",
    "divergence",
    "purpose",
    "confidence",
    "rule",
    "runner_up",
    "reason",
)


@dataclass(frozen=True, slots=True)
class View:
    """What is shown.

    Attributes:
        rows: every unit, in the order of paths and lines.
        purposes: purpose by path.
        languages: language by path.
        pack: declared rules that took part.
        aside: number of files that were not classified, by purpose.
        width: columns of the terminal.
    """

    rows: tuple[Classified, ...]
    purposes: Mapping[str, Purpose]
    languages: Mapping[str, str]
    pack: Pack | None
    aside: Mapping[str, int]
    width: int

    def code(self, row: Classified) -> int:
        """Lines of code of a unit's own, under the convention `CONVENTION`; 0 where it does not know the language."""
        return code_lines(CONVENTION, self.languages[row.path], row.unit.lines) or 0


def _records(view: View) -> list[dict[str, object]]:
    return [
        {
            "path": row.path,
            "symbol": row.unit.symbol,
            "kind": row.unit.kind.value,
            "first": row.unit.first,
            "last": row.unit.last,
            "lines": row.unit.lines.physical,
            "code": view.code(row),
            "stage": row.decision.stage,
            "divergence": row.decision.divergence,
            "purpose": view.purposes[row.path].value,
            "confidence": row.decision.confidence.value,
            "rule": row.decision.rule,
            "runner_up": row.decision.runner_up,
            "reason": row.decision.reason,
        }
        for row in view.rows
    ]


def as_json(view: View) -> str:
    """A list of rows; `docs/classification.md` says what the fields mean."""
    records = _records(view)
    if not records:
        return "[]\n"
    return "[\n" + ",\n".join(json.dumps(each, ensure_ascii=True) for each in records) + "\n]\n"


def as_csv(view: View) -> str:
    """The same rows with a heading."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writeheader()
    writer.writerows(_escaped(each) for each in _records(view))
    return text.getvalue()


def _escaped(record: dict[str, object]) -> dict[str, object]:
    """Text without what breaks a line of CSV or is no text."""
    return {key: visible(value) if isinstance(value, str) else value for key, value in record.items()}


def as_table(view: View) -> str:
    """Shares of stages and of divergences, how sure they are, and where most of what is uncertain lies."""
    total = sum(map(view.code, view.rows))
    files = len({row.path for row in view.rows})
    parts = [f"{plural(files, 'file')}, {plural(len(view.rows), 'unit')} of code, {number(total)} lines of code"]
    if view.aside:
        aside = (plural(count, f"{purpose} file") for purpose, count in view.aside.items())
        parts[0] += f"; not classified: {', '.join(aside)}"
    if not total:
        return "\n".join(parts) + "\n"
    parts.append(_shares(view, "stage", [*STAGE_IDS, UNDETERMINED], total))
    parts.append(_shares(view, "divergence", DIVERGENCE_IDS, total))
    parts.append(_sureness(view, total))
    if uncertain := uncertain_files(view):
        parts.append(uncertain)
    return "\n\n".join(parts) + "\n"


def _shares(view: View, word: str, order: Sequence[str], total: int) -> str:
    size: defaultdict[str, int] = defaultdict(int)
    low: defaultdict[str, int] = defaultdict(int)
    high: defaultdict[str, int] = defaultdict(int)
    open_ = 0
    for row in view.rows:
        code, found = view.code(row), getattr(row.decision, word)
        size[found] += code
        if found == UNDETERMINED:
            open_ += code
        elif row.decision.confidence in {Confidence.GUESS, Confidence.LIKELY} and row.decision.runner_up:
            if word == "stage":
                high[row.decision.runner_up] += code
        else:
            low[found] += code
    columns = [Column(word, right=False), Column("code"), Column("share")]
    if word == "stage":
        columns += [Column("at least"), Column("at most")]
    rows = []
    for name in order:
        if not size[name] and not high[name]:
            continue
        cells = [name, number(size[name]), percent(size[name], total)]
        if word == "stage":
            most = size[name] + high[name] + (open_ if name != UNDETERMINED else 0)
            cells += [percent(low[name], total), percent(most, total)] if name != UNDETERMINED else ["", ""]
        rows.append(cells)
    return table(columns, rows, width=view.width)


def _sureness(view: View, total: int) -> str:
    size: defaultdict[Confidence, int] = defaultdict(int)
    for row in view.rows:
        size[row.decision.confidence] += view.code(row)
    told = ", ".join(f"{percent(size[each], total)} {WORDS[each]}" for each in Confidence if size[each])
    undetermined = sum(view.code(row) for row in view.rows if row.decision.stage == UNDETERMINED)
    support = sum(view.code(row) for row in view.rows if row.decision.stage == SUPPORT)
    return (
        f"decided: {told}\nundetermined {percent(undetermined, total)}, "
        f"undetermined and support {percent(undetermined + support, total)}"
    )


WORDS: Mapping[Confidence, str] = MappingProxyType(
    {
        Confidence.DECLARED: "by declared rules",
        Confidence.ANCHORED: "by what the code is handed to",
        Confidence.LIKELY: "by words that are clear",
        Confidence.GUESS: "by words that leave doubt",
        Confidence.NONE: "not at all",
    }
)


def uncertain_files(view: View) -> str:
    """Files with most lines that nobody is sure of."""
    size: defaultdict[str, int] = defaultdict(int)
    opinions: defaultdict[str, set[str]] = defaultdict(set)
    for row in view.rows:
        if row.decision.confidence in {Confidence.GUESS, Confidence.NONE}:
            size[row.path] += view.code(row)
            opinions[row.path] |= {row.decision.stage, row.decision.runner_up} - {""}
    if not size:
        return ""
    worst = sorted(size, key=lambda path: (-size[path], path))[:_SHOWN]
    rows = [[number(size[path]), visible(path), ", ".join(sorted(opinions[path]))] for path in worst]
    columns = [Column("uncertain lines"), Column("file", right=False), Column("may be", right=False)]
    return table(columns, rows, width=view.width, folded=False)


def percent(part: int, whole: int) -> str:
    """A share with one decimal."""
    return f"{float(Fraction(100 * part, whole)):.1f} %" if whole else "-"


def grown(view: View) -> list[str]:
    """Declared rules whose size differs from what they were written for, in words.

    A rule about files is as large as the files that it decides as a whole, whichever rule decides units in them.
    """
    if view.pack is None:
        return []
    files: defaultdict[str, set[str]] = defaultdict(set)
    lines: defaultdict[str, int] = defaultdict(int)
    for row in view.rows:
        whole = view.pack.reaching(row.path)[:1]
        unit = view.pack.reaching(row.path, row.unit.symbol)[:1]
        for rule in {each.id: each for each in (*whole, *unit)}.values():
            files[rule.id].add(row.path)
            lines[rule.id] += row.unit.lines.physical
    return [
        f"{view.pack.file}:{rule.line}: the rule {rule.id} was written for {plural(rule.expect.lines, 'line')} in "
        f"{plural(rule.expect.files, 'file')} and decides {plural(lines[rule.id], 'line')} in "
        f"{plural(len(files[rule.id]), 'file')}"
        for rule in view.pack.rules
        if rule.expect is not None and abs(lines[rule.id] - rule.expect.lines) > _TOLERANCE * rule.expect.lines
    ]


VIEWS: Mapping[str, Callable[[View], str]] = MappingProxyType({"table": as_table, "json": as_json, "csv": as_csv})
"""How rows can be printed, by the name of the form."""
