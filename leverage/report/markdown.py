"""`report.md`: the short form, small enough for a job summary, with nothing in it that a name could turn into markup.

Text of others is escaped, names of files and globs stand in code spans whose fence is longer than any run of back-ticks
inside. Sections are added in order while they fit; one that does not is named as left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from leverage.report import couplingtext, findings, lookup
from leverage.report.display import line_address, name, prose, web_address
from leverage.report.format import TIMES, count_text, part_text, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from leverage.report.view import AmountView, InputView, PairView, ReportV1

LIMIT = 60_000
"""Bytes that the whole document stays below."""

MOST_INPUTS = 8
"""Pieces of evidence that one claim lists; the page has them all."""

MOST_ROWS = 60
"""Rows of one table; the rest is in the page and in the tables."""

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$#&]")
_BLOCK_START = re.compile(r"^(\d*)([-+=.)])(?=\s|$|[-+=])")
_MENTION = re.compile(r"(?<![A-Za-z0-9])@(?=[A-Za-z0-9])")


def escaped(value: str, longest: int = 600) -> str:
    """Text as Markdown that shows exactly this text, on one line, also inside a table."""
    plain = name(prose(value), longest)
    safe = _SPECIAL.sub(lambda match: f"\\{match[0]}", plain)
    safe = _BLOCK_START.sub(r"\1\\\2", safe)
    return _MENTION.sub("@\u2060", safe)  # a word joiner: shown as it is, but nobody is called


def code(value: str, longest: int = 160) -> str:
    """A name as a code span, also inside a table; empty names give an empty string."""
    plain = name(value, longest)
    if not plain:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", plain)), default=0))
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}".replace("|", "\\|")


def to_markdown(report: ReportV1, *, limit: int = LIMIT) -> str:
    """The report as Markdown of less than ``limit`` bytes."""
    document = _head(report)
    left_out: list[str] = []
    for title, section in SECTIONS:
        text = section(report)
        if not text:
            continue
        part = f"\n## {title}\n\n{text}\n"
        note = _left_out([*left_out, title])
        if len((document + part + note).encode()) < limit:
            document += part
        else:
            left_out.append(title)
    return document + (_left_out(left_out) if left_out else "") + f"\n{_foot(report)}\n"


def _left_out(titles: Sequence[str]) -> str:
    return f"\nLeft out here for size, see `index.html`: {', '.join(titles)}.\n"


def _head(report: ReportV1) -> str:
    verdict = report.verdict
    lines = [f"# {escaped(report.title, 200)}", "", escaped(verdict.sentence)]
    if verdict.verdict:
        lines += ["", f"Verdict: **{escaped(verdict.verdict)}**"]
    if verdict.then:
        lines += ["", *(f"- {escaped(sentence)}" for sentence in verdict.then[:MOST_ROWS])]
    if report.provenance.warnings:
        lines += ["", *(f"- warning: {escaped(text, 300)}" for text in report.provenance.warnings[:10])]
    return "\n".join(lines) + "\n"


def _foot(report: ReportV1) -> str:
    return f"{escaped(lookup.made_by(report), 200)}. To repeat: {code(report.provenance.command, 300)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; heads that end in ``:`` are right aligned."""
    kept = list(rows)
    lines = [
        f"| {' | '.join(head.removesuffix(':') for head in heads)} |",
        f"|{'|'.join('---:' if head.endswith(':') else '---' for head in heads)}|",
        *(f"| {' | '.join(row)} |" for row in kept[:MOST_ROWS]),
    ]
    more = len(kept) - MOST_ROWS
    return "\n".join(lines) + (f"\n\nand {count_text(more)} more, see `index.html`" if more > 0 else "")


def _size(amount: AmountView | None) -> str:
    if amount is None:
        return "unknown"
    return count_text(amount.value) + (f" ({plural(amount.unsized, 'file')} unknown)" if amount.unsized else "")


def _left(pair: PairView) -> str:
    return escaped(pair.left, 60) + (f" (stand-in for {escaped(pair.stands_in_for, 40)})" if pair.stands_in_for else "")


def _ratio(report: ReportV1) -> str:
    if not report.denominators:
        return ""
    right = lookup.sides(report)[1]
    rows = []
    for item in report.denominators:
        title = escaped(item.id, 60) + (" (headline)" if item.headline else "")
        for pair in item.pairs:
            ratio = (
                escaped(f"{pair.status}: {pair.why}", 160) if pair.ratio is None else f"**{escaped(pair.ratio.text)}**"
            )
            span = "" if pair.ratio is None else escaped(findings.range_text(pair.ratio))
            rows.append(
                [
                    title,
                    escaped(lookup.measure_text(item), 60),
                    _left(pair),
                    _size(pair.numerator),
                    _size(pair.denominator),
                    ratio,
                    span,
                ]
            )
    heads = ["Denominator", "Unit", "Left side", "Its size:", f"{escaped(right, 40)}:", "Ratio:", "Range:"]
    return f"{escaped(findings.ratio_finding(report))}\n\n{_table(heads, rows)}"


