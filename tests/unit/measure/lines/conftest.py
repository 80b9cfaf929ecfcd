from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

MARKS = dict(zip("csbd#!ih.DS34512", LineClass, strict=True))


@pytest.fixture(scope="session")
def assert_lines() -> Callable[[Scanner, str], None]:
    """Check a text whose lines are marked: a letter for the class, a bar, the line itself."""

    def check(scanner: Scanner, marked: str) -> None:
        rows = [line.split("|", 1) for line in marked.strip("\n").split("\n")]
        text = "\n".join(line for _, line in rows).encode()
        wanted = [(MARKS[mark].name, line) for mark, line in rows]
        found = [(LineClass(value).name, line) for value, (_, line) in zip(scanner.scan(text), rows, strict=True)]
        assert found == wanted

    return check
