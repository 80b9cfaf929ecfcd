"""Probes read from source that nobody vouches for: hostile files first."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.evidence.collect import as_recorded
from leverage.evidence.compare import differences
from leverage.evidence.facts import ProbeFact, Site, SystemFacts
from leverage.evidence.probes import LARGEST, MOST_SITES, probe_digest, take_probes
from leverage.evidence.store import read_facts, write_facts
from leverage.model.files import EntryKind, SourceFile
from leverage.model.provenance import Pin
from leverage.sources.base import Missing, Snapshot
from leverage.spec.load import parse_spec
from tests.world import SPEC, fact, facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from leverage.spec.types import Spec


class Tree:
    """An opened source of stated bytes; None stands for a link."""

    def __init__(self, **content: bytes | None) -> None:
        self.content = {
            path.replace("__", "/").replace("_py", ".py").replace("_h", ".h"): data for path, data in content.items()
        }

    @property
    def snapshot(self) -> Snapshot:
        files = [
            SourceFile(
                path,
                hashlib.sha1(data or b"", usedforsecurity=False).hexdigest(),
                len(data or b""),
                EntryKind.SYMLINK if data is None else EntryKind.FILE,
            )
            for path, data in sorted(self.content.items())
        ]
        return Snapshot(Pin("git", "0" * 40, "1" * 40), "here", "here", tuple(files))

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        for file in files:
            data = self.content[file.path]
            yield file, Missing("not-a-file", "it is a link, and links are not followed") if data is None else data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None: ...


def take(tree: Tree, *probes: str) -> list[ProbeFact]:
    return list(take_probes(declared(probes), "port", tree))


@cache
def declared(probes: tuple[str, ...]) -> Spec:
    lines = "".join(f"  p{at}: {{system: port, {probe}}}\n" for at, probe in enumerate(probes))
    return parse_spec(f"{SPEC}probes:\n{lines}".encode(), "repos.yaml").spec


def one(source: bytes | None, probe: str = "constant: A") -> ProbeFact:
    (found,) = take(Tree(a_py=source), f"path: a.py, {probe}")
    return found


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (b"A = (", "cannot be parsed"),
        (b"A = 1\nB = [" + b"[" * 5000, "cannot be parsed"),
        (b"A = " + b"-" * 100_000 + b"1", ""),
        (b"A = " + b"+".join([b"1"] * 20_000), ""),
        (b"A = 9**9**9", "bits"),
        (b"A = 2 ** 2 ** 2 ** 2 ** 2 ** 2", "bits"),
        (b"A = 1 << 10 ** 10", "small integer"),
        (b"A = 9" + b"9" * 5000, ""),
        (b"A = '\xff'", "not UTF-8"),
        (b"# -*- coding: latin-1 -*-\nA = '\xe9'", "not UTF-8"),
        (b"A = 1\x00", "null bytes"),
        (b"A = __import__('os').system('touch owned')", "nothing is executed"),
        (b"A = open('/etc/passwd')", "nothing is executed"),
        (b"A = B", "`B` is not known"),
        (b"A = 1\nA = 2", "assigned 2 times"),
        (b"", "not assigned"),
        (b"A = 1 / 0", "zero"),
        (None, "links are not followed"),
        (b"#" * (LARGEST + 1), "more than"),
    ],
)
def test_hostile_source_gives_a_reason_and_no_value(source: bytes | None, why: str) -> None:
    start = perf_counter()
    found = one(source)
    assert perf_counter() - start < 10
    assert found.value == ""
    assert why in found.why
    assert found.why


def test_warnings_of_the_source_are_not_ours() -> None:
    assert one(b'A = 7\nB = "\\d"\nC = 1 is 1\n').value == "7"


def test_windows_line_ends_and_a_mark_at_the_head_are_read() -> None:
    found = one("\ufeffX = 0\r\nA = 5\r\n".encode())
    assert (found.value, found.sites[0].line) == ("5", 2)


def test_a_missing_path_is_answered_with_the_closest() -> None:
    tree = Tree(pkg__config_py=b"A = 1", other_py=b"A = 2")
    (found,) = take(tree, "path: kg/config.py, constant: A")
    assert found.value == ""
    assert "there is no file `kg/config.py` at the pin; did you mean `pkg/config.py`?" in found.why


def test_a_constant_has_its_line_and_blob_and_a_default_says_whose() -> None:
    found = one(b'import os\nA = int(os.environ.get("N", "32"))\n')
    assert found.value == "32"
    assert found.environment == ("N",)
    assert found.sites == (Site("a.py", 2, found.sites[0].blob),)
    assert len(found.sites[0].blob) == 40


def test_given_values_are_numbers_or_probes_above_and_carry_their_doubt() -> None:
    source = (
        b'import os\npart = float(os.getenv("PART", "0.2"))\n'
        b"def f():\n    size = int((2 << 20) * (1.0 - config.part))\n"
    )
    found = take(
        Tree(a_py=source),
        "path: a.py, constant: part",
        "path: a.py, constant: f.size, given: {config.part: 0}",
        "path: a.py, constant: f.size, given: {config.part: p0}",
        "path: a.py, constant: f.size",
        'path: a.py, constant: f.size, given: {config.part: "0.5"}',
    )
    assert [fact.value for fact in found] == ["1/5", str(2 << 20), "1677721", "", str(1 << 20)]
    assert [fact.environment for fact in found] == [("PART",), (), ("PART",), (), ()]
    assert "`config.part` is not known" in found[3].why


def test_a_given_probe_without_a_value_passes_its_reason_on() -> None:
    found = take(Tree(a_py=b"A = x\nB = y * 2"), "path: a.py, constant: A", "path: a.py, constant: B, given: {y: p0}")
    assert found[1].value == ""
    assert "`p0` has no value" in found[1].why
    assert "`x` is not known" in found[1].why


HEADER = b"""\
// #define OLD 1
/* #define OLD 2
*/
#define CORES 32
#  define SIZE (2ul << 20) // bytes
constexpr std::int64_t kLimit = 1'024 * 2;
inline constexpr int kBraces{7 / 2};
#define TEXT "x"
#define CALL f(1)
#define TWICE 1
#define TWICE 2
#define BIG (1 << 70)
#define HEX 0xFFu
constexpr double kHalf = 1 / 2.0;
"""


@pytest.mark.parametrize(
    ("name", "expected", "line"),
    [
        ("CORES", "32", 4),
        ("SIZE", str(2 << 20), 5),
        ("kLimit", "2048", 6),
        ("ns.kBraces", "3", 7),
        ("HEX", "255", 13),
    ],
)
def test_numbers_in_c(name: str, expected: str, line: int) -> None:
    for source in (HEADER, HEADER.replace(b"\n", b"\r\n")):
        (found,) = take(Tree(a_h=source), f"path: a.h, define: {name}")
        assert (found.value, found.sites[0].line) == (expected, line)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("OLD", "0 times"),
        ("TEXT", "arithmetic"),
        ("CALL", "nothing is executed"),
        ("kHalf", "arithmetic on integers"),
        ("TWICE", "2 times"),
        ("BIG", "64 bits"),
        ("NONE", "0 times"),
    ],
)
def test_what_is_no_number_in_c(name: str, why: str) -> None:
    (found,) = take(Tree(a_h=HEADER), f"path: a.h, define: {name}")
    assert found.value == ""
    assert why in found.why


@pytest.mark.parametrize(
    "unit", [b"/*", b"//", b"/", b"#define ", b"constexpr ", b"constexpr A", b" ", b"/* */", b"A{"]
)
def test_c_is_searched_in_linear_time(unit: bytes) -> None:
    start = perf_counter()
    (found,) = take(Tree(a_h=unit * (1_000_000 // len(unit))), "path: a.h, define: A")
    assert perf_counter() - start < 10
    assert found.value == ""


@given(st.binary(max_size=200))
def test_no_bytes_raise(source: bytes) -> None:
    for probe in ("constant: A", "constant: 'A[x]'", "assigns: A", "calls: [A], within: f"):
        found = one(source, probe)
        assert found.value or found.why
    (c,) = take(Tree(a_h=source), "path: a.h, define: A")
    assert c.value or c.why


@given(st.integers(0, 10**6), st.integers(1, 10**3), st.sampled_from(["+", "-", "*", "//", "%", "/"]))
def test_arithmetic_is_that_of_python(a: int, b: int, operator: str) -> None:
    expected = Fraction(a, b) if operator == "/" else Fraction(eval(f"{a} {operator} {b}"))  # noqa: S307 - our own text
    assert one(f"A = {a} {operator} {b}".encode()).value == str(expected)


def test_assignments_are_searched_in_all_files_that_match() -> None:
    tree = Tree(pkg__a_py=b"x = 1\nG.run = 2\n", pkg__b_py=b"G.walk = 1\n", pkg__c_h=b"G.run = 1\n")
    yes, no = take(tree, "path: pkg/**/*.py, assigns: G.run", "path: pkg/**/*.py, assigns: G.stop")
    assert (yes.value, yes.found, yes.searched) == ("yes", 1, 2)
    assert [(site.path, site.line) for site in yes.sites] == [("pkg/a.py", 2)]
    assert (no.value, no.found, no.searched) == ("no", 0, 2)
    assert "not assigned to in any of 2 files" in no.why


def test_a_file_that_cannot_be_read_leaves_absence_open_and_presence_found() -> None:
    broken = Tree(a_py=b"run = (", b_py=b"y = 1")
    (found,) = take(broken, "path: '*.py', assigns: G.run")
    assert found.value == ""
    assert "1 of 2 files could not be searched" in found.why
    (found,) = take(Tree(a_py=b"run = (", b_py=b"G.run = 1"), "path: '*.py', assigns: G.run")
    assert found.value == "yes"
    (found,) = take(Tree(a_py=b"nothing (", b_py=b"y = 1"), "path: '*.py', assigns: G.run")
    assert found.value == "no", "what does not hold the word cannot assign to it, parsed or not"
    (found,) = take(Tree(a_py=b""), "path: '*.cpp', assigns: G.run")
    assert "no file at the pin matches" in found.why


def test_many_sites_are_counted_and_the_first_are_kept() -> None:
    (found,) = take(Tree(a_py=b"G.run = 1\n" * 100), "path: a.py, assigns: G.run")
    assert (found.found, len(found.sites)) == (100, MOST_SITES)


def test_order_of_calls_at_the_pin() -> None:
    source = b"def f():\n    a()\n    b()\n"
    yes, no = take(Tree(a_py=source), "path: a.py, within: f, calls: [a, b]", "path: a.py, within: f, calls: [b, a]")
    assert (yes.value, [site.line for site in yes.sites]) == ("yes", [2, 3])
    assert (no.value, bool(no.why)) == ("no", True)


def with_probes(*found: ProbeFact) -> SystemFacts:
    loaded = parse_spec(SPEC.encode(), "repos.yaml")
    plain = facts(loaded, "port", [fact("core/a.py", "python", 3)])
    return SystemFacts(plain.system, plain.provenance, plain.scope, plain.tracked, plain.files, plain.outside, found)


def test_probes_are_recorded_and_read_back(tmp_path: Path) -> None:
    written = with_probes(*take(Tree(a_py=b'import os\nA = int(os.getenv("N", "3"))'), "path: a.py, constant: A"))
    kept = as_recorded(written, "2026-12-01")
    write_facts(kept, tmp_path)
    assert read_facts(tmp_path, "port") == kept


def test_a_changed_value_contradicts_the_record_and_another_declaration_does_not() -> None:
    (first,) = take(Tree(a_py=b"A = 1\nB = 1"), "path: a.py, constant: A")
    (second,) = take(Tree(a_py=b"A = 2\nB = 1"), "path: a.py, constant: A")
    (other,) = take(Tree(a_py=b"A = 2\nB = 1"), "path: a.py, constant: B")
    assert differences(with_probes(first), with_probes(second)) == ["probe p0: '1' became '2'"]
    assert differences(with_probes(first), with_probes(other)) == []
    assert differences(with_probes(first), with_probes()) == []


def test_a_note_is_no_part_of_what_is_looked_for() -> None:
    text = f"{SPEC}probes:\n  a: {{system: port, path: a.py, constant: A%s}}\n"
    specs = [parse_spec((text % more).encode(), "x").spec for more in ("", ", note: why", "B")]
    first, noted, other = (probe_digest(spec.probes["a"]) for spec in specs)
    assert first == noted != other
