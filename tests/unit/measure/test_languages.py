from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.content import language_of
from leverage.measure.languages import Choice, Context, Kind, by_alias, by_path, languages
from leverage.measure.lines.registry import SCANNERS
from leverage.model.files import EntryKind, SourceFile

EMPTY = Context()


def context(*paths: str) -> Context:
    return Context.of(SourceFile(path, "", 1) for path in paths)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a/b.pyi", "python"),
        ("test/lit.cfg", "python"),
        ("test/lit.local.cfg", "python"),
        ("test/lit.site.cfg.py.in", "python"),
        ("CMakeLists.txt", "cmake"),
        ("cmake/Config.cmake.in", "cmake"),
        ("lib/Op.cpp", "cpp"),
        ("lib/Op.CPP", "cpp"),
        ("lib/Op.cpp.in", "cpp"),
        ("lib/Op.C", "cpp"),
        ("lib/op.c", "c"),
        ("include/Version.h.in", "c"),
        ("lib/Kernel.cu", "cuda"),
        ("lib/Kernel.cuh", "cuda"),
        ("lib/kernel.hip", "hip"),
        ("lib/kernel.mu", "musa"),
        ("lib/kernel.muh", "musa"),
        ("lib/kernel.cl", "opencl"),
        ("start.S", "asm"),
        ("start.s", "asm"),
        ("Ops.td", "tablegen"),
        ("Ops.td.inc", "tablegen"),
        ("Builder.hpp.inc", "cpp"),
        ("a.mlir", "mlir"),
        ("a.ttir", "mlir"),
        ("a.ll", "llvm"),
        ("BUILD", "starlark"),
        ("WORKSPACE", "starlark"),
        ("MODULE.bazel", "starlark"),
        ("x/BUILD.bazel", "starlark"),
        ("defs.bzl", "starlark"),
        ("Dockerfile", "dockerfile"),
        ("docker/Dockerfile.x86_64", "dockerfile"),
        ("almalinux.Dockerfile", "dockerfile"),
        ("Makefile", "make"),
        ("config.mk", "make"),
        ("kernel.cpp.j2", "jinja-cpp"),
        ("kernel.h.jinja", "jinja-cpp"),
        ("kernel.py.jinja2", "jinja-python"),
        ("values.yaml.j2", "jinja"),
        ("kernel.jinja2", "jinja"),
        ("schema.fbs", "flatbuffers"),
        (".clang-format", "yaml"),
        (".github/workflows/a.yml", "yaml"),
        ("uv.lock", "toml"),
        ("requirements.txt", "pip-requirements"),
        ("requirements/build.txt", "pip-requirements"),
        ("notes/build.txt", "text"),
        ("README", "text"),
        ("LICENSE.apache", "text"),
        (".github/CODEOWNERS", "ignore-list"),
        ("nginx.local.conf", "nginx"),
        ("a.svg", "svg"),
    ],
)
def test_names_decide(path: str, language: str) -> None:
    data = b"__kernel void f() {}\n" if path.endswith(".cl") else b"int x;\n"
    found = language_of(path, data, EMPTY)
    assert found.language == language
    assert found.rule


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/env -S python3 -u\n", "python"),
        (b"#!/usr/bin/env -S PYTHONPATH=. FOO=1 python3.11\n", "python"),
        (b"#!/bin/bash -e\n", "shell"),
        (b"#! /bin/sh\n", "shell"),
        (b"#!/usr/bin/make -f\n", "make"),
        (b"#!/usr/local/bin/node\n", "javascript"),
        (b"#!\n", ""),
        (b"#!/usr/bin/env\n", ""),
        (b"#!/opt/private/tool\n", ""),
        (b'<?xml version="1.0"?>\n', "xml"),
        (b"some words\n", ""),
    ],
)
def test_a_file_without_a_telling_name_is_decided_by_its_head(head: bytes, language: str) -> None:
    assert language_of("bin/run", head, EMPTY).language == language


def test_header_follows_the_source_of_its_stem_then_its_folder() -> None:
    around = context("a/x.c", "a/y.cpp", "b/z.c")
    assert language_of("a/x.h", b"", around) == Choice("c", "sources beside it: c")
    assert language_of("a/y.h", b"", around).language == "cpp"
    assert language_of("b/other.h", b"namespace n {}\n", around).language == "c"


