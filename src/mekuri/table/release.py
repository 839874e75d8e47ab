"""Delays for bots' answers, so that the time a bot takes reveals almost nothing about its choice."""

from __future__ import annotations

from math import ceil, log2

from mekuri.table.time import Time


class Release:
    """Delays the answers of a table's bots.

    A turn is timed from the last event that spectators saw. An answer that others see is released one pace after it; where the bot
    took longer, after two, four, eight paces and so on, and in one round never after a shorter time than the seat's earlier
    answers. An answer that no other player sees needs no delay, since the next visible one is delayed. A turn that took longer than
    `limit` is not delayed either: the bot has lost it, and all viewers get an event of it.

    Args:
        time: the clock, and the ways to wait for it.
        pace: the shortest time that others wait, in seconds; 0 for no delays.
        limit: the longest time that a bot may think, in seconds.
    """

    def __init__(self, time: Time, pace: float, limit: float) -> None:
        self._time = time
        self._pace = pace
        self._most = max(pace, limit)
        self._round = self._seen = -1
        self._began = 0.0
        self._doubled: dict[int, int] = {}  # by seat, how often the pace has been doubled in this round, at most

    def begin(self, round: int, seen: int) -> None:
        """Note that a bot's turn begins.

        Args:
            round: the round's number.
            seen: the spectators' version. While it stays the same, all bots' answers belong to one turn.
        """
        if round != self._round:
            self._round, self._doubled = round, {}
        if seen != self._seen:
            self._seen, self._began = seen, self._time.monotonic()

    async def wait(self, seat: int) -> None:
        """Wait until the answer of a seat's bot may be seen by others."""
        took = self._time.monotonic() - self._began
        if not self._pace or took >= self._most:
            return
        doubled = ceil(log2(took / self._pace)) if took > self._pace else 0
        doubled = self._doubled[seat] = max(doubled, self._doubled.get(seat, 0))
        await self._time.sleep(min(self._pace * 2**doubled, self._most) - took)
