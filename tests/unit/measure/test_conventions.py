from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.conventions import CONVENTIONS, Part, Projected, code_lines
from leverage.measure.explain import explain_line
from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.model.lines import LineClass, LineCounts

# Distinct powers of two: a sum says which classes went into it.
EACH = LineCounts(*(2**n for n in range(16)))
CODE, PLAIN_STRING, BRACKET, PLAIN_DOC, COMMENT, DIRECTIVE, INACTIVE, SHEBANG, BLANK, BLANK_DOC, BLANK_STRING = (
    2**n for n in range(11)
)
LIKE_DOC, LIKE_COMMENT, LIKE_BRACKET, DOC_LIKE_COMMENT, DOC_LIKE_BRACKET = (2**n for n in range(11, 16))
STRING = PLAIN_STRING + LIKE_DOC + LIKE_COMMENT + LIKE_BRACKET
DOC = PLAIN_DOC + DOC_LIKE_COMMENT + DOC_LIKE_BRACKET
ALL = 2**16 - 1
BLANKS = BLANK + BLANK_DOC + BLANK_STRING


@pytest.mark.parametrize(
    ("convention", "language", "expected"),
    [
        ("leverage", "python", CODE + STRING + BRACKET),
        ("leverage", "mlir", CODE + STRING + BRACKET),
        ("leverage", "markdown", CODE + STRING + BRACKET),
        ("physical", "mlir", ALL),
        ("nonblank", "python", ALL - BLANKS),
        ("pygount", "python", CODE + STRING - LIKE_BRACKET + BLANK_STRING),
        ("pygount", "mlir", None),
        ("cloc", "mlir", None),
        ("cloc", "python", CODE + PLAIN_STRING + LIKE_BRACKET + BRACKET + INACTIVE + SHEBANG),
        (
            "cloc",
            "tablegen",
            CODE + PLAIN_STRING + LIKE_BRACKET + BRACKET + INACTIVE + SHEBANG + DOC - DOC_LIKE_COMMENT,
        ),
        ("scc", "tablegen", None),
        ("scc", "mlir", CODE + STRING + BRACKET + INACTIVE + BLANK_STRING),
        ("tokei", "cuda", None),
        ("sloccount", "cmake", None),
        ("sloccount", "cpp", CODE + STRING + BRACKET + INACTIVE),
        ("leverage", "no-such-language", None),
        ("cloc", "markdown", ALL - BLANKS),
        ("cloc", "rst", None),
        ("pygount", "markdown", None),
        ("tokei", "markdown", None),
        ("tokei", "text", CODE + STRING + BRACKET + INACTIVE + BLANK_DOC + BLANK_STRING),
        ("tokei", "rst", ALL - BLANKS),
        ("scc", "yaml", CODE + STRING - LIKE_COMMENT + BRACKET + INACTIVE),
        ("pygount", "tablegen", CODE + STRING - LIKE_BRACKET + PLAIN_DOC + BLANK_STRING),
        ("pygount", "shell", CODE + STRING + BLANK_STRING),
    ],
)
def test_what_is_code(convention: str, language: str, expected: int | None) -> None:
    assert code_lines(convention, language, EACH) == expected


def test_an_unknown_convention_is_an_error() -> None:
    with pytest.raises(KeyError):
        code_lines("no-such-convention", "python", EACH)


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=lambda convention: convention.id)
def test_every_convention_places_every_class(convention: object) -> None:
    from leverage.measure.conventions import Convention  # noqa: PLC0415

    assert isinstance(convention, Convention)
    assert set(convention.treatment) == set(LineClass)
    assert convention.title
    assert convention.definition.endswith(".")
    assert convention.source
    kinds = {language.kind.value for language in languages().values()}
    assert set(convention.exceptions) <= set(languages()) | kinds


@given(
    st.sampled_from(list(CONVENTIONS.values())),
    st.sampled_from(list(languages())),
    st.tuples(*[st.integers(0, 9)] * 16),
)
def test_projections_lose_no_line(convention: object, language: str, classes: tuple[int, ...]) -> None:
    projected = convention.project(language, LineCounts(*classes))  # type: ignore[attr-defined]
    if projected is not None:
        assert projected.code + projected.documentation + projected.comment + projected.blank == sum(classes)
        twice = convention.project(language, LineCounts(*classes) + LineCounts(*classes))  # type: ignore[attr-defined]
        assert projected + projected == twice
        assert projected + Projected() == projected


def test_a_line_is_explained_with_what_each_convention_makes_of_it() -> None:
    data = b'def f():\n    """Doc.\n\n    More.\n    """\n    return 1\n'
    doc = explain_line(data, "python", 4)
    assert doc is not None
    assert doc.why.line_class is LineClass.DOCUMENTATION
    assert doc.why.token == b"More."
    assert doc.parts["leverage"] is Part.DOCUMENTATION
    assert doc.parts["cloc"] is Part.COMMENT
    assert doc.parts["tokei"] is Part.CODE
    assert doc.parts["physical"] is Part.CODE
    blank = explain_line(data, "python", 3)
    assert blank is not None
    assert blank.why.line_class is LineClass.BLANK_IN_DOCUMENTATION
    assert (blank.parts["cloc"], blank.parts["scc"]) == (Part.BLANK, Part.COMMENT)


def test_what_cannot_be_explained() -> None:
    with pytest.raises(IndexError):
        explain_line(b"x = 1\n", "python", 2)
    with pytest.raises(KeyError):
        explain_line(b"x = 1\n", "no-such-language", 1)
    assert explain_line(b"x = 1\n", "llvm-mir", 1) is None
    text = explain_line(b"\xff\xfe" + "x = 1\n".encode("utf-16-le"), "python", 1)
    assert text is not None
    assert text.why.token == b"x"


def test_a_convention_that_does_not_know_the_language_says_nothing() -> None:
    found = explain_line(b"func.func\n", "mlir", 1)
    assert found is not None
    assert found.parts["cloc"] is None
    assert found.parts["scc"] is Part.CODE


@given(st.sampled_from(sorted(SCANNERS)), st.binary(max_size=60))
def test_every_family_classes_every_line(family: str, data: bytes) -> None:
    from leverage.measure.lines.base import physical_lines  # noqa: PLC0415

    assert LineCounts.of(SCANNERS[family].scan(data)).physical == physical_lines(data)


def test_the_tables_of_the_documentation_are_those_of_the_code() -> None:
    text = (Path(__file__).parents[3] / "docs" / "conventions.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    ids = next(row for row in rows if row[0] == "line class")[1:]
    for line_class in LineClass:
        row = next(row for row in rows if row[0] == line_class.label and len(row) == len(ids) + 1)
        assert row[1:] == [CONVENTIONS[id_].treatment[line_class].value for id_ in ids]
    stated = {(row[0], row[1]): row[2] for row in rows if row[0] in CONVENTIONS and len(row) == 3}
    for id_ in ids:
        convention = CONVENTIONS[id_]
        for key, treatment in convention.exceptions.items():
            said = ", ".join(f"{line_class.label}: {part.value}" for line_class, part in sorted(treatment.items()))
            assert stated.pop((id_, key)) == said
        for key in convention.withheld:
            assert stated.pop((id_, key)) == "withheld"
    assert stated == {}
