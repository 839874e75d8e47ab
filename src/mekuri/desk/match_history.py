"""The finished matches of each guest: statistics and pages of matches, and imports from files."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from msgspec.structs import replace

from mekuri.desk.stores import Fingerprint, Results
from mekuri.desk.work import Work
from mekuri.protocol.played import AskBring, Brought, GamePlayed, Played
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict
from mekuri.table.results import brought, totals

_PAGE = 50  # matches in one response
_BROUGHT = 2_000  # matches that one guest may import
_KEPT = 1_000  # guests whose statistics are cached


class MatchHistory:
    """The finished matches of each guest. Statistics are cached until a match is added.

    Args:
        store: the finished matches.
        work: the worker for statistics.
        apart: the worker for imports, which gets work that can be pickled.
    """

    def __init__(self, store: Results, work: Work, apart: Work) -> None:
        self._store = store
        self._work = work
        self._apart = apart
        self._kept: OrderedDict[str, tuple[Fingerprint, list[GamePlayed]]] = OrderedDict()

    async def played(self, person: str, skip: int) -> Played:
        """Return a guest's statistics by game, and a page of 50 matches, the newest first.

        Args:
            person: the guest.
            skip: how many matches to leave out.
        """
        counting = await self._store.count_results(person)
        games = await self._games(person)
        found = await self._store.some_results(person, skip, _PAGE + 1)
        matches = [result.played() for result in found[:_PAGE]]
        return Played(games=games, matches=matches, more=len(found) > _PAGE, counting=counting)

    async def bring(self, person: str, asked: AskBring) -> Brought:
        """Import a match from an export file.

        Raises:
            ProblemError: the record is not valid, the guest has imported too many matches, or matches played here are still being
                counted.
        """
        if known := await self._store.same_result(person, asked.table):
            return Brought(added=False, match=known.played())
        # Matches played here must be counted first, or an imported one could count twice.
        if await self._store.count_results(person):
            raise ProblemError("busy")
        if await self._store.brought_count(person) >= _BROUGHT:
            raise ProblemError("too-many-matches")
        # A time in the future is not believed. The limit also keeps sums of times within the database's integers.
        asked = replace(asked, ended_at=min(asked.ended_at, self._store.time.now()))
        result = await self._apart.do(partial(brought, asked))
        try:
            await self._store.add_result(person, result)
        except Conflict:
            if known := await self._store.same_result(person, result.match, result.digest):
                return Brought(added=False, match=known.played())
            raise ProblemError("busy") from None  # the other one was deleted since
        return Brought(added=True, match=result.played())

    async def _games(self, person: str) -> list[GamePlayed]:
        fingerprint = await self._store.results_fingerprint(person)
        kept = self._kept.pop(person, None)
        if kept is None or kept[0] != fingerprint:
            found = await self._store.results(person)
            # In the worker, as there may be many.
            kept = fingerprint, await self._work.do(partial(totals, found))
        self._kept[person] = kept
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return kept[1]
