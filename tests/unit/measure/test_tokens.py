from __future__ import annotations

import io
import sys
import time
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.languages import Kind, languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.tokens import count_tokens

OUTSIDE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
F_STRING_STARTS = {getattr(tokenize, f"{letter}STRING_START", -1) for letter in "FT"}
F_STRING_ENDS = {getattr(tokenize, f"{letter}STRING_END", -1) for letter in "FT"}
HEADERS = {"class", "def", "async", "if", "elif", "else", "for", "while", "try", "except", "finally", "with"}


def by_cpython(data: bytes) -> int:
    """CPython's tokens without line structure, with an f-string as one, without statements of strings only."""
    total = depth = lambdas = f_strings = 0
    statement: list[int] = []
    first = ""

    def flush() -> int:
        only_text = all(kind == tokenize.STRING for kind in statement)
        count = 0 if only_text else len(statement)
        statement.clear()
        return count

    for token in tokenize.tokenize(io.BytesIO(data).readline):
        kind, text = token.type, token.string
        f_strings += (kind in F_STRING_STARTS) - (kind in F_STRING_ENDS)
        if f_strings:
            continue
        kind = tokenize.STRING if kind in F_STRING_ENDS else kind
        if kind in (tokenize.NEWLINE, tokenize.ENDMARKER):
            total += flush()
            depth = lambdas = 0
            first = ""
        elif kind not in OUTSIDE:
            first = first or text
            lambdas += text == "lambda"
            depth += (kind == tokenize.OP) * ((text in "([{") - (text in ")]}"))
            if kind == tokenize.OP and not depth and text == ";":
                total += flush() + 1
                first = ""
                continue
            statement.append(kind)
            if kind == tokenize.OP and not depth and text == ":":
                if lambdas:
                    lambdas -= 1
                elif first in HEADERS:
                    total += flush()
                    first = ""
    return total + flush()


def test_python_sources_as_cpython_counts_them() -> None:
    """The standard library's well-kept packages and this repository, exactly."""
    library = Path(tokenize.__file__).parent
    packages = ("asyncio", "collections", "concurrent", "email", "html", "http", "json", "logging", "unittest")
    paths = [path for name in packages for path in sorted((library / name).rglob("*.py"))]
    paths += sorted(library.glob("[a-m]*.py"))
    paths += sorted(Path(__file__).parents[3].glob("leverage/**/*.py"))
    assert len(paths) > 250
    judged = {path: by_cpython(path.read_bytes()) for path in paths}
    assert {path: count_tokens("python", path.read_bytes()) for path in paths} == judged
    assert sum(judged.values()) > 500_000


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        # x = f(1, 'a')   ->   x = f ( 1 , 'a' )
        ("python", "x = f(1, 'a')  # c\n", 8),
        ("python", '"""Doc."""\n\nx = 1\n', 3),
        ("python", "#!/usr/bin/python\nx = 1\n", 3),
        ("python", "def f():\n    'doc'\n    pass\n", 6),
        ("python", "x **= 0x_1f + 1e-5j\\\n    // .5\n", 7),
        ("python", "f'{a + b} c' 'd'\nx\n", 1),
        ("python", "g(f'{a + b} c' 'd')\n", 5),
        ("python", "a if b else(c)\nx: int = ...\n", 12),
        ("starlark", "a(b = 1)\n", 6),
        # int main ( ) { return 0 ; }
        ("cpp", "int main() { return 0; } // c\n", 9),
        ("cpp", '/* a\n b */ x += u8R"d(a ) " b)d"_s;\n', 4),
        ("cpp", '#include <a/b.h>\n#include "a.h"\n', 12),
        ("cpp", "#define F(x) \\\n  x##y\n", 9),
        ("cpp", "int na\\\nme = a \\\n + b;\n", 7),
        ("cpp", "a<b<c>> d = 1'000ULL + 'x' + 1.e+5f;\n", 14),
        ("cpp", "#if 0\nint dead;\n#endif\nint x;\n", 8),
        ("cpp", "a->*b<=>c::d...;\n", 9),
        ("cuda", "k<<<1, 2>>>(a);\n", 10),
        # def A : B < "x" > { code of three tokens in its brackets }
        ("tablegen", 'def A : B<"x"> { let c = [{ f(); }]; }\n', 21),
        ("tablegen", "defvar x = !add($a, 1); // c\n", 10),
        ("mlir", '%0 = arith.addf %arg0, %1 : f32 loc("x")\n', 12),
        ("mlir", "// CHECK: x\n#map = affine_map<(d0) -> (d0)>\n", 12),
        ("llvm", "%1 = add i32 %0, 5 ; c\n", 7),
        ("shell", '#!/bin/sh\nls -la "$x" | grep --foo=bar >/tmp/a && echo a # c\n', 11),
        ("cmake", "add_library(foo STATIC a.cpp ${B}) # c\n", 10),
        ("make", "all: a b # c\n\tgcc -o $@\n", 6),
        ("rust", "fn f<'a>(x: &'a str) -> u8 { b'c' } // c\n", 20),
        ("go", "x := a &^ b\n", 6),
        ("javascript", "x === y ?? `a${b}` // c\n", 5),
    ],
)  # fmt: skip
def test_tokens_by_hand(language: str, text: str, tokens: int) -> None:
    assert count_tokens(language, text.encode()) == tokens


