"""What changed between two measurements, apart by what can have caused it: the code, the rules, the tool.

Rules are what somebody declares (the configuration, the lock, packs); the tool is leverage itself with its line rule.
Where more than one of them changed, a figure names them all: nothing in two reports says how much is whose.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from leverage.cli.series import Point

CODE, RULES, TOOL = "code", "rules", "tool"
UNEXPLAINED = "unexplained"
"""The cause of a figure that changed although nothing did that it is made of: a defect."""
ABSENT = "none"
HEADLINE, CLAIM, TOUCHPOINT = "headline ratio", "claim", "touchpoint"
"""Sections of reports of which a change is worth a word to people who did not ask."""
Value = int | str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A figure that changed; None where one side has none. The cause is one of the four words above, or several."""

    key: str
    before: Value
    after: Value
    cause: str

    @property
    def change(self) -> int | None:
        """After less before, of counts."""
        before, after = self.before or 0, self.after or 0
        return after - before if isinstance(before, int) and isinstance(after, int) else None


@dataclass(frozen=True, slots=True)
class Section:
    """Figures of one kind; ``unit`` says what they count."""

    title: str
    unit: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed from one side to the other.

    Attributes:
        before: name of the first side.
        after: name of the second side.
        causes: by cause, what changed of it, in words; empty where nothing did.
        sentence: the change in one sentence.
        sections: the figures that changed.
    """

    before: str
    after: str
    causes: Mapping[str, tuple[str, ...]]
    sentence: str
    sections: tuple[Section, ...]

    @property
    def nothing(self) -> bool:
        """Whether nothing changed at all."""
        return not self.sections and not any(self.causes.values())


def signed(value: int) -> str:
    """A change with its sign."""
    return f"{value:+,}"


def _rows(before: Mapping[str, Value], after: Mapping[str, Value], cause: Callable[[str], str]) -> tuple[Row, ...]:
    keys = dict.fromkeys([*before, *after])
    return tuple(
        Row(key, before.get(key), after.get(key), cause(key)) for key in keys if before.get(key) != after.get(key)
    )


def _sections(found: Iterable[tuple[str, str, tuple[Row, ...]]]) -> tuple[Section, ...]:
    return tuple(Section(title, unit, rows) for title, unit, rows in found if rows)


def of_points(
    names: tuple[str, str],
    commits: tuple[str, str],
    convention: str,
    points: Mapping[str, tuple[Point, Point]],
    files: Sequence[Row],
) -> Difference:
    """The difference between two revisions, which one tool measures by one set of rules: the code alone can change.

    Args:
        names: what was asked for.
        commits: ids of the commits.
        convention: the one under which single figures are shown.
        points: by what they are told apart by (`leverage.cli.series.BY`), the sizes of both sides.
        files: code lines of the files that changed.
    """

    def code(_key: str) -> str:
        return CODE

    def lines(by: str, at: int) -> dict[str, Value]:
        return dict(points[by][at].lines.get(convention, {}))

    unit = f"code lines, convention {convention}"
    total = {at: {name: sum(sizes.values()) for name, sizes in points["total"][at].lines.items()} for at in range(2)}
    sections = _sections(
        (
            ("convention", "code lines of production code", _rows(total[0], total[1], code)),
            *(
                (by, f"{unit}, all purposes" if by == "purpose" else f"{unit}, production code", rows)
                for by in points
                if by != "total"
                for rows in [_largest(_rows(lines(by, 0), lines(by, 1), code))]
            ),
            ("file", unit, tuple(files)),
        )
    )
    changed = () if commits[0] == commits[1] else (f"commit {commits[0][:12]} to {commits[1][:12]}",)
    old, new = total[0].get(convention, 0), total[1].get(convention, 0)
    return Difference(*names, {CODE: changed, RULES: (), TOOL: ()}, _told(old, new, sections), sections)


def _largest(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: (-abs(row.change or 0), row.key)))


def _told(old: int, new: int, sections: Sequence[Section]) -> str:
    stages = next((section.rows for section in sections if section.title == "stage"), ())
    told = ", ".join(f"{row.key} {signed(row.change or 0)}" for row in stages if row.key != "undetermined")
    return f"{signed(new - old)} code lines of production code, {old:,} to {new:,}" + (f": {told}" if told else "")


class _Report:
    """The figures of a `report.json`, by a key that both sides share."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        self.name = name
        self.provenance = document["provenance"]
        self.systems = {system["id"]: system for system in document["systems"]}
        self.packs: Mapping[str, str] = self.provenance["packs"]
        self.pins = {id_: (system["pin"] or {}).get("id") for id_, system in self.systems.items()}
        self.components: dict[str, Value] = {}
        for id_, system in self.systems.items():
            for part in system["components"]:
                self.components[f"{id_}: {part['id']}"] = part["code"].get("leverage")
        stages: Counter[str] = Counter()
        for cell in document["stages"]["cells"]:
            stages[f"{cell['system']}: {cell['stage']}"] += cell["lines"]
        self.stages: dict[str, Value] = dict(sorted(stages.items()))
        self.touched: dict[str, Value] = {
            f"{port['port']}: {total['kind']}, {what}": total[what]
            for port in document["coupling"]
            for total in port["totals"]
            for what in ("sites", "private")
        }
        self.headline, self.ratios = (
            {
                f"{one['id']}: {pair['left']} over {pair['right']}": _ratio(pair)
                for one in document["denominators"]
                if one["headline"] is headline
                for pair in one["pairs"]
            }
            for headline in (True, False)
        )
        self.claims: dict[str, Value] = {claim["id"]: claim["verdict"] for claim in document["claims"]}


