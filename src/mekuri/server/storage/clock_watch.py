"""The watch over the clock of the machine: what a process does when it leaps, and when it is back or its new time is confirmed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from mekuri.server.base import metrics
from mekuri.server.storage.clock import LEAP_MS
from mekuri.server.storage.store import Store, StoreError

_log = logging.getLogger("mekuri.server")
_KEPT = 30.0  # seconds between two notes in the database that this process looks at its clock
_SMALL_MS = 1_000  # small steps that are noted at once
_TO_DO = (
    "no table is closed, no term passes and nothing is deleted until the clock is back, or the new time is confirmed with "
    "mekuri admin clock --confirm"
)


class ClockWatch:
    """The watch of one process over the clock of its machine.

    Args:
        store: the log, with its clock.
        moved: called after a new time was confirmed, with the milliseconds that the time of day has gained.
    """

    def __init__(self, store: Store, moved: Callable[[int], None]) -> None:
        self._store = store
        self._clock = store.clock
        self._moved = moved
        self._trusted = 0  # what the clock trusted when this process looked last
        self._logged = 0  # the leap that was logged last
        self._noted: tuple[int, int] = 0, 0  # the trusted time and the leap that the database has
        self._noted_at = float("-inf")
        self._elsewhere = False  # whether the clock of some machine had leapt then

    async def begin(self) -> None:
        """Find out which time is to be trusted. Raises StoreError.

        If another process on this machine has found it since the machine started, its result is kept. Otherwise the trusted time is
        the time of the clock, or the time of the newest row of the log if the clock is behind it by more than a minute.
        """
        at = self._clock.now()
        if not await self._store.read_clock():
            behind = await self._store.newest() - at
            if behind > LEAP_MS:
                self._clock.trust(self._clock.trusted + behind, self._clock.leases + behind)
            self._clock.now()
            await self._store.begin_clock()
        self._trusted = self._clock.trusted
        await self.look()

    async def look(self) -> bool:
        """Compare the clock with the monotonic time. Returns whether anything may be decided: no clock of any machine has leapt.

        A process that has begun since the leap of other machines cannot see it on its own.
        """
        self._clock.now()
        self._clock.settle()
        self._follow()
        trusted, leap = self._noted
        changed = abs(self._clock.trusted - trusted) > _SMALL_MS or abs(self._clock.leap - leap) > _SMALL_MS
        if changed or self._elsewhere or self._store.time.monotonic() - self._noted_at >= _KEPT:
            await self._note()
        return not self._clock.leap and not self._elsewhere

    async def accept(self) -> None:
        """Take over the time that an operator has confirmed. Raises StoreError."""
        await self._store.read_clock()
        self._clock.now()
        self._follow()

    async def close(self) -> None:
        """Look at the clock no more, as before the process stops."""
        with suppress(StoreError):  # it is taken to have ended a minute and a half later
            await self._store.leave_clock()

    async def _note(self) -> None:
        try:
            await self._store.keep_clock()
            await self.accept()  # where the note was not taken, another time has been confirmed
            was, self._elsewhere = self._elsewhere, any(clock.by for clock in await self._store.leaps())
            if self._elsewhere and not was and not self._clock.leap:
                _log.error("The clock of another machine has leapt: %s", _TO_DO)
        except StoreError as error:
            _log.error("The state of the clock cannot be kept: %s", error)
            return
        self._noted, self._noted_at = (self._clock.trusted, self._clock.leap), self._store.time.monotonic()

    def _follow(self) -> None:
        """Log what has become of the clock since the last look, and move what is in memory where a new time was confirmed."""
        by, leap = self._clock.trusted - self._trusted, self._clock.leap
        self._trusted = self._clock.trusted
        metrics.LEAP.set(leap / 1000)
        if abs(by) > LEAP_MS:  # small steps are followed one by one
            self._logged = 0
            _log.warning("The new time of the clock is confirmed, %s: deadlines are moved, and everything goes on", described(by))
            self._moved(by)
        if leap and abs(leap - self._logged) > LEAP_MS:
            _log.error("The clock has leapt, %s: %s", described(leap), _TO_DO)
            self._logged = leap
        elif self._logged and not leap:
            _log.warning("The clock is back: everything goes on")
            self._logged = 0


def described(leap: int) -> str:
    """Return how far a clock is ahead or behind, by the milliseconds, such as `ahead by 100 days, 0:00:12`."""
    return f"{'ahead' if leap > 0 else 'back'} by {timedelta(seconds=round(abs(leap) / 1000))}"
