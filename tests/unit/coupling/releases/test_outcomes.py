from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.coupling.releases.matrix import matrix_of, symbols_of
from leverage.coupling.releases.outlook import outlook_of
from leverage.model.touchpoints import Call, Certainty, Parameter, Scope, TouchKind, Touchpoint
from tests.unit.coupling.releases.made import releases, single

if TYPE_CHECKING:
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.coupling.releases.outcomes import Verdict


def site(kind: TouchKind, symbol: str, form: str = "read", **more: object) -> Touchpoint:
    plain = Touchpoint("p.py", 1, 0, kind, form, symbol, True, Scope.GLOBAL, "import", Certainty.CERTAIN)
    return replace(plain, **more)  # type: ignore[arg-type]


def judged(one: Touchpoint, names: list[ReleaseNames], *others: Touchpoint, pin: int = 0) -> list[Verdict]:
    sites = [one, *others]
    matrix = matrix_of(symbols_of(sites), names, pin, "")
    return list(outlook_of(sites, matrix, names).sites[one].values())


def outcomes(one: Touchpoint, *texts: str, others: tuple[Touchpoint, ...] = (), pin: int = 0) -> list[str]:
    return [each.outcome.value for each in judged(one, single(*texts), *others, pin=pin)]


OLD = "def f(a, b=1): return a"
CALL = site(TouchKind.ATTRIBUTE_USE, "up.m.f", "call")


@pytest.mark.parametrize(
    ("call", "new", "outcome"),
    [
        (Call(1), "def f(a, b=1, c=2): return a", "ok"),
        (Call(1), "def f(a, c): return a", "breaks"),
        (Call(2), "def f(a): return a", "breaks"),
        (Call(1, ("b",)), "def f(a, *, b=1): return a", "ok"),
        (Call(2), "def f(a, *, b=1): return a", "breaks"),
        (Call(1, ("b",)), "def f(a, c=1): return a", "breaks"),
        (Call(1, ("b",)), "def f(a, **more): return a", "ok"),
        (Call(2), "def f(a, c=0, b=1): return a", "position_moved"),
        (Call(1, ("b",)), "def f(a, c=0, b=1): return a", "ok"),
        (Call(0, star=True), "def f(a, c): return a", "ok"),
        (Call(1), "def f(a, b=1): return b", "review"),
        (Call(1), "", "breaks"),
    ],
)
def test_a_call_must_bind(call: Call, new: str, outcome: str) -> None:
    assert outcomes(replace(CALL, call=call), OLD, new) == ["ok", outcome]


def test_methods_and_constructors_are_called_without_their_object() -> None:
    method = site(TouchKind.ATTRIBUTE_USE, "up.m.C.f", "call", call=Call(1))
    old, new = "class C:\n  def f(self, a): pass", "class C:\n  def f(self, a, b): pass"
    assert outcomes(method, old, new) == ["ok", "breaks"]
    assert outcomes(method, old, "class C:\n  def f(self, a, b=1): pass") == ["ok", "ok"]
    made = site(TouchKind.ATTRIBUTE_USE, "up.m.C", "call", call=Call(1))
    old, new = "class C:\n  def __init__(self, a): pass", "class C:\n  def __init__(self, a, *, b): pass"
    assert outcomes(made, old, new) == ["ok", "breaks"]


SELF_A = (Parameter("self", "positional"), Parameter("a", "positional"))


@pytest.mark.parametrize(
    ("own", "new", "outcome"),
    [
        (SELF_A, "self, a", "ok"),
        (SELF_A, "self, a, b=1", "breaks"),
        (SELF_A, "self, a, *, b=1", "breaks"),
        ((*SELF_A, Parameter("more", "var_keyword")), "self, a, *, b=1", "review"),
        ((*SELF_A, Parameter("b", "keyword_only", "1")), "self, a, *, b=1", "review"),
    ],
)
def test_an_override_must_take_every_new_parameter(own: tuple[Parameter, ...], new: str, outcome: str) -> None:
    override = site(TouchKind.OVERRIDE, "up.m.C.f", "method", parameters=own)
    old = "class C:\n  def f(self, a): return 1"
    assert outcomes(override, old, f"class C:\n  def f({new}): return 1") == ["ok", outcome]


