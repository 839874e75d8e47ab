"""The attacks of `memory_under_attack.py`: what a stranger can send and hold open, within the server's limits."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
from lines import NOBODY, Line, guest, line, open_many_files
from players import longest

import mekuri
from mekuri import bots, games
from mekuri.desk.routes.guests import LARGEST_MATCH
from mekuri.protocol.table import MOST_EVENTS
from mekuri.testing.records import play
from tests.helpers.fair import fair_match

GAME = "mushi"
EACH = 256  # connections of one address: the server refuses more
STREAMS = 16  # streams of one guest: the server closes more
TABLES = 50  # unfinished tables of one guest: the server refuses more
AGAIN = 740 << 10  # bytes of events that a stream is sent again: a little less than the most
TURNS = 4  # how often streams are resumed
ROUNDS = 12  # rounds of the table with a long history
PATIENCE = 20.0  # seconds for what the server may delay
_LONGEST = 180.0  # seconds for the first review of a server
_LITTLE = 4096  # bytes that the system keeps of an answer that is not read


class Closing(Protocol):
    """Something that is held open during an attack."""

    def close(self) -> None:
        """Close it."""


@dataclass
class Scene:
    """A server and a table at it.

    Attributes:
        port: the port of the server.
        maker: the connection of the guest who has made the table, and plays there against a bot.
        path: the path of the table.
        last: the version of the table.
        measure: called by an attack that has something done before it; memory counts from then on.
        held: what an attack holds open.
    """

    port: int
    maker: Line
    path: str
    last: int
    measure: Callable[[], Awaitable[None]] | None = None
    held: list[Closing] = field(default_factory=list)

    @classmethod
    async def made(cls, port: int, rounds: int) -> Scene:
        """Return a scene, with a table at which so many rounds have been played."""
        maker = await guest(port)
        path, whole = await settle(maker, GAME, rounds)
        return cls(port, maker, path, whole["version"])

    @property
    def table(self) -> str:
        """The id of the table."""
        return self.path.rpartition("/")[2]

    async def far_back(self) -> int:
        """Return about the oldest version from which a stream is sent the events again, and not the table as it is."""
        answer = await self.maker.ask(f"{self.path}/events?since={self.last - MOST_EVENTS}", b"", "GET")
        return self.last - min(MOST_EVENTS, AGAIN * MOST_EVENTS // len(answer))

    async def send(self, address: str, data: bytes) -> socket.socket:
        """Send bytes from an address of this machine, on a connection that is held and not read."""
        held = socket.socket()
        self.held.append(held)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _LITTLE)
        held.setblocking(False)
        held.bind((address, 0))
        loop = asyncio.get_running_loop()
        await loop.sock_connect(held, ("127.0.0.1", self.port))
        with suppress(ConnectionError):  # what is refused is closed
            await loop.sock_sendall(held, data)
        return held

    async def guests(self, number: int, address: str = "127.0.0.1") -> list[Line]:
        """Return a number of new guests at an address, as a trusted proxy reports it."""
        found = []
        for _ in range(number):
            made = await line(self.port)
            made.headers += f"X-Forwarded-For: {address}\r\n"
            token = (await made.post("/api/guests", name="Oni"))["token"]
            made.headers += f"Authorization: Bearer {token}\r\n"
            self.held.append(made)
            found.append(made)
        return found

    def close(self) -> None:
        """Close everything that is held open."""
        for one in self.held:
            one.close()
        self.held.clear()


async def settle(who: Line, game: str, rounds: int, path: str = "") -> tuple[str, dict[str, Any]]:
    """Play so many rounds of a match against bots, slowly enough for the limits of one guest.

    Args:
        who: the connection of a guest.
        game: the game.
        rounds: after how many rounds of the match to stop.
        path: the path of a table at which the match goes on; empty for a new table.

    Returns:
        The path of the table, and the table as the guest sees it.
    """
    if not path:
        seats = ["person", *[bots.NAMES[0]] * (games.find(game).seats[0] - 1)]
        made = await who.post("/api/tables", game=game, seats=seats, match_options=longest(game))
        path = f"/api/tables/{made['id']}"
        await who.post(f"{path}/seat")
    while (whole := json.loads(await who.ask(path, b"", "GET")))["head"]["round"] <= rounds:
        view = whole["view"]
        if view["legal"]:
            await who.post(f"{path}/actions", version=view["version"], action=view["legal"][0]["action"])
        elif view["over"] and not whole["head"]["seats"][0]["ready"]:
            await who.post(f"{path}/ready", round=whole["head"]["round"])
        await asyncio.sleep(0.02)
    return path, whole


def own(made: Line) -> str:
    """Return the header that says who a guest is."""
    return next(f"{one}\r\n" for one in made.headers.splitlines() if one.startswith("Authorization"))


async def answered(held: list[socket.socket]) -> int:
    """Wait for the first bytes of answers that are not read, up to a time. Returns how many began with the status 200."""
    until = time.monotonic() + PATIENCE
    starts = dict.fromkeys(held, b"")
    while (waiting := [one for one in held if not starts[one]]) and time.monotonic() < until:
        for one in waiting:
            with suppress(BlockingIOError):
                try:
                    starts[one] = one.recv(12, socket.MSG_PEEK) or b"closed"
                except ConnectionError:
                    starts[one] = b"closed"
        await asyncio.sleep(0.05)
    return sum(first.endswith(b"200") for first in starts.values())


# --- Answers that the client does not read ---


async def resumed(scene: Scene) -> str:
    """Resume as many streams as an address may have from far back, again and again, and read nothing."""
    back, seen = await scene.far_back(), 0
    people = [own(who) for who in await scene.guests(EACH // STREAMS, "127.0.0.2")]
    for turn in range(TURNS):
        held = [
            await scene.send(
                "127.0.0.2",
                f"GET /api/stream?table={scene.table} HTTP/1.1\r\n{NOBODY}{who}Last-Event-ID: {back}\r\n\r\n".encode(),
            )
            for who in people
            for _ in range(STREAMS)
        ]
        seen += await answered(held)
        if turn < TURNS - 1:
            scene.close()
    return f"{seen} streams, {scene.last - back} events each"


async def opened(scene: Scene) -> str:
    """Open as many streams of eight tables as an address may have, read nothing, and play on at the tables."""
    paths = [scene.path, *[(await settle(scene.maker, GAME, 0))[0] for _ in range(7)]]
    followed = "&".join(f"table={path.rpartition('/')[2]}" for path in paths)
    people = await scene.guests(EACH // STREAMS, "127.0.0.2")
    held = [
        await scene.send("127.0.0.2", f"GET /api/stream?{followed} HTTP/1.1\r\n{NOBODY}{own(who)}\r\n".encode())
        for who in people
        for _ in range(STREAMS)
    ]
    seen = await answered(held)
    for path in paths:
        await settle(scene.maker, GAME, 3, path)
    return f"{seen} streams of {len(paths)} tables"


async def unread(scene: Scene) -> str:
    """Ask for whole tables and all their events on as many connections as an address may have, and read nothing."""
    people, held = await scene.guests(16, "127.0.0.2"), []
    for number in range(EACH):
        what = ("", f"/events?since={scene.last - MOST_EVENTS}")[number % 2]
        asked = f"GET {scene.path}{what} HTTP/1.1\r\n{NOBODY}{own(people[number % len(people)])}\r\n"
        held.append(await scene.send("127.0.0.2", asked.encode()))
    return f"{await answered(held)} answers"


# --- Requests without an end ---


async def bodies(scene: Scene) -> str:
    """Send as many of the largest bodies as an address may have connections, but for the last byte."""
    [who, *_] = await scene.guests(1, "127.0.0.2")
    headers = f"Content-Type: application/json\r\nContent-Length: {LARGEST_MATCH}\r\n"
    head = f"POST /api/guests/matches HTTP/1.1\r\n{NOBODY}{own(who)}{headers}\r\n"
    body = b'{"table":"' + b"x" * (LARGEST_MATCH - 11)
    for _ in range(EACH):
        await scene.send("127.0.0.2", head.encode() + body)
    await asyncio.sleep(1)
    return f"{EACH} bodies of {LARGEST_MATCH >> 10} KiB"


async def heads(scene: Scene) -> str:
    """Send as long heads as are allowed, but for their end, on nearly all connections that a server has."""
    lines = "".join(f"x-{number}: {'y' * 8000}\r\n" for number in range(2))
    data = f"GET / HTTP/1.1\r\n{NOBODY}{lines}".encode()
    addresses = [f"127.0.0.{2 + number}" for number in range(15)]
    for address in addresses:
        await asyncio.gather(*(scene.send(address, data) for _ in range(EACH)))
    await asyncio.sleep(1)
    return f"{len(addresses) * EACH} heads of {len(data) >> 10} KiB"


# --- Data that the server keeps ---


async def newcomers(scene: Scene) -> str:
    """Make as many guests as one IPv6 network of 48 bits may make in ten minutes, each in a network of 64 bits of its own."""
    made, counted = await line(scene.port), 0
    scene.held.append(made)
    plain = made.headers
    for number in range(4_800):
        made.headers = f"{plain}X-Forwarded-For: 2001:db8:1:{number:x}::1\r\n"
        counted += "token" in await made.post("/api/guests")
    return f"{counted} guests"


async def brought(scene: Scene) -> str:
    """Bring the largest match again and again, from eight addresses at once, under another id each time."""
    asked = _largest()
    answers = [0, 0]

    async def bring(who: Line, number: int) -> None:
        until = time.monotonic() + PATIENCE
        for n in itertools.count():
            answer = await who.ask("/api/guests/matches", msgspec.json.encode(asked | {"table": f"t{number}-{n}"}))
            answers[b'"match"' not in answer] += 1  # also if it takes too long
            if time.monotonic() > until:
                return

    people = [one for number in range(8) for one in await scene.guests(1, f"198.51.100.{number}")]
    await asyncio.gather(*(bring(who, number) for number, who in enumerate(people)))
    return f"{answers[0]} matches of {len(msgspec.json.encode(asked)) >> 10} KiB, {answers[1]} refused"


def _largest() -> dict[str, object]:
    """Return the largest match that fits into a request."""
    asked: dict[str, object] = {}
    size = 0
    for name in games.names():
        most = int(longest(name)["rounds"])
        for rounds in (most // 4, most // 2, most):
            match = play(fair_match(mekuri.game(name), rounds), random.Random(0))
            record = json.loads(match.record().to_json())
            request = {"ended_at": 1, "seat": 0, "counted": [*range(1, len(match.finished) + 1)], "why": "played", "record": record}
            if size < len(msgspec.json.encode(request)) < LARGEST_MATCH - 100:
                asked, size = request, len(msgspec.json.encode(request))
    return asked


async def codes(scene: Scene) -> str:
    """Try wrong codes for a device, each from another address."""
    made = await line(scene.port)
    scene.held.append(made)
    plain, tried = made.headers, 20_000
    for number in range(tried):
        made.headers = f"{plain}X-Forwarded-For: 10.{number >> 16}.{number >> 8 & 255}.{number & 255}\r\n"
        await made.post("/api/guests/devices", code=f"{number:018}")
    return f"{tried} codes"


async def reviews(scene: Scene) -> str:
    """Ask for a review of a round from as many addresses as get a place in the queue, and from as many more.

    One review is made before, as the first of a server loads the compiler of rules.
    """
    await review(scene.maker, f"{scene.path}/rounds/1/review?seat=0", _LONGEST)
    assert scene.measure
    await scene.measure()
    people = [one for number in range(32) for one in await scene.guests(1, f"198.51.100.{number}")]

    async def ask(who: Line) -> str:
        path, _ = await settle(who, GAME, 1)
        return await review(who, f"{path}/rounds/1/review?seat=0", PATIENCE)

    outcomes = await asyncio.gather(*map(ask, people))
    return ", ".join(f"{outcomes.count(what)} {what}" for what in ("made", "waiting", "refused"))


async def review(who: Line, path: str, patience: float) -> str:
    """Ask for a review until it is made or refused, or for so many seconds. Returns the outcome."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        answer = json.loads(await who.ask(path, b"", "GET"))
        if answer.get("review"):
            return "made"
        if "review" not in answer and answer.get("error") != "too-dear":
            return "refused"
        await asyncio.sleep(1)
    return "waiting"


