"""The deals of the day: one for each game, drawn a day ahead, open to cuts by any guest, and the same for all guests."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache

from mekuri import games
from mekuri.bots.levels import levels
from mekuri.desk.limits import Shares, neighbourhood_of
from mekuri.desk.options import Options
from mekuri.desk.stores import Dailies, Drawn, Spread, Try
from mekuri.desk.tables import new_id
from mekuri.engine.errors import OptionError
from mekuri.match.daily import DAY_MS, after, begins, closes, day_of, digest_of, ends, mixed, mixture
from mekuri.match.fair import FairDeals, commit
from mekuri.protocol import daily as wire
from mekuri.table.errors import ProblemError
from mekuri.table.founding import of_the_day, one_round
from mekuri.table.log import Conflict
from mekuri.table.session import new_match

MOST_CUTS, CUTS_EACH = 1_000, 32  # cuts of one day, and those from one IPv4 address or IPv6 network of 48 bits
KEPT_DAYS = 60  # days after which a deal is deleted
_REMEMBERED = 4  # days in the cache


def games_of_skill() -> tuple[str, ...]:
    """Return the games with a deal of the day: their bots have levels, and they can be played as a match of one round."""
    return _of_skill(tuple(games.names()))


@cache
def _of_skill(names: tuple[str, ...]) -> tuple[str, ...]:
    found = ((name, games.find(name)) for name in names)
    return tuple(name for name, contract in found if levels(contract) and one_round(contract) is not None)


class Daily:
    """The deals of each day. Days are those of UTC, such as `2026-11-24`.

    Args:
        store: the log.
        options: how the desk is set up.
        room: checks the limit of a guest's unfinished tables while one more is made.
    """

    def __init__(self, store: Dailies, options: Options, room: Callable[[str], AbstractAsyncContextManager[None]]) -> None:
        self._store = store
        self._options = options
        self._room = room
        self._drawn: dict[str, dict[str, Drawn]] = {}  # by day and game
        self._digests: dict[str, list[str]] = {}  # by day, of days that have begun
        self._cutting: tuple[str, Shares] = "", Shares(0, 0)  # tomorrow, and from where its cuts came
        self._kept = ""  # the last day on which `keep` has done its work

    async def keep(self) -> None:
        """Draw the deals of today and tomorrow, and delete those older than 60 days. Does nothing if it has been done today.

        Days over which the clock has leapt meanwhile do not count.
        """
        today = day_of(self._store.time.now())
        if self._kept != today:
            await self._deals(today)
            await self._deals(after(today))
            await self._store.forget_dailies(day_of(await self._store.ago(KEPT_DAYS * DAY_MS)))
            self._kept = today

    # --- Reading ---

    async def show(self, person: str | None) -> wire.Daily:
        """Return today's deals and tomorrow's commitments, with the guest's own results; `person` is None without a guest."""
        today = day_of(self._store.time.now())
        drawn = await self._deals(today)
        return wire.Daily(
            day=today,
            ends_at=ends(today),
            deals=await self._shown(today, drawn, person),
            tomorrow=await self._eve(after(today), person),
        )

    async def deal(self, game: str, day: str | None, person: str | None) -> wire.DailyDeal:
        """Return the deal of a day in one game.

        Args:
            game: the game's name.
            day: the day; None for today.
            person: the guest whose own result is included; None without one.

        Raises:
            ProblemError: there is no such deal, or its day has not begun.
        """
        found = await self._begun(game, day)
        [deal] = await self._shown(found[0], {game: found[1]}, person)
        return deal

    async def cuts(self, game: str, day: str | None) -> str:
        """Return the text whose SHA-256 is the cut of a deal. Arguments and errors are those of `deal`."""
        of, _ = await self._begun(game, day)
        return mixture(of, game, await self._all_cuts(of))

    async def _begun(self, game: str, day: str | None) -> tuple[str, Drawn]:
        today = day_of(self._store.time.now())
        of = today if day is None else day
        try:
            known = begins(of) <= begins(today)
        except ValueError:
            known = False
        # Missing deals of past days are not drawn any more.
        found = (await self._deals(today) if of == today else await self._read(of)) if known else {}
        if game not in found:
            raise ProblemError("no-such-daily")
        return of, found[game]

    async def _shown(self, day: str, drawn: dict[str, Drawn], person: str | None) -> list[wire.DailyDeal]:
        await self._store.count_daily_tries(day, ends(day))
        spread = await self._store.daily_spread(day)
        own = {one.game: one for one in await self._store.own_daily_tries(person, day)} if person else {}
        digests, past = await self._all_cuts(day), self._store.time.now() >= ends(day)
        return [_deal(day, one, digests, own.get(game), spread, past) for game, one in drawn.items()]

    async def _eve(self, day: str, person: str | None) -> wire.DailyEve:
        own = await self._store.own_daily_cuts(person) if person else {}
        return wire.DailyEve(
            day=day,
            closes_at=closes(day),
            commitments={game: commit(one.root) for game, one in (await self._deals(day)).items()},
            cuts=await self._store.daily_cuts_count(day),
            yours=own.get(day),
        )

    # --- Cutting and playing ---

    async def cut(self, person: str, address: str, asked: wire.AskDailyCut) -> wire.DailyEve:
        """Set or replace a guest's cut of tomorrow's deals.

        Nobody is shut out by how often others cut: the first cut from a neighbourhood is always taken.

        Args:
            person: the guest.
            address: the IP address of the client.
            asked: the day and the cut.

        Raises:
            ProblemError: the day asked for is not tomorrow, its cuts are closed (a minute before it begins), its neighbourhood has
                had its share, or the cut is not valid.
        """
        now = self._store.time.now()
        tomorrow = after(day_of(now))
        if asked.day != tomorrow or now >= closes(tomorrow):
            raise ProblemError("daily-cuts-closed", day=tomorrow if now < closes(tomorrow) else after(tomorrow))
        try:
            digest = digest_of(asked.cut)
        except OptionError:
            raise ProblemError("cut") from None
        await self._deals(tomorrow)  # deals must be drawn, and committed to, before they are cut
        try:
            await self._store.change_daily_cut(tomorrow, person, digest)
        except Conflict:
            shares, neighbourhood = self._shares(tomorrow), neighbourhood_of(address)
            if shares.full(neighbourhood):
                raise ProblemError("daily-cuts-full") from None
            shares.enter(neighbourhood)
            try:
                await self._store.add_daily_cut(tomorrow, person, digest)
            except BaseException as error:
                shares.leave(neighbourhood)
                if not isinstance(error, Conflict):
                    raise
                await self._store.change_daily_cut(tomorrow, person, digest)  # a duplicate request was first
        return await self._eve(tomorrow, person)

    def _shares(self, day: str) -> Shares:
        if self._cutting[0] != day:
            self._cutting = day, Shares(MOST_CUTS, CUTS_EACH)
        return self._cutting[1]

    async def play(self, game: str, person: str, name: str) -> str:
        """Return the id of the table at which a guest plays today's deal, made at the first request.

        Raises:
            ProblemError: the game has no deal today, or the guest has too many unfinished tables.
        """
        day = day_of(self._store.time.now())
        drawn = (await self._deals(day)).get(game)
        if drawn is None:
            raise ProblemError("no-such-daily")
        found = await self._try(person, day, game)
        if found is None:
            async with self._room(person):
                window, pace = round(self._options.window * 1000), round(self._options.pace * 1000)
                cut = mixed(day, game, await self._all_cuts(day))
                id = new_id()
                table = of_the_day(id, drawn.root, game, day, cut, person, name, self._store.time.now(), window, pace)
                try:
                    await self._store.add_daily_try(new_match(table), day, person)
                except Conflict:  # a duplicate request was first
                    found = await self._try(person, day, game)
                    if found is None:
                        raise ProblemError("busy") from None
                else:
                    return id
        return found.match

    async def _try(self, person: str, day: str, game: str) -> Try | None:
        return next((one for one in await self._store.own_daily_tries(person, day) if one.game == game), None)

    # --- Cached ---

    async def _deals(self, day: str) -> dict[str, Drawn]:
        """Return the deals of a day, and draw the missing ones."""
        found = self._drawn.get(day) or await self._read(day)
        if lacking := [game for game in games_of_skill() if game not in found]:
            for game in lacking:
                await self._store.draw_daily(day, game, secrets.token_bytes(32))
            found = await self._read(day)  # another process may have drawn first
        self._drawn[day] = found
        for old in sorted(self._drawn)[:-_REMEMBERED]:
            del self._drawn[old]
        return found

    async def _read(self, day: str) -> dict[str, Drawn]:
        drawn = {one.game: one for one in await self._store.daily_deals(day)}
        return {game: drawn[game] for game in games_of_skill() if game in drawn}

    async def _all_cuts(self, day: str) -> list[str]:
        """Return the digests of all cuts of a day that has begun."""
        found = self._digests.get(day)
        if found is None:
            found = self._digests[day] = await self._store.daily_digests(day)
            for old in sorted(self._digests)[:-_REMEMBERED]:
                del self._digests[old]
        return found


def _deal(day: str, drawn: Drawn, digests: list[str], own: Try | None, spread: Spread, past: bool) -> wire.DailyDeal:
    game, rows = drawn.game, spread.get(drawn.game, [])
    seen = past or (own is not None and own.over)
    return wire.DailyDeal(
        game=game,
        day=day,
        commitment=commit(drawn.root),
        committed_at=drawn.at,
        in_time=drawn.at < closes(day),
        cuts=len(digests),
        cut=mixed(day, game, digests),
        secret=FairDeals(drawn.root, ()).secret(0) if past else None,
        tries=sum(times for _, times in rows),
        yours=wire.DailyTry(table=own.match, over=own.over, points=own.points) if own else None,
        better=None if own is None or own.points is None else sum(times for points, times in rows if points < own.points),
        spread=[wire.DailyPoints(points=points, times=times) for points, times in rows] if seen else None,
    )
