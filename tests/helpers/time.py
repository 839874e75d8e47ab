"""A fake time: it moves when nothing is left to do, or when a test says so, and so no test waits for it or comes too late."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from heapq import heappop, heappush
from time import monotonic
from typing import Any

from mekuri.table.time import REAL
from tests.helpers.patience import PATIENCE

BEGIN = 1_800_014_400_000  # where fake times begin, in milliseconds since the epoch: noon of 2027-01-15, UTC
_SOON = 1.0  # real seconds
_APART = 0.05  # real seconds between two moves where something is due soon by real time; Textual looks for 0.02 whether all is idle
_ROUNDED = 1e-9  # seconds; a sum of parts may be less than their whole
_BOOTS = itertools.count()  # ids of the moments at which fake times begin
_LOOK = 0.005  # real seconds between two looks at a condition that a thread or another process may bring about


class FakeTimer:
    """A call that is due at a fake time. One that is done counts as cancelled."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._call = call
        self._done = False

    def cancel(self) -> None:
        self._done = True

    def cancelled(self) -> bool:
        return self._done

    def run(self) -> None:
        if not self._done:
            self._done = True
            self._call()


class FakeTime:
    """A time that moves to the next timer when its event loop is idle and nothing is outstanding in a thread or a child process.

    The loop is the one in which it is first waited for. Several times of one loop move together. Data sent to a local socket
    arrives at once, so that a loop with unread messages is not idle.

    Args:
        begin: when it begins, in milliseconds since the epoch.
        moves: whether it moves by itself; otherwise it stands still until the test moves it.
    """

    def __init__(self, begin: int = BEGIN, *, moves: bool = True) -> None:
        self._begin = begin
        self._at = 0.0  # seconds since it began
        self._timers: list[tuple[float, int, FakeTimer]] = []
        self._numbers = itertools.count()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._boot = _new_boot()
        self.moves = moves

    # --- The protocol ---

    def now(self) -> int:
        return self._begin + round(self._at * 1000)

    def monotonic(self) -> float:
        return self._at

    def boot(self) -> str | None:
        return self._boot

    async def sleep(self, seconds: float) -> None:
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self.call_later(seconds, partial(over.set_result, None))
        try:
            await over
        finally:
            timer.cancel()

    def call_later(self, seconds: float, call: Callable[[], object]) -> FakeTimer:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            idleness_of(self._loop).times.append(self)
        timer = FakeTimer(call)
        heappush(self._timers, (self._at + max(0.0, seconds), next(self._numbers), timer))
        self.move(0)  # what is due at once does not wait for time to move
        return timer

    # --- Moving it ---

    @property
    def left(self) -> float | None:
        """The seconds until the next timer is due; None without one."""
        while self._timers and self._timers[0][2].cancelled():
            heappop(self._timers)
        if not self._timers:
            return None
        left = self._timers[0][0] - self._at
        return left if left > _ROUNDED else 0.0

    def move(self, seconds: float) -> None:
        """Move at once, over all timers in between, as when a machine has slept."""
        self._at += seconds
        while self.left == 0:
            assert self._loop
            self._loop.call_soon(heappop(self._timers)[2].run)

    def leap(self, seconds: float) -> None:
        """Set the time of day forward or back, as when the system clock is set. Timers stay as far away as before."""
        self._begin += round(seconds * 1000)

    def move_to(self, at: int) -> None:
        """Move to a time of day, in milliseconds since the epoch."""
        self.move((at - self.now()) / 1000)

    async def pass_by(self, seconds: float) -> None:
        """Move at once, and wait until everything is done that was due."""
        self.move(seconds)
        await settled()


