"""The deals of the day in a log: their secrets, what people have put into them, and what came of playing them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import bindparam, func, literal, select

from mekuri.server.mistake_store import MistakeStore
from mekuri.server.schema import daily_cuts, daily_deals, daily_tries, matches
from mekuri.server.writer import Write
from mekuri.table.log import Conflict

_COUNTED_AT_ONCE = 50  # tries that are counted in one go

_TRY = (daily_tries.c.day, daily_tries.c.game, daily_tries.c.match, daily_tries.c.over, daily_tries.c.points)
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


@dataclass(frozen=True)
class Drawn:
    """From what a deal of the day comes. Its `root` is secret, and is not printed with it.

    Attributes:
        game: the game's name.
        root: 32 bytes.
        at: when it was drawn, in milliseconds since 1970.
    """

    game: str
    root: bytes
    at: int

    def __repr__(self) -> str:
        return f"Drawn(game={self.game!r}, at={self.at})"


@dataclass(frozen=True)
class Try:
    """Somebody's try at the deal of a day: a row of the database.

    Attributes:
        day, game: at which.
        match: the table.
        over: whether the match there is over, and counted.
        points: what the round brought; None where it does not count.
    """

    day: str
    game: str
    match: str
    over: bool
    points: int | None


Spread = dict[str, list[tuple[int, int]]]  # by game, what tries brought, in ascending order, and how many of them


class DailyStore(MistakeStore):
    """A log, as far as deals of the day are concerned."""

    async def daily_deals(self, day: str) -> list[Drawn]:
        """What has been drawn for a day."""
        return [Drawn(*row) for row in await self._read(_DEALS, {"of_day": day})]

    async def draw_daily(self, day: str, game: str, root: bytes) -> None:
        """Keep what has been drawn for a day and a game, unless somebody else was first."""
        with suppress(Conflict):
            await self._write(Write(daily_deals=({"day": day, "game": game, "root": root, "at": self.clock()},)))

    async def forget_dailies(self, before: str) -> None:
        """Keep nothing of the deals of days before one."""
        old = ({"before": before},)
        await self._write(Write(old_deals=old, old_cuts=old, old_tries=old))

    # --- Cuts ---

    async def daily_digests(self, day: str) -> list[str]:
        """What people have put into the deals of a day, in ascending order."""
        return [row[0] for row in await self._read(_DIGESTS, {"of_day": day})]

    async def daily_cuts_count(self, day: str) -> int:
        """How many have cut for a day."""
        return int((await self._read(_CUTS_COUNT, {"of_day": day}))[0][0])

    async def own_daily_cuts(self, person: str) -> dict[str, str]:
        """What somebody has put into the deals of which days."""
        return {row[0]: row[1] for row in await self._read(_OWN_CUTS, {"who": person})}

    async def add_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Somebody cuts for a day. Raises Conflict where they have done so, or are gone."""
        await self._write(Write(daily_cuts=({"day": day, "person": person, "digest": digest},)), taken="they have cut already")

    async def change_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Somebody cuts otherwise for a day for which they have cut. Raises Conflict where they have not."""
        change = {"who": person, "of_day": day, "digest": digest}
        await self._write(Write(daily_recuts=(change,)), missing="they have not cut yet", absent=Conflict)

    # --- Tries ---

    async def own_daily_tries(self, person: str, day: str | None = None) -> list[Try]:
        """What somebody has played of deals of the day; only those of one day, if that is asked."""
        found = (
            await self._read(_OWN_OF_DAY, {"who": person, "of_day": day}) if day else await self._read(_OWN_TRIES, {"who": person})
        )
        return [Try(*row) for row in found]

    async def count_daily_tries(self, day: str, until: int) -> None:
        """Count some tries at the deals of a day that are over and not counted yet; they count where they ended before `until`."""
        for match, game, person in await self._read(_UNCOUNTED, {"of_day": day}):
            result, _ = await self.with_record(person, match, game)
            returns: Sequence[int] = result.outcome.returns
            points = returns[0] if returns and result.at < until else None
            named = {"of_day": day, "of_game": game, "who": person}
            await self._write(Write(daily_counted=({**named, "over": True, "points": points},)))

    async def daily_spread(self, day: str) -> Spread:
        """What the tries brought that count."""
        found: Spread = {}
        for game, points, times in await self._read(_SPREAD, {"of_day": day}):
            found.setdefault(game, []).append((points, times))
        return found
