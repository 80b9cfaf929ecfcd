"""Opening ahead: in order, at most so many at once, and nothing stays open or begins after the end."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Self

import pytest
from leverage.cli.ahead import opened_ahead
from leverage.model.errors import Problem, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leverage.model.files import SourceFile
    from leverage.sources.base import Missing, Snapshot

NAMES = [f"source-{number}" for number in range(12)]


class Fake:
    """A source that knows whether it was closed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = threading.Event()

    @property
    def snapshot(self) -> Snapshot:
        raise NotImplementedError

    def read(self, files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, bytes | Missing]]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.closed.set()


class Opener:
    """Opens fakes, counts how many open at once, and waits where it is told to."""

    def __init__(self) -> None:
        self.made: dict[str, Fake] = {}
        self.begun: list[str] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, name: str) -> Fake:
        with self._lock:
            self.begun.append(name)
            self._now += 1
            self.most = max(self.most, self._now)
        assert self.gate.wait(10)
        with self._lock:
            self._now -= 1
            self.made[name] = Fake(name)
        return self.made[name]


def wait_for(condition: object) -> None:
    assert callable(condition)
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_all_are_opened_and_those_taken_stay_open() -> None:
    opener = Opener()
    with opened_ahead(NAMES, opener, at_once=3) as opened:
        for name in NAMES:
            source = opened[name].result(10)
            del opened[name]
            assert isinstance(source, Fake)
            assert source.name == name
    assert opener.most <= 3
    assert sorted(opener.begun) == sorted(NAMES)
    assert not any(fake.closed.is_set() for fake in opener.made.values())


def test_what_was_not_taken_is_closed_and_what_has_not_begun_never_begins() -> None:
    opener = Opener()
    opener.gate.clear()
    with pytest.raises(RuntimeError, match="stop"), opened_ahead(NAMES, opener, at_once=2):  # noqa: PT012
        wait_for(lambda: len(opener.begun) == 2)
        raise RuntimeError("stop")
    opener.gate.set()
    wait_for(lambda: len(opener.made) == 2)
    for fake in opener.made.values():
        assert fake.closed.wait(10), "closed when it is ready, though nobody waits for it"
    assert sorted(opener.begun) == NAMES[:1] + NAMES[1:2]


def test_leaving_does_not_wait_for_what_is_being_opened() -> None:
    opener = Opener()
    opener.gate.clear()
    begun = time.monotonic()
    with opened_ahead(NAMES, opener, at_once=2):
        wait_for(lambda: len(opener.begun) == 2)
    assert time.monotonic() - begun < 5
    opener.gate.set()


def test_an_error_is_raised_where_the_source_is_asked_for() -> None:
    def opener(name: str) -> Fake:
        if name == NAMES[1]:
            raise SourceError(Problem("gone", "it is gone"))
        return Fake(name)

    with opened_ahead(NAMES, opener, at_once=4) as opened:
        assert isinstance(opened[NAMES[0]].result(10), Fake)
        with pytest.raises(SourceError, match="it is gone"):
            opened[NAMES[1]].result(10)
        assert isinstance(opened[NAMES[2]].result(10), Fake)


def test_no_sources_are_no_trouble() -> None:
    with opened_ahead([], Fake, at_once=4) as opened:
        assert opened == {}
