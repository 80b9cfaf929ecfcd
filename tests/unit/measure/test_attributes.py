from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.attributes import MAX_RULES, Attributes

if TYPE_CHECKING:
    from pathlib import Path


def read(text: str, path: str = ".gitattributes") -> Attributes:
    return Attributes.of([(path, text.encode())])


PATTERNS = [
    ("*.py", "a.py", True),
    ("*.py", "x/y/a.py", True),
    ("*.py", "a.pyc", False),
    ("/a.py", "a.py", True),
    ("/a.py", "x/a.py", False),
    ("x/*.py", "x/a.py", True),
    ("x/*.py", "x/y/a.py", False),
    ("x/**", "x/y/a.py", True),
    ("x/**", "x", False),
    ("**/gen/*.c", "a/b/gen/x.c", True),
    ("**/gen/*.c", "gen/x.c", True),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b/**/c", "a/b/x/b/c", True),
    ("x/", "x/a.py", False),
    ("!*.py", "a.py", False),
    ("a?.c", "ab.c", True),
    ("a[0-9].c", "a7.c", True),
    ("a[!0-9].c", "a7.c", False),
    ("a[.c", "a[.c", False),
    ("a\\*.c", "a*.c", True),
    ("a\\*.c", "ab.c", False),
    ('"a b.c"', "a b.c", True),
    ("*", "anything/at/all", True),
]


@pytest.mark.parametrize(("pattern", "path", "matches"), PATTERNS)
def test_patterns_match(pattern: str, path: str, matches: bool) -> None:  # noqa: FBT001
    assert bool(read(f"{pattern} linguist-vendored\n").marks(path).truth("linguist-vendored")) is matches


def test_git_agrees_with_the_table_above(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for pattern, path, matches in PATTERNS:
        (tmp_path / ".gitattributes").write_text(f"{pattern} linguist-vendored\n", encoding="utf-8")
        command = ["git", "-C", str(tmp_path), "check-attr", "linguist-vendored", "--", path]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert said.rstrip().endswith(": set") is matches, pattern


def test_values_and_the_place_that_said_so() -> None:
    marks = read(
        "# comment\n[attr]mine linguist-vendored\n"
        "*.c text linguist-language=C++ -linguist-generated linguist-vendored=false\n"
    ).marks("a.c")
    assert marks.values == {"linguist-language": "C++", "linguist-generated": "false", "linguist-vendored": "false"}
    assert marks.truth("linguist-generated") is False
    assert marks.truth("linguist-documentation") is None
    assert marks.rules["linguist-language"] == ".gitattributes:3"


def test_later_lines_and_deeper_files_win() -> None:
    both = Attributes.of(
        [
            ("x/.gitattributes", b"*.c -linguist-vendored\nkeep.c !linguist-generated\n"),
            (".gitattributes", b"* linguist-vendored=false\n*.c linguist-vendored linguist-generated\n"),
        ]
    )
    assert both.marks("a.c").truth("linguist-vendored") is True
    assert both.marks("x/a.c").truth("linguist-vendored") is False
    assert both.marks("x/a.c").rules["linguist-vendored"] == "x/.gitattributes:1"
    assert both.marks("x/keep.c").truth("linguist-generated") is None
    assert both.marks("xy/a.c").truth("linguist-vendored") is True


def test_hostile_files_stay_bounded() -> None:
    star = "*a" * 2_000
    many = Attributes.of(
        [(".gitattributes", f"{star}b linguist-vendored\n".encode()), ("x/.gitattributes", b"a linguist-x\n" * 10**5)]
    )
    assert len(many.rules) == MAX_RULES
    started = time.process_time()
    assert many.marks("a" * 4_000).truth("linguist-vendored") is None
    assert read("**/" * 300 + "x linguist-vendored").marks("a/" * 2_000 + "y").values == {}
    assert time.process_time() - started < 10


@given(st.binary(max_size=200), st.text(max_size=30))
def test_any_bytes_and_any_path(data: bytes, path: str) -> None:
    Attributes.of([("x/.gitattributes", data), (".gitattributes", data)]).marks(path)