def test_what_never_fitted_is_no_news() -> None:
    override = site(TouchKind.OVERRIDE, "up.m.C.f", "method", parameters=(Parameter("self", "positional"),))
    assert outcomes(override, *["class C:\n  def f(self, a): return 1"] * 2) == ["ok", "ok"]


def test_an_override_of_what_is_gone_is_dead_and_breaks_if_it_calls_it() -> None:
    override = site(TouchKind.OVERRIDE, "up.m.C.f", "method")
    old = "class C:\n  def f(self, a): return 1"
    assert outcomes(override, old, "class C: pass") == ["ok", "silently_dead"]
    assert outcomes(replace(override, wraps=True), old, "class C: pass") == ["ok", "breaks"]


PATCH = site(TouchKind.MONKEY_PATCH, "up.m.f", "assignment")


def test_a_patch_of_what_is_gone_is_silently_dead_unless_it_takes_the_original() -> None:
    assert outcomes(PATCH, OLD, "") == ["ok", "silently_dead"]
    assert outcomes(replace(PATCH, wraps=True), OLD, "") == ["ok", "breaks"]
    assert outcomes(replace(PATCH, form="patch.object"), OLD, "") == ["ok", "breaks"]
    assert outcomes(replace(PATCH, form="restore"), OLD, "") == ["ok", "ok"]
    assert outcomes(replace(PATCH, symbol="up.m.C.f"), "class C:\n  def f(self): pass", "") == ["ok", "breaks"]


def test_a_patch_needs_an_unchanged_body_and_a_wrapper_what_it_names() -> None:
    assert outcomes(PATCH, OLD, "def f(a, b=1): return b") == ["ok", "review"]
    everything = (Parameter("args", "var_positional"), Parameter("kwargs", "var_keyword"))
    wrapper = replace(PATCH, wraps=True, parameters=everything)
    assert outcomes(wrapper, OLD, "def f(a, b=1, c=2): return a") == ["ok", "review"]
    fixed = replace(PATCH, wraps=True, parameters=(Parameter("a", "positional"), Parameter("b", "positional", "1")))
    assert outcomes(fixed, OLD, "def f(a, b=1, c=2): return a") == ["ok", "breaks"]


def test_a_patch_is_leaky_where_others_took_the_name_before() -> None:
    before = {"up/__init__.py": "", "up/m.py": OLD}
    names = releases({**before, "up/n.py": "from up import m"}, {**before, "up/n.py": "from up.m import f"})
    first, second = judged(PATCH, names)
    assert first.outcome.value == "ok"
    assert second.outcome.value == "leaky"
    assert "up.n.f" in second.why
    both = judged(PATCH, names, replace(PATCH, symbol="up.n.f", line=2))
    assert both[1].outcome.value == "ok"
    typing = releases(before, {**before, "up/n.py": "if TYPE_CHECKING:\n  from up.m import f"})
    assert judged(PATCH, typing)[1].outcome.value == "ok"


def test_a_name_that_the_port_adds_can_only_collide() -> None:
    added = replace(PATCH, symbol="up.m.mine")
    assert outcomes(added, "", "") == ["ok", "ok"]
    assert outcomes(added, "", "mine = 1") == ["ok", "collides"]


def test_a_switch_may_be_gone_have_no_effect_or_take_another_type() -> None:
    switch = site(TouchKind.CONFIG_KEY, "up.config.a", "patch", value="True")

    def releases_of(*texts: str) -> list[ReleaseNames]:
        return releases(*({"up/__init__.py": "", "up/config.py": text} for text in texts))

    found = judged(switch, releases_of("a = False", "a = True", "", "a = [1]"))
    assert [each.outcome.value for each in found] == ["ok", "no_effect", "breaks", "review"]
    typed = judged(switch, releases_of("a: Callable = None", "a: CustomGraphPassType = None"))
    assert [each.outcome.value for each in typed] == ["ok", "degrades"]


