"""The desk of a server process: with a database, threads, metrics, and other processes beside it.

The log in the database is the only truth; a table in memory is built from its rows. Any number of processes may serve one log. Each
table has one of them as its home: functions of the desk that are marked `at_home` run there, whichever process was asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from threading import Lock

from mekuri.desk.counts import Counts
from mekuri.desk.desk import Desk
from mekuri.desk.stores import Device
from mekuri.protocol import table as wire
from mekuri.server.base import metrics
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings, desk_options
from mekuri.server.base.work import WorkerThread
from mekuri.server.cluster.peers import Peers
from mekuri.server.notify.turn_news import TurnNews
from mekuri.server.storage.clock_watch import ClockWatch
from mekuri.server.storage.moderation import Act
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.tables.attendance import Attendance
from mekuri.server.tables.pictures import Pictures
from mekuri.table.bot_pool import BotPool
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.time import time_limit

_log = logging.getLogger("mekuri.server")
_LOOKING = 3.0  # seconds after which a read of the database counts as failed


class _Metrics(Counts):
    """Counts in the metrics of the process."""

    def guest(self) -> None:
        metrics.GUESTS.inc()

    def move(self) -> None:
        metrics.MOVES.inc()

    def message(self, kind: str) -> None:
        metrics.MESSAGES.labels(kind).inc()


class ServerDesk(Desk):
    """The desk of a server process. Its methods raise StoreError where the database cannot be read or written.

    Attributes:
        settings: how the server is set up.
        clock_watch: notices when the clock leaps.
        pictures: renders pictures of cards.
        attendance: records at which listed tables people wait.
        turn_news: notifies people that it is their turn, where it may take days.
        peers: the other processes that serve the log.
    """

    store: Store

    def __init__(self, store: Store, settings: Settings, limits: Limits) -> None:
        self.settings = settings
        self._bot_pool = BotPool(settings.thinking)
        self.peers = Peers(store, settings)
        self.turn_news = TurnNews(store, settings)
        super().__init__(
            store,
            desk_options(settings),
            limits=limits,
            homes=self.peers,
            choose=self._choose,
            work=WorkerThread,
            lock=Lock(),
            counts=_Metrics(),
            news=self.turn_news,
        )
        self.peers.join(self)
        self.clock_watch = ClockWatch(store, self._moved)
        self.pictures = Pictures(self.tables.sized_cache)
        self.attendance = Attendance(store, self.tables, settings)
        self._looking: asyncio.Task[int] | None = None  # the last readiness check of the database

    async def close(self) -> None:
        """Finish the work in progress, take this process out of the cluster and close the database."""
        await super().close()
        await self.turn_news.close()
        self._bot_pool.close()
        self.pictures.close()
        await self.peers.close()
        await self.clock_watch.close()
        await self.store.close()

    async def _choose(self, turn: Turn) -> Answer:
        """Return the action of a bot, and measure how long it took."""
        with metrics.THINKING.time():
            answer = await self._bot_pool.choose(turn)
        if answer.bot != turn.bot:
            metrics.LAPSES.inc()
        return answer

    async def devices(self, person: str) -> Sequence[Device]:
        """Return the devices on which a guest is signed in; none for a banned guest."""
        found = await self.store.person(person)
        banned = found is not None and found.banned_until is not None and found.banned_until > self.time.now()
        return [] if banned else await super().devices(person)

    async def check(self) -> None:
        """Check that this process can serve: the readiness probe.

        The database is read by one check at a time; checks that arrive meanwhile share its result.

        Raises:
            ProblemError: the database could not be read within 3 seconds, its last write failed, or the server is shutting down.
        """
        if self._looking is None or self._looking.done():
            self._looking = self.tables.tasks.begin(self.store.place())
        try:
            async with time_limit(self.time, _LOOKING):
                await asyncio.shield(self._looking)
        except StoreError as error:
            raise ProblemError(error.refusal) from error
        except TimeoutError:
            raise ProblemError("busy") from None
        if self.tables.closing or self.store.refusal:
            raise ProblemError(self.store.refusal or "busy")

    # --- Changes elsewhere ---

    def _moved(self, by: int) -> None:
        """Move what is in memory by a leap of the clock, in milliseconds, when its new time was confirmed."""
        for live in self.tables.live_tables.values():
            live.move_clock(by)

    async def apply(self, act: Act) -> None:
        """Apply an administrative act that was found in the log: a new announcement, deleted matches, or a new time."""
        _log.info("Act %d of the keeper: %s", act.id, act.kind)
        if act.kind == "announce":
            await self.announce()
        elif act.kind == "clock":
            await self.clock_watch.accept()
        elif act.kind == "prune":
            await self.put_away_deleted()

    async def announce(self) -> None:
        """Read the current announcement from the log and send it to all streams."""
        self.streams.announce(wire.Notice(texts=await self.store.announcement()))

    async def put_away_deleted(self) -> None:
        """Remove tables from memory whose matches have been deleted from the log."""
        for live in list(self.tables.live_tables.values()):
            if live.table and live.table.state == "over" and await self.store.match(live.id) is None:
                self.streams.end(live)
                self.tables.put_away(live)
