"""Work on the bytes of many files in worker processes: results in order, memory bounded, interrupts left to us."""

from __future__ import annotations

import signal
from collections import deque
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor

    from leverage.model.files import SourceFile
    from leverage.sources.base import Missing

_PARCEL = 2**20  # bytes handed to a worker at a time
_AHEAD = 2  # parcels in flight per worker: the bound on memory
_WORTH_WORKERS = 4 * 2**20  # bytes below which starting workers takes longer than it saves
_UNKNOWN_SIZE = 8_192

Key = TypeVar("Key")
Asked = TypeVar("Asked")
Result = TypeVar("Result")


def worth_workers(files: Iterable[SourceFile]) -> bool:
    """Whether there is enough to read that starting workers pays."""
    return sum(file.size if file.size >= 0 else _UNKNOWN_SIZE for file in files) >= _WORTH_WORKERS


class Workers:
    """Worker processes that are started when there has been enough work for them; a context manager.

    Args:
        jobs: number of processes; with 1, all work is done in this one.
        at_once: whether to start them with the first entry, for work that is known to be worth it.
    """

    def __init__(self, jobs: int, *, at_once: bool = False) -> None:
        self._jobs = jobs
        self._before = 0 if at_once else _WORTH_WORKERS  # bytes that are still worked on here
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def map(
        self,
        work: Callable[[Asked, bytes | Missing], Result],
        stream: Iterable[tuple[Key, Asked, bytes | Missing]],
    ) -> Iterator[tuple[Key, Result]]:
        """Apply ``work`` to every entry of a stream; results come in its order.

        Args:
            work: a function of a module (or a `functools.partial` of one) from what is asked and the bytes to the
                result.
            stream: key, what is asked, and bytes of each; read as fast as the workers follow.
        """
        entries = iter(stream)
        while self._jobs == 1 or self._before > 0:
            for key, asked, data in entries:
                self._before -= len(data) if isinstance(data, bytes) else 0
                yield key, work(asked, data)
                break
            else:
                return
        yield from self._handed_out(work, entries)

    def _handed_out(
        self,
        work: Callable[[Asked, bytes | Missing], Result],
        entries: Iterator[tuple[Key, Asked, bytes | Missing]],
    ) -> Iterator[tuple[Key, Result]]:
        waiting: deque[tuple[list[Key], Future[list[Result]]]] = deque()
        for parcel in _parcels(entries):
            asked = [(asked, data) for _, asked, data in parcel]
            waiting.append(([key for key, _, _ in parcel], self._started().submit(_worked, work, asked)))
            if len(waiting) >= self._jobs * _AHEAD:
                keys, future = waiting.popleft()
                yield from zip(keys, future.result(), strict=True)
        for keys, future in waiting:
            yield from zip(keys, future.result(), strict=True)

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - a warm run needs none of it
            from multiprocessing import get_context  # noqa: PLC0415

            # An interrupt is ours to answer: workers would only print how they were interrupted.
            self._executor = ProcessPoolExecutor(
                self._jobs,
                mp_context=get_context("spawn"),
                initializer=signal.signal,
                initargs=(signal.SIGINT, signal.SIG_IGN),
            )
        return self._executor


def in_workers(
    work: Callable[[Asked, bytes | Missing], Result],
    stream: Iterable[tuple[Key, Asked, bytes | Missing]],
    jobs: int,
) -> Iterator[tuple[Key, Result]]:
    """`Workers.map` for a single stream that is worth starting ``jobs`` processes for."""
    with Workers(jobs, at_once=True) as workers:
        yield from workers.map(work, stream)


def _parcels(
    stream: Iterable[tuple[Key, Asked, bytes | Missing]],
) -> Iterator[list[tuple[Key, Asked, bytes | Missing]]]:
    parcel: list[tuple[Key, Asked, bytes | Missing]] = []
    size = 0
    for entry in stream:
        parcel.append(entry)
        size += len(entry[2]) if isinstance(entry[2], bytes) else 0
        if size >= _PARCEL:
            yield parcel
            parcel, size = [], 0
    if parcel:
        yield parcel


def _worked(
    work: Callable[[Asked, bytes | Missing], Result], parcel: Sequence[tuple[Asked, bytes | Missing]]
) -> list[Result]:
    return [work(asked, data) for asked, data in parcel]
