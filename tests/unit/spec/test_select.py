from __future__ import annotations

import fnmatch
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.spec.globs import Globs, escaped, glob_fault
from leverage.spec.select import Conflict, Selector, default_profile, parse_side
from leverage.spec.types import Component, PathSource, Profile, Role, System
from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from pathlib import Path


def system(components: dict[str, Component], profiles: dict[str, Profile] | None = None) -> System:
    source = PathSource(path="x")
    return System(role=Role.EXTENSION, source=source, components=components, profiles=profiles or {})


STACK = system(
    {
        "upper": Component(include=("src/Dialect/ONNX/**", "src/Conversion/**"), exclude=("**/test/**",)),
        "lower": Component(include=("src/**", "include/**"), exclude_components=("upper",)),
        "setup": Component(include=("setup.py", "**/*.cmake")),
    },
    {"small": Profile(exclude=("src/Big/**",), default=True), "full": Profile()},
)


@pytest.mark.parametrize(
    ("path", "component"),
    [
        ("src/Dialect/ONNX/Op.td", "upper"),
        ("src/Dialect/ONNX/a/b/c.cpp", "upper"),
        ("src/Dialect/ONNX/test/a.cpp", "lower"),
        ("src/Dialect/Krnl/Op.td", "lower"),
        ("src/main.cpp", "lower"),
        ("include/x.h", "lower"),
        ("includes/x.h", None),
        ("other/src/main.cpp", None),
        ("setup.py", "setup"),
        ("sub/setup.py", None),
        ("a.cmake", "setup"),
        ("a/b/c.cmake", "setup"),
        ("README.md", None),
        ("", None),
    ],
)
def test_component_of_a_path(path: str, component: str | None) -> None:
    assert Selector(STACK).component(path) == component


def test_exclusion_follows_the_component_and_not_its_patterns() -> None:
    # `c` leaves out what `b` has, and `b` has nothing that `a` has: those files are free for `c` again.
    selector = Selector(
        system(
            {
                "a": Component(include=("x/a/**",)),
                "b": Component(include=("x/**",), exclude_components=("a",)),
                "c": Component(include=("**",), exclude_components=("b",)),
            }
        )
    )
    assert selector.component("x/b") == "b"
    assert selector.component("y") == "c"
    assert selector.claimants("x/a/1") == ["a", "c"]


def test_two_components_that_claim_the_same_paths() -> None:
    selector = Selector(
        system(
            {
                "one": Component(include=("a/**",)),
                "two": Component(include=("a/b/**", "c/**")),
                "three": Component(include=("a/b/c/**",)),
            }
        )
    )
    paths = ["a/x", "a/b/y", "a/b/c/z", "a/b/w", "c/v", "d"]
    assert selector.conflicts(paths) == [
        Conflict(("one", "two"), ("a/b/y", "a/b/w")),
        Conflict(("one", "two", "three"), ("a/b/c/z",)),
    ]
    assert selector.component("a/b/y") == "one"
    assert Selector(STACK).conflicts(["src/Conversion/a.cpp", "src/a.cmake"]) == [
        Conflict(("lower", "setup"), ("src/a.cmake",))
    ]


def test_patterns_that_match_nothing() -> None:
    paths = ["src/Conversion/a.cpp", "setup.py"]
    assert Selector(STACK).unmatched(paths) == [
        ("upper", "src/Dialect/ONNX/**"),
        ("lower", "include/**"),
        ("setup", "**/*.cmake"),
    ]
    assert Selector(STACK).unmatched([]) == [
        (name, glob) for name, component in STACK.components.items() for glob in component.include
    ]


def test_a_pattern_that_matches_only_what_is_excluded_still_matches() -> None:
    assert (
        Selector(STACK).unmatched(["src/Dialect/ONNX/test/x", "src/Conversion/x", "include/x", "setup.py", "x.cmake"])
        == []
    )


def test_profiles() -> None:
    selector = Selector(STACK)
    assert [selector.in_profile("src/Big/x.cpp", profile) for profile in ("", "full", "small")] == [True, True, False]
    assert selector.in_profile("src/Small/x.cpp", "small")
    with pytest.raises(KeyError):
        selector.in_profile("x", "nothing")
    assert default_profile(STACK) == "small"
    assert default_profile(system({})) == ""


