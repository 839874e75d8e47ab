"""The deals of the day in the database: their secrets, the cuts, and each guest's try."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import bindparam, delete, func, insert, literal, select, update

from mekuri.desk.stores import Drawn, Spread, Try
from mekuri.server.storage.mistake_store import MistakeStore
from mekuri.server.storage.schema import daily_cuts, daily_deals, daily_tries, matches
from mekuri.server.storage.writer import Statement
from mekuri.table.log import Conflict

_COUNTED_AT_ONCE = 50  # tries that are counted by one call

_TRY = tuple(daily_tries.c[name] for name in ("day", "game", "person", "match", "over", "points"))
_ON_DAY = daily_tries.c.day == bindparam("of_day")
_OWN = daily_tries.c.person == bindparam("who")
_DEALS = select(daily_deals.c.game, daily_deals.c.root, daily_deals.c.at).where(daily_deals.c.day == bindparam("of_day"))
_DIGESTS = select(daily_cuts.c.digest).where(daily_cuts.c.day == bindparam("of_day")).order_by(daily_cuts.c.digest)
_CUTS_COUNT = select(func.count()).where(daily_cuts.c.day == bindparam("of_day"))
_OWN_CUTS = select(daily_cuts.c.day, daily_cuts.c.digest).where(daily_cuts.c.person == bindparam("who")).order_by(daily_cuts.c.day)
_OWN_TRIES = select(*_TRY).where(_OWN).order_by(daily_tries.c.day, daily_tries.c.game)
_OWN_OF_DAY = select(*_TRY).where(_ON_DAY, _OWN)
_UNCOUNTED = (
    select(daily_tries.c.match, daily_tries.c.game, daily_tries.c.person)
    .join(matches, matches.c.id == daily_tries.c.match)
    .where(_ON_DAY, ~daily_tries.c.over, matches.c.state == literal("over"))
    .limit(_COUNTED_AT_ONCE)
)
_SPREAD = (
    select(daily_tries.c.game, daily_tries.c.points, func.count())
    .where(_ON_DAY, daily_tries.c.over, daily_tries.c.points.is_not(None))
    .group_by(daily_tries.c.game, daily_tries.c.points)
    .order_by(daily_tries.c.game, daily_tries.c.points)
)
_ADD_DEAL = Statement(insert(daily_deals).inline())
_ADD_CUT = Statement(insert(daily_cuts).inline())
_CHANGE_CUT = Statement(
    update(daily_cuts).where(daily_cuts.c.person == bindparam("who"), daily_cuts.c.day == bindparam("of_day")), must_find=True
)
ADD_TRY = Statement(insert(daily_tries).inline())
_COUNT_TRY = Statement(update(daily_tries).where(_ON_DAY, daily_tries.c.game == bindparam("of_game"), _OWN))
_FORGET = [Statement(delete(table).where(table.c.day < bindparam("before"))) for table in (daily_deals, daily_cuts, daily_tries)]


class DailyStore(MistakeStore):
    """The part of the store for the deals of the day. Days are text such as `2026-11-24`."""

    async def daily_deals(self, day: str) -> list[Drawn]:
        """Return the deals that are drawn for a day."""
        return [Drawn(*row) for row in await self._read(_DEALS, {"of_day": day})]

    async def draw_daily(self, day: str, game: str, root: bytes) -> None:
        """Store the root of a game's deal, unless another process has stored one already."""
        with suppress(Conflict):
            await self._write(_ADD_DEAL({"day": day, "game": game, "root": root, "at": self.time.now()}))

    async def forget_dailies(self, before: str) -> None:
        """Delete all deals, cuts and tries of the days before one."""
        await self._write(*(statement({"before": before}) for statement in _FORGET))

    # --- Cuts ---

    async def daily_digests(self, day: str) -> list[str]:
        """Return the digests of all cuts of a day, in ascending order."""
        return [row[0] for row in await self._read(_DIGESTS, {"of_day": day})]

    async def daily_cuts_count(self, day: str) -> int:
        """Return how many cuts a day has."""
        return int((await self._read(_CUTS_COUNT, {"of_day": day}))[0][0])

    async def own_daily_cuts(self, person: str) -> dict[str, str]:
        """Return the digests of a person's cuts, by day."""
        return {row[0]: row[1] for row in await self._read(_OWN_CUTS, {"who": person})}

    async def add_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Add a person's cut of a day. Raises Conflict where the person has one already, and Gone where they are deleted."""
        cut = _ADD_CUT({"day": day, "person": person, "digest": digest})
        await self._write_for(person, cut, taken="they have cut already")

    async def change_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Replace a person's cut of a day. Raises Conflict where the person has none."""
        change = _CHANGE_CUT({"who": person, "of_day": day, "digest": digest})
        await self._write(change, missing="they have not cut yet", absent=Conflict)

    # --- Tries ---

    async def own_daily_tries(self, person: str, day: str | None = None) -> list[Try]:
        """Return a person's tries, of all days or of one."""
        found = (
            await self._read(_OWN_OF_DAY, {"who": person, "of_day": day}) if day else await self._read(_OWN_TRIES, {"who": person})
        )
        return [Try(*row) for row in found]

    async def count_daily_tries(self, day: str, until: int) -> None:
        """Store the results of up to 50 tries whose matches are over.

        Args:
            day: the day of the deals.
            until: when the day ends, in milliseconds since the epoch; matches that ended later do not count.
        """
        for match, game, person in await self._read(_UNCOUNTED, {"of_day": day}):
            result, _ = await self.with_record(person, match, game)
            named = {"of_day": day, "of_game": game, "who": person}
            await self._write(_COUNT_TRY({**named, "over": True, "points": result.points(until)}))

    async def daily_spread(self, day: str) -> Spread:
        """Return for each game how many tries brought which points. Only tries that count are included."""
        found: Spread = {}
        for game, points, times in await self._read(_SPREAD, {"of_day": day}):
            found.setdefault(game, []).append((points, times))
        return found
