"""What the processes that serve one log send each other: who may ask, and what happens where one of them is lost."""

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mekuri.engine.errors import OptionError
from mekuri.server.cluster_store import Process
from mekuri.server.peer_client import PeerClient, Refused
from mekuri.server.peer_protocol import Lost
from mekuri.server.peer_server import PeerServer
from mekuri.server.settings import Settings
from mekuri.server.store import Store, StoreError
from mekuri.server.stream import Stream
from mekuri.server.table_registry import TableRegistry
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import at, begun, choosing, guests, hearing, until
from tests.helpers.server.ports import free_port
from tests.helpers.server.serving import Guest, Refusal, Serving, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL

SECRET = "the secret of this process"


class Home:
    """A home that says what it was asked."""

    async def do_here(self, name: str, body: bytes) -> bytes:
        if name == "fail":
            raise ValueError("a fault of ours")
        return name.encode() + body

    async def follow_here(self, stream: Stream) -> None:
        for version in range(3):
            stream.put(next(iter(stream.versions)), "event", b"{}", version)

    def unfollow_here(self, stream: Stream) -> None:
        pass


@pytest.fixture
async def process() -> AsyncIterator[Process]:
    """A process that answers."""
    server = PeerServer(Home(), "home", SECRET)
    yield Process("home", await server.listen("127.0.0.1", 0), SECRET, {})
    await server.close()


@asynccontextmanager
async def calling() -> AsyncIterator[tuple[PeerClient, list[Stream]]]:
    """Somebody who calls, and the streams that were ended."""
    ended: list[Stream] = []
    client = PeerClient(ended.append)
    yield client, ended
    client.close()


class TestWhoMayAsk:
    async def test_whoever_knows_the_secret(self, process: Process) -> None:
        async with calling() as (client, _):
            answers = await asyncio.gather(*(client.do(process, "look", bytes([n])) for n in range(50)))
            assert answers == [b"look" + bytes([n]) for n in range(50)]

    @pytest.mark.parametrize("wrong", [{"secret": "another"}, {"id": "another"}])
    async def test_nobody_else(self, process: Process, wrong: dict[str, str]) -> None:
        """Nor is another process taken for the one that is looked for, as where a port was given away."""
        told = {"id": process.id, "address": process.address, "secret": process.secret, "waiting": {}} | wrong
        async with calling() as (client, _):
            with pytest.raises(Lost):
                await client.do(Process(**told), "look", b"")  # type: ignore[arg-type]

    @pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\n\r\n" + bytes(100), bytes(32), bytes(10_000)])
    async def test_nor_whoever_sends_anything(self, process: Process, first: bytes) -> None:
        host, _, port = process.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        assert len(await reader.readexactly(32)) == 32
        writer.write(first)
        if first:
            async with asyncio.timeout(PATIENCE):
                assert await reader.read() == b"", "the connection is closed, and nothing is told"
        writer.close()

    async def test_nonsense_of_a_peer_ends_its_connection_alone(self, process: Process) -> None:
        host, _, port = process.address.rpartition(":")
        for nonsense in (b"\x00\x00\x00\x05hello", b"\xff\xff\xff\xff", secrets.token_bytes(64)):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(hmac.digest(SECRET.encode(), await reader.readexactly(32), "sha256") + nonsense)
            await reader.readexactly(32)
            writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                await reader.read()
            writer.close()
        async with calling() as (client, _):
            assert await client.do(process, "look", b"") == b"look"


class TestLost:
    async def test_nobody_there(self) -> None:
        async with calling() as (client, _):
            with pytest.raises(Refused):
                await client.do(Process("home", f"127.0.0.1:{free_port()}", SECRET, {}), "look", b"")

    async def test_a_fault_is_told_as_one(self, process: Process) -> None:
        async with calling() as (client, _):
            with pytest.raises(Exception, match="not your fault"):
                await client.do(process, "fail", b"")
            assert await client.do(process, "look", b"") == b"look"

    async def test_streams_end_with_the_connection(self) -> None:
        server = PeerServer(Home(), "home", SECRET)
        process = Process("home", await server.listen("127.0.0.1", 0), SECRET, {})
        async with calling() as (client, ended):
            stream = Stream(None, "127.0.0.1", ["m"], [None])
            await client.follow(process, "m", stream)
            await until(lambda: stream.versions == {"m": 2})
            await server.close()
            await until(lambda: ended == [stream])


