from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.languages import Language, languages
from leverage.measure.lines.base import physical_lines
from leverage.measure.scan import nonblank_lines
from leverage.measure.witness import LIMIT, from_witness, second_count
from leverage.model.files import WitnessCounts
from leverage.model.lines import LineCounts

TABLE = languages()
ASKED = [language for language in TABLE.values() if language.pygount]


def count(id_: str, data: bytes) -> WitnessCounts:
    found = second_count(data, TABLE[id_])
    assert found is not None
    return found


def test_its_four_classes_on_python() -> None:
    data = b'\n\n"""Doc\n\nmore."""\n# c\nx = [\n    "text",\n]\npass\n\n\n'
    assert count("python", data) == WitnessCounts(code=1, documentation=4, empty=6, string=1)


def test_cmake_is_counted_as_cmake_whatever_its_head() -> None:
    assert count("cmake", b"add_library(x y.cpp)\n# c\n") == WitnessCounts(code=1, documentation=1, empty=0, string=0)


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\n\t", b"\r\r\n"])
def test_texts_without_ink(data: bytes) -> None:
    assert count("python", data) == WitnessCounts(0, 0, physical_lines(data), 0)


def test_bytes_that_are_no_utf8_are_counted() -> None:
    assert count("cpp", b"int x; // Gr\xfc\xdfe\n\xff\n").code == 2
    assert count("python", b"# coding: no-such-coding\nx = 1\n").code == 1


def test_who_is_not_asked() -> None:
    assert second_count(b"func.func\n", TABLE["mlir"]) is None
    assert second_count(b"x = 1\n" + b"#" * LIMIT, TABLE["python"]) is None


def test_classes_of_a_language_that_only_pygount_counts() -> None:
    ruby = TABLE["ruby"]
    data = b"# c\n\ndef f\n  [\n    1,\n  ]\nend\n\n"
    witness = count("ruby", data)
    assert from_witness(witness, nonblank_lines(data), ruby) == LineCounts(code=3, bracket=2, comment=1, blank=2)


def test_comments_of_markup_are_documentation() -> None:
    tex = from_witness(WitnessCounts(1, 2, 3, 0), 4, TABLE["tex"])
    assert tex == LineCounts(code=1, bracket=1, documentation=2, blank=2)


@pytest.mark.parametrize("language", ASKED, ids=lambda language: language.id)
def test_the_lexer_does_not_depend_on_the_text(language: Language) -> None:
    from pygount.analysis import guess_lexer  # noqa: PLC0415

    texts = (
        "x\n",
        "<?php <% {{ @interface {% #import <!DOCTYPE html>\n",
        ":- a.\n%{\nBEGIN GO\nclass X {}\n",
        "#!/usr/bin/perl\n",
    )
    lexers = {guess_lexer(language.pygount, text).name for text in texts}
    # PHP is a template language: Pygments has a second lexer for pages that begin with mark-up.
    assert len(lexers - {"HTML+PHP"}) == 1


@settings(max_examples=150)
@given(st.sampled_from(ASKED), st.binary(max_size=80) | st.text(max_size=60).map(str.encode))
def test_any_text_adds_up_in_any_language(language: Language, data: bytes) -> None:
    witness = second_count(data, language)
    assert witness is not None
    physical = physical_lines(data)
    assert witness.code + witness.documentation + witness.string + witness.empty == physical
    assert min(witness.code, witness.documentation, witness.string, witness.empty) >= 0
    assert from_witness(witness, nonblank_lines(data), language).physical == physical
