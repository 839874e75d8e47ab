"""The desk: the tables of a process, and the services around them. `mekuri.desk.routes` has what a client may ask of it."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from contextlib import AbstractContextManager, asynccontextmanager

from mekuri.desk.counts import Counts
from mekuri.desk.daily import Daily
from mekuri.desk.guests import Guests
from mekuri.desk.homes import Homes
from mekuri.desk.limits import Limits
from mekuri.desk.lobby import Lobby
from mekuri.desk.match_history import MatchHistory
from mekuri.desk.news import News
from mekuri.desk.options import Options
from mekuri.desk.reviewers import Reviewers, Weighers
from mekuri.desk.sized_cache import SizedCache
from mekuri.desk.stores import Device, Stores
from mekuri.desk.stream import Stream
from mekuri.desk.streams import Streams
from mekuri.desk.tables import Tables
from mekuri.desk.work import Inline, Work
from mekuri.match.deals import Deals
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError


def draw_root() -> bytes:
    """Return 32 random bytes as the root of a table."""
    return secrets.token_bytes(32)


async def choose_here(turn: Turn) -> Answer:
    """Return the action of a bot, chosen on the event loop."""
    return Answer(commands.think(turn), turn.bot)


class Desk:
    """The tables of a process, and the services around them.

    Args:
        store: the log, and what is stored beside it.
        options: how the desk is set up.
        limits: how much each guest and each address may have and do.
        homes: the processes among which the tables are shared out.
        choose: lets a bot choose an action.
        work: makes a worker for work that would block the event loop.
        apart: the worker for reviews, analyses and imports, which gets work that can be pickled; None for workers of `work`.
        lock: taken for each use of the cache, where workers are threads.
        counts: counts what happens for the operator.
        news: notifies people that it is their turn.
        draw_root: draws 32 secret bytes, from which the deals, the lots and the bots' chance of a table are derived.
        deals: returns the source of the packs of a table by its root; None for fair deals.
        bots_alone: whether a table may have no people.
        alone: whether nobody but the people at this device can reach it. Then what needs a server is refused.

    Attributes:
        store, options, limits, homes, counts, news, draw_root, deals, bots_alone, alone: as above.
        time: the clock, and the ways to wait for it.
        work: the worker of the tables.
        tables: the tables in memory.
        streams: the open event streams.
        guests: the guests, by their tokens.
        lobby: chooses which open tables are listed.
        match_history: the finished matches of each guest.
        reviewers: makes reviews of finished rounds.
        weighers: makes analyses of single decisions.
        daily: the deals of the day.
    """

    def __init__(
        self,
        store: Stores,
        options: Options | None = None,
        *,
        limits: Limits | None = None,
        homes: Homes | None = None,
        choose: Callable[[Turn], Awaitable[Answer]] = choose_here,
        work: Callable[[], Work] = Inline,
        apart: Work | None = None,
        lock: AbstractContextManager[object] | None = None,
        counts: Counts | None = None,
        news: News | None = None,
        draw_root: Callable[[], bytes] = draw_root,
        deals: Callable[[bytes], Deals | None] = lambda root: None,
        bots_alone: bool = False,
        alone: bool = False,
    ) -> None:
        self.store = store
        self.time = store.time
        self.options = options = options or Options()
        self.limits = limits or Limits(options, store.time)
        self.homes = homes or Homes()
        self.counts = counts or Counts()
        self.news = news or News()
        self.draw_root, self.deals, self.bots_alone, self.alone = draw_root, deals, bots_alone, alone
        self.work = work()
        cache = SizedCache(options.remembered << 20, lock)
        self.tables = Tables(store, options, self.homes, choose, self._drop, self.work, cache, deals, alone)
        self.tables.tell_turns = self.news.tell
        self.streams = Streams(self.tables, self.limits, self.homes, self.counts)
        self.guests = Guests(store, options, self.limits, self.counts, self.news, self.refresh)
        self.lobby = Lobby(store, self.tables, options)
        self.match_history = MatchHistory(store, self.work, apart or self.work)
        self.reviewers, self.weighers = Reviewers(store, apart or work()), Weighers(apart or work())
        self.daily = Daily(store, options, self.room)
        self._making: Counter[str] = Counter()  # by guest, the tables that are being made just now

    def _drop(self, stream: Stream) -> None:
        """Close a stream that a table has ended."""
        self.streams.disconnect(stream)

    @asynccontextmanager
    async def room(self, person: str) -> AsyncIterator[None]:
        """Count a table while a guest makes it. Raises ProblemError where the guest has as many unfinished tables as allowed."""
        self._making[person] += 1
        try:
            if await self.store.unfinished(person) + self._making[person] > self.options.tables:
                raise ProblemError("too-many-tables")
            yield
        finally:
            self._making[person] -= 1
            self._making += Counter()  # removes the counts that are 0

    async def refresh(self, people: Set[str]) -> None:
        """Update the cache, streams and tables after guests were renamed, signed out on a device, banned or deleted."""
        self.guests.drop_cached(people)
        await self.streams.sign_out(people, self.devices)
        await self.tables.rename(people)

    async def devices(self, person: str) -> Sequence[Device]:
        """Return the devices on which a guest is signed in."""
        return await self.store.devices(person)

    def hang_up(self) -> None:
        """Close every stream and start no more bot turns. The first step of a shutdown."""
        self.tables.stop()
        self.streams.hang_up()

    async def close(self) -> None:
        """Hang up, and finish the work in progress."""
        self.hang_up()
        await self.tables.close()
        self.work.close()
        self.weighers.close()
        self.reviewers.close()
