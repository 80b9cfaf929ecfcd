"""The YAML scanner against the tokens of ruamel.yaml, on every line.

That scanner knows no comments, so comments are what no token covers. A run over real folders::

    LEVERAGE_CORPUS=/folder:/other pytest tests/oracles/test_yaml_oracle.py -m real
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import pytest
from leverage.measure.lines.yaml import YAML as SCANNER
from leverage.model.lines import LineClass
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLStreamError
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.tokens import (
    BlockEndToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    FlowEntryToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ScalarToken,
    StreamEndToken,
    StreamStartToken,
    Token,
    ValueToken,
)

REPOSITORY = Path(__file__).parents[2]
FIXTURES = REPOSITORY / "tests" / "fixtures" / "lang"

INVISIBLE = (BlockEndToken, BlockMappingStartToken, BlockSequenceStartToken, StreamEndToken, StreamStartToken)
SEPARATORS = (
    FlowEntryToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ValueToken,
)


def classes(data: bytes) -> list[LineClass] | None:
    """One class per physical line, or None when ruamel.yaml refuses the file. Takes LF line ends only."""
    text = data.decode()
    lines = text.removesuffix("\n").split("\n")
    marks: list[list[LineClass | None]] = [[None] * len(line) for line in lines]
    around = [LineClass.BLANK] * len(lines)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for token in YAML(typ="safe", pure=True).scan(text):
                if not isinstance(token, INVISIBLE):
                    paint(token, lines, marks, around)
    except (MarkedYAMLError, YAMLStreamError, ReaderError, ValueError):
        return None
    return [verdict(line, mark, blank) for line, mark, blank in zip(lines, marks, around, strict=True)]


def paint(token: Token, lines: list[str], marks: list[list[LineClass | None]], around: list[LineClass]) -> None:
    """Note the class of a token on its characters."""
    start, end = token.start_mark, token.end_mark
    value = LineClass.BRACKET if isinstance(token, SEPARATORS) else LineClass.CODE
    last = end.line
    block = False
    if isinstance(token, ScalarToken) and token.style:
        value = LineClass.STRING
        block = token.style in "|>"
    if block:
        header = lines[start.line][start.column :]
        marks[start.line][start.column :] = [LineClass.CODE] * len(header)
        last = end.line - 1 if end.column == 0 else end.line
        if "+" not in header.partition("#")[0]:
            while last > start.line and not lines[last].strip():
                last -= 1
    for number in range(start.line + block, last + 1):
        line = lines[number]
        left = start.column if number == start.line else 0
        right = end.column if number == end.line and not block else len(line)
        marks[number][left:right] = [value] * (right - left)
        if value == LineClass.STRING and number < last + block:
            around[number] = LineClass.BLANK_IN_STRING


def verdict(line: str, marks: list[LineClass | None], blank: LineClass) -> LineClass:
    """The strongest class on the line; what no token covers is comment."""
    if not line.strip():
        return blank
    seen = {
        LineClass.COMMENT if mark is None else mark
        for mark, character in zip(marks, line, strict=True)
        if not character.isspace()
    }
    if seen == {LineClass.COMMENT} and line.startswith("#!"):
        return LineClass.SHEBANG
    return min(seen)


def judge(paths: list[Path]) -> tuple[int, list[str]]:
    """How many files ruamel.yaml could read, and the first wrong line of each file that differs."""
    judged = 0
    wrong = []
    for path in paths:
        data = path.read_bytes().replace(b"\r\n", b"\n")
        expected = classes(data) if data else []
        if expected is None:
            continue
        judged += 1
        found = [LineClass(value).coarse for value in SCANNER.scan(data)]
        if found != expected:
            pairs = zip(found, expected, strict=False)
            wrong.append(f"{path}:{next((number for number, (a, b) in enumerate(pairs, start=1) if a != b), 0)}")
    return judged, wrong


def yaml_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.y*ml") if path.is_file())


def test_own_files() -> None:
    judged, wrong = judge([*yaml_files(REPOSITORY / "leverage"), *yaml_files(FIXTURES), REPOSITORY / "repos.yaml"])
    assert judged > 5
    assert wrong == []


@pytest.mark.real
def test_real_folders() -> None:
    folders = [Path(name) for name in os.environ.get("LEVERAGE_CORPUS", "").split(os.pathsep) if name]
    if not folders:
        pytest.skip("LEVERAGE_CORPUS names no folder")
    judged, wrong = judge([path for folder in folders for path in yaml_files(folder)])
    sys.stdout.write(f"{judged} files judged\n")
    assert wrong == []
    assert judged
