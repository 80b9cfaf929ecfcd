"""Several systems side by side, and whether it is fair to set them side by side at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.claims.coupling import Touched, leverage, touched, written
from leverage.claims.fairness import NOT_DECLARED, Check, fairness
from leverage.claims.headline import headline
from leverage.claims.parties import Party, party, size_of, sums_of
from leverage.claims.releases import SUBSTRATE, fates, indexed
from leverage.claims.select import Gap, pieces, selected
from leverage.claims.stages import StageShare, stage_shares
from leverage.claims.transfer import second_stages
from leverage.classify.vocabulary import DIVERGENCES, STAGES
from leverage.coupling.releases.matrix import Status
from leverage.evidence.columns import code_column
from leverage.measure.conventions import CONVENTIONS
from leverage.model.decisions import UNDETERMINED, Purpose
from leverage.model.provenance import Origin
from leverage.model.touchpoints import TouchKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.evidence.build import Evidence
    from leverage.spec.types import Denominator

MOST_LANGUAGES = 8
"""Languages that are rows of their own."""
SIZES = ("physical", "nonblank", "bytes", "zstd", "tokens", "functions", "files")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one system has in a row.

    Attributes:
        value: an exact number, or words; None where it is not known.
        low: what it is at least, for numbers; equal to the value where that is certain.
        high: what it is at most, likewise.
        origin: who vouches for it.
        why: why it is not known; empty where it is.
    """

    value: int | Fraction | str | None
    origin: Origin
    low: int | Fraction | None = None
    high: int | Fraction | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is compared.

    Attributes:
        group: heading that it stands under.
        label: what it is.
        unit: unit of its numbers; empty for words.
        cells: one for each side, in their order.
        table: file beside a report that holds the rows behind it; empty where there is none.
    """

    group: str
    label: str
    unit: str
    cells: tuple[Cell, ...]
    table: str = ""

    @property
    def comparable(self) -> int:
        """Number of sides of which it is known."""
        return sum(each.value is not None for each in self.cells)


@dataclass(frozen=True, slots=True)
class Lack:
    """A stage that some sides have and others lack.

    Attributes:
        stage: id of the stage.
        have: sides with code in it.
        lack: sides that were measured and have none.
        open: sides of which it is not certain that they have none.
    """

    stage: str
    have: tuple[str, ...]
    lack: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Code lines of one side over those of the first.

    Attributes:
        side: name of the side.
        value: exact; None where one of the two is not known.
        low: with what is unknown on both sides.
        high: likewise.
        flags: fairness checks that it fails; it is comparable only without any.
    """

    side: str
    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Systems side by side.

    Attributes:
        names: the sides, with their profiles.
        boundary: where they are cut.
        convention: rule by which a line is code.
        checks: what makes the comparison fair or not, first.
        ratios: of each side but the first.
        rows: everything else.
        lacks: stages that not all have.
        matrix: code lines by stage and divergence, for each side.
    """

    names: tuple[str, ...]
    boundary: str
    convention: str
    checks: tuple[Check, ...]
    ratios: tuple[Ratio, ...]
    rows: tuple[Row, ...]
    lacks: tuple[Lack, ...]
    matrix: tuple[tuple[str, str, tuple[int, ...]], ...]


def side_by_side(evidence: Evidence, names: Sequence[str], boundary: str = "") -> SideBySide:
    """Compare systems.

    Args:
        evidence: what was measured or recorded.
        names: systems, ``name`` or ``name@profile``; the first is what the others are set against.
        boundary: where they are cut; that of the headline where empty.
    """
    base = headline(evidence)
    cut = replace(base, boundary=boundary or base.boundary)
    sides = [party(evidence, name, cut) for name in names]
    checks = tuple(fairness(evidence, sides, cut))
    rows = (
        *_facts(evidence, sides),
        *_sizes(evidence, sides, cut),
        *_words_of(evidence, sides, cut, "stage"),
        *_words_of(evidence, sides, cut, "divergence"),
        *_reuse(evidence, sides),
        *_releases(evidence, sides),
        *_below(evidence, sides),
        *_tests(evidence, sides, cut),
        *_languages(evidence, sides, cut),
    )
    return SideBySide(
        tuple(each.name for each in sides),
        cut.boundary,
        cut.convention,
        checks,
        tuple(_ratios(evidence, sides, cut, checks)),
        tuple(row for row in rows if any(cell.value not in {None, 0} for cell in row.cells) or row.group == "Facts"),
        tuple(_lacks(evidence, sides, cut)),
        tuple(_matrix(evidence, sides, cut)),
    )


def _reported(one: Party) -> str:
    """Figures that were reported of a system, each with who said so; none of them was measured."""
    return "; ".join(
        f"{each.precision} {each.value} as {each.figure.replace('_', ' ')}"
        + (f" over {each.over}" if each.over else "")
        + f", by {each.by}"
        for each in one.system.reported
    )


def _sized(evidence: Evidence, one: Party, cut: Denominator) -> Cell:
    found = size_of(evidence, one, cut)
    if isinstance(found, Gap):
        return Cell(None, Origin.UNKNOWN, why=found.why)
    return Cell(found.value, one.origin, found.low, found.high)


def _told(one: Party, value: int | Fraction | str | None, why: str = "") -> Cell:
    if value is None or value == "":
        return Cell(None, Origin.UNKNOWN, why=why or NOT_DECLARED)
    number = None if isinstance(value, str) else value
    return Cell(value, one.origin, number, number)


def _facts(evidence: Evidence, sides: Sequence[Party]) -> list[Row]:
    spec = evidence.loaded.spec

    def pin(one: Party, part: Callable[[str, str], str]) -> str:
        facts = evidence.facts.get(one.id)
        found = facts.provenance.pin if facts else None
        return part(found.id, found.date) if found else ""

    def release(one: Party) -> str:
        below = spec.systems.get(one.system.builds_on or "")
        return getattr(below.source, "version", "") or one.system.builds_on or "" if below else ""

    told: tuple[tuple[str, Callable[[Party], str]], ...] = (
        ("vendor", lambda one: one.system.vendor),
        ("role", lambda one: one.system.role.value),
        ("licence", lambda one: one.system.licence),
        ("revision", lambda one: pin(one, lambda id_, _: id_)),
        ("date of the revision", lambda one: pin(one, lambda _, day: day[:10])),
        ("release of the substrate", release),
        ("reported", _reported),
        ("heights that are covered", lambda one: "" if isinstance(one.chosen, Gap) else one.chosen.covers),
    )
    return [Row("Facts", label, "", tuple(_told(one, ask(one)) for one in sides)) for label, ask in told]


def _sizes(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[Row]:
    rows = [
        Row(
            "Size",
            f"code, {name}",
            "lines",
            tuple(_sized(evidence, one, replace(cut, convention=name)) for one in sides),
            "tables/files.csv",
        )
        for name in CONVENTIONS
        if name not in {"physical", "nonblank"}
    ]
    for unit in SIZES:
        asked = replace(cut, unit=unit)  # type: ignore[arg-type]  # `SIZES` are units
        cells = tuple(_sized(evidence, one, asked) for one in sides)
        rows.append(Row("Size", unit, "lines" if unit in {"physical", "nonblank"} else unit, cells, "tables/files.csv"))
    return rows


def _shares(evidence: Evidence, one: Party, cut: Denominator) -> dict[str, StageShare] | None:
    if isinstance(one.chosen, Gap) or isinstance(size_of(evidence, one, cut), Gap):
        return None
    return {each.stage: each for each in stage_shares(evidence, one.chosen, cut)}


def _words_of(evidence: Evidence, sides: Sequence[Party], cut: Denominator, word: str) -> list[Row]:
    """Code lines of each stage or divergence; only stages have intervals: which divergence came second is not kept."""
    terms = [each.id for each in (STAGES if word == "stage" else DIVERGENCES) if each.id != UNDETERMINED]
    shares = [_shares(evidence, one, cut) for one in sides]
    sums = [sums_of(evidence, one, cut, word) for one in sides]
    rows = []
    for term in [*terms, UNDETERMINED]:
        cells = []
        for one, of_side, counted in zip(sides, shares, sums, strict=True):
            if counted is None:
                found = size_of(evidence, one, cut)
                cells.append(Cell(None, Origin.UNKNOWN, why=found.why if isinstance(found, Gap) else ""))
                continue
            value = counted.get(term, 0)
            share = (of_side or {}).get(term) if word == "stage" else None
            low, high = (share.low, share.high) if share else (value, value)
            cells.append(Cell(value, one.origin, low, high))
        group = "Stages" if word == "stage" else "Divergences"
        rows.append(Row(group, term, "lines", tuple(cells), "tables/units.csv"))
    return rows


def _reuse(evidence: Evidence, sides: Sequence[Party]) -> list[Row]:
    own: list[Cell] = []
    copied: list[Cell] = []
    for one in sides:
        found = written(evidence, one.asked)
        if isinstance(found, Gap):
            own.append(Cell(None, Origin.UNKNOWN, why=found.why))
            copied.append(own[-1])
        else:
            own.append(Cell(found.own.value, one.origin, found.own.low, found.own.high))
            copied.append(_told(one, found.copied, "copies were not looked for"))
    rows = [
        Row("Reuse", "code of its own", "lines", tuple(own), "tables/files.csv"),
        Row("Reuse", "code that stands in the substrate", "lines", tuple(copied), "tables/files.csv"),
    ]
    touches = [touched(evidence, one.id) for one in sides]
    for kind in TouchKind:
        label = f"{kind.value.replace('_', ' ')} touchpoints of the whole port"
        cells = tuple(_sites(one, found, kind) for one, found in zip(sides, touches, strict=True))
        rows.append(Row("Reuse", label, "places", cells, "tables/touchpoints.csv"))
    private = tuple(
        Cell(None, Origin.UNKNOWN, why=found.why)
        if isinstance(found, Gap)
        else _told(one, Fraction(found.whole.private, found.whole.sites) if found.whole.sites else None)
        for one, found in zip(sides, touches, strict=True)
    )
    rows.append(
        Row("Reuse", "touchpoints of the whole port that are private", "share", private, "tables/touchpoints.csv")
    )
    ran = []
    for one in sides:
        runs = leverage(evidence, one.id)
        value = None if isinstance(runs, Gap) else runs.for_each(runs.substrate)
        ran.append(_told(one, value, runs.why if isinstance(runs, Gap) else ""))
    rows.append(Row("Reuse", "lines of the substrate that ran for each own line that ran", "x", tuple(ran)))
    return rows


def _sites(one: Party, found: Touched | Gap, kind: TouchKind) -> Cell:
    if isinstance(found, Gap):
        return Cell(None, Origin.UNKNOWN, why=found.why)
    total = found.of(kind)
    return _told(one, total.sites if total else 0)


def _releases(evidence: Evidence, sides: Sequence[Party]) -> list[Row]:
    """What the newest indexed release does to the names that each side touches."""
    found = [fates(evidence, one.id) for one in sides]
    rows = []
    for status in (Status.GONE, Status.SIGNATURE_CHANGED, Status.BODY_CHANGED):
        cells = tuple(
            Cell(None, Origin.UNKNOWN, why=told.why)
            if isinstance(told, Gap)
            else _told(one, told[-1].by_status.get(status, 0))
            for one, told in zip(sides, found, strict=True)
        )
        newest = indexed()[-1].version if indexed() else ""
        label = f"names that {SUBSTRATE} {newest} has {_FATE[status]}"
        rows.append(Row("Releases", label, "names", cells))
    return rows


_FATE = {
    Status.GONE: "no more",
    Status.SIGNATURE_CHANGED: "with another signature",
    Status.BODY_CHANGED: "with another body",
}


def _below(evidence: Evidence, sides: Sequence[Party]) -> list[Row]:
    below = [second_stages(evidence, one.id) for one in sides]
    names = tuple(
        _told(one, ", ".join(each.name for each in found), "no second stage is declared")
        for one, found in zip(sides, below, strict=True)
    )
    public = tuple(
        _told(one, sum(each.code or 0 for each in found if each.code is not None))
        if any(each.code is not None for each in found)
        else Cell(None, Origin.UNKNOWN, why="; ".join(each.words for each in found) or "no second stage is declared")
        for one, found in zip(sides, below, strict=True)
    )
    closed = tuple(
        _told(one, ", ".join(each.name for each in found if each.closed) or "none" if found else "")
        for one, found in zip(sides, below, strict=True)
    )
    return [
        Row("Second stage", "declared below it", "", names),
        Row("Second stage", "public code of it", "lines", public),
        Row("Second stage", "closed parts", "", closed),
    ]


def _tests(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[Row]:
    cells = []
    for one in sides:
        if one.id not in evidence.facts:
            cells.append(Cell(None, Origin.UNKNOWN, why=evidence.gaps.get(one.id, "it has no bytes to measure")))
            continue
        files = evidence.files
        tests = files[(files["system"] == one.id) & (files["purpose"] == Purpose.TEST.value)]
        counted = tests[(tests["state"] == "counted") & (tests["language_kind"] == "programming")]
        declared = any(each.purpose is Purpose.TEST for each in one.system.components.values())
        code = int(counted[code_column(cut.convention)].clip(lower=0).sum())
        cells.append(_told(one, code if declared else None, "no component of tests is declared"))
    return [Row("Tests", "code of tests, whole repository", "lines", tuple(cells), "tables/files.csv")]


def _languages(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[Row]:
    found: list[dict[str, int] | None] = []
    for one in sides:
        if isinstance(one.chosen, Gap) or isinstance(size_of(evidence, one, cut), Gap):
            found.append(None)
            continue
        files = selected(evidence, one.chosen, cut)
        sums = files.groupby("language")[code_column(cut.convention)].sum()
        found.append({str(name): int(lines) for name, lines in sums.items()})
    totals: dict[str, int] = {}
    for each in found:
        for name, lines in (each or {}).items():
            totals[name] = totals.get(name, 0) + lines
    most = sorted(totals, key=lambda name: (-totals[name], name))[:MOST_LANGUAGES]
    return [
        Row(
            "Languages",
            name,
            "lines",
            tuple(
                Cell(None, Origin.UNKNOWN, why="it is not measured") if each is None else _told(one, each.get(name, 0))
                for one, each in zip(sides, found, strict=True)
            ),
            "tables/files.csv",
        )
        for name in most
    ]


def _ratios(evidence: Evidence, sides: Sequence[Party], cut: Denominator, checks: Sequence[Check]) -> list[Ratio]:
    first = size_of(evidence, sides[0], cut)
    found = []
    for one in sides[1:]:
        pair = [sides[0], one]
        flags = tuple(
            check.id
            for check in (checks if len(sides) == len(pair) else fairness(evidence, pair, cut))
            if check.fair != "yes"
        )
        size = size_of(evidence, one, cut)
        if isinstance(first, Gap) or isinstance(size, Gap) or not first.value or not first.low:
            found.append(Ratio(one.name, None, None, None, flags))
            continue
        found.append(
            Ratio(
                one.name,
                Fraction(size.value, first.value),
                Fraction(size.low, first.high),
                Fraction(size.high, first.low),
                flags,
            )
        )
    return found


def _lacks(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[Lack]:
    shares = [(one.name, _shares(evidence, one, cut)) for one in sides]
    measured = [(name, of_side) for name, of_side in shares if of_side is not None]
    found = []
    for term in STAGES:
        have = tuple(name for name, of_side in measured if term.id in of_side and of_side[term.id].lines)
        rest = [(name, of_side) for name, of_side in measured if name not in have]
        open_ = tuple(name for name, of_side in rest if term.id in of_side and of_side[term.id].high)
        lack = tuple(name for name, _ in rest if name not in open_)
        if have and rest:
            found.append(Lack(term.id, have, lack, open_))
    return found


def _matrix(evidence: Evidence, sides: Sequence[Party], cut: Denominator) -> list[tuple[str, str, tuple[int, ...]]]:
    """Code lines by stage and divergence, in the order of the vocabulary; sides without figures count nothing."""
    counted: list[dict[tuple[str, str], int]] = []
    for one in sides:
        if isinstance(one.chosen, Gap) or isinstance(size_of(evidence, one, cut), Gap):
            counted.append({})
            continue
        code = pieces(evidence, selected(evidence, one.chosen, cut))
        sums = code.groupby(["stage", "divergence"])[code_column(cut.convention)].sum()
        flat = sums.reset_index().itertuples(index=False, name=None)
        counted.append({(str(stage), str(divergence)): int(lines) for stage, divergence, lines in flat})
    stages = [*(each.id for each in STAGES), UNDETERMINED]
    return [
        (stage, divergence, lines)
        for stage in stages
        for divergence in (each.id for each in DIVERGENCES)
        if any(lines := tuple(each.get((stage, divergence), 0) for each in counted))
    ]
