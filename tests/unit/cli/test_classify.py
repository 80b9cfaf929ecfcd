"""`leverage classify`, `explain PATH::SYMBOL` and `init` on small trees of our own."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.spec.load import load_spec
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Place

LOWER = b'''\
"""Lowerings of operators for the chip."""
from torch._inductor.lowering import register_lowering


@register_lowering("aten.mm")
def lower_mm(x, y):
    """Lowers a matrix product to the one operator of the device."""
    return tiled(x, y)


def tiled(x, y):
    return x @ y
'''
ALLOCATOR = b'''\
class ScratchpadAllocator:
    """Assigns buffers to the scratchpad of each core by their live ranges."""

    def allocate_buffer(self, live_range, sram_banks):
        for bank in sram_banks:
            if bank.fits(live_range):
                return bank.assign(live_range)
        return self.spill(live_range)
'''
FILES = {
    "chip/__init__.py": b"",
    "chip/_inductor/__init__.py": b"",
    "chip/_inductor/lowering.py": LOWER,
    "chip/_inductor/scratchpad.py": ALLOCATOR,
    "chip/data.yaml": b"a: 1\n",
    "tests/test_chip.py": b"def test():\n    assert True\n",
    "third_party/lib.py": b"x = 1\n",
}
CONTRACT = {
    "path",
    "symbol",
    "first",
    "last",
    "lines",
    "stage",
    "divergence",
    "purpose",
    "confidence",
    "rule",
    "runner_up",
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.fixture
def chip(place: Place) -> Place:
    """A port in a plain folder."""
    write(place.path / "checkout", FILES)
    return place


def rows(place: Place, *words: str) -> list[dict[str, Any]]:
    ran = place.run("classify", "--format", "json", *words)
    assert ran.code == 0, ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


def test_a_checkout_needs_no_configuration(chip: Place) -> None:
    found = {(row["path"], row["symbol"]): row for row in rows(chip, "checkout")}
    assert {path for path, _ in found} == {"chip/_inductor/lowering.py", "chip/_inductor/scratchpad.py"}
    assert all(set(row) >= CONTRACT for row in found.values())
    lower = found["chip/_inductor/lowering.py", "lower_mm"]
    assert (lower["stage"], lower["divergence"], lower["rule"]) == ("lowering", "operator_set", "anchor")
    assert (lower["first"], lower["last"], lower["lines"], lower["purpose"]) == (5, 8, 4, "production")
    allocate = found["chip/_inductor/scratchpad.py", "ScratchpadAllocator.allocate_buffer"]
    assert (allocate["stage"], allocate["divergence"]) == ("scratchpad", "on_chip_storage")
    assert all(row["stage"] in {*STAGE_IDS, "undetermined"} for row in found.values())
    assert all(row["divergence"] in DIVERGENCE_IDS for row in found.values())


def test_a_second_run_out_of_the_cache_says_the_same(chip: Place) -> None:
    assert rows(chip, "checkout") == rows(chip, "checkout")


def test_paths_are_told_from_what_was_named(chip: Place) -> None:
    assert {row["path"] for row in rows(chip, "checkout/chip/_inductor")} == {"lowering.py", "scratchpad.py"}
    assert {row["path"] for row in rows(chip, "checkout/chip/_inductor/scratchpad.py")} == {"scratchpad.py"}


def test_everything_is_classified_on_demand(chip: Place) -> None:
    found = {row["path"]: row["purpose"] for row in rows(chip, "checkout", "--all")}
    assert found["tests/test_chip.py"] == "test"
    assert found["third_party/lib.py"] == "vendored"


def test_csv_has_the_rows_of_json(chip: Place) -> None:
    ran = chip.run("classify", "checkout", "--format", "csv")
    read = list(csv.DictReader(io.StringIO(ran.out)))
    assert [(row["path"], row["symbol"], row["stage"]) for row in read] == [
        (row["path"], row["symbol"], row["stage"]) for row in rows(chip, "checkout")
    ]


def test_the_table_adds_up_and_says_what_was_left_out(chip: Place) -> None:
    ran = chip.run("classify", "checkout")
    assert "not classified: 1 data file, 1 test file, 1 vendored file" in ran.out
    total = sum(row["code"] for row in rows(chip, "checkout"))
    assert f"{total} lines of code" in ran.out
    assert "undetermined and support" in ran.out


def test_a_system_is_classified_by_its_pack_and_told_when_it_has_grown(place: Place, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "chip-repository")
    commit = repository.commit(FILES)
    (place.path / "repos.yaml").write_text(
        "version: 1\ntitle: t\nsystems:\n  chip:\n    role: extension\n"
        f"    source: {{path: {repository.path}, commit: {commit}}}\n    pack: ./chip.yaml\n"
        '    components: {core: {include: ["chip/**"], height: [graph, tile_ir]}}\n'
        "    boundaries: {extension: [core]}\n",
        encoding="utf-8",
    )
    (place.path / "chip.yaml").write_text(
        "id: chip\nabout: {read: all, source: here, revision: '1'}\nroots: [chip]\nrules:\n"
        "  - id: core\n    stage: tiling\n    divergence: none\n    paths: [chip/_inductor/scratchpad.py]\n"
        "    reason: Said by somebody who has read all of it.\n    matches: [chip/_inductor/scratchpad.py]\n"
        "    expect: {files: 1, lines: 4}\n",
        encoding="utf-8",
    )
    ran = place.run("classify", "chip", "--format", "json")
    assert ran.code == 0
    found = {(row["path"], row["symbol"]): row for row in json.loads(ran.out)}
    declared = found["chip/_inductor/scratchpad.py", "ScratchpadAllocator.allocate_buffer"]
    assert (declared["stage"], declared["confidence"], declared["rule"]) == ("tiling", "declared", "chip/core")
    assert found["chip/_inductor/lowering.py", "lower_mm"]["confidence"] == "anchored"
    assert "chip.yaml:5: the rule core was written for 4 lines in 1 file and decides 8 lines in 1 file" in ran.err
    assert place.run("classify", "chip", "--strict").code == 1
    bare = place.run("classify", "chip", "--no-pack", "--format", "json")
    assert {row["confidence"] for row in json.loads(bare.out)} & {"declared"} == set()
    explained = place.run("explain", "chip:chip/_inductor/scratchpad.py::allocate_buffer")
    assert explained.code == 0, explained.err
    assert "tiling by chip/core" in explained.out
    assert "scratchpad" in explained.out


def test_an_unknown_target_is_answered(place: Place) -> None:
    ran = place.run("classify", "nowhere")
    assert ran.code == 2
    assert "nowhere" in ran.err


def test_a_file_that_cannot_be_parsed_is_one_unit(chip: Place) -> None:
    write(chip.path / "checkout", {"chip/broken.py": b"def (:\n  x\n", "chip/nul.cpp": b"int f() {\n" * 50})
    found = [row for row in rows(chip, "checkout") if row["path"] in {"chip/broken.py", "chip/nul.cpp"}]
    assert {(row["path"], row["symbol"]) for row in found} >= {("chip/broken.py", "")}


def test_explain_tells_what_spoke_for_a_function_and_against_it(chip: Place) -> None:
    ran = chip.run("explain", "checkout/chip/_inductor/lowering.py::lower_mm")
    assert ran.code == 0, ran.err
    assert "lowering, divergence operator_set (anchored)" in ran.out
    assert "given to torch._inductor.lowering.register_lowering (line 5)" in ran.out
    assert "of the unit" in ran.out
    missing = chip.run("explain", "checkout/chip/_inductor/lowering.py::lower_nm")
    assert missing.code == 2
    assert "did you mean" in missing.err
    assert "lower_mm" in missing.err


def test_init_describes_a_repository_that_nobody_has_described(place: Place, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "My_Chip.git")
    commit = repository.commit(FILES)
    ran = place.run("init", "--from", str(repository.path), "--into", "described")
    assert ran.code == 0, ran.err
    config = place.path / "described" / "repos.yaml"
    system = load_spec(config).spec.systems["my-chip"]
    assert system.role.value == "extension"
    assert system.source is not None
    assert getattr(system.source, "commit", "") == commit
    assert system.components["extension"].include == ("chip/_inductor/**",)
    assert system.components["tests"].include == ("tests/**",)
    assert "extension" in system.boundaries
    pack = (config.parent / "my-chip.yaml").read_text(encoding="utf-8")
    assert "read: nothing yet" in pack
    classified = place.run("classify", "my-chip", "--config", str(config), "--format", "json")
    assert classified.code == 0, classified.err
    again = place.run("init", "--from", str(repository.path), "--into", "described")
    assert again.code == 2
    assert "would-overwrite" in again.err or "pack of this name" in again.err


def test_init_adds_to_a_configuration_and_keeps_the_rest(chip: Place) -> None:
    before = "# kept\nversion: 1\ntitle: mine\nsystems:\n  old: {role: substrate, needed: nothing}\nterms: {a: b}\n"
    (chip.path / "repos.yaml").write_text(before, encoding="utf-8")
    ran = chip.run("init", "--from", "checkout", "--name", "chip", "--into", ".")
    assert ran.code == 0, ran.err
    text = (chip.path / "repos.yaml").read_text(encoding="utf-8")
    assert text.startswith("# kept\nversion: 1\ntitle: mine\nsystems:\n  old: {role: substrate, needed: nothing}\n")
    assert text.rstrip().endswith("terms: {a: b}")
    assert "path: checkout" in text


def test_init_prints_and_writes_nothing_without_a_folder(chip: Place) -> None:
    ran = chip.run("init", "--from", "checkout", "--name", "chip")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("  chip:\n    role: extension\n")
    assert not list(chip.path.rglob("repos.yaml"))
    assert not list(chip.path.rglob("chip.yaml"))


@pytest.mark.parametrize(
    ("place_name", "code"), [("nowhere", 2), ("ext::sh -c id", 2), ("--upload-pack=id://x", 2), ("https://[", 2)]
)
def test_init_refuses_what_is_no_place(place: Place, place_name: str, code: int) -> None:
    assert place.run("init", "--from", place_name, "--offline").code == code


def test_hostile_names_of_files_end_in_a_pack_that_loads(place: Place) -> None:
    names = ['x"y.py', "a: b.py", "[z].py", "*.py", "#c.py", "new\nline.py", "-d.py", "\u202egnp.py", "e\x1b[31m.py"]
    names += ["tab\t.py", "back\\slash.py", "{a,b}.py", "\udcff.py"]
    write(place.path / "odd", {f"pkg/{name}": ALLOCATOR for name in names} | {"pkg/__init__.py": b""})
    ran = place.run("init", "--from", "odd", "--name", "odd", "--into", "out")
    assert ran.code == 0, ran.err
    classified = place.run("classify", "odd", "--config", "out/repos.yaml", "--format", "json")
    assert classified.code == 0, classified.err
    assert {row["path"] for row in json.loads(classified.out)} == {f"pkg/{name}" for name in names}


def test_explain_of_a_file_says_what_its_words_say(chip: Place) -> None:
    ran = chip.run("explain", "checkout/chip/_inductor/scratchpad.py")
    assert ran.code == 0, ran.err
    assert "by its words alone, in code lines: scratchpad" in ran.out
    assert "leverage explain checkout/chip/_inductor/scratchpad.py::ScratchpadAllocator.allocate_buffer" in ran.out
    assert "by its words" not in chip.run("explain", "checkout/chip/data.yaml").out


def test_a_file_without_its_bytes_is_warned_of(place: Place) -> None:
    repository = Repository(place.path / "torn")
    repository.commit({"a.py": b"def lower_a(x):\n    return x\n", "b.py": b"def lower_b(x):\n    return x\n"})
    blob = repository.git("rev-parse", "HEAD:a.py").strip()
    (place.path / "torn" / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for words in (("classify", "torn@HEAD"), ("init", "--from", "torn")):
        ran = place.run(*words)
        assert ran.code == 0, ran.err
        assert "warning: 1 file could not be read and told apart no further: `a.py`" in ran.err
        assert f"(the repository does not hold object {blob})" in ran.err


@pytest.mark.parametrize(
    "words", [("classify", ""), ("coupling", ""), ("count", ""), ("init", "--from", ""), ("explain", "::x")]
)
def test_an_empty_path_is_not_the_current_folder(chip: Place, words: tuple[str, ...]) -> None:
    ran = chip.run(*words)
    assert ran.code == 2, ran.out
    assert ran.out == ""


def test_a_folder_has_no_symbol(chip: Place) -> None:
    ran = chip.run("explain", "checkout::lower_mm")
    assert ran.code == 2
    assert "is a folder" in ran.err


def test_a_file_that_is_not_there_is_not_looked_for_in_a_configuration_that_is_not_there(chip: Place) -> None:
    ran = chip.run("explain", "checkout/chip/gone.py::lower_mm")
    assert ran.code == 2
    assert "there is no file `checkout/chip/gone.py` here" in ran.err


def test_nothing_to_read_is_warned_of(place: Place) -> None:
    write(place.path, {"empty/read.txt": b"text\n"})
    for command in ("classify", "coupling"):
        assert "no file of a language that is read" in place.run(command, "empty").err
