"""Opening several sources ahead of their use, so that fetching one does not wait for counting another."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from leverage.sources.base import OpenSource

Opened: TypeAlias = "dict[str, Future[OpenSource]]"


@contextmanager
def opened_ahead(names: Sequence[str], open_one: Callable[[str], OpenSource], *, at_once: int) -> Iterator[Opened]:
    """Open sources in the background, ``at_once`` at a time, in order.

    Whoever takes a source out of the dict closes it. When the block is left, however it is left, what has not begun is
    cancelled, and what was opened and not taken is closed, now or when it is ready.

    Yields:
        By name, the source or the error to come.
    """
    futures: Opened = {name: Future() for name in names}
    waiting = deque(futures.items())

    def work() -> None:
        while waiting:
            try:
                name, future = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(open_one(name))
                except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                    future.set_exception(error)

    # Daemons, not an executor, whose threads Python waits for at its end: somebody who interrupts a fetch of minutes
    # means it. What a fetch leaves behind has no final name and looks complete to nobody.
    for _ in range(min(at_once, len(names))):
        threading.Thread(target=work, daemon=True).start()
    try:
        yield futures
    finally:
        for future in futures.values():
            if not future.cancel():
                future.add_done_callback(_close)


def _close(future: Future[OpenSource]) -> None:
    if future.exception() is None:
        with future.result():
            pass
