"""A process that sleeps, or is cut off from the database: its tables play on at others, and it never acts for them beside those."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import make_url

from tests.helpers.server import databases
from tests.helpers.server.child import Child
from tests.helpers.server.killing import Person, Watcher
from tests.helpers.server.killing import Table as Sat
from tests.helpers.server.serving import Guest, Json, Refusal
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import moment

LEASE = ["--lease", "1"]
PAUSE = 0.05


async def answered(ask: Callable[[], Awaitable[Json]]) -> Json:
    """Ask until there is an answer."""
    while True:
        with suppress(httpx.TransportError):
            try:
                return await ask()
            except Refusal as refused:
                if refused.status not in (408, 503):
                    raise
        await asyncio.sleep(PAUSE)


async def seen(guest: Guest, table: str) -> int:
    """Return the version in which a guest sees a table."""
    return int((await answered(lambda: guest.look(table)))["version"])


async def act(guest: Guest, table: str) -> int:
    """Play the first legal action of a table that waits for a guest. Returns the guest's version after it."""
    while not (whole := await answered(lambda: guest.look(table)))["view"]["legal"]:
        if whole["view"]["over"]:
            await answered(lambda: guest.ready(table, whole["head"]["round"]))
        await asyncio.sleep(PAUSE)  # bots are choosing
    view = whole["view"]
    return int((await answered(lambda: guest.play(table, view["version"], view["legal"][0]["action"])))["version"])


async def once_each(path: Path, table: str) -> None:
    """The log of a table has every row and every decision once."""
    rows = sql(path, "select n, seat, decision from log where match = ? order by n", [table])
    assert [row[0] for row in rows] == list(range(len(rows)))
    decided = [row[1:] for row in rows if row[2] is not None]
    assert len(set(decided)) == len(decided)


@dataclass
class Two:
    """Two processes with one database, and one guest at both of them.

    Attributes:
        first: the process at which the table was made.
        other: the other process.
        guest, there: the guest at the first, and at the other.
        table: the guest's table, at which a first action was played.
    """

    first: Child
    other: Child
    guest: Guest
    there: Guest
    table: str


@asynccontextmanager
async def two(path: Path, url: str = "") -> AsyncIterator[Two]:
    """Start two processes, the first with another address of the database if one is given."""
    first, other = Child(path, more=LEASE, url=url), Child(path, more=LEASE)
    try:
        await first.start()
        await other.start()
        guest = await Guest(first.address).arrive()
        there = Guest(other.address, headers={"authorization": guest.http.headers["authorization"]})
        table = await guest.make(USUAL)
        await guest.sit(table)
        await act(guest, table)
        yield Two(first, other, guest, there, table)
        await once_each(path, table)
    finally:
        for child in (first, other):
            child.send(signal.SIGCONT)
            await child.kill()


@pytest.mark.postgresql
async def test_tables_of_a_suspended_process_move(tmp_path: Path) -> None:
    """On SQLite a process suspended in mid-write would keep the lock of the file and block all others."""
    async with two(tmp_path / "mekuri.db") as found:
        table, sleeper, waker = found.table, (found.first, found.guest), (found.other, found.there)
        for _ in range(3):
            (asleep, guest), (_, there) = sleeper, waker
            asleep.send(signal.SIGSTOP)
            version = await act(there, table)
            asleep.send(signal.SIGCONT)
            # It has slept for longer than its lease, and asks who is the home before it says anything.
            assert await seen(guest, table) >= version
            await act(guest, table)
            await act(there, table)
            sleeper, waker = waker, sleeper  # whose the table is now