@asynccontextmanager
async def both(path: Path) -> AsyncIterator[tuple[Serving, Serving]]:
    async with serving(path) as one, serving(path) as two:
        yield one, two


class TestHandedOn:
    async def test_refusals_come_as_they_are(self, tmp_path: Path) -> None:
        async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki", "Ben") as people:
            table = await begun(people, USUAL)
            guest, view = await choosing(table, people)
            there = at(two, guest)
            seen: list[tuple[int, object]] = []
            for each in (guest, there):
                with pytest.raises(Refusal) as refused:
                    await each.play(table, view["version"], "nonsense")
                seen.append((refused.value.status, refused.value.problem))
            assert seen[0] == seen[1]
            with pytest.raises(Refusal, match="404"):
                await there.look("nothing")
            await there.close()

    async def test_everything_that_may_be_asked(self, tmp_path: Path) -> None:
        """Each request has the same answer, whichever process is asked."""
        async with both(tmp_path / "mekuri.db") as (one, two), guests(one, "Aki") as (aki,):
            table = await aki.make(USUAL, match_options={"rounds": "1"})
            await aki.sit(table)
            there = at(two, aki)
            path = f"/api/tables/{table}"
            await choosing(table, [aki])
            for asked in ("", "/events?since=0", "/cards", "/analysis"):
                assert await there.call("GET", path + asked) == await aki.call("GET", path + asked), asked
            while not (whole := await there.look(table))["view"]["over"]:
                if whole["view"]["legal"]:
                    await there.play(table, whole["view"]["version"], whole["view"]["legal"][0]["action"])
            await there.ready(table, 1)
            await until_over(there, table)
            for asked in ("", "/events?since=3", "/rounds/1", "/rounds/1?seat=0", "/record"):
                assert await there.call("GET", path + asked) == await aki.call("GET", path + asked), asked
            listed = [await guest.call("GET", "/api/tables") for guest in (aki, there)]
            assert listed[0] == listed[1]
            again = await there.rematch(table)
            assert (await aki.rematch(table))["id"] == again["id"]
            assert not two.tables.cache.live_tables
            await there.close()


async def until_over(guest: Guest, table: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await guest.look(table))["head"]["state"] != "over":
            await asyncio.sleep(0.01)


async def test_a_process_that_stops_hands_its_tables_over(tmp_path: Path) -> None:
    """Its streams end with it, those of others too; clients come again, and miss nothing."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as two:
        async with serving(path) as one, guests(one, "Aki", "Ben") as people:
            table = await begun(people, USUAL)
            there = [at(two, guest) for guest in people]
            async with hearing(there[0], table) as heard:
                version = (await heard.some("table"))["version"]
                await one.stop()
                await until(lambda: heard.of("bye"))
        guest, view = await choosing(table, there)
        async with hearing(there[0], table, last=str(version)) as heard:
            await guest.play(table, view["version"], view["legal"][0]["action"])
            await heard.version(version + 1)
            assert [event["version"] for event in heard.of("event")][:1] == [version + 1]
        assert len(sql(path, "select * from processes")) == 1
        for guest in there:
            await guest.close()


async def test_an_address_for_peers_that_is_taken(tmp_path: Path, store: Store) -> None:
    port = free_port()
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", port)
    tables = TableRegistry(store, Settings(peers=f"127.0.0.1:{port}"), store.clock)
    with pytest.raises(StoreError, match=f"cannot be answered at 127.0.0.1:{port}"):
        await tables.begin()
    server.close()


@pytest.mark.parametrize("peers", ["0.0.0.0:8414", "[::]:8414", "127.0.0.1", "nobody:1"])
def test_an_address_for_peers_that_none_is(peers: str) -> None:
    with pytest.raises(OptionError, match="other processes"):
        Settings(peers=peers)
