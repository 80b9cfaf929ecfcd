from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines import plain
from leverage.model.lines import LineCounts

if TYPE_CHECKING:
    from leverage.measure.lines.base import Scanner


@pytest.mark.parametrize(
    ("scanner", "text", "expected"),
    [
        (plain.TEXT, b"Some words.\n\n# not a comment\n", LineCounts(documentation=2, blank=1)),
        (plain.DATA, b'{\n  "a": 1\n\n}\n', LineCounts(code=1, bracket=2, blank=1)),
        (plain.XML, b"<a>\n<!-- one\n\ntwo --> <b/>\n<!-- three -->\n</a>\n", LineCounts(code=3, comment=2, blank=1)),
        (plain.XML, b"<![CDATA[\n<!-- no comment -->\n]]>\n<!-- never closed\n", LineCounts(code=3, comment=1)),
        (plain.TEX, b"% c\nx % c\n50\\% of it\n\\\\% c\n\n", LineCounts(code=2, bracket=1, comment=1, blank=1)),
    ],
)
def test_classes(scanner: Scanner, text: bytes, expected: LineCounts) -> None:
    assert LineCounts.of(scanner.scan(text)) == expected


@pytest.mark.parametrize("scanner", [plain.TEXT, plain.DATA, plain.XML, plain.TEX], ids=lambda scanner: scanner.name)
@pytest.mark.parametrize("text", [b"<!--" * 10**6, b"<![CDATA[" * 10**5 + b"<!--" * 10**5, b"\\" * 10**6, b"%" * 10**6])
def test_hostile_text_takes_linear_time(scanner: Scanner, text: bytes) -> None:
    started = time.process_time()
    assert sum(1 for _ in scanner.scan(text)) == 1
    assert time.process_time() - started < 5
