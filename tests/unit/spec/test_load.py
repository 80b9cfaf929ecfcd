from __future__ import annotations

import hashlib
from fractions import Fraction
from pathlib import Path

import pytest
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, ExitCode, Location
from leverage.model.heights import Height
from leverage.spec.load import load_spec
from leverage.spec.types import GitSource, PathSource, PypiSource, Role
from tests.unit.spec.examples import COMMIT, CONVENTIONS, GOOD, changed, load, only, problems, write


def test_a_good_document_becomes_typed_values() -> None:
    loaded = load(GOOD)
    port, base, second = (loaded.spec.systems[name] for name in ("port", "base-2.11", "second"))
    assert list(loaded.spec.systems) == ["port", "base-2.11", "second", "closed", "open"]
    assert port.role is Role.EXTENSION
    assert port.source == GitSource(
        git="https://example.org/port", commit=COMMIT, ref="main", also=("https://example.net/port",)
    )
    assert base.source == PypiSource(pypi="base", version="2.11.0")
    assert second.source == PathSource(path="../second", commit=COMMIT)
    assert port.components["tests"].purpose is Purpose.TEST
    assert port.components["extension"].include == ("port/_inductor/**",)
    assert loaded.spec.denominators["bytes"].purposes == (Purpose.PRODUCTION, Purpose.TEST)
    assert loaded.spec.systems["closed"].reported[0].fraction == Fraction(7)
    assert loaded.spec.claims["seven"].value == "6.5"


def test_the_place_in_the_stack_of_a_component() -> None:
    components = load(GOOD).spec.systems["port"].components
    assert components["extension"].interval == (Height.GRAPH, Height.TILE_IR)
    assert components["plugin"].interval == (Height.RUNTIME, Height.RUNTIME)
    assert components["tests"].interval is None


def test_digest_and_name_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "my.yaml", GOOD)
    loaded = load_spec(path, CONVENTIONS)
    assert loaded.file == str(path)
    assert loaded.digest == f"sha256:{hashlib.sha256(GOOD.encode()).hexdigest()}"


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 1, 1),
        (("title",), 2, 1),
        (("systems", "port"), 4, 3),
        (("systems", "port", "source", "commit"), 7, 45),
        (("systems", "port", "boundaries", "with_substrate", 1), 15, 35),
        (("systems", "port", "source", "no such key"), 7, 5),
        (("systems", "port", "boundaries", "with_substrate", 2), 15, 7),
        (("systems", "base-2.11", "note"), 20, 3),
        (("nothing", "of", "this"), 1, 1),
        (("budgets", 3, "measure"), 51, 6),
    ],
)
def test_places_of_keys_and_of_their_nearest_parents(path: tuple[str | int, ...], line: int, column: int) -> None:
    assert load(GOOD).locate(*path) == Location("repos.yaml", line, column)


def test_windows_line_ends_and_a_byte_order_mark_change_no_place() -> None:
    text = "\ufeff" + GOOD.replace("\n", "\r\n")
    assert load(text).locate("systems", "port", "source", "commit") == Location("repos.yaml", 7, 45)
    assert load(text).spec == load(GOOD).spec


def test_an_alias_stands_for_its_anchor_and_is_placed_there() -> None:
    text = changed("extension: [extension]\n", "extension: &parts [extension]\n      same: *parts\n")
    loaded = load(text)
    assert loaded.spec.systems["port"].boundaries["same"] == ("extension",)
    assert loaded.locate("systems", "port", "boundaries", "same").line == 15


def test_exit_code_and_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no configuration here") as caught:
        load_spec(tmp_path / "repos.yaml")
    assert caught.value.exit_code is ExitCode.USAGE
    assert "--config" in caught.value.problems[0].hint


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_spec(tmp_path)


def test_a_name_that_no_file_can_have() -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_spec(Path("a\0b"))


def test_conventions_are_checked_only_when_known(tmp_path: Path) -> None:
    path = write(tmp_path / "repos.yaml", GOOD)
    assert load_spec(path).spec == load(GOOD).spec
    with pytest.raises(ConfigurationError, match="no convention `cloc`"):
        load_spec(path, frozenset({"leverage"}))


