import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.evidence.collect import as_recorded, public_place
from leverage.evidence.compare import differences
from leverage.evidence.facts import OutsideGroup, SystemFacts, scope_digest
from leverage.evidence.store import read_facts, write_facts
from leverage.measure.extents import Extent
from leverage.model.errors import ConfigurationError, ExitCode
from leverage.model.files import COUNTED, Disposition, EntryKind, FileFacts, SourceFile, State, WitnessCounts
from leverage.model.lines import LineCounts
from leverage.model.provenance import Origin, Pin
from leverage.sources.base import Snapshot
from leverage.spec.load import parse_spec
from tests.world import SPEC, fact, facts, unknown

LOADED = parse_spec(SPEC.encode(), "repos.yaml")

# Any path that git can hold: bytes without NUL, decoded as the sources do.
paths = (
    st.binary(min_size=1, max_size=30)
    .filter(lambda raw: b"\0" not in raw)
    .map(lambda raw: raw.decode("utf-8", "surrogateescape"))
)
counts = st.integers(0, 10**6)
rows = st.builds(
    FileFacts,
    st.builds(SourceFile, paths, st.sampled_from(["", "a" * 40]), st.integers(-1, 10**9), st.sampled_from(EntryKind)),
    st.one_of(st.just(COUNTED), st.builds(Disposition, st.sampled_from(State), st.sampled_from(["x-y", "z"]), paths)),
    st.sampled_from(["", "python", "cpp"]),
    paths,
    st.integers(-1, 10**6),
    st.integers(-1, 10**6),
    st.one_of(st.none(), st.builds(LineCounts, *([counts] * 16))),
    st.one_of(st.none(), st.builds(WitnessCounts, *([counts] * 4))),
).map(lambda row: row if row.lines is None else replace(row, physical=row.lines.physical))


extents = st.none() | st.builds(Extent, counts, st.none() | counts, st.none() | counts)


def some() -> SystemFacts:
    listed = [fact("core/a.py", "python", 3), unknown("core/gone", size=10)]
    measured = facts(LOADED, "port", listed, outside=[OutsideGroup("docs/", 2, 30, 1)])
    return as_recorded(measured, "2026-12-01")


@given(st.lists(st.tuples(rows, extents), max_size=5, unique_by=lambda pair: pair[0].file.path))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, listed: list[tuple[FileFacts, Extent | None]]
) -> None:
    folder = tmp_path_factory.mktemp("record")
    stated = facts(LOADED, "port", [row for row, _ in listed])
    sizes = {
        row.file.path: extent for row, extent in listed if extent is not None and row.disposition.state is State.COUNTED
    }
    written = as_recorded(replace(stated, extents=sizes), "2026-12-01")
    write_facts(written, folder)
    assert read_facts(folder, "port") == written


def test_the_same_facts_give_the_same_bytes(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write_facts(some(), tmp_path / "a")]
    assert len(first) == 2
    second = [path.read_bytes() for path in write_facts(some(), tmp_path / "b")]
    assert first == second
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".partial")]


def test_no_record_is_none(tmp_path: Path) -> None:
    assert read_facts(tmp_path, "port") is None


@pytest.mark.parametrize("damage", ["flip", "shorten", "no table", "format", "not json", "missing key", "bad origin"])
def test_a_damaged_record_is_refused_and_says_what_to_type(tmp_path: Path, damage: str) -> None:
    table, head = write_facts(some(), tmp_path)
    stated = json.loads(head.read_text())
    match damage:
        case "flip":
            table.write_bytes(table.read_bytes().replace(b",3,", b",4,", 1))
        case "shorten":
            table.write_bytes(table.read_bytes()[:-5])
        case "no table":
            table.unlink()
        case "format":
            head.write_text(json.dumps({**stated, "format": 1}))
        case "not json":
            head.write_text("{")
        case "missing key":
            head.write_text(json.dumps({key: value for key, value in stated.items() if key != "scope"}))
        case _:
            stated["provenance"]["origin"] = "dreamt"
            head.write_text(json.dumps(stated))
    with pytest.raises(ConfigurationError) as caught:
        read_facts(tmp_path, "port")
    assert caught.value.exit_code == ExitCode.USAGE
    assert "leverage record port" in str(caught.value)


def test_a_record_says_when_and_who_answered() -> None:
    kept = as_recorded(some(), "2026-12-01").provenance
    assert (kept.origin, kept.measured_on) == (Origin.RECORDED, "2026-12-01")
    assert kept.answered_by == "https://example.org/port"


def test_folders_of_this_machine_are_not_shown() -> None:
    def told(kind: str, answered_by: str) -> str:
        return public_place(Snapshot(Pin(kind, "0" * 40, "1" * 40), "x", answered_by, ()))

    assert told("git", "/home/somebody/mirrors/port.git") == "a local copy"
    assert told("git", "https://example.org/port") == "https://example.org/port"
    assert told("pypi", "https://index.example.org/simple") == "the package index"
    assert told("pypi", "wheels/x-1.0.whl") == "a local copy"