@pytest.mark.parametrize(
    ("text", "side"), [("torch-npu", ("torch-npu", "")), ("torch-npu@full", ("torch-npu", "full")), ("a@", ("a", ""))]
)
def test_sides(text: str, side: tuple[str, str]) -> None:
    assert parse_side(text) == side


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("a.py", ["a.py", "a.py/inside"], ["b/a.py", "a.pyc", "xa.py", "a.py\n", "A.py"]),
        ("a/b", ["a/b", "a/b/c/d"], ["a/bc", "x/a/b", "a"]),
        ("a/b/", ["a/b/c"], ["a/b", "x/a/b/c"]),
        ("a/**", ["a/b", "a/b/c", "a/\n/c", "a/b\n"], ["a", "ab/c", "b/a/c"]),
        ("a/**/z.h", ["a/z.h", "a/b/z.h", "a/b/c/z.h", "a/\n/z.h"], ["z.h", "a/bz.h", "a/z.hpp", "x/a/z.h"]),
        ("**/z.h", ["z.h", "a/z.h", "a/b/z.h", "a\nb/z.h", "\n/z.h"], ["az.h", "z.hh", "z.h\n"]),
        ("**", ["a", "a/b", ".hidden", "\n"], []),
        ("*", ["a", ".hidden", "a/b"], []),
        ("*.py", ["a.py", ".py", "a\n.py", "a.py/b"], ["b/a.py", "a.pyx", "a.py\n"]),
        ("a?c", ["abc", "a\nc", "a\udcffc", "aéc"], ["ac", "abbc", "a/c"]),
        ("[ab]/[!0-9]*", ["a/x", "b/xyz"], ["c/x", "a/1x", "a"]),
        ("[a-c].[^x]", ["a.y", "c.z"], ["d.y", "a.x"]),
        ("a.b+c(d)|e$^", ["a.b+c(d)|e$^"], ["aXb+c(d)|e$^", "a.b"]),
        ("[[]x]", ["[x]"], ["x"]),
        ("[]-]x", ["]x", "-x"], ["ax", "x"]),
        ("[!]a]x", ["bx", "-x"], ["]x", "ax", "/x"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[^^]", ["a"], ["^"]),
        ("[!x]y", ["ay", "\ny"], ["xy", "/y"]),
        ("a**b", ["ab", "axxb", "ab/c"], ["a/b"]),
        ("*a*b*c", ["abc", "xaxbxc", "abcabc", "aabbcc/x"], ["acb", "ab/c", "abcx"]),
        ("**/a/b/**/c", ["a/b/c", "a/a/b/x/c", "x/a/b/y/z/c/w"], ["a/b", "a/x/b/c", "a/bc"]),
        ("**/a/", ["a/b", "x/a/b"], ["a", "x/a"]),
        ("caf\u00e9/*", ["caf\u00e9/x"], ["cafe/x"]),
    ],
)
def test_what_a_pattern_matches(glob: str, yes: list[str], no: list[str]) -> None:
    assert glob_fault(glob) is None
    globs = Globs((glob,))
    assert [path for path in yes if path not in globs] == []
    assert [path for path in no if path in globs] == []
    assert all(globs.matching(path) == [glob] for path in yes)


def test_several_patterns() -> None:
    globs = Globs(("a/**", "*.py", "a/b"))
    assert globs.matching("a/b") == ["a/**", "a/b"]
    assert "a/c" in globs
    assert "c" not in globs
    assert "a" not in Globs(())


@pytest.mark.parametrize("glob", ["[", "a[b", ""])
def test_what_is_no_pattern_is_an_error_and_not_a_pattern_that_matches_nothing(glob: str) -> None:
    with pytest.raises(ValueError, match=r"has a `|names nothing"):
        Globs((glob,))


@given(st.text() | st.text("ab[]!^-*?/.", max_size=12))
def test_any_pattern_is_either_refused_or_usable(glob: str) -> None:
    if glob_fault(glob) is None:
        assert isinstance("a/b" in Globs((glob,)), bool)


SEGMENT = st.sampled_from(["a", "b", "ab", "a.c", "*", "**", "?", "a*", "*.c", "[ab]", "[!a]", "x"])
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "a.c", "x", "ba", ".c"]), min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("git"):
        pytest.skip("needs git")
    path = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    return path


@given(
    cases=st.lists(
        st.tuples(st.lists(SEGMENT, min_size=1, max_size=4).map("/".join), st.lists(PATHS, min_size=1, max_size=12)),
        min_size=1,
        max_size=4,
    )
)
def test_the_rule_in_words_agrees(cases: list[tuple[str, list[str]]]) -> None:
    for glob, paths in cases:
        assert {path for path in paths if path in Globs((glob,))} == _matched_by_rule(glob, paths)


