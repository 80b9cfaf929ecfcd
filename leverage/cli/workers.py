"""The number of worker processes, as every command that counts asks for it."""

from __future__ import annotations

import os

import click

MOST = 64

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, MOST),
    envvar="LEVERAGE_JOBS",
    help="Worker processes; one for each core by default, eight at most.",
)


def usual_jobs() -> int:
    """Worker processes where the user does not say."""
    return min(os.cpu_count() or 1, 8)
