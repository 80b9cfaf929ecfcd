from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines.base import (
    COMMENT,
    PRECEDENCE,
    PROSE,
    STRING,
    WHITE,
    Rule,
    Scanner,
    Span,
    normalize,
    physical_lines,
    shifted,
)
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_END = re.compile(rb"\r\n|\r|\n")


def scanner(*spans: Span) -> Scanner:
    return Scanner("fixed", lambda _text: spans)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", 0),
        (b"a", 1),
        (b"\n", 1),
        (b"\r", 1),
        (b"\r\n", 1),
        (b"\n\r", 2),
        (b"\r\r\n", 2),
        (b"a\rb\r\nc\nd", 4),
        (b"\xef\xbb\xbf", 1),
        (b"a\x0cb\x0bc\x85d\xe2\x80\xa8e", 1),
    ],
)
def test_lines_end_at_lf_crlf_and_lone_cr_only(data: bytes, lines: int) -> None:
    assert physical_lines(data) == lines
    assert len(scanner().scan(data)) == lines


@given(st.binary() | st.text("\r\n a").map(str.encode))
def test_one_class_for_each_physical_line(data: bytes) -> None:
    ends = len(LINE_END.findall(data))
    tail = LINE_END.split(data)[-1]
    assert physical_lines(data) == ends + bool(tail)
    assert len(scanner().scan(data)) == physical_lines(data)


@given(st.binary())
def test_normalized_text_has_lf_ends_only(data: bytes) -> None:
    text = normalize(data)
    assert b"\r" not in text
    assert text.count(b"\n") == physical_lines(data)
    assert not text or text.endswith(b"\n")


def test_gaps_are_code_brackets_or_white_space() -> None:
    assert scanner().scan(b"x = 1\n  )]},;:\\\n \t\f\v\n") == bytes(
        [LineClass.CODE, LineClass.BRACKET, LineClass.BLANK]
    )


@pytest.mark.parametrize("strong", range(len(PRECEDENCE)))
def test_the_stronger_class_wins_on_a_line_from_either_side(strong: int) -> None:
    for weak in PRECEDENCE[strong + 1 :]:
        first = Rule("first", PRECEDENCE[strong], "")
        second = Rule("second", weak, "")
        assert scanner((0, 1, first), (2, 3, second)).scan(b"a b") == bytes([PRECEDENCE[strong]])
        assert scanner((0, 1, second), (2, 3, first)).scan(b"a b") == bytes([PRECEDENCE[strong]])


def test_blank_lines_take_the_class_of_the_span_around_them() -> None:
    text = b'f("""\n\n x\n \n""")\n\n'
    expected = [LineClass.CODE, LineClass.BLANK_IN_STRING, LineClass.STRING, LineClass.BLANK_IN_STRING]
    assert scanner((2, 15, STRING)).scan(text) == bytes([*expected, LineClass.STRING, LineClass.BLANK])


def test_blank_lines_in_comments_and_prose_are_plain() -> None:
    for rule in (COMMENT, PROSE):
        assert scanner((0, 4, rule)).scan(b"a\n\nb\n") == bytes([rule.line_class, LineClass.BLANK, rule.line_class])


def test_a_white_span_hides_what_it_covers() -> None:
    assert scanner((0, 1, WHITE)).scan(b"a\nb") == bytes([LineClass.BLANK, LineClass.CODE])


@given(st.text("ab \n(),", max_size=60).map(str.encode), st.data())
def test_the_explanation_agrees_with_the_count(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.sets(st.integers(0, len(data)), max_size=6)))
    rules = [STRING, COMMENT, PROSE, Rule("doc", LineClass.DOCUMENTATION, "", LineClass.BLANK_IN_DOCUMENTATION)]
    spans = [(a, b, draw.draw(st.sampled_from(rules))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    fixed = scanner(*spans)
    classes = fixed.scan(data)
    for number, value in enumerate(classes, start=1):
        answer = fixed.explain(data, number)
        assert answer.line_class == value
        line = data.split(b"\n")[number - 1]
        assert line[answer.column : answer.column + len(answer.token)] == answer.token
        assert bool(answer.token) == (answer.line_class in PRECEDENCE)


def test_explanation_names_the_token_its_place_and_the_rule() -> None:
    answer = scanner((3, 8, COMMENT)).explain(b"\r\n  # x \r\n", 2)
    assert (answer.line, answer.line_class, answer.token, answer.column) == (2, LineClass.COMMENT, b"# x", 2)
    assert (answer.rule, answer.reason) == (COMMENT.name, COMMENT.reason)


@pytest.mark.parametrize("line", [-1, 0, 3])
def test_no_explanation_for_a_line_that_is_not_there(line: int) -> None:
    with pytest.raises(IndexError, match="of 2"):
        scanner().explain(b"a\nb", line)


def test_shifted_moves_embedded_spans() -> None:
    def inner() -> Iterator[Span]:
        yield 0, 2, COMMENT

    assert list(shifted(inner(), 5)) == [(5, 7, COMMENT)]
