"""What people see on stderr: progress, notes, complaints. stdout is for data alone."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import textwrap
import threading
import traceback
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from leverage import __version__
from leverage.sources.base import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from leverage.sources.base import Progress


NARROWEST = 40
"""Columns that messages are folded to at least."""
INDENT = 2


def say(text: str) -> None:
    """One line of talk."""
    click.echo(_folded(_safe(text)), err=True)


def warn(text: str) -> None:
    """One warning."""
    click.secho(_folded(f"warning: {_safe(text)}"), err=True, fg="yellow", color=_colour())


def complain(text: str) -> None:
    """One error."""
    click.secho(_folded(f"error: {_safe(text)}"), err=True, fg="red", color=_colour())


def report_block(error: BaseException) -> None:
    """What to send us when leverage itself is at fault."""
    click.echo(
        "leverage met a defect of its own. Please report it with the block below.\n"
        f"--- leverage {__version__}, Python {platform.python_version()}, {platform.system()}\n"
        + _safe("".join(traceback.format_exception(error)))
        + "---",
        err=True,
    )


def progress_on_terminal(labels: list[str]) -> AbstractContextManager[Mapping[str, Progress]]:
    """`progress` on a terminal, else silence: in a pipe such a command says nothing but its results."""
    return progress(labels) if sys.stderr.isatty() else nullcontext(dict.fromkeys(labels, silent))


@contextmanager
def progress(labels: list[str]) -> Iterator[dict[str, Progress]]:
    """A line for each label while the block runs: live on a terminal, one line a phase elsewhere.

    Yields:
        By label, the function that takes the line's next text; an empty text ends it.
    """
    if sys.stderr.isatty() and not os.environ.get("CI"):
        with _live(labels) as functions:
            yield functions
        return
    yield {label: _logged(label) for label in labels}


@contextmanager
def _live(labels: list[str]) -> Iterator[dict[str, Progress]]:
    from rich.console import Console  # noqa: PLC0415 - most runs are not on a terminal
    from rich.progress import Progress as Bars  # noqa: PLC0415
    from rich.progress import SpinnerColumn, TextColumn  # noqa: PLC0415

    width = max((len(_safe(label)) for label in labels), default=0)
    with Bars(
        SpinnerColumn(finished_text=" "),
        TextColumn("{task.fields[label]}", markup=False),
        TextColumn("{task.fields[text]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        tasks = {label: bars.add_task("", total=1, label=_safe(label).ljust(width), text="waiting") for label in labels}

        def follow(label: str) -> Progress:
            def update(text: str) -> None:
                bars.update(tasks[label], text=_safe(text) or "done", completed=0 if text else 1)

            return update

        yield {label: follow(label) for label in labels}


def _logged(label: str) -> Progress:
    """Phases only: a line whose first word was shown last is a mere step of the same phase."""
    last = ""
    lock = threading.Lock()

    def update(text: str) -> None:
        nonlocal last
        phase = text.partition(" ")[0]
        with lock:
            if phase and phase != last:
                say(f"{label}: {text}")
            last = phase or last

    return update


def _safe(text: str) -> str:
    """Text with control characters and lone surrogates made visible, so that a file name cannot drive a terminal."""
    return "".join(
        char if char == "\n" or (char.isprintable() and not "\ud800" <= char <= "\udfff") else ascii(char)[1:-1]
        for char in text
    )


def _folded(text: str) -> str:
    """Text at the width of a terminal, its lines indented like their beginning; untouched where stderr is none."""
    if not sys.stderr.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, NARROWEST)
    return "\n".join(
        textwrap.fill(
            line,
            width,
            subsequent_indent=" " * (len(line) - len(line.lstrip()) + INDENT),
            break_long_words=False,  # a path or an address is to be copied
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )


def _colour() -> bool | None:
    """NO_COLOR and FORCE_COLOR; None leaves it to whether stderr is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None