class Wire:
    """A connection to PostgreSQL that can be cut, so that nothing passes and nothing is closed, and mended.

    Attributes:
        port: where it is to be reached on loopback.
    """

    def __init__(self) -> None:
        self.port = 0
        self._whole = asyncio.Event()
        self._whole.set()
        self._passing: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        """Pass data again; connections that were open while it was cut are closed."""
        for task in list(self._passing):
            task.cancel()
        self._whole.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to PostgreSQL."""
        assert databases.running
        task = asyncio.current_task()
        assert task
        self._passing.add(task)
        try:
            await self._whole.wait()
            there = await asyncio.open_connection("127.0.0.1", databases.running.port)
            await asyncio.gather(self._one_way(reader, there[1]), self._one_way(there[0], writer))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._passing.discard(task)

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self._whole.wait()
                writer.write(data)
        finally:
            writer.close()


@asynccontextmanager
async def wired() -> AsyncIterator[Wire]:
    """A wire to the PostgreSQL of the tests."""
    wire = Wire()
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    yield wire
    server.close()
    wire.mend()


@pytest.mark.postgresql
async def test_process_cut_off_from_the_database_stops_serving(tmp_path: Path) -> None:
    """It stops answering for its tables once another may: no two homes answer a client."""
    assert databases.running
    path = tmp_path / "mekuri.db"
    url = make_url(databases.running.place(path))
    async with wired() as wire, two(path, url.set(port=wire.port).render_as_string()) as found:
        table, guest, there = found.table, found.guest, found.there
        for _ in range(2):
            versions: list[int] = []  # the versions that the other process has announced
            following = asyncio.Event()
            watching = asyncio.create_task(watch(guest, table, versions, following))
            await following.wait()
            wire.cut()
            ending = asyncio.Event()
            asking = asyncio.create_task(ask_on(guest, table, versions, ending))
            while len(versions) < 3:
                versions.append(await act(there, table))
            ending.set()
            assert await asking, "it has refused while it was cut off"
            await watching
            wire.mend()
            while await seen(guest, table) < versions[-1]:
                await asyncio.sleep(PAUSE)
            await act(guest, table)
            # Back to it: the other stops, and starts again.
            await found.other.kill()
            await act(guest, table)
            await found.other.start()


async def watch(guest: Guest, table: str, versions: list[int], following: asyncio.Event) -> None:
    """Follow a table until the stream ends, or shows an event of the other process: it must not stall."""
    async with guest.http.stream("GET", "/api/stream", params={"table": table}) as stream:
        following.set()
        async for line in stream.aiter_lines():
            if line == "event: bye" or (line.startswith("id: ") and versions and int(line[4:]) >= versions[-1]):
                return


async def ask_on(guest: Guest, table: str, versions: list[int], ending: asyncio.Event) -> int:
    """Ask a process that is cut off again and again, and return how often it refused.

    It may tell nothing older than another has told.
    """
    refused = 0
    while not ending.is_set():
        newest = versions[-1] if versions else 0
        try:
            assert (await guest.look(table))["version"] >= newest, "two homes answer"
        except (Refusal, httpx.TransportError):
            refused += 1
        await asyncio.sleep(PAUSE)
    return refused


async def test_relayed_stream_survives_a_killed_process(tmp_path: Path) -> None:
    """A spectator whose stream is relayed misses nothing when the home of the table is killed, or the process between."""
    path, chance = tmp_path / "mekuri.db", Random(1)
    children = [Child(path, more=LEASE) for _ in range(2)]
    try:
        for child in children:
            await child.start()
        addresses = [child.address for child in children]
        person = Person(await Guest(addresses[0]).arrive(), chance, addresses)
        table = await Sat.made(USUAL, [person], ["greedy"], rounds=2)
        watcher = Watcher(table.id, addresses, chance)
        playing = asyncio.gather(table.play(), watcher.watch())
        for child in [*children, *children]:
            done = len(person.did[table.id])
            while len(person.did[table.id]) < done + 2 and not table.over:
                await moment()
            await child.kill()
            await child.start()
        await playing
        assert watcher.events
        assert await watcher.events_again(addresses[0]) == watcher.events
        await person.guest.close()
    finally:
        for child in children:
            await child.kill()