def _moves(report: ReportV1) -> str:
    rows = [
        [
            escaped(one.left, 60),
            escaped(swing.title, 40),
            escaped(f"{findings.value_text(swing.low.value)} {swing.low.ratio}", 80),
            escaped(f"{findings.value_text(swing.high.value)} {swing.high.ratio}", 80),
            "none" if findings.is_still(swing) else escaped(swing.factor),
        ]
        for one in report.moves
        for swing in one.swings
    ]
    if not rows:
        return ""
    heads = ["Left side", "Choice", "Lowest", "Highest", "Swing:"]
    return f"{escaped(findings.moves_finding(report))}\n\n{_table(heads, rows)}"


def _grid(report: ReportV1) -> str:
    grid = report.grid
    if not grid.declared:
        return ""
    rows = [
        [
            escaped(one.id, 60),
            *map(count_text, (one.declared, one.comparable, one.distinct)),
            *(
                escaped(f"{findings.spread_text(each)} ({findings.reaching_text(each)})", 80) if each.ratios else "none"
                for each in one.spreads
            ),
        ]
        for one in grid.families
    ]
    heads = ["Family", "Declared:", "With a ratio:", "Distinct:", *(escaped(name, 40) for name in grid.lefts)]
    text = f"{escaped(findings.grid_finding(report))}\n\n{_table(heads, rows)}"
    near = [f"- {code(one.member)}: {escaped(one.left, 60)} {escaped(one.ratio)}" for one in grid.nearest]
    return f"{text}\n\nNearest to {findings.claimed_text(report)}:\n\n{chr(10).join(near)}" if near else text


def _required(report: ReportV1) -> str:
    rows = [
        [
            escaped(item.id, 60),
            f"{findings.READINGS.get(need.reading, escaped(need.reading))} {escaped(need.figure)}{TIMES}",
            escaped(need.text, 80),
            ", ".join(
                f"{escaped(side, 60)} {count_text(size)} ({findings.position(item, need, side, size)})"
                for side, size in findings.stand_in_sizes(item).items()
            )
            or "none measured",
        ]
        for item in report.denominators
        for need in item.required
    ]
    if not rows:
        return ""
    heads = ["Denominator", "Reading", "Required size", "Public stand-ins"]
    return f"{escaped(findings.required_finding(report))}\n\n{_table(heads, rows)}"


def _stages(report: ReportV1) -> str:
    view = report.stages
    if not view.systems:
        return ""
    lines, systems = lookup.stage_lines(view), view.systems[:8]
    rows = [
        [escaped(term.title, 60), *(count_text(lines[system][term.id]) for system in systems)]
        for term in view.stages
        if any(lines[system][term.id] for system in systems)
    ]
    parts = [(view.undetermined.get(system, 0), view.totals.get(system, 0)) for system in systems]
    rows.append(["*undetermined*", *(f"{count_text(part)} ({part_text(part, whole)})" for part, whole in parts)])
    rows.append(["**total**", *(count_text(whole) for _, whole in parts)])
    heads = ["Stage", *(f"{escaped(system, 40)}:" for system in systems)]
    return f"{escaped(findings.stages_finding(report))}\n\nUnit: {escaped(view.unit)}.\n\n{_table(heads, rows)}"


def _coupling(report: ReportV1) -> str:
    ports = [one for one in report.coupling if not one.why]
    if not ports:
        return ""
    kinds = list(dict.fromkeys(total.kind for one in ports for total in one.totals if total.kind != "all"))
    rows = []
    for kind in [*kinds, "all"]:
        found = [couplingtext.total_of(one, kind) for one in ports]
        cells = ["" if each is None else f"{count_text(each.sites)} ({count_text(each.private)})" for each in found]
        rows.append([escaped(kind.replace("_", " "), 40), *cells])
    copies = [(lookup.copied(one), one.raw) for one in ports]
    rows.append(
        ["code lines copied", *(_part(part, whole.value if whole is not None else 0) for part, whole in copies)]
    )
    text = f"{escaped(couplingtext.coupling_finding(report))}\n\nPlaces, and of these of a private symbol.\n\n"
    text += _table(["Kind", *(f"{escaped(one.port, 40)}:" for one in ports)], rows)
    runs = [
        f"- {escaped(one.port, 60)} ({escaped(couplingtext.environment_text(one), 120)}): {count_text(part.run)} of "
        f"{count_text(part.bodies)} lines in functions of {code(part.part)} ran, "
        f"for {count_text(one.own.run - one.copied)} own ones"
        for one in report.leverage
        for part in [replace(one.substrate, part="all traced packages of the substrate"), *one.parts[:3]]
    ]
    return f"{text}\n\n{chr(10).join(runs)}" if runs else text


