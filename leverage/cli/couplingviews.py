"""What `leverage coupling` prints: a table for people, JSON and CSV for programs, Markdown for a job summary.

JSON, format 1: ``touchpoints`` and ``unresolved`` in the order of paths and lines; paths start at what was named.
``confidence`` is ``certain``, ``likely`` or ``guess``. ``effect`` is ``patch``, ``add`` or ``unknown`` for a monkey
patch, else null. A monkey patch of the form ``restore`` puts an original back and belongs to another row. With a
baseline both lists hold news alone, and ``baseline`` says how much is accepted and gone.
``totals`` and ``symbols`` are of all touchpoints, accepted or not. `couplingmatrix` adds what releases make of them.
Fields are added, never renamed, within a format.
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from leverage.cli.aligned import Column, number, plural, table
from leverage.cli.couplingmatrix import matrix_json, matrix_markdown, matrix_tables, outcome_json
from leverage.cli.couplingsarif import sarif_text
from leverage.coupling.existence import Effect, is_patch
from leverage.coupling.summary import Hold, Total, holds, totals
from leverage.model.touchpoints import TouchKind, Touchpoint
from leverage.report.csvout import cell_text
from leverage.report.display import visible
from leverage.report.markdown import code, escaped
from leverage.resolve.rows import RESTORE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from leverage.cli.against import Judged
    from leverage.coupling.baseline import News
    from leverage.coupling.port import Port
    from leverage.model.touchpoints import Unresolved

FORMAT = 1
MOST_SYMBOLS = 20
"""Upstream symbols that the table and Markdown list; JSON has all."""
MOST_SITES = 200
"""Sites that Markdown lists, for a job summary must stay small."""
LONGEST = 100
"""Characters of a piece of source text that the table shows."""
NARROWEST = 24


@dataclass(frozen=True, slots=True)
class View:
    """What to show.

    Attributes:
        port: everything that was found, of the kinds asked for.
        news: what the baseline does not accept; None where no baseline was given.
        effects: what each monkey patch does.
        kinds: kinds that were asked for; empty means all.
        prefix: what stands before a path of the port from where the command runs, with a slash; empty where nothing.
        width: columns of the terminal.
        judged: the port beside releases; None where none was asked for.
    """

    port: Port
    news: News | None
    effects: Mapping[Touchpoint, Effect]
    kinds: tuple[TouchKind, ...]
    prefix: str
    width: int
    judged: Judged | None = None

    @property
    def touchpoints(self) -> Sequence[Touchpoint]:
        """What is listed: news, or everything without a baseline."""
        return self.port.touchpoints if self.news is None else self.news.touchpoints

    @property
    def unresolved(self) -> Sequence[Unresolved]:
        """Likewise of what could not be resolved."""
        return self.port.unresolved if self.news is None else self.news.unresolved

    def effect(self, each: Touchpoint) -> str | None:
        """What a monkey patch does; None for other kinds."""
        found = self.effects.get(each)
        return None if found is None else found.value


def as_json(view: View) -> str:
    """The whole contract, one touchpoint a line."""
    head: dict[str, object] = {"format": FORMAT}
    rows = ",\n".join(_compact(_entry(view, each)) for each in view.touchpoints)
    left = ",\n".join(_compact(_left(each)) for each in view.unresolved)
    rest = {
        "totals": {
            **{_name(total): _amounts(total) for total in totals(view.port.touchpoints)},
            "unresolved": len(view.port.unresolved),
            "effects": {effect.value: _count(view, effect) for effect in Effect},
            "restores": sum(each.form == RESTORE for each in view.port.touchpoints),
        },
        "symbols": [_hold(hold) for hold in holds(view.port.touchpoints)],
        "files": {"python": view.port.python, "cpp": view.port.cpp, "set_aside": dict(view.port.set_aside)},
        "baseline": None if view.news is None else {"accepted": view.news.accepted, "gone": view.news.gone},
    }
    lists = {"touchpoints": rows, "unresolved": left}
    if view.judged is not None:
        against, more = matrix_json(view.judged)
        head["against"] = against
        lists |= {name: ",\n".join(map(_compact, entries)) for name, entries in more.items()}
    listed = "".join(f',"{name}":[\n{text}\n]' for name, text in lists.items())
    return f"{_compact(head)[:-1]}{listed},{json.dumps(rest, indent=1)[1:]}\n"


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _entry(view: View, each: Touchpoint) -> dict[str, object]:
    return {
        "path": each.path,
        "line": each.line,
        "column": each.column,
        "kind": each.kind.value,
        "form": each.form,
        "symbol": each.symbol,
        "members": list(each.members),
        "private": each.private,
        "scope": each.scope.value,
        "restored": each.restored,
        "wraps": each.wraps,
        "effect": view.effect(each),
        "guard": each.guard,
        "resolution": each.resolution,
        "confidence": each.certainty.value,
        "within": each.within,
        "value": each.value,
        "call": None if each.call is None else asdict(each.call),
        "parameters": None if each.parameters is None else [asdict(parameter) for parameter in each.parameters],
        "detail": each.detail,
        **({} if view.judged is None else outcome_json(view.judged, each)),
    }


def _left(each: Unresolved) -> dict[str, object]:
    return {**asdict(each), "kind": None if each.kind is None else each.kind.value}


def _name(total: Total) -> str:
    return "all" if total.kind is None else total.kind.value


def _amounts(total: Total) -> dict[str, int]:
    return {
        "sites": total.sites,
        "private": total.private,
        "public": total.public,
        "global": total.global_,
        "instance": total.instance,
        "restored": total.restored,
        "symbols": total.symbols,
        "files": total.files,
    }


def _hold(hold: Hold) -> dict[str, object]:
    kinds = {kind.value: count for kind, count in hold.kinds}
    return {"symbol": hold.symbol, "private": hold.private, "sites": hold.sites, "files": hold.files, "kinds": kinds}


def _count(view: View, effect: Effect) -> int:
    return sum(found is effect for found in view.effects.values())


_COLUMNS = (
    *("path", "line", "column", "kind", "form", "symbol", "members", "private", "scope", "restored", "wraps", "effect"),
    *("guard", "resolution", "confidence", "within", "value", "detail"),
)


def as_csv(view: View) -> str:
    """One row per touchpoint, then one per place that could not be resolved, whose kind is ``unresolved``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for each in view.touchpoints:
        entry = _entry(view, each)
        writer.writerow([_cell(entry[column]) for column in _COLUMNS])
    for left in view.unresolved:
        told = {"path": left.path, "line": left.line, "kind": "unresolved", "value": left.text, "detail": left.why}
        writer.writerow([_cell(told.get(column)) for column in _COLUMNS])
    return out.getvalue()


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int():
            return cell_text(value)
        case list():
            return cell_text(" ".join(map(str, value)))
        case _:
            return cell_text(str(value))


