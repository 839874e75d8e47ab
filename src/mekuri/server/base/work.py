"""Work of requests in threads, with its processor time charged to their budgets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from time import thread_time
from typing import TypeVar
from weakref import WeakValueDictionary

from mekuri.desk.work import PURSE, Processor

T = TypeVar("T")


async def beside(threads: Executor, work: Callable[[], T], processor: Processor = thread_time) -> T:
    """Run `work` in a thread, charged to the current request's budgets. Returns its result or raises its exception.

    Args:
        threads: the executor.
        work: what is run.
        processor: returns the processor seconds that the thread has used.
    """
    purse, loop = PURSE.get(), asyncio.get_running_loop()

    def done() -> T:
        begun = processor()
        try:
            return work()
        finally:
            if purse:
                with suppress(RuntimeError):  # the event loop is closed
                    loop.call_soon_threadsafe(purse.charge, processor() - begun)

    return await loop.run_in_executor(threads, done)


class WorkerThread:
    """A thread for work that would block the event loop.

    There is one, as Python runs one thread at a time. Several pieces of work of one neighbourhood run one after the other, each
    queued when the last is done, so that others get their turn in between; and within it those of one guest.
    """

    def __init__(self, processor: Processor = thread_time) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="backroom")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._processor = processor

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread, charged to the current request's budgets. Returns its result or raises its exception."""
        purse = PURSE.get()
        if purse is None:
            return await beside(self._thread, work, self._processor)
        own, shared = (self._turns.setdefault(name, asyncio.Lock()) for name in (f"guest {purse.name}", purse.neighbourhood))
        async with own, shared:
            return await beside(self._thread, work, self._processor)

    def close(self) -> None:
        """Start no more, and cancel what is queued."""
        self._thread.shutdown(wait=False, cancel_futures=True)
