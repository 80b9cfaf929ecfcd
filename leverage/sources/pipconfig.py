"""Which indexes pip would ask, and how: asked of pip itself, so that mirrors, proxies and certificates are the user's.

Constraints and platform tags are not taken over: they say what can be installed here, and nothing is installed.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from leverage.sources.wording import failure, shown

_LINE = re.compile(r"(?P<section>:env:|[A-Za-z_-]+)\.(?P<key>[a-z-]+)=(?P<value>.*)")
_DEFAULT_INDEX = re.compile(r"--index-url <url>.*?\(default:?\s+(\S+?)\)", re.DOTALL)
_SECTIONS = ("global", "download", ":env:")  # later ones win


@dataclass(frozen=True, slots=True)
class PipConfiguration:
    """What pip was told about indexes.

    Attributes:
        indexes: URLs of simple indexes, in order; they may carry credentials.
        find_links: local directories or URLs of pages with links.
        certificates: path of a bundle of certificate authorities; empty for the machine's own.
        client_certificate: path of a client certificate with its key; empty for none.
        proxy: URL of a proxy; empty for what the environment says.
    """

    indexes: tuple[str, ...]
    find_links: tuple[str, ...]
    certificates: str = ""
    client_certificate: str = ""
    proxy: str = ""


def pip_configuration(timeout: float) -> PipConfiguration:
    """Ask pip for its configuration.

    Raises:
        SourceError: there is no pip, or it does not answer.
    """
    settings: dict[str, str] = {}
    listed = [found for line in _pip(["config", "list"], timeout).splitlines() if (found := _LINE.fullmatch(line))]
    for section in _SECTIONS:
        settings |= {found["key"]: _value(found["value"]) for found in listed if found["section"] == section}
    indexes: list[str] = []
    if settings.get("no-index", "").lower() not in {"1", "true", "yes", "on"}:
        indexes = [settings.get("index-url") or _default_index(timeout), *settings.get("extra-index-url", "").split()]
    return PipConfiguration(
        indexes=tuple(indexes),
        find_links=tuple(settings.get("find-links", "").split()),
        certificates=settings.get("cert", ""),
        client_certificate=settings.get("client-cert", ""),
        proxy=settings.get("proxy", ""),
    )


def _value(text: str) -> str:
    """A value as `pip config list` prints it: as a Python string."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, str) else text


def _default_index(timeout: float) -> str:
    """The index that pip asks when nobody configured one: only its help tells."""
    if found := _DEFAULT_INDEX.search(_pip(["download", "--help"], timeout)):
        return found[1]
    raise failure(
        "no-index",
        "pip does not say which package index it uses",
        why="packages are looked for where pip would look",
        hint="set one: python -m pip config set global.index-url URL",
    )


def _pip(arguments: list[str], timeout: float) -> str:
    # -P keeps a file `pip.py` in the current directory from being taken for pip.
    commands = [[sys.executable, "-P", "-m", "pip"]]
    if program := shutil.which("pip"):
        commands.append([program])
    words = ""
    for command in commands:
        try:
            answer = subprocess.run(
                [*command, *arguments],
                cwd=tempfile.gettempdir(),
                env={**os.environ, "COLUMNS": "10000", "PIP_NO_INPUT": "1", "PYTHONSAFEPATH": "1"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="backslashreplace",
                timeout=timeout,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            words = str(error)
            continue
        if answer.returncode == 0:
            return answer.stdout
        words = answer.stderr
    raise failure(
        "pip-not-found",
        f"pip cannot be asked for its configuration: {shown(words)}",
        why="packages are looked for where pip would look, with its proxies and certificates",
        hint="install pip for this Python (python -m ensurepip), or name a local file with --mirror",
    )
