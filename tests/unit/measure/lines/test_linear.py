"""Any bytes: one class for each physical line, no exception, and time that grows with the length alone."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.lines.base import Scanner, normalize, physical_lines
from leverage.measure.lines.dialects import DIALECTS
from leverage.measure.lines.javascript import JAVASCRIPT
from leverage.measure.lines.registry import SCANNERS

# Families share scanners: each is tried once. Dialects share one automaton and are tried together.
OWN = {family: scanner for family, scanner in SCANNERS.items() if family not in DIALECTS}
DISTINCT = list({id(scanner): scanner for scanner in OWN.values()}.values())
every_scanner = pytest.mark.parametrize("scanner", DISTINCT, ids=lambda scanner: scanner.name)

# What the scanners look for, so that random text is made of more than plain bytes.
WORDS = [
    *(bytes([byte]) for byte in b"\"'`/\\*#;@{}[]()$:,0x \t\n\r"),
    b"//", b"/*", b"*/", b'R"(', b')"', b'u8R"x(', b'r#"', b'"#', b'"""', b"1'0", b"'\\u{", b"\\\n", b"\\ \r\n",
    b"#if 0\n", b"#if 1\n", b"#else\n", b"#elif 0\n", b"#endif\n", b"#include <", b"[{", b"}]", b"description = [{",
    b"/*desc=*/", b"InterfaceMethod<", b"{{", b"}}", b"{%", b"%}", b"{#", b"#}", b"{% raw %}", b"{% endraw %}", b"${",
    b"// RUN: --check-prefix=A", b"CHECK:", b"A-NEXT:", b'{"cells":[', b'{"cell_type":"code","source":["', b'\\n"',
    b'"metadata":{"language_info":{"name":"c"}}', b"\xef\xbb\xbf", b"\xff", b"\0",
    b"'''", b'f"', b'f"{', b'}"', b"f'''{", b"x: ", b"lambda:", b"class A:", b"pass", b"<<A", b"<<-'A'", b"\nA\n",
    b"<<<", b"$(", b"$((", b"))", b"$'", b"case x in ", b"esac", b"do ", b"#[==[", b"]==]", b"[=[", b"]=]", b"- ",
    b"? ", b": |\n", b"|+2\n", b">-", b"--- ", b"...\n", b"&a ", b"!t ", b"\n  ", b"\n    ", b"RUN <<A", b"COPY ",
    b"# escape=`\n", b"```", b"```python\n", b"~~~~", b"<!--", b"-->", b"---\na: b\n", b".. code:: python\n\n",
    b".. x\n", b"::\n", b"..\n", b"|", b"&", b">", b"-",
]  # fmt: skip
# What opens and closes in dialects.
MARKS = [
    b'"', b"'", b"`", b'"""', b"'''", b"''", b'@"\n', b"/*", b"*/", b"//", b"(*", b"*)", b"{-", b"-}", b"#|", b"|#",
    b"--", b"--[[", b"]]", b"[=[", b"#=", b"=#", b"<#", b"#>", b"<!--", b"-->", b"{#", b"\n=begin\n", b"\n=end\n",
    b"\n=pod\n", b"\n=cut\n", b"\n%{\n", b"\n%}\n", b"REM ", b"' ", b"#", b" #", b";", b"%", b"!", b"\\", b"$", b"*",
    b" ", b"\n", b"x", b"<?php ", b"?>", b"<script>", b"</script>", b"<style>", b"</style>", b"<a b='", b"<%#", b"%>",
    b"<![CDATA[",
]  # fmt: skip
hostile_marks = st.lists(st.sampled_from(MARKS)).map(b"".join)
hostile = st.lists(st.sampled_from(WORDS)).map(b"".join) | st.binary()


@every_scanner
@given(hostile)
def test_any_bytes_have_one_class_for_each_line(scanner: Scanner, data: bytes) -> None:
    assert len(scanner.scan(data)) == physical_lines(data)


@every_scanner
@given(hostile)
def test_spans_ascend_within_the_text(scanner: Scanner, data: bytes) -> None:
    text = normalize(data)
    position = 0
    for start, end, _ in scanner.spans(text):
        assert position <= start < end <= len(text)
        position = end


