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
from leverage.model.errors import ConfigurationError, ExitCode
from leverage.model.files import COUNTED, Disposition, EntryKind, FileFacts, SourceFile, State, WitnessCounts
from leverage.model.lines import LineCounts
from leverage.model.provenance import Origin, Pin
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
    st.one_of(st.none(), st.builds(LineCounts, *([counts] * 11))),
    st.one_of(st.none(), st.builds(WitnessCounts, *([counts] * 4))),
)


def some() -> SystemFacts:
    listed = [fact("core/a.py", "python", 3), unknown("core/gone", size=10)]
    return facts(LOADED, "port", listed, outside=[OutsideGroup("docs/", 2, 30, 1)])


@given(st.lists(rows, max_size=5, unique_by=lambda row: row.file.path))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, listed: list[FileFacts]) -> None:
    folder = tmp_path_factory.mktemp("record")
    written = facts(LOADED, "port", listed)
    write_facts(written, folder)
    assert read_facts(folder, "port") == written


def test_the_same_facts_give_the_same_bytes(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write_facts(some(), tmp_path / "a")]
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
            head.write_text(json.dumps({**stated, "format": 2}))
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


def test_a_record_says_when_and_hides_which_mirror_answered() -> None:
    kept = as_recorded(some(), "2026-12-01").provenance
    assert (kept.origin, kept.measured_on) == (Origin.RECORDED, "2026-12-01")
    assert kept.answered_by == kept.location


def test_folders_of_this_machine_are_not_shown() -> None:
    assert public_place("/home/somebody/mirrors/port.git") == "a local copy"
    assert public_place("https://example.org/port") == "https://example.org/port"


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
