"""Results by content: a file that was counted once is not read again, in this run or in any later one.

The key is (git blob id, what was asked of the bytes), under the version of the counting code, so versions share a file
without seeing each other's rows. Rows carry a checksum: a damaged row is noticed and its file measured again; a damaged
database is deleted and rebuilt. Several processes may share a cache: SQLite locks, one transaction per batch, and a
process that dies in the middle leaves the batch or nothing. When the cache cannot be used at all, counting goes on
without it. Whatever happened stands in `Cache.problems`.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

from leverage.measure.scan import Measured
from leverage.measure.version import counting_version
from leverage.model.files import COUNTED, Disposition, State
from leverage.model.lines import FIELDS, LineCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

MAX_ROWS = 1_000_000
"""Rows kept when a cache is closed; a row takes about 250 bytes."""
MAX_RECENT = 20_000
"""Rows kept in memory while a cache is open; a row takes about 600 bytes."""
MAX_BYTES = 2**30
"""Size of the file above which the older half of its rows goes when a cache is closed."""

_FORMAT = 2
_BUSY_SECONDS = 30
_BATCH = 500  # keys in one query; SQLite's oldest limit is 999
_CLASSES = attrgetter(*FIELDS)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL, checksum INTEGER NOT NULL
)"""

_NOTE = "note "  # before the keys of notes: no version of the counting code starts so

Key = tuple[str, str]
"""(git blob id, what was asked: the key of a `Choice` or a `Question`)."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What a cache holds: rows (all and of this version), and bytes on disk."""

    path: str
    rows: int
    current: int
    bytes: int


