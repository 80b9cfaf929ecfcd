from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.model.errors import ConfigurationError
from leverage.spec.files import MAX_BYTES
from leverage.spec.load import LoadedSpec, load_spec, parse_spec
from tests.unit.spec.examples import GOOD, changed, only, problems


def outcome(data: bytes) -> LoadedSpec | ConfigurationError:
    """Either of the two; any other exception is the failure that the tests look for."""
    try:
        return parse_spec(data, "repos.yaml")
    except ConfigurationError as error:
        wrong = error
    assert all(problem.where and problem.where.line and problem.slug for problem in wrong.problems)
    assert str(wrong).encode()
    return wrong


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    outcome(data)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:-?[]{},&*!|>%@'\"#~<\\ \t\n0e.", max_size=80))
def test_any_text_that_looks_like_yaml(text: str) -> None:
    outcome(text.encode())


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(GOOD)), st.integers(0, 40), st.text(alphabet="a7:-[]{}\"'\n &*!x", max_size=6))
def test_a_good_document_with_a_piece_replaced(start: int, length: int, new: str) -> None:
    outcome((GOOD[:start] + new + GOOD[start + length :]).encode())


LEAVES = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(
    ["version", "systems", "role", "source", "git", "commit", "path", "components", "include", "height", "value", "x"]
)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        KEYS, st.recursive(LEAVES, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v), max_leaves=12)
    )
)
def test_any_shape_of_document(document: dict[str, object]) -> None:
    # JSON is YAML, but for the names of what is no finite number.
    outcome(json.dumps(document).replace("Infinity", ".inf").replace("NaN", ".nan").encode())


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "~"])
def test_empty_documents(text: str) -> None:
    problem = only(text)
    assert "empty" in problem.what
    assert "version: 1" in problem.hint


@pytest.mark.parametrize(
    ("text", "noun"), [("- a\n- b\n", "a list"), ("hello\n", "the text `hello`"), ("7", "number `7`")]
)
def test_documents_that_are_no_mapping(text: str, noun: str) -> None:
    assert noun in only(text).what


def test_aliases_that_would_expand_to_billions_are_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    started = time.perf_counter()
    problem = only("\n".join(lines))
    assert time.perf_counter() - started < 2
    assert problem.slug == "yaml-too-large"
    assert "aliases" in problem.what


def test_aliases_cannot_pile_up_depth() -> None:
    deep = "[" * 20 + "x" + "]" * 20
    lines = [f"a0: &a0 {deep}", *(f"a{n}: &a{n} {deep.replace('x', f'*a{n - 1}')}" for n in range(1, 200))]
    assert "levels deep" in only("\n".join(lines)).what


@pytest.mark.parametrize("text", ["&a [*a]", "x: &a {y: *a}", "x: *nothing"])
def test_aliases_without_an_anchor_before_them(text: str) -> None:
    assert "has no anchor above it" in only(text).what


@pytest.mark.parametrize("unit", ["[", "{a: ", "- ", "? ", "&x [", "!!seq ["])
def test_nesting_of_ten_thousand_levels(unit: str) -> None:
    started = time.perf_counter()
    found = problems(unit * 10_000)
    assert time.perf_counter() - started < 5
    assert found[-1].slug in {"yaml-too-large", "yaml-syntax"}


def test_nesting_by_indentation() -> None:
    assert "levels deep" in only("".join(f"{' ' * level}a:\n" for level in range(200))).what


def test_tags_build_nothing() -> None:
    text = changed("title: A port against its predecessor", "title: !!python/object/apply:os.system ['exit 3']")
    slugs = [(problem.slug, problem.where.line if problem.where else 0) for problem in problems(text)]
    assert ("yaml-unsupported", 2) in slugs


def test_even_harmless_tags_are_refused() -> None:
    problem = only(changed("vendor: Example", "vendor: !!str 7"))
    assert problem.slug == "yaml-unsupported"
    assert "`tag:yaml.org,2002:str`" in problem.what


