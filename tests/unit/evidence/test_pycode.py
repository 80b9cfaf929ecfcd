import ast

import pytest
from leverage.evidence.pycode import Order, Place, assignments, order, selected
from leverage.model.exact import Refused

SOURCE = """\
import os
A = 2 << 20
B: int = 3
C: int
D, E = 1, 2
F = 1
F = 2
TABLE = {"x": 7, "deep": {"y": 8}, "z": 1, "z": 2}
if A:
    G = 5
else:
    G = 6
for H in range(3):
    pass


def f(a, b=4, *, c=9, d):
    size = 11

    def inner():
        size = 12
        g()

    g(h(1))
    k()
    return inner


class K:
    limit = 13

    def m(self):
        width = 14
        self.width = 15


def twice(): ...
def twice(): ...
"""
TREE = ast.parse(SOURCE)


def value(selector: str) -> str:
    found = selected(TREE, selector)
    assert isinstance(found, Place), found
    return f"{found.line}: {ast.unparse(found.node)}"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("A", "2: 2 << 20"),
        ("B", "3: 3"),
        ("TABLE[x]", "8: 7"),
        ("TABLE[deep][y]", "8: 8"),
        ("f.size", "18: 11"),
        ("f.inner.size", "21: 12"),
        ("f(b)", "17: 4"),
        ("f(c)", "17: 9"),
        ("K.limit", "30: 13"),
        ("K.m.width", "33: 14"),
    ],
)
def test_what_a_selector_names(selector: str, expected: str) -> None:
    assert value(selector) == expected


@pytest.mark.parametrize(
    ("selector", "why"),
    [
        ("C", "not assigned"),
        ("D", "no one value"),
        ("F", "assigned 2 times in the module (lines 6, 7)"),
        ("G", "assigned 2 times"),
        ("H", "no one value"),
        ("Z", "not assigned"),
        ("TABLE[q]", "0 times"),
        ("TABLE[z]", "2 times"),
        ("A[x]", "not a table"),
        ("f(a)", "no parameter"),
        ("f(d)", "no parameter"),
        ("K(a)", "not defined"),
        ("nowhere.x", "not defined"),
        ("twice.x", "defined 2 times"),
        ("f.m.n.o", "not defined"),
    ],
)
def test_what_has_no_one_value_says_why(selector: str, why: str) -> None:
    found = selected(TREE, selector)
    assert isinstance(found, Refused)
    assert why in found.why


ORDERED = """\
class S:
    def go(self, nodes):
        self.start()
        made = [self.make(n) for n in nodes]
        if config.hook is not None:
            made = config.hook(made)
        later = lambda: self.start()
        def inner():
            self.start()
        for n in nodes:
            self.one(n)
            self.two(n)
        self.end(self.one)
"""


def asked(*names: str, called: bool = True, within: str = "S.go") -> Order | Refused:
    return order(ast.parse(ORDERED), within, names, called=called)


def test_order_of_calls() -> None:
    assert asked("self.start", "self.make", "config.hook", "self.end") == Order(True, (3, 4, 6, 13), "")
    assert asked("self.make") == Order(True, (4,), "")
    wrong = asked("config.hook", "self.make")
    assert isinstance(wrong, Order)
    assert (wrong.holds, wrong.lines) == (False, (6, 4))
    assert "`self.make` stands before a use of `config.hook`" in wrong.why


def test_what_is_not_called_is_said_and_a_mention_is_no_call() -> None:
    missing = asked("self.start", "self.nothing")
    assert isinstance(missing, Order)
    assert not missing.holds
    assert "does not call `self.nothing`" in missing.why
    assert asked("config.hook", called=False) == Order(True, (5,), "")


def test_in_a_loop_lines_are_no_order() -> None:
    found = asked("self.one", "self.two")
    assert isinstance(found, Refused)
    assert "share a loop" in found.why
    absent = asked("x", within="S.nothing")
    assert isinstance(absent, Refused)


def test_functions_inside_run_at_another_time() -> None:
    # `self.start` stands in a lambda and a function after `self.end` too, which run whenever they are called.
    assert asked("self.start", "self.end") == Order(True, (3, 13), "")


ASSIGNING = """\
import up
from up import Graph
Graph.run = mine
up.mod.Graph.run = mine
Graph.run += 1
del Graph.run
setattr(Graph, "run", mine)
mock.patch.object(Graph, "run", mine)
setattr(Graph, name, mine)
other.run = mine
Subgraph.run = mine
print(Graph.run)
for Graph.run in (): pass
"""


def test_assignments_to_a_dotted_name() -> None:
    assert assignments(ast.parse(ASSIGNING), "Graph.run") == [3, 4, 5, 6, 7, 8, 13]
    assert assignments(ast.parse(ASSIGNING), "Graph.walk") == []
    assert assignments(ast.parse("x = 1\nwith a as x: pass"), "x") == [1, 2]