def test_equal_measurements_have_no_differences_whoever_answered() -> None:
    assert differences(as_recorded(some(), "2026-12-01"), some()) == []


def test_differences_name_the_file_and_what_changed() -> None:
    before = facts(LOADED, "port", [fact("core/a.py", "python", 3), fact("core/b.py", "python", 3)])
    after = facts(LOADED, "port", [fact("core/a.py", "python", 4), fact("core/c.py", "python", 3)])
    told = differences(before, after)
    assert [line.split(":")[0] for line in told] == ["'core/a.py'", "'core/b.py'", "'core/c.py'"]
    assert "physical 5 became 6" in told[0]
    assert told[1].endswith("gone")
    assert told[2].endswith("new")


def test_a_file_the_record_could_not_read_is_no_contradiction() -> None:
    before = facts(LOADED, "port", [unknown("core/a.py", size=10)])
    after = facts(LOADED, "port", [fact("core/a.py", "python", 4)])
    assert differences(before, after) == []


def test_the_scope_changes_with_globs_and_not_with_words() -> None:
    port = LOADED.spec.systems["port"]
    other = parse_spec(SPEC.replace('include: ["core/**"]', 'include: ["core/*"]').encode(), "x").spec.systems["port"]
    renamed = parse_spec(SPEC.replace("height: [graph, tile_ir]", "note: words").encode(), "x").spec.systems["port"]
    assert scope_digest(port) != scope_digest(other)
    assert scope_digest(port) == scope_digest(renamed)


def test_a_date_that_only_one_place_tells_contradicts_nothing() -> None:
    dated = some()
    pin = dated.provenance.pin
    assert pin is not None
    dateless = replace(dated, provenance=replace(dated.provenance, pin=replace(pin, date="", artifact="x")))
    assert differences(dated, dateless) == []
    other = replace(dated, provenance=replace(dated.provenance, pin=replace(pin, tree="e" * 40)))
    assert differences(dated, other) == [f"pin: tree {'f' * 40!r} became {'e' * 40!r}"]


def test_the_wheel_of_another_platform_with_the_same_files_is_the_same_package() -> None:
    stated = some()
    wheel = Pin("pypi", "sha256:" + "1" * 64, "content:abc", "", "x-1.0-macos.whl")
    mine = replace(stated, provenance=replace(stated.provenance, pin=wheel))
    other = replace(wheel, id="sha256:" + "2" * 64, artifact="x-1.0-linux.whl")
    assert differences(mine, replace(mine, provenance=replace(mine.provenance, pin=other))) == []
    changed = replace(other, tree="content:abd")
    assert differences(mine, replace(mine, provenance=replace(mine.provenance, pin=changed))) == [
        "pin: tree 'content:abc' became 'content:abd'"
    ]


def restate(folder: Path, **changes: object) -> None:
    """Change what the head of a record states, written as it is always written."""
    head = folder / "port.json"
    head.write_text(json.dumps({**json.loads(head.read_text()), **changes}, indent=1, sort_keys=True) + "\n")


def test_nothing_stands_in_a_record_that_its_facts_do_not_say(tmp_path: Path) -> None:
    table, _ = write_facts(some(), tmp_path)
    honest = table.read_bytes()
    row = honest.splitlines(keepends=True)[1]
    for forged in (
        honest + row,
        honest.replace(b",3,", b",03,"),
        honest.replace(b"python", b"pyth\xc3\xb6n"),
        b"",
        row,
    ):
        table.write_bytes(forged)
        restate(tmp_path, tables={"port.csv": hashlib.sha256(forged).hexdigest()})
        if forged == honest.replace(b"python", b"pyth\xc3\xb6n"):
            assert read_facts(tmp_path, "port") is not None  # another value, well written: for `verify` to disprove
            continue
        with pytest.raises(ConfigurationError, match="record-damaged"):
            read_facts(tmp_path, "port")


@pytest.mark.parametrize(
    "changes", [{"files": 3}, {"tracked": 5}, {"tracked": 4.0}, {"format": True}, {"system": "other"}, {"extra": 1}]
)
def test_a_head_that_states_something_else_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    write_facts(some(), tmp_path)
    restate(tmp_path)
    assert read_facts(tmp_path, "port") == some()
    restate(tmp_path, **changes)
    with pytest.raises(ConfigurationError, match="record-damaged"):
        read_facts(tmp_path, "port")


def test_a_record_cannot_pass_for_a_measurement(tmp_path: Path) -> None:
    measured = replace(some(), provenance=replace(some().provenance, origin=Origin.MEASURED))
    write_facts(measured, tmp_path)
    with pytest.raises(ConfigurationError, match="its origin is measured"):
        read_facts(tmp_path, "port")
