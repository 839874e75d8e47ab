"""Work of requests: measuring its processor time, charging that to budgets, and running long work in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from time import thread_time
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from mekuri.server.base.budget import Purse
from mekuri.table.tasks import Tasks

T = TypeVar("T")

_NOTED = 0.002  # accumulated seconds that are charged at once; the rest is charged at the end

Processor = Callable[[], float]  # returns the processor seconds that the present thread has used

PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)  # the budgets of the current request


def payers_neighbourhood(who: str) -> str:
    """Return the neighbourhood of the current request's payer; `who` where nobody pays."""
    purse = PURSE.get()
    return purse.neighbourhood if purse else who


class _Metered:
    """An awaitable around a coroutine that charges the processor time of its own steps, without that of others in between."""

    def __init__(self, work: Coroutine[Any, Any, T], charge: Callable[[float], None], processor: Processor) -> None:
        self._work = work
        self._charge = charge
        self._processor = processor

    def __await__(self) -> Generator[Any, Any, Any]:
        step: Callable[[Any], Any] = self._work.send
        given: Any = None
        spent = 0.0
        try:
            while True:
                begun = self._processor()
                try:
                    waits = step(given)
                finally:
                    spent += self._processor() - begun
                if spent > _NOTED:
                    self._charge(spent)
                    spent = 0.0
                try:
                    given = yield waits
                    step = self._work.send
                except BaseException as error:
                    given, step = error, self._work.throw
        except StopIteration as done:
            return done.value
        finally:
            self._charge(spent)


async def metered(work: Coroutine[Any, Any, T], processor: Processor = thread_time) -> T:
    """Await a coroutine, and charge its processor time to the current request's budgets. Returns its result."""
    purse = PURSE.get()
    return await work if purse is None else await _paid(work, purse.charge, processor)


async def _paid(work: Coroutine[Any, Any, T], charge: Callable[[float], None], processor: Processor) -> T:
    found: T = await _Metered(work, charge, processor)
    return found


class Paid(Tasks):
    """Tasks at tables, which are finished even if their request is cancelled, and charged to its budgets."""

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task."""
        purse = PURSE.get()
        return super().begin(_paid(work, purse.charge_play, thread_time) if purse else work)


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
