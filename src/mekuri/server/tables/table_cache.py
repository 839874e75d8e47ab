"""The tables that are in memory: read from the log when they are requested, and evicted when nobody uses them any more.

Only tables whose home is this process are there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress
from typing import TypeVar
from weakref import WeakValueDictionary

from mekuri.server.base.settings import Settings
from mekuri.server.base.sized_cache import SizedCache
from mekuri.server.base.stream import BYE, Stream
from mekuri.server.base.work import Paid, WorkerThread
from mekuri.server.cluster.homes import Cluster, Elsewhere, NotHere
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.tables.event_cache import EventCache
from mekuri.server.tables.live_table import LiveTable
from mekuri.server.tables.loading import Loader, Waiting
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.session import Closed, Context
from mekuri.table.table import Table
from mekuri.table.time import time_limit

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")
_UNTIL_QUIET = 5.0  # seconds in which a table must have a quiet moment that a process of another version asks for
_MOST_UNUSED = 2_000  # tables in memory that nobody follows


class TableCache:
    """The tables in memory, by their ids.

    Attributes:
        live_tables: the tables.
        tasks: the work in progress at them, which is finished even where a request is cancelled.
        sized_cache: encoded events and responses of all tables.
        tell_turns: called with a table and the seats that are newly asked for something there; None for nothing.
        closing: whether the server is shutting down: no bot's turn is started and no window is closed any more.
    """

    def __init__(
        self,
        store: Store,
        cluster: Cluster,
        settings: Settings,
        choose: Callable[[Turn], Awaitable[Answer]],
        drop: Callable[[Stream], None],
        worker: WorkerThread,
    ) -> None:
        self.live_tables: dict[str, LiveTable] = {}
        self._ending: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # those that were dropped while in use
        self.tasks = Paid()
        self.sized_cache = SizedCache(settings.remembered << 20)
        self.closing = False
        self._loader = Loader(store, worker)
        self._cluster = cluster
        self._fences = store.fences
        self._context = Context(store, store.time, self._loader.load, choose, self.tasks, settings.pace, settings.thinking)
        self._names = store.names
        self._worker = worker
        self._drop = drop  # called with a stream that has ended
        self._grace_ms, self._stalled_ms = int(settings.grace * 1000), int(settings.stalled * 1000)
        self.tell_turns: Callable[[Table, Sequence[int]], None] | None = None

    async def do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        """Run a command at a table, as `Session.do`.

        Args:
            id: the table.
            person: the guest who acts; None for the server itself.
            command: changes the table; called with it and the time in milliseconds since the epoch.

        Raises:
            ProblemError: there is no such table, the command is refused, or the guest may not see the table yet.
            NotHere: another process is the home of the table.
        """

        async def done(live: LiveTable) -> T:
            def noted(table: Table, at: int) -> T:
                if person:
                    _need_open(table, person, at)
                live.touch(person)
                return command(table, at)

            return await live.do(noted)

        return await self._at(id, done)

    async def read(self, id: str, person: str | None, look: Callable[[LiveTable, Table], T], asker: str | None = None) -> T:
        """Return what `look` finds at a table, which it must not change.

        Args:
            id: the table.
            person: the guest who looks and then counts as present; None for nobody.
            look: called while nobody else changes the table.
            asker: a guest who looks and does not count as present.

        Raises:
            ProblemError: there is no such table, or the guest may not see it yet. A deal of the day is hidden from all but its
                player until its day is over.
            NotHere: another process is the home of the table.
        """

        async def seen(live: LiveTable) -> T:
            async with live.held() as table:
                _need_open(table, person or asker, self._context.time.now())
                live.touch(person)
                return look(live, table)

        return await self._at(id, seen)

    async def read_past(self, id: str, asker: str | None, look: Callable[[Table], T]) -> T:
        """Return what `look` finds at a table, whichever process is its home: for what does not change any more.

        Args:
            id: the table.
            asker: a guest, who does not count as present.
            look: called with the table, which it must not change.

        Raises:
            ProblemError: there is no such table, or the guest may not see it yet.
        """
        try:
            return await self.read(id, None, lambda live, table: look(table), asker)
        except NotHere:
            table = await self._loader.load(id)
            _need_open(table, asker, self._context.time.now())
            return look(table)

    async def visit(self, id: str) -> None:
        """Load a table whose home is this process, so that its bots play on. Errors are logged."""
        if self._loader.waits(id):
            return
        try:
            await self._at(id, _wake)
        except (Waiting, NotHere):
            return
        except (ProblemError, StoreError) as error:
            _log.error("A table cannot be opened: %s", error)
        except Exception:
            _log.exception("A table cannot be opened")

    async def read_again(self, id: str) -> None:
        """Read a table in memory again, as somebody else than this process has written it."""
        if id in self.live_tables:
            await self._at(id, _open)

    async def rename(self, people: Set[str]) -> None:
        """Update the names of people at the tables in memory, after they were renamed or deleted."""
        for live in list(self.live_tables.values()):
            # While the lock is held, the table may just be read from the log, with the old names.
            if live.lock.locked() or (live.table and not people.isdisjoint(live.table.names)):
                with suppress(Closed, ProblemError):  # the table is not in memory any more, or its game is not installed
                    await live.rename(people)

    def gathering(self) -> dict[str, set[str]]:
        """Return the people who wait at each listed table in memory; tables at which nobody waits are left out."""
        return {live.id: people for live in self.live_tables.values() if live.gathers and (people := live.waiting())}

    def attended(self) -> Elsewhere:
        """Return the same as `gathering`, of this process and its peers."""
        return {**self._cluster.elsewhere, **self.gathering()}

    def put_away(self, live: LiveTable) -> None:
        """Evict a table, unless it is in use. The next request for it reads it from the log."""
        if not live.busy:
            live.closed = True
            self._forget(live)

    def put_away_surplus(self) -> None:
        """Evict tables that are not in use where there are more than 2,000: those whose last request is longest ago."""
        if len(self.live_tables) > _MOST_UNUSED:
            unused = sorted((live for live in self.live_tables.values() if not live.busy), key=lambda live: live.touched)
            for live in unused[:-_MOST_UNUSED]:
                self.put_away(live)

    async def hand_over(self, id: str, to: str) -> bool:
        """Make a peer the home of a table that nobody follows here. Its bots go on there.

        Returns:
            Whether it was done.

        Raises:
            StoreError: the database cannot be read or written.
        """
        if not await self._cluster.find_peer(to):
            return False  # before it is dropped from memory
        if live := self.live_tables.get(id):
            async with live.lock:  # not amid a command
                if live.closed or live.streams:
                    return False
                live.closed = True
                self._forget(live)
        return await self._cluster.hand_over(id, to)

    async def give_up(self, id: str, to: str, unfollowed: bool = False) -> None:
        """Make a peer the home of a table at the next quiet moment. Its streams end, and clients connect again.

        A moment is quiet when the table is not being read or changed and no bot is choosing, which a move would break off.

        Args:
            id: the table. Nothing is done where this process is not its home.
            to: the id of the peer. Where there is no such peer, the process that needs the table first becomes its home.
            unfollowed: whether the table stays here if somebody follows it.

        Raises:
            ProblemError: the table stays here, or no moment has been quiet for a few seconds.
            StoreError: the database cannot be read or written.
        """
        if to and not await self._cluster.find_peer(to):
            to = ""
        try:
            async with time_limit(self._context.time, _UNTIL_QUIET):
                while live := self.live_tables.get(id):
                    if unfollowed and live.streams:
                        raise ProblemError("busy")
                    if live.bots:
                        await asyncio.wait([live.bots])
                    async with live.lock:
                        if not live.bots:
                            live.closed = True
                            self._forget(live)
        except TimeoutError:
            raise ProblemError("busy") from None
        await self._cluster.hand_over(id, to)

    def drop_all(self) -> None:
        """Drop all tables from memory, as another process may be their home now. Their streams are closed: clients come again."""
        for live in list(self.live_tables.values()):
            live.closed = True
            self._forget(live)

    def stop(self) -> None:
        """Start no more bot turns and close no more windows."""
        self.closing = True
        for live in self.live_tables.values():
            live.stop()

    async def close(self) -> None:
        """Stop, and wait for the work in progress."""
        self.stop()
        playing = [live.bots for live in self.live_tables.values() if live.bots]
        await asyncio.gather(*playing, return_exceptions=True)
        await self.tasks.finish()

    async def _at(self, id: str, what: Callable[[LiveTable], Awaitable[T]]) -> T:
        """Return what `what` finds at a table, tried again where the table is evicted meanwhile."""
        while True:
            live = self.live_tables.get(id)
            if live is None or not self._cluster.valid:
                await self._cluster.need_home(id)
                if (ending := self._ending.get(id)) and ending.lock.locked():
                    async with ending.lock:  # what it was about to write may still get into the log
                        continue  # and meanwhile the table may have got another home
                live = self.live_tables.get(id) or self._begin(id)
            try:
                return await what(live)
            except Closed:
                continue
            except Waiting:
                if self._cluster.peers:  # another process may be of a newer release, or have the game
                    await self._cluster.hand_over(id, "")
                raise
            finally:
                if live.closed:
                    self._forget(live)

    def _begin(self, id: str) -> LiveTable:
        event_cache = EventCache(self.sized_cache, self._worker)
        waits = self._grace_ms, self._stalled_ms
        live = self.live_tables[id] = LiveTable(id, self._context, *waits, self._drop, self._names, event_cache)
        live.tell_turns = self.tell_turns
        if self.closing:
            live.stop()
        return live

    def _forget(self, live: LiveTable) -> None:
        if self.live_tables.get(live.id) is live:
            del self.live_tables[live.id]
            if live.lock.locked():
                self._ending[live.id] = live
            self._fences.pop(live.id, None)
            live.event_cache.clear()
            live.stop()
            for stream in list(live.streams):
                stream.close(BYE)
                self._drop(stream)


def _need_open(table: Table, person: str | None, at: int) -> None:
    """Raises ProblemError where the table is hidden from a person, as a deal of the day is until its day is over."""
    if table.sealed(person, at):
        raise ProblemError("daily-sealed")


async def _open(live: LiveTable) -> None:
    async with live.held():
        await live.open()


async def _wake(live: LiveTable) -> None:
    async with live.held() as table:
        live.touch(None)
        live.wake(table)
