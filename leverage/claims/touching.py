"""Tests on what a port touches of its substrate, what it leaves alone, and what runs beneath it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.coupling import Leverage, leverage
from leverage.claims.outcome import IN_DOUBT, NO, VERDICT_OF, YES, Input, Outcome, joined, only_under, over_readings
from leverage.claims.select import Gap
from leverage.claims.source import probe_fact
from leverage.evidence.facts import Site, TouchFact
from leverage.evidence.touchpoints import UNRESOLVED
from leverage.model.touchpoints import TouchKind
from leverage.model.verdicts import Verdict
from leverage.resolve.rows import RESTORE
from leverage.reuse.trace.values import Runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from leverage.evidence.build import Evidence
    from leverage.spec.types import LeftAlone, RunsBeneath, Touches, Untouched

MOST_SITES = 20
MOST_EXAMPLES = 3
"""Places that are shown of what is touched."""
MOST_NEIGHBOURS = 3
"""What else is patched on the same owner, that a reason names."""


def touches(evidence: Evidence, claim: Touches) -> Outcome:
    """Whether a port touches named symbols: holds, if it does so at all of them."""
    ways = " or ".join(claim.kinds) or "in any way"
    expression = f"touchpoints of {claim.of} ({ways}): {', '.join(claim.symbols)}"
    rows = _rows(evidence, claim.of)
    if isinstance(rows, Gap):
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, rows.why, f"the touchpoints of {claim.of}")
    kept = [row for row in rows if row.kind != UNRESOLVED and (not claim.kinds or row.kind in claim.kinds)]
    found = {symbol: [row for row in kept if row.symbol == symbol] for symbol in claim.symbols}
    shown = tuple(
        Input(
            symbol,
            claim.of,
            YES if places else NO,
            _sites(evidence, claim.of, places)[:MOST_SITES],
            len(places),
            note=ways,
        )
        for symbol, places in found.items()
    )
    absent = [symbol for symbol, places in found.items() if not places]
    open_ = sum(row.kind == UNRESOLVED for row in rows)
    doubt = f"; {open_:,} place{'' if open_ == 1 else 's'} could not be resolved" if open_ else ""
    if not absent:
        because = joined([f"`{symbol}`: {_place(places[0])}" for symbol, places in found.items()])
        return Outcome(expression, Verdict.HOLDS, because, f"another revision of {claim.of}", shown)
    because = joined(
        [f"none of {len(kept):,} such places is at `{symbol}`{_beside(kept, symbol)}" for symbol in absent]
    )
    would = f"another revision of {claim.of}, or a place that could not be resolved"
    return Outcome(expression, Verdict.DOES_NOT_HOLD, because + doubt, would, shown)


def left_alone(evidence: Evidence, claim: LeftAlone) -> Outcome:
    """Whether more than a share of a substrate is left alone, under each reading of what is counted."""
    bound = Fraction(claim.more_than)
    parts = {reading: _left(evidence, claim.of, one, bound) for reading, one in claim.readings.items()}
    words = "; ".join(f"{reading}: {part[2]}" for reading, part in parts.items())
    expression = f"more than {bound} of the substrate of {claim.of} is left alone, or ran: {words}"
    outcomes = {reading: part[0] for reading, part in parts.items()}
    because = joined(
        [*only_under(outcomes), *(f"{reading}: {part[1].value or part[1].why}" for reading, part in parts.items())]
    )
    inputs = tuple(part[1] for part in parts.values())
    would = f"another revision of either side, other models, or another bound than {bound}"
    by_reading = {reading: VERDICT_OF[outcome] for reading, outcome in outcomes.items()}
    return Outcome(expression, over_readings(outcomes), because, would, inputs, by_reading)


def runs_beneath(evidence: Evidence, claim: RunsBeneath) -> Outcome:
    """Whether more lines of a substrate ran than a bound for each own line, under each reading of the substrate."""
    bound = Fraction(claim.more_than)
    named = ", ".join(f"{reading} ({part or 'all parts'})" for reading, part in claim.readings.items())
    expression = f"lines in functions that ran for each of {claim.of}'s own, of {named}: more than {bound}"
    found = leverage(evidence, claim.of)
    if isinstance(found, Gap):
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, found.why, f"a trace of {claim.of}")
    outcomes: dict[str, str] = {}
    inputs = []
    said = []
    for reading, part in claim.readings.items():
        runs = _part(found, part)
        ratio = found.for_each(runs)
        outcomes[reading] = IN_DOUBT if ratio is None else YES if ratio > bound else NO
        value = f"{runs.run_in_bodies:,} lines ran for {found.own.run_in_bodies - found.copied:,} own ones"
        inputs.append(Input(reading, claim.of, value, note=_models(found)))
        said.append(f"{reading}: {value}")
    by_reading = {reading: VERDICT_OF[outcome] for reading, outcome in outcomes.items()}
    because = joined([*only_under(outcomes), *said])
    would = f"other models, another release of the substrate, or another bound than {bound}"
    return Outcome(expression, over_readings(outcomes), because, would, tuple(inputs), by_reading)


def _rows(evidence: Evidence, port: str) -> list[TouchFact] | Gap:
    """The touchpoints of a port, without lines that only put an original back."""
    if port not in evidence.facts:
        return Gap(f"{port}: {evidence.gaps.get(port, 'there are no facts')}")
    if port in evidence.untouched:
        return Gap(evidence.untouched[port])
    return [row for row in evidence.facts[port].touched if row.form != RESTORE]


def _sites(evidence: Evidence, port: str, rows: Iterable[TouchFact]) -> tuple[Site, ...]:
    blobs = {row.file.path: row.file.blob for row in evidence.facts[port].files}
    places = dict.fromkeys((row.path, row.line) for row in rows)
    return tuple(Site(path, line, blobs.get(path, "")) for path, line in places)


def _place(row: TouchFact) -> str:
    return f"{row.path}, line {row.line}"


def _beside(rows: Iterable[TouchFact], symbol: str) -> str:
    """Which other names of the same owner are patched that upstream may have; a finding that helps to read a no."""
    owner = symbol.rpartition(".")[0]
    near = [
        row
        for row in rows
        if row.kind == TouchKind.MONKEY_PATCH and row.symbol.rpartition(".")[0] == owner and row.effect != "add"
    ]
    named = [f"`{row.symbol.rpartition('.')[2]}` ({_place(row)})" for row in near[:MOST_NEIGHBOURS]]
    return f"; of `{owner}` what is replaced is {', '.join(named)}" if named else ""


def _left(evidence: Evidence, port: str, one: Untouched, bound: Fraction) -> tuple[str, Input, str]:
    """Outcome, evidence and words of one reading."""
    if one.ran is not None:
        return _ran(evidence, port, one.ran, bound)
    words = f"places below {one.below}" if one.by == "symbol" else "modules" if one.by else f"probe {one.probe}"
    whole, touched = _whole(evidence, port, one), _touched(evidence, port, one)
    if isinstance(whole, Gap) or isinstance(touched, Gap):
        why = whole.why if isinstance(whole, Gap) else touched.why if isinstance(touched, Gap) else ""
        return IN_DOUBT, Input(words, port, "", why=why), words
    if not whole:
        return IN_DOUBT, Input(words, port, "", why="there are none"), words
    # What is touched need not be among what is counted, so more may be touched than there are.
    high, low = (Fraction(max(whole - number, 0), whole) for number in (touched.things, touched.things + touched.open))
    outcome = YES if low > bound else NO if high <= bound else IN_DOUBT
    value = f"{touched.things:,} of {whole:,} are touched"
    note = "; ".join(filter(None, (", ".join(one.kinds), f"{touched.open:,} not resolved" if touched.open else "")))
    sites = touched.sites[:MOST_EXAMPLES]
    return outcome, Input(words, port, value, sites, len(touched.sites), note=note), words


def _ran(evidence: Evidence, port: str, part: str, bound: Fraction) -> tuple[str, Input, str]:
    words = f"lines in functions of {part}"
    found = leverage(evidence, port)
    if isinstance(found, Gap):
        return IN_DOUBT, Input(words, port, "", why=found.why), words
    runs = _part(found, part)
    if not runs.bodies:
        return IN_DOUBT, Input(words, port, "", why=f"the trace has no part {part}"), words
    # What did not run for these models may run for others, so there is no bound from above.
    share = Fraction(runs.run_in_bodies, runs.bodies)
    value = f"{runs.run_in_bodies:,} of {runs.bodies:,} ran, of the others it is not known"
    return YES if share > bound else IN_DOUBT, Input(words, port, value, note=_models(found)), words


def _part(found: Leverage, part: str) -> Runs:
    return found.substrate if not part else sum((runs for name, runs in found.parts if name == part), Runs())


def _models(found: Leverage) -> str:
    labels = ", ".join(model.label for model in found.trace.models)
    versions = ", ".join(f"{name} {version}" for name, version in found.trace.versions if version)
    return f"{labels}; {versions}" if versions else labels


def _whole(evidence: Evidence, port: str, one: Untouched) -> int | Gap:
    if one.of is None:
        modules = _modules(evidence, port)
        return modules if isinstance(modules, Gap) else len(modules)
    return _number(evidence, one.of)


def _number(evidence: Evidence, probe: str) -> int | Gap:
    fact = probe_fact(evidence, probe)
    return int(Fraction(fact.value)) if fact.value else Gap(f"{probe}: {fact.why}")


@dataclass(frozen=True, slots=True)
class _Touched:
    """How many things are touched, how many more may be, and where."""

    things: int
    open: int
    sites: tuple[Site, ...]


def _touched(evidence: Evidence, port: str, one: Untouched) -> _Touched | Gap:
    if one.probe is not None:
        number = _number(evidence, one.probe)
        return number if isinstance(number, Gap) else _Touched(number, 0, probe_fact(evidence, one.probe).sites)
    rows = _rows(evidence, port)
    if isinstance(rows, Gap):
        return rows
    below = f"{one.below}." if one.below else ""
    chosen = [
        row
        for row in rows
        if row.kind != UNRESOLVED and (not one.kinds or row.kind in one.kinds) and f"{row.symbol}.".startswith(below)
    ]
    open_ = sum(row.kind == UNRESOLVED for row in rows)
    things = {row.symbol for row in chosen}
    if one.by == "module":
        modules = _modules(evidence, port)
        if isinstance(modules, Gap):
            return modules
        things = {module for symbol in things if (module := _module(symbol, modules))}
    return _Touched(len(things), open_, _sites(evidence, port, chosen))


def _modules(evidence: Evidence, port: str) -> Mapping[str, str] | Gap:
    """Modules of what a port builds on, as far as they are measured: dotted name to path."""
    below = evidence.loaded.spec.systems[port].builds_on
    facts = evidence.facts.get(below or "")
    if facts is None:
        return Gap(f"what {port} builds on is not measured")
    paths = [row.file.path for row in facts.files if row.file.path.endswith(".py")]
    return {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in paths}


def _module(symbol: str, modules: Mapping[str, str]) -> str:
    """The module that a symbol is of: the longest of its beginnings that is one; empty where none is."""
    while symbol and symbol not in modules:
        symbol = symbol.rpartition(".")[0]
    return symbol
