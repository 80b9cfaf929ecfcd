"""`leverage trace`."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.aligned import UNBOUNDED, Column, number, plural, table
from leverage.cli.console import say, warn
from leverage.cli.writing import write_whole
from leverage.model.errors import ConfigurationError, ExitCode, Problem
from leverage.report.format import ratio_text
from leverage.reuse.trace.files import read_trace, trace_text
from leverage.reuse.trace.running import run_traced
from leverage.reuse.trace.values import Runs, Side, by_part, total, united

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.reuse.trace.values import Trace

DEFAULT_FILE = "trace.json"
_COLUMNS = (
    Column("part", right=False),
    Column("lines that can run"),
    Column("in functions"),
    Column("imported"),
    Column("run in functions"),
)


@click.command("trace")
@click.option("--own", multiple=True, metavar="PACKAGE", help="Import name of a package of the port; repeatable.")
@click.option(
    "--substrate",
    multiple=True,
    metavar="PACKAGE",
    default=("torch",),
    show_default=True,
    help="Import name of what the port stands on; repeatable.",
)
@click.option("--label", default="", metavar="TEXT", help="What is run, in words; the command's last words by default.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Where the trace is written; {DEFAULT_FILE} by default when a command is run.",
)
@click.option(
    "--read",
    "read",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Show traces made before instead of running a command; several are shown side by side and united.",
)
@click.argument("program", nargs=-1, metavar="[-- COMMAND...]")
def command(  # noqa: PLR0917 - click passes by name
    own: tuple[str, ...],
    substrate: tuple[str, ...],
    label: str,
    output: Path | None,
    read: tuple[Path, ...],
    program: tuple[str, ...],
) -> int:
    """Run a program and keep which lines of a port and of its substrate ran.

    For example: leverage trace --own my_port -o mlp.json -- python compile_mlp.py. All Python processes of the command
    are traced, with their threads; their Python must have coverage.py. Three numbers stand apart: lines outside
    functions, which an import runs; lines inside functions that ran; and all lines that could.

    Exit code 3: the command could not be traced, or it failed (its trace is written all the same).
    """
    if bool(read) is bool(program):
        raise click.UsageError("give a command after `--`, or traces with --read FILE, and not both")
    if read:
        traces = [read_trace(path) for path in read]
        both = united(traces)
        if output is not None:
            write_whole(output, trace_text(both).encode())
        click.echo(_shown(traces, both))
        return ExitCode.DONE
    if not own:
        raise click.UsageError("name the port's package with --own PACKAGE")
    _check_names((*own, *substrate))
    ran = run_traced(program, own, substrate, label=label or " ".join(Path(word).name for word in program[-2:]))
    for path, why in ran.unread:
        warn(f"{path} ran and is not counted: {why}")
    place = output or Path(DEFAULT_FILE)
    write_whole(place, trace_text(ran.trace).encode())
    say(f"processes traced: {ran.trace.processes}; written to {place}")
    click.echo(_shown([ran.trace], ran.trace), err=True)  # stdout is the program's
    if ran.exit_code:
        warn(f"the command ended with exit code {ran.exit_code}, so the trace holds what ran until then")
        return ExitCode.UNCHECKABLE
    return ExitCode.DONE


def _check_names(names: Sequence[str]) -> None:
    if wrong := [name for name in names if not name.isidentifier()]:
        what = f"{wrong[0]!r} is no import name of a package at the top"
        raise ConfigurationError(Problem("package-name", what, hint="write `torch`, not `torch._inductor` or a path"))
    if len(set(names)) < len(names):
        what = "a package is named twice"
        raise ConfigurationError(Problem("package-name", what, hint="a package is the port's own or substrate"))


def _shown(traces: Sequence[Trace], both: Trace) -> str:
    width = shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns
    parts = [_parts(both, width)]
    if len(traces) > 1:
        rows = [_line(trace) for trace in traces]
        columns = (Column("trace", right=False), Column("own run"), Column("substrate run"), Column("substrate : own"))
        parts.append(table(columns, rows, last=[["united", *_line(both)[1:]]], width=width))
    else:
        parts.append(_sentence(both))
    return "\n\n".join(parts)


def _line(trace: Trace) -> list[str]:
    ours, theirs = total(trace, Side.OWN), total(trace, Side.SUBSTRATE)
    return [trace.label, number(ours.run_in_bodies), number(theirs.run_in_bodies), _ratio(ours, theirs)]


def _parts(trace: Trace, width: int) -> str:
    rows = [
        [part, *_cells(runs)]
        for package in trace.packages
        for part, runs in by_part(package).items()
        if runs.run  # a part of which nothing ran is in the sums below
    ]
    last = [[side.value, *_cells(total(trace, side))] for side in Side]
    return table(_COLUMNS, rows, last=last, width=width)


def _cells(runs: Runs) -> list[str]:
    return [number(value) for value in (runs.executable, runs.bodies, runs.imported, runs.run_in_bodies)]


def _sentence(trace: Trace) -> str:
    ours, theirs = total(trace, Side.OWN), total(trace, Side.SUBSTRATE)
    return (
        f"For {plural(ours.run_in_bodies, 'own line')} run inside functions, {number(theirs.run_in_bodies)} of the "
        f"substrate ran: {_ratio(ours, theirs)}."
    )


def _ratio(ours: Runs, theirs: Runs) -> str:
    if not ours.run_in_bodies:
        return "no own line ran"
    return ratio_text(Fraction(theirs.run_in_bodies, ours.run_in_bodies))
