"""The tables behind a report, for `tables/*.csv`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.evidence.columns import FILE_COLUMNS, TOUCH_COLUMNS, UNIT_COLUMNS, code_column, copied_column
from leverage.measure.conventions import CONVENTIONS
from leverage.report.buildgrid import grid_table
from leverage.report.view import Table

if TYPE_CHECKING:
    import pandas as pd

    from leverage.evidence.build import Evidence
    from leverage.report.view import ReportV1


def build_tables(evidence: Evidence, report: ReportV1) -> list[Table]:
    """The tables behind the report, for `tables/*.csv`: every file, every pair, every account, every stage."""
    codes = {code_column(name): f"code lines by the rule of {name}; -1 where unknown" for name in CONVENTIONS}
    copied = {
        copied_column(name): f"those by the rule of {name} that stand verbatim in what the system builds on"
        for name in CONVENTIONS
    }
    meanings = {**FILE_COLUMNS, **codes, **copied}
    names = list(meanings)
    ordered = evidence.files.sort_values(["system", "path"], kind="stable") if len(evidence.files) else evidence.files
    files = Table("files", tuple((name, meanings[name]) for name in names), _plain(ordered[names]))
    unit_names = [*UNIT_COLUMNS, *codes]
    units = Table(
        "units",
        tuple((name, UNIT_COLUMNS.get(name) or meanings[name]) for name in unit_names),
        _plain(evidence.units[unit_names]),
    )
    ratios = Table(
        "ratios",
        (
            ("denominator", "id of the denominator"),
            ("left", "larger side of the claim, or a system that stands in for it"),
            ("right", "smaller side of the claim"),
            ("stands_in_for", "system that the left side stands in for; empty where it is itself"),
            ("status", "ratio, not comparable or unknown"),
            ("left_amount", "exact amount of the left side; empty where unknown"),
            ("right_amount", "exact amount of the right side; empty where unknown"),
            ("unit", "what is counted"),
            ("convention", "rule by which a line is code; exact where none is needed"),
            ("scope", "selection of files"),
            ("ratio", "ratio as shown"),
            ("why", "why there is no ratio"),
        ),
        tuple(
            (
                one.id,
                pair.left,
                pair.right,
                pair.stands_in_for,
                pair.status,
                "" if pair.numerator is None else pair.numerator.value,
                "" if pair.denominator is None else pair.denominator.value,
                one.unit,
                one.convention,
                f"{'+'.join(one.purposes)} files in {one.languages} languages",
                "" if pair.ratio is None else pair.ratio.text,
                pair.why,
            )
            for one in report.denominators
            for pair in one.pairs
        ),
    )
    steps = Table(
        "waterfall",
        (
            ("denominator", "id of the denominator"),
            ("side", "id of the system, with @profile where one is used"),
            ("kind", "total (what is left) or less (what falls away from it)"),
            ("step", "id of the step"),
            ("what", "the same in words"),
            ("files", "number of files"),
            ("lines", "physical lines of those that were read; at the last step of a kind of line, the amount"),
        ),
        tuple(
            (one.id, each.side, step.kind, step.id, step.what, step.files, step.lines)
            for one in report.denominators
            for each in one.waterfalls
            for step in each.steps
        ),
    )
    stages = Table(
        "stages",
        (
            ("system", "id of the system, with @profile where one is used"),
            ("stage", "compiler stage"),
            ("divergence", "departure from GPU-shaped assumptions"),
            ("files", "number of files"),
            ("lines", report.stages.unit),
        ),
        tuple((cell.system, cell.stage, cell.divergence, cell.files, cell.lines) for cell in report.stages.cells),
    )
    shares = Table(
        "shares",
        (
            ("system", "id of the system, with @profile where one is used"),
            ("stage", "compiler stage"),
            ("lines", report.stages.unit),
            ("low", "those that no weaker evidence puts into another stage"),
            ("high", "with all lines that may belong to it, undetermined ones among them"),
        ),
        tuple((one.system, one.stage, one.lines, one.low, one.high) for one in report.stages.shares),
    )
    accounts = Table(
        "identity",
        (
            ("system", "id of the system"),
            ("state", "counted, excluded or unknown"),
            ("reason", "why"),
            ("rule", "what decided"),
            ("files", "tracked entries"),
            ("lines", "physical lines of those that were read"),
            ("unread_files", "entries whose bytes were not read"),
        ),
        tuple(
            (row.system, row.state, row.reason, row.rule, row.files, row.lines, row.unread_files)
            for one in report.identity
            for row in one.rows
        ),
    )
    touchpoints = Table("touchpoints", tuple(TOUCH_COLUMNS.items()), _plain(evidence.touchpoints))
    runs = Table(
        "leverage",
        (
            ("port", "id of the system"),
            ("side", "own or substrate"),
            ("part", "folder below a package, or the package for its own files; all of them together where empty"),
            ("executable", "lines that can run"),
            ("bodies", "those inside functions"),
            ("imported", "lines outside functions that ran, which an import does by itself"),
            ("run", "lines inside functions that ran for some model"),
        ),
        tuple(
            (one.port, side, part, row.executable, row.bodies, row.imported, row.run)
            for one in report.leverage
            for side, part, row in [
                ("own", "", one.own),
                ("substrate", "", one.substrate),
                *(("substrate", each.part, each) for each in one.parts),
            ]
        ),
    )
    return [files, units, touchpoints, runs, ratios, grid_table(report), steps, stages, shares, accounts]


def _plain(frame: pd.DataFrame) -> tuple[tuple[str | int, ...], ...]:
    return tuple(
        tuple(value if isinstance(value, str) else int(value) for value in row)
        for row in frame.itertuples(index=False, name=None)
    )
