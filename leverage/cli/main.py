"""The group `leverage`, and the one place where failures become messages and exit codes.

Commands are imported when they are asked for, so `leverage --help` and shell completion load neither pandas nor
matplotlib.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from importlib import import_module

import click

from leverage import __version__
from leverage.cli.console import complain, report_block
from leverage.model.errors import ExitCode, LeverageError
from leverage.spec.text import closest, shown

INTERRUPTED = 130
"""Exit code after an interrupt from the keyboard, as shells have it."""

COMMANDS: dict[str, str] = {
    "init": "Describe a new system: an entry for repos.yaml, and a pack of rules to correct.",
    "report": "Measure what is stale and write page, JSON, Markdown and tables.",
    "check": "Evaluate claims and budgets; the exit code says whether they hold.",
    "count": "Count lines of files, folders or revisions, under any convention.",
    "explain": "Say how a file or line was counted and classified, and why.",
    "classify": "Say which compiler stage each function is, and where it departs from GPUs.",
    "coupling": "List every place where a port touches its substrate.",
    "compare": "Set systems side by side: whether that is fair, size, stages, reuse, tests.",
    "index": "Index a release of a substrate: what names it has and in which form.",
    "guard": "Write a test for a port that fails when upstream code that it patches changes.",
    "trace": "Run a program and keep which lines of a port and of its substrate ran.",
    "history": "Show how the code of a system or repository grew, commit by commit.",
    "diff": "Say what changed between two revisions or two reports: code, rules or tool.",
    "site": "Build a static index over several reports, with trend lines.",
    "lock": "Resolve every source to something immutable and write repos.lock.",
    "record": "Measure systems and keep the measurement as evidence for work without network.",
    "verify": "Measure systems again and prove or disprove the recorded evidence.",
    "attest": "Write the counts of a system without a name of its code, for others to check.",
    "cache": "Show or remove what is kept to save time.",
    "schema": "Print the JSON Schema of repos.yaml or of report.json.",
}
"""Name and one-line help of each command; the module of the same name holds the click command `command`."""


class ReaderGoneError(Exception):
    """Whoever read our output has seen enough and closed it."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader that goes away is told apart here, since click would end with exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - likewise
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"leverage.cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"leverage.cli.{cmd_name}.command is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; an unknown word is answered with the closest one."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            near = closest(word, COMMANDS)
            hint = f"did you mean {shown(near)}?" if near else f"commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {shown(word)}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - likewise
        """List the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "LEVERAGE",
        "max_content_width": 100,
    },
    epilog="Exit codes: 0 done; 1 a claim or budget fails; 2 usage or configuration; 3 could not be checked; "
    "4 a defect of leverage.",
)
@click.version_option(__version__, prog_name="leverage")
def group() -> None:
    """Code size and leverage of compiler ports, with explicit denominators."""


def main() -> None:
    """Run the command line and exit with the documented code."""
    _open_closed()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A path may hold what the terminal's encoding does not; that is no reason to say nothing.
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(_run())


def _open_closed() -> None:
    """Lead standard streams that the caller closed into nothing, as a pipe without a reader is.

    Else the next file that is opened, a repository or our own cache, would take the place of the output.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _run() -> int:  # noqa: PLR0911 - one return for each way to end
    try:
        code = group.main(prog_name="leverage", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted; what was written is complete, the rest was not begun")
        return INTERRUPTED
    except LeverageError as error:
        for problem in error.problems:
            complain(str(problem))
        return error.exit_code
    except (BrokenPipeError, ReaderGoneError):
        # Python would flush once more at its end, into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            report_block(error)
            return ExitCode.BUG
        complain(f"the output could not be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.USAGE
    except Exception as error:  # noqa: BLE001 - the outermost edge: whatever escapes is a defect of ours
        report_block(error)
        return ExitCode.BUG
    return code if isinstance(code, int) else ExitCode.DONE
