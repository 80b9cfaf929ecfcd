"""What the loader refuses, what it says, and that hostile input ends in a message."""

from __future__ import annotations

import fnmatch
import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.classify.pack import Pack, Rule, load_pack, parse_pack, shipped_packs
from leverage.classify.symbols import BETWEEN, SymbolPatterns, split_target
from leverage.model.errors import ConfigurationError, ExitCode, Problem

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
id: port
about: {read: all of it, source: https://example.org/port, revision: "1"}
roots: [src, src/inner]
rules:
  - id: chip
    stage: scratchpad
    divergence: on_chip_storage
    paths: [src/inner/chip/**, src/inner/pool.py]
    reason: Assigns buffers to the memory of each core.
    matches: [src/inner/chip/a.py]
    not: [src/inner/other.py]
    expect: {files: 2, lines: 30}
  - id: lower
    stage: lowering
    divergence: operator_set
    paths: [src/inner/lower*.py]
    reason: Lowers operators that the device has as a whole.
    matches: [src/inner/lowering.py]
"""


def parsed(text: str) -> Pack:
    return parse_pack(text.encode(), name="port", file="port.yaml")


def refused(text: str | bytes) -> tuple[Problem, ...]:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(ConfigurationError) as caught:
        parse_pack(data, name="port", file="port.yaml")
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value.problems


def the_only(problems: tuple[Problem, ...]) -> Problem:
    assert len(problems) == 1, "\n".join(map(str, problems))
    return problems[0]


def line_of(problem: Problem) -> int:
    assert problem.where is not None
    assert problem.where.file == "port.yaml"
    return problem.where.line


def test_a_good_pack_loads_with_everything_it_says() -> None:
    pack = parsed(GOOD)
    assert pack.id == "port"
    assert pack.about.revision == "1"
    assert [rule.id for rule in pack.rules] == ["chip", "lower"]
    assert [rule.line for rule in pack.rules] == [5, 13]
    assert pack.rules[0].excludes == ("src/inner/other.py",)
    assert pack.rules[0].expect is not None
    assert (pack.rules[0].expect.files, pack.rules[0].expect.lines) == (2, 30)
    assert pack.rules[1].expect is None


def test_the_digest_is_that_of_the_bytes() -> None:
    assert parsed(GOOD).digest == hashlib.sha256(GOOD.encode()).hexdigest()
    assert parsed(GOOD).digest != parsed(GOOD + "# more\n").digest


@pytest.mark.parametrize(
    "glob",
    [
        "src/**",
        "src/**/*",
        "src/*",
        "src",
        "src/**/*.py",
        "src/*.py",
        "src/**/*.cpp",
        "src/[a-z]*",
        "src/[!x]*/**",
        "src/?*",
        "src/inner/**",
        "src/inner",
        "src/in*/**",
        "src/**/inner/**",
    ],
)
def test_catch_all_patterns_are_refused(glob: str) -> None:
    problem = the_only(refused(GOOD.replace("src/inner/lower*.py", f"'{glob}', src/inner/lowering.py")))
    assert problem.slug == "pack-catch-all"
    assert line_of(problem) == 16
    assert glob in problem.what
    assert "undetermined" in problem.hint


@pytest.mark.parametrize("glob", ["**", "*", "*.py", "**/*.py", "other/a.py", "srcs/a.py", "[s]rc/a.py"])
def test_patterns_outside_the_roots_are_refused(glob: str) -> None:
    problem = the_only(refused(GOOD.replace("src/inner/lower*.py", f"'{glob}', src/inner/lowering.py")))
    assert problem.slug == "pack-outside-roots"
    assert problem.hint.endswith("`src`, `src/inner`")


