"""How well a classification agrees with the judgements in ``classification/``.

    leverage classify PATH --format json > rows.json
    python -m tests.ground_truth.score popart=rows.json

Takes one or more ``SYSTEM=ROWS`` and prints Markdown tables. Each judged unit is compared with the row of its path that
shares most lines with it, the tightest of equals; a unit without such a row counts as ``undetermined``. Kappa is
Cohen's, over units, kept as an exact fraction until it is printed. A second stage that a reader would sign (``also``)
is right only in the rows that say so.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOLDER = Path(__file__).parent / "classification"
NOT_FOUND = "undetermined"


@dataclass(frozen=True, slots=True)
class Judged:
    """A unit as it was judged; ``also`` is empty where no second stage was signed."""

    path: str
    symbol: str
    first: int
    last: int
    code: int
    stage: str
    divergence: str
    also: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What of a classification's row matters here."""

    path: str
    first: int
    last: int
    stage: str
    divergence: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers about one unit, and the unit's own lines of code."""

    truth: str
    answer: str
    code: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A judged unit and the row that answers for it, if there is one."""

    unit: Judged
    row: Row | None

    @property
    def stage(self) -> Pair:
        """The stages."""
        return Pair(self.unit.stage, self.row.stage if self.row else NOT_FOUND, self.unit.code)

    @property
    def divergence(self) -> Pair:
        """The divergences."""
        return Pair(self.unit.divergence, self.row.divergence if self.row else NOT_FOUND, self.unit.code)

    @property
    def either_stage(self) -> Pair:
        """The stages, where the second signed stage is the truth if that is the answer."""
        pair = self.stage
        return Pair(pair.answer, pair.answer, pair.code) if pair.answer == self.unit.also else pair


def judged(system: str) -> list[Judged]:
    """The judged units of a system."""
    read = YAML(typ="safe").load((FOLDER / f"{system}.yaml").read_text(encoding="utf-8"))
    names = Judged.__dataclass_fields__.keys()
    return [Judged(**{name: value for name, value in unit.items() if name in names}) for unit in read["units"]]


def rows(text: str) -> list[Row]:
    """The rows of a classification in JSON."""
    return [Row(**{name: row[name] for name in Row.__dataclass_fields__}) for row in json.loads(text)]


def compared(units: Iterable[Judged], answers: Iterable[Row]) -> list[Compared]:
    """Each judged unit beside the row of its path that shares most lines with it; the tightest of equals."""
    by_path: dict[str, list[Row]] = {}
    for answer in answers:
        by_path.setdefault(answer.path, []).append(answer)
    return [Compared(unit, _closest(unit, by_path.get(unit.path, ()))) for unit in units]


def _closest(unit: Judged, answers: Sequence[Row]) -> Row | None:
    def closeness(row: Row) -> tuple[int, int]:
        return _shared(unit, row), row.first - row.last

    best = max(answers, key=closeness, default=None)
    return best if best is not None and _shared(unit, best) > 0 else None


def _shared(unit: Judged, row: Row) -> int:
    return min(unit.last, row.last) - max(unit.first, row.first) + 1


def accuracy(pairs: Sequence[Pair], *, by_lines: bool) -> Fraction:
    """Share of units, or of their lines of code, with the right answer."""
    weights = [pair.code if by_lines else 1 for pair in pairs]
    right = sum(weight for pair, weight in zip(pairs, weights, strict=True) if pair.truth == pair.answer)
    return Fraction(right, sum(weights))


def kappa(pairs: Sequence[Pair]) -> Fraction | None:
    """Cohen's kappa; None where both sides only ever use one and the same word, so that chance alone agrees."""
    number = len(pairs)
    truths, answers = Counter(pair.truth for pair in pairs), Counter(pair.answer for pair in pairs)
    agreed = accuracy(pairs, by_lines=False)
    chance = Fraction(sum(count * answers[word] for word, count in truths.items()), number**2)
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def table(systems: dict[str, list[Compared]]) -> str:
    """Accuracy and kappa per system and over all, and which words were mistaken for which."""
    whole = [one for found in systems.values() for one in found]
    everything = systems | ({"all": whole} if len(systems) > 1 else {})
    head = (
        "| system | units | no row | measured on | right, by units | right, by lines | kappa |",
        "|---|---:|---:|---|---:|---:|---:|",
    )
    lines = [*head, *(line for name, found in everything.items() for line in _lines(name, found))]
    for word in ("stage", "divergence"):
        pairs = [
            row for name, found in systems.items() for row in _confused(name, [getattr(one, word) for one in found])
        ]
        lines += [
            "",
            f"| system | {word}, as read | as classified | units | lines |",
            "|---|---|---|---:|---:|",
            *pairs,
        ]
    return "\n".join(lines) + "\n"


def _lines(name: str, found: list[Compared]) -> Iterator[str]:
    missing = sum(one.row is None for one in found)
    for measured, pairs in (
        ("stage", [one.stage for one in found]),
        ("stage, second one counted as right", [one.either_stage for one in found]),
        ("divergence", [one.divergence for one in found]),
    ):
        shares = " | ".join(f"{float(accuracy(pairs, by_lines=by_lines)):.1%}" for by_lines in (False, True))
        agreement = kappa(pairs)
        shown = "undefined" if agreement is None else f"{float(agreement):.3f}"
        yield f"| {name} | {len(found)} | {missing} | {measured} | {shares} | {shown} |"


def _confused(name: str, pairs: Iterable[Pair]) -> Iterator[str]:
    units: Counter[tuple[str, str]] = Counter()
    code: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        if pair.truth != pair.answer:
            units[pair.truth, pair.answer] += 1
            code[pair.truth, pair.answer] += pair.code
    for words in sorted(units, key=lambda words: (-units[words], -code[words], words)):
        yield f"| {name} | {words[0]} | {words[1]} | {units[words]} | {code[words]} |"


def main(arguments: Sequence[str]) -> Any:
    """Score ``SYSTEM=ROWS`` arguments; returns what `sys.exit` takes."""
    if not arguments or not all("=" in argument for argument in arguments):
        return "usage: python -m tests.ground_truth.score SYSTEM=ROWS.json ..."
    named = dict(argument.split("=", 1) for argument in arguments)
    sys.stdout.write(
        table(
            {
                system: compared(judged(system), rows(Path(path).read_text(encoding="utf-8")))
                for system, path in named.items()
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