def _ratio(pair: Mapping[str, Any]) -> str:
    """A ratio as the report has it, or why there is none."""
    ratio = pair["ratio"]
    return str(pair["status"]) if ratio is None else str(ratio["text"] if isinstance(ratio, dict) else ratio)


def of_reports(names: tuple[str, str], documents: tuple[Mapping[str, Any], Mapping[str, Any]]) -> Difference:
    """The difference between two reports.

    Raises:
        KeyError, TypeError, AttributeError: a document is no report of format 1.
    """
    old, new = (_Report(name, document) for name, document in zip(names, documents, strict=True))
    moved = [name for name in dict.fromkeys([*old.pins, *new.pins]) if old.pins.get(name) != new.pins.get(name)]
    packs = [name for name in dict.fromkeys([*old.packs, *new.packs]) if old.packs.get(name) != new.packs.get(name)]
    causes = {
        CODE: tuple(f"{name}: {_pin(old, name)} to {_pin(new, name)}" for name in moved),
        RULES: (*_provenance(old, new, "spec_hash", "the configuration"), *(f"the pack of {name}" for name in packs)),
        TOOL: (*_provenance(old, new, "tool_version", "leverage"), *_provenance(old, new, "rule_version", "line rule")),
    }

    def cause(key: str) -> str:
        system = key.partition(":")[0].partition("@")[0]  # a profile is part of its system
        declared = old.provenance["spec_hash"] != new.provenance["spec_hash"] or system in packs
        found = [word for word, is_ in ((CODE, system in moved), (RULES, declared), (TOOL, bool(causes[TOOL]))) if is_]
        return ", ".join(found) or UNEXPLAINED

    def any_cause(_key: str) -> str:
        return ", ".join(word for word, changed in causes.items() if changed) or UNEXPLAINED

    sections = _sections(
        (
            ("component", "code lines, convention leverage", _rows(old.components, new.components, cause)),
            ("stage", "code lines, convention leverage, production code", _rows(old.stages, new.stages, cause)),
            (TOUCHPOINT, "places", _rows(old.touched, new.touched, cause)),
            (HEADLINE, "ratio", _rows(old.headline, new.headline, any_cause)),
            ("ratio", "ratio", _rows(old.ratios, new.ratios, any_cause)),
            (CLAIM, "verdict", _rows(old.claims, new.claims, any_cause)),
        )
    )
    return Difference(*names, causes, "; ".join(_summed(sections)), sections)


def _provenance(old: _Report, new: _Report, key: str, name: str) -> Iterator[str]:
    before, after = old.provenance[key], new.provenance[key]
    if before != after:
        told = "" if key.endswith("hash") else f" {before} to {after}"
        yield f"{name}{told}"


def _pin(report: _Report, name: str) -> str:
    if name not in report.systems:
        return "not there"
    return str(report.pins[name] or "no bytes").removeprefix("sha256:")[:12]


def _summed(sections: Sequence[Section]) -> Iterator[str]:
    for section in sections:
        count = f"{len(section.rows):,} {section.title}{'s' if len(section.rows) > 1 else ''} changed"
        changes = [row.change for row in section.rows]
        if section.title == "component" and all(change is not None for change in changes):
            count += f" ({signed(sum(change or 0 for change in changes))} code lines)"
        yield count
