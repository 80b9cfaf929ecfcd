"""What belongs together: patches and what puts them back, saved originals and who calls them; and what is nobody's."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest
from leverage.model.touchpoints import Scope, TouchKind, Touchpoint
from leverage.resolve.program import read_program
from leverage.resolve.rows import RESTORE
from leverage.resolve.sites import touch_sites

if TYPE_CHECKING:
    from collections.abc import Callable

    from leverage.model.touchpoints import Unresolved


def sites(
    source: str, members: Callable[[str], frozenset[str] | None] | None = None
) -> tuple[tuple[Touchpoint, ...], tuple[Unresolved, ...]]:
    return touch_sites(read_program({"a.py": textwrap.dedent(source).encode()}), members=members)


def of(source: str, *kinds: TouchKind) -> list[Touchpoint]:
    return [row for row in sites(source)[0] if row.kind in kinds]


def test_a_class_that_keeps_the_original_puts_it_back_and_calls_it() -> None:
    rows = of(
        """\
        import torch
        def mine(x):
            return Switch._orig(x)
        class Switch:
            _orig = None
            def on():
                Switch._orig = torch.empty
                torch.empty = mine
            def off():
                torch.empty = Switch._orig
        """,
        TouchKind.MONKEY_PATCH,
    )
    assert [(row.line, row.form, row.restored) for row in rows] == [(8, "assignment", True), (10, "restore", True)]
    assert rows[0].wraps is True


def test_an_original_kept_under_another_name_of_theirs_is_called_through_it() -> None:
    rows = of(
        """\
        import torch
        torch.Tensor.orig_to = torch.Tensor.to
        def to(self):
            return self.orig_to()
        torch.Tensor.to = to
        """,
        TouchKind.MONKEY_PATCH,
    )
    assert [(row.symbol, row.wraps) for row in rows] == [("torch.Tensor.orig_to", None), ("torch.Tensor.to", True)]


def test_what_exit_does_after_enter_puts_back() -> None:
    rows = of(
        """\
        import torch
        class Mode:
            def __enter__(self):
                for name in ("add", "mul"):
                    self.kept[name] = getattr(torch.Tensor, name)
                    setattr(torch.Tensor, name, print)
            def __exit__(self, *why):
                for name in ("add", "mul"):
                    setattr(torch.Tensor, name, self.kept[name])
        """,
        TouchKind.MONKEY_PATCH,
    )
    assert [(row.line, row.form, row.restored) for row in rows] == [(6, "setattr", True), (9, "restore", True)]


def test_a_container_that_is_changed_back_in_a_finally_is_restored() -> None:
    rows = of(
        """\
        from torch._inductor.lowering import lowerings
        from torch._inductor.decomposition import decompositions
        def on(op):
            old = lowerings.pop(op)
            decompositions.clear()
            try:
                yield
            finally:
                lowerings[op] = old
        """,
        TouchKind.CONTAINER_MUTATION,
    )
    assert [(row.line, row.restored) for row in rows] == [(4, True), (5, False), (9, True)]


def test_a_patch_in_a_finally_without_one_before_puts_nothing_back() -> None:
    (row,) = of("import torch\ntry:\n    pass\nfinally:\n    torch.empty = 1\n", TouchKind.MONKEY_PATCH)
    assert (row.form, row.restored) == ("assignment", False)


@pytest.mark.parametrize(
    "call",
    ["config.patch(new)", "config.patch(**new)", "config.patch({'a': 1, 'b.c': 2})", "config.patch(a=1, **more)"],
)
def test_every_key_of_a_configuration_has_a_row(call: str) -> None:
    source = f"""\
        from torch._inductor import config
        new = {{"a": 1, "b.c": 2}}
        more = {{"b.c": 2}}
        with {call}:
            pass
        """
    rows = of(source, TouchKind.CONFIG_KEY)
    symbols = ["torch._inductor.config.a", "torch._inductor.config.b.c"]
    assert [(row.symbol, row.value, row.restored) for row in rows] == [(symbols[0], "1", True), (symbols[1], "2", True)]


def test_setattr_as_a_method_of_a_module_is_an_assignment() -> None:
    rows = of(
        """\
        import torch
        torch.__setattr__("chip", 1)
        torch.backends.__delattr__("old")
        class Own(torch.nn.Module):
            def keep(self):
                super().__setattr__("x", 1)
        """,
        TouchKind.MONKEY_PATCH,
    )
    assert [(row.line, row.form, row.symbol) for row in rows] == [
        (2, "__setattr__", "torch.chip"),
        (3, "__delattr__", "torch.backends.old"),
    ]


def test_the_cache_of_one_object_and_that_of_all() -> None:
    rows = of("from torch._x import f\nf.cache_clear()\nf.clear_cache(it)\n", TouchKind.CONTAINER_MUTATION)
    assert [(row.form, row.scope) for row in rows] == [
        ("cache_clear", Scope.GLOBAL),
        ("clear_cache", Scope.INSTANCE),
    ]


def test_an_own_class_is_its_own() -> None:
    source = """\
        from torch._x import Base
        class Own(Base):
            cache = {}
            def __init__(self, place):
                self.place = place
                self.made = {}
            def go(self):
                return self.place.name, self._theirs
            @classmethod
            def keep(cls, key):
                cls.cache[key] = 1
        Own.keep(Base.table)
        def fill(own: Own):
            own.made["a"] = 1
        """
    found = [row.symbol for row in of(source, TouchKind.ATTRIBUTE_USE, TouchKind.CONTAINER_MUTATION)]
    assert "torch._x.Base._theirs" in found
    assert not [symbol for symbol in found if symbol.endswith((".place", ".name", ".cache", ".made"))]


def test_a_container_that_upstreams_class_does_not_have_is_the_ports() -> None:
    source = "from torch._x import K\ndef fill(k: K):\n    k.known['a'] = 1\n    k.planted['a'] = 1\n"
    rows = sites(source, lambda _: frozenset({"known"}))[0]
    assert [row.symbol for row in rows if row.kind is TouchKind.CONTAINER_MUTATION] == ["torch._x.K.known"]


def test_what_the_port_sets_on_an_object_that_it_made_is_a_use_where_its_class_is_private() -> None:
    source = """\
        import copy, dataclasses
        from torch._inductor.ir import ComputedBuffer, Loops
        from torch.nn import Linear
        def make(old: Loops):
            new = ComputedBuffer(name=None)
            new.layout = 1
            new.origins.add(1)
            other = dataclasses.replace(old, ranges=[])
            object.__setattr__(other, "origins", 1)
            Linear(1, 1).weight = 1
            mine = copy.deepcopy(old.table)
            mine["a"] = 1
        """
    rows = [(row.line, row.kind.value, row.form) for row in sites(source)[0] if row.scope is Scope.INSTANCE]
    assert rows == [
        (6, "attribute_use", "write"),
        (7, "container_mutation", "add"),
        (9, "attribute_use", "object.__setattr__"),
    ]


def test_a_slice_of_a_collection_holds_what_the_collection_holds() -> None:
    source = """\
        from torch._inductor.virtualized import V
        def mark(first):
            for op in V.graph.operations[first:]:
                setattr(op, "mark", True)
        """
    rows, unresolved = sites(source)
    assert unresolved == ()
    assert ("torch._inductor.ir.Operation.mark", Scope.INSTANCE) in [(row.symbol, row.scope) for row in rows]


@pytest.mark.parametrize(
    ("source", "doubts"),
    [
        ("import triton.compiler as c\nsetattr(c, 'x', 1)\n", 0),
        ("import threading\n_tls = threading.local()\ndef f():\n    setattr(_tls, 'x', 1)\n", 0),
        ("import types\ndef f():\n    m = types.ModuleType('m')\n    setattr(m, 'x', 1)\n", 0),
        ("def f(it):\n    setattr(it, 'x', 1)\n", 1),
        ("import json\ndef f(json):\n    setattr(json, 'x', 1)\n", 1),
    ],
)
def test_what_comes_from_another_package_is_no_doubt(source: str, doubts: int) -> None:
    assert len(sites(source)[1]) == doubts


def test_a_comment_that_silences_a_type_checker_is_told_beside_any_touchpoint() -> None:
    source = """\
        import torch
        torch.empty = 1  # type: ignore[assignment]
        x = torch._C.f()  # type: ignore
        try:
            torch.ones = 1
        finally:
            torch.ones = 2  # type: ignore
        """
    details = {row.line: row.detail for row in sites(source)[0] if row.kind is not TouchKind.IMPORT}
    assert details == {2: "type: ignore", 3: "type: ignore", 5: "", 7: "finally; type: ignore"}
    assert [row.restored for row in of(source, TouchKind.MONKEY_PATCH)] == [False, True, True]


def test_what_is_taken_out_of_a_collection_of_originals_is_put_back() -> None:
    text = b"""
import torch.nn.functional as F
old = {}

def wrap(f):
    def g(x):
        return f(x)
    return g

def patch():
    old[F.linear.__str__] = F.linear
    F.linear = wrap(F.linear)
    F.relu = wrap(F.relu)

def unpatch():
    F.linear = old[F.linear.__str__]
    F.relu = old[F.relu.__str__]
"""
    found = [
        (row.line, row.form, row.restored)
        for row in touch_sites(read_program({"port.py": text}))[0]
        if row.kind is TouchKind.MONKEY_PATCH
    ]
    # What was never put into the collection may be anything.
    changed = [(12, "assignment", True), (13, "assignment", False)]
    assert found == [*changed, (16, RESTORE, True), (17, "assignment", False)]