@pytest.mark.parametrize(
    "glob", ["/", "/src/a.py", "!src/a.py", "#a", "src/../a.py", "src/{a,b}.py", "src\\a.py", "src/["]
)
def test_what_is_no_pattern_is_refused(glob: str) -> None:
    problem = the_only(refused(GOOD.replace("src/inner/lower*.py", f"'{glob}', src/inner/lowering.py")))
    assert (problem.slug, line_of(problem)) == ("bad-glob", 16)


@pytest.mark.parametrize(
    "glob", ["src/inner/codegen/**", "src/inner/*_fusion.py", "src/inner/**/test_*.py", "src/a/b.py"]
)
def test_named_folders_and_files_are_no_catch_alls(glob: str) -> None:
    assert parsed(GOOD.replace("src/inner/lower*.py", f"{glob}, src/inner/lowering.py")).rules[1].paths[0] == glob


def test_an_unknown_stage_gets_a_suggestion() -> None:
    problem = the_only(refused(GOOD.replace("stage: lowering", "stage: lowerings")))
    assert (problem.slug, line_of(problem), problem.hint) == ("bad-value", 14, "did you mean `lowering`?")


def test_an_unknown_divergence_gets_a_suggestion() -> None:
    problem = the_only(refused(GOOD.replace("on_chip_storage", "onchip_storage")))
    assert (problem.slug, line_of(problem)) == ("bad-value", 7)
    assert problem.hint == "did you mean `on_chip_storage`?"


def test_a_rule_cannot_declare_the_stage_undetermined_but_the_divergence() -> None:
    assert the_only(refused(GOOD.replace("stage: lowering", "stage: undetermined"))).slug == "bad-value"
    assert parsed(GOOD.replace("operator_set", "undetermined")).rules[1].divergence == "undetermined"


def test_a_duplicate_rule_is_named_with_both_places() -> None:
    problem = the_only(refused(GOOD.replace("id: lower", "id: chip")))
    assert (problem.slug, line_of(problem)) == ("pack-duplicate-rule", 13)
    assert "line 5" in problem.what


def test_a_missing_reason_and_one_too_short_are_refused() -> None:
    missing = the_only(refused(GOOD.replace("    reason: Lowers operators that the device has as a whole.\n", "")))
    assert missing.what == "`reason` is missing in `rules[1]`"
    assert line_of(missing) == 13
    short = the_only(refused(GOOD.replace("Lowers operators that the device has as a whole.", "Lowers.")))
    assert line_of(short) == 17


def test_an_unknown_key_gets_a_suggestion() -> None:
    problems = refused(GOOD.replace("    matches: [src/inner/lowering.py]", "    mathces: [src/inner/lowering.py]"))
    assert (the_only(problems).hint, line_of(problems[0])) == ("did you mean `matches`?", 18)


def test_an_example_that_nothing_reaches_is_refused() -> None:
    problem = the_only(refused(GOOD.replace("matches: [src/inner/lowering.py]", "matches: [src/inner/raise.py]")))
    assert (problem.slug, line_of(problem)) == ("pack-example", 18)
    assert "no rule reaches it" in problem.what


def test_an_example_that_an_earlier_rule_decides_is_refused() -> None:
    text = GOOD.replace("paths: [src/inner/lower*.py]", "paths: [src/inner/pool.py]")
    problem = the_only(refused(text.replace("matches: [src/inner/lowering.py]", "matches: [src/inner/pool.py]")))
    assert problem.slug == "pack-example"
    assert "`chip` decides it" in problem.what


def test_a_counter_example_that_the_rule_decides_is_refused() -> None:
    problem = the_only(refused(GOOD.replace("not: [src/inner/other.py]", "not: [src/x.py, src/inner/chip/b.py]")))
    assert (problem.slug, line_of(problem)) == ("pack-counter-example", 11)


def test_a_counter_example_may_be_reached_when_an_earlier_rule_decides_it() -> None:
    text = GOOD.replace("src/inner/lower*.py", "src/inner/lower*.py, src/inner/pool.py")
    assert parsed(text + "    not: [src/inner/pool.py]\n").rules[1].excludes == ("src/inner/pool.py",)


