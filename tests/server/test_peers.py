"""Messages between the processes of one log: authentication, and the loss of a peer."""

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from mekuri.desk.desk import Desk
from mekuri.desk.homes import at_home
from mekuri.desk.stream import Stream
from mekuri.desk.work import PURSE
from mekuri.engine.errors import OptionError
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings
from mekuri.server.cluster.homes import machine
from mekuri.server.cluster.peer_client import PeerClient, Refused
from mekuri.server.cluster.peer_protocol import Line, Lost, Reply
from mekuri.server.cluster.peer_server import PeerServer
from mekuri.server.storage.cluster_store import Process
from mekuri.server.storage.schema import log
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.storage.writer import Write
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.time import REAL
from tests.helpers.server.gathering import at, begun, choosing, guests, hearing
from tests.helpers.server.ports import free_port
from tests.helpers.server.serving import Guest, Refusal, Serving, refused, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import moment, until

SECRET = "the secret of this process"


class Home:
    """A home that reports its requests."""

    async def do_here(self, name: str, body: bytes) -> bytes:
        if name == "fail":
            raise ValueError("a fault of ours")
        if name == "hang":
            await asyncio.Event().wait()
        if name == "pay" and (purse := PURSE.get()):
            purse.charge(2)
            purse.charge_play(3)
        return name.encode() + body

    async def follow_here(self, stream: Stream, process: str) -> None:
        assert process == "caller"
        for version in range(3):
            stream.put(next(iter(stream.versions)), "event", b"{}", version)

    def unfollow_here(self, stream: Stream) -> None:
        pass

    async def give_up(self, table: str, process: str, version: int, unfollowed: bool) -> None:
        raise AssertionError("no process of another version is here")


@pytest.fixture
async def process() -> AsyncIterator[Process]:
    """A process that answers."""
    server = PeerServer(Home(), lambda: "home", SECRET)
    yield Process("home", await server.listen("127.0.0.1", 0), None, SECRET, {})
    await server.close()


@asynccontextmanager
async def calling() -> AsyncIterator[tuple[PeerClient, list[Stream]]]:
    """Return a client and the streams that were ended."""
    ended: list[Stream] = []
    client = PeerClient(lambda: "caller", ended.append)
    yield client, ended
    client.close()


class TestAuthentication:
    async def test_peer_with_the_secret_is_answered(self, process: Process) -> None:
        async with calling() as (client, _):
            answers = await asyncio.gather(*(client.do(process, "look", bytes([n])) for n in range(50)))
            assert answers == [b"look" + bytes([n]) for n in range(50)]

    @pytest.mark.parametrize("wrong", [{"secret": "another"}, {"id": "another"}])
    async def test_peer_with_wrong_secret_or_id_is_refused(self, process: Process, wrong: dict[str, str]) -> None:
        """Nor is another process accepted in place of the expected one, as after a port was reused."""
        async with calling() as (client, _):
            with pytest.raises(Lost):
                await client.do(msgspec.structs.replace(process, **wrong), "look", b"")

    @pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\n\r\n" + bytes(100), bytes(32), bytes(10_000)])
    async def test_unauthenticated_connection_is_closed(self, process: Process, first: bytes) -> None:
        host, _, port = process.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        assert len(await reader.readexactly(32)) == 32
        writer.write(first)
        if first:
            assert await reader.read() == b"", "the connection is closed without an answer"
        writer.close()

    async def test_malformed_message_closes_its_connection_only(self, process: Process) -> None:
        host, _, port = process.address.rpartition(":")
        for nonsense in (b"\x00\x00\x00\x05hello", b"\xff\xff\xff\xff", secrets.token_bytes(64)):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(hmac.digest(SECRET.encode(), await reader.readexactly(32), "sha256") + bytes(32) + nonsense)
            await reader.readexactly(32)
            writer.write_eof()
            await reader.read()
            writer.close()
        async with calling() as (client, _):
            assert await client.do(process, "look", b"") == b"look"


async def test_messages_of_a_few_turns_are_sent_together() -> None:
    """An answer goes with what its call made happen, a few turns of the event loop before: each write wakes the other one up."""
    written: asyncio.Queue[bytes] = asyncio.Queue()
    transport = Mock(write=written.put_nowait, get_write_buffer_size=lambda: 0)
    line = Line()
    line.connection_made(transport)
    line.send(Reply(1, "message", b"what happened"))
    for _ in range(2):
        await asyncio.sleep(0)
    line.send(Reply(2, "done", b"the answer"))
    sent = await written.get()
    assert b"what happened" in sent
    assert b"the answer" in sent