class Idleness:
    """What an event loop does instead of waiting for nothing.

    Attributes:
        times: its fake times.
        outstanding: how many calls to threads and child processes have not ended.
    """

    def __init__(self, loop: Any) -> None:
        self.times: list[FakeTime] = []
        self.outstanding = 0
        self._conditions: list[tuple[Callable[[], object], asyncio.Future[None], bool]] = []
        self._looked = self._moved = 0.0  # when conditions were looked at and time moved last, in real seconds
        self._loop = loop
        loop._selector = _Selector(loop._selector, self)
        loop.run_in_executor = partial(self._in_thread, loop.run_in_executor)
        loop.subprocess_exec = partial(self._in_process, loop.subprocess_exec)

    async def wait_for(self, found: Callable[[], object], *, idle: bool = False) -> None:
        """Wait until a condition holds, or until it holds while the loop is `idle`."""
        holds: asyncio.Future[None] = self._loop.create_future()
        self._conditions.append((partial(copy_context().run, found), holds, idle))
        async with asyncio.timeout(PATIENCE):
            await holds

    def end(self, soon: bool) -> float | None:
        """Find something to do. Returns how many real seconds the loop may wait at most; None for any time.

        Args:
            soon: whether something of the loop is due soon by real time.
        """
        if self._look(idle=True):
            return 0
        moving = [time for time in self.times if time.moves]
        next_ones = [left for time in moving if (left := time.left) is not None]
        if not next_ones or self.outstanding:
            return _LOOK if self._conditions else None
        # An app on a terminal waits until its process uses little processor time: moves are then some time apart.
        if soon and (early := self._moved + _APART - monotonic()) > 0:
            return early
        self._moved = monotonic()
        for time in moving:
            time.move(min(next_ones))
        return 0

    def look(self) -> None:
        """Look at the conditions while the loop is busy. Without a fake time, none of them needs an idle loop."""
        if self._conditions and monotonic() - self._looked > _LOOK:
            self._look(idle=not self.times)

    def _look(self, *, idle: bool) -> bool:
        """Look at the conditions. Returns whether one holds."""
        self._looked = monotonic()
        self._conditions = [one for one in self._conditions if not one[1].done()]
        for found, holds, only_idle in self._conditions:
            try:
                if (idle or not only_idle) and found():
                    holds.set_result(None)
            except Exception as error:
                holds.set_exception(error)
        return any(holds.done() for _, holds, _ in self._conditions)

    def _in_thread(self, run: Callable[..., asyncio.Future[Any]], *args: Any) -> asyncio.Future[Any]:
        return self._count(run(*args))

    async def _in_process(self, begin: Callable[..., Any], *args: Any, **more: Any) -> Any:
        transport, protocol = await begin(*args, **more)
        self._count(asyncio.ensure_future(transport._wait()))
        return transport, protocol

    def _count(self, work: asyncio.Future[Any]) -> asyncio.Future[Any]:
        self.outstanding += 1
        work.add_done_callback(self._counted)
        return work

    def _counted(self, _: object) -> None:
        self.outstanding -= 1


class Skipping(FakeTime):
    """A time that each sleep moves at once.

    Attributes:
        slept: the seconds that were slept, one after the other.
    """

    def __init__(self, begin: int = BEGIN) -> None:
        super().__init__(begin)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        assert seconds > -1e-9
        self.slept.append(seconds)
        self.move(seconds)
        await asyncio.sleep(0)


class _Selector:
    """A selector that asks what to do before it waits."""

    def __init__(self, selector: Any, idleness: Idleness) -> None:
        self._selector = selector
        self._idleness = idleness

    def select(self, timeout: float | None = None) -> Any:
        ready = self._selector.select(0)
        if ready or (timeout is not None and timeout <= 0):
            self._idleness.look()
            return ready
        longest = self._idleness.end(timeout is not None and timeout < _SOON)
        return self._selector.select(timeout if longest is None else longest if timeout is None else min(timeout, longest))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)


def _new_boot() -> str:
    return f"{os.getpid()}-{next(_BOOTS)}"


def idleness_of(loop: Any) -> Idleness:
    """Return what an event loop does when it is idle; from then on it does that."""
    if not hasattr(loop, "idleness"):
        loop.idleness = Idleness(loop)
    found: Idleness = loop.idleness
    return found


def fake_time() -> FakeTime:
    """Return the first fake time of the running event loop, or a new one."""
    times = idleness_of(asyncio.get_running_loop()).times
    return times[0] if times else FakeTime()


async def until(found: Callable[[], object]) -> None:
    """Wait until a condition holds. While it does not, the fake times of the event loop move when nothing else is left to do."""
    if not found():
        await idleness_of(asyncio.get_running_loop()).wait_for(found)


async def settled() -> None:
    """Wait until nothing is left to do at the present time."""
    idleness = idleness_of(asyncio.get_running_loop())
    await idleness.wait_for(lambda: not idleness.outstanding, idle=True)


async def moment() -> None:
    """Wait until nothing is left to do, and let time move on to the next timer."""
    looks = iter((False, True))
    await idleness_of(asyncio.get_running_loop()).wait_for(lambda: next(looks), idle=True)


@contextmanager
def held() -> Iterator[None]:
    """Let no fake time of the running event loop move by itself meanwhile."""
    idleness = idleness_of(asyncio.get_running_loop())
    idleness.outstanding += 1
    try:
        yield
    finally:
        idleness.outstanding -= 1


class Counting:
    """A time of day that goes on by a step whenever it is asked; waiting for it takes real time."""

    def __init__(self, begin: int, step: int = 1) -> None:
        self.now = itertools.count(begin, step).__next__
        self.monotonic, self.sleep, self.call_later = REAL.monotonic, REAL.sleep, REAL.call_later
        self.boot = _new_boot().__str__
