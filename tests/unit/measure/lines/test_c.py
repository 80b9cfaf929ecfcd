from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines.base import normalize
from leverage.measure.lines.c import C, Splices
from leverage.model.lines import LineClass, LineCounts

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    Check = Callable[[Scanner, str], None]

MARKED = Path(__file__).parents[3] / "fixtures" / "marked" / "c.txt"  # == title, then lines: class, bar, text
CASES = dict(part.split("\n", 1) for part in MARKED.read_text().split("== ")[1:])


def text_of(case: str) -> bytes:
    return "".join(f"{line[2:]}\n" for line in case.splitlines()).encode()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_lines(assert_lines: Check, case: str) -> None:
    assert_lines(C, case)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_other_line_ends_change_nothing(case: str, end: bytes) -> None:
    text = text_of(case)
    assert C.scan(text.replace(b"\n", end)) == C.scan(text)


def test_byte_order_mark_hides_no_directive() -> None:
    assert list(C.scan(b"\xef\xbb\xbf#if 0\nx\n#endif\n")) == [LineClass.CODE, LineClass.INACTIVE, LineClass.CODE]


@given(st.lists(st.sampled_from([b"a", b"b\n", b"\\\n", b"\\ \t\n", b"\\", b"\n"])).map(b"".join))
def test_splices_keep_positions(text: bytes) -> None:
    joined = Splices(text)
    for position, byte in enumerate(joined.text):
        assert text[joined.physical(position)] == byte
    positions = [joined.physical(position) for position in range(len(joined.text))]
    assert positions == sorted(set(positions))
    assert bool(joined) == (joined.text != text)


COMPLETE = [
    b"int x; // c\n",
    b"// c \\\nd\n\n",
    b"/* a\n\n b */\n",
    b'auto s = R"x(\n\n)x";\n',
    b"#if 0\na\n// b\n#endif\n",
    b"}\n\n",
    b"char c = '\\'';\n",
    b"auto n = 1'0;\n",
    b"#error don't\n",
    b'f("a"\n  "b");\n',
]


@given(st.lists(st.sampled_from(COMPLETE)))
def test_counts_of_complete_pieces_add(pieces: list[bytes]) -> None:
    whole = LineCounts.of(C.scan(b"".join(pieces)))
    assert whole == sum((LineCounts.of(C.scan(piece)) for piece in pieces), LineCounts())


def test_explanations_name_the_token() -> None:
    text = b'#if 0\nx // c\n#endif\nauto s = R"(a\nb)";\n/* c\n*/\n'
    assert [(e.rule, e.token) for e in (C.explain(text, line) for line in range(1, 8))] == [
        ("conditional", b"#if"),
        ("inactive", b"x"),
        ("conditional", b"#endif"),
        ("code", b"auto"),
        ("raw_string", b'b)"'),
        ("comment", b"/* c"),
        ("comment", b"*/"),
    ]


def test_spans_ascend_and_do_not_overlap() -> None:
    for case in CASES.values():
        text = normalize(text_of(case))
        position = 0
        for start, end, _ in C.spans(text):
            assert position <= start < end <= len(text)
            position = end
