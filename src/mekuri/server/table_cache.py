"""The tables that are in memory. Each is read from the log when it is asked for, and put away when nobody is at it any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress
from typing import TypeVar

from mekuri.server.cluster import Elsewhere
from mekuri.server.event_cache import EventCache
from mekuri.server.live_table import LiveTable
from mekuri.server.loading import Loader, Waiting
from mekuri.server.settings import Settings
from mekuri.server.sized_cache import SizedCache
from mekuri.server.store import Store, StoreError
from mekuri.server.stream import Stream
from mekuri.server.work import Paid, WorkerThread
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.log import Row
from mekuri.table.session import Closed, Context
from mekuri.table.table import Table

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")


class TableCache:
    """The tables in memory, by their ids.

    Attributes:
        live_tables: the tables.
        tasks: what is being done at them.
        sized_cache: what was told of them lately.
        closing: whether the house is about to close: then no bot's turn is begun, and no window closed.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Callable[[], int],
        choose: Callable[[Turn], Awaitable[Answer]],
        drop: Callable[[Stream], None],
        worker: WorkerThread,
    ) -> None:
        self.live_tables: dict[str, LiveTable] = {}
        self.tasks = Paid()
        self.sized_cache = SizedCache(settings.remembered << 20)
        self.closing = False
        self._context = Context(store, clock, Loader(store, worker).load, choose, self.tasks, settings.pace, settings.thinking)
        self._names = store.names
        self._worker = worker
        self._drop = drop  # what is done with a stream that has ended
        self._grace_ms = int(settings.grace * 1000)
        self._elsewhere: Elsewhere = {}  # the people who follow each table at other processes

    async def do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        """Do something at a table, as `Session.do` does.

        Raises ProblemError where there is none, or it is sealed to that person.
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
        """Look at a table as somebody who is then noted to be there, or as an `asker` who is not.

        Raises ProblemError where there is none, and where whoever looks may not be told of it yet: nobody in particular never may.
        """

        async def seen(live: LiveTable) -> T:
            async with live.held() as table:
                _need_open(table, person or asker, self._context.clock())
                live.touch(person)
                return look(live, table)

        return await self._at(id, seen)

    async def visit(self, id: str) -> None:
        """Have a table in memory, so that its bots play on."""
        try:
            await self._at(id, _wake)
        except Waiting:
            return
        except (ProblemError, StoreError) as error:
            _log.error("A table cannot be opened: %s", error)
        except Exception:
            _log.exception("A table cannot be opened")

    async def catch_up(self, id: str, rows: Sequence[Row]) -> None:
        """Other processes have written rows of a table; where it is in memory, tell of them."""
        if id in self.live_tables:
            await self._at(id, lambda live: live.catch_up(rows))

    async def rename(self, people: Set[str]) -> None:
        """People have taken another name, or are known here no more: tell of it at their tables."""
        for live in list(self.live_tables.values()):
            # While the lock is held, the table may be read or written, with names that were had before.
            if live.lock.locked() or (live.table and not people.isdisjoint(live.table.names)):
                with suppress(Closed, ProblemError):  # there is no such table in memory, or none whose rules are here
                    await live.rename(people)

    def learn(self, elsewhere: Elsewhere) -> None:
        """Learn who follows each table at other processes now."""
        if elsewhere != self._elsewhere:
            self._elsewhere = elsewhere
            for live in self.live_tables.values():
                live.learn(elsewhere.get(live.id, ()))

    def gathering(self) -> dict[str, set[str]]:
        """Who waits at each listed table that is in memory: where nobody does, it is left out."""
        return {live.id: people for live in self.live_tables.values() if live.gathers and (people := live.waiting())}

    def attended(self) -> Elsewhere:
        """The same, with the people who follow any table at other processes."""
        here = self.gathering()
        return here | {id: {*people, *here.get(id, ())} for id, people in self._elsewhere.items()}

    def put_away(self, live: LiveTable) -> None:
        """Let a table go out of memory, unless somebody is at it; whoever asks for it next gets it from the log."""
        if not live.busy:
            live.closed = True
            self._forget(live)

    def stop(self) -> None:
        """Begin no more bots' turns, and close no window."""
        self.closing = True
        for live in self.live_tables.values():
            live.stop()

    async def close(self) -> None:
        """Finish what has been begun at the tables."""
        self.stop()
        playing = [live.bots for live in self.live_tables.values() if live.bots]
        await asyncio.gather(*playing, return_exceptions=True)
        await self.tasks.finish()

    async def _at(self, id: str, what: Callable[[LiveTable], Awaitable[T]]) -> T:
        """Something about a table, tried again where it has been put away meanwhile."""
        while True:
            live = self.live_tables.get(id) or self._begin(id)
            try:
                return await what(live)
            except Closed:
                continue
            finally:
                if live.closed:
                    self._forget(live)

    def _begin(self, id: str) -> LiveTable:
        elsewhere, event_cache = self._elsewhere.get(id, ()), EventCache(self.sized_cache, self._worker)
        live = self.live_tables[id] = LiveTable(id, self._context, self._grace_ms, elsewhere, self._drop, self._names, event_cache)
        if self.closing:
            live.stop()
        return live

    def _forget(self, live: LiveTable) -> None:
        if self.live_tables.get(live.id) is live:
            del self.live_tables[live.id]
            live.event_cache.clear()


def _need_open(table: Table, person: str | None, at: int) -> None:
    """Raises ProblemError where somebody may not be told of a table yet."""
    if table.sealed(person, at):
        raise ProblemError("daily-sealed")


async def _wake(live: LiveTable) -> None:
    async with live.held() as table:
        live.touch(None)
        live.wake(table)
