"""The tables that are in memory: read from the log when they are requested, and evicted when nobody uses them any more.

Only tables whose home is this process are there.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress
from typing import TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

import msgspec

from mekuri.desk.event_cache import EventCache
from mekuri.desk.homes import Elsewhere, Homes, NotHere
from mekuri.desk.live_table import LiveTable
from mekuri.desk.loading import Loader, Waiting
from mekuri.desk.options import Options
from mekuri.desk.sized_cache import SizedCache
from mekuri.desk.stores import Stores
from mekuri.desk.stream import BYE, Stream
from mekuri.desk.work import Paid, Work
from mekuri.match.deals import Deals
from mekuri.match.round import Round
from mekuri.protocol.table import AskTable
from mekuri.table.coming import need_seat
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError
from mekuri.table.session import Closed, Context
from mekuri.table.showing import finished
from mekuri.table.table import Table

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_log = logging.getLogger("mekuri.desk")
_MOST_UNUSED = 2_000  # tables in memory that nobody follows
_ID = 9  # random bytes of a table's id
_ENDS = str.maketrans("-_", "Aa")  # mail and chat programs cut a link short that does not end with a letter or a digit


class Tables:
    """The tables in memory, by their ids.

    Args:
        store: the log.
        options: how the desk is set up.
        homes: the processes among which the tables are shared out.
        choose: lets a bot choose an action.
        drop: called with a stream that has ended.
        work: does work that would block the event loop.
        sized_cache: holds encoded events and responses of all tables.
        deals: returns the source of the packs of a table by its root.
        one_device: whether all people share one device.

    Attributes:
        live_tables: the tables.
        tasks: the work in progress at them, which is finished even where a request is cancelled.
        sized_cache: as above.
        tell_turns: called with a table and the seats that are newly asked for something there; None for nothing.
        closing: whether the desk is closing: no bot's turn is started and no window is closed any more.
    """

    def __init__(
        self,
        store: Stores,
        options: Options,
        homes: Homes,
        choose: Callable[[Turn], Awaitable[Answer]],
        drop: Callable[[Stream], None],
        work: Work,
        sized_cache: SizedCache,
        deals: Callable[[bytes], Deals | None],
        one_device: bool = False,
    ) -> None:
        self.live_tables: dict[str, LiveTable] = {}
        self._ending: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # tables that were dropped while in use
        self.tasks = Paid()
        self.sized_cache = sized_cache
        self.closing = False
        self._loader = Loader(store, work, deals)
        self._homes = homes
        self._context = Context(store, store.time, self._loader.load, choose, self.tasks, options.pace, options.thinking)
        self._names = store.names
        self._work = work
        self._drop = drop
        self._one_device = one_device
        self._grace_ms, self._stalled_ms = int(options.grace * 1000), int(options.stalled * 1000)
        self.tell_turns: Callable[[Table, Sequence[int]], None] | None = None

    async def do(self, id: str, person: str, command: Callable[[Table, str, *Ts, int], T], *args: *Ts) -> T:
        """Run a command of a guest at a table, as `Session.do`.

        Args:
            id: the table.
            person: the guest who acts.
            command: changes the table; called with the table, the guest, `args`, and the time in milliseconds since the epoch.
            args: the arguments of the command.

        Raises:
            ProblemError: there is no such table, the command is refused, or the guest may not see the table yet.
            NotHere: another process is the home of the table.
        """
        return await self.run(id, lambda table, at: command(table, person, *args, at), person)

    async def run(self, id: str, command: Callable[[Table, int], T], person: str | None = None) -> T:
        """Run a command at a table, by default one of the desk itself: as `do`, with the table and the time as its arguments."""

        async def done(live: LiveTable) -> T:
            def noted(table: Table, at: int) -> T:
                if person:
                    _need_open(table, person, at)
                live.touch(person)
                return command(table, at)

            return await live.do(noted)

        return await self._at(id, done)

    async def read(self, id: str, look: Callable[[LiveTable, Table], T], person: str | None = None, asker: str | None = None) -> T:
        """Return what `look` finds at a table, which it must not change.

        Args:
            id: the table.
            look: called while nobody else changes the table.
            person: the guest who looks and then counts as present; None for nobody.
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

    async def read_anywhere(self, id: str, look: Callable[[Table], T], asker: str | None = None) -> T:
        """Return what `look` finds at a table, whichever process is its home: for what does not change any more.

        Args:
            id: the table.
            look: called with the table, which it must not change.
            asker: a guest, who does not count as present.

        Raises:
            ProblemError: there is no such table, or the guest may not see it yet.
        """
        try:
            return await self.read(id, lambda live, table: look(table), asker=asker)
        except NotHere:
            table = await self._loader.load(id)
            _need_open(table, asker, self._context.time.now())
            return look(table)

    async def finished(self, id: str, number: int, seat: int, asker: str | None) -> Round:
        """Return a finished round, as `read_anywhere`. Raises ProblemError where there is no such round or seat."""

        def find(table: Table) -> Round:
            need_seat(table, seat)
            return finished(table, number)

        return await self.read_anywhere(id, find, asker)

    async def visit(self, id: str) -> None:
        """Load a table whose home is this process, so that its bots play on. Errors are logged."""
        if self._loader.waits(id):
            return
        try:
            await self._at(id, _wake)
        except (Waiting, NotHere):
            return
        except (ProblemError, LogError) as error:
            _log.error("A table cannot be opened: %s", error)
        except Exception:
            _log.exception("A table cannot be opened")

    async def read_again(self, id: str) -> None:
        """Read a table in memory again, because another process has written it."""
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
        return {**self._homes.elsewhere, **self.gathering()}

    def put_away(self, live: LiveTable) -> None:
        """Evict a table, unless it is in use. The next request for it reads it from the log."""
        if not live.busy:
            self.drop(live)

    def put_away_surplus(self) -> None:
        """If more than 2,000 tables are not in use, evict the least recently requested ones."""
        if len(self.live_tables) > _MOST_UNUSED:
            unused = sorted((live for live in self.live_tables.values() if not live.busy), key=lambda live: live.touched)
            for live in unused[:-_MOST_UNUSED]:
                self.put_away(live)

    def drop_all(self) -> None:
        """Drop all tables from memory, as another process may be their home now. Their streams are closed: clients come again."""
        for live in list(self.live_tables.values()):
            self.drop(live)

    def drop(self, live: LiveTable) -> None:
        """Drop a table from memory, even while it is in use. Its streams are closed: clients come again."""
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
            if live is None or not self._homes.valid:
                await self._homes.need_home(id)
                if (ending := self._ending.get(id)) and ending.lock.locked():
                    async with ending.lock:  # what it was about to write may still get into the log
                        continue  # and meanwhile the table may have got another home
                live = self.live_tables.get(id) or self._begin(id)
            try:
                return await what(live)
            except Closed:
                continue
            except Waiting:
                await self._homes.offer(id)  # another process may be of a newer release, or have the game
                raise
            finally:
                if live.closed:
                    self._forget(live)

    def _begin(self, id: str) -> LiveTable:
        event_cache = EventCache(self.sized_cache, self._work)
        waits = self._grace_ms, self._stalled_ms
        live = self.live_tables[id] = LiveTable(id, self._context, *waits, self._drop, self._names, event_cache, self._one_device)
        live.tell_turns = self.tell_turns
        if self.closing:
            live.stop()
        return live

    def _forget(self, live: LiveTable) -> None:
        if self.live_tables.get(live.id) is live:
            del self.live_tables[live.id]
            if live.lock.locked():
                self._ending[live.id] = live
            self._homes.dropped(live.id)
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


# --- Ids. A table's id is the invitation to it, so it must be impossible to guess ---


def new_id() -> str:
    """Return a random id, which ends with a letter or a digit."""
    return _ended(secrets.token_urlsafe(_ID))


def id_for(person: str, asked: AskTable, key: str) -> str:
    """Return the id of the table that a guest makes by a request with a key. It never changes, and guessing it takes the key."""
    asking = msgspec.json.encode((person, asked, key))
    return _ended(base64.urlsafe_b64encode(hashlib.sha256(asking).digest()[:_ID]).decode())


def _ended(id: str) -> str:
    return id[:-1] + id[-1].translate(_ENDS)
