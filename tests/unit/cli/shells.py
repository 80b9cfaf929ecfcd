"""Scripts of CI files, taken out of them and run as a forge would: in a clean shell, with what they declare."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[3]
EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
LEVERAGE = Path(sys.executable).with_name("leverage")
# Makes what `python3 -m venv` makes, with the leverage that is under test in it, and installs nothing.
PYTHON = f"""#!/bin/sh
if [ "$1" = -m ] && [ "$2" = venv ]; then
  mkdir -p "$3/bin" && ln -sf '{LEVERAGE}' "$3/bin/leverage" && cp "$0" "$3/bin/python"
elif [ "$1" = -m ] && [ "$2" = pip ]; then
  printf '%s\\n' "$*" >> "$0.asked"
else
  exec '{sys.executable}' "$@"
fi
"""


def read(path: str) -> Any:
    """A YAML file of the repository."""
    return YAML(typ="safe").load(ROOT / path)


@dataclass(frozen=True)
class Ended:
    """What a script came to; ``outputs`` are those that it set."""

    code: int
    text: str
    outputs: dict[str, str]
    summary: str


@dataclass
class Shell:
    """A machine of a forge: nothing in the environment but what is given.

    Attributes:
        folder: everything lies below it.
        known: values of expressions, by their text.
    """

    folder: Path
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("bin", "temp", "home", "work"):
            (self.folder / name).mkdir(exist_ok=True)
        self.tool("python3", PYTHON)

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.folder / "work"

    def tool(self, name: str, text: str) -> None:
        """Put a program on the path."""
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def values(self, declared: dict[str, Any]) -> dict[str, str]:
        """Environment with its expressions resolved; one that is not known is an error of the test."""
        return {
            name: EXPRESSION.sub(lambda found: self.known[found[1]], str(value)) for name, value in declared.items()
        }

    def run(self, script: str, environment: dict[str, str], **more: str) -> Ended:
        """Run a script as GitHub does with `shell: bash`."""
        for name in ("output", "summary"):
            (self.folder / name).write_text("")
        path = self.folder / "script.sh"
        path.write_text(script)
        done = subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", str(path)],
            cwd=self.work,
            env={
                "PATH": f"{self.folder}/bin:/usr/bin:/bin",
                "HOME": str(self.folder / "home"),
                "LEVERAGE_JOBS": "1",
                "RUNNER_TEMP": str(self.folder / "temp"),
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_OUTPUT": str(self.folder / "output"),
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
                **environment,
                **more,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        lines = (self.folder / "output").read_text().splitlines()
        outputs = dict(line.partition("=")[::2] for line in lines)
        return Ended(done.returncode, done.stdout, outputs, (self.folder / "summary").read_text())

    def step(self, step: dict[str, Any], **more: str) -> Ended:
        """Run a step; its outputs are known to the steps after it."""
        ended = self.run(step["run"], self.values(step.get("env", {})), **more)
        if "id" in step:
            self.known |= {f"steps.{step['id']}.outputs.{name}": value for name, value in ended.outputs.items()}
        return ended
