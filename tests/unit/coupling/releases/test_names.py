from __future__ import annotations

from leverage.coupling.releases.names import Absent, Found, Unseen
from tests.unit.coupling.releases.made import releases, single

PACKAGE = {
    "up/__init__.py": "from .a import f as g\nfrom . import b\nfrom .star import *\nimport sys\n",
    "up/a.py": "def f(x): pass\nclass Base:\n  def m(self): self.late = 1\n",
    "up/b.py": (
        "from up.a import Base\nimport enum\nclass C(Base):\n  def own(self): pass\n"
        "class D(C, dict): pass\nclass E(outside.Thing): pass\nclass Loop(Loop2): pass\nclass Loop2(Loop): pass\n"
        "class Made:\n  def __init__(self, a): pass\nclass M(C, Made): pass\n"
        "class K(enum.Enum): A = 1\nalias = C\ntable = {}\n"
    ),
    "up/star.py": "def shown(): pass\ndef _hidden(): pass\n",
    "up/made.py": "globals()['x'] = 1\n",
    "up/stub.pyi": "def known(a: int) -> int: ...\n",
    "up/sub/__init__.py": "from .sub import sub\n",
    "up/sub/sub.py": "def sub(): pass\n",
}


def find(symbol: str) -> Found | Absent | Unseen:
    return releases(PACKAGE)[0].find(symbol)


def place(symbol: str) -> str:
    found = find(symbol)
    assert isinstance(found, Found)
    return found.place


def test_imports_lead_to_where_a_name_is_defined() -> None:
    assert place("up.g") == "up.a.f"
    assert place("up.b.Base.m") == "up.a.Base.m"
    assert place("up.shown") == "up.star.shown"
    assert find("up._hidden") == Absent("up")
    assert place("up.sys") == "up.sys"


def test_members_are_looked_for_in_bases() -> None:
    assert place("up.b.D.m") == "up.a.Base.m"
    assert place("up.b.C.late") == "up.a.Base.late"
    assert place("up.b.D.own") == "up.b.C.own"
    assert place("up.b.D.keys") == "dict.keys"
    assert place("up.b.C.__init__") == "up.b.C.__init__"
    assert place("up.b.M.__init__") == "up.b.Made.__init__"
    assert find("up.b.C.nothing") == Absent("up.b.C")
    assert isinstance(find("up.b.E.anything"), Unseen)
    assert find("up.b.Loop.anything") == Absent("up.b.Loop")


def test_what_no_source_shows_is_judged_by_its_owner() -> None:
    found = find("up.b.table.keys")
    assert isinstance(found, Found)
    assert (found.place, found.rest) == ("up.b.table", ("keys",))
    assert place("up.b.alias.m") == "up.a.Base.m"


def test_modules_that_make_names_do_not_tell() -> None:
    assert isinstance(find("up.made.anything"), Unseen)
    assert isinstance(find("up.stub.unknown"), Unseen)
    assert place("up.stub.known") == "up.stub.known"
    assert isinstance(find("elsewhere.x"), Unseen)
    assert find("up.nowhere.x") == Absent("up")


def test_existence_and_members_answer_like_a_tree() -> None:
    names = releases(PACKAGE)[0]
    assert names.exists("up.b.C.m") is True
    assert names.exists("up.b.C.nothing") is False
    assert names.exists("up.made.x") is None
    members = names.members("up.b.C")
    assert members is not None
    assert members >= {"own", "m", "late"}
    assert names.members("up.b.table") is None


def test_an_object_of_a_base_may_be_of_any_subclass() -> None:
    names = single("class Base: pass\nclass One(Base):\n  def f(self): pass\nclass Two(One): pass\n")[0]
    assert names.find("up.m.Base.f") == Absent("up.m.Base")
    below = names.below("up.m.Base.f")
    assert below is not None
    assert below.place == "up.m.One.f"
    assert names.below("up.m.Base.g") is None


def test_bases_that_go_round_end() -> None:
    many = [f"C{n}" for n in range(30)]
    text = "\n".join(f"class {name}({', '.join(each for each in many if each != name)}): pass" for name in many)
    names = single(f"{text}\nclass A(A.B): pass\nclass D(E): pass\nE = D\n")[0]
    assert names.find("up.m.C0.x") == Absent("up.m.C0")
    assert isinstance(names.find("up.m.A.x"), Unseen)
    assert isinstance(names.find("up.m.D.x"), Absent | Unseen)


def test_importers_of_a_name_are_known() -> None:
    names = releases(PACKAGE)[0]
    assert names.importers("up.a.f") == ["up.g"]
    assert names.importers("up.a.Base") == ["up.b.Base"]