@pytest.mark.parametrize(
    ("written", "what", "hint"),
    [
        ("1234567", "read", "quote it, and give all 40 hex digits"),
        ("1e5", "the number `1e5`", "quote it, and give all 40 hex digits"),
        ("1234567890123456789012345678901234567890", "the number `1234567890", 'quote it: "1234567890'),
        (
            "12345678901234567890123456789012345678e1",
            "the number",
            'quote it: "12345678901234567890123456789012345678e1"',
        ),
        ("0x12", "the number `0x12`", "quote it"),
        ("e1abcc", "has 6 hex digits", "git rev-parse HEAD"),
        ('""', "this is empty", "git rev-parse HEAD"),
        ("null", "this is empty", "git rev-parse HEAD"),
        ("main", "this is the text `main`", "a name goes into `ref`"),
        ("true", "the truth value `true`", "quote it"),
        (f'"{COMMIT.upper()}"', "has upper-case digits", f'write "{COMMIT}"'),
        (f'"{COMMIT}\\n"', "must be a commit id", "git rev-parse HEAD"),
        ("[a]", "this is a list", "git rev-parse HEAD"),
    ],
)
def test_commits_that_are_none(written: str, what: str, hint: str) -> None:
    text = GOOD.replace(f'port, commit: "{COMMIT}"', f"port, commit: {written}")
    problem = only(text)
    assert problem.slug == "bad-commit"
    assert str(problem.where) == "repos.yaml:7:45"
    assert what in problem.what
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("source", "slug", "what", "hint"),
    [
        ("{git: https://example.org/x}", "missing-key", "`commit` is missing", "40 hex digits"),
        ("{pypi: torch}", "missing-key", "`version` is missing", "exact version"),
        ("{pypi: torch, version: 2.11}", "wrong-type", "reads this as the number `2.11`", 'quote it: "2.11"'),
        ("{svn: x}", "bad-source", "does not say where the bytes come from", "git: URL"),
        ("https://example.org/x", "bad-source", "does not say where the bytes come from", "git: URL"),
        ("{path: 7}", "wrong-type", "the number `7`", 'quote it: "7"'),
        ("{path: x, ref: main}", "unknown-key", "no key `ref`", "`commit`"),
        ("{pypi: ../x, version: 1.0.0}", "bad-value", "cannot be the text `../x`", "name of the distribution"),
        ('{pypi: x, version: "1 "}', "bad-value", "cannot be the text `1 `", "exact version"),
    ],
)
def test_a_wrong_source_gives_one_problem_of_the_kind_that_was_meant(
    source: str, slug: str, what: str, hint: str
) -> None:
    problem = only(changed("{pypi: base, version: 2.11.0}", source))
    assert problem.slug == slug
    assert what in problem.what
    assert hint in problem.hint
    assert problem.where is not None
    assert problem.where.line == 22


def test_two_kinds_of_source_at_once() -> None:
    problem = only(changed(f'commit: "{COMMIT}", ref: main,', f'commit: "{COMMIT}", path: x, ref: main,'))
    assert problem.what == "`path` cannot stand beside `git` in `systems.port.source`"


