"""The house: all tables that are in memory, and everything that is done at them.

The log is the truth, and a table in memory only what its rows come to. Whatever happens is written before anybody is told. Where
another process was first to write, the table is read again and the same is tried on it as it now stands. So any number of
processes may serve one log; each hears of the others' rows a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from mekuri.protocol import library
from mekuri.protocol import table as wire
from mekuri.server.live import Live
from mekuri.server.loading import Loader, Waiting
from mekuri.server.neighbours import Elsewhere, Neighbours
from mekuri.server.settings import Settings
from mekuri.server.store import Store, StoreError
from mekuri.server.stream import Stream
from mekuri.server.thinking import Thinkers
from mekuri.table import commands
from mekuri.table.commands import seat_of
from mekuri.table.log import Conflict, NewMatch, Row
from mekuri.table.refused import Refused
from mekuri.table.table import Table, Unreplayable

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")
_TRIES = 20  # at a table at which other processes keep being first
_LISTED = 20  # tables of a kind in one list


class House:
    """All tables in memory.

    Attributes:
        store: the log.
        settings: how the server is set up.
    """

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], int]) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self._lives: dict[str, Live] = {}
        self._streams: set[Stream] = set()
        self._doing: set[asyncio.Task[Any]] = set()  # what must not be broken off
        self._loader = Loader(store)
        self._thinkers = Thinkers()
        self._making: Counter[str] = Counter()  # tables that somebody makes just now
        self._neighbours = Neighbours(store)
        self._elsewhere: Elsewhere = {}  # the people who follow each table at other processes
        self._closing = False

    # --- Closing ---

    def hang_up(self) -> None:
        """End every stream, and open no more; clients reconnect to whoever serves next."""
        self._closing = True
        for stream in list(self._streams):
            stream.close(b"event: bye\ndata: {}\n\n")

    async def close(self) -> None:
        """Finish what has been begun, and leave the log."""
        self.hang_up()
        playing = [live.bots for live in self._lives.values() if live.bots]
        for task in playing:
            task.cancel()
        for live in self._lives.values():
            if live.window:
                live.window.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        while self._doing:
            await asyncio.gather(*self._doing, return_exceptions=True)
        self._thinkers.close()
        try:
            await self.store.leave()
        except StoreError as error:
            _log.warning("Other processes will notice only later that this one has stopped: %s", error)
        await self.store.close()

    # --- What people do ---

    async def make(self, asked: wire.AskTable, person: str) -> wire.Table:
        """Make a table."""
        async with self._room_for_one_more(person):
            window = round(self.settings.window * 1000)
            table = commands.make(*_new_name(), asked, person, self.clock(), window=window)
            await self.store.add_match(_new_match(table))
        return await self.look(table.id, person)

    async def rematch(self, id: str, person: str) -> wire.Table:
        """The table at which those who sat at this one play again: made for whoever asks first, the same for all others."""
        found = await self._read(id, person, lambda live, table: table.rematch)
        if found is None:
            async with self._room_for_one_more(person):
                found = await self.do(id, person, partial(self._found_rematch, person))
        return await self.look(found.table, person)

    def _found_rematch(self, person: str, table: Table, at: int) -> wire.Rematch:
        commands.rematch(table, person, at, *_new_name(), int(self.settings.grace * 1000))
        assert table.rematch, "there is one, or it has been refused"
        return table.rematch

    @asynccontextmanager
    async def _room_for_one_more(self, person: str) -> AsyncIterator[None]:
        """While somebody makes a table. Raises Refused where they have made as many as they may."""
        self._making[person] += 1
        try:
            if await self.store.unfinished(person) + self._making[person] > self.settings.tables:
                raise Refused("too-many-tables")
            yield
        finally:
            self._making[person] -= 1
            self._making += Counter()  # lets go of those who make nothing

    async def sit(self, id: str, person: str, name: str, asked: wire.AskSeat) -> wire.Table:
        """Sit down."""
        await self.do(id, person, lambda table, at: commands.sit(table, person, name, asked, at))
        return await self.look(id, person)

    async def look(self, id: str, person: str | None) -> wire.Table:
        """The table as somebody sees it."""
        return await self._read(id, person, lambda live, table: table.whole(seat_of(table, person), live.presence()))

    async def events(self, id: str, person: str | None, since: int) -> wire.Events:
        """What somebody has seen happen since a version, and the table as it stands."""

        def tell(live: Live, table: Table) -> wire.Events:
            viewer = seat_of(table, person)
            whole = table.whole(viewer, live.presence())
            return wire.Events(events=table.events(viewer, since) or [], table=whole)

        return await self._read(id, person, tell)

    async def replay(self, id: str, number: int, seat: int | None) -> wire.Replay:
        """A finished round as a seat, or a spectator, saw it."""

        def tell(live: Live, table: Table) -> wire.Replay:
            if seat is not None and seat >= len(table.seats):
                raise Refused("no-seat", last=len(table.seats) - 1)
            names = [sitter.label for sitter in table.seats]
            return wire.Replay(table=id, round=number, you=seat, seats=names, events=table.replay(seat, number))

        return await self._read(id, None, tell)

    async def worths(self, id: str) -> wire.Worths:
        """What the cards of a table count."""
        return await self._read(id, None, lambda live, table: library.worths(id, table.game))

    async def record(self, id: str) -> str:
        """The record of a match that is over, as JSON."""
        return await self._read(id, None, lambda live, table: table.record)

    async def tables(self, person: str | None) -> wire.Tables:
        """Open tables, and those at which somebody sits."""
        yours = await self.store.of_person(person, ("open", "running"), _LISTED) if person else []
        free = await self.store.public_open(_LISTED)

        async def told(ids: Sequence[str], wanted: Callable[[Table], bool]) -> list[wire.Table]:
            found = []
            for id in ids:
                # A table whose game is not here just now is left out.
                with suppress(Refused):
                    # Whoever looks at the list is not at the table yet, so nobody is noted to be there.
                    async with self._at(id, None) as (live, table):
                        if wanted(table):
                            found.append(table.whole(seat_of(table, person), live.presence()))
            return found

        def may_sit(table: Table) -> bool:
            seated = seat_of(table, person) is not None
            return table.state == "open" and not seated and bool(commands.free_seats(table, person, self.clock()))

        return wire.Tables(
            open=await told(free, may_sit), yours=await told(yours, lambda table: seat_of(table, person) is not None)
        )

    # --- Streams ---

    async def connect(self, stream: Stream) -> None:
        """Let a stream follow its tables. Raises Refused where there is no such table, or too many streams."""
        if self._closing:
            raise Refused("busy")
        if stream.person:
            full = sum(other.person == stream.person for other in self._streams) >= self.settings.streams
        else:
            strangers = [other for other in self._streams if other.person is None and other.address == stream.address]
            full = len(strangers) >= self.settings.strangers
        if full:
            raise Refused("too-many-streams")
        self._streams.add(stream)
        try:
            for id in stream.versions:
                await self._read(id, stream.person, lambda live, table: live.follow(stream))
                await self._present(id)
        except BaseException:
            self.disconnect(stream)
            raise

    def disconnect(self, stream: Stream) -> None:
        """A stream is closed, by either side."""
        self._streams.discard(stream)
        for id in stream.versions:
            live = self._lives.get(id)
            if live and stream in live.streams:
                live.unfollow(stream, self.clock())
                live.publish_presence()

    async def meet(self) -> None:
        """Tell other processes who follows each table here, and hear who does there."""
        own = {id: sorted(people) for id, live in self._lives.items() if (people := live.connected())}
        # Done whole: once the house is closed, nothing more may be said of it.
        elsewhere = await asyncio.shield(self._begin(self._neighbours.meet(own)))
        if elsewhere != self._elsewhere:
            self._elsewhere = elsewhere
            for live in self._lives.values():
                live.learn(elsewhere.get(live.id, ()), self.clock())

    async def _present(self, id: str) -> None:
        """Somebody is there: say so, and give them their seat back if a bot held it."""
        live = self._lives[id]
        live.publish_presence()
        await self.give_back(live)

    async def give_back(self, live: Live) -> None:
        """Give people who follow a table here their seats back from the bots that held them."""
        for person in live.returned():
            await self._come_back(live.id, person)

    async def _come_back(self, id: str, person: str) -> None:
        await self.do(id, person, lambda table, at: commands.come_back(table, person, at))

    # --- Doing ---

    async def do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        """Do something at a table: when this returns it is in the log, and everybody has been told.

        It is done whole, or not at all, even where whoever asked goes away.
        """
        return await asyncio.shield(self._begin(self._do(id, person, command)))

    async def _do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        for _ in range(_TRIES):
            async with self._at(id, person) as (live, table):
                try:
                    result = command(table, self.clock())
                    await self._write(live, table)
                except Refused:
                    if table.fresh:
                        live.table = None
                    raise
                except BaseException as error:
                    # What the table in memory is now, nobody knows; the log does.
                    live.table = None
                    if isinstance(error, Conflict):
                        continue
                    if isinstance(error, StoreError):
                        _log.error("%s", error)
                        raise Refused(error.refusal) from error
                    raise
                self._publish(live, table)
                return result
        raise Refused("busy")

    async def _read(self, id: str, person: str | None, look: Callable[[Live, Table], T]) -> T:
        async with self._at(id, person) as (live, table):
            return look(live, table)

    @asynccontextmanager
    async def _at(self, id: str, person: str | None) -> AsyncIterator[tuple[Live, Table]]:
        """A table, with its lock held. Raises Refused where there is none."""
        while True:
            live = self._lives.get(id)
            if live is None:
                elsewhere = self._elsewhere.get(id, ())
                live = self._lives[id] = Live(id, self.clock(), int(self.settings.grace * 1000), elsewhere)
            async with live.lock:
                # It may have been put away while we waited.
                if self._lives.get(id) is live:
                    table = await self._table(live)
                    live.touch(person, self.clock())
                    yield live, table
                    return

    async def _write(self, live: Live, table: Table) -> None:
        if table.fresh:
            due = commands.bot_turn(table, self.clock()) is not None
            founded = _new_match(table.founded) if table.founded else None
            await self.store.append(live.id, table.fresh, table.state, due, founded)
            table.fresh, table.founded = [], None

    def _publish(self, live: Live, table: Table) -> None:
        for stream in live.publish():
            self.disconnect(stream)
        self._wake(live, table)

    def _wake(self, live: Live, table: Table) -> None:
        """See to the bots that owe a turn, and to the window that is open."""
        if live.bots is None and not self._closing and commands.bot_turn(table, self.clock()):
            live.bots = asyncio.create_task(self._play_bots(live))
        if live.window:
            live.window.cancel()
            live.window = None
        if table.closes is not None and commands.silent(table) and not self._closing:
            wait = max(0, table.closes - self.clock()) / 1000
            live.window = asyncio.get_running_loop().call_later(wait, lambda: self._begin(self._close_window(live.id)))

    async def _close_window(self, id: str) -> None:
        try:
            await self._do(id, None, commands.close_window)
        except (Refused, StoreError) as error:
            _log.error("A window is not closed yet: %s", error)
        except Exception:
            _log.exception("A window is not closed")

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._doing.add(task)

        def done(task: asyncio.Task[T]) -> None:
            self._doing.discard(task)
            # Whoever asked may be gone; then nobody else takes note of a refusal.
            _ = task.cancelled() or task.exception()

        task.add_done_callback(done)
        return task

    # --- Tables in memory ---

    async def _table(self, live: Live) -> Table:
        """The table, from the log if it is not in memory. Called with the lock held."""
        if live.table is None:
            try:
                live.exchange(await self._loader.load(live.id))
            except Refused:
                self._lives.pop(live.id, None)
                raise
            assert live.table
            self._wake(live, live.table)
        return live.table

    def in_memory(self) -> list[Live]:
        """The tables in memory."""
        return list(self._lives.values())

    async def visit(self, id: str) -> None:
        """Have a table in memory, so that its bots play on."""
        try:
            await self._read(id, None, self._wake)
        except Waiting:
            return
        except (Refused, StoreError) as error:
            _log.error("A table cannot be opened: %s", error)
        except Exception:
            _log.exception("A table cannot be opened")

    async def catch_up(self, id: str, rows: Sequence[Row]) -> None:
        """Other processes have written rows of a table; where it is in memory, tell of them."""
        if id not in self._lives:
            return
        async with self._at(id, None) as (live, table):
            for row in rows:
                live.touch(row.person, self.clock())
            try:
                table.catch_up(rows)
            except Unreplayable:
                live.table = None
                await self._table(live)
            else:
                self._publish(live, table)

    def put_away(self, live: Live) -> None:
        """Let a table go out of memory, unless somebody is at it; whoever asks for it next gets it from the log."""
        if not live.busy:
            self._lives.pop(live.id, None)

    # --- Bots ---

    async def _play_bots(self, live: Live) -> None:
        """Play the bots of a table until none owes a turn. While they think, the table is free for everybody else."""
        try:
            while not self._closing:
                turn = await self._read(live.id, None, lambda live, table: commands.bot_turn(table, self.clock()))
                if turn is None:
                    return
                action = await self._thinkers.choose(turn)
                await self.do(live.id, None, partial(commands.bot_answer, turn=turn, action=action))
        except (Refused, StoreError) as error:
            _log.warning("A bot's turn is put off: %s", error)
        finally:
            live.bots = None


def _new_name() -> tuple[str, bytes]:
    """A table's id, which nobody can guess, and its root."""
    return secrets.token_urlsafe(9), secrets.token_bytes(32)


def _new_match(table: Table) -> NewMatch:
    """A table that the log does not have yet."""
    maker = table.fresh[0].person
    return NewMatch(table.id, table.game.id, table.root, maker, table.public, table.fresh, table.state)
