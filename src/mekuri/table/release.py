"""When a bot's answer is told, so that how long others wait for it says next to nothing of what it had to think about."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil, log2

Sleep = Callable[[float], Awaitable[None]]


class Release:
    """Holds back the answers of a table's bots.

    An answer that others see is told one pace after its turn began, which is when everybody saw something last; where it took
    longer, after two, four, eight and so on, and never sooner than the seat's answers before it in the round. Answers that nobody
    else sees need not be held back: whatever they bring about is. A turn that took longer than a bot may think is lost, and all are
    told so: nothing is waited for.

    Args:
        clock: what says the time in milliseconds.
        pace: how many seconds others wait at least; 0 to tell everything at once.
        limit: how many seconds a bot may think.
        sleep: what waits for so many seconds.
    """

    def __init__(self, clock: Callable[[], int], pace: float, limit: float, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._pace = pace
        self._most = max(pace, limit)
        self._sleep = sleep
        self._round = self._seen = -1
        self._began = 0
        self._doubled: dict[int, int] = {}  # how often its pace was doubled for each seat, at most, in this round

    def begin(self, round: int, seen: int) -> None:
        """A bot owes an answer in a round, after a spectator has seen so many things: until he sees more it is one turn."""
        if round != self._round:
            self._round, self._doubled = round, {}
        if seen != self._seen:
            self._seen, self._began = seen, self._clock()

    async def wait(self, seat: int) -> None:
        """Wait until others may see what a seat's bot has answered."""
        took = (self._clock() - self._began) / 1000
        if not self._pace or took >= self._most:
            return
        doubled = ceil(log2(took / self._pace)) if took > self._pace else 0
        doubled = self._doubled[seat] = max(doubled, self._doubled.get(seat, 0))
        await self._sleep(min(self._pace * 2**doubled, self._most) - took)