def as_table(view: View) -> str:
    """Totals, what hangs on what, the patches, what could not be resolved, and what was read."""
    parts = [_totals_table(view), *_effect_lines(view)]
    if view.judged is not None:
        parts += matrix_tables(view.judged, view.width)
    if view.news is None:
        parts.append(_symbols_table(view))
    listed = _listed(view)
    if listed:
        parts.append(_sites_table(view, listed))
    if view.unresolved:
        parts.append(_unresolved_table(view))
    parts.append("\n".join(line for note in _notes(view) for line in textwrap.wrap(note, max(view.width, NARROWEST))))
    return "\n\n".join(parts) + "\n"


def _listed(view: View) -> list[Touchpoint]:
    """The sites that are listed one by one: news, or those of the kinds asked for, or else what is changed for all."""
    if view.news is not None or view.kinds:
        return list(view.touchpoints)
    return [each for each in view.touchpoints if each.kind is TouchKind.MONKEY_PATCH]


def _totals_table(view: View) -> str:
    names = ("kind", "sites", "private", "public", "global", "instance", "restored", "symbols", "files")
    columns = [Column(name, right=name != "kind") for name in names]
    rows = [[_name(total), *map(number, _amounts(total).values())] for total in totals(view.port.touchpoints)]
    return table(columns, rows[:-1], last=rows[-1:], width=view.width)


def _effect_lines(view: View) -> list[str]:
    counts = {effect: _count(view, effect) for effect in Effect}
    patches = [each for each in view.port.touchpoints if each.kind is TouchKind.MONKEY_PATCH]
    if not patches:
        return []
    back = sum(not is_patch(each) for each in patches)
    parts = []
    if counts[Effect.UNKNOWN] < len(view.effects):
        parts += [f"{counts[Effect.PATCH]:,} of a name that upstream has"]
        parts += [f"{counts[Effect.ADD]:,} of a name that the port adds"]
        parts += [f"{counts[Effect.UNKNOWN]:,} of which it is not known"] if counts[Effect.UNKNOWN] else []
    if back:
        parts.append(f"{back:,} that put an original back")
    return [f"of {plural(len(patches), 'row')} of monkey patches: {', '.join(parts)}"] if parts else []