@every_scanner
@given(hostile, st.data())
def test_every_line_is_explained_as_it_is_counted(scanner: Scanner, data: bytes, draw: st.DataObject) -> None:
    classes = scanner.scan(data)
    if classes:
        line = draw.draw(st.integers(1, len(classes)))
        assert scanner.explain(data, line).line_class == classes[line - 1]


SMALL = 8_000
UNITS = [
    *(word for word in WORDS if word not in {b"\r", b"\xff", b"\xef\xbb\xbf"}),
    b'"\\', b'"a\n', b"a'a'", b"\\\\\n", b"\\ ", b"/**/#if 0\n", b"/* */ \\\n", b"#if/*", b"#if 0/*", b"#if(",
    b"// A-A:", b"// A\n", b"`${", b"/[", b"a/[b", b'"/a[', b"{{a}}", b"{{ '", b"-COUNT-1", b' "', b" ##x", b'"a":"b",',
    b'{"cells":[{"source":["a"]}],', b'[{ "" }]', b'description="a"', b"x",
    b'x: f"{(";', b'f"{(" ', b'f"{x["', b'x: "a"\n', b'x: "a" "b";', b'"a" \\\n', b'"$(', b'"${x:-', b'"`',
    b"cat <<A <<B\n", b"$(case ", b"a: b\n c\n", b"a: |\n", b"- - ", b"k: [", b"```md\n", b"```python\n```\n",
    b".. a\n", b"<!--a\n", b"a::\n", b"RUN <<A\n", b"[=", b" ", b"\n",
]  # fmt: skip


def seconds(scanner: Scanner, data: bytes) -> float:
    start = perf_counter()
    classes = scanner.scan(data)
    elapsed = perf_counter() - start
    assert len(classes) == physical_lines(data)
    return elapsed


@every_scanner
def test_time_grows_with_the_length(scanner: Scanner) -> None:
    """Four times the length may take four times as long; sixteen times would be a square. Noise gets another try."""
    for unit in UNITS:
        tries = [growth(scanner, unit)]
        while tries[-1] > 10 and len(tries) < 4:
            tries.append(growth(scanner, unit))
        assert min(tries) <= 10, unit


def growth(scanner: Scanner, unit: bytes) -> float:
    small = max(0.005, seconds(scanner, unit * (SMALL // len(unit))))
    return seconds(scanner, unit * (4 * SMALL // len(unit))) / small


def test_slashes_that_never_close_a_regular_expression() -> None:
    """Each of them must not look for the end of the line again: at this length a search takes longer than the rest."""
    small, large = b"/[" * 200_000, b"/[" * 800_000
    assert min(seconds(JAVASCRIPT, large) / seconds(JAVASCRIPT, small) for _ in range(3)) < 9


@every_scanner
def test_a_long_single_line(scanner: Scanner) -> None:
    assert len(scanner.scan(b"x = (y) + 1; " * 100_000)) == 1


every_dialect = pytest.mark.parametrize("family", DIALECTS)


@settings(max_examples=1_000)
@given(st.sampled_from([*DIALECTS, "html"]), hostile_marks | hostile, st.data())
def test_dialects_take_any_bytes(family: str, data: bytes, draw: st.DataObject) -> None:
    scanner = SCANNERS[family]
    classes = scanner.scan(data)
    assert len(classes) == physical_lines(data)
    position = 0
    text = normalize(data)
    for start, end, _ in scanner.spans(text):
        assert position <= start < end <= len(text)
        position = end
    if classes:
        line = draw.draw(st.integers(1, len(classes)))
        assert scanner.explain(data, line).line_class == classes[line - 1]


@every_dialect
def test_time_of_dialects_grows_with_the_length(family: str) -> None:
    for unit in MARKS:
        tries = [growth(SCANNERS[family], unit)]
        while tries[-1] > 10 and len(tries) < 4:
            tries.append(growth(SCANNERS[family], unit))
        assert min(tries) <= 10, unit
