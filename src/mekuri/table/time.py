"""The one clock: everything that waits or stamps a time is given a `Time`, so that tests can move it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Do not make the call."""


class Time(Protocol):
    """A clock, and the ways to wait for it. Waiting needs a running event loop."""

    def now(self) -> int:
        """Return the time of day in milliseconds since the epoch. It may jump."""

    def monotonic(self) -> float:
        """Return a time in seconds that never goes back or leaps. It goes on while the machine sleeps."""

    def boot(self) -> str | None:
        """Return an id of the moment from which `monotonic` counts, the same in all processes; None where that is not known."""

    async def sleep(self, seconds: float) -> None:
        """Wait for a number of seconds."""

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call a function after a number of seconds."""


class RealTime:
    """The time of this machine."""

    def now(self) -> int:
        """Return the time of day in milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return the system's monotonic time in seconds, with the time that the machine has slept, where the system counts it."""
        return _monotonic()

    def boot(self) -> str | None:
        """Return the system's id of its last start; None where the system has none."""
        try:
            return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        except OSError:
            return None

    async def sleep(self, seconds: float) -> None:
        """Wait for a number of seconds."""
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call a function after a number of seconds."""
        return asyncio.get_running_loop().call_later(seconds, call)


def _monotonic() -> float:
    """Return the monotonic time that goes on while the machine sleeps, where the system has one."""
    # Linux stops CLOCK_MONOTONIC in sleep. macOS stops what `time.monotonic` reads, but not its CLOCK_MONOTONIC.
    for clock in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        with suppress(AttributeError, OSError):  # Pyodide has the names, and no clock for the first
            return time.clock_gettime(getattr(time, clock))
    return time.monotonic()


REAL: Time = RealTime()


class _Limit:
    """A limit that can be removed, also when it is due and has not ended its block yet."""

    def __init__(self, limit: asyncio.Timeout, timer: Timer) -> None:
        self._limit = limit
        self._timer = timer

    def cancel(self) -> None:
        self._timer.cancel()
        if not self._limit.expired():
            self._limit.reschedule(None)


@asynccontextmanager
async def time_limit(time: Time, seconds: float) -> AsyncIterator[Timer]:
    """Limit the time of a block, as `asyncio.timeout` does. Cancelling what is yielded removes the limit.

    Raises TimeoutError where the block takes longer.
    """
    async with asyncio.timeout(None) as limit:
        loop = asyncio.get_running_loop()
        timer = time.call_later(seconds, lambda: limit.reschedule(loop.time()))
        try:
            yield _Limit(limit, timer)
        finally:
            timer.cancel()
