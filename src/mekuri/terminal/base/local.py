"""A match in this process, between one player and bots or between bots only: a client of a desk with stores in memory."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import Any, TypeVar

import httpx

from mekuri.bots import company, weakest
from mekuri.desk.desk import Desk
from mekuri.desk.front import Front, Reply
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.options import Options
from mekuri.engine.chance import Seed, plain_seed
from mekuri.engine.errors import OptionError
from mekuri.engine.options import all_texts, differing
from mekuri.match.deals import Deals, SeedDeals
from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.protocol import table as wire
from mekuri.protocol.guests import AskGuest, Guest
from mekuri.table.bot_pool import BotPool
from mekuri.table.commands import Answer, Turn
from mekuri.table.seating import PERSON
from mekuri.table.table import Table
from mekuri.table.time import REAL, Time
from mekuri.terminal.base.line import Line
from mekuri.terminal.base.play import FREE, Stage
from mekuri.terminal.base.remote import News, RemotePlay
from mekuri.terminal.base.translate import YOU

T = TypeVar("T")

_SERVER = "http://here"  # any address: nothing is sent there
_KNOWN = ("sit", "ready", "rematch")  # kinds of events that tell a player without other people nothing new


def ask_table(
    game: Game,
    seats: Sequence[str],
    match_options: Mapping[str, object],
    first_dealer: int | None = None,
    entry: str | None = None,
    **more: Any,
) -> wire.AskTable:
    """Return the request for a table.

    Args:
        game: the game with its options.
        seats: the players in seat order: `you`, `open` for another person, or a bot's name.
        match_options: match options that differ from the game's preset.
        first_dealer: the seat that deals first; None for a lot.
        entry: the id of the entry under whose name the game is played; None for its own name.
        more: other fields of the request.

    Raises:
        OptionError: an option has no such value.
    """
    return wire.AskTable(
        game=entry or game.id,
        options=all_texts(game.options),
        match_options=differing(game.match_options(match_options)),
        seats=[PERSON if player in (YOU, FREE) else player for player in seats],
        first_dealer=first_dealer,
        **more,
    )


def seats_of(game: Game, opponent: str = "") -> tuple[str, ...]:
    """Return the players in seat order: `you`, then bots, first `opponent`, by default the weakest character."""
    return (YOU, *company(game.contract, game.seats - 1, opponent or weakest(game.contract)))


async def local_play(
    asked: wire.AskTable, pace: float, seed: Seed | None = None, window: float = Options.window, time: Time = REAL
) -> LocalPlay:
    """Make a table in this process, and sit down at its seat for a person, if it has one.

    Args:
        asked: the table.
        pace: seconds between two events shown.
        seed: the seed of all deals, of lots and of the bots' choices; None for a random one.
        window: how long a window stays open, in seconds.
        time: the clock, and the ways to wait for it.

    Raises:
        OptionError: the table has seats for several people.
        ProblemError: the table is refused.
    """
    people = (asked.seats or []).count(PERSON)
    if people > 1:
        raise OptionError("one person plays at a terminal: name one seat you, and bots for the others")
    line = Line(_SERVER, time=time, transport=_Here(seed, window, time))
    line.public_url = ""
    async with line:
        line.token = (await line.ask("POST", "/api/guests", Guest, AskGuest(name=YOU))).token or ""
        made = await line.ask("POST", "/api/tables", wire.Table, asked)
        return await LocalPlay.sit_down(line, made, None, pace) if people else LocalPlay(line, made, pace, made)


class LocalPlay(RemotePlay):
    """A match in this process, for its player or for a spectator."""

    next: LocalPlay | None

    def __init__(self, line: Line, table: wire.Table, pace: float, before: wire.Table | None = None) -> None:
        super().__init__(line, table, pace, before)
        assert isinstance(line.transport, _Here)
        self._here = line.transport
        self._here.fail = self._put

    @property
    def table(self) -> Table:
        """The table."""
        table = self._here.desk.tables.live_tables[self.id].table
        assert table, "it has not been evicted"
        return table

    @property
    def match(self) -> Match:
        """The match of the table."""
        assert self.table.match, "it begins when every seat is taken"
        return self.table.match

    async def run(self, stage: Stage) -> None:
        """Show the match to its end. The desk is closed unless another match follows."""
        try:
            await super().run(stage)
        finally:
            if self.next is None:
                await self._here.close()

    async def record(self) -> bytes:
        """Return the record of the match, whether it is over or not, as JSON."""
        return self.match.record().to_json().encode()

    async def leave(self) -> None:
        """Do nothing: no other player waits."""

    def _put(self, news: News) -> None:
        if isinstance(news, wire.Event) and news.kind in _KNOWN:
            return
        self._here.shown.clear()
        super()._put(news)

    def _all_shown(self) -> None:
        if self._version >= 0:  # the stream has begun
            self._here.shown.set()


class _Here(httpx.AsyncBaseTransport):
    """A desk in this process, in place of a network.

    Attributes:
        desk: the desk.
        shown: set while the player has seen all events: before that, no bot begins its turn.
        fail: called with the error of bots that have failed.
    """

    fail: Callable[[Exception], None]

    def __init__(self, seed: Seed | None, window: float, time: Time) -> None:
        first = secrets.token_bytes(32) if seed is None else plain_seed(seed)
        seeds: Iterator[Seed] = chain([first], iter(partial(secrets.token_bytes, 32), None))
        deals = dict[bytes, Deals]()  # by root

        def draw_root() -> bytes:
            seed = next(seeds)
            root = sha256(repr(seed).encode()).digest()
            deals[root] = SeedDeals(seed)
            return root

        self._bot_pool = BotPool()
        self.shown = asyncio.Event()
        self.desk = Desk(
            MemoryStore(time),
            Options(window=window, pace=0, thinking=0),
            choose=self._choose,
            work=_Threads,
            draw_root=draw_root,
            deals=deals.get,
            bots_alone=True,
        )
        self._front = Front(self.desk)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or None
        url = request.url.raw_path.decode()
        reply = await self._front.ask(request.method, url, await request.aread(), token, request.headers)
        return httpx.Response(reply.status, headers=reply.headers, stream=_Body(reply))

    async def close(self) -> None:
        """End all matches."""
        self._bot_pool.close()
        await self.desk.close()

    async def _choose(self, turn: Turn) -> Answer:
        await self.shown.wait()
        try:
            return await self._bot_pool.choose(turn)
        except Exception as error:
            self.fail(error)
            raise


class _Body(httpx.AsyncByteStream):
    """The body of an answer of a front."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body, a stream in parts as they come."""
        if isinstance(self._reply.body, bytes):
            yield self._reply.body
        else:
            async for part in self._reply.body:
                yield part

    async def aclose(self) -> None:
        """End a stream."""
        self._reply.close()


class _Threads:
    """Runs work in threads, so that the screen goes on."""

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread. Returns its result or raises its exception."""
        return await asyncio.to_thread(work)

    def close(self) -> None:
        """Do nothing: the last work may still be running, and nobody waits for it."""
