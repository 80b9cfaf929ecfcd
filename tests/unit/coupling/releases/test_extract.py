from __future__ import annotations

from leverage.coupling.releases.extract import Entry, ModuleFacts, Sort, module_facts


def read(text: str, name: str = "up.m", *, package: bool = False, stub: bool = False) -> ModuleFacts:
    found = module_facts(text.encode(), name, package=package, stub=stub)
    assert found is not None
    return found


def entry(text: str, path: str) -> Entry:
    return read(text).entries[path]


def test_functions_have_signature_decorators_and_line() -> None:
    found = entry("import functools\n\n@functools.lru_cache(None)\ndef f(a, /, b: int = 1, *c, d, **e): pass", "f")
    assert (found.sort, found.text, found.marks, found.line) == (
        Sort.FUNCTION,
        "a, /, b=1, *c, d, **e",
        "functools.lru_cache",
        4,
    )


def test_classes_have_bases_by_full_names_and_members() -> None:
    text = (
        "import abc\nfrom . import other\nfrom .other import Base as B\n"
        "class Own: pass\nclass C(B, other.D[int], Own, abc.ABC):\n"
        "  x: int = 3\n  def f(self):\n    self.y = 1\n    object.__setattr__(self, 'z', 2)\n  class Inner: pass\n"
    )
    facts = read(text)
    assert facts.entries["C"].text == "up.other.Base up.other.D up.m.Own abc.ABC"
    assert facts.entries["C.x"] == Entry(Sort.VALUE, "3", note="int")
    assert {path for path, each in facts.entries.items() if each.sort is Sort.ATTRIBUTE} == {"C.y", "C.z"}
    assert facts.entries["C.Inner"].sort is Sort.CLASS


def test_attributes_set_in_any_method_are_members() -> None:
    assert "C.late" in read("class C:\n  def helper(this):\n    this.late, other.not_mine = 1, 2\n").entries
    assert "C.not_mine" not in read("class C:\n  def helper(this):\n    other.not_mine = 1\n").entries


def test_relative_imports_start_at_the_package() -> None:
    assert read("from .a import b", "up.m").entries["b"].text == "up.a.b"
    assert read("from .a import b", "up.m", package=True).entries["b"].text == "up.m.a.b"
    assert read("import up.x.y", "up.m").entries["up"].text == "up"
    assert read("import up.x.y as z", "up.m").entries["z"].text == "up.x.y"


def test_what_only_type_checkers_see_is_marked_and_gives_way() -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  from .a import b, c\nelse:\n  def b(x): pass\n"
    facts = read(text)
    assert facts.entries["c"].marks == "typing"
    assert facts.entries["b"].sort is Sort.FUNCTION


def test_variants_of_a_function_count_together() -> None:
    one = entry("if a:\n  def f(x): return 1\nelse:\n  def f(x): return 2", "f")
    other = entry("if a:\n  def f(x): return 1\nelse:\n  def f(x): return 3", "f")
    assert one.text == other.text == "x"
    assert one.body != other.body


def test_collections_tell_their_length_and_order() -> None:
    short, long = entry("a = [1, 2]", "a"), entry(f"a = [{', '.join(f'something_{n}' for n in range(9))}]", "a")
    assert short.text == "[1, 2]"
    assert long.text.startswith("[9]#")
    swapped = [*range(9)]
    swapped[0], swapped[1] = 1, 0
    assert entry(f"a = [{', '.join(f'something_{n}' for n in swapped)}]", "a").text != long.text


def test_switches_tell_their_default() -> None:
    found = module_facts(
        b"a: Optional[bool] = Config(default=True, env_name='A')", "up.config", package=False, stub=False
    )
    assert found is not None
    assert found.entries["a"] == Entry(Sort.VALUE, "True", note="bool | None")


def test_dataclasses_have_the_constructor_that_is_made_for_them() -> None:
    text = (
        "@dataclasses.dataclass\nclass C:\n  a: int\n  b: list = field(default_factory=list)\n  c: ClassVar[int] = 1\n"
        "  d: int = field(init=False)\n  e: int = field(default=1, kw_only=True)\n"
    )
    assert entry(text, "C.__init__").text == "self, a, b=list, *, e=1"
    assert entry(text, "C.__init__").marks == "dataclass-fields"


def test_methods_that_are_given_afterwards_are_members() -> None:
    assert entry("class C: pass\nC.f = g", "C.f") == Entry(Sort.VALUE, "g")


def test_setters_belong_to_their_property() -> None:
    text = "class C:\n  @property\n  def a(self): return 1\n  @a.setter\n  def a(self, v): self._a = v\n"
    found = entry(text, "C.a")
    assert (found.text, found.marks) == ("self", "property")
    assert found.body != entry(text.replace("self._a = v", "pass"), "C.a").body


def test_stubs_and_modules_that_make_names_are_open() -> None:
    assert read("def f(a: int) -> int: ...", stub=True).open
    assert read("for n in x:\n  globals()[n] = 1").open
    assert read("def __getattr__(name): ...").open
    assert not read("a = 1").open


def test_what_cannot_be_parsed_is_nothing() -> None:
    for text in (b"def f(:", b"\x00", b"(" * 5000, b"\xff\xfe"):
        assert module_facts(text, "up.m", package=False, stub=False) is None