def test_header_with_mixed_neighbours_is_decided_by_content_then_by_the_majority() -> None:
    around = context("a/x.c", "a/y.cpp", "b/1.cpp", "b/2.cpp")
    assert language_of("a/n.h", b"namespace n {\n}\n", around) == Choice("cpp", "content: C++ syntax")
    assert language_of("a/n.h", b"@interface A\n@end\n", around).language == "objc"
    assert language_of("a/n.h", b"int f(void);\n", around) == Choice("cpp", "most sources of the snapshot: cpp")
    assert language_of("a/n.h", b"int f(void);\n", EMPTY).language == "c"


def test_a_mode_line_beats_the_neighbours() -> None:
    line = b"//===- Foo.h - Thing ----------*- C++ -*-===//\n"
    assert language_of("a/Foo.h", line, context("a/x.c")) == Choice("cpp", "editor mode line")


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.inc", b"// x\nCASE(Add)\nCASE(Sub)\n", "cpp"),
        ("a.inc", b'def AddOp : Op<"add"> {\n  let summary = "x";\n}\n', "tablegen"),
        ("a.inc", b"<?php echo 1;\n", "php"),
        ("a.inc", b"SRCS := a.c\nall: $(SRCS)\n", "make"),
        ("a.def", b"#ifndef PASS\n#define PASS(x)\n#endif\nPASS(DCE)\n", "cpp"),
        ("a.def", b"; exports\nEXPORTS\n  f @1\n", "module-definition"),
        ("a.m", b"#import <Foundation/Foundation.h>\n", "objc"),
        ("a.m", b"% comment\nfunction y = f(x)\nend\n", "matlab"),
        ("a.ts", b"<?xml version='1.0'?>\n<TS></TS>\n", "xml"),
        ("a.ts", b"export const a = 1;\n", "typescript"),
        ("a.pl", b"use strict;\nmy $x = 1;\n", "perl"),
        ("a.pl", b"parent(a, b) :- child(b, a).\n", "prolog"),
        ("a.cl", b"(defun f (x) x)\n", "lisp"),
    ],
)
def test_doubtful_suffixes_are_decided_by_content(path: str, text: bytes, language: str) -> None:
    assert language_of(path, text, context("lib/x.cpp")).language == language


def test_suffixes_without_end_are_not_followed() -> None:
    for suffix in (".in", ".j2", ".in.j2", ".inc", ".h.in"):
        assert by_path("x.cpp" + suffix * 2_000, EMPTY).key


def test_links_are_no_evidence() -> None:
    entries = [SourceFile("a/x.c", "", 1, EntryKind.SYMLINK), SourceFile("a/y.cpp", "", 1)]
    assert Context.of(entries).majority == "cpp"


def test_every_language_has_a_counter() -> None:
    without = [entry.id for entry in languages().values() if entry.family not in SCANNERS and not entry.pygount]
    assert without == []


def test_compiler_languages_are_programming_languages() -> None:
    assert {entry.kind for entry in languages().values() if entry.compiler} == {Kind.PROGRAMMING}
    names = {entry.id for entry in languages().values() if entry.group == "cpp"}
    assert {"c", "cpp", "cuda", "hip", "musa", "objc"} <= names


def test_names_that_people_write_are_understood() -> None:
    assert by_alias("C++") == "cpp"
    assert by_alias("Protocol Buffers") == "protobuf"
    assert by_alias("no such language") == ""


@given(st.text(max_size=40), st.binary(max_size=200))
def test_any_path_and_any_bytes_have_an_answer(path: str, data: bytes) -> None:
    found = language_of(path, data, EMPTY)
    assert found.language == "" or found.language in languages()
    assert found.rule
    assert by_path(path, EMPTY).key


@pytest.mark.parametrize(
    ("path", "data", "language"),
    [
        ("a.d", b"module a.b;\n", "d"),
        ("a.d", b"import std.stdio;\nvoid main() {}\n", "d"),
        ("obj/a.d", b"a.o: a.c \\\n  a.h\n", ""),
        ("a.pp", b"program Hello;\nbegin\nend.\n", "pascal"),
        ("a.pp", b"class a { file { '/b': } }\n", "puppet"),
        ("a.v", b"Require Import List.\nProof. Qed.\n", "rocq"),
        ("a.v", b"module a(input b);\nendmodule\n", "verilog"),
        ("a.mod", b"IMPLEMENTATION MODULE A;\n", "modula"),
        ("go.mod", b"module example.org/a\n\ngo 1.22\n", ""),
        ("a.def", b"DEFINITION MODULE A;\n", "modula"),
        ("a.m", b"(* a *)\nf[x_] := x\n", "mathematica"),
        ("a.m", b"% a\nfunction b()\nend\n", "matlab"),
    ],
)
def test_content_decides_between_strangers_of_one_suffix(path: str, data: bytes, language: str) -> None:
    assert language_of(path, data, EMPTY).language == language