def test_a_position_counts_only_where_it_is_used() -> None:
    popped = site(TouchKind.CONTAINER_MUTATION, "up.m.passes", "pop")
    old, new = "passes = [a, b]", "passes = [a, b, c]"
    assert outcomes(popped, old, new) == ["ok", "position_moved"]
    assert outcomes(replace(popped, form="append"), old, new) == ["ok", "review"]
    assert outcomes(popped, old, "") == ["ok", "breaks"]
    assert outcomes(popped, old, "def passes(): pass") == ["ok", "breaks"]


def test_what_asks_first_is_not_reached() -> None:
    asked = site(TouchKind.IMPORT, "up.m.f", "from", guard="try: except ImportError")
    assert outcomes(asked, OLD, "") == ["ok", "not_reached"]
    used = replace(CALL, call=Call(1))
    assert outcomes(used, OLD, "", others=(asked,)) == ["ok", "not_reached"]
    assert outcomes(replace(used, guard="hasattr(x, 'free_symbols')"), OLD, "") == ["ok", "breaks"]
    assert outcomes(replace(used, guard="hasattr(m, 'f')"), OLD, "") == ["ok", "not_reached"]


def test_an_import_fails_at_import_only_at_the_top() -> None:
    at_top, inside = site(TouchKind.IMPORT, "up.m.f", "from"), site(TouchKind.IMPORT, "up.m.f", "from", within="p.g")
    names = single(OLD, "")
    matrix = matrix_of(symbols_of([at_top]), names, 0, "")
    assert outlook_of([at_top], matrix, names).summaries[1].imports == 1
    assert outlook_of([inside], matrix, names).summaries[1].imports == 0


def test_the_span_reaches_as_far_as_nothing_breaks() -> None:
    names = single("", OLD, OLD, "", OLD)
    one = site(TouchKind.IMPORT, "up.m.f", "from")
    matrix = matrix_of(symbols_of([one]), names, 2, "")
    assert outlook_of([one], matrix, names).span == ("1.1", "1.2")
    matrix = matrix_of(symbols_of([one]), names, 0, "")
    assert outlook_of([one], matrix, names).span is None


def test_asking_for_a_package_excuses_nothing_below_it_that_is_gone() -> None:
    asked = site(TouchKind.IMPORT, "up.m", "import", guard="try: except ImportError")
    used = replace(CALL, call=Call(1))
    assert outcomes(used, OLD, "", others=(asked,)) == ["ok", "breaks"]
    elsewhere = site(TouchKind.IMPORT, "up.m.f", "from", guard="try: except ImportError", path="q.py")
    assert outcomes(used, OLD, "", others=(elsewhere,)) == ["ok", "breaks"]


def test_a_new_abstract_method_breaks_every_class_below() -> None:
    derived = site(TouchKind.SUBCLASS, "up.m.C", "base")
    old = "class C(ABC):\n  @abstractmethod\n  def f(self): ...\n  def g(self): pass\n"
    assert outcomes(derived, old, f"{old}  @abc.abstractmethod\n  def h(self): ...\n") == ["ok", "breaks"]
    assert outcomes(derived, old, f"{old}  def h(self): ...\n") == ["ok", "ok"]
    done = "class B(ABC):\n  @abstractmethod\n  def h(self): ...\nclass C(B):\n  def h(self): ...\n"
    assert outcomes(derived, "class B(ABC): pass\nclass C(B): pass\n", done) == ["ok", "ok"]


def test_a_string_through_a_name_that_is_a_module_and_a_function_is_uncertain() -> None:
    plain = {"up/__init__.py": "", "up/m.py": OLD}
    shadowed = {"up/__init__.py": "from .m import f as m", "up/m.py": OLD}
    own = {"up/__init__.py": "def m(): pass", "up/m.py": OLD}
    module = {"up/__init__.py": "from . import m", "up/m.py": OLD}
    by_string = replace(PATCH, form="mock.patch")
    found = judged(by_string, releases(plain, shadowed, own, module))
    assert [each.outcome.value for each in found] == ["ok", "review", "review", "ok"]