@pytest.mark.parametrize(
    ("old", "new", "what", "hint"),
    [
        ("vendor: Example", "vender: Example", "there is no key `vender` in `systems.port`", "did you mean `vendor`?"),
        ("vendor: Example", "zzz: Example", "there is no key `zzz`", "keys that can stand here: `licence`, `name`"),
        ("vendor: Example", "rol: extension", "there is no key `rol`", "move it to `role`, which stands in line 5"),
        ("[graph, device_program]", "[graph, binray]", "`systems.open.components.all.height[1]` cannot", "`binary`?"),
        (
            "role: second_stage",
            "role: Second_Stage",
            "cannot be the text `Second_Stage`",
            "did you mean `second_stage`?",
        ),
        ('["tests/**"]', "tests/**", "must be a list, and this is the text `tests/**`", 'write ["tests/**"]'),
        ('["tests/**"]', "[]", "`systems.port.components.tests.include` has 0 items", "a list"),
        ('["tests/**"]', "{a: b}", "cannot be a mapping", "a list"),
        ("at_most: 15000", 'at_most: "7x"', "`budgets[0].at_most` cannot be the text `7x`", "a quoted decimal"),
        ("at_most: 15000", "at_most: 7.5", "the number `7.5`", 'quote it: "7.5"'),
        ("at_most: 15000", "at_most: -1", "cannot be the number `-1`", "a quoted decimal"),
        ("at_most: 15000", "at_most: true", "the truth value `true`", "a quoted decimal"),
        ("at_most: 15000", "at_most: 1e999999999", "the number `1e999999999`", "a quoted decimal"),
        ("at_most: 15000", 'at_most: "1e999999999"', "the text `1e999999999`", "a quoted decimal"),
        ("at_most: 15000", 'at_most: "1/0"', "the text `1/0`", "a quoted decimal"),
        ("at_most: 15000", "at_most: .inf", "the number `.inf`", "a quoted decimal"),
        ("at_most: 15000", "at_most: .nan", "the number `.nan`", "a quoted decimal"),
        ("default: true", 'default: "true"', "cannot be the text `true`", "`true` or `false`"),
        ("default: true", "default: 1", "cannot be the number `1`", "`true` or `false`"),
        ("version: 1\n", 'version: "1"\n', "`version` cannot be the text `1`", "write 1, without quotes"),
        ("version: 1\n", "version: 2\n", "`version` cannot be the number `2`", "it can be: `1`"),
        ("title: A port against its predecessor\n", "title: 7\n", "`title` must be text", 'quote it: "7"'),
        ("title: A port against its predecessor\n", "title: 2026-01-01T\ntitel: x\n", "no key `titel`", "`title`"),
        ("title: A port against its predecessor\n", "", "`title` is missing in the file", "add `title: …`"),
        ("vendor: Example", "vendor:", "`systems.port.vendor` cannot be empty", "text"),
        (
            ", by: Example, source: a talk}\n",
            ", source: a talk}\n",
            "`by` is missing in `systems.closed.reported[0]`",
            "by",
        ),
        ("[closed, port]", "[closed]", "`claims.seven.ratio_of` has 1 item", "[larger, smaller]"),
        ("[closed, port]", "[closed, port, open]", "`claims.seven.ratio_of` has 3 items", "[larger, smaller]"),
        ("below: [second]", "below: [Second Stage]", "cannot be the text `Second Stage`", "lower-case letters"),
        ("source: {path: ~/open}", 'source: {path: ""}', "`systems.open.source.path` cannot be empty", "path"),
        (
            "  second:\n",
            "  Second Stage:\n",
            "the id `Second Stage` is not a valid id",
            "begin with a lower-case letter",
        ),
        ("  second:\n", f"  {'x' * 65}:\n", "is too long", "at most 64"),
    ],
)
def test_values_that_cannot_be(old: str, new: str, what: str, hint: str) -> None:
    found = [problem for problem in problems(changed(old, new)) if what in problem.what]
    assert len(found) == 1, "\n".join(map(str, problems(changed(old, new))))
    assert hint in found[0].hint


def test_a_misspelt_key_is_not_reported_as_missing_too() -> None:
    assert only(changed('tests: {include: ["tests/**"]', 'tests: {inclde: ["tests/**"]')).slug == "unknown-key"


def test_broken_values_do_not_hide_what_does_not_fit_together() -> None:
    text = (
        changed("role: extension", "role: extention")
        .replace("[second]", "[third]")
        .replace("unit: bytes", "unit: byte")
    )
    assert [problem.slug for problem in problems(text)] == ["bad-value", "unknown-reference", "bad-value"]


def test_a_broken_system_is_not_said_to_be_unknown_as_well() -> None:
    text = GOOD.replace("  closed:\n    role: from_scratch\n", "  closed:\n    role: 7\n")
    assert only(text).what == "`systems.closed.role` cannot be the number `7`"


def test_nothing_is_said_about_what_a_repair_removed() -> None:
    # Without a usable `source` the system would seem to have none.
    assert only(changed("source: {path: ~/open}", "source: [path, x]")).slug == "bad-source"
    # Without usable boundaries the denominators' boundary would seem to be declared by nobody.
    text = GOOD.replace("boundaries: {extension: [all]}", "boundaries: all").replace("with_substrate: [", "other: [")
    assert [problem.slug for problem in problems(text)] == ["wrong-type"]


def test_a_hundred_mistakes_are_a_hundred_problems_in_the_order_of_the_file() -> None:
    lines = [f"  s{number:03}: {{role: nonsense, needed: x}}" for number in range(100)]
    found = problems("version: 1\ntitle: x\nsystems:\n" + "\n".join(reversed(lines)) + "\n")
    assert [problem.where.line for problem in found if problem.where] == list(range(4, 104))
    assert {problem.slug for problem in found} == {"bad-value"}


def test_two_equal_ids_name_both_lines() -> None:
    problem = only(changed("  second:\n", "  port: {role: extension, needed: x}\n  second:\n"))
    assert problem.slug == "duplicate-key"
    assert str(problem.where) == "repos.yaml:25:3"
    assert "`port` stands here a second time; the first is in line 4" in problem.what