class Cache:
    """A cache in one SQLite file, bounded in rows; a context manager.

    Never raises for the state of the file: ``problems`` holds one sentence for each thing that went wrong, for the
    caller to show once.
    """

    def __init__(self, path: Path, *, max_rows: int = MAX_ROWS) -> None:
        self.path = path
        self.problems: list[str] = []
        self._max_rows = max_rows
        self._prefix = f"{counting_version()} "
        self._rebuilt = False
        self._recent: dict[Key, Measured] = {}
        self._db: sqlite3.Connection | None = None
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def get(self, keys: Iterable[Key]) -> dict[Key, Measured]:
        """What is known about the keys; damaged rows count as unknown."""
        asked = list(keys)
        found = {key: self._recent[key] for key in asked if key in self._recent}
        named = {self._joined(key): key for key in asked if key not in found}
        for whole in self._whole(named):
            # One call for the batch: a warm run is little else.
            parsed = json.loads(f"[{','.join(value for _, value in whole)}]")
            found.update({named[joined]: _decoded(row) for (joined, _), row in zip(whole, parsed, strict=True)})
        self._remember(found)
        return found

    def put(self, rows: Mapping[Key, Measured]) -> None:
        """Keep results, all or none of them."""
        self._remember(rows)
        self._store((self._joined(key), _encoded(measured)) for key, measured in rows.items())

    def _remember(self, rows: Mapping[Key, Measured]) -> None:
        """For the next revision of the same tree, which shares nearly all of its files."""
        if len(self._recent) + len(rows) > MAX_RECENT:
            self._recent.clear()
        if self._db is not None:
            self._recent.update(rows)

    def notes(self, keys: Iterable[str]) -> dict[str, str]:
        """What `note` kept under these keys, for measures beside the line rule; damaged rows count as unknown."""
        named = {_storable(_NOTE + key): key for key in keys}
        return {named[joined]: value for whole in self._whole(named) for joined, value in whole}

    def note(self, rows: Mapping[str, str]) -> None:
        """Keep texts, all or none of them. A key names the content, what was asked, and the version that answered."""
        self._store((_storable(_NOTE + key), value) for key, value in rows.items())

    def prune(self, keep: int = 0) -> int:
        """Drop the oldest rows until at most ``keep`` are left; returns how many went."""
        self._recent.clear()
        before = self._count()
        surplus = max(0, before - keep)
        if surplus:
            self._write("DELETE FROM facts WHERE id IN (SELECT id FROM facts ORDER BY id LIMIT ?)", [(surplus,)])
            self._query("VACUUM")
        return before - self._count()

    def stats(self) -> Stats:
        """What the cache holds now."""
        current = self._query(
            "SELECT count(*) FROM facts WHERE key >= ? AND key < ?", (self._prefix, self._prefix + "~")
        )
        size = sum(file.stat().st_size for file in self._files() if file.exists())
        return Stats(str(self.path), self._count(), int(current[0][0]) if current else 0, size)

    def close(self) -> None:
        """Bring the cache below its bound and release the file."""
        if self._count() > self._max_rows:
            self.prune(self._max_rows * 3 // 4)
        elif self._db is not None and self.path.stat().st_size > MAX_BYTES:
            self.prune(self._count() // 2)
        self._disconnect()

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level="IMMEDIATE")
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
            return
        self._db = db
        self._query("PRAGMA journal_mode = WAL")  # readers beside one writer, and safe against a kill
        self._query("PRAGMA synchronous = NORMAL")
        if self._query("PRAGMA user_version") != [(_FORMAT,)]:
            self._query("DROP TABLE IF EXISTS facts")
            self._query(f"PRAGMA user_version = {_FORMAT}")
        self._query(_SCHEMA)

    def _whole(self, joined: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
        """Key and value of the undamaged rows, in batches."""
        damaged = 0
        wanted = iter(joined)
        while batch := list(islice(wanted, _BATCH)):
            rows = self._select(batch)
            whole = [(key, value) for key, value, checksum in rows if checksum == _checksum(key, value)]
            damaged += len(rows) - len(whole)
            yield whole
        if damaged:
            self.problems.append(f"the cache {self.path} has {damaged} damaged rows; those files are measured again")

    def _store(self, rows: Iterable[tuple[str, str]]) -> None:
        self._write(
            "INSERT OR REPLACE INTO facts (key, value, checksum) VALUES (?, ?, ?)",
            [(key, value, _checksum(key, value)) for key, value in rows],
        )

    def _joined(self, key: Key) -> str:
        return _storable(f"{self._prefix}{key[0]} {key[1]}")

    def _count(self) -> int:
        rows = self._query("SELECT count(*) FROM facts")
        return int(rows[0][0]) if rows else 0

    def _select(self, keys: list[str]) -> list[tuple[str, str, int]]:
        marks = ",".join("?" * len(keys))
        return self._query(f"SELECT key, value, checksum FROM facts WHERE key IN ({marks})", keys)  # noqa: S608 - only marks

    def _query(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        if self._db is None:
            return []
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._trouble(error)
            return []

    def _write(self, sql: str, rows: list[tuple[object, ...]]) -> None:
        if self._db is None or not rows:
            return
        try:
            with self._db:
                self._db.executemany(sql, rows)
        except sqlite3.Error as error:
            self._trouble(error)

    def _trouble(self, error: sqlite3.Error) -> None:
        """Rebuild a damaged file once; for anything else (locked, read-only, full) go on without a cache."""
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if not damaged or self._rebuilt:
            self._give_up(error)
            return
        self._rebuilt = True
        self._disconnect()
        try:
            for file in self._files():
                file.unlink(missing_ok=True)
        except OSError as failed:
            self._give_up(failed)
            return
        self.problems.append(f"the cache {self.path} was damaged ({error}) and is rebuilt")
        self._open()

    def _give_up(self, error: Exception) -> None:
        self._disconnect()
        self.problems.append(f"the cache {self.path} cannot be used ({error}); counting goes on without it")

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _files(self) -> list[Path]:
        return [self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm", "-journal"))]


def _storable(key: str) -> str:
    """A key that SQLite takes: a file name that is not UTF-8 has code points that no UTF-8 text can hold."""
    return key if key.isascii() else key.encode("utf-8", "surrogatepass").decode("latin-1")


def _checksum(key: str, value: str) -> int:
    return zlib.crc32(f"{key}\n{value}".encode("utf-8", "surrogatepass"))


def _encoded(measured: Measured) -> str:
    return json.dumps(
        [
            [measured.disposition.state, measured.disposition.reason, measured.disposition.rule],
            [measured.language, measured.language_rule, measured.physical, measured.nonblank],
            _CLASSES(measured.lines) if measured.lines is not None else None,
        ],
        separators=(",", ":"),
    )


_PLAIN = [COUNTED.state, COUNTED.reason, COUNTED.rule]


def _decoded(row: Any) -> Measured:  # noqa: ANN401 - what `_encoded` wrote: the checksum vouches for its form
    (state, reason, rule), (language, language_rule, physical, nonblank), lines = row
    return Measured(
        COUNTED if [state, reason, rule] == _PLAIN else Disposition(State(state), reason, rule),
        language,
        language_rule,
        physical,
        nonblank,
        LineCounts(*lines) if lines is not None else None,
    )
