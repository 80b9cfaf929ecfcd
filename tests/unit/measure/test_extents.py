from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from leverage.measure import extents as module
from leverage.measure.cache import Cache
from leverage.measure.compressed import compressed_size
from leverage.measure.extents import Extent, extent_of, extents
from leverage.measure.pipeline import measure
from leverage.model.files import EntryKind, FileFacts, State
from leverage.sources.base import Missing
from tests.unit.measure.fakes import FakeSource

if TYPE_CHECKING:
    from pathlib import Path

PY = b"def f(x):\n    return x\n\nclass A:\n    def m(self): ...\n"
CPP = b"// c\nint f() {\n  return 1;\n}\n"
WORLD: dict[str, bytes | Missing | EntryKind] = {
    "a.py": PY,
    "b/same.py": PY,
    "old.py": b"print 'x'\n",
    "op.cpp": CPP,
    "empty.py": b"",
    "doc.md": b"# Title\n\nwords\n",
    "ops.td": b"def A;\n",
    "run.sh": b"echo a\n",
    "image.png": b"\x89PNG\r\n\x1a\n\0\n\n",
    "link": EntryKind.SYMLINK,
    "gone.cpp": Missing("object-missing", "no such object"),
    "wide.py": b"\xff\xfe" + "x = 1\n".encode("utf-16-le"),
}


def facts_of(source: FakeSource) -> list[FileFacts]:
    facts = measure(source, source.files, context=source.files)
    source.reads.clear()
    return facts


def test_extents_of_every_counted_file() -> None:
    source = FakeSource(WORLD)
    assert extents(source, facts_of(source)) == {
        # def f ( x ) : return x class A : def m ( self ) : ...
        "a.py": Extent(compressed_size(PY), 18, 2),
        "b/same.py": Extent(compressed_size(PY), 18, 2),
        "doc.md": Extent(compressed_size(b"# Title\n\nwords\n"), None, None),
        "empty.py": Extent(0, 0, 0),
        "old.py": Extent(compressed_size(b"print 'x'\n"), 2, None),
        "op.cpp": Extent(compressed_size(CPP), 9, 1),
        "ops.td": Extent(compressed_size(b"def A;\n"), 3, 0),
        "run.sh": Extent(compressed_size(b"echo a\n"), 2, None),
        "wide.py": Extent(compressed_size(b"\xff\xfe" + "x = 1\n".encode("utf-16-le")), 3, 0),
    }


def test_equal_bytes_are_read_once_and_what_is_not_counted_never() -> None:
    source = FakeSource(WORLD)
    extents(source, facts_of(source))
    assert source.reads == ["a.py", "doc.md", "empty.py", "old.py", "op.cpp", "ops.td", "run.sh", "wide.py"]


def test_the_order_of_facts_does_not_matter() -> None:
    source = FakeSource(WORLD)
    facts = facts_of(source)
    assert extents(source, facts[::-1]) == extents(source, facts)


def test_one_language_for_two_makes_two() -> None:
    source = FakeSource({"a.txt": CPP, "b.cpp": CPP})
    facts = facts_of(source)
    assert [fact.language for fact in facts] == ["text", "cpp"]
    found = extents(source, facts)
    assert (found["a.txt"].tokens, found["b.cpp"].tokens) == (None, 9)


def test_the_cache_answers_with_the_same(tmp_path: Path) -> None:
    source = FakeSource(WORLD)
    facts = facts_of(source)
    with Cache(tmp_path / "facts.sqlite") as cache:
        cold = extents(source, facts, cache=cache)
        source.reads.clear()
        assert extents(source, facts, cache=cache) == cold
        assert source.reads == []
    with Cache(tmp_path / "facts.sqlite") as cache:
        assert extents(source, facts, cache=cache) == cold
        assert source.reads == []
        assert cache.problems == []


def test_another_version_measures_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FakeSource({"a.py": PY})
    facts = facts_of(source)
    with Cache(tmp_path / "facts.sqlite") as cache:
        extents(source, facts, cache=cache)
        monkeypatch.setattr(module, "extents_version", lambda: "other")
        source.reads.clear()
        extents(source, facts, cache=cache)
        assert source.reads == ["a.py"]


def test_what_has_no_id_is_not_kept(tmp_path: Path) -> None:
    source = FakeSource({"a.py": PY, "b.py": PY}, ids=False)
    facts = facts_of(source)
    with Cache(tmp_path / "facts.sqlite") as cache:
        for _ in range(2):
            source.reads.clear()
            assert len(extents(source, facts, cache=cache)) == 2
            assert source.reads == ["a.py", "b.py"]


def test_a_run_of_missing_files_hides_none_behind_it() -> None:
    """More than one batch of files that cannot be had, then one that can."""
    contents: dict[str, bytes | Missing | EntryKind] = {f"a{n}.py": Missing("object-missing", "") for n in range(1_500)}
    source = FakeSource(contents | {"z.py": PY})
    facts = [
        replace(fact, disposition=replace(fact.disposition, state=State.COUNTED), language="python")
        for fact in facts_of(source)
    ]
    assert list(extents(source, facts)) == ["z.py"]


def test_workers_give_the_same() -> None:
    source = FakeSource({f"m{n}.sh": b"echo a\n" * (40_000 + n) for n in range(20)} | {"a.py": PY})
    facts = facts_of(source)
    assert extents(source, facts, jobs=2) == extents(source, facts)


@pytest.mark.parametrize("language", ["python", "cpp", "tablegen", "", "no such language"])
@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xfe\0", b"\xef\xbb\xbf", b"\r", b"(" * 10_000])
def test_any_bytes_have_an_extent(language: str, data: bytes) -> None:
    assert extent_of(language, data).compressed >= 0
