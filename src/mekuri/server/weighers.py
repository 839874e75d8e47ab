"""Analyses of decisions, made in a thread of their own, one at a time, so that nothing else waits for them."""

from __future__ import annotations

from mekuri.bots import find, precompile
from mekuri.protocol.coding import encode
from mekuri.server.cached_response import CachedResponse
from mekuri.server.event_cache import EventCache
from mekuri.server.limits import Shares
from mekuri.server.work import WorkerThread, payers_neighbourhood
from mekuri.table.errors import ProblemError
from mekuri.table.reasons import PastReason, Reason
from mekuri.table.weighing import Weighing

_LONGEST, _EACH = 16, 4  # requests in the queue, and those of one neighbourhood


class Weighers:
    """Makes analyses in a thread. Each guest or address waits for one at a time, so that it is charged before the next begins."""

    def __init__(self) -> None:
        self._room = WorkerThread()
        self._waiting: set[str] = set()
        self._shares = Shares(_LONGEST, _EACH)

    async def answer(self, event_cache: EventCache, weighing: Weighing | Reason | PastReason, who: str) -> CachedResponse:
        """Return an analysis or an explanation of a move, cached or computed now.

        Args:
            event_cache: the cache of the table.
            weighing: what is to be computed.
            who: the guest or address that is charged.

        Raises:
            ProblemError: `who` waits for another one, or too many requests of the neighbourhood wait.
        """
        if kept := event_cache.find(weighing.key):
            return kept
        if who in self._waiting:
            raise ProblemError("weighing")
        neighbourhood = payers_neighbourhood(who)
        if self._shares.full(neighbourhood):
            raise ProblemError("busy")
        precompile.begin(weighing.contract, find("flat"))  # the bot whose search is used
        self._waiting.add(who)
        self._shares.enter(neighbourhood)
        try:
            return await event_cache.answer(weighing.key, lambda: encode(weighing.weigh()), self._room)
        finally:
            self._waiting.discard(who)
            self._shares.leave(neighbourhood)

    def close(self) -> None:
        """Start no more."""
        self._room.close()
