"""Functions and files that stand upstream, as touchpoints."""

from __future__ import annotations

from leverage.coupling.copied import FILE, FUNCTION, RUN, copied_touchpoints
from leverage.measure.copied.reference import reference
from leverage.model.touchpoints import Certainty, Scope, TouchKind

ORDER = b"""def order_nodes(graph, limit):
    pending = list(graph.nodes)
    ordered = []
    while pending and len(ordered) < limit:
        node = pending.pop(0)
        if any(user not in ordered for user in node.users):
            pending.append(node)
            continue
        ordered.append(node)
        graph.mark(node, len(ordered))
    ordered.extend(sorted(pending, key=lambda node: node.name))
    return ordered
"""
COST = b"""def cost_of(node, device):
    lines = node.lines * device.line_cost
    moves = sum(read.bytes for read in node.reads) / device.bandwidth
    waits = max(0, device.latency - lines * device.overlap)
    return lines + moves * device.weight + waits
"""
OWN = b"""def own(device):
    table = build_table(device.cores, device.lanes)
    for core in range(device.cores):
        table[core].assign(core * device.lanes, device.kind)
    first = table.pop(device.first_core)
    last = table.pop(device.last_core)
    check_that(first.ready and last.ready, device)
    return table.freeze(first.kind, last.kind)
"""
UPSTREAM = reference({"up/order.py": ORDER, "up/cost/__init__.py": COST})


def rows(texts: dict[str, bytes]) -> list[tuple[str, int, str, str, str, str]]:
    return [
        (each.path, each.line, each.form, each.symbol, each.within, each.detail)
        for each in copied_touchpoints(texts, UPSTREAM)
    ]


def test_a_copied_function_names_where_it_stands_upstream_and_how_much_of_it() -> None:
    renamed = COST.replace(b"lines", b"steps")
    found = rows(
        {"b.py": OWN, "a.py": OWN + b"\n\n" + ORDER.replace(b"order_nodes", b"sort_nodes"), "c.py": OWN + renamed}
    )
    assert [row[:5] for row in found] == [
        ("a.py", 11, FUNCTION, "up.order.order_nodes", "sort_nodes"),
        ("c.py", 9, FUNCTION, "up.cost.cost_of", "cost_of"),
    ]
    assert found[0][5].startswith(("8 of 8 statements", "9 of 9 statements", "10 of 10 statements", "11 of 11"))


def test_a_file_that_was_copied_is_one_row_more() -> None:
    both = reference({"up/all.py": ORDER + b"\n" + COST})
    found = copied_touchpoints({"mine.py": b"X = 1\n" + ORDER + b"\n" + COST}, both)
    assert [(each.line, each.form, each.symbol) for each in found] == [
        (1, FILE, "up.all"),
        (2, FUNCTION, "up.all.order_nodes"),
        (15, FUNCTION, "up.all.cost_of"),
    ]
    # Two copies in a file that is mostly something else do not make it one.
    more = b"\n".join(OWN.replace(b"own", b"own%d" % at) for at in range(9))
    found = copied_touchpoints({"mine.py": ORDER + b"\n" + COST + b"\n" + more}, both)
    assert [each.form for each in found] == [FUNCTION, FUNCTION]


def test_a_run_inside_a_function_of_ones_own_is_told_apart() -> None:
    body = b"".join(ORDER.splitlines(keepends=True)[1:11])
    own = (
        b"def mine(graph, limit):\n"
        + body
        + b"".join(b"    value_%d = graph.table[%d].convert(limit, %d)\n" % (at, at, at) for at in range(30))
    )
    (found,) = rows({"a.py": own})
    assert found[2:5] == (RUN, "up.order.order_nodes", "mine")


def test_a_copy_touches_nothing_that_is_private() -> None:
    private = reference({"up/_in.py": ORDER})
    (found,) = copied_touchpoints({"a.py": ORDER}, private)
    assert (found.kind, found.private, found.scope) == (TouchKind.COPIED, False, Scope.NONE)
    assert (found.symbol, found.certainty) == ("up._in.order_nodes", Certainty.LIKELY)
    assert rows({"a.py": OWN, "b.py": b"", "c.py": b"def broken(:"}) == []
