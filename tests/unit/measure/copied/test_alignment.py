"""What counts as copied, with the right answers worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.copied.alignment import Copy, copied_lines, copies
from leverage.measure.copied.reference import reference
from leverage.measure.copied.statements import read_blocks

UPSTREAM = b'''
import math

def tile(self, sizes, limit):
    """Upstream's words."""
    total = math.prod(sizes)
    count = self.ceil(total, limit)
    while count * limit < total:
        count = count + self.step
    self.plan.append((count, limit))
    return self.finish(count)

def other(graph):
    for node in graph.nodes:
        node.meta["seen"] = node.index + 1
    graph.lint(strict=True)
    graph.recompile(force=False)
'''


def found(port: bytes, upstream: bytes = UPSTREAM, **options: Fraction) -> list[Copy]:
    return list(copies(read_blocks("port.py", port), reference({"up.py": upstream}), **options))


def test_a_verbatim_function_is_copied_whatever_its_comments_and_layout() -> None:
    port = (
        b"# ours\n"
        b"def tile(self, sizes, limit):  # as theirs\n"
        b"    '''Our words.'''\n"
        b"    total = math.prod(\n"
        b"        sizes,\n"
        b"    )\n"
        b"    count = self.ceil(total, limit)\n"
        b"    while count * limit < total:\n"
        b"        count = count + self.step\n"
        b"    self.plan.append((count, limit))\n"
        b"    return self.finish(count)\n"
    )
    (copy,) = found(port)
    assert (copy.symbol, copy.source_path, copy.source_symbol, copy.first) == ("tile", "up.py", "tile", 2)
    assert (copy.statements, copy.matched, copy.renamed, copy.whole) == (7, 7, 0, True)
    assert copy.lines == (2, 4, 5, 6, 7, 8, 9, 10, 11)  # neither the documentation nor the comment


def test_consistent_renaming_is_seen_and_told_apart() -> None:
    port = (
        UPSTREAM.replace(b"count", b"anzahl").replace(b"def tile", b"def kacheln").replace(b"self.plan", b"self.liste")
    )
    copy = found(port)[0]
    assert (copy.symbol, copy.source_symbol, copy.matched, copy.renamed) == ("kacheln", "tile", 7, 6)


def test_names_exchanged_here_and_there_are_no_renaming() -> None:
    port = (
        b"def spread(self, a, b):\n"
        b"    c = math.prod(a)\n"
        b"    d = self.f(c, b)\n"
        b"    while b * a < d:\n"
        b"        b = c + self.g\n"
        b"    self.h.append((d, a))\n"
        b"    return self.k(b)\n"
    )
    assert found(port) == []


def test_moved_statements_are_found_where_they_stand() -> None:
    lines = UPSTREAM.splitlines(keepends=True)
    head, body = lines[3], lines[5:11]
    port = head + b"".join(body[3:] + body[:3])
    (copy,) = found(port)
    assert (copy.matched, copy.statements) == (7, 7)


def test_code_of_their_own_with_a_few_equal_statements_is_no_copy() -> None:
    port = (
        b"def plan(self, work):\n"
        b"    total = math.prod(sizes)\n"
        b"    count = self.ceil(total, limit)\n"
        b"    self.cores.assign(work, count)\n"
        b"    self.pads.reserve(work.bytes)\n"
        b"    return self.emit(work, count)\n"
    )
    assert found(port) == []


def test_a_long_run_inside_own_code_counts_as_that_run_alone() -> None:
    inside = b"".join(UPSTREAM.splitlines(keepends=True)[5:11])
    own = b"".join(b"    self.own_%d(alpha, beta, %d)\n" % (n, n) for n in range(12))
    (copy,) = found(b"def mine(self):\n" + own + inside)
    assert (copy.whole, copy.matched, copy.statements) == (False, 6, 19)
    assert copy.lines == (14, 15, 16, 17, 18, 19)
    assert copy.similarity == Fraction(6, 19)


def test_the_threshold_decides_between_whole_and_run() -> None:
    body = UPSTREAM.splitlines(keepends=True)
    port = body[3] + b"".join(body[5:8]) + b"    mine(alpha, beta, 1)\n    mine(alpha, beta, 2)\n"
    (copy,) = found(port)
    assert (copy.matched, copy.statements, copy.whole) == (4, 6, True)
    assert found(port, similar=Fraction(3, 4)) == []


def test_lines_of_several_copies_are_united_by_file() -> None:
    both = list(found(UPSTREAM))
    assert [copy.symbol for copy in both] == ["tile", "other"]
    assert copied_lines(both) == {"port.py": frozenset({4, *range(6, 12), 13, 14, 15, 16, 17})}


def test_nothing_is_copied_from_nothing_or_from_other_code() -> None:
    assert found(UPSTREAM, b"") == []
    assert found(b"", UPSTREAM) == []
    assert found(b"x = (\n", UPSTREAM) == []


@given(st.integers(0, 2**32))
def test_a_copy_is_found_in_any_company(seed: int) -> None:
    """Whatever own functions stand around it, the same lines are found, and none of the others."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable shuffle
    own = [
        b"def own_%d(a, b):\n" % n
        + b"".join(b"    a.call_%d_%d(b, %d)\n" % (n, k, chance.randrange(99)) for k in range(chance.randrange(1, 9)))
        for n in range(chance.randrange(6))
    ]
    tile = b"".join(UPSTREAM.splitlines(keepends=True)[3:11])
    place = chance.randrange(len(own) + 1)
    (copy,) = found(b"".join([*own[:place], tile, *own[place:]]))
    before = sum(part.count(b"\n") for part in own[:place])
    assert copy.lines == tuple(before + line for line in (1, 3, 4, 5, 6, 7, 8))
