"""Whether a name exists upstream, read from a small tree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from leverage.coupling.existence import Effect, effects
from leverage.coupling.tree import Tree
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint

FILES = {
    "up/__init__.py": "from up._C import *\nfrom .core import Base as Alias\nfrom . import core\nimport os\n",
    "up/core.py": """\
import typing
from collections import UserDict
class Root(typing.Generic[int]):
    limit: int
    table = {}
    def run(self):
        self.field = 1
class Base(Root):
    class Inner:
        x = 1
class Odd(UserDict):
    pass
class Err(ValueError):
    pass
if typing.TYPE_CHECKING:
    late = 1
def made(): ...
registry = {}
""",
    "up/_C/__init__.pyi": "def native(x: int) -> int: ...\nclass Thing:\n    def go(self) -> None: ...\n",
    "up/lazy.py": "def __getattr__(name): ...\n",
    "up/filled.py": "for name in 'ab':\n    globals()[name] = 1\n",
    "up/broken.py": "def (:\n",
    "up/again.py": "from up.round import *\n",
    "up/round.py": "from up.again import *\n",
    "up/circle.py": "class A(B): ...\nclass B(A): ...\n",
}
TREE = Tree(lambda path: FILES[path].encode() if path in FILES else None)


@pytest.mark.parametrize(
    ("symbol", "exists"),
    [
        ("up", True),
        ("up.core", True),
        ("up.core.made", True),
        ("up.core.gone", False),
        ("up.core.registry", True),
        ("up.core.late", True),
        ("up.core.Base", True),
        ("up.core.Base.run", True),
        ("up.core.Base.field", True),
        ("up.core.Base.limit", True),
        ("up.core.Base.table", True),
        ("up.core.Base.Inner.x", True),
        ("up.core.Base.Inner.y", False),
        ("up.core.Base.gone", False),
        ("up.core.Base.__init__", True),
        ("up.core.Base.__bases__", True),
        ("up.core.Odd.gone", None),
        ("up.core.Err.args", True),
        ("up.core.Err.gone", False),
        ("up.Alias.run", True),
        ("up.Alias.gone", False),
        ("up.core.registry.key", None),
        ("up.native", True),
        ("up.Thing.go", True),
        ("up.Thing.gone", False),
        ("up.gone", False),
        ("up.os.path", None),
        ("up.lazy.anything", None),
        ("up.filled.a", None),
        ("up.broken.f", False),
        ("up.again.f", None),
        ("up.circle.A.f", None),
        ("other.name", None),
    ],
)
def test_names_are_found_where_they_are(symbol: str, *, exists: bool | None) -> None:
    assert TREE.exists(symbol) is exists


PATCH = Touchpoint(
    "a.py", 1, 0, TouchKind.MONKEY_PATCH, "assignment", "up.core.made", False, Scope.GLOBAL, "import", Certainty.CERTAIN
)


@pytest.mark.parametrize(
    ("symbol", "members", "effect"),
    [
        ("up.core.made", (), Effect.PATCH),
        ("up.core.gone", (), Effect.ADD),
        ("up.lazy.x", (), Effect.UNKNOWN),
        ("up.core.<dynamic>", ("made", "registry"), Effect.PATCH),
        ("up.core.<dynamic>", ("gone", "lost"), Effect.ADD),
        ("up.core.<dynamic>", ("made", "lost"), Effect.UNKNOWN),
        ("up.core.<dynamic>", (), Effect.UNKNOWN),
        ("up.<dynamic>.x", ("core",), Effect.UNKNOWN),
    ],
)
def test_patches_are_told_from_additions(symbol: str, members: tuple[str, ...], effect: Effect) -> None:
    each = replace(PATCH, symbol=symbol, members=members)
    assert effects([each], TREE.exists) == {each: effect}


def test_only_monkey_patches_have_an_effect_and_without_a_tree_it_is_unknown() -> None:
    other = replace(PATCH, kind=TouchKind.IMPORT)
    assert effects([other, PATCH], None) == {PATCH: Effect.UNKNOWN}


@pytest.mark.parametrize(
    ("symbol", "members"),
    [
        ("up.core.Base", {"Inner", "limit", "table", "run", "field"}),
        ("up.Alias", {"Inner", "limit", "table", "run", "field"}),
        ("up.core.Base.Inner", {"x"}),
        ("up.core.Odd", set()),
        ("up._C.Thing", {"go"}),
        ("up.circle.A", set()),
        ("up.core.made", None),
        ("up.gone.A", None),
        ("other.A", None),
    ],
)
def test_members_of_a_class_with_its_bases(symbol: str, members: set[str] | None) -> None:
    assert TREE.members(symbol) == members
