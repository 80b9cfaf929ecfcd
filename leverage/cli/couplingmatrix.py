"""A port beside releases, as `leverage coupling --against` prints it; see `couplingviews` for the rest of the page.

JSON: ``against`` says which release the port is written for, how that is known, in which span of releases nothing
breaks, and a verdict for each release. ``matrix`` has one row for each touched name: ``status`` by version (`ok`,
`body_changed`, `signature_changed`, `gone`, `not_yet`; nothing where the index cannot tell, and then ``unknown`` says
why), ``base``, the release that the others are compared with, ``why`` by version for all that are not `ok`, and
``likely``, the new name of what is gone. A touchpoint has ``outcome`` by version, and ``reason`` where it is not `ok`.
``guessed`` has calls on unknown receivers that a release breaks if they mean the upstream method of that name;
``hooks`` has official extension points, since when they exist, and which touched names they could replace; ``exposure``
ranks the touched names by what is done with them and how often they changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.cli.aligned import Column, number, table
from leverage.coupling.releases.matrix import Status
from leverage.coupling.releases.outcomes import Outcome
from leverage.report.display import visible
from leverage.report.markdown import code, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leverage.cli.against import Judged
    from leverage.coupling.releases.matrix import Row
    from leverage.coupling.releases.outcomes import Verdict
    from leverage.model.touchpoints import Touchpoint

MOST_ROWS = 60
"""Names that the table lists, and sites; JSON has all."""
MOST_EXPOSED = 12
"""Names in the list of the most exposed ones, and calls by name alone."""
_QUIET = frozenset({Outcome.OK, Outcome.UNKNOWN, Outcome.NOT_REACHED, Outcome.REVIEW})
_LETTERS = {
    Status.OK: ".",
    Status.BODY_CHANGED: "b",
    Status.SIGNATURE_CHANGED: "S",
    Status.GONE: "X",
    Status.NOT_YET: "-",
}


def matrix_json(judged: Judged) -> tuple[dict[str, object], dict[str, list[dict[str, object]]]]:
    """The field ``against``, and the lists ``matrix``, ``guessed``, ``hooks`` and ``exposure`` by name."""
    outlook, matrix = judged.outlook, judged.matrix
    against: dict[str, object] = {
        "pin": matrix.pin,
        "why": matrix.why_pin,
        "span": None if outlook.span is None else list(outlook.span),
        "releases": [
            {
                "version": each.version,
                "verdict": each.verdict,
                "imports": each.imports,
                "breaks": each.breaks,
                "silently_dead": each.silently_dead,
                "at_risk": each.at_risk,
                "symbols": {status.value: count for status, count in each.symbols.items()},
            }
            for each in judged.summaries
        ],
    }
    return against, {
        "matrix": [_row_json(judged, row) for row in matrix.rows],
        "guessed": [
            {
                "path": site.path,
                "line": site.line,
                "symbol": site.symbol,
                "outcome": {version: verdict.outcome.value for version, verdict in found.items()},
                "reason": {version: verdict.why for version, verdict in found.items() if verdict.why},
            }
            for site, verdicts in judged.guessed.sites.items()
            if (found := _loud(judged, verdicts))
        ],
        "hooks": [
            {
                "id": each.hook.id,
                "name": each.name,
                "what": each.hook.what,
                "awaited": bool(each.hook.watch),
                "since": each.since,
                "versions": list(each.versions),
                "replaces": list(each.replaces),
            }
            for each in judged.hooks
        ],
        "exposure": [
            {
                "symbol": each.symbol,
                "private": each.private,
                "sites": each.sites,
                "lines": each.lines,
                "changes": each.changes,
                "steps": each.steps,
                "rank": each.rank,
            }
            for each in judged.exposure
        ],
    }


def _loud(judged: Judged, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """What is worth telling of a site that is matched by name alone: releases in which it breaks or worse."""
    return {
        version: verdict
        for version, verdict in verdicts.items()
        if version in judged.asked and verdict.outcome not in _QUIET
    }


def _row_json(judged: Judged, row: Row) -> dict[str, object]:
    cells = {version: cell for version, cell in row.cells.items() if version in judged.asked}
    return {
        "symbol": row.symbol,
        "status": {version: cell.status.value for version, cell in cells.items()},
        "base": row.base,
        "why": {version: cell.why for version, cell in cells.items() if cell.why},
        "likely": {version: name for version, name in row.likely if version in judged.asked},
        "unknown": row.unknown,
    }


def outcome_json(judged: Judged, each: Touchpoint) -> dict[str, object]:
    """The fields ``outcome`` and ``reason`` of a touchpoint."""
    found = {version: verdict for version, verdict in judged.outlook.sites[each].items() if version in judged.asked}
    return {
        "outcome": {version: verdict.outcome.value for version, verdict in found.items()},
        "reason": {version: verdict.why for version, verdict in found.items() if verdict.why},
    }


def headline(judged: Judged) -> str:
    """For which release a port is written, and in which span nothing breaks."""
    span = judged.outlook.span
    lasts = (
        f"something breaks in {judged.matrix.pin} already"
        if span is None
        else f"nothing is known to break from {span[0]} to {span[1]}"
    )
    return f"written for {judged.matrix.pin} ({visible(judged.matrix.why_pin)}); {lasts}"


def matrix_tables(judged: Judged, width: int) -> list[str]:
    """Releases with their verdicts, the names that are not fine in each of them, and the sites that break."""
    columns = [Column("release", right=False)]
    columns += [
        Column(name) for name in ("imports", "breaks", "dead", "look at", "gone", "not yet", "signature", "body")
    ]
    rows = [
        [
            each.version,
            *map(number, (each.imports, each.breaks, each.silently_dead, each.at_risk)),
            *(
                number(each.symbols.get(status, 0))
                for status in (Status.GONE, Status.NOT_YET, Status.SIGNATURE_CHANGED, Status.BODY_CHANGED)
            ),
        ]
        for each in judged.summaries
    ]
    parts = [headline(judged), table(columns, rows, width=width, folded=False)]
    if changed := list(_changed(judged)):
        heads = [Column("name (. same, b body, S signature, X gone, - not yet)", right=False)]
        heads += [Column(version, right=False) for version in judged.asked]
        lines = [
            [visible(row.symbol), *(_LETTERS[row.cells[version].status] for version in judged.asked)]
            for row in changed[:MOST_ROWS]
        ]
        more = len(changed) - len(lines)
        parts.append(
            table(heads, lines, width=width, folded=False)
            + (f"\nand {more:,} more; --format json lists them" if more else "")
        )
    if sites := list(_sites(judged)):
        heads = [Column(name, right=False) for name in ("where", "release", "outcome", "symbol", "why")]
        lines = [
            [
                visible(f"{site.path}:{site.line}"),
                version,
                verdict.outcome.value,
                visible(site.symbol),
                visible(verdict.why),
            ]
            for site, version, verdict in sites[:MOST_ROWS]
        ]
        more = len(sites) - len(lines)
        parts.append(
            table(heads, lines, width=width, folded=False)
            + (f"\nand {more:,} more; --format json lists them" if more else "")
        )
    return parts + _more_tables(judged, width)


def _more_tables(judged: Judged, width: int) -> list[str]:
    """Calls matched by name alone, hooks that could replace something, and the most exposed names."""
    parts = []
    guesses = [(site, found) for site, verdicts in judged.guessed.sites.items() if (found := _loud(judged, verdicts))]
    if guesses:
        heads = [Column(name, right=False) for name in ("by name alone", "release", "outcome", "symbol", "why")]
        lines = []
        for site, found in guesses[:MOST_EXPOSED]:
            version, verdict = next(iter(found.items()))
            where = visible(f"{site.path}:{site.line}")
            lines.append([where, version, verdict.outcome.value, visible(site.symbol), visible(verdict.why)])
        parts.append(table(heads, lines, width=width, folded=False))
    heads = [Column(name, right=False) for name in ("touched", "official hook", "since")]
    lines = [
        [visible(symbol), each.name or f"none yet: {each.hook.what}", each.since or "-"]
        for each in judged.hooks
        for symbol in each.replaces
    ]
    if lines:
        parts.append(table(heads, lines, width=width, folded=False))
    heads = [Column("most exposed", right=False), *map(Column, ("sites", "lines", "changed", "of", "rank"))]
    lines = [
        [visible(each.symbol), *map(number, (each.sites, each.lines, each.changes, each.steps, each.rank))]
        for each in judged.exposure[:MOST_EXPOSED]
    ]
    if lines:
        parts.append(table(heads, lines, width=width, folded=False))
    return parts


def matrix_markdown(judged: Judged) -> list[str]:
    """Lines of Markdown with the same."""
    lines = ["", "### Releases", "", escaped(headline(judged)), ""]
    lines += ["| release | verdict | gone | not yet | signature | body |", "|---|---|--:|--:|--:|--:|"]
    for each in judged.summaries:
        counts = (Status.GONE, Status.NOT_YET, Status.SIGNATURE_CHANGED, Status.BODY_CHANGED)
        cells = " | ".join(f"{each.symbols.get(status, 0):,}" for status in counts)
        lines.append(f"| {each.version} | {escaped(each.verdict)} | {cells} |")
    if sites := list(_sites(judged)):
        lines += ["", "| where | release | outcome | symbol | why |", "|---|---|---|---|---|"]
        lines += [
            f"| {code(f'{site.path}:{site.line}')} | {version} | {verdict.outcome.value} | {code(site.symbol)} "
            f"| {escaped(verdict.why)} |"
            for site, version, verdict in sites[:MOST_ROWS]
        ]
        lines += ["", f"and {len(sites) - MOST_ROWS:,} more"] if len(sites) > MOST_ROWS else []
    return lines


def _changed(judged: Judged) -> Iterator[Row]:
    """Names that are not the same in all releases that are shown, and that some release has."""
    for row in judged.matrix.rows:
        shown = [row.cells[version].status for version in judged.asked if version in row.cells]
        if row.base and any(status is not Status.OK for status in shown):
            yield row


def _sites(judged: Judged) -> Iterator[tuple[Touchpoint, str, Verdict]]:
    """For each site the release nearest to the one the port is written for in which it breaks or worse, once each."""
    pin = judged.matrix.versions.index(judged.matrix.pin)
    order = sorted(judged.asked, key=lambda version: abs(judged.matrix.versions.index(version) - pin))
    found = []
    for site, verdicts in judged.outlook.sites.items():
        worst = next((version for version in order if verdicts[version].outcome not in _QUIET), None)
        if worst is not None:
            found.append((site, worst, verdicts[worst]))
    rank = list(Outcome)
    yield from sorted(found, key=lambda each: (rank.index(each[2].outcome), each[0].path, each[0].line, each[0].column))
