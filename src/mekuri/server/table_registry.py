"""The house: what people ask of its tables, and what they are told, as it is sent.

The log is the truth, and a table in memory only what its rows come to. Any number of processes may serve one log; each hears of the
others' rows a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence, Set
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from mekuri.match.round import Round
from mekuri.protocol import library
from mekuri.protocol import table as wire
from mekuri.protocol.review import AskRetry, Retried
from mekuri.server import metrics
from mekuri.server.cached_response import CachedResponse
from mekuri.server.cluster import Cluster
from mekuri.server.compression import worth_compressing
from mekuri.server.daily import Daily
from mekuri.server.event_cache import MEDIA, EventCache
from mekuri.server.guest_store import Device
from mekuri.server.live_table import LiveTable
from mekuri.server.lobby import Lobby
from mekuri.server.match_history import MatchHistory
from mekuri.server.moderation import Act
from mekuri.server.pictures import Pictures
from mekuri.server.practice import Practice
from mekuri.server.reviewers import Reviewers
from mekuri.server.settings import Settings
from mekuri.server.store import Store, StoreError
from mekuri.server.stream import Stream
from mekuri.server.streams import Streams
from mekuri.server.table_cache import TableCache
from mekuri.server.weighers import Weighers
from mekuri.server.work import WorkerThread
from mekuri.table import commands, takeback
from mekuri.table.bot_pool import BotPool
from mekuri.table.commands import Answer, Turn, seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.reasons import PastReason, last_move, past_move
from mekuri.table.retrying import retry
from mekuri.table.seating import PERSON
from mekuri.table.session import new_match
from mekuri.table.table import Table
from mekuri.table.weighing import Weighing, past, present

T = TypeVar("T")

_log = logging.getLogger("mekuri.server")
_LOOKING = 3.0  # seconds in which a log that can be read has been
_LISTED = 20  # tables of a kind in one list
_ALL = 1 << 31


class TableRegistry:
    """All tables of a log.

    Attributes:
        store: the log.
        settings: how the server is set up.
        cache: the tables that are in memory.
        pictures: who draws pictures of cards.
        streams: who follows them.
        lobby: which of them are listed.
        match_history: what people have played.
        practice: their mistakes, which come back as questions.
        daily: the deals of the day.
    """

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], int]) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self._bot_pool = BotPool(settings.thinking)
        self._worker = WorkerThread()
        self._weighers = Weighers()
        self._reviewers = Reviewers(store)
        self.cache = TableCache(store, settings, clock, self._choose, self._drop, self._worker)
        self.pictures = Pictures(self.cache.sized_cache)
        self.streams = Streams(self.cache, settings, Cluster(store))
        self.lobby = Lobby(store, self.cache, settings)
        self.match_history = MatchHistory(store, self._worker)
        self.practice = Practice(store, self.cache, self._reviewers, self._finished)
        self.daily = Daily(store, settings, clock, self._room_for_one_more)
        self._looking: asyncio.Task[int] | None = None  # whether the log can be read
        self._making: Counter[str] = Counter()  # tables that somebody makes just now

    def hang_up(self) -> None:
        """End every stream, and begin no more bots' turns."""
        self.cache.stop()
        self.streams.hang_up()

    async def close(self) -> None:
        """Finish what has been begun, and leave the log."""
        self.hang_up()
        await self.cache.close()
        self._bot_pool.close()
        self._worker.close()
        self._weighers.close()
        self._reviewers.close()
        self.pictures.close()
        try:
            await self.store.leave()
        except StoreError as error:
            _log.warning("Other processes will notice only later that this one has stopped: %s", error)
        await self.store.close()

    async def _choose(self, turn: Turn) -> Answer:
        """What a bot does, and how long it took."""
        with metrics.THINKING.time():
            answer = await self._bot_pool.choose(turn)
        if answer.bot != turn.bot:
            metrics.LAPSES.inc()
        return answer

    def _drop(self, stream: Stream) -> None:
        """A stream at a table has ended."""
        self.streams.disconnect(stream)

    async def heard_of(self, people: Set[str]) -> None:
        """People have taken another name, are signed out somewhere, or are known here no more: see to all who have noted them."""
        await self.streams.sign_out(people, self._devices)
        await self.cache.rename(people)

    async def let_go(self, person: str) -> None:
        """Stand up for somebody who is gone, wherever they sit, and close the tables they have made at which nobody else does."""
        sat = await self.store.of_person(person, ("open", "running"), _ALL)
        made = await self.store.made_open(person)
        for id in dict.fromkeys([*sat, *made]):
            try:
                await self.cache.do(id, None, partial(commands.let_go, person=person, made=id in made))
            except (ProblemError, StoreError) as error:
                _log.error("Somebody who is gone cannot be stood up for: %s", error)

    async def check(self) -> None:
        """Raises ProblemError where the log cannot be read, could not be written last, or the house is about to close.

        However many ask, the log is looked at once at a time.
        """
        if self._looking is None or self._looking.done():
            self._looking = self.cache.tasks.begin(self.store.place())
        try:
            async with asyncio.timeout(_LOOKING):
                await asyncio.shield(self._looking)
        except StoreError as error:
            raise ProblemError(error.refusal) from error
        except TimeoutError:
            raise ProblemError("busy") from None
        if self.cache.closing or self.store.refusal:
            raise ProblemError(self.store.refusal or "busy")

    async def _devices(self, person: str) -> list[Device]:
        """What somebody may come with; nothing for whoever is banned."""
        found = await self.store.person(person)
        banned = found is not None and found.banned_until is not None and found.banned_until > self.clock()
        return [] if banned else await self.store.devices(person)

    async def heard_act(self, act: Act) -> None:
        """The keeper of the server has done something."""
        _log.info("Act %d of the keeper: %s", act.id, act.kind)
        if act.kind == "announce":
            await self.announce()
        elif act.kind == "prune":
            await self.put_away_deleted()

    async def announce(self) -> None:
        """Read what is announced, and tell all who follow a table."""
        self.streams.announce(wire.Notice(texts=await self.store.announcement()))

    async def put_away_deleted(self) -> None:
        """Let tables go out of memory that are not in the log any more."""
        for live in list(self.cache.live_tables.values()):
            if live.table and live.table.state == "over" and await self.store.match(live.id) is None:
                self.streams.end(live)
                self.cache.put_away(live)

    # --- Making ---

    async def make(self, asked: wire.AskTable, person: str, address: str = "") -> bytes:
        """Make a table. `address` is where its maker is."""
        async with self._room_for_one_more(person):
            window = round(self.settings.window * 1000)
            table = commands.make(*_new_name(), asked, person, self.clock(), window=window, pace=round(self.settings.pace * 1000))
            if all(sitter.kind != PERSON for sitter in table.seats):
                raise ProblemError("no-person")  # who would end the match?
            await self.store.add_match(replace(new_match(table), household=self.lobby.household(address) if asked.public else None))
        return await self.look(table.id, person)

    async def rematch(self, id: str, person: str) -> bytes:
        """The table at which those who sat at this one play again: made for whoever asks first, the same for all others."""
        found = await self.cache.read(id, person, lambda live, table: table.rematch)
        if found is None:
            async with self._room_for_one_more(person):
                found = await self.cache.do(id, person, partial(self._found_rematch, person))
        return await self.look(found.table, person)

    def _found_rematch(self, person: str, table: Table, at: int) -> wire.Rematch:
        commands.rematch(table, person, at, *_new_name(), int(self.settings.grace * 1000))
        assert table.rematch, "there is one, or it has been refused"
        return table.rematch

    @asynccontextmanager
    async def _room_for_one_more(self, person: str) -> AsyncIterator[None]:
        """While somebody makes a table. Raises ProblemError where they have made as many as they may."""
        self._making[person] += 1
        try:
            if await self.store.unfinished(person) + self._making[person] > self.settings.tables:
                raise ProblemError("too-many-tables")
            yield
        finally:
            self._making[person] -= 1
            self._making += Counter()  # lets go of those who make nothing

    # --- Sitting and playing ---

    async def sit(self, id: str, person: str, name: str, asked: wire.AskSeat) -> bytes:
        """Sit down."""
        await self.cache.do(id, person, lambda table, at: commands.sit(table, person, name, asked, at))
        # Whoever has taken another name meanwhile is called by it.
        if await self.store.names([person]) != {person: name}:
            await self.cache.rename({person})
        return await self.look(id, person)

    async def free(self, id: str, person: str, asked: wire.AskFree) -> bytes:
        """Free somebody's seat."""
        await self.cache.do(id, person, lambda table, at: commands.free(table, person, asked, at))
        return await self.look(id, person)

    async def leave(self, id: str, person: str) -> bytes:
        """Stand up."""
        await self.cache.do(id, person, lambda table, at: commands.leave(table, person, at))
        return await self.look(id, person)

    async def play(self, id: str, person: str, asked: wire.AskAction) -> wire.Answer:
        """Do something on the table."""
        answer = await self.cache.do(id, person, lambda table, at: commands.play(table, person, asked, at))
        metrics.MOVES.inc()
        return answer

    async def ready(self, id: str, person: str, asked: wire.AskReady) -> bytes:
        """Ask for the next round."""
        await self.cache.do(id, person, lambda table, at: commands.ready(table, person, asked, at))
        return await self.look(id, person)

    async def take_back(self, id: str, person: str, asked: wire.AskTakeBack) -> bytes:
        """Take back what somebody has chosen last."""
        await self.cache.do(id, person, lambda table, at: takeback.take_back(table, person, asked, at))
        return await self.look(id, person)

    async def say(self, id: str, person: str, asked: wire.AskSay) -> bytes:
        """Say something across the table."""
        await self.cache.do(id, person, lambda table, at: commands.say(table, person, asked, at))
        return await self.look(id, person)

    # --- Looking ---

    async def look(self, id: str, person: str | None) -> bytes:
        """The table as somebody sees it."""
        return await self.cache.read(id, person, lambda live, table: live.whole(seat_of(table, person)))

    async def events(self, id: str, person: str | None, since: int, packed: bool) -> tuple[bytes, bool]:
        """What somebody has seen happen since a version, and the table as it stands; and whether that is compressed."""

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

    async def replay(self, id: str, number: int, seat: int | None, asker: str | None) -> CachedResponse:
        """A finished round as a seat, or a spectator, saw it."""

        def find(live: LiveTable, table: Table) -> tuple[EventCache, list[str], Again]:
            if seat is not None and seat >= len(table.seats):
                raise ProblemError("no-seat", last=len(table.seats) - 1)
            names = [table.label(place) for place in range(len(table.seats))]
            return live.event_cache, names, table.replay(seat, number)

        event_cache, names, again = await self.cache.read(id, None, find, asker)

        def tell() -> bytes:
            return msgspec.json.encode(wire.Replay(table=id, round=number, you=seat, seats=names, events=again.tell()))

        return await event_cache.answer(("round", number, seat, again.until), tell)

    async def weigh(self, id: str, person: str) -> bytes:
        """What somebody may do just now, weighed."""
        event_cache, weighing = await self.cache.read(id, person, lambda live, table: (live.event_cache, present(table, person)))
        return (await self._weighers.answer(event_cache, weighing, person)).body

    async def why(self, id: str, person: str) -> bytes:
        """Why another seat has done what it did last, for all that somebody can know."""
        event_cache, reason = await self.cache.read(id, person, lambda live, table: (live.event_cache, last_move(table, person)))
        return (await self._weighers.answer(event_cache, reason, person)).body

    async def weigh_past(self, id: str, number: int, seat: int, version: int, who: str) -> CachedResponse:
        """What a seat could do in a finished round, weighed for a guest or an address."""

        def find(live: LiveTable, table: Table) -> tuple[EventCache, Weighing]:
            return live.event_cache, past(table, number, seat, version)

        event_cache, weighing = await self.cache.read(id, None, find, who)
        return await self._weighers.answer(event_cache, weighing, who)

    async def why_past(self, id: str, number: int, viewer: int | None, version: int, who: str) -> CachedResponse:
        """Why something was done in a finished round, told from all that is known now, for a guest or an address."""

        def find(live: LiveTable, table: Table) -> tuple[EventCache, PastReason]:
            return live.event_cache, past_move(table, number, viewer, version)

        event_cache, move = await self.cache.read(id, None, find, who)
        return await self._weighers.answer(event_cache, move, who)

    async def review(self, id: str, number: int, seat: int, who: str) -> bytes:
        """A finished round reviewed for a seat, or how far that is; for a guest or an address."""
        return await self._reviewers.answer((id, number, seat), await self._finished(id, number, seat, who), who)

    async def retry(self, id: str, number: int, asked: AskRetry, asker: str | None) -> Retried:
        """A finished round, tried otherwise from a moment on."""
        round = await self._finished(id, number, asked.seat, asker)
        return await self._worker.do(partial(retry, round, asked.seat, asked.seen, asked.line, asked.since))

    async def _finished(self, id: str, number: int, seat: int, asker: str | None) -> Round:
        """A finished round with such a seat, for whoever asks."""

        def find(live: LiveTable, table: Table) -> Round:
            if seat >= len(table.seats):
                raise ProblemError("no-seat", last=len(table.seats) - 1)
            return table.finished(number)

        return await self.cache.read(id, None, find, asker)

    async def worths(self, id: str, asker: str | None) -> CachedResponse:
        """What the cards of a table count."""
        event_cache, game = await self.cache.read(id, None, lambda live, table: (live.event_cache, table.game), asker)
        return await event_cache.answer("cards", lambda: msgspec.json.encode(library.worths(id, game)))

    async def tell_of(self, id: str, look: Callable[[Table], T]) -> T:
        """What a table is to somebody who is none of its people. Raises ProblemError where there is none."""
        return await self.cache.read(id, None, lambda live, table: look(table))

    async def record(self, id: str, asker: str | None) -> CachedResponse:
        """The record of a match that is over."""
        event_cache, table = await self.cache.read(id, None, lambda live, table: (live.event_cache, table), asker)

        def tell() -> bytes:
            return table.record.encode()

        return await event_cache.answer("record", tell)

    async def list_tables(self, person: str | None) -> bytes:
        """Open tables, and those at which somebody sits."""
        yours = await self.store.of_person(person, ("open", "running"), _LISTED) if person else []
        free = await self.lobby.listed()

        def may_sit(table: Table) -> bool:
            seated = seat_of(table, person) is not None
            return table.state == "open" and not seated and bool(commands.free_seats(table, person, self.clock()))

        found = {
            "open": await self._listed(free, person, may_sit),
            "yours": await self._listed(yours, person, lambda table: seat_of(table, person) is not None),
        }
        return msgspec.json.encode(found)

    async def _listed(self, ids: Sequence[str], person: str | None, wanted: Callable[[Table], bool]) -> list[Raw]:
        def tell(live: LiveTable, table: Table) -> list[Raw]:
            return [Raw(live.whole(seat_of(table, person)))] if wanted(table) else []

        found: list[Raw] = []
        for id in ids:
            # A table whose game is not here just now is left out.
            with suppress(ProblemError):
                # Whoever looks at the list is not at the table yet, so nobody is noted to be there.
                found += await self.cache.read(id, None, tell, person)
        return found


def _new_name() -> tuple[str, bytes]:
    """A table's id, which nobody can guess, and its root."""
    return secrets.token_urlsafe(9), secrets.token_bytes(32)
