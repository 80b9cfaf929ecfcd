"""Explanations as text: of a file, of one line of it, and of the opinion about it. Functions from values to lines."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from leverage.cli.aligned import number, plural
from leverage.measure.conventions import CONVENTIONS, Part, code_lines
from leverage.measure.explain import explain_line
from leverage.measure.languages import languages
from leverage.measure.lines.base import normalize
from leverage.measure.screen import readable
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.files import FileFacts, State
from leverage.model.lines import LineClass
from leverage.report.display import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leverage.classify.engine import Explanation as Opinion
    from leverage.evidence.facts import UnitFact

MARGIN = 14
RULE = "leverage"
"""Convention of figures that stand for all."""
LONGEST_LINE = 100
"""Characters of a line of source that are shown."""


def labelled(label: str, text: str) -> str:
    """A line with its label in the margin."""
    return f"  {label.ljust(MARGIN)}{text}".rstrip()


def folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, those with a label in the margin folded to the width of a terminal."""
    for line in lines:
        if len(line) <= width or not line.startswith("  ") or line.lstrip()[:1].isdigit():
            yield line
        else:
            yield from textwrap.wrap(
                line, max(width, 2 * MARGIN), subsequent_indent=" " * (MARGIN + 2), break_on_hyphens=False
            )


def file_lines(facts: FileFacts) -> Iterator[str]:
    """How a file was counted: disposition, language, sizes, classes, and code under each convention."""
    disposition = facts.disposition
    why = f"{disposition.reason}: {disposition.rule}" if disposition.rule else disposition.reason
    yield labelled("disposition", "counted" if why == "counted" else f"{disposition.state.value}, {visible(why)}")
    name = languages()[facts.language].name if facts.language else "unknown"
    yield labelled("language", f"{name} ({visible(facts.language_rule) or 'nothing decided'})")
    if facts.physical < 0:
        yield labelled("size", "its lines are not at hand")
    else:
        size = [plural(facts.physical, "physical line"), f"{number(facts.nonblank)} non-blank"]
        yield labelled("size", ", ".join(size + ([plural(facts.file.size, "byte")] if facts.file.size >= 0 else [])))
    if facts.lines is not None:
        classes = [f"{facts.lines[each]:,} {each.label}" for each in LineClass if facts.lines[each]]
        yield labelled("line classes", ", ".join(classes) or "none")
        for label, convention in zip(_labels("code under"), CONVENTIONS.values(), strict=False):
            found = convention.project(facts.language, facts.lines)
            told = "does not know the language" if found is None else number(found.code)
            yield labelled(label, f"{convention.id.ljust(11)}{told}")
    if facts.witness is not None:
        yield labelled("witness", f"pygount itself: {plural(facts.witness.code + facts.witness.string, 'source line')}")


def _labels(first: str) -> Iterator[str]:
    yield first
    while True:
        yield ""


def line_lines(data: bytes, facts: FileFacts, place: Location) -> Iterator[str]:
    """The class of one line, the token and the rule that decided, and what each convention calls it.

    Args:
        data: the file's bytes.
        facts: what was measured about it.
        place: the file as it was asked for, and the line.

    Raises:
        ConfigurationError: there is no such line, or none that could be explained.
    """
    if facts.lines is None or not facts.language:
        reason = f"{facts.disposition.reason}: {facts.disposition.rule}".rstrip(": ")
        raise _unexplained(place, f"its lines have no classes ({visible(reason)})", "explain the file as a whole")
    try:
        found = explain_line(data, facts.language, place.line)
    except IndexError:
        raise _unexplained(
            place, f"there is no line {place.line:,}", f"the file has {plural(facts.physical, 'line')}"
        ) from None
    if found is None:
        raise _unexplained(
            place,
            f"lines of {languages()[facts.language].name} are counted by pygount, which gives totals only",
            "explain the file as a whole",
        )
    why = found.why
    yield from _shown_line(data, place.line, why.column, why.token)
    yield labelled("class", f"{why.line_class.label}: {why.line_class.meaning}")
    token = f" at column {why.column + 1}" if why.token else ""
    yield labelled("rule", f"{why.rule}{token}: {why.reason}")
    for label, (part, names) in zip(_labels("counts as"), _by_part(found.parts).items(), strict=False):
        yield labelled(label, f"{part.ljust(15)}{', '.join(names)}")
    if facts.disposition.state is not State.COUNTED:
        yield labelled(
            "but", f"the file is {facts.disposition.state.value} ({facts.disposition.reason}): no total has it"
        )


