"""Tests on what probes found in source code: places that must be there, and arithmetic on constants."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.outcome import IN_DOUBT, NO, VERDICT_OF, YES, Input, Outcome, joined, only_under, over_readings
from leverage.evidence.facts import ProbeFact
from leverage.evidence.probes import probe_digest
from leverage.model.exact import Exact, Refused, compared, evaluated, names_in, parsed
from leverage.model.verdicts import Verdict
from leverage.spec.claimcheck import probe_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Claim, Rounding


MOST_PLACES = 2
"""Places that the reason names; where there are more, the inputs have them."""


def probe_fact(evidence: Evidence, name: str) -> ProbeFact:
    """What was found for a declared probe; without a value, and with the reason, where nothing was."""
    probe = evidence.loaded.spec.probes[name]
    declared = probe_digest(probe)
    facts = evidence.facts.get(probe.system)
    if facts is None:
        why = f"{probe.system}: {evidence.gaps.get(probe.system, 'there are no facts')}"
        return ProbeFact(name, declared, probe_kind(probe), why=why)
    kept = next((fact for fact in facts.probes if fact.probe == name), None)
    if kept is not None and kept.declared == declared:
        return kept
    what = "nothing for this probe" if kept is None else "the answer to another declaration of this probe"
    why = f"the record of {probe.system} holds {what}; `leverage record {probe.system}` makes it anew"
    return ProbeFact(name, declared, probe_kind(probe), why=why)


def probe_input(evidence: Evidence, name: str) -> Input:
    """A probe as evidence that is shown."""
    probe, fact = evidence.loaded.spec.probes[name], probe_fact(evidence, name)
    return Input(name, probe.system, _text(fact.value), fact.sites, fact.found, fact.environment, probe.note, fact.why)


def found(evidence: Evidence, claim: Claim) -> Outcome:
    """Whether all of several places are in the source: holds, if all are; one that is not there refutes it."""
    facts = [probe_fact(evidence, name) for name in claim.found]
    expression = f"found in the source: {', '.join(claim.found)}"
    absent = [fact for fact in facts if fact.value == NO]
    unknown = [fact for fact in facts if not fact.value]
    shown = tuple(probe_input(evidence, name) for name in claim.found)
    systems = _listed(dict.fromkeys(one.system for one in shown))
    if absent:
        because = joined([fact.why for fact in absent])
        would = (
            f"another revision of {systems}, or a place that does it in a way that was not looked for, as by an alias"
        )
        return Outcome(expression, Verdict.DOES_NOT_HOLD, because, would, shown)
    if unknown:
        because = joined([f"{fact.probe}: {fact.why}" for fact in unknown])
        would = f"to have the value of {_listed(fact.probe for fact in unknown)}"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, would, shown)
    places = [_place(evidence, fact) for fact in facts]
    because = joined(places) if len(places) <= MOST_PLACES else f"all {len(places)} places are in the source"
    return Outcome(expression, Verdict.HOLDS, because, f"another revision of {systems}", shown)


def arithmetic(evidence: Evidence, claim: Claim) -> Outcome:
    """Whether comparisons over constants of the source hold, one for each reading."""
    used = sorted({name for text in claim.arithmetic.values() for name in names_in(text)})
    facts = {name: probe_fact(evidence, name) for name in used}
    shown = tuple(probe_input(evidence, name) for name in used)
    expression = "; ".join(f"{reading}: {text}" for reading, text in claim.arithmetic.items())
    values = {name: Exact(Fraction(fact.value), fact.environment) for name, fact in facts.items() if fact.value}
    outcomes: dict[str, str] = {}
    said: list[str] = []
    for reading, text in claim.arithmetic.items():
        missing = [name for name in sorted(names_in(text)) if name not in values]
        result = compared(text, values)
        if isinstance(result, Refused):
            reason = joined([f"{name}: {facts[name].why}" for name in missing]) or result.why
            outcomes[reading], sentence = IN_DOUBT, f"cannot be computed, {reason}"
        else:
            holds, left, right = result
            outcomes[reading] = YES if holds else NO
            sentence = f"{_number(left.value)} against {_number(right.value)}, {'holds' if holds else 'does not hold'}"
        said.append(f"{reading}: {sentence}")
    defaults = {name: fact.environment for name, fact in facts.items() if fact.environment and fact.value}
    said += [
        f"{name} is a default that the environment variable {_listed(variables)} changes"
        for name, variables in defaults.items()
    ]
    systems = _listed(dict.fromkeys(one.system for one in shown))
    would = f"another revision of {systems}" if systems else "other figures"
    would += ", or other values of those variables" if defaults else ""
    by_reading = {reading: VERDICT_OF[outcome] for reading, outcome in outcomes.items()}
    because = joined([*only_under(outcomes), *said])
    return Outcome(expression, over_readings(outcomes), because, would, shown, by_reading)


def consistent(rounding: Rounding) -> Outcome:
    """Whether a figure is what another one rounds to at the decimals that are written."""
    expression = f"{rounding.computed} rounds to {rounding.stated}"
    tree = parsed(rounding.computed)
    body = [] if isinstance(tree, Refused) else [node.value for node in tree.body if hasattr(node, "value")]
    value = evaluated(body[0]) if len(body) == 1 else Refused("it is not one expression")
    if isinstance(value, Refused):
        because = f"{rounding.computed} has no value: {value.why}"
        return Outcome(expression, Verdict.CANNOT_BE_CHECKED, because, "arithmetic on plain numbers")
    stated = Fraction(rounding.stated)
    half = Fraction(1, 2 * 10 ** len(rounding.stated.partition(".")[2]))
    near = abs(value.value - stated) <= half
    low, high = _number(stated - half), _number(stated + half)
    because = (
        f"{rounding.computed} is {_number(value.value)}, which lies {'within' if near else 'outside'} {low} to {high}, "
        f"what rounds to {rounding.stated}"
    )
    return Outcome(expression, Verdict.HOLDS if near else Verdict.DOES_NOT_HOLD, because, "other figures")


def _place(evidence: Evidence, fact: ProbeFact) -> str:
    note = evidence.loaded.spec.probes[fact.probe].note or fact.probe
    where: dict[str, list[str]] = {}
    for site in fact.sites:
        where.setdefault(site.path, []).append(str(site.line))
    return f"{note} ({joined([f'{path}:{_listed(lines)}' for path, lines in where.items()])})"


def _text(value: str) -> str:
    return value if value in {"", YES, NO} else _number(Fraction(value))


def _number(value: Fraction) -> str:
    """Exact: an integer with separators, else a decimal that ends, else a fraction."""
    if value.denominator == 1:
        return f"{value.numerator:,}"
    places = next((places for places in range(1, 10) if (value * 10**places).denominator == 1), 0)
    return (
        f"{float(value):.{places}f}" if places and abs(value) < 10**6 else f"{value.numerator:,}/{value.denominator:,}"
    )


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