def _symbols_table(view: View) -> str:
    found = holds(view.port.touchpoints)
    columns = [Column("sites"), Column("files"), Column("what hangs on it", right=False), Column("kinds", right=False)]
    rows = [
        [number(hold.sites), number(hold.files), visible(hold.symbol), _kinds(hold)] for hold in found[:MOST_SYMBOLS]
    ]
    rest = len(found) - len(rows)
    shown = table(columns, rows, width=view.width, folded=False)
    return shown + (f"\nand {plural(rest, 'symbol')} more; --format json lists them" if rest else "")


def _kinds(hold: Hold) -> str:
    return ", ".join(f"{kind.value} {count:,}" for kind, count in hold.kinds)


def _sites_table(view: View, listed: Sequence[Touchpoint]) -> str:
    heading = "new" if view.news is not None else "where"
    columns = [Column(heading, right=False), *(Column(name, right=False) for name in ("kind", "what", "symbol"))]
    rows = [
        [visible(f"{each.path}:{each.line}"), each.kind.value, _what(view, each), visible(each.symbol)]
        for each in listed
    ]
    return table(columns, rows, width=view.width, folded=False)


def _what(view: View, each: Touchpoint) -> str:
    words = [each.form]
    if each.scope.value != "none":
        words.append(each.scope.value)
    if each.restored:
        words.append("restored")
    if each.kind is TouchKind.MONKEY_PATCH:
        effect = view.effect(each)
        words += [effect] if effect and effect != Effect.UNKNOWN else []
        words += {True: ["wraps"], False: ["replaces"], None: []}[each.wraps if effect != Effect.ADD else None]
    if each.guard:
        words.append("guarded")
    return " ".join(words)


def _unresolved_table(view: View) -> str:
    columns = [Column("not resolved", right=False), *(Column(name, right=False) for name in ("kind", "text", "why"))]
    rows = [
        [
            visible(f"{each.path}:{each.line}"),
            "" if each.kind is None else each.kind.value,
            visible(_short(each.text)),
            visible(_short(each.why)),
        ]
        for each in view.unresolved
    ]
    return table(columns, rows, width=view.width, folded=False)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _notes(view: View) -> list[str]:
    port = view.port
    notes = [f"read: {plural(port.python, 'Python file')}, {plural(port.cpp, 'file')} of C++"]
    if port.set_aside:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in port.set_aside)
        notes.append(f"set aside by their paths: {reasons}; --all reads them too")
    if view.news is not None:
        new = len(view.news.touchpoints) + len(view.news.unresolved)
        notes.append(f"baseline: {view.news.accepted:,} accepted, {new:,} new, {view.news.gone:,} gone")
    return notes


def as_markdown(view: View) -> str:
    """A job summary: totals, news or the patches, what could not be resolved."""
    lines = [
        "## Touchpoints",
        "",
        "| kind | sites | private | global | instance | restored |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for total in totals(view.port.touchpoints):
        cells = (total.sites, total.private, total.global_, total.instance, total.restored)
        lines.append(f"| {_name(total)} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    if view.judged is not None:
        lines += matrix_markdown(view.judged)
    listed = _listed(view)
    title = "New" if view.news is not None else "Sites"
    if listed:
        lines += ["", f"### {title}", "", "| where | kind | what | symbol |", "|---|---|---|---|"]
        lines += [
            f"| {code(f'{each.path}:{each.line}')} | {each.kind.value} | {escaped(_what(view, each))} "
            f"| {code(each.symbol)} |"
            for each in listed[:MOST_SITES]
        ]
        lines += _more(len(listed))
    if view.unresolved:
        lines += ["", "### Not resolved", "", "| where | text | why |", "|---|---|---|"]
        lines += [
            f"| {code(f'{each.path}:{each.line}')} | {code(_short(each.text))} | {escaped(_short(each.why))} |"
            for each in view.unresolved[:MOST_SITES]
        ]
        lines += _more(len(view.unresolved))
    lines += ["", *(f"- {escaped(note)}" for note in [*_effect_lines(view), *_notes(view)])]
    return "\n".join(lines) + "\n"


def _more(count: int) -> list[str]:
    return ["", f"and {count - MOST_SITES:,} more"] if count > MOST_SITES else []


def as_sarif(view: View) -> str:
    """One result per touchpoint that is listed, for code review."""
    return sarif_text(view.touchpoints, view.unresolved, view.prefix) + "\n"


VIEWS: Mapping[str, Callable[[View], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "sarif": as_sarif,
}
"""By `--format`: from a view to text that ends with a line end."""