@given(
    cases=st.lists(st.tuples(st.lists(SEGMENT, min_size=1, max_size=5).map("/".join), PATHS), min_size=1, max_size=20)
)
def test_pathspec_agrees_where_nothing_is_hostile(cases: list[tuple[str, str]]) -> None:
    for glob, path in cases:
        assert (path in Globs((glob,))) == GitIgnoreSpec.from_lines([f"/{glob}"]).match_file(path), (glob, path)


@pytest.mark.parametrize(
    "glob", ["*a*a*a*a*a*a*b", "**/a/**/a/**/a/**/b", "**/*a*a*b/**/*a*a*c", "**/*a*/*.py", "[!b]*[!b]*[!b]*b"]
)
@pytest.mark.parametrize("path", ["a" * 20_000, "a/" * 10_000 + "x", ("a" * 40 + "/") * 400 + "x"])
def test_no_path_can_make_a_pattern_slow(glob: str, path: str) -> None:
    started = time.perf_counter()
    assert path not in Globs((glob,))
    assert time.perf_counter() - started < 0.5  # about 1 ms; a pattern that backtracks needs hours


def _matched_by_rule(glob: str, paths: list[str]) -> set[str]:
    """The rule in words, as plain code: a pattern matches a path or one of the folders around it, step by step."""

    def steps(pattern: list[str], path: list[str]) -> bool:
        if not pattern:
            return not path
        if pattern[0] == "**":
            if len(pattern) == 1:
                return bool(path)
            return any(steps(pattern[1:], path[skip:]) for skip in range(len(path) + 1))
        return bool(path) and _name(pattern[0], path[0]) and steps(pattern[1:], path[1:])

    found = set()
    for path in paths:
        parts = path.split("/")
        if any(steps(glob.split("/"), parts[:length]) for length in range(1, len(parts) + 1)):
            found.add(path)
    return found


def _name(pattern: str, name: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern)


def test_git_itself_agrees_on_many(repository: Path) -> None:
    names = ["a", "b", "ab", "a.c", "x", ".c"]
    paths = [
        *names,
        *(f"{one}/{two}" for one in names for two in names),
        *(f"{one}/x/{two}" for one in names for two in names),
    ]
    patterns = [
        "a",
        "a/",
        "a/b",
        "a/**",
        "**/a",
        "**/x/**",
        "a/**/b",
        "*",
        "*.c",
        "a*/*",
        "[ab]",
        "[!a]/x",
        "?",
        "**",
        "a/*/b",
        "x/**/**",
    ]
    for glob in patterns:
        (repository / ".gitignore").write_text(f"/{glob}\n")
        done = subprocess.run(
            ["git", "-C", str(repository), "check-ignore", "--no-index", "--stdin", "-z"],
            input="\0".join(paths).encode(),
            capture_output=True,
            check=False,
        )
        expected = [path for path in done.stdout.decode().split("\0") if path]
        assert [path for path in paths if path in Globs((glob,))] == expected, glob


def test_twenty_thousand_paths_in_well_under_a_second() -> None:
    folders = [f"src/part{number}/deep/er" for number in range(40)]
    paths = [f"{folder}/file{number}.cpp" for folder in folders for number in range(500)]
    components = {
        f"c{n}": Component(include=(f"src/part{n}/**", f"lib/**/x{n}_*.h"), exclude=("**/test/**",)) for n in range(20)
    }
    components["rest"] = Component(include=("**",), exclude_components=tuple(components))
    selector = Selector(system(components))
    started = time.perf_counter()
    counted = [selector.component(path) for path in paths]
    assert time.perf_counter() - started < 2  # 0.3 s on a quiet machine
    assert counted.count("rest") == 10_000
    assert counted.count("c7") == 500


STEPS = st.text(st.characters(blacklist_characters="/\0"), min_size=1, max_size=8).filter(
    lambda step: step not in {".", ".."}
)


@given(st.lists(STEPS, min_size=1, max_size=4).map("/".join))
def test_every_path_has_a_pattern_that_matches_it(path: str) -> None:
    assert glob_fault(escaped(path)) is None
    assert path in Globs((escaped(path),))


def test_the_pattern_of_a_path_matches_no_other() -> None:
    for path, other in (("a/[x]*.py", "a/xy.py"), ("a{b,c}.py", "ab.py"), ("what?.py", "whats.py")):
        assert path in Globs((escaped(path),))
        assert other not in Globs((escaped(path),))
