from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.model.errors import ConfigurationError, Problem
from leverage.model.provenance import Pin
from leverage.spec.lock import (
    Lock,
    LockedGit,
    LockedPath,
    LockedPypi,
    LockEntry,
    dump_lock,
    load_lock,
    lock_entry,
    stale,
)
from leverage.spec.types import GitSource, PathSource, PypiSource
from tests.unit.spec.examples import COMMIT, GOOD, load

if TYPE_CHECKING:
    from pathlib import Path

TREE = "f" * 40
SHA = "a" * 64
GIT = LockedGit(url="https://example.org/port", commit=COMMIT, tree=TREE, date="2026-01-02T03:04:05Z")
PYPI = LockedPypi(name="base", version="2.11.0", artifact="base-2.11.0.whl", sha256=SHA, size=80, tree="content:0")
PATH = LockedPath(path="../second", commit=COMMIT, tree=TREE)
FULL = Lock(systems={"port": GIT, "base-2.11": PYPI, "second": PATH})

TEXT = f"""\
# written by leverage lock
version = 1

[systems."base-2.11"]
name = "base"
version = "2.11.0"
artifact = "base-2.11.0.whl"
sha256 = "{SHA}"
size = 80
tree = "content:0"

[systems.port]
url = "https://example.org/port"
commit = "{COMMIT}"
tree = "{TREE}"
date = "2026-01-02T03:04:05Z"

[systems.second]
path = "../second"
commit = "{COMMIT}"
tree = "{TREE}"
"""


def read(folder: Path, text: str | bytes) -> Lock:
    path = folder / "repos.lock"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_lock(path)


def wrong(folder: Path, text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(ConfigurationError) as caught:
        read(folder, text)
    assert all("leverage lock" in problem.hint for problem in caught.value.problems)
    return caught.value.problems


def test_the_text_of_a_lock() -> None:
    assert dump_lock(FULL) == TEXT


def test_the_order_of_entries_does_not_matter() -> None:
    assert dump_lock(Lock(systems=dict(reversed(FULL.systems.items())))) == TEXT


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    assert read(tmp_path, TEXT) == FULL


def test_no_file_is_an_empty_lock(tmp_path: Path) -> None:
    lock = load_lock(tmp_path / "repos.lock")
    assert lock == Lock()
    assert lock.for_system("port") is None


def test_entries_by_system() -> None:
    assert FULL.for_system("port") == GIT
    assert FULL.for_system("base-2.11") == PYPI


def test_entries_as_pins() -> None:
    assert GIT.pin == Pin("git", COMMIT, TREE, "2026-01-02T03:04:05Z")
    assert PATH.pin == Pin("git", COMMIT, TREE)
    assert PYPI.pin == Pin("pypi", f"sha256:{SHA}", "content:0", "", "base-2.11.0.whl")


def test_pins_as_entries() -> None:
    git = GitSource(git="https://user:hunter2@example.org/port", commit=COMMIT)
    assert lock_entry(git, GIT.pin) == GIT
    assert lock_entry(PypiSource(pypi="base", version="2.11.0"), PYPI.pin, 80) == PYPI
    assert lock_entry(PathSource(path="../second", commit=COMMIT), PATH.pin) == PATH
    assert lock_entry(PathSource(path="../second"), Pin("directory", "content:0", "content:0")) is None


def test_credentials_never_reach_the_file() -> None:
    entry = LockedGit(url="https://user:hunter2@example.org/port", commit=COMMIT, tree=TREE)
    assert "hunter2" not in dump_lock(Lock(systems={"port": entry}))


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
HEX = st.text("0123456789abcdef", min_size=40, max_size=40)
IDS = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,12}", fullmatch=True)
ENTRIES: st.SearchStrategy[LockEntry] = st.one_of(
    st.builds(LockedGit, url=IDS.map("https://example.org/{}".format), commit=HEX, tree=HEX, date=WORDS),
    st.builds(LockedPath, path=WORDS, commit=HEX, tree=HEX),
    st.builds(
        LockedPypi,
        name=WORDS,
        version=WORDS,
        artifact=WORDS,
        sha256=HEX.map(lambda text: (text + text)[:64]),
        size=st.none() | st.integers(0, 2**62),
        tree=WORDS,
    ),
)


@settings(deadline=None)
@given(entries=st.dictionaries(IDS, ENTRIES, max_size=4))
def test_any_lock_survives_writing_and_reading(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, LockEntry]
) -> None:
    lock = Lock(systems=entries)
    assert read(tmp_path_factory.getbasetemp(), dump_lock(lock)) == lock


