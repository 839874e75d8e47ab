"""Where decisions are weighed for people: in a thread of its own, one after the other, so that nobody else waits for it."""

from __future__ import annotations

import msgspec

from mekuri.bots import find, precompile
from mekuri.server.cached_response import CachedResponse
from mekuri.server.event_cache import EventCache
from mekuri.server.work import WorkerThread
from mekuri.table.errors import ProblemError
from mekuri.table.reasons import PastReason, Reason
from mekuri.table.weighing import Weighing

_LONGEST = 16  # people who wait for their turn


class Weighers:
    """The thread, and who waits for it: each for one decision at a time, so that it is paid for before the next is asked."""

    def __init__(self) -> None:
        self._room = WorkerThread()
        self._waiting: set[str] = set()

    async def answer(self, event_cache: EventCache, weighing: Weighing | Reason | PastReason, who: str) -> CachedResponse:
        """A decision, weighed for somebody: a guest, or an address.

        Raises ProblemError where they wait for another, or too many do.
        """
        if kept := event_cache.find(weighing.key):
            return kept
        if who in self._waiting:
            raise ProblemError("weighing")
        if len(self._waiting) >= _LONGEST:
            raise ProblemError("busy")
        precompile.begin(weighing.contract, find("flat"))  # whose search it is
        self._waiting.add(who)
        try:
            return await event_cache.answer(weighing.key, lambda: msgspec.json.encode(weighing.weigh()), self._room)
        finally:
            self._waiting.discard(who)

    def close(self) -> None:
        """Begin nothing more."""
        self._room.close()
