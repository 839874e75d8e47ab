"""The house: all tables that are in memory, and everything that is done at them.

The log is the truth, and a table in memory only what its rows come to. Whatever happens is written before anybody is told. Where
another process was first to write, the table is read again and the same is tried on it as it now stands. So any number of
processes may serve one log; each hears of the others' rows a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from mekuri.bots import NAMES, Bot
from mekuri.engine.contract import legal
from mekuri.protocol import table as wire
from mekuri.server import commands
from mekuri.server.commands import Turn, seat_of
from mekuri.server.live import Live
from mekuri.server.refused import Refused
from mekuri.server.settings import Settings
from mekuri.server.store import Conflict, Row, Store, StoreError
from mekuri.server.stream import Stream
from mekuri.server.table import Table, Unreplayable

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")
_TRIES = 20  # at a table at which other processes keep being first
_NEWS = 0.25  # seconds between two looks at what other processes have written
_SWEEP = 1.0  # seconds between two sweeps
_FORGOTTEN_MS = 5_000  # after which a bot's turn that nobody computes is taken over
_LISTED = 20  # tables of a kind in one list
_THINKERS = 32  # bots that may think at the same time


def think(turn: Turn) -> int:
    """The action a bot chooses."""
    return Bot(turn.bot, turn.seed).choose(turn.hidden, turn.seat)


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
        self._chores: list[asyncio.Task[None]] = []
        self._thinkers = ThreadPoolExecutor(_THINKERS, thread_name_prefix="bot")
        self._closing = False

    # --- Opening and closing ---

    async def open(self) -> None:
        """Begin the chores: wake the tables that run, hear of other processes, sweep."""
        place = await self.store.place()
        self._chores = [asyncio.create_task(chore) for chore in (self._wake_all(), self._hear(place), self._sweep())]

    def hang_up(self) -> None:
        """End every stream, and open no more; clients reconnect to whoever serves next."""
        self._closing = True
        for stream in list(self._streams):
            stream.close(b"event: bye\ndata: {}\n\n")

    async def close(self) -> None:
        """Finish what has been begun, and leave the log."""
        self.hang_up()
        chores = [*self._chores, *(live.bots for live in self._lives.values() if live.bots)]
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        while self._doing:
            await asyncio.gather(*self._doing, return_exceptions=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        await self.store.close()

    # --- What people do ---

    async def make(self, asked: wire.AskTable, person: str) -> wire.Table:
        """Make a table."""
        await self._need_room(person)
        id, root = secrets.token_urlsafe(9), secrets.token_bytes(32)
        table = commands.make(id, root, asked, person, self.clock())
        await self.store.add_match(id, table.game.id, root, table.public, table.fresh, table.state, False)
        return await self.look(id, person)

    async def sit(self, id: str, person: str, name: str, asked: wire.AskSeat) -> wire.Table:
        """Sit down."""
        await self._need_room(person)
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

    async def record(self, id: str) -> str:
        """The record of a match that is over, as JSON."""
        return await self._read(id, None, lambda live, table: table.record)

    async def tables(self, person: str | None) -> wire.Tables:
        """Open tables, and those at which somebody sits."""
        yours = await self.store.of_person(person, ("open", "running"), _LISTED) if person else []
        found = [await self.look(id, person) for id in yours]
        free = [await self.look(id, person) for id in await self.store.public_open(_LISTED)]
        return wire.Tables(
            open=[table for table in free if table.head.state == "open" and table.you is None],
            yours=[table for table in found if table.you is not None],
        )

    async def _need_room(self, person: str) -> None:
        if len(await self.store.of_person(person, ("open", "running"), self.settings.tables)) >= self.settings.tables:
            raise Refused("too-many-tables")

    # --- Streams ---

    async def connect(self, stream: Stream) -> None:
        """Let a stream follow its tables. Raises Refused where there is no such table, or too many streams."""
        if self._closing:
            raise Refused("busy")
        if stream.person and sum(other.person == stream.person for other in self._streams) >= self.settings.streams:
            raise Refused("too-many-streams")
        self._streams.add(stream)
        try:
            for id in stream.versions:
                await self._read(id, stream.person, lambda live, table: live.follow(stream))
                await self._present(id, stream.person)
        except BaseException:
            self.disconnect(stream)
            raise

    def disconnect(self, stream: Stream) -> None:
        """A stream is closed, by either side."""
        self._streams.discard(stream)
        for id in stream.versions:
            live = self._lives.get(id)
            if live and live.table and stream in live.streams:
                live.unfollow(stream, self.clock())
                live.publish_presence()

    async def _present(self, id: str, person: str | None) -> None:
        """Somebody is there: say so, and give them their seat back if a bot held it."""
        live = self._lives[id]
        live.publish_presence()
        seat = seat_of(live.table, person) if live.table else None
        if live.table and seat is not None and person and live.table.seats[seat].bot and not live.table.seats[seat].left:
            await self.do(id, person, lambda table, at: commands.come_back(table, person, at))

    # --- Doing ---

    async def do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        """Do something at a table: when this returns it is in the log, and everybody has been told.

        It is done whole, or not at all, even where whoever asked goes away.
        """
        return await asyncio.shield(self._begin(self._do(id, person, command)))

    async def _do(self, id: str, person: str | None, command: Callable[[Table, int], T]) -> T:
        for _ in range(_TRIES):
            live = self._live(id)
            async with live.lock:
                table = await self._table(live)
                live.touch(person, self.clock())
                try:
                    result = command(table, self.clock())
                    await self._write(live, table)
                except Refused:
                    raise
                except Conflict:
                    live.exchange(await self._load(live))
                    continue
                except BaseException as error:
                    # What the table in memory is now, nobody knows; the log does.
                    self._forget(live)
                    if isinstance(error, StoreError):
                        _log.error("%s", error)
                        raise Refused("busy") from error
                    raise
                self._publish(live, table)
                return result
        raise Refused("busy")

    async def _read(self, id: str, person: str | None, look: Callable[[Live, Table], T]) -> T:
        live = self._live(id)
        async with live.lock:
            table = await self._table(live)
            live.touch(person, self.clock())
            return look(live, table)

    async def _write(self, live: Live, table: Table) -> None:
        if table.fresh:
            due = commands.bot_turn(table, self.clock()) is not None
            await self.store.append(live.id, table.fresh, table.state, due)
            table.fresh = []

    def _publish(self, live: Live, table: Table) -> None:
        live.publish()
        self._wake(live, table)

    def _wake(self, live: Live, table: Table) -> None:
        """See to the bots that owe a turn, and to the window that is open."""
        if live.bots is None and not self._closing and commands.bot_turn(table, self.clock()):
            live.bots = asyncio.create_task(self._play_bots(live))
        if live.window:
            live.window.cancel()
            live.window = None
        if table.closes is not None and not self._closing:
            wait = max(0, table.closes - self.clock()) / 1000
            close = lambda: self._begin(self._do(live.id, None, commands.close_window))  # noqa: E731
            live.window = asyncio.get_running_loop().call_later(wait, close)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        return task

    # --- Tables in memory ---

    def _live(self, id: str) -> Live:
        return self._lives.setdefault(id, Live(id, self.clock(), int(self.settings.grace * 1000)))

    async def _table(self, live: Live) -> Table:
        """The table, from the log if it is not in memory. Called with the lock held."""
        if live.table is None:
            try:
                live.exchange(await self._load(live))
            except Refused:
                self._lives.pop(live.id, None)
                raise
            assert live.table
            self._wake(live, live.table)
        return live.table

    async def _load(self, live: Live) -> Table:
        """A table from the log. One that the present rules do not replay is closed with a notice; nothing is guessed."""
        match = await self.store.match(live.id)
        if match is None:
            raise Refused("no-such-table")
        rows = await self.store.rows(live.id)
        try:
            return Table.load(live.id, match.root, rows)
        except Unreplayable as error:
            table = Table.stopped(live.id, match.root, rows)
            if table.fresh:
                _log.warning("A match of %s no longer replays and is closed: %s", match.game, error)
                await self.store.append(live.id, table.fresh, table.state, False)
                table.fresh = []
            return table

    def _forget(self, live: Live) -> None:
        """Let a table go; whoever asks for it next gets it from the log. Its streams reconnect."""
        self._lives.pop(live.id, None)
        for stream in live.streams:
            stream.close()

    # --- Bots ---

    async def _play_bots(self, live: Live) -> None:
        """Play the bots of a table until none owes a turn. While they think, the table is free for everybody else."""
        try:
            while not self._closing:
                turn = await self._read(live.id, None, lambda live, table: commands.bot_turn(table, self.clock()))
                if turn is None:
                    return
                action = await self._think(turn)
                await self.do(live.id, None, partial(commands.bot_answer, turn=turn, action=action))
        except Refused as error:
            _log.warning("A bot's turn is put off: %s", error)
        finally:
            live.bots = None

    async def _think(self, turn: Turn) -> int:
        """What a bot chooses. One that fails is replaced for this turn, so that no table stands still."""
        loop = asyncio.get_running_loop()
        try:
            action = await loop.run_in_executor(self._thinkers, think, turn)
            if legal(turn.hidden, turn.seat) >> action & 1:
                return action
            _log.error("The bot %s chose something that the rules forbid", turn.bot)
        except Exception:
            _log.exception("The bot %s has failed", turn.bot)
        return await loop.run_in_executor(self._thinkers, think, replace(turn, bot=NAMES[0]))

    # --- Chores ---

    async def _wake_all(self) -> None:
        """Read every running match, so that its bots play and one that no longer replays is closed."""
        for id in await self.store.ids("running"):
            await self._visit(id)

    async def _visit(self, id: str) -> None:
        try:
            await self._read(id, None, self._wake)
        except Refused as error:
            _log.error("A table cannot be opened: %s", error)

    async def _hear(self, place: int) -> None:
        """Hear of what other processes write."""
        while True:
            await asyncio.sleep(_NEWS)
            try:
                place, news = await self.store.news(place)
            except StoreError as error:
                _log.error("%s", error)
                continue
            for id, rows in news.items():
                live = self._lives.get(id)
                if live:
                    await self._catch_up(live, rows)

    async def _catch_up(self, live: Live, rows: list[Row]) -> None:
        async with live.lock:
            if live.table is None:
                return
            try:
                live.table.catch_up(rows)
            except Unreplayable:
                live.exchange(await self._load(live))
            self._publish(live, live.table)

    async def _sweep(self) -> None:
        """Look after what nobody else does: absent people, turns that nobody computes, tables that nobody needs."""
        while True:
            await asyncio.sleep(_SWEEP)
            try:
                await self._sweep_once()
            except (Refused, StoreError) as error:
                _log.error("A sweep was broken off: %s", error)

    async def _sweep_once(self) -> None:
        at = self.clock()
        for id in await self.store.bots_due(at - _FORGOTTEN_MS):
            await self._visit(id)
        for live in list(self._lives.values()):
            for seat in live.absent(at):
                await self.do(live.id, None, partial(commands.hold, seat=seat))
            table = live.table
            if live.streams or live.bots or live.lock.locked() or table is None:
                continue
            if table.state == "open" and at - table.changed_at > self.settings.unused * 1000:
                await self.do(live.id, None, commands.abandon)
            if at - live.touched > self.settings.idle * 1000 and not live.lock.locked():
                self._lives.pop(live.id, None)
