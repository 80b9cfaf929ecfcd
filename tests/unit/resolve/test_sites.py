"""Every form in which a port changes or uses its substrate, one small port each, with the row that it must give."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint, Unresolved
from leverage.resolve.program import read_program
from leverage.resolve.rows import is_private
from leverage.resolve.sites import touch_sites

PATCH, MUTATION, CONFIG = TouchKind.MONKEY_PATCH, TouchKind.CONTAINER_MUTATION, TouchKind.CONFIG_KEY
USE, REGISTER = TouchKind.ATTRIBUTE_USE, TouchKind.REGISTRATION
G, LIVE = Scope.GLOBAL, Scope.INSTANCE


def sites(files: dict[str, str] | str) -> tuple[list[Touchpoint], list[Unresolved]]:
    given_files = {"port/a.py": files} if isinstance(files, str) else files
    texts = {"port/__init__.py": b"", **{path: textwrap.dedent(text).encode() for path, text in given_files.items()}}
    found, unresolved = touch_sites(read_program(texts))
    return list(found), list(unresolved)


def changes(text: str) -> list[tuple[int, TouchKind, str, str, Scope]]:
    return [
        (row.line, row.kind, row.form, row.symbol, row.scope)
        for row in sites(text)[0]
        if row.kind in {PATCH, MUTATION, CONFIG}
    ]


def only(text: str, kind: TouchKind) -> Touchpoint:
    (row,) = [row for row in sites(text)[0] if row.kind is kind]
    return row


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "import torch._inductor.ir as ir\nir.View.create = print\n",
            (2, PATCH, "assignment", "torch._inductor.ir.View.create", G),
            id="M1 at module level",
        ),
        pytest.param(
            "def install():\n    import torch._inductor.x\n    torch._inductor.x.Y.z = 1\n",
            (3, PATCH, "assignment", "torch._inductor.x.Y.z", G),
            id="M2 M3 in a function by the full path",
        ),
        pytest.param(
            "def install():\n    from torch._inductor import graph as g\n    L = g.GraphLowering\n    L.run = print\n",
            (4, PATCH, "assignment", "torch._inductor.graph.GraphLowering.run", G),
            id="M4 through aliases",
        ),
        pytest.param(
            "import torch\nfor n in ('add', 'mul'):\n    setattr(torch.Tensor, n, print)\n",
            (3, PATCH, "setattr", "torch.Tensor.<dynamic>", G),
            id="M12 setattr in a loop",
        ),
        pytest.param(
            "import importlib\nimport torch._inductor.graph as g\nimportlib.reload(g)\n",
            (3, PATCH, "reload", "torch._inductor.graph", G),
            id="M14 reload",
        ),
        pytest.param(
            "from torch._inductor.virtualized import V\ndef f():\n    V.graph.plan = {}\n",
            (3, PATCH, "assignment", "torch._inductor.graph.GraphLowering.plan", LIVE),
            id="M17 on the live graph",
        ),
        pytest.param(
            "from torch._inductor.virtualized import V\ndef g(self): pass\n"
            "V.graph.sizevars._f = g.__get__(V.graph.sizevars)\n",
            (3, PATCH, "assignment", "torch._inductor.sizevars.SizeVarAllocator._f", LIVE),
            id="M18 bound method",
        ),
        pytest.param(
            "from unittest.mock import patch\nfrom torch._inductor.virtualized import V\n"
            "with patch.object(V.graph, 'get_dtype', print):\n    pass\n",
            (3, PATCH, "patch.object", "torch._inductor.graph.GraphLowering.get_dtype", LIVE),
            id="M19 patch.object",
        ),
        pytest.param(
            "from unittest import mock\n@mock.patch('torch._inductor.codecache.f')\ndef t(): pass\n",
            (2, PATCH, "mock.patch", "torch._inductor.codecache.f", G),
            id="M19 by a string",
        ),
        pytest.param(
            "from torch._inductor.ir import Req\nclass Mixin: pass\nReq.__bases__ = (Mixin,)\n",
            (3, PATCH, "__bases__", "torch._inductor.ir.Req.__bases__", G),
            id="M20 bases",
        ),
        pytest.param(
            "import torch\ntorch._C._f = lambda *a: None\n",
            (2, PATCH, "assignment", "torch._C._f", G),
            id="M22 function of the extension",
        ),
        pytest.param(
            "import sys, port\nsys.modules['torch.x'] = port\n", (2, PATCH, "sys.modules", "torch.x", G), id="M24 graft"
        ),
        pytest.param(
            "import torch\ndel torch.Tensor.xpu\n", (2, PATCH, "del", "torch.Tensor.xpu", G), id="deleted attribute"
        ),
        pytest.param(
            "import torch\nvars(torch.Tensor)\ntorch.fx.Node.__dict__['a'] = 1\n",
            (3, PATCH, "__dict__", "torch.fx.Node.a", G),
            id="through __dict__",
        ),
        pytest.param(
            "import torch\n(torch.x.a, b) = (1, 2)\n", (2, PATCH, "assignment", "torch.x.a", G), id="unpacking"
        ),
        pytest.param(
            "import importlib\nm = importlib.import_module('torch._inductor.lowering')\nm.f = print\n",
            (3, PATCH, "assignment", "torch._inductor.lowering.f", G),
            id="import_module",
        ),
        pytest.param(
            "import torch\ngetattr(torch, 'fx').Node.f = print\n",
            (2, PATCH, "assignment", "torch.fx.Node.f", G),
            id="getattr with a literal",
        ),
        pytest.param(
            "from torch._inductor.decomposition import decompositions as d\nd['op'] = print\n",
            (2, MUTATION, "item", "torch._inductor.decomposition.decompositions", G),
            id="item of a registry",
        ),
        pytest.param(
            "from torch._inductor.lowering import lowerings\ndef f(r=lowerings):\n    r.pop('op', None)\n",
            (3, MUTATION, "pop", "torch._inductor.lowering.lowerings", G),
            id="through a default",
        ),
        pytest.param(
            "from torch._inductor.lowering import lowerings\ndef f(r):\n    del r['op']\nf(lowerings)\n",
            (3, MUTATION, "del", "torch._inductor.lowering.lowerings", G),
            id="through a parameter, deleted",
        ),
        pytest.param(
            "from torch._inductor.lowering import lowerings\n"
            "def g(a):\n    a.clear()\ndef f(r):\n    g(r)\nf(lowerings)\n",
            (3, MUTATION, "clear", "torch._inductor.lowering.lowerings", G),
            id="through two parameters",
        ),
        pytest.param(
            "from torch._inductor.fx_passes import joint_graph as j\ndef f(saved):\n    j.pass_patterns[:] = saved\n",
            (3, MUTATION, "slice", "torch._inductor.fx_passes.joint_graph.pass_patterns", G),
            id="slice",
        ),
        pytest.param(
            "from torch._inductor.graph import GraphLowering\ndef f(graph: GraphLowering):\n"
            "    ops = graph.operations\n    ops.remove(1)\n",
            (4, MUTATION, "remove", "torch._inductor.graph.GraphLowering.operations", LIVE),
            id="live list by annotation and alias",
        ),
        pytest.param(
            "from torch._inductor.virtualized import V\ndef f(s):\n    V.graph.removed_buffers |= s\n",
            (3, MUTATION, "augmented", "torch._inductor.graph.GraphLowering.removed_buffers", LIVE),
            id="in-place or",
        ),
        pytest.param(
            "from torch._inductor.graph import GraphLowering\nclass P:\n"
            "    def __init__(self, lowering: 'GraphLowering'):\n        self.lowering = lowering\n"
            "    def go(self):\n        self.lowering.name_to_buffer['a'] = 1\n",
            (6, MUTATION, "item", "torch._inductor.graph.GraphLowering.name_to_buffer", LIVE),
            id="field set in a constructor",
        ),
        pytest.param(
            "import torch._decomp as d\nfrom torch._inductor.decomposition import decompositions\n"
            "d._add_op_to_registry(decompositions, 'op', print)\n",
            (3, MUTATION, "helper", "torch._inductor.decomposition.decompositions", G),
            id="through an upstream helper",
        ),
        pytest.param(
            "from torch._inductor.codecache import cache\ndef f(k):\n    e = cache.get(k)\n    cache.get(k)['x'] = 1\n",
            (4, MUTATION, "item", "torch._inductor.codecache.cache", G),
            id="entry of a cache",
        ),
        pytest.param(
            "import torch._inductor.utils as u\nu.f.cache_clear()\n",
            (2, MUTATION, "cache_clear", "torch._inductor.utils.f", G),
            id="M26 cache",
        ),
        pytest.param(
            "from torch._dynamo.utils import counters\ncounters['a']['b'] += 1\n",
            (2, MUTATION, "augmented", "torch._dynamo.utils.counters", G),
            id="telemetry",
        ),
        pytest.param(
            "from unittest.mock import patch\nimport torch._inductor.lowering as l\n"
            "with patch.dict(l.lowerings, {}): pass\n",
            (3, MUTATION, "patch.dict", "torch._inductor.lowering.lowerings", G),
            id="patch.dict",
        ),
        pytest.param(
            "import torch\ntorch._inductor.config.size_asserts = False\n",
            (2, CONFIG, "assignment", "torch._inductor.config.size_asserts", G),
            id="switch",
        ),
        pytest.param(
            "from torch._inductor import config\nwith config.patch({'max_autotune': True}): pass\n",
            (2, CONFIG, "patch", "torch._inductor.config.max_autotune", G),
            id="switch for a while",
        ),
    ],
)
def test_each_form_gives_its_row(source: str, expected: tuple[int, TouchKind, str, str, Scope]) -> None:
    assert changes(source) == [expected]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nx = torch.add(1, 2)\ntorch.ops.aten.add(1, 2)\n",
        "import torch\nt = torch.empty(3)\nt[0] = 1\n",
        "class A:\n    def f(self):\n        self.x = 1\n        self.items = []\n        self.items.append(1)\n",
        "from torch._inductor.ir import Pointwise\nclass Mine(Pointwise):\n    def f(self):\n        self.mine = 1\n",
        "from torch.utils._ordered_set import OrderedSet\ns = OrderedSet()\ns.add(1)\n",
        "import numpy\nnumpy.x = 1\nnumpy.y.append(2)\n",
        "def f(torch):\n    torch.x = 1\n",
        "from . import other\nother.f = 1\n",
    ],
)
def test_ordinary_code_changes_nothing_of_theirs(source: str) -> None:
    assert changes(source) == []


def test_a_wrapper_is_told_from_a_replacement() -> None:
    wrapper = """
    from torch._inductor.graph import GraphLowering
    import functools
    old = GraphLowering.codegen
    @functools.wraps(old)
    def mine(self, *args, **kwargs):
        return old(self, *args, **kwargs)
    GraphLowering.codegen = mine
    """
    row = only(wrapper, PATCH)
    assert (row.wraps, row.line) == (True, 8)
    assert [(each.name, each.kind) for each in row.parameters or ()] == [
        ("self", "positional"),
        ("args", "var_positional"),
        ("kwargs", "var_keyword"),
    ]
    replaced = only(wrapper.replace("return old(self, *args, **kwargs)", "return 1"), PATCH)
    assert replaced.wraps is False
    assert only("import torch\ntorch.f = wrap(torch.f)\n", PATCH).wraps is True
    assert only("import torch\ntorch.f = torch.g\n", PATCH).wraps is None


def test_what_is_put_back_is_paired_with_its_patch() -> None:
    source = """
    from contextlib import contextmanager
    from torch._inductor.ir import Loops
    @contextmanager
    def on(threshold):
        saved = Loops.has_large_inner_fn
        Loops.has_large_inner_fn = lambda self, t=None: True
        try:
            yield
        finally:
            Loops.has_large_inner_fn = saved
    """
    rows = [(row.line, row.form, row.restored) for row in sites(source)[0] if row.kind is PATCH]
    assert rows == [(7, "assignment", True), (11, "restore", True)]
    kept = source.replace("Loops.has_large_inner_fn = saved", "pass")
    assert only(kept, PATCH).restored is False


def test_conditions_that_ask_for_a_version_are_told() -> None:
    source = """
    import torch
    if torch.__version__ >= "2.10":
        torch.a = 1
    else:
        torch.b = 2
    try:
        from torch._inductor import new
    except ImportError:
        new = None
    """
    guards = {row.symbol: row.guard for row in sites(source)[0]}
    assert guards["torch.a"] == "torch.__version__ >= '2.10'"
    assert guards["torch.b"] == "not (torch.__version__ >= '2.10')"
    assert guards["torch._inductor.new"] == "try: except ImportError"


def test_quiet_forms() -> None:
    source = """
    from torch._inductor.ir import ComputedBuffer
    from torch._inductor.fx_passes.joint_graph import pass_patterns
    from torch._inductor.utils import helper
    def f(op: ComputedBuffer):
        object.__setattr__(op.data, "ranges", 1)
        getattr(op, "_split_size", None)
        helper.__closure__
        pass_patterns[2]
        op.planted = 3
        op._private()  # type: ignore[attr-defined]
    """
    rows = {row.line: row for row in sites(source)[0] if row.kind is USE}
    assert (rows[6].form, rows[6].symbol, rows[6].scope) == (
        "object.__setattr__",
        "torch._inductor.ir.Loops.ranges",
        LIVE,
    )
    assert (rows[7].form, rows[7].symbol) == ("getattr", "torch._inductor.ir.ComputedBuffer._split_size")
    assert (rows[8].form, rows[8].symbol) == ("innards", "torch._inductor.utils.helper.__closure__")
    assert (rows[9].form, rows[9].symbol, rows[9].value) == (
        "index",
        "torch._inductor.fx_passes.joint_graph.pass_patterns",
        "2",
    )
    assert (rows[10].form, rows[10].symbol, rows[10].scope) == (
        "write",
        "torch._inductor.ir.ComputedBuffer.planted",
        LIVE,
    )
    assert (rows[11].form, rows[11].detail) == ("call", "type: ignore")


def test_imports_subclasses_overrides_and_registrations() -> None:
    source = """
    from torch._inductor.lowering import register_lowering, make_fallback
    from torch._inductor.scheduler import BaseScheduling
    from torch._inductor.y import *
    class Mine(BaseScheduling):
        def flush(self):
            super().flush()
        def own(self): pass
    class Deeper(Mine):
        def group_fn(self, sizes): return super().group_fn(sizes)
    @register_lowering("aten.mm", type_promotion_kind=None)
    def mm(a, b): pass
    make_fallback("op")
    """
    rows = sites(source)[0]
    assert [(row.line, row.form, row.symbol) for row in rows if row.kind is TouchKind.IMPORT] == [
        (2, "from", "torch._inductor.lowering.make_fallback"),
        (2, "from", "torch._inductor.lowering.register_lowering"),
        (3, "from", "torch._inductor.scheduler.BaseScheduling"),
        (4, "star", "torch._inductor.y"),
    ]
    subclass = next(row for row in rows if row.kind is TouchKind.SUBCLASS)
    assert (subclass.line, subclass.symbol, subclass.within) == (5, "torch._inductor.scheduler.BaseScheduling", "Mine")
    overrides = [(row.line, row.symbol, row.wraps) for row in rows if row.kind is TouchKind.OVERRIDE]
    assert overrides == [
        (6, "torch._inductor.scheduler.BaseScheduling.flush", True),
        (10, "torch._inductor.scheduler.BaseScheduling.group_fn", True),
    ]
    registered = [
        (row.line, row.form, row.symbol.rpartition(".")[2], row.value) for row in rows if row.kind is REGISTER
    ]
    assert registered == [(11, "decorator", "register_lowering", "'aten.mm'"), (13, "call", "make_fallback", "'op'")]
    call = next(row.call for row in rows if row.kind is REGISTER)
    assert call is not None
    assert (call.positional, call.keywords) == (1, ("type_promotion_kind",))


def test_members_of_upstream_classes_tell_overrides_and_planted_names() -> None:
    source = """
    from torch._inductor.scheduler import BaseScheduling
    from torch._inductor.ir import Buffer
    class Mine(BaseScheduling):
        def flush(self): pass
        def own(self): pass
    def f(b: Buffer):
        b.layout = 1
        b.mine = 2
    """
    program = read_program({"a.py": textwrap.dedent(source).encode()})
    known = {
        "torch._inductor.scheduler.BaseScheduling": frozenset({"flush"}),
        "torch._inductor.ir.Buffer": frozenset({"layout"}),
    }
    rows = touch_sites(program, members=known.get)[0]
    overrides = [(row.symbol, row.certainty) for row in rows if row.kind is TouchKind.OVERRIDE]
    assert overrides == [("torch._inductor.scheduler.BaseScheduling.flush", Certainty.CERTAIN)]
    assert [(row.line, row.form) for row in rows if row.scope is LIVE] == [(8, "write"), (9, "planted")]


def test_names_are_followed_through_the_ports_own_modules() -> None:
    rows, _ = sites(
        {
            "port/compat.py": "from torch._inductor.lowering import lowerings as table\nimport torch._inductor.ir\n"
            "ir = torch._inductor.ir\n",
            "port/b.py": "from .compat import table, ir\nfrom . import compat\n"
            "table.pop(1)\ncompat.ir.View.f = 1\nir.g = 2\n",
        }
    )
    assert [(row.line, row.symbol) for row in rows if row.path == "port/b.py" and row.kind in {PATCH, MUTATION}] == [
        (3, "torch._inductor.lowering.lowerings"),
        (4, "torch._inductor.ir.View.f"),
        (5, "torch._inductor.ir.g"),
    ]


def test_the_way_to_a_receiver_is_told_step_by_step() -> None:
    row = only("from torch._inductor.lowering import lowerings\ndef f(r):\n    r.pop(1)\nf(lowerings)\n", MUTATION)
    assert (row.resolution, row.certainty) == ("parameter", Certainty.LIKELY)
    assert [(step.line, step.text) for step in row.steps] == [
        (1, "`lowerings` is imported from `torch._inductor.lowering`"),
        (4, "`r` of `f` is called with `lowerings`"),
    ]


def test_a_receiver_that_cannot_be_told_is_a_row() -> None:
    _, unresolved = sites("def restore(saved):\n    for o, n, v in saved:\n        setattr(o, n, v)\n")
    assert [(row.line, row.kind, row.text) for row in unresolved] == [(3, PATCH, "o")]


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (b"def f(:\n", "does not parse"),
        (b"print 'two'\n", "does not parse"),
        (b"x = 1\0\n", "does not parse"),
        (b"x = " + b"(" * 20_000 + b")" * 20_000, "does not parse"),
        (b"# -*- coding: nowhere -*-\n", "does not parse"),
        (b"#" * (9 * 2**20), "not parsed"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_row(source: bytes, word: str) -> None:
    found, unresolved = touch_sites(read_program({"bad.py": source, "good.py": b"import torch\ntorch.a = 1\n"}))
    assert [row.path for row in found] == ["good.py", "good.py"]
    assert [(row.path, word in row.why) for row in unresolved] == [("bad.py", True)]


def test_hostile_shapes_are_read() -> None:
    big = "T = {" + ",".join(f"{n}: torch.f{n}" for n in range(12_000)) + "}\n"
    deep = "x = " + "a." * 900 + "b\n"
    found, unresolved = sites(
        {
            "port/a.py": "from .b import *\nfrom .b import y as x\nx.z = 1\n",
            "port/b.py": "from .a import *\nfrom .a import x as y\n",
            "port/c.py": "import torch\n" + big,
            "port/d.py": deep,
            "port/e.py": "def f(a=None):\n    a = a or f(a)\n    a.x = 1\n    return f(f)\n",
        }
    )
    assert not unresolved
    assert {row.path for row in found} == {"port/c.py"}


@given(st.text("torchimpfdelcas=.()[]:\n @xyVg1'", max_size=120))
def test_any_text_is_read(text: str) -> None:
    found, unresolved = touch_sites(read_program({"a.py": b"import torch\n" + text.encode()}))
    assert found or unresolved


def test_order_of_files_makes_no_difference() -> None:
    files = {f"port/{name}.py": f"import torch\ntorch.{name} = 1\n".encode() for name in "cabd"}
    assert touch_sites(read_program(files)) == touch_sites(read_program(dict(sorted(files.items()))))


@pytest.mark.parametrize(
    ("symbol", "private"),
    [
        ("torch.nn.Module", False),
        ("torch._inductor.ir.View", True),
        ("torch.Tensor.__add__", False),
        ("torch.a._b", True),
    ],
)
def test_private_is_one_underscore(symbol: str, *, private: bool) -> None:
    assert is_private(symbol) is private
