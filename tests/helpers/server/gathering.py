"""Guests who meet at a table of a server, and the messages they receive."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from httpx_sse import ServerSentEvent

import mekuri
from mekuri import games
from mekuri.bots import usual
from mekuri.table import commands
from mekuri.table.commands import Turn
from tests.helpers.patience import PATIENCE
from tests.helpers.server.serving import Guest, Json, Serving, data
from tests.helpers.tables import GAMES, USUAL, in_turn, seats_for
from tests.helpers.time import moment, until

NAMES = ("Aki", "Ben", "Chiyo", "Dai", "Emi", "Fumi", "Goro")


def is_vote(round: mekuri.Round) -> bool:
    """Return whether all seats decide at once, in decisions that stay hidden until the last."""
    return len(round.waiting) == round.game.seats and round.secret


# The games that begin with such a decision.
VOTES = [name for name in GAMES if is_vote(mekuri.game(name).deal(seed=0))]
each_vote = pytest.mark.parametrize("name", VOTES)

# The games with windows.
WINDOWS = [name for name in GAMES if games.find(name).has("window")]

# For tests of what is the same in all games: a game, one that needs more than two seats, and one in which actions stay hidden
# from others for several steps.
MANY = next(name for name in GAMES if min(games.find(name).seats) > 2)
UNSEEN = next(name for name in GAMES if mekuri.game(name).deal(seed=0).secret)
KINDS = tuple(dict.fromkeys((USUAL, MANY, UNSEEN)))
each_kind = pytest.mark.parametrize("name", KINDS)


def kinds_in_turn(first: int = 0) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", in_turn(KINDS, first))


@asynccontextmanager
async def guests(server: Serving, *names: str) -> AsyncIterator[list[Guest]]:
    """Return a guest of each name."""
    found = [await Guest(server.address).arrive(name) for name in names]
    try:
        yield found
    finally:
        for guest in found:
            await guest.close()


def party(name: str) -> tuple[str, ...]:
    """Return names for as many people as a game needs, two at least."""
    return NAMES[: len(seats_for(name, "person", "person"))]


def pair(name: str, **more: object) -> dict[str, Any]:
    """Return the settings of a table of two people, with bots where the game needs more seats."""
    return {"seats": seats_for(name, "person", "person"), **more}


def full(name: str, **more: object) -> dict[str, Any]:
    """Return the settings of a table of a `party`."""
    return {"seats": ["person"] * len(party(name)), **more}


def usual_bot(name: str) -> str:
    """Return the bot that plays a game for a person who is away."""
    return usual(games.find(name))


def at(server: Serving, guest: Guest) -> Guest:
    """Return the same person with another connection, to this server or to one that knows its guests."""
    return Guest(server.address, headers={"authorization": guest.http.headers["authorization"]})


async def begun(people: Sequence[Guest], name: str, rounds: int = 2, bots: Sequence[str] = ()) -> str:
    """Return a table at which these people have sat down, with bots in the other seats, and the match has begun."""
    seats = seats_for(name, *["person"] * len(people), *bots, bot=bots[-1] if bots else "random")
    table = await people[0].make(name, seats=seats, match_options={"rounds": str(rounds)})
    for guest in people:
        await guest.sit(table)
    return table


async def choosing(table: str, people: Sequence[Guest], least: int = 1) -> tuple[Guest, Json]:
    """Return a person who has at least `least` legal actions, and their view. Until then everybody plays the first legal action."""
    while True:
        acted = False
        for guest in people:
            whole = await guest.look(table)
            view = whole["view"]
            assert whole["head"]["state"] != "over", f"nobody had {least} legal actions before the match was over"
            if len(view["legal"]) >= least:
                return guest, view
            acted |= bool(view["legal"]) or (view["over"] and whole["head"]["state"] == "running")
            if view["legal"]:
                await guest.play(table, view["version"], view["legal"][0]["action"])
            elif view["over"] and whole["head"]["state"] == "running":
                await guest.ready(table, whole["head"]["round"])
        if not acted:
            await moment()


async def post(guest: Guest, table: str, version: int, action: str) -> httpx.Response:
    """Return the answer to an action, whatever its status."""
    return await guest.http.post(f"/api/tables/{table}/actions", json={"version": version, "action": action})


class SlowBot:
    """A bot that answers only when the test lets it. Other bots answer at once.

    Attributes:
        turns: the turns that bots have been asked for.
    """

    def __init__(self, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.turns: list[Turn] = []
        self._bot = bot
        self._quick = commands.think
        self._may_answer = threading.Event()
        monkeypatch.setattr(commands, "think", self._think)

    def _think(self, turn: Turn) -> int:
        self.turns.append(turn)
        if turn.bot == self._bot:
            self._may_answer.wait(PATIENCE)
        return self._quick(turn)

    def answer(self) -> None:
        """Let the bot answer, now and from now on."""
        self._may_answer.set()

    def __enter__(self) -> "SlowBot":
        return self

    def __exit__(self, *_: object) -> None:
        self.answer()


class Heard:
    """The messages of a stream, as they come.

    Attributes:
        messages: the messages, in order.
        ended: whether the stream has ended.
    """

    def __init__(self) -> None:
        self.messages: list[ServerSentEvent] = []
        self.ended = False
        self._read: dict[int, Json] = {}  # decoded messages by index: `until` reads them again and again

    async def listen(self, stream: AsyncIterator[ServerSentEvent]) -> None:
        async for message in stream:
            self.messages.append(message)
        self.ended = True

    def of(self, kind: str, table: str | None = None) -> list[Json]:
        """Return the decoded messages of a kind, of one table or of all."""
        for place, message in enumerate(self.messages):
            if message.event == kind and place not in self._read:
                self._read[place] = data(message)
        messages = [self._read[place] for place, message in enumerate(self.messages) if message.event == kind]
        return [each for each in messages if table is None or each.get("table", each.get("id")) == table]

    @property
    def received(self) -> list[tuple[str, str]]:
        """The events as they came: their ids and their data."""
        return [(message.id, message.data) for message in self.messages if message.event == "event"]

    async def version(self, version: int) -> None:
        """Wait for the event of a version."""
        await until(lambda: any(event["version"] == version for event in self.of("event")))

    async def count(self, kind: str, least: int) -> None:
        """Wait for a number of messages of a kind."""
        await until(lambda: len(self.of(kind)) >= least)

    async def some(self, kind: str, wanted: Callable[[Json], object] = bool) -> Json:
        """Wait for the first message of a kind that is wanted, and return it."""
        await until(lambda: any(map(wanted, self.of(kind))))
        return next(filter(wanted, self.of(kind)))


@asynccontextmanager
async def hearing(guest: Guest, *tables: str, last: str = "") -> AsyncIterator[Heard]:
    """Follow a stream while the test does other things. The stream is open when the context begins."""
    async with guest.stream(*tables, last=last) as stream:
        heard = Heard()
        task = asyncio.create_task(heard.listen(stream))
        try:
            yield heard
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