async def tables(scene: Scene) -> str:
    """Make as many tables as sixty guests may, who are as many as an address may make in two minutes."""
    people, names = await scene.guests(60, "198.51.100.1"), games.names()

    async def make(who: Line) -> int:
        tables = [
            await who.post("/api/tables", game=name, seats=["person", *[bots.OF_RULES[0]] * (games.find(name).seats[0] - 1)])
            for name in itertools.islice(itertools.cycle(names), TABLES)
        ]
        return sum("id" in one for one in tables)

    made = sum(await asyncio.gather(*map(make, people)))
    return f"{made} tables"


@dataclass(frozen=True)
class Attack:
    """An attack, and how much memory it may cost.

    Attributes:
        name: what it is called.
        run: does it, and returns in a few words what was done; it leaves open what is to be held.
        limit: MiB of memory that the server may use more than before, at any time.
        rounds: how many rounds are played at the table before.
    """

    name: str
    run: Callable[[Scene], Awaitable[str]]
    limit: float
    rounds: int = 0


ATTACKS = (
    Attack("streams resumed, unread", resumed, 64, ROUNDS),
    Attack("streams opened, unread", opened, 64),
    Attack("answers unread", unread, 64, ROUNDS),
    Attack("bodies held", bodies, 64),
    Attack("heads held", heads, 160),
    Attack("guests of one /48", newcomers, 32),
    Attack("largest match", brought, 48),
    Attack("wrong codes", codes, 32),
    Attack("reviews queued", reviews, 48, 1),
    Attack("tables made", tables, 96),
)


def allow_many_connections() -> None:
    """Raise the limit of open files of this process."""
    open_many_files()
