"""`leverage check`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import plural
from leverage.cli.options import record_option, recorded_option, session, session_options
from leverage.cli.sarif import sarif_text
from leverage.model.errors import ConfigurationError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from leverage.cli.options import Session, Settings
    from leverage.evidence.build import Evidence

MARKS = {True: "ok", False: "FAILS", None: "unchecked"}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was checked: a claim or a budget; ``holds`` is None where it could not be checked."""

    kind: str
    id: str
    holds: bool | None
    what: str
    why: str
    file: str
    line: int


@click.command("check")
@session_options
@record_option
@recorded_option
@click.option(
    "--config-only",
    is_flag=True,
    help="Look at the configuration, its lock and its packs alone: measure nothing, and take less than a second.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 also when a claim or budget fails.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "github", "sarif"]),
    default="text",
    show_default=True,
    help="How the lines are printed.",
)
def command(
    settings: Settings, *, record: Path | None, recorded: bool, config_only: bool, exit_zero: bool, form: str
) -> int:
    """Evaluate claims and budgets, one line each; the exit code says whether they hold.

    A claim with `expect: VERDICT` holds when its verdict is the expected one. Exit code 1: something fails. Exit code
    3: nothing fails, but something could not be checked. With `--format sarif` failures are in the output alone, as its
    readers expect: exit code 0.
    """
    if config_only:
        return _configuration(session(settings, locked=False))
    opened = session(settings)
    from leverage.cli.evidence import evidence_of  # noqa: PLC0415 - loads pandas, and `--help` comes this far

    evidence, _ = evidence_of(opened, record, recorded_only=recorded)
    lines = _lines(evidence)
    click.echo(FORMATS[form](lines))
    if any(line.holds is False for line in lines):
        return ExitCode.DONE if exit_zero or form == "sarif" else ExitCode.FAILS
    return ExitCode.UNCHECKABLE if any(line.holds is None for line in lines) else ExitCode.DONE


def _configuration(opened: Session) -> int:
    """Whether declared packs can be loaded and the lock fits; the configuration itself is loaded already.

    Raises:
        ConfigurationError: a pack is wrong, or entries of the lock do not fit.
    """
    from leverage.cli.packs import pack_of  # noqa: PLC0415 - not needed for `--help`
    from leverage.spec.lock import load_lock, stale  # noqa: PLC0415

    spec = opened.loaded.spec
    declared = [name for name, system in spec.systems.items() if system.pack]  # those shipped are tested as they are
    for name in declared:
        pack_of(opened, name)
    if opened.lock_path.exists():
        problems = stale(opened.loaded, load_lock(opened.lock_path), str(opened.lock_path))
        if problems:
            raise ConfigurationError(*problems)
    parts = (
        plural(len(spec.systems), "system"),
        plural(len(declared), "declared pack"),
        plural(len(spec.denominators), "denominator"),
        plural(len(spec.claims), "claim"),
    )
    click.echo(f"{opened.loaded.file}: nothing is wrong with {', '.join(parts)}")
    return ExitCode.DONE


def _lines(evidence: Evidence) -> list[Line]:
    from leverage.claims.budgets import check_budgets  # noqa: PLC0415 - pandas, as above
    from leverage.claims.verdict import judge  # noqa: PLC0415
    from leverage.report.build import budget_texts  # noqa: PLC0415

    lines = []
    for claim in judge(evidence):
        place = evidence.loaded.locate("claims", claim.id)
        expected = (
            ", as expected" if claim.as_expected else f", expected: {claim.claim.expect}" if claim.claim.expect else ""
        )
        lines.append(
            Line(
                "claim",
                claim.id,
                claim.holds,
                f"{claim.verdict.value}{expected}",
                " ".join(claim.outcome.because.split()),  # one line each, whatever the configuration's text has
                place.file,
                place.line,
            )
        )
    for at, budget in enumerate(check_budgets(evidence)):
        place = evidence.loaded.locate("budgets", at)
        limit, actual = budget_texts(budget)
        what = f"{actual} of at most {limit}" if budget.actual is not None else "cannot be checked"
        lines.append(Line("budget", budget.budget.measure, budget.holds, what, budget.why, place.file, place.line))
    return lines


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(
        f"{MARKS[line.holds]:9} {line.kind} {line.id}: {line.what}" + (f" ({line.why})" if line.why else "")
        for line in lines
    )


def _json(lines: Sequence[Line]) -> str:
    return json.dumps({"format": 1, "checks": [asdict(line) for line in lines]}, indent=1)


def _markdown(lines: Sequence[Line]) -> str:
    rows = [
        f"| {MARKS[line.holds]} | {line.kind} `{line.id}` | {_cell(line.what)} | {_cell(line.why)} |" for line in lines
    ]
    return "\n".join(["| | check | result | why |", "|---|---|---|---|", *rows])


def _github(lines: Sequence[Line]) -> str:
    levels = {True: "notice", False: "error", None: "warning"}
    return "\n".join(
        f"::{levels[line.holds]} file={_property(line.file)},line={max(line.line, 1)},"
        f"title={_property(f'{line.kind} {line.id}')}::{_message(f'{line.what}. {line.why}')}"
        for line in lines
    )


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: Mapping[str, Callable[[Sequence[Line]], str]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "github": _github,
    "sarif": sarif_text,
}
