from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.measure.lines.hash_comment import HASH
from leverage.measure.lines.prose import markdown, rst
from leverage.measure.lines.python import PYTHON
from leverage.measure.lines.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.measure.lines.base import Scanner

    AssertLines = Callable[[Scanner, str], None]


def lookup(name: str) -> Scanner | None:
    known = {"python": PYTHON, "yaml": YAML, "c++": HASH, "markdown": markdown(lookup), "rst": rst(lookup)}
    return known.get(name)


MARKDOWN = """
d|---
c|title: |
4|  # text
d|---
d|# Title
.|
d|Text `<!--`
#|<!-- comment
.|
#|```python
#|-->
d|<!-- comment --> beside text
d|```python title="x"
#|# comment
.|
d|\"\"\"Doc.\"\"\"
c|x = 1
d|```
d|```
d|# of no language
d|```
d|- ~~~~ {.Python .numberLines}
#|  # comment
c|  ```
c|  ~~~
d|  ~~~~~
d|```{code-block} python
#|# comment
d|```
d|```c++
#|# comment
d|```
d|````markdown
d|```python
d|# no code within prose within prose
d|```
d|````
d|```x```
d|# Title
d|    indented code
d|~~~ python
#|# never closed
"""

RST = """
d|Title
d|=====
.|
#|.. A comment
.|
#|   goes on
.|
d|.. code-block:: python
d|   :linenos:
.|
#|   # comment
c|   x = \'\'\'
S|
3|   \'\'\'
.|
d|.. _target:
d|.. [1] Footnote
d|.. |x| replace:: y
d|.. note:: Text
.|
d|   .. code:: unknown
.|
d|      # text
.|
d|   .. code:: c++
.|
#|      # comment
c|      x
.|
d|   Text::
.|
d|     .. no comment
d|   Text
.|
#|   .. comment
#|        more
d|   text
#|..
.|
d|   text
#|..
#|   comment
d|.. py:function:: f
d|.. sourcecode:: rst
.|
d|   .. code:: python
.|
d|      # text
"""


def test_pages(assert_lines: AssertLines) -> None:
    assert_lines(markdown(lookup), MARKDOWN)
    assert_lines(rst(lookup), RST)


@pytest.mark.parametrize("source", [b"---\n", b"---\n---\n", b"---\ntext\n---\n", b"text\n---\na: b\n---\n"])
def test_rulers_are_no_metadata(source: bytes) -> None:
    assert set(markdown(lookup).scan(source)) == {3}


def test_the_explanation_comes_from_the_inner_scanner() -> None:
    answer = markdown(lookup).explain(b"```python\nf(\n'a')\n```\n", 3)
    assert (answer.rule, answer.token) == ("string", b"'a'")
    assert markdown(lookup).explain(b"Text\n", 1).rule == "prose"