@settings(deadline=None)
@given(data=st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_any_bytes_are_a_lock_or_a_message(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    try:
        read(tmp_path_factory.getbasetemp(), data)
    except ConfigurationError as error:
        problems = error.problems
    else:
        problems = ()
    assert all(problem.slug == "bad-lock" and problem.hint for problem in problems)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (
            f'commit = "{COMMIT}"\ntree = "{TREE}"\ndate',
            f'commit = "abc"\ntree = "{TREE}"\ndate',
            12,
            "`systems.port.commit`",
        ),
        ("size = 80", "size = -1", 4, "`systems.base-2.11.size`"),
        ("size = 80", 'size = "80"', 4, "`systems.base-2.11.size`"),
        ("size = 80", "sise = 80", 4, "`systems.base-2.11.sise`: there is no such key"),
        ('url = "https://example.org/port"\n', "", 12, "`systems.port`: has none of the keys"),
        ('artifact = "base-2.11.0.whl"\n', "", 4, "`systems.base-2.11`: has none of the keys"),
        (f'sha256 = "{SHA}"\n', "", 4, "`systems.base-2.11.sha256`: is missing"),
        ("version = 1\n", "version = 2\n", 2, "`version`"),
        ("version = 1\n", 'version = 1\nfile = "x"\n', 3, "`file`: there is no such key"),
        ("version = 1\n", "version = 1\nversion = 1\n", 3, "Cannot overwrite a value"),
        ("[systems.second]", "[systems.second", 18, "cannot be read"),
    ],
)
def test_damaged_locks(tmp_path: Path, old: str, new: str, line: int, what: str) -> None:
    assert TEXT.count(old) == 1
    problem = wrong(tmp_path, TEXT.replace(old, new))[0]
    assert what in problem.what
    assert problem.where is not None
    assert problem.where.line == line


@pytest.mark.parametrize("text", ["x = " + "[" * 5000, "a." * 5000 + "a = 1", b"\xff\xfe", "x = 1979-05-27"])
def test_hostile_locks(tmp_path: Path, text: str | bytes) -> None:
    assert wrong(tmp_path, text)[0].slug == "bad-lock"


def test_a_lock_that_fits_is_not_stale() -> None:
    assert stale(load(GOOD), FULL) == []


def changed_entry(entry: Any, **changes: str) -> Any:
    return type(entry)(**{**{name: getattr(entry, name) for name in entry.__dataclass_fields__}, **changes})


@pytest.mark.parametrize(
    ("systems", "what", "line"),
    [
        ({"port": changed_entry(GIT, commit="e" * 40)}, f"`port` has commit `{COMMIT}` here and `{'e' * 40}` in", 7),
        ({"port": changed_entry(GIT, url="https://x.org/y")}, "`port` has git `https://example.org/port` here", 7),
        ({"base-2.11": changed_entry(PYPI, version="2.12.0")}, "version `2.11.0` here and `2.12.0` in repos.lock", 22),
        ({"base-2.11": changed_entry(PYPI, name="other")}, "`base-2.11` has pypi `base` here and `other`", 22),
        ({"second": changed_entry(PATH, path="x")}, "`second` has path `../second` here and `x` in", 27),
        ({"second": GIT}, "`second` is another kind of source in repos.lock", 27),
        ({"second": None}, "`second` is not in repos.lock", 27),
        ({"open": PATH}, "has an entry for `open`, which has nothing to lock", 34),
        ({"closed": PATH}, "has an entry for `closed`, which has nothing to lock", 29),
        ({"gone": PATH}, "repos.lock has an entry for `gone`, and repos.yaml has no such system", 0),
    ],
)
def test_locks_that_are_stale(systems: dict[str, LockEntry | None], what: str, line: int) -> None:
    entries = {name: entry for name, entry in {**FULL.systems, **systems}.items() if entry is not None}
    found = stale(load(GOOD), Lock(systems=entries))
    assert [(problem.slug, problem.hint) for problem in found] == [("stale-lock", "run `leverage lock`")]
    assert what in found[0].what
    assert found[0].where is not None
    assert found[0].where.line == line


def test_an_empty_lock_is_stale_for_each_system_that_has_a_pin() -> None:
    assert [problem.what.split()[0] for problem in stale(load(GOOD), Lock())] == ["`port`", "`base-2.11`", "`second`"]


def test_credentials_in_the_configuration_do_not_make_a_lock_stale() -> None:
    text = GOOD.replace("git: https://example.org/port", 'git: "https://user:hunter2@example.org/port"')
    assert stale(load(text), FULL) == []
