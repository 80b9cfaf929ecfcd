"""Java, Go, Rust, JavaScript, assembly, TableGen, MLIR and LLVM IR: what is theirs beyond comments and quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines.asm import ASM
from leverage.measure.lines.c_like import FLATBUFFERS, GO, JAVA, PROTOBUF
from leverage.measure.lines.javascript import JAVASCRIPT
from leverage.measure.lines.mlir import LLVM, MLIR
from leverage.measure.lines.rust import RUST
from leverage.measure.lines.tablegen import TABLEGEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

CASES: dict[str, tuple[Scanner, str]] = {
    "rust comments nest": (
        RUST,
        """
#|/* a /* b */ still
#|*/
c|x /* /*/ */ */
#|/*/ not closed /* */ */
c|y
""",
    ),
    "rust apostrophes": (
        RUST,
        r"""
c|fn f<'a, 'b: 'a>(x: &'a str) { 'outer: loop { break 'outer; } }
c|let q = '"'; let e = '\''; let b = b'\\'; let u = '\u{22}'; let x = '\x22';
c|let w = 'é'; let y = '本'; // "
#|// closed
""",
    ),
    "rust raw strings": (
        RUST,
        r'''
c|let a = r"\"; let b = br#"""#; let c = cr##" "# "##;
c|let d = for_r"text \" // no raw string";
c|let e = r#fn; let f = "a
s|  \" // b
S|
s|";
c|let g = r#"
s|unclosed
''',
    ),
    "rust's first line": (RUST, "h|#!/usr/bin/env run\nc|x"),
    "rust's inner attribute": (RUST, "c|#![allow(x)]\nc|x"),
    "go": (
        GO,
        r"""
c|a := `\` + "\"" // "
c|b := 'a'; c := `
s|// no comment
S|
s|`
c|d := "unclosed
#|// the line ended it
""",
    ),
    "java text blocks": (
        JAVA,
        '''
c|String a = """
s|  "" \\""" //
S|
s|  """;
c|String b = "" + "\\"" + '"'; /*
#|"""*/
c|x
''',
    ),
    "protobuf and flatbuffers quote both ways": (PROTOBUF, "c|a = '//\"';\n#|// b\nc|a = \"/*'\";\nb|}"),
    "flatbuffers documentation is comment": (FLATBUFFERS, '#|/// a\nc|attribute "//b";\nc|x'),
    "javascript templates": (
        JAVASCRIPT,
        r"""
c|a = `x ${ `y ${ "}" } z` } \` ${'`'} \${ // text
s|  ${ /* } */ b.replace(/`/g, "") } { } $ {
S|
s|`; // a comment
s|`alone`,
c|f(`${}`) // closed
#|// a comment
c|c = `unclosed ${
s|// x
""",
    ),
    "javascript regular expressions": (
        JAVASCRIPT,
        r"""
c|a = b / c; d = (e) / f; g = h[0] / 2; i++ / 2 // "
c|x = /"/; y = [/'/, /[/"]/]; z = /\/"/g
c|if (/`/.test(s)) return /"/
c|k = a / /* between */ b / "x"
c|l = /unclosed "
#|// it was a division
c|n = _return / 2 // "
""",
    ),
    "javascript strings go on": (JAVASCRIPT, 'c|a = "b \\\ns|// c"\nc|d = \'e\n#|// f\n'),
    "assembly": (
        ASM,
        """
#|# a
#|  ; b
#|@ c
#|// d
!|# CHECK: e
!|; RUN: f
c|#include "g.h" /*
#|*/
c|# define H "
#|# if the value is odd, say so
c|mov r0, #4 ; it's "i /*
c|.type j, @function
c|@P0 BRA k
c|.ascii "# /*"
c|cmp al, '"'
c|nop /* l
.|
#|*/
c|mov x, #'a'
""",
    ),
    "tablegen descriptions": (
        TABLEGEN,
        """
c|let description = [{
1|  // not a comment
D|
2|  }
b|}];
b|[{
c|  int x;
b|}]
c|string documentation = [{ one line }];
c|let summary = "a"
d|  "b"
c|  # [{ c
d|  d }] ; // end
c|let name = "a"
s|  "b";
c|code description =
d|  [{ text
d|  }} text
b|  }];
c|let description = [{
d|  unclosed
""",
    ),
    "tablegen labels and interface methods": (
        TABLEGEN,
        """
c|InterfaceMethod<[{
d|  text
b|}],
d|/*desc=*/[{ text }],
d|/*description*/ "text",
c|"type", "name", (ins),
b|/*methodBody=*/ [{
c|  return x;
#|  // comment
.|
s|  "literal"
b|}]
c|def X : StaticInterfaceMethod<
d|  "text",
b|  [{
c|  code
c|}]>;
c|let descriptions = [{ int x;
c|  int y; }];
""",
    ),
    "tablegen comments nest, quotes end with the line": (
        TABLEGEN,
        """
#|/* a /* b */
#|*/
c|x = "/* unclosed
#|// comment
c|#ifdef X // why
c|#endif
c|y = z#[{ // w
c| /* u }] still TableGen
c|v
""",
    ),
    "mlir directives": (
        MLIR,
        """
!|// RUN: a | FileCheck --check-prefix=ONE
!|//RUN: b -check-prefixes TWO,THREE-X
!|// CHECK: a
!|// CHECK-NEXT: a
!|// CHECK-COUNT-3: a
!|// CHECK-DAG{LITERAL}: a
!|// CHECK-CUSTOM: a
!|// text before ONE: is found too
!|// ONE-NEXT: a
!|// THREE-X-NOT: a
!|// REQUIRES: a
!|// -----
!|// expected-error @below {{a}}
!|// expected-warning-re@+1 {{a}}
!|// END.
#|// FOUR: a
#|// XONE: a
#|// CHECK a
#|// COM: CHECK: a
#|// ------ a ruler
#|// unexpected-errors
#|// RUNS: a
c|a "// \\" // b" // CHECK: c
s|"a",
b|}) {
""",
    ),
    "llvm": (
        LLVM,
        r"""
!|; RUN: opt -check-prefix=A
!|; A-SAME: b
#|; comment
c|@a = c"\22;\5C\" ; comment "
#|/* a
#|*/
c|module asm "b
s|; c
s|"
""",
    ),
}


@pytest.mark.parametrize(("scanner", "case"), CASES.values(), ids=CASES)
def test_lines(assert_lines: Callable[[Scanner, str], None], scanner: Scanner, case: str) -> None:
    assert_lines(scanner, case)
