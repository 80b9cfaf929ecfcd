from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.lines.c import C
from leverage.measure.lines.jinja import JINJA, over
from leverage.measure.lines.notebook import NOTEBOOK
from leverage.measure.lines.python import PYTHON
from leverage.model.lines import LineClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    Check = Callable[[Scanner, str], None]

CODE_CELL = r"""
i|{"cells": [{"cell_type": "code", "metadata": {"source": [
i|  "# not source"]}, "outputs": [
i|  {"text": ["x = 1\n"], "source": "x"}],
i| "source": [
#|  "# a comment\n",
.|  "\n",
c|  "text = \"\"\"\n",
3|  "\u0023 literal text\n",
S|  "  \n",
3|  "\"\"\"\n",
d|  "'bare'\n",
b|  ")\n",
c|  "x",
c|  " = 1"
i|  ]}],
i|"metadata": {"kernelspec": {"language": "python"}}}
"""


def test_code_cells(assert_lines: Check) -> None:
    assert_lines(NOTEBOOK, CODE_CELL)


def test_markdown_and_raw_cells_are_documentation(assert_lines: Check) -> None:
    assert_lines(
        NOTEBOOK,
        r"""
i|{"cells": [{"cell_type": "markdown", "source": [
d|  "# A title\n",
.|  "\n",
d|  "text"]},
i|  {"cell_type": "raw",
d|  "source": "raw"}
i|]}
""",
    )


def test_format_3_has_worksheets_and_input(assert_lines: Check) -> None:
    assert_lines(
        NOTEBOOK,
        r"""
i|{"worksheets": [{"cells": [
i| {"cell_type": "code", "language": "python", "input": [
#|  "# a",
i|  ], "outputs": []}
i|]}]}
""",
    )


@pytest.mark.parametrize(
    ("language", "classes"),
    [("python", "#c"), ("C++", "c#"), ("cpp", "c#"), ("klingon", "cc")],
)
def test_kernels(assert_lines: Check, language: str, classes: str) -> None:
    first, second = classes[0], classes[1]
    assert_lines(
        NOTEBOOK,
        f"""
i|{{"metadata": {{"language_info": {{"name": "{language}"}}}},
i| "cells": [{{"cell_type": "code", "source": [
{first}|  "# a\\n",
{second}|  "// b"
i|]}}]}}
""",
    )


def test_source_lines_on_one_physical_line_give_the_strongest_class() -> None:
    cell = b'{"cells": [{"source": ["# a\\n", "\\n", "x"], "cell_type": "code"}]}'
    assert list(NOTEBOOK.scan(cell)) == [LineClass.CODE]
    assert list(NOTEBOOK.scan(cell.replace(b'"x"', b'"# y"'))) == [LineClass.COMMENT]
    assert list(NOTEBOOK.scan(cell.replace(b'"# a\\n", "\\n", "x"', b'"# a\\n# b\\n"'))) == [LineClass.COMMENT]


def test_what_is_no_notebook_has_classes_too() -> None:
    assert list(NOTEBOOK.scan(b'"cells": [{"source"\n]]}}{{[\n\n\\')) == [6, 6, 8, 6]


JINJA_CASES = {
    "comments and statements": """
#|{# a
.|
#|b #}
c|{% if a -%} {# c #}
#|# python
c|# for the template: {{ b }}
c|{{ "}}" }} {{ '"' }}
c|{%- endif %}
""",
    "the inner language goes on": '''
c|x = """
c|{% for a in b %}
3|  # text
c|  {{ a
c|  }} text
c|{% endfor %} """
#|# comment
d|"""doc {# comment
#| #}
d|doc"""
''',
    "raw": """
c|{% raw %}
#|# {{ a }} {# b #}
b|{ }
c|{% endraw %}
c|# {{ a }}
c|{% raw %}
#|# {{ never closed }}
""",
    "openings that are not closed": """
c|a = {{1, 2}, {3
#|# {{ b
c|c = {# d
#|# {% e
""",
}


@pytest.mark.parametrize("case", JINJA_CASES.values(), ids=JINJA_CASES)
def test_jinja_over_python(assert_lines: Check, case: str) -> None:
    assert_lines(over(PYTHON), case)


def test_jinja_over_nothing_known(assert_lines: Check) -> None:
    assert_lines(JINJA, "c|# text\n#|{# a #}\nb|{ }\nc|{{ a }}")


@given(
    st.lists(st.sampled_from([b"// a\n", b"/* b\n", b"*/\n", b'"c"\n', b"{ }\n", b"x\n", b"\n", b'R"(\n'])).map(
        b"".join
    )
)
def test_without_marks_the_overlay_changes_nothing(text: bytes) -> None:
    assert over(C).scan(text) == C.scan(text)
