"""All tables of the server: one method for each request about tables, most of which return the encoded response body.

The log in the database is the only truth; a table in memory is built from its rows. Any number of processes may serve one log. Each
table has one of them as its home: methods marked `at_home` run there, whichever process was asked.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Set
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from mekuri.match.round import Round
from mekuri.protocol import library
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.protocol.review import AskRetry, Retried
from mekuri.server.base import metrics
from mekuri.server.base.cached_response import CachedResponse
from mekuri.server.base.compression import worth_compressing
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings
from mekuri.server.base.stream import Stream
from mekuri.server.base.work import WorkerThread
from mekuri.server.cluster.routing import at_home, at_home_of_list
from mekuri.server.notify.turn_news import TurnNews
from mekuri.server.storage.clock_watch import ClockWatch
from mekuri.server.storage.moderation import Act
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.tables.daily import Daily
from mekuri.server.tables.event_cache import MEDIA, EventCache
from mekuri.server.tables.live_table import LiveTable
from mekuri.server.tables.lobby import Lobby
from mekuri.server.tables.match_history import MatchHistory
from mekuri.server.tables.peers import Peers
from mekuri.server.tables.pictures import Pictures
from mekuri.server.tables.practice import Practice
from mekuri.server.tables.reviewers import Reviewers, Weighers
from mekuri.server.tables.streams import Streams
from mekuri.server.tables.table_cache import TableCache
from mekuri.server.tables.table_ids import id_for, new_id
from mekuri.server.tables.table_lists import Entry, TableLists
from mekuri.table import commands
from mekuri.table.bot_pool import BotPool
from mekuri.table.commands import Answer, Turn, seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.log import Conflict
from mekuri.table.reasons import last_move, past_move
from mekuri.table.retrying import retry
from mekuri.table.seating import PERSON
from mekuri.table.session import new_match
from mekuri.table.showing import finished, owed_by, record_of, replay_of
from mekuri.table.stores import Device
from mekuri.table.table import Table
from mekuri.table.time import time_limit
from mekuri.table.weighing import Weighing, past, present

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")
_LOOKING = 3.0  # seconds after which a read of the database counts as failed
_NEVER = 1 << 62
_ALL = 1 << 31


class TableRegistry:
    """All tables of a log, and the services around them.

    Methods that act for a guest take the guest's id as `person`. Those that only read take `asker` or `who`: a guest's id, or the
    address key that a request without a guest counts under (`household_of`). All raise ProblemError for a request that is refused,
    and StoreError where the database cannot be read or written.

    Attributes:
        store: the log.
        settings: how the server is set up.
        limits: how many streams each guest and each address may have.
        time: the clock, and the ways to wait for it.
        clock_watch: notices when the clock leaps.
        cache: the tables that are in memory.
        pictures: renders pictures of cards.
        streams: the open event streams.
        lobby: chooses which open tables are listed.
        lists: makes the lists of tables.
        match_history: the finished matches of each guest.
        practice: the mistakes of each guest, which come back as questions.
        daily: the deals of the day.
        turn_news: tells people that it is their turn, where it may take days.
        peers: the other processes that serve the log.
        routing: finds the home of each table.
    """

    def __init__(self, store: Store, settings: Settings, limits: Limits) -> None:
        self.store = store
        self.settings = settings
        self.time = store.time
        self.clock_watch = ClockWatch(store, self._moved)
        self._bot_pool = BotPool(settings.thinking)
        self._worker = WorkerThread()
        self._weighers = Weighers()
        self._reviewers = Reviewers(store)
        self.peers = Peers(store, settings, self)
        self.routing = self.peers.routing
        self.cache = TableCache(store, self.peers.cluster, settings, self._choose, self._drop, self._worker)
        self.turn_news = TurnNews(store, settings)
        self.cache.tell_turns = self.turn_news.tell
        self.pictures = Pictures(self.cache.sized_cache)
        self.streams = Streams(self.cache, limits, self.routing)
        self.peers.join(self.cache, self.streams)
        self.lobby = Lobby(store, self.cache, settings)
        self.lists = TableLists(store, self.lobby, self.listed)
        self.match_history = MatchHistory(store, self._worker)
        self.practice = Practice(store, self._reviewers, self._finished, self.replay)
        self.daily = Daily(store, settings, self._room_for_one_more)
        self._looking: asyncio.Task[int] | None = None  # the last readiness check of the database
        self._making: Counter[str] = Counter()  # by guest, the tables that are being made just now

    def hang_up(self) -> None:
        """Close every stream and start no more bot turns. The first step of a shutdown."""
        self.cache.stop()
        self.streams.hang_up()

    async def close(self) -> None:
        """Finish the work in progress, take this process out of the cluster and close the database."""
        self.hang_up()
        await self.cache.close()
        await self.turn_news.close()
        self._bot_pool.close()
        self._worker.close()
        self._weighers.close()
        self._reviewers.close()
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

    def _drop(self, stream: Stream) -> None:
        """Close a stream that a table has ended."""
        self.streams.disconnect(stream)

    # --- Changes elsewhere ---

    def _moved(self, by: int) -> None:
        """Move what is in memory by a leap of the clock, in milliseconds, when its new time was confirmed."""
        for live in self.cache.live_tables.values():
            live.move_clock(by)

    async def heard_of(self, people: Set[str]) -> None:
        """Update streams and tables after guests were renamed, signed out on a device, or deleted."""
        await self.streams.sign_out(people, self._devices)
        await self.cache.rename(people)

    async def let_go(self, person: str) -> None:
        """Take a deleted guest out of every seat, and close the tables that the guest made and at which nobody else sits."""
        sat = await self.store.of_person(person, ("open", "running"), _ALL)
        made = await self.store.made_open(person)
        for id in dict.fromkeys([*sat, *made]):
            try:
                await self.stand_up(id, person, id in made)
            except (ProblemError, StoreError) as error:
                _log.error("Somebody who is gone cannot be stood up for: %s", error)

    @at_home
    async def stand_up(self, id: str, person: str, made: bool) -> None:
        """Take a deleted guest out of a seat, or close a table that the guest has made."""
        await self.cache.do(id, None, partial(commands.let_go, person=person, made=made))

    async def check(self) -> None:
        """Check that this process can serve: the readiness probe.

        The database is read by one check at a time; checks that arrive meanwhile share its result.

        Raises:
            ProblemError: the database could not be read within 3 seconds, its last write failed, or the server is shutting down.
        """
        if self._looking is None or self._looking.done():
            self._looking = self.cache.tasks.begin(self.store.place())
        try:
            async with time_limit(self.time, _LOOKING):
                await asyncio.shield(self._looking)
        except StoreError as error:
            raise ProblemError(error.refusal) from error
        except TimeoutError:
            raise ProblemError("busy") from None
        if self.cache.closing or self.store.refusal:
            raise ProblemError(self.store.refusal or "busy")

    async def _devices(self, person: str) -> list[Device]:
        """Return the devices a guest is signed in on; none for a banned guest."""
        found = await self.store.person(person)
        banned = found is not None and found.banned_until is not None and found.banned_until > self.time.now()
        return [] if banned else await self.store.devices(person)

    async def heard_act(self, act: Act) -> None:
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
        for live in list(self.cache.live_tables.values()):
            if live.table and live.table.state == "over" and await self.store.match(live.id) is None:
                self.streams.end(live)
                self.cache.put_away(live)

    # --- Making ---

    async def make(self, asked: wire.AskTable, person: str, address: str = "", key: str | None = None) -> bytes:
        """Make a table and return it as its maker sees it.

        Args:
            asked: the game, its options and seats.
            person: the guest who makes it.
            address: the address of the request; tables made from one address are listed only a few at a time.
            key: the same request of the same guest with the same key gets the same table; None to make another one each time.

        Raises:
            ProblemError: the guest has too many unfinished tables, no seat is for a person, or an option is not valid.
        """
        id = id_for(person, asked, key) if key else new_id()
        if key and await self.store.match(id):
            return await self.look(id, person)
        async with self._room_for_one_more(person):
            window, pace = (round(seconds * 1000) for seconds in (self.settings.window, self.settings.pace))
            table = commands.make(id, _new_root(), asked, person, self.time.now(), window=window, pace=pace)
            if all(sitter.kind != PERSON for sitter in table.seats):
                raise ProblemError("no-person")  # a match without people would never end
            new = replace(new_match(table), household=self.lobby.household(address) if asked.public else None)
            try:
                await self.store.add_match(new)
            except Conflict:  # the same request has been faster, here or at another process
                if not key:
                    raise
        return await self.look(id, person)

    @at_home
    async def rematch(self, id: str, person: str) -> bytes:
        """Return the table of the rematch. The first request of a person who sat here creates it; later ones get the same table."""
        found = await self.cache.read(id, person, lambda live, table: table.rematch)
        if found is None:
            async with self._room_for_one_more(person):
                found = await self.cache.do(id, person, partial(self._found_rematch, person))
        return await self.look(found.table, person)

    def _found_rematch(self, person: str, table: Table, at: int) -> wire.Rematch:
        commands.rematch(table, person, at, new_id(), _new_root(), int(self.settings.grace * 1000))
        assert table.rematch, "there is one, or it has been refused"
        return table.rematch

    @asynccontextmanager
    async def _room_for_one_more(self, person: str) -> AsyncIterator[None]:
        """Count a table while a guest makes it. Raises ProblemError where the guest has as many unfinished tables as allowed."""
        self._making[person] += 1
        try:
            if await self.store.unfinished(person) + self._making[person] > self.settings.tables:
                raise ProblemError("too-many-tables")
            yield
        finally:
            self._making[person] -= 1
            self._making += Counter()  # removes the counts that are 0

    # --- Sitting and playing ---

    @at_home
    async def sit(self, id: str, person: str, name: str, asked: wire.AskSeat) -> bytes:
        """Let a guest take a seat. Returns the table as the guest sees it."""
        await self.cache.do(id, person, lambda table, at: commands.sit(table, person, name, asked, at))
        # The guest may have been renamed since the request began.
        if await self.store.names([person]) != {person: name}:
            await self.cache.rename({person})
        return await self.look(id, person)

    @at_home
    async def free(self, id: str, person: str, asked: wire.AskFree) -> bytes:
        """Free the seat of another person, before the match begins. Returns the table as its maker sees it."""
        await self.cache.do(id, person, lambda table, at: commands.free(table, person, asked, at))
        return await self.look(id, person)

    @at_home
    async def leave(self, id: str, person: str) -> bytes:
        """Let a guest leave the seat. Returns the table as the guest sees it."""
        await self.cache.do(id, person, lambda table, at: commands.leave(table, person, at))
        return await self.look(id, person)

    @at_home
    async def play(self, id: str, person: str, asked: wire.AskAction) -> wire.Answer:
        """Apply an action of a guest in the match."""
        answer = await self.cache.do(id, person, lambda table, at: commands.play(table, person, asked, at))
        metrics.MOVES.inc()
        return answer

    @at_home
    async def ready(self, id: str, person: str, asked: wire.AskReady) -> bytes:
        """Note that a guest is ready for the next round. Returns the table as the guest sees it."""
        await self.cache.do(id, person, lambda table, at: commands.ready(table, person, asked, at))
        return await self.look(id, person)

    @at_home
    async def stand_in(self, id: str, person: str) -> bytes:
        """Have bots play for players who have let a guest wait for too long. Returns the table as the guest sees it."""
        asked = await self.cache.read(id, person, lambda live, table: live.need_stalled(person))
        if asked is not None:
            await self.cache.do(id, person, lambda table, at: commands.stand_in(table, person, asked, at))
        return await self.look(id, person)

    @at_home
    async def break_off(self, id: str, person: str) -> bytes:
        """Ask to end a match in which others do not act. Returns the table as the guest sees it."""
        asked = await self.cache.read(id, person, lambda live, table: live.ask_end(person))
        if asked is not None:
            await self.cache.do(id, person, lambda table, at: commands.break_off(table, asked, at))
        return await self.look(id, person)

    @at_home
    async def take_back(self, id: str, person: str, asked: wire.AskTakeBack) -> bytes:
        """Undo the last choice of a guest. Returns the table as the guest sees it."""
        await self.cache.do(id, person, lambda table, at: commands.take_back(table, person, asked, at))
        return await self.look(id, person)

    @at_home
    async def say(self, id: str, person: str, asked: wire.AskSay) -> bytes:
        """Send a stamp or phrase of a guest to everybody at the table. Returns the table as the guest sees it."""
        await self.cache.do(id, person, lambda table, at: commands.say(table, person, asked, at))
        return await self.look(id, person)

    # --- Looking ---

    @at_home
    async def look(self, id: str, person: str | None) -> bytes:
        """Return the table as a guest, or a spectator (`person` None), sees it, as JSON."""
        return await self.cache.read(id, person, lambda live, table: live.whole(seat_of(table, person)))

    @at_home
    async def events(self, id: str, person: str | None, since: int, packed: bool) -> tuple[bytes, bool]:
        """Return the events that a viewer has seen since a version, with the present state of the table, as JSON.

        Args:
            id: the table.
            person: the guest; None for a spectator.
            since: the viewer's version after which to begin. No events are returned where it is too old.
            packed: whether the client accepts gzip.

        Returns:
            The body, and whether it is compressed with gzip.
        """

        def find(live: LiveTable, table: Table) -> tuple[EventCache, Viewer, bytes, Again | None]:
            viewer = seat_of(table, person)
            return live.event_cache, viewer, live.whole(viewer), live.again(viewer, since)

        event_cache, viewer, whole, again = await self.cache.read(id, person, find)
        key = (viewer, since, whole)
        if packed and (kept := event_cache.find_compressed(key)):
            return kept, True
        told = await event_cache.tell(again) if again else []
        body = msgspec.json.encode({"events": [Raw(data) for _, data in told], "table": Raw(whole)})
        if packed and worth_compressing(body, MEDIA):
            return await event_cache.compress(key, body), True
        return body, False

    @at_home
    async def replay(self, id: str, number: int, seat: int | None, asker: str | None) -> CachedResponse:
        """Return the events of a finished round as a seat, or a spectator (`seat` None), saw them."""

        def find(live: LiveTable, table: Table) -> tuple[EventCache, list[str], Again]:
            if seat is not None and seat >= len(table.seats):
                raise ProblemError("no-seat", last=len(table.seats) - 1)
            names = [table.label(place) for place in range(len(table.seats))]
            return live.event_cache, names, replay_of(table, seat, number)

        event_cache, names, again = await self.cache.read(id, None, find, asker)

        def tell() -> bytes:
            return encode(wire.Replay(table=id, round=number, you=seat, seats=names, events=again.tell()))

        return await event_cache.answer(("round", number, seat, again.until), tell)

    @at_home
    async def weigh(self, id: str, person: str) -> bytes:
        """Return an analysis of the guest's present decision, as JSON: the value of every legal action."""
        event_cache, weighing = await self.cache.read(id, person, lambda live, table: (live.event_cache, present(table, person)))
        return (await self._weighers.answer(event_cache, weighing, person)).body

    @at_home
    async def why(self, id: str, person: str) -> bytes:
        """Return an explanation of the last move of another seat, from what the guest can know, as JSON."""
        event_cache, reason = await self.cache.read(id, person, lambda live, table: (live.event_cache, last_move(table, person)))
        return (await self._weighers.answer(event_cache, reason, person)).body

    @at_home
    async def weigh_past(self, id: str, number: int, seat: int, version: int, who: str) -> CachedResponse:
        """Return an analysis of a seat's decision at a version of a finished round."""

        def find(live: LiveTable, table: Table) -> tuple[EventCache, Weighing[object]]:
            return live.event_cache, past(table, number, seat, version)

        event_cache, weighing = await self.cache.read(id, None, find, who)
        return await self._weighers.answer(event_cache, weighing, who)

    @at_home
    async def why_past(self, id: str, number: int, viewer: int | None, version: int, who: str) -> CachedResponse:
        """Return an explanation of a move in a finished round, from all that is known after it.

        Args:
            id: the table.
            number: the round, from 1.
            viewer: the seat whose replay shows the move; None for a spectator's.
            version: the version in that replay that shows the move.
            who: the guest or address key that pays for it.
        """

        def find(live: LiveTable, table: Table) -> tuple[EventCache, Weighing[object]]:
            return live.event_cache, past_move(table, number, viewer, version)

        event_cache, move = await self.cache.read(id, None, find, who)
        return await self._weighers.answer(event_cache, move, who)

    async def review(self, id: str, number: int, seat: int, who: str, again: bool) -> bytes:
        """Return the review of a finished round for a seat, or how far it has come, as JSON."""
        return await self._reviewers.answer((id, number, seat), await self._finished(id, number, seat, who), who, again)

    async def retry(self, id: str, number: int, asked: AskRetry, asker: str | None) -> Retried:
        """Play a finished round from a moment on with other actions, and return what comes of it. Nothing is stored."""
        round = await self._finished(id, number, asked.seat, asker)
        return await self._worker.do(partial(retry, round, asked.seat, asked.seen, asked.line, asked.since))

    async def _finished(self, id: str, number: int, seat: int, asker: str | None) -> Round:
        """Return a finished round. Raises ProblemError where there is no such round or seat."""

        def find(table: Table) -> Round:
            if seat >= len(table.seats):
                raise ProblemError("no-seat", last=len(table.seats) - 1)
            return finished(table, number)

        return await self.cache.read_past(id, asker, find)

    @at_home
    async def worths(self, id: str, asker: str | None) -> CachedResponse:
        """Return the points and possible yaku of every card of a table's game, as JSON."""
        event_cache, game = await self.cache.read(id, None, lambda live, table: (live.event_cache, table.game), asker)
        return await event_cache.answer("cards", lambda: encode(library.worths(id, game)))

    async def tell_of(self, id: str, look: Callable[[Table], T]) -> T:
        """Return what `look` finds at a table, for a request that acts for no guest. Raises ProblemError without such a table."""
        return await self.cache.read_past(id, None, look)

    @at_home
    async def record(self, id: str, asker: str | None) -> CachedResponse:
        """Return the record of a finished match, as JSON."""
        event_cache, table = await self.cache.read(id, None, lambda live, table: (live.event_cache, table), asker)

        def tell() -> bytes:
            return record_of(table).encode()

        return await event_cache.answer("record", tell)

    @at_home_of_list
    async def listed(self, id: str, person: str | None, free: bool) -> Entry | None:
        """Return a table as a guest sees it in a list.

        Args:
            id: the table.
            person: the guest, who does not count as present for it; None for a spectator.
            free: whether it is the list of tables at which the guest may sit down, and not of those at which the guest sits.

        Returns:
            Until when the guest owes something there, in milliseconds since the epoch, and the table as JSON; None where it does
            not belong into the list.
        """

        def tell(live: LiveTable, table: Table) -> Entry | None:
            seat = seat_of(table, person)
            may_sit = table.state == "open" and seat is None and bool(commands.free_seats(table, person, self.time.now()))
            if not (may_sit if free else seat is not None):
                return None
            due = owed_by(table, seat) if seat is not None else None
            return (due.until if due else _NEVER), live.whole(seat)

        return await self.cache.read(id, None, tell, person)


def _new_root() -> bytes:
    """Return 32 random bytes as the root of a table's shuffles."""
    return secrets.token_bytes(32)
