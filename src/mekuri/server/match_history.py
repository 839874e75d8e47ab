"""What people have played: told page by page, and added to from files."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from msgspec.structs import replace

from mekuri.protocol.played import AskBring, Brought, GamePlayed, Played
from mekuri.server.result_store import Fingerprint
from mekuri.server.results import brought, totals
from mekuri.server.store import Store
from mekuri.server.work import WorkerThread
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict

_PAGE = 50  # matches that are told at once
_BROUGHT = 2_000  # matches that one guest may have brought from files
_KEPT = 1_000  # people of whom it is kept what their matches come to


class MatchHistory:
    """What people have played. What it comes to is kept in memory until something is added."""

    def __init__(self, store: Store, worker: WorkerThread) -> None:
        self._store = store
        self._worker = worker
        self._kept: OrderedDict[str, tuple[Fingerprint, list[GamePlayed]]] = OrderedDict()

    async def played(self, person: str, skip: int) -> Played:
        """What somebody has played: what it comes to, and some of the matches."""
        counting = await self._store.count_results(person)
        games = await self._games(person)
        found = await self._store.some_results(person, skip, _PAGE + 1)
        matches = [result.played() for result in found[:_PAGE]]
        return Played(games=games, matches=matches, more=len(found) > _PAGE, counting=counting)

    async def bring(self, person: str, asked: AskBring) -> Brought:
        """Count a match from a file as somebody's.

        Raises ProblemError where it cannot have been played so, or there are too many.
        """
        if known := await self._store.same_result(person, asked.table):
            return Brought(added=False, match=known.played())
        # What was played here must be known before, or it would count twice.
        if await self._store.count_results(person):
            raise ProblemError("busy")
        if await self._store.brought_count(person) >= _BROUGHT:
            raise ProblemError("too-many-matches")
        # No match ends in days to come; and what is summed up stays a number.
        asked = replace(asked, ended_at=min(asked.ended_at, self._store.clock()))
        result = await self._worker.do(partial(brought, asked))
        try:
            await self._store.add_result(person, result)
        except Conflict:
            if known := await self._store.same_result(person, result.match, result.digest):
                return Brought(added=False, match=known.played())
            raise ProblemError("busy") from None  # whoever asks is gone
        return Brought(added=True, match=result.played())

    async def _games(self, person: str) -> list[GamePlayed]:
        fingerprint = await self._store.results_fingerprint(person)
        kept = self._kept.pop(person, None)
        if kept is None or kept[0] != fingerprint:
            found = await self._store.results(person)
            # Beside the event loop: they may be many.
            kept = fingerprint, await self._worker.do(partial(totals, found))
        self._kept[person] = kept
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return kept[1]
