"""Work: who has asked for it, what it costs of the processor, and doing what is dear beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from time import thread_time
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from mekuri.server.budget import Purse
from mekuri.table.tasks import Tasks

T = TypeVar("T")

_NOTED = 0.002  # seconds that are paid at once; what is less is paid at the end

Processor = Callable[[], float]  # says how many seconds of processor the present thread has used

PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)  # of whoever asks for what is done just now


class _Metered:
    """A coroutine whose every step is paid for. What others do while it waits is not."""

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
    """What a coroutine comes to, paid for by whoever has asked."""
    purse = PURSE.get()
    return await work if purse is None else await _paid(work, purse.charge, processor)


async def _paid(work: Coroutine[Any, Any, T], charge: Callable[[float], None], processor: Processor) -> T:
    found: T = await _Metered(work, charge, processor)
    return found


class Paid(Tasks):
    """What happens at tables and must not be broken off, paid for by whoever has begun it."""

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something."""
        purse = PURSE.get()
        return super().begin(_paid(work, purse.charge_play, thread_time) if purse else work)


async def beside(threads: Executor, work: Callable[[], T], processor: Processor = thread_time) -> T:
    """Do something in a thread beside the event loop, paid for by whoever has asked. What it raises is raised here."""
    purse, loop = PURSE.get(), asyncio.get_running_loop()

    def done() -> T:
        begun = processor()
        try:
            return work()
        finally:
            if purse:
                with suppress(RuntimeError):  # the loop is closed: nobody asks any more
                    loop.call_soon_threadsafe(purse.charge, processor() - begun)

    return await loop.run_in_executor(threads, done)


class WorkerThread:
    """A thread beside the event loop for what takes longer than a moment.

    There is one, as Python runs one thread at a time. Whoever asks for several things has them done one after the other, so that
    nobody waits for all that another has asked for.
    """

    def __init__(self, processor: Processor = thread_time) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="backroom")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._processor = processor

    async def do(self, work: Callable[[], T]) -> T:
        """Do something there, paid for by whoever has asked. What it raises is raised here."""
        purse = PURSE.get()
        if purse is None:
            return await beside(self._thread, work, self._processor)
        turn = self._turns.setdefault(purse.name, asyncio.Lock())
        async with turn:
            return await beside(self._thread, work, self._processor)

    def close(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
