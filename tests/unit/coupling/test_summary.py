from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from leverage.coupling.summary import holds, totals
from leverage.model.touchpoints import Certainty, Scope, TouchKind, Touchpoint

ONE = Touchpoint("a.py", 3, 0, TouchKind.IMPORT, "from", "up.x._f", True, Scope.NONE, "import", Certainty.CERTAIN)
PATCH = replace(ONE, kind=TouchKind.MONKEY_PATCH, form="assignment", symbol="up.y", private=False, scope=Scope.GLOBAL)
ROWS = [
    ONE,
    replace(ONE, path="b.py"),
    PATCH,
    replace(PATCH, line=9, restored=True),
    replace(PATCH, path="b.py", symbol="up.z", scope=Scope.INSTANCE),
    replace(ONE, symbol="up.y", kind=TouchKind.ATTRIBUTE_USE, private=False),
]


def test_totals_by_kind_and_of_all() -> None:
    found = {total.kind: total for total in totals(ROWS)}
    assert list(found) == [TouchKind.IMPORT, TouchKind.MONKEY_PATCH, TouchKind.ATTRIBUTE_USE, None]
    patches = found[TouchKind.MONKEY_PATCH]
    assert (patches.sites, patches.private, patches.public) == (3, 0, 3)
    assert (patches.global_, patches.instance, patches.restored) == (2, 1, 1)
    assert (patches.symbols, patches.files) == (2, 2)
    everything = found[None]
    assert (everything.sites, everything.private, everything.symbols, everything.files) == (6, 2, 3, 2)


def test_nothing_has_a_total_of_nothing() -> None:
    assert [(total.kind, total.sites) for total in totals([])] == [(None, 0)]
    assert holds([]) == []


def test_what_hangs_on_what_is_ranked_by_sites_files_and_name() -> None:
    assert [(hold.symbol, hold.sites, hold.files, hold.private) for hold in holds(ROWS)] == [
        ("up.y", 3, 1, False),
        ("up.x._f", 2, 2, True),
        ("up.z", 1, 1, False),
    ]
    assert holds(ROWS)[0].kinds == ((TouchKind.MONKEY_PATCH, 2), (TouchKind.ATTRIBUTE_USE, 1))


@given(st.lists(st.sampled_from(ROWS)))
def test_nothing_is_lost_or_counted_twice(rows: list[Touchpoint]) -> None:
    *kinds, every = totals(rows)
    assert sum(total.sites for total in kinds) == every.sites == len(rows)
    assert sum(hold.sites for hold in holds(rows)) == len(rows)
    assert holds(rows) == holds(reversed(rows))
