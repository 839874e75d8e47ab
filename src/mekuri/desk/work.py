"""Work of requests: where it runs, and who pays for its processor time.

A front that has threads gives the desk workers that use them; without threads work runs at once, on the event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from mekuri.table.tasks import Tasks

T = TypeVar("T")

_NOTED = 0.002  # accumulated seconds that are charged at once; the rest is charged at the end

Processor = Callable[[], float]  # returns the processor seconds that the present thread has used
_PROCESSOR: Processor = getattr(time, "thread_time", time.process_time)  # a browser knows no threads


class Purse(Protocol):
    """The budgets that the current request is charged to.

    Attributes:
        name: the guest's id, or the household.
        neighbourhood: the largest network of the address, whose people share one turn where something is done in turn.
    """

    name: str
    neighbourhood: str

    @property
    def wait(self) -> float:
        """In how many seconds the request may be processed; 0 for now."""

    def charge(self, seconds: float) -> None:
        """Charge seconds of processor time for a request."""

    def charge_play(self, seconds: float) -> None:
        """Charge seconds for work at a table."""


PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)  # the budgets of the current request


def payers_neighbourhood(who: str) -> str:
    """Return the neighbourhood of the current request's payer; `who` where nobody pays."""
    purse = PURSE.get()
    return purse.neighbourhood if purse else who


class Work(Protocol):
    """A place for work that would block the event loop."""

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work`, charged to the current request's budgets. Returns its result or raises its exception."""

    def close(self) -> None:
        """Start no more, and cancel what is queued."""


class Inline:
    """Runs work at once, on the event loop, where there are no threads."""

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work`. Returns its result or raises its exception."""
        return work()

    def close(self) -> None:
        """Do nothing: no work is ever queued."""


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


async def metered(work: Coroutine[Any, Any, T], processor: Processor = _PROCESSOR) -> T:
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
        return super().begin(_paid(work, purse.charge_play, _PROCESSOR) if purse else work)
