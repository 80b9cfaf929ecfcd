from __future__ import annotations

import ast

import pytest
from leverage.coupling.releases.normalise import annotations_hash, body_hash, modern


def function(text: str) -> ast.FunctionDef:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def same(one: str, other: str) -> bool:
    return body_hash(function(one)) == body_hash(function(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n  'said'\n  return a", "def f(a):\n  return a"),
        ("def f(a: int) -> int:\n  b: int = a\n  return b", "def f(a):\n  b = a\n  return b"),
        ("def f(a):\n  b: int\n  return a", "def f(a):\n  return a"),
        (
            "def f(a):\n  assert a, 'no'\n  return a",
            "def f(a):\n  if not a:\n    raise AssertionError('no')\n  return a",
        ),
        ("def f(a):\n  assert a is not None", "def f(a):\n  if a is None:\n    raise AssertionError"),
        (
            "def f(a, b):\n  assert a == 1 and not b",
            "def f(a, b):\n  if a != 1 or b:\n    raise AssertionError(f'{a}')",
        ),
        ("def f(a):\n  return cast(Optional[int], a)", "def f(a):\n  return cast(int | None, a)"),
        ("def f():\n  return 'a'  # one", 'def f():\n\n  return "a"'),
    ],
)
def test_looks_do_not_count(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n  return a", "def f(a):\n  return None"),
        ("def f(a):\n  return None", "def f(a):\n  return"),
        ("def f(a):\n  assert a", "def f(a):\n  assert not a"),
        ("def f(a):\n  assert a", "def f(a):\n  if not a:\n    raise ValueError"),
        ("def f(a):\n  return 1", "def f(a):\n  return 1.0"),
        ("def f(a):\n  return a.b", "def f(a):\n  return a.c"),
        ("def f(a):\n  g(a, b=1)", "def f(a):\n  g(a, c=1)"),
        ("def f(a):\n  return [a]", "def f(a):\n  return {a}"),
        ("def f(a):\n  if a:\n    b()\n  c()", "def f(a):\n  if a:\n    b()\n    c()"),
    ],
)
def test_what_it_does_counts(one: str, other: str) -> None:
    assert not same(one, other)


def test_annotations_have_a_fingerprint_of_their_own() -> None:
    plain, noted = function("def f(a): pass"), function("def f(a: int): pass")
    assert not annotations_hash(plain)
    assert annotations_hash(noted) != annotations_hash(function("def f(a: str): pass"))
    assert annotations_hash(function("def f(a: 'Optional[List[int]]'): pass")) == annotations_hash(
        function("def f(a: list[int] | None): pass")
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Optional[int]", "int | None"),
        ("Union[None, int, str]", "int | str | None"),
        ("Union[int, Optional[str]]", "int | str | None"),
        ("typing.Dict[str, Optional[int]]", "dict[str, int | None]"),
        ("'Callable[[List[int]], None]'", "Callable[[list[int]], None]"),
        ("'not python ['", "'not python ['"),
    ],
)
def test_annotations_are_respelled(old: str, new: str) -> None:
    assert ast.unparse(modern(ast.parse(old, mode="eval").body)) == new


def test_the_fingerprint_is_the_same_in_every_version_of_python() -> None:
    # Written down once; another value means another normaliser.
    assert body_hash(function("def f(a, b=1):\n  for x in a:\n    print(f'{x}', *b, k=None)\n  return b")) == "WbFG"