async def test_replayed_handshake_is_refused() -> None:
    """A process that has recorded a handshake cannot impersonate the peer later."""
    heard: list[bytes] = []

    async def pretend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(32))
        asked = await reader.readexactly(64)
        heard.append(asked)
        own = heard[0][32:]  # what the real one was asked first
        writer.write(hmac.digest(SECRET.encode(), own + b"home", "sha256"))
        await reader.read()
        writer.close()

    server = await asyncio.start_server(pretend, "127.0.0.1", 0)
    process = Process("home", f"127.0.0.1:{server.sockets[0].getsockname()[1]}", None, SECRET, {})
    async with calling() as (first, _):
        await first.reach(process)  # it knows this answer, as if it had the secret
    async with calling() as (again, _):
        with pytest.raises(Lost, match="another process"):
            await again.reach(process)
    server.close()
    await until(lambda: len(asyncio.all_tasks()) == 1)


class Spent:
    """The purse of a caller."""

    name, neighbourhood = "ann", "here"

    def __init__(self) -> None:
        self.paid = [0.0, 0.0]

    def charge(self, seconds: float) -> None:
        self.paid[0] += seconds

    def charge_play(self, seconds: float) -> None:
        self.paid[1] += seconds


async def test_remote_work_is_charged_to_the_caller(process: Process) -> None:
    """Work at a table is charged separately, as here: it does not make a player heavy."""
    purse = Spent()
    PURSE.set(purse)  # type: ignore[arg-type]
    async with calling() as (client, _):
        await client.do(process, "pay", b"")
    assert 2 <= purse.paid[0] < 3
    assert purse.paid[1] == 3


async def test_cancelled_remote_work_is_charged(process: Process) -> None:
    purse = Spent()
    PURSE.set(purse)  # type: ignore[arg-type]
    async with calling() as (client, _):
        await client.reach(process)
        asking = asyncio.create_task(client.do(process, "pay", b""))
        await asyncio.sleep(0)
        asking.cancel()
        await until(lambda: purse.paid[1] == 3)