def test_all_problems_come_at_once_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace("id: port", "id: prt")
        .replace("stage: scratchpad", "stage: scratch")
        .replace("src/inner/pool.py", "src/**")
        .replace("id: lower", "id: chip")
        .replace("    divergence: operator_set\n", "")
    )
    problems = refused(text)
    assert [(problem.slug, line_of(problem)) for problem in problems] == [
        ("pack-id", 1),
        ("bad-value", 6),
        ("pack-catch-all", 8),
        ("missing-key", 13),
        ("pack-duplicate-rule", 13),
    ]


def test_wrong_shapes_are_named_with_their_place() -> None:
    assert line_of(the_only(refused(GOOD.replace("files: 2", "files: two")))) == 12
    assert line_of(the_only(refused(GOOD.replace("files: 2", "files: -1")))) == 12
    assert line_of(the_only(refused(GOOD.replace("files: 2", "files: true")))) == 12
    assert line_of(the_only(refused(GOOD + "  - 3\n"))) == 19
    assert line_of(the_only(refused(GOOD[: GOOD.index("rules:")] + "rules: []\n"))) == 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"- a\n",
        b"text",
        b"a: b: c",
        b"\xff\xfe",
        b"\x00",
        b"[" * 5_000,
        b"a: 1\na: 2\n",
        b"id: !!python/object/apply:os.system ['true']\n",
        b"a: &a [*a]\n",
        b"x" * ((1 << 20) + 1),
    ],
)
def test_what_is_no_pack_ends_in_a_message(data: bytes) -> None:
    assert all(problem.what for problem in refused(data))


def test_an_alias_bomb_ends_in_a_message() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 30))
    assert refused(f"l0: &l0 [x]\n{levels}rules: *l29\n")


@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_pack_or_a_message(data: bytes) -> None:
    assert refused(data)


def test_a_pack_is_found_by_path_relative_to_the_base(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "port.yaml").write_text(GOOD, encoding="utf-8")
    pack = load_pack("sub/port.yaml", base=tmp_path)
    assert pack.id == "port"
    assert pack.file == "sub/port.yaml"
    assert pack.digest == parsed(GOOD).digest


def test_a_pack_that_is_not_there_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_pack("none/port.yaml", base=tmp_path)
    assert caught.value.problems[0].slug == "file-missing"
    assert str(tmp_path) in str(caught.value)
    with pytest.raises(ConfigurationError) as caught:
        load_pack("./", base=tmp_path)
    assert caught.value.problems[0].slug == "file-unreadable"


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_pack("torch-spire")
    assert caught.value.problems[0].slug == "pack-unknown"
    assert caught.value.problems[0].hint == "did you mean `torch-spyre`?"


@pytest.mark.parametrize("name", shipped_packs())
def test_every_shipped_pack_loads_and_proves_its_examples(name: str) -> None:
    pack = load_pack(name)
    assert pack.id == name
    for rule in pack.rules:
        for example in rule.matches:
            assert pack.reaching(*split_target(example))[0] is rule
            assert bool(rule.symbols) == (BETWEEN in example)
        for example in rule.excludes:
            assert pack.reaching(*split_target(example))[:1] != (rule,)


@pytest.mark.parametrize("name", shipped_packs())
def test_every_shipped_pack_says_what_was_read_and_how_large_its_rules_were(name: str) -> None:
    pack = load_pack(name)
    assert len(pack.about.read) > 20
    assert pack.about.source.startswith(("https://", "pypi:"))
    for rule in pack.rules:
        assert rule.reason.endswith("."), rule.id
        assert rule.expect is not None, rule.id
        assert rule.expect.files > 0, rule.id