def test_a_file_that_is_not_utf_8_says_where() -> None:
    problem = only(b"version: 1\ntitle: caf\xe9\n")
    assert problem.slug == "not-utf-8"
    assert str(problem.where) == "repos.yaml:2:11"
    assert "0xe9" in problem.what
    assert only("version: 1".encode("utf-16")).slug == "not-utf-8"


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        ("version: 1\n\ttitle: x\n", "2:1", "a tab stands where YAML wants spaces", "indent with spaces"),
        ("a: [1,\nb: 2\n", "3:1", "the list that begins in line 1 is not closed", "add `]`"),
        ("a: {b: 1\n", "2:1", "the mapping that begins in line 1 is not closed", "add `}`"),
        ("a: 'x\n", "2:1", "the quoted text that begins in line 1 does not end", "closing quote"),
        ("title: a: b\n", "1:9", "a second `: ` in one line", "quote text that holds `: `"),
        ("key: @x\n", "1:6", "found character '@'", "quote text"),
        ("a:\n  - b\n c: d\n", "3:2", "indented differently", "line 1"),
        ("a: \x07\n", "1:4", "control character U+0007", "delete it"),
        ('a: "\\UFFFFFFFF"\n', "1:1", "not valid YAML near here", "escapes"),
        ("a: 1\n---\nb: 2\n", "2:1", "a second document", "delete `---`"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "3:3", "merging with `<<`", "write the keys out"),
        ("7: x\n", "1:1", "the key `7` is read as the number `7`", 'quote it: "7"'),
        ("[a]: x\n", "1:1", "a key must be text, and this is a list", "plain word"),
        (": x\n", "1:1", "a key must be text, and this is empty", "plain word"),
    ],
)
def test_yaml_that_is_wrong_as_yaml(text: str, where: str, what: str, hint: str) -> None:
    found = [problem for problem in problems(text) if what in problem.what]
    assert [str(problem.where) for problem in found] == [f"repos.yaml:{where}"]
    assert hint in found[0].hint


@pytest.mark.parametrize("escape", ["\\u202e", "\\u2066", "\\u0000", "\\ud800", "\\u200e", "\\x1b", "\\uFEFF"])
def test_invisible_characters_are_named_and_never_repeated(escape: str) -> None:
    found = problems(changed("vendor: Example", f'vendor: "Ex{escape}ample"'))
    assert [problem.slug for problem in found] == ["hidden-character"]
    assert all(char.isprintable() or char == "\n" for problem in found for char in str(problem))


@pytest.mark.parametrize("name", ["a\\nb", "a\\u202eb", "..", "a/b", "-x", "ünïcode", "a b"])
def test_ids_that_could_lie_are_refused_and_shown_escaped(name: str) -> None:
    found = problems(changed("  second:\n", f'  "{name}":\n'))
    assert {"bad-id"} <= {problem.slug for problem in found}
    assert all(char.isprintable() or char == "\n" for problem in found for char in str(problem))


def test_long_text_in_a_message_is_cut() -> None:
    assert all(len(str(problem)) < 600 for problem in problems(changed("vendor: Example", f"{'v' * 5000}: Example")))


def test_numbers_of_any_length() -> None:
    assert "`title` must be text" in only(changed("title: A port against its predecessor", f"title: {'9' * 300}")).what
    # Longer than any number that something wants is text; and Python would refuse to read it as a number.
    assert isinstance(outcome(changed("A port against its predecessor", "9" * 5000).encode()), LoadedSpec)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "repos.yaml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ConfigurationError, match="larger than 1,000,000 bytes"):
        load_spec(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="larger than"):
        load_spec(Path("/dev/zero"))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "repos.yaml"
    path.write_text(GOOD)
    path.chmod(0)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_spec(path)


def test_thousands_of_wrong_values_are_counted_but_not_all_shown() -> None:
    found = problems(GOOD + "".join(f"unknown{number}: 1\n" for number in range(1500)))
    assert len(found) == 1001
    assert found[0].what == "500 more values are wrong than are shown here"