def test_where_tokens_are_not_defined() -> None:
    for language in ("markdown", "json", "yaml", "html", "notebook", "text", "", "no such language"):
        assert count_tokens(language, b"a b c\n") is None
    defined = [one for one in languages().values() if one.kind in (Kind.PROGRAMMING, Kind.BUILD)]
    undefined = {one.id for one in defined if count_tokens(one.id, b"a\n") is None}
    assert undefined == {"notebook", "php"} | {one.id for one in defined if one.family not in SCANNERS}


@pytest.mark.parametrize("language", ["python", "cpp", "tablegen", "mlir", "shell", "rust", "lua"])
def test_nothing_has_no_tokens(language: str) -> None:
    assert count_tokens(language, b"") == 0
    assert count_tokens(language, b" \t\r\n\f\n") == 0


@settings(max_examples=300)
@given(st.sampled_from(sorted(languages())), st.binary(max_size=120), st.binary(max_size=40))
def test_any_bytes_have_a_number_of_tokens(language: str, data: bytes, more: bytes) -> None:
    count = count_tokens(language, data)
    if count is None:
        assert count_tokens(language, more) is None
        return
    assert 0 <= count <= len(data) + 1
    assert count_tokens(language, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) == count


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["x = 1", "f(a, 'b')  # c", "'doc'", "", "if a: pass", "y = '''\n'''"]), max_size=8))
def test_tokens_of_lines_add_up(lines: list[str]) -> None:
    whole = count_tokens("python", "".join(f"{line}\n" for line in lines).encode())
    assert whole == sum(count_tokens("python", f"{line}\n".encode()) or 0 for line in lines)


@pytest.mark.parametrize("piece", [b"\\", b"'", b'"', b"/*", b"\\\n", b"1'", b"\0", b"0x_", b"1e+", b"[{", b"<", b"a"])
@pytest.mark.parametrize("language", ["python", "cpp", "tablegen", "mlir", "shell", "rust"])
def test_time_grows_with_the_size(language: str, piece: bytes) -> None:
    start = time.process_time()
    assert count_tokens(language, piece * 200_000) is not None
    assert time.process_time() - start < 5


def test_python_versions_agree_on_what_this_one_can_tokenise() -> None:
    if sys.version_info < (3, 12):
        assert by_cpython(b"x = f'{a}'\n") == 3
    assert count_tokens("python", b"x = f'{a['b']}'\n") == 3