def _part(part: int | None, whole: int) -> str:
    return "unknown" if part is None else f"{count_text(part)} of {count_text(whole)}"


def _claims(report: ReportV1) -> str:
    rows = [
        [
            code(claim.id, 40),
            escaped(f"“{claim.text}”" if claim.wording == "verbatim" else claim.text, 200),
            escaped(f"{claim.wording}, {claim.by}; {claim.source}", 200),
            f"**{escaped(claim.verdict)}**",
            escaped(claim.because, 400),
            escaped(claim.expression, 200),
            "; ".join(_input(report, item) for item in claim.inputs[:MOST_INPUTS]),
            escaped(claim.would_change, 200),
        ]
        for claim in report.claims
    ]
    if not rows:
        return ""
    heads = ["Id", "Claim", "Who", "Verdict", "Because", "Tested as (ours)", "Evidence", "Would change it"]
    return f"{escaped(findings.claims_finding(report))}\n\n{_table(heads, rows)}"


def _input(report: ReportV1, item: InputView) -> str:
    system = lookup.find_system(report, item.system)
    value = escaped(item.value, 60) or "unknown"
    default = f", default of {escaped(', '.join(item.environment), 80)}" if item.environment else ""
    places = []
    for site in item.sites[:1]:
        address = web_address(line_address(system.browse if system else "", site.path, site.line))
        text = code(f"{site.path}:{site.line}", 120)
        places.append(f" [{text}]({address})" if address and not set(address) & set("()<>") else f" {text}")
    return f"{code(item.name, 60)} {value}{default}{''.join(places)}"


def _transfer(report: ReportV1) -> str:
    if not report.transfer:
        return ""
    rows = [
        [
            escaped(row[0].question, 120),
            *(f"**{escaped(cell.answer, 40)}**: {escaped(cell.finding, 300)}" for cell in row),
        ]
        for row in lookup.transfer_rows(report)
    ]
    heads = ["Condition", *(escaped(port.name, 60) for port in report.transfer)]
    return f"{escaped(findings.transfer_finding(report))}\n\n{_table(heads, rows)}"


def _identity(report: ReportV1) -> str:
    rows = []
    for item in report.identity:
        holds = "yes" if findings.adds_up(item) else "**no**"
        rows += [
            [
                escaped(item.system, 60),
                "files",
                *map(count_text, (item.tracked_files, item.counted_files, item.excluded_files, item.unknown_files)),
                holds,
            ],
            [
                escaped(item.system, 60),
                "lines",
                *map(count_text, (item.tracked_lines, item.counted_lines, item.excluded_lines, item.unknown_lines)),
                holds,
            ],
        ]
    if not rows:
        return ""
    heads = ["System", "Unit", "Tracked:", "= counted:", "+ excluded:", "+ unknown:", "Adds up"]
    return f"{escaped(findings.identity_finding(report))}\n\n{_table(heads, rows)}"


def _provenance(report: ReportV1) -> str:
    rows = []
    for system in report.systems:
        origin = escaped(f"{system.origin} {system.measured_on[:10]}".rstrip())
        short = system.pin.id.removeprefix("sha256:")[:12] if system.pin else ""
        address = web_address(system.browse)
        pin = f"[{code(short)}]({address})" if short and address and not set(address) & set("()<>") else code(short)
        rows.append(
            [
                escaped(system.id, 60),
                origin,
                pin or "no bytes",
                escaped(system.pin.date[:10]) if system.pin else "",
                escaped(system.answered_by, 120),
                escaped(system.licence, 60),
            ]
        )
    if not rows:
        return ""
    heads = ["System", "Origin", "Pin", "Date", "Answered by", "Licence"]
    return f"{escaped(findings.provenance_finding(report))}\n\n{_table(heads, rows)}"


SECTIONS: tuple[tuple[str, Callable[[ReportV1], str]], ...] = (
    ("Ratio under each denominator", _ratio),
    ("What moves it", _moves),
    ("Every denominator", _grid),
    ("What would have to be true", _required),
    ("Stage by stage", _stages),
    ("Leverage and coupling", _coupling),
    ("Claims", _claims),
    ("Would it transfer?", _transfer),
    ("Provenance", _provenance),
    ("Counted, excluded, unknown", _identity),
)
