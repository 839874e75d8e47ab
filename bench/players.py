"""The load of the benches: people and spectators at tables, and the times of their moves."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import deque
from collections.abc import Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
from lines import NOBODY, Follower, Group, Line, Process, follower, guest, line

from mekuri import games
from mekuri.engine.contract import DRIVER
from mekuri.protocol.library import game_info

WATCHERS = 2  # spectators at every table
_ARRIVING = 2.0  # seconds until all deliveries of what came before are there
LONGEST = 30  # most moves played at a table before measuring: more than a round has
now = time.perf_counter


# --- Measurements ---


@dataclass
class Tally:
    """The raw measurements of a phase.

    Attributes:
        moves: seconds from when each move was due until it was answered.
        deliveries: seconds from then until it arrived at each viewer.
        asked: bytes of the last request.
        answered: bytes of the last answer.
        streamed: bytes of all events received.
    """

    moves: list[float] = field(default_factory=list)
    deliveries: list[float] = field(default_factory=list)
    asked: int = 0
    answered: int = 0
    streamed: int = 0


@dataclass(frozen=True)
class Figures:
    """The figures of a phase. Times are in milliseconds, processor use is in cores.

    Attributes:
        moves, deliveries: the numbers a second.
        move_p50, move_p99: from when a move was due until it was answered.
        delivery_p50, delivery_p99: from when a move was due until it arrived at a viewer.
        cpu: processor use of the server.
        cpu_move: processor time of the server for a move and all that follows, in milliseconds.
        load_cpu: processor use of the load.
        bytes_delivered: bytes sent to a viewer for a move and all that follows.
    """

    moves: float
    deliveries: float
    move_p50: float
    move_p99: float
    delivery_p50: float
    delivery_p99: float
    cpu: float
    cpu_move: float
    load_cpu: float
    bytes_delivered: float


def share(values: list[float], part: float) -> float:
    """Return a quantile of values in seconds, such as 0.99, in milliseconds."""
    return round(1000 * sorted(values)[min(len(values) - 1, int(part * len(values)))], 2) if values else 0.0


class Mover(Protocol):
    """A person, or a table of the echo server, whose turn it is."""

    async def move(self, due: float) -> None:
        """Make one move, which was due at a time of `perf_counter`."""


class Load:
    """All movers whose turn it is, and the measurements of their moves.

    Attributes:
        server: the server.
        turns: the movers whose turn it is.
        tally: the measurements of the current phase.
        closing: the connections to be closed at the end.
    """

    def __init__(self, server: Process | Group) -> None:
        self.server = server
        self.turns: asyncio.Queue[Mover] = asyncio.Queue()
        self.tally = Tally()
        self.closing: set[Line | Follower] = set()
        self._again = 0  # how often streams of tables left by now have been opened again
        self._moving: set[asyncio.Task[None]] = set()

    @property
    def opened_again(self) -> int:
        """How often the server has closed a stream, which was then opened again."""
        return self._again + _again(self.closing)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._moving.add(task)
        task.add_done_callback(self._moving.discard)

    async def run(self, seconds: float, rate: float = 0) -> Figures:
        """Make moves for a number of seconds, at a rate a second or, if that is 0, as fast as turns come."""
        tally = self.tally = Tally()
        (cpu, _), load_cpu, start = self.server.usage(), time.process_time(), now()
        for number in itertools.count():
            due = start + number / rate if rate else now()
            if due > start + seconds or now() > start + 2 * seconds:
                break
            await asyncio.sleep(max(0, due - now()))
            self.begin((await self.turns.get()).move(due if rate else now()))
        while self._moving:
            await asyncio.gather(*self._moving)
        took = now() - start
        cpu, load_cpu = self.server.usage()[0] - cpu, time.process_time() - load_cpu
        await asyncio.sleep(0.2)  # for events still on their way
        made = len(tally.moves)
        return Figures(
            moves=round(made / took, 1),
            deliveries=round(len(tally.deliveries) / took, 1),
            move_p50=share(tally.moves, 0.5),
            move_p99=share(tally.moves, 0.99),
            delivery_p50=share(tally.deliveries, 0.5),
            delivery_p99=share(tally.deliveries, 0.99),
            cpu=round(cpu / took, 2),
            cpu_move=round(1000 * cpu / made, 2),
            load_cpu=round(load_cpu / took, 2),
            bytes_delivered=round(tally.streamed / max(1, len(tally.deliveries))),
        )

    async def spread(self, most: int) -> None:
        """Play a random number of moves below `most` at every table, so that rounds do not all end at the same time."""
        left: dict[object, int] = {}
        waiting: list[Player] = []
        while True:
            try:
                turn = await asyncio.wait_for(self.turns.get(), 0.5)
            except TimeoutError:
                break
            assert isinstance(turn, Player)
            if left.setdefault(turn.table, random.randrange(most)):
                left[turn.table] -= 1
                self.begin(turn.move(now()))
            else:
                waiting.append(turn)
        for player in waiting:
            self.turns.put_nowait(player)
        # Messages that are still on their way are not measured.
        while self._moving:
            await asyncio.gather(*self._moving)
        await asyncio.sleep(_ARRIVING)

    def leave(self, connections: Collection[Line | Follower]) -> None:
        """Close the connections of a table."""
        for one in connections:
            one.close()
        self._again += _again(connections)
        self.closing.difference_update(connections)

    async def close(self) -> None:
        """Close all connections."""
        for one in self.closing:
            one.close()
        await asyncio.sleep(0.2)


def _again(connections: Collection[Line | Follower]) -> int:
    return sum(one.again for one in connections if isinstance(one, Follower))


# --- People at tables ---


class Choice(msgspec.Struct):
    action: str


class Round(msgspec.Struct):
    version: int
    legal: list[Choice]
    over: bool


class Place(msgspec.Struct):
    ready: bool


class Head(msgspec.Struct):
    round: int
    state: str
    seats: list[Place]


class Message(msgspec.Struct):
    """The fields of a message that the load reads."""

    kind: str = ""
    seat: int | None = None
    action: str | None = None
    head: Head | None = None
    view: Round | None = None


class Answered(msgspec.Struct):
    version: int | None = None  # None if the action was refused, as when another seat was first


_MESSAGES = msgspec.json.Decoder(Message)
_ANSWERED = msgspec.json.Decoder(Answered)


class Player:
    """A viewer of a table: a person in a seat, or a spectator."""

    def __init__(self, load: Load, table: GameTable, seat: int | None = None, line: Line | None = None) -> None:
        self._load, self.table, self._seat, self._line = load, table, seat, line
        self.expected: deque[tuple[int, str, float]] = deque()  # moves that have not arrived here yet: seat, action, when due
        self._view: Round | None = None
        self._moving = False
        self._settled = 0  # the version after its last move: older views ask for no action any more
        self._answered = 0  # the version of the view in which it made that move
        self._waits = False  # whether it is in the queue of turns

    def hear(self, data: bytes) -> None:
        """Read an event, and queue for a turn where an action is asked for."""
        at, message = now(), _MESSAGES.decode(data)
        self._load.tally.streamed += len(data)
        if message.kind == "play" and message.seat != DRIVER:
            while self.expected:
                seat, action, sent = self.expected.popleft()
                if seat == message.seat and message.action in (action, None):
                    self._load.tally.deliveries.append(at - sent)
                    break
        self.table.head = message.head or self.table.head
        if self._line is None or self._seat is None or message.view is None:
            return
        self._view = message.view
        self._ask_for_turn()
        if message.view.over and message.head and message.head.state == "running" and not message.head.seats[self._seat].ready:
            self._load.begin(self._go_on(message.head.round))
        if self._seat == 0 and message.head and message.head.state == "over":
            self._load.begin(self.table.follow_on(self._load))

    def _ask_for_turn(self) -> None:
        view = self._view
        asked = view is not None and bool(view.legal) and view.version > self._answered and view.version >= self._settled
        if asked and not self._waits and not self._moving:
            self._waits = True
            self._load.turns.put_nowait(self)

    async def _go_on(self, round: int) -> None:
        assert self._line
        await self._line.ask(f"{self.table.path}/ready", b'{"round":%d}' % round)

    async def move(self, due: float) -> None:
        """Play a random legal action."""
        assert self._line
        assert self._view
        assert self._seat is not None
        self._waits = False
        if not self._view.legal:
            return  # the turn has passed meanwhile, as when a window closes
        self._moving, self._answered = True, self._view.version
        action = random.choice(self._view.legal).action
        body = b'{"version":%d,"action":"%b"}' % (self._answered, action.encode())
        for player in self.table.players:
            player.expected.append((self._seat, action, due))
        answered = await self._line.ask(f"{self.table.path}/actions", body)
        settled, self._moving = _ANSWERED.decode(answered).version, False
        if settled is None:
            for player in self.table.players:
                with suppress(ValueError):  # a later move has arrived, so this one was dropped already
                    player.expected.remove((self._seat, action, due))
            self._answered = 0  # refused, as by a busy server: try again
        else:
            self._load.tally.moves.append(now() - due)
            self._load.tally.asked, self._load.tally.answered = len(body), len(answered)
            self._settled = settled
        self._ask_for_turn()


class GameTable:
    """A table of a real server with all its viewers.

    Attributes:
        players: the viewers.
        connections: theirs.
        head: the last head that any of them received.
        path: of its requests.
    """

    def __init__(self, game: str, against: str, options: dict[str, str]) -> None:
        self._game, self._against, self._options = game, against, options
        self.players: list[Player] = []
        self.connections: list[Line | Follower] = []
        self.head: Head | None = None
        self.path = ""

    async def fill(self, load: Load) -> None:
        """Make the table with one person, or a person in each seat, and two spectators, all of them on streams."""
        seats = ["person", *[self._against] * (games.find(self._game).seats[0] - 1)]
        people = [await guest(load.server.port) for kind in seats if kind == "person"]
        made = await people[0].post("/api/tables", game=self._game, seats=seats, match_options=self._options)
        self.path = f"/api/tables/{made['id']}"
        for seat, person in enumerate(people):
            person.move(load.server.port_of(made["id"]))
            self.players.append(Player(load, self, seat, person))
        self.players += [Player(load, self) for _ in range(WATCHERS)]
        for player, person in itertools.zip_longest(self.players, people):
            headers = person.headers if person else NOBODY
            port = load.server.port_of(made["id"])
            self.connections.append(await follower(port, f"/api/stream?table={made['id']}", headers, player.hear))
        self.connections += people
        load.closing.update(self.connections)
        for person in people:
            await person.post(f"{self.path}/seat")

    async def follow_on(self, load: Load) -> None:
        """Make a table like this, whose match is over, and leave this one."""
        await GameTable(self._game, self._against, self._options).fill(load)
        load.leave(self.connections)


def longest(game: str) -> dict[str, str]:
    """Return the match options that make the match as long as possible."""
    return {option.name: str(option.most) for option in game_info(games.find(game)).match_options if not option.values}


async def play(
    server: Process | Group, game: str, tables: int, against: str = "person", options: dict[str, str] | None = None
) -> Load:
    """Return the load of tables at which all wait for their turns. Matches are as long as possible where no options are given."""
    load = Load(server)
    options = longest(game) if options is None else options
    await asyncio.gather(*(GameTable(game, against, options).fill(load) for _ in range(tables)))
    await load.spread(LONGEST)
    return load


# --- The same load on an echo ---


class Echoed:
    """A table of the echo server, whose turn it is always."""

    def __init__(self, load: Load, path: str, line: Line, body: bytes, followers: int) -> None:
        self._load, self._path, self._line, self._body = load, path, line, body
        self._expected: list[deque[float]] = [deque() for _ in range(followers)]

    def hear(self, follower: int) -> Any:
        def heard(data: bytes) -> None:
            self._load.tally.streamed += len(data)
            if self._expected[follower]:
                self._load.tally.deliveries.append(now() - self._expected[follower].popleft())

        return heard

    async def move(self, due: float) -> None:
        for expected in self._expected:
            expected.append(due)
        await self._line.ask(self._path, self._body)
        self._load.tally.moves.append(now() - due)
        self._load.turns.put_nowait(self)


async def repeat(server: Process, tables: int, asked: int, seats: int) -> Load:
    """Return the same load for the echo server: a number of tables, each with viewers for its seats and spectators."""
    load = Load(server)
    for number in range(tables):
        table = Echoed(load, f"/tables/{number}", await line(server.port), b"x" * asked, seats + WATCHERS)
        for place in range(seats + WATCHERS):
            load.closing.add(await follower(server.port, f"/stream/{number}", NOBODY, table.hear(place)))
        load.turns.put_nowait(table)
    return load
