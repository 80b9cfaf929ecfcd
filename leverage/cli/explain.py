"""`leverage explain`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from leverage.classify.engine import explain
from leverage.cli.evidence import packs_of
from leverage.cli.gather import gather
from leverage.cli.options import Session, session, session_options
from leverage.evidence.identity import OUTSIDE_REASON
from leverage.measure.conventions import CONVENTIONS, code_lines
from leverage.model.errors import ConfigurationError, Problem
from leverage.model.files import FileFacts
from leverage.model.lines import LineClass
from leverage.spec.select import Selector


@dataclass(frozen=True, slots=True)
class Found:
    """A file that the argument may mean: its system, its facts (None outside every component) and where those come from."""

    system: str
    path: str
    facts: FileFacts | None
    origin: str


@click.command("explain")
@click.argument("target", metavar="[SYSTEM:]PATH")
@session_options
@click.option("--recorded", is_flag=True, help="Use the recorded evidence only.")
def command(target: str, config: Path, mirror: str | None, offline: bool, jobs: int | None, recorded: bool) -> None:
    """Say how a file was counted and classified, and why.

    PATH is a path inside a system's source, such as torch-spyre:torch_spyre/_inductor/ir.py; without SYSTEM every system
    is searched.
    """
    opened = session(config, mirror, offline=offline, jobs=jobs)
    systems = opened.loaded.spec.systems
    system, _, path = target.rpartition(":")
    if system and system not in systems:
        system, path = "", target
    found = _find(opened, system, path, recorded_only=recorded)
    if not found:
        raise ConfigurationError(
            Problem(
                "no-such-file",
                f"no measured system has a file {path!r}" + (f" in {system}" if system else ""),
                hint="give the path as it stands in the source's tree, for example "
                "torch-spyre:torch_spyre/_inductor/ir.py",
            )
        )
    click.echo("\n\n".join(_text(opened, one) for one in found))


def _find(opened: Session, system: str, path: str, *, recorded_only: bool) -> list[Found]:
    gathered = gather(opened, recorded_only=recorded_only, only=frozenset({system}) if system else None)
    return [
        Found(name, path, row, facts.provenance.origin.value)
        for name, facts in gathered.facts.items()
        for row in facts.files
        if row.file.path == path
    ]


def _text(opened: Session, found: Found) -> str:
    spec = opened.loaded.spec
    selector = Selector(spec.systems[found.system])
    lines = [f"{found.system}: {found.path} ({found.origin})"]
    claimants = selector.claimants(found.path)
    if not claimants or found.facts is None:
        return "\n".join([*lines, f"  disposition  excluded, {OUTSIDE_REASON}: no component includes it"])
    facts = found.facts
    place = opened.loaded.locate("systems", found.system, "components", claimants[0])
    lines.append(f"  component    {claimants[0]} ({place})")
    lines.append(f"  disposition  {facts.disposition.state.value}, {facts.disposition.reason} {facts.disposition.rule}".rstrip())
    lines.append(f"  language     {facts.language or 'unknown'} ({facts.language_rule or 'nothing decided'})")
    lines.append(f"  size         {facts.physical:,} physical lines, {facts.nonblank:,} non-blank, {facts.file.size:,} bytes")
    if facts.lines is not None:
        classes = [f"{facts.lines[one]:,} {one.label}" for one in LineClass if facts.lines[one]]
        lines.append(f"  lines        {', '.join(classes)}")
        counted = [(name, code_lines(name, facts.language, facts.lines)) for name in CONVENTIONS]
        told = [f"{name} {'does not know it' if value is None else f'{value:,}'}" for name, value in counted]
        lines.append(f"  code         {', '.join(told)}")
    if facts.witness is not None:
        lines.append(f"  witness      pygount itself: {facts.witness.code + facts.witness.string:,} source lines")
    opinion = explain(packs_of(opened).get(found.system), found.path)
    decision = opinion.decision
    lines.append(f"  stage        {decision.stage}, divergence {decision.divergence}")
    lines.append(f"               {decision.rule or 'no rule'}: {decision.reason}")
    for other in opinion.candidates[1:]:
        lines.append(f"  came second  {other.stage} by {other.rule} ({other.where}): {other.reason}")
    return "\n".join(lines)
