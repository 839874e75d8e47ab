"""The clock of a server, which follows no leap until an operator confirms it, and the clock of its database."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from mekuri.table.time import Time, Timer

LEAP_MS = 60_000  # a clock that gains or loses more than this at once, against the monotonic time, has leapt
CLOCK = "mekuri_now"  # the function of each connection to SQLite: all its processes share the clock of their machine
_AT_ONCE = 1.0  # seconds between two readings that are taken for one


class SteadyTime:
    """A time of day that goes on as before when the clock of the machine leaps.

    Small steps, as of NTP, are followed. After a leap the time of day is computed from the monotonic time, until the clock is back
    or `trust` names the new time. Reading it changes no state that matters, so any thread may do so.

    Args:
        time: the clock of the machine, and the ways to wait for it.

    Attributes:
        leap: by how many milliseconds the clock was ahead when it was read last; negative where it was behind, 0 without a leap.
    """

    def __init__(self, time: Time) -> None:
        self._time = time
        self._boot = time.boot() or secrets.token_hex(8)
        self.leap = 0
        self._offset: int | None = None  # of the clock from the monotonic time when it was read last, in milliseconds
        self._trusted: int | None = None  # the same of the time of day
        self._leases: int | None = None  # the same of the time of leases

    @property
    def trusted(self) -> int:
        """The time of day at which the monotonic time was 0, in milliseconds since the epoch."""
        if self._trusted is None:
            self.now()
        assert self._trusted is not None, "the first reading sets it"
        return self._trusted

    @property
    def leases(self) -> int:
        """The same of the time of leases, which never leaps, and takes over no new time either."""
        return self.trusted if self._leases is None else self._leases

    def now(self) -> int:
        """Return the time of day in milliseconds since the epoch, without the present leap of the clock."""
        clock, since = self._read()
        self._offset = clock - since
        if self._trusted is None:
            self._trusted = self._leases = self._offset
        ahead = self._offset - self._trusted
        self.leap = ahead if abs(ahead) > LEAP_MS else 0
        return clock - self.leap

    def lease_now(self) -> int:
        """Return the time in milliseconds since the epoch by which the processes of one machine measure their leases."""
        return self.leases + round(self._time.monotonic() * 1000)

    def settle(self) -> None:
        """Follow the small steps that the clock has made since the last call. Does nothing while a leap stands."""
        if not self.leap and self._offset is not None:
            self._trusted = self._offset

    def trust(self, trusted: int, leases: int | None = None) -> None:
        """Take over what another process or an operator has found to be the time, as `trusted` and `leases` return it."""
        self._trusted = trusted
        self._leases = self._leases if leases is None else leases

    def monotonic(self) -> float:
        """Return a time in seconds that never goes back or leaps."""
        return self._time.monotonic()

    def boot(self) -> str:
        """Return an id of the moment from which `monotonic` counts: of this process alone where the machine has none."""
        return self._boot

    async def sleep(self, seconds: float) -> None:
        """Wait for a number of seconds."""
        await self._time.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call a function after a number of seconds."""
        return self._time.call_later(seconds, call)

    def _read(self) -> tuple[int, int]:
        """Return the clock of the machine and the monotonic time, of the same moment, in milliseconds."""
        while True:
            before, clock, after = self._time.monotonic(), self._time.now(), self._time.monotonic()
            if after - before < _AT_ONCE:  # otherwise the process stood still between the readings
                return clock, round(after * 1000)


class clock(FunctionElement[int]):  # as the names of SQL's functions
    """The time in milliseconds since the epoch, as a part of a statement."""

    type = BigInteger()
    inherit_cache = True


@compiles(clock, "sqlite")
def _in_sqlite(*_: Any, **__: Any) -> str:
    return f"{CLOCK}()"


@compiles(clock, "postgresql")
def _in_postgresql(*_: Any, **__: Any) -> str:
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
