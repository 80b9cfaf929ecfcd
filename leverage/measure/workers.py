"""Work on the bytes of many files in worker processes: results in order, memory bounded, interrupts left to us."""

from __future__ import annotations

import signal
from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

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


def in_workers(
    work: Callable[[Asked, bytes | Missing], Result],
    stream: Iterable[tuple[Key, Asked, bytes | Missing]],
    jobs: int,
) -> Iterator[tuple[Key, Result]]:
    """Apply ``work`` to every entry of a stream; results come in its order.

    Args:
        work: a function of a module (or a `functools.partial` of one) from what is asked and the bytes to the result.
        stream: key, what is asked, and bytes of each; read as fast as the workers follow.
        jobs: number of processes.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - a warm run needs none of it
    from multiprocessing import get_context  # noqa: PLC0415

    waiting: deque[tuple[list[Key], Future[list[Result]]]] = deque()
    # An interrupt is ours to answer: workers would only print how they were interrupted.
    executor = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        for parcel in _parcels(stream):
            asked = [(asked, data) for _, asked, data in parcel]
            waiting.append(([key for key, _, _ in parcel], executor.submit(_worked, work, asked)))
            if len(waiting) >= jobs * _AHEAD:
                keys, future = waiting.popleft()
                yield from zip(keys, future.result(), strict=True)
        for keys, future in waiting:
            yield from zip(keys, future.result(), strict=True)
    finally:
        executor.shutdown(cancel_futures=True)


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
