"""How identifiers are cut, which lines give which words, and that any bytes have words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.classify.reading import read_file
from leverage.classify.words import Field, path_words, split
from leverage.measure.units import UnitMap


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("LoopNest2D_tile", ("loop", "nest", "tile", "loop_nest", "nest_tile")),
        ("tile_sizes", ("tile", "tile_size")),
        ("HTTPServer", ("http", "server", "http_server")),
        ("axis", ("axis",)),
        ("bias_buffers", ("bias", "buffer", "bias_buffer")),
        ("PassesMatches", ("pass", "match", "pass_match")),
        ("set_value_of", ()),
        ("self", ()),
        ("x", ()),
        ("", ()),
    ],
)
def test_identifiers_are_cut_into_words_and_pairs(identifier: str, words: tuple[str, ...]) -> None:
    assert split(identifier) == words


def test_words_of_a_path_tell_folders_from_the_file() -> None:
    found = path_words("port/memory_planning/arena_allocator.cpp")
    assert found[Field.FOLDER, "memory_planning"] == 1
    assert found[Field.FILE, "arena_allocator"] == 1
    assert (Field.FILE, "cpp") not in found
    assert (Field.FOLDER, "arena") not in found


SOURCE = b'''\
import scheduler_lib

# splits the reduction
def lower_matmul(tile):
    """Lowers a matrix product."""
    return tile.stick_layout


class Planner:
    def release(self):
        return arena
'''


def test_each_unit_has_the_words_of_its_own_lines() -> None:
    read = read_file("a/b.py", "python", SOURCE)
    words = {unit.symbol: of_unit for unit, of_unit in zip(read.units.units, read.words.units, strict=True)}
    lower = words["lower_matmul"]
    assert lower[Field.SYMBOL, "lower"] == 1
    assert lower[Field.CODE, "stick_layout"] == 1
    assert lower[Field.COMMENT, "matrix_product"] == 1
    assert (Field.CODE, "arena") not in lower
    release = words["Planner.release"]
    assert release[Field.SCOPE, "planner"] == 1
    assert release[Field.SYMBOL, "release"] == 1
    assert release[Field.CODE, "arena"] == 1
    assert read.words.around[Field.USES, "scheduler"] == 1
    assert all((Field.CODE, "scheduler") not in of_unit for of_unit in words.values())


def test_the_words_of_a_file_are_those_of_its_units_and_of_what_is_around() -> None:
    read = read_file("a/b.py", "python", SOURCE)
    whole = read.words.whole()
    for key in {key for words in read.words.units for key in words}:
        assert whole[key] == sum(words.get(key, 0) for words in read.words.units) + read.words.around.get(key, 0)


@settings(max_examples=60)
@given(st.binary(max_size=400), st.sampled_from(["python", "cpp", "tablegen", "mlir"]))
def test_any_bytes_have_words(data: bytes, language: str) -> None:
    read = read_file("x/y", language, data)
    assert isinstance(read.units, UnitMap)
    assert len(read.words.units) == len(read.units.units)


def test_a_name_without_end_is_cut() -> None:
    assert split("a" * 300) == ()
    assert len(split("ab_" * 100_000)) < 300
    read = read_file("x.py", "python", b"y = " + b"ab_" * 500_000 + b"\n")
    assert sum(read.words.units[0].values()) < 300