def rule_for(*globs: str) -> Rule:
    return Rule("r", "lowering", "none", globs, (), "", (), (), None, 1)


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("a/b.py", "a/b.py", True),
        ("a/b.py", "a/b.pyc", False),
        ("a/b.py", "x/a/b.py", False),
        ("a/b", "a/b/c/d.py", True),
        ("a/b", "a/bc", False),
        ("a/b/**", "a/b/c/d.py", True),
        ("a/b/**", "a/b", False),
        ("a/*/c.py", "a/x/c.py", True),
        ("a/*/c.py", "a/x/y/c.py", False),
        ("a/**/c.py", "a/x/y/c.py", True),
        ("a/**/c.py", "a/c.py", True),
        ("a/b.*", "a/b.cpp", True),
        ("a/b/**", "a/b/line\nend.py", True),
        ("a/**/c.py", "a/line\nend/c.py", True),
        ("a/b/**", "a/b/\udcff.py", True),
        ("a/[xy].py", "a/y.py", True),
        ("a/[*].py", "a/*.py", True),
        ("a/[*].py", "a/b.py", False),
        ("a/b.py", "a/b.py\n", False),
    ],
)
def test_patterns_mean_what_gitignore_says(glob: str, path: str, *, expected: bool) -> None:
    assert rule_for(glob).reaches(path) is expected
    assert rule_for("z/z", glob).reaches(path) is expected


UNITS = GOOD.replace(
    "rules:\n",
    """\
rules:
  - id: chip-printing
    stage: codegen
    divergence: none
    paths: [src/inner/chip/**]
    symbols: [Pool.print*, dump]
    reason: Prints what the allocator decided for the next tool.
    matches: ["src/inner/chip/a.py::Pool.print_all"]
    not: ["src/inner/chip/a.py::Pool.take", src/inner/chip/a.py]
""",
)


def test_a_rule_with_symbols_decides_units_and_leaves_the_file_to_others() -> None:
    pack = parsed(UNITS)
    path = "src/inner/chip/a.py"
    assert [rule.id for rule in pack.reaching(path)] == ["chip"]
    assert [rule.id for rule in pack.reaching(path, "Pool.print_all")] == ["chip-printing", "chip"]
    assert [rule.id for rule in pack.reaching(path, "dump#2")] == ["chip-printing", "chip"]
    assert [rule.id for rule in pack.reaching(path, "dump_all")] == ["chip"]
    assert pack.divides(path)
    assert not pack.divides("src/inner/lowering.py")


@pytest.mark.parametrize("pattern", ["'*'", "'**'", "'*.*'", "_*"])
def test_a_pattern_that_reaches_every_symbol_is_refused(pattern: str) -> None:
    problem = the_only(refused(UNITS.replace("[Pool.print*, dump]", f"[{pattern}]")))
    assert problem.slug == "pack-catch-all"
    assert "symbols" in problem.hint


def test_an_example_of_a_rule_with_symbols_names_a_unit() -> None:
    problem = the_only(refused(UNITS.replace('["src/inner/chip/a.py::Pool.print_all"]', "[src/inner/chip/a.py]")))
    assert problem.slug == "pack-example"
    assert problem.hint == "examples of a rule with symbols are written path::symbol"
    counter = UNITS.replace('not: ["src/inner/chip/a.py::Pool.take"', 'not: ["src/inner/chip/a.py::dump"')
    assert the_only(refused(counter)).slug == "pack-counter-example"


@given(st.lists(st.sampled_from(["a", "b", ".", "*"]), max_size=6), st.text(alphabet="ab.", min_size=1, max_size=8))
def test_symbol_patterns_match_as_shell_patterns_do(pattern: list[str], symbol: str) -> None:
    glob = "".join(pattern)
    assert (symbol in SymbolPatterns((glob,))) == fnmatch.fnmatchcase(symbol, glob)


def test_a_symbol_pattern_takes_linear_time() -> None:
    assert "a" * 200_000 not in SymbolPatterns(("*a" * 50 + "b",))