def _by_part(parts: Mapping[str, Part | None]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {part.value: [] for part in Part}
    for name, part in parts.items():
        grouped.setdefault("not known to" if part is None else part.value, []).append(name)
    return {word: names for word, names in grouped.items() if names}


def _unexplained(place: Location, what: str, hint: str) -> ConfigurationError:
    return ConfigurationError(Problem("no-such-line", what, place, hint=hint))


def _shown_line(data: bytes, line: int, column: int, token: bytes) -> Iterator[str]:
    text, _ = readable(data)
    raw = normalize(text).split(b"\n")[line - 1]
    before, marked = _plain(raw[:column]), _plain(token)
    shown = _plain(raw)
    if len(before) + len(marked) > LONGEST_LINE:  # keep the token in sight
        cut = max(0, len(before) - LONGEST_LINE // 2)
        before, shown = "…" + before[cut + 1 :], "…" + shown[cut + 1 :]
    gutter = f"{line:>6} | "
    yield gutter + (shown if len(shown) <= LONGEST_LINE else shown[: LONGEST_LINE - 1] + "…")
    if token:
        marks = "^" * max(1, min(len(marked), LONGEST_LINE - len(before)))
        yield f"{'| ':>{len(gutter)}}{' ' * len(before)}{marks}"


def _plain(data: bytes) -> str:
    return visible(data.decode("utf-8", "replace").replace("\t", "    "))


def opinion_lines(opinion: Opinion) -> Iterable[str]:
    """Stage and divergence of a file, the rule that decided, and what came second."""
    decision = opinion.decision
    yield labelled("stage", f"{decision.stage}, divergence {decision.divergence}")
    yield labelled("", f"{decision.rule or 'no rule'}: {decision.reason}")
    for other in opinion.candidates[1:]:
        yield labelled("came second", f"{other.stage} by {other.rule} ({other.where}): {other.reason}")


def divided_lines(language: str, units: Sequence[UnitFact]) -> Iterator[str]:
    """What the parts of a file were decided as, where they were decided apart from it."""
    totals: dict[str, int] = {}
    for row in units:
        totals[row.decision.stage] = totals.get(row.decision.stage, 0) + (
            code_lines(RULE, language, row.unit.lines) or 0
        )
    if totals:
        told = ", ".join(f"{stage} {number(code)}" for stage, code in sorted(totals.items(), key=lambda each: -each[1]))
        yield labelled("in parts", f"{plural(len(units), 'unit')} decided one by one; code lines by stage: {told}")


def unit_lines(units: Sequence[UnitFact], line: int) -> Iterator[str]:
    """The unit that a line belongs to, where units were decided apart from their file: the innermost that has it."""
    inside = [row for row in units if row.unit.first <= line <= row.unit.last]
    if not inside:
        return
    row = min(inside, key=lambda each: each.unit.last - each.unit.first)
    unit, decision = row.unit, row.decision
    name = f"{unit.kind.value} {visible(unit.symbol)}" if unit.symbol else "the rest of the file"
    yield labelled("unit", f"{name}, lines {unit.first:,} to {unit.last:,}")
    yield labelled("its stage", f"{decision.stage}, divergence {decision.divergence}")
    second = f"; {decision.runner_up} came second" if decision.runner_up else ""
    yield labelled(
        "", f"{visible(decision.rule) or 'no rule'} ({decision.confidence.value}): {visible(decision.reason)}{second}"
    )
