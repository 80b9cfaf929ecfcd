from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leverage.measure.cache import Cache, Key
from leverage.measure.scan import Measured
from leverage.model.files import Disposition, State
from leverage.model.lines import LineCounts

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = st.integers(0, 2**40)
TEXTS = st.text(max_size=12)
MEASURED = st.builds(
    Measured,
    st.builds(Disposition, st.sampled_from(State), TEXTS, TEXTS),
    TEXTS,
    TEXTS,
    st.integers(-1, 2**40),
    st.integers(-1, 2**40),
    st.none() | st.builds(LineCounts, *[COUNTS] * 16),
)


def row(number: int = 1) -> Measured:
    counted = Disposition(State.COUNTED, "counted", "")
    return Measured(counted, "cpp", "suffix .cpp", number, number, LineCounts(code=number))


def key(number: int) -> Key:
    return f"{number:040x}", "cpp"


@settings(max_examples=25)
@given(st.dictionaries(st.tuples(st.text("0123456789abcdef", min_size=40, max_size=40), TEXTS), MEASURED, max_size=5))
def test_what_is_put_is_got(tmp_path_factory: pytest.TempPathFactory, rows: dict[Key, Measured]) -> None:
    path = tmp_path_factory.mktemp("cache") / "facts.sqlite"
    with Cache(path) as cache:
        cache.put(rows)
    with Cache(path) as cache:
        assert cache.get([*rows, ("0" * 40, "absent")]) == rows
        assert cache.problems == []


def test_more_keys_than_one_query_holds(tmp_path: Path) -> None:
    rows = {key(n): row(n) for n in range(1_234)}
    with Cache(tmp_path / "c" / "facts.sqlite") as cache:
        cache.put(rows)
        assert cache.get(iter(rows)) == rows
        assert (cache.stats().rows, cache.stats().current) == (1_234, 1_234)
        assert cache.stats().bytes > 10_000


def test_the_language_is_part_of_the_key(tmp_path: Path) -> None:
    with Cache(tmp_path / "c") as cache:
        cache.put({("a" * 40, "python"): row(1), ("a" * 40, "text"): row(2)})
        assert cache.get([("a" * 40, "text")]) == {("a" * 40, "text"): row(2)}


def test_names_of_files_that_are_no_utf_8_are_part_of_keys(tmp_path: Path) -> None:
    names = ["a\udcff.py", "a\xff.py", "a\u00e9.py", "a\ud83d.py", "a\\udcff.py"]
    rows = {("a" * 40, name): row(number) for number, name in enumerate(names)}
    with Cache(tmp_path / "c") as cache:
        cache.put(rows)
        cache.note({name: f"note of {number}" for number, name in enumerate(names)})
    with Cache(tmp_path / "c") as cache:
        assert cache.get(rows) == rows
        assert cache.notes(names) == {name: f"note of {number}" for number, name in enumerate(names)}
        assert cache.problems == []


def test_another_version_of_the_code_sees_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Cache(tmp_path / "c") as cache:
        cache.put({key(1): row()})
    monkeypatch.setattr("leverage.measure.cache.counting_version", lambda: "other")
    with Cache(tmp_path / "c") as cache:
        assert cache.get([key(1)]) == {}
        assert (cache.stats().rows, cache.stats().current) == (1, 0)


def test_a_damaged_row_is_noticed_and_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with Cache(path) as cache:
        cache.put({key(1): row(1), key(2): row(2)})
    with sqlite3.connect(path) as db:
        db.execute("UPDATE facts SET value = replace(value, '1', '7') WHERE key LIKE ?", (f"%{key(1)[0]} cpp",))
    db.close()
    with Cache(path) as cache:
        assert cache.get([key(1), key(2)]) == {key(2): row(2)}
        assert "1 damaged rows" in cache.problems[0]
        cache.put({key(1): row(1)})
        assert cache.get([key(1)]) == {key(1): row(1)}


@pytest.mark.parametrize("position", ["head", "middle", "all", "cut"])
def test_a_damaged_file_is_noticed_and_rebuilt(tmp_path: Path, position: str) -> None:
    path = tmp_path / "c"
    rows = {key(n): row(n) for n in range(2_000)}
    with Cache(path) as cache:
        cache.put(rows)
    data = bytearray(path.read_bytes())
    if position == "head":
        data[:64] = b"x" * 64
    elif position == "middle":
        data[4_096:-4_096] = b"\xa5" * (len(data) - 8_192)
    elif position == "all":
        data[:] = b"not a database\n" * 100
    else:
        del data[len(data) // 3 :]
    path.write_bytes(data)
    with Cache(path) as cache:
        found = cache.get(rows)
        assert all(rows[k] == measured for k, measured in found.items())
        assert cache.problems
        cache.put(rows)
        assert cache.get(rows) == rows
    with Cache(path) as cache:
        assert cache.get(rows) == rows
        assert cache.problems == []


def test_a_cache_that_cannot_be_used_only_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for path in (tmp_path / "file" / "c", tmp_path):
        with Cache(path) as cache:
            cache.put({key(1): row()})
            assert cache.get([key(1)]) == {}
            assert cache.prune() == 0
            assert len(cache.problems) == 1
            assert "goes on without it" in cache.problems[0]


def test_pruning_drops_the_oldest_and_closing_keeps_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with Cache(path, max_rows=100) as cache:
        for n in range(10):
            cache.put({key(n): row(n)})
        assert cache.prune(4) == 6
        assert sorted(cache.get(map(key, range(10)))) == [key(n) for n in range(6, 10)]
        cache.put({key(n): row(n) for n in range(200)})
    with Cache(path) as cache:
        assert cache.stats().rows == 75
        assert cache.prune() == 75
        assert cache.stats().rows == 0


def _write(path: Path, start: int) -> None:
    with Cache(path) as cache:
        for n in range(start, start + 100):
            cache.put({key(n): row(n)})
        os._exit(0 if not cache.problems else 1)


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "c"
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_write, args=(path, start)) for start in (0, 1_000, 2_000)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with Cache(path) as cache:
        assert cache.stats().rows == 300
        assert cache.get([key(1_099)]) == {key(1_099): row(1_099)}


def _write_for_ever(path: Path) -> None:
    with Cache(path) as cache:
        n = 0
        while True:
            cache.put({key(n + i): row(n + i) for i in range(50)})
            n += 50


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path) -> None:
    path = tmp_path / "c"
    worker = multiprocessing.get_context("spawn").Process(target=_write_for_ever, args=(path,))
    worker.start()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.05)
        with Cache(path) as cache:
            if cache.stats().rows > 500:
                break
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(60)
    with Cache(path) as cache:
        rows = cache.stats().rows
        assert rows > 500
        assert rows % 50 == 0
        assert len(cache.get(map(key, range(rows)))) == rows
        assert cache.problems == []