async def test_remote_stream_is_charged_to_its_follower(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    async def follow(self: Home, stream: Stream, process: str) -> None:
        await self.do_here("pay", b"")

    monkeypatch.setattr(Home, "follow_here", follow)
    purse = Spent()
    PURSE.set(purse)  # type: ignore[arg-type]
    async with calling() as (client, _):
        await client.follow(process, "m", Stream(None, "127.0.0.1", ["m"], [None]))
    assert purse.paid[1] == 3


async def test_stream_dropped_at_once_is_not_followed(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both messages come together, before the work of the first has begun."""
    followed: list[Stream] = []

    async def follow(self: Home, stream: Stream, process: str) -> None:
        followed.append(stream)

    monkeypatch.setattr(Home, "follow_here", follow)
    async with calling() as (client, _):
        await client.reach(process)
        gone, stays = (Stream(None, "127.0.0.1", ["m"], [None]) for _ in range(2))
        following = [asyncio.create_task(client.follow(process, "m", stream)) for stream in (gone, stays)]
        await asyncio.sleep(0)
        client.unfollow(gone)
        await asyncio.gather(*following)
    assert len(followed) == 1


class TestLost:
    async def test_calls_to_a_removed_peer_fail_at_once(self, process: Process) -> None:
        """Callers and followers learn of it at once."""
        async with calling() as (client, ended):
            stream = Stream(None, "127.0.0.1", ["m"], [None])
            await client.follow(process, "m", stream)
            waiting = asyncio.create_task(client.do(process, "hang", b""))
            await asyncio.sleep(0)
            client.keep([process.id])
            assert not ended
            client.keep([])
            assert ended == [stream]
            with pytest.raises(Lost):
                await waiting

    async def test_unreachable_peer_is_refused(self) -> None:
        async with calling() as (client, _):
            with pytest.raises(Refused):
                await client.do(Process("home", f"127.0.0.1:{free_port()}", None, SECRET, {}), "look", b"")

    async def test_fault_of_a_peer_is_raised(self, process: Process) -> None:
        async with calling() as (client, _):
            with pytest.raises(Exception, match="not your fault"):
                await client.do(process, "fail", b"")
            assert await client.do(process, "look", b"") == b"look"

    async def test_streams_end_with_the_connection(self) -> None:
        server = PeerServer(Home(), lambda: "home", SECRET)
        process = Process("home", await server.listen("127.0.0.1", 0), None, SECRET, {})
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


class TestForwarding:
    async def test_forwarded_refusals_are_unchanged(self, tmp_path: Path) -> None:
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

    async def test_forwarded_requests_get_the_same_answers(self, tmp_path: Path) -> None:
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
                else:
                    await moment()
            await there.ready(table, 1)
            await until_over(there, table)
            for asked in ("", "/events?since=3", "/rounds/1", "/rounds/1?seat=0", "/record"):
                assert await there.call("GET", path + asked) == await aki.call("GET", path + asked), asked
            listed = [await guest.call("GET", "/api/tables") for guest in (aki, there)]
            assert listed[0] == listed[1]
            again = await there.rematch(table)
            assert (await aki.rematch(table))["id"] == again["id"]
            assert not two.desk.tables.live_tables


async def until_over(guest: Guest, table: str) -> None:
    while (await guest.look(table))["head"]["state"] != "over":
        await moment()


async def test_stopping_process_hands_its_tables_over(tmp_path: Path) -> None:
    """Its streams end with it, those of others too; clients come again, and miss nothing."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as two:
        async with serving(path) as one, guests(one, "Aki", "Ben") as people:
            table = await begun(people, USUAL)
            there = [at(two, guest) for guest in people]
            async with hearing(people[1], table) as kept, hearing(there[0], table) as heard:
                await kept.some("table")
                version = (await heard.some("table"))["version"]
                await one.stop()
                await until(lambda: heard.of("bye"))
        guest, view = await choosing(table, there)
        async with hearing(there[0], table, last=str(version)) as heard:
            await guest.play(table, view["version"], view["legal"][0]["action"])
            await heard.version(version + 1)
            assert [event["version"] for event in heard.of("event")][:1] == [version + 1]
        assert len(sql(path, "select * from processes")) == 1


async def test_unreachable_process_elsewhere_is_not_taken_for_dead(tmp_path: Path) -> None:
    """The process was started without a public address, so its tables are unavailable until its lease is over."""
    path = tmp_path / "mekuri.db"
    async with serving(path, patience=2) as server, guests(server, "Aki", "Ben") as people:
        tables = [await begun(people, USUAL) for _ in range(2)]
        for table, machine_of_it in zip(tables, ("another", machine()), strict=True):
            values = (machine_of_it, 1 << 52, f"127.0.0.1:{free_port()}", machine_of_it)
            await write(
                path, "insert into processes (id, until, address, machine, secret, waiting) values (?, ?, ?, ?, '', '{}')", values
            )
            await write(path, "update matches set home = ?, fence = fence + 1 where id = ?", [machine_of_it, table])
            server.desk.tables.drop_all()
        await server.desk.peers.renew()
        assert (await refused(people[0].look(tables[0])))[0] in (408, 503)
        while (await people[0].http.get(f"/api/tables/{tables[1]}")).status_code != 200:
            pass  # a busy machine may take longer than `patience`
        assert len(sql(path, "select id from processes where id = 'another'")) == 1


async def test_reload_waits_for_writes_in_progress(server: Serving, ben: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The write has the right fencing number and is acknowledged, so a reload of the table waits for it."""
    table = await begun([ben], USUAL)
    cache, writing, may_write = server.desk.tables, asyncio.Event(), asyncio.Event()
    write = server.desk.store._writer.write

    async def slowly(statements: Write) -> None:
        if any(statement.inserts is log for statement, _ in statements):
            writing.set()
            await may_write.wait()
        await write(statements)

    _, view = await choosing(table, [ben])
    monkeypatch.setattr(server.desk.store._writer, "write", slowly)
    playing = asyncio.create_task(ben.play(table, view["version"], view["legal"][0]["action"]))
    await writing.wait()
    cache.drop_all()
    looking = asyncio.create_task(ben.look(table))
    await until(lambda: looking.done() or any(ending.lock._waiters for ending in cache._ending.values()))
    claims = list[str]()
    need_home = cache._homes.need_home

    async def counted(id: str) -> None:
        claims.append(id)
        await need_home(id)

    monkeypatch.setattr(cache._homes, "need_home", counted)
    may_write.set()
    assert (await looking)["version"] >= (await playing)["version"]
    assert claims[0] == table, "meanwhile it may have got another home, so this is looked up again"


async def test_peer_address_in_use_is_refused(tmp_path: Path, store: Store) -> None:
    port = free_port()
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", port)
    settings = Settings(peers=f"127.0.0.1:{port}")
    desk = ServerDesk(store, settings, Limits(settings, REAL))
    with pytest.raises(StoreError, match=f"cannot be answered at 127.0.0.1:{port}"):
        await desk.peers.begin()
    server.close()


@pytest.mark.parametrize("peers", ["0.0.0.0:8414", "[::]:8414", "127.0.0.1", "nobody:1"])
def test_invalid_peer_address_is_refused(peers: str) -> None:
    with pytest.raises(OptionError, match="other processes"):
        Settings(peers=peers)


def test_two_functions_of_one_name_are_refused() -> None:
    """Another process could not say which one it calls."""

    async def show_table(desk: Desk, id: str) -> bytes:
        return b""

    with pytest.raises(TypeError, match="show_table"):
        at_home(show_table)
