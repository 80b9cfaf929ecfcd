"""Who calls whom: directly, through objects and lists, and by handing a function on."""

from __future__ import annotations

from leverage.resolve.program import read_program

SOURCE = b"""
class Pass:
    def __init__(self): self.go()
    def go(self): helper()
    def __call__(self, graph): step(graph)
def helper(): pass
def step(graph): pass
def handed(): pass
def unused(): pass
PASSES = [step, handed]
def start(run):
    Pass()(1)
    run(handed)
    def inner(): helper()
    for each in PASSES: each(2)
"""


def test_what_may_run_when_a_function_runs() -> None:
    program = read_program({"port.py": SOURCE})
    functions = {scope.symbol: scope for scope in program.functions}

    def names(symbol: str) -> set[str]:
        return {each.symbol for each in program.reached(functions[symbol])}

    assert names("helper") == {"helper"}
    # `self` is handed on, and an object of this class can be called.
    assert names("Pass.__init__") == {"Pass.__init__", "Pass.go", "Pass.__call__", "helper", "step"}
    assert names("start") == {*functions} - {"unused"}
