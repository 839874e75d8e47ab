"""Limits on connections: idle clients lock out no one, and seated players least of all."""

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mekuri.engine.errors import OptionError
from mekuri.server.base.settings import Settings
from mekuri.server.guard.connection_limits import Tally
from tests.helpers.patience import PATIENCE
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import guests, hearing
from tests.helpers.server.raw import Headers, Tap, body_of, hang_up, head_of, request, send, status
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, until

HALF = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n"
PROXIES = ("127.0.0.0/31",)
NEIGHBOUR = "127.0.0.2"  # an address of this machine that is nobody's proxy

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


@asynccontextmanager
async def half_heads(address: str, number: int, source: str | None = None) -> AsyncIterator[list[Pair]]:
    """Connections on which no request ever becomes whole."""
    url, found = urlsplit(address), list[Pair]()
    for _ in range(number):
        found.append(await asyncio.open_connection(url.hostname, url.port, local_addr=(source, 0) if source else None))
        found[-1][1].write(HALF)
    try:
        yield found
    finally:
        for _, writer in found:
            await hang_up(writer)


async def get(server: Serving, path: str = "/api/games", headers: Headers | None = None) -> bytes:
    return await send(server.address, request("GET", path, headers=headers))


async def test_half_sent_heads_block_no_player(tmp_path: Path) -> None:
    """As people run it, where the system allows a process few files: with more of them than it may have."""
    child = Child(tmp_path / "mekuri.db", files=200)
    await child.start()
    try:
        async with half_heads(child.address, 200):
            guest = await Guest(child.address).arrive()
            table = await guest.make(USUAL)
            await guest.sit(table)
            assert status(await send(child.address, request("GET", f"/t/{table}"))) == 200
    finally:
        child.send(signal.SIGINT)
        await child.ended()
    (said,) = child.err.splitlines()
    assert "Limit reached: 72 connections" in said


async def test_newcomers_connect_and_seated_players_stay(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(tmp_path / "mekuri.db", near=False, connections=12) as server, guests(server, "Aki", "Ben") as (aki, ben):
        table = await aki.make(USUAL, seats=["person", "person"])
        async with hearing(aki, table) as heard:
            await heard.count("table", 1)
            async with half_heads(server.address, 40):
                assert status(await get(server, "/")) == 200
                await ben.sit(table)
                await until(lambda: len(server.places._open) == 12)
            await heard.count("event", 1)
    (said,) = complaints(caplog)
    assert "12 connections" in said


async def test_last_quarter_of_places_is_for_seated_players(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A quarter of them. When all are taken, newcomers are asked to come again, and can."""
    async with serving(tmp_path / "mekuri.db", near=False, connections=8) as server, AsyncExitStack() as stack:
        aki = await Guest(server.address).arrive()
        table = await aki.make(USUAL)
        await aki.sit(table)
        await aki.close()
        seated = {"authorization": aki.http.headers["authorization"]}
        ben = await Guest(server.address).arrive()
        await ben.close()
        stranger = {"authorization": ben.http.headers["authorization"]}
        await until(lambda: not server.places._open)

        async def follow(who: Headers) -> Tap:
            tap = await Tap(server.address).open(f"/api/stream?table={table}", who)
            stack.push_async_callback(tap.close)
            return tap

        strangers = [await follow({}) for _ in range(6)]
        assert {status(tap.heard) for tap in strangers} == {200}
        for who in ({}, stranger):
            refused = await get(server, headers=who)
            assert (status(refused), body_of(refused)["error"]) == (503, "busy")
            assert int(head_of(refused)["retry-after"]) >= 1
        assert status(await get(server, headers=seated)) == 200
        assert [status((await follow(seated)).heard) for _ in range(2)] == [200, 200]
        # Now everybody has something under way.
        refused = await get(server, headers=seated)
        assert (status(refused), body_of(refused)["error"]) == (503, "busy")
        for tap in strangers[:3]:
            await tap.close()
        await until(lambda: len(server.places._open) == 5)
        assert status(await get(server)) == 200
        assert not any(tap._task.done() for tap in strangers[3:])
    assert len(complaints(caplog)) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has no second address of its own")
async def test_connections_of_one_address_are_limited(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It has so many places, whatever it does with them, and others have theirs."""
    async with (
        serving(tmp_path / "mekuri.db", near=False, connections_each=3) as server,
        half_heads(server.address, 3, NEIGHBOUR) as held,
    ):
        await until(lambda: server.limits.connections[NEIGHBOUR] == 3)
        async with half_heads(server.address, 2, NEIGHBOUR) as more:
            for reader, _ in more:
                refused = await asyncio.wait_for(reader.read(), PATIENCE)
                assert (status(refused), body_of(refused)["error"]) == (429, "too-many")
                assert int(head_of(refused)["retry-after"]) >= 1
        assert status(await get(server)) == 200
        held[0][1].close()
        await until(lambda: server.limits.connections[NEIGHBOUR] == 2)
        async with half_heads(server.address, 1, NEIGHBOUR) as [(reader, writer)]:
            writer.write(b"connection: close\r\n\r\n")
            assert status(await asyncio.wait_for(reader.read(), PATIENCE)) == 200
    assert not server.limits.connections
    (said,) = complaints(caplog)
    assert "3 connections from one address" in said


async def test_requests_of_one_address_behind_a_proxy_are_limited(tmp_path: Path) -> None:
    """All connections are the proxy's, without a limit; requests under way are counted per address."""
    async with (
        serving(tmp_path / "mekuri.db", near=False, connections_each=3, proxies=PROXIES) as server,
        guests(server, "Aki") as (aki,),
    ):
        table = await aki.make(USUAL)
        near, far = ({"x-forwarded-for": address} for address in ("2001:db8::1", "2001:db8:0:1::1"))
        taps = [await Tap(server.address).open(f"/api/stream?table={table}", near) for _ in range(3)]
        for address in ("2001:db8::1", "2001:db8::ffff:2"):
            refused = await get(server, headers={"x-forwarded-for": address})
            assert (status(refused), body_of(refused)["error"]) == (429, "too-many")
        assert status(await get(server, headers=far)) == 200
        for tap in taps:
            await tap.close()
        await until(lambda: not server.limits.asking)
        assert status(await get(server, headers=near)) == 200


@pytest.mark.parametrize(
    ("proxies", "address", "forged"),
    [
        ((), "127.0.0.1", "192.0.2.{n}"),  # nobody is named, so nobody is believed
        (("192.0.2.1",), "127.0.0.1", "192.0.2.{n}"),
        (PROXIES, "192.0.2.200", "192.0.2.{n}, 192.0.2.200"),  # what the proxy itself has added comes last
        ((*PROXIES, "10.0.0.0/8"), "192.0.2.200", "192.0.2.{n}, 192.0.2.200, 10.0.0.7"),
    ],
)
async def test_forged_forwarded_header_is_ignored(tmp_path: Path, proxies: tuple[str, ...], address: str, forged: str) -> None:
    """A client that varies the header at each request is counted under its own address."""
    async with (
        serving(tmp_path / "mekuri.db", near=False, connections_each=3, proxies=proxies) as server,
        guests(server, "Aki") as (aki,),
    ):
        table = await aki.make(USUAL)
        taps = [
            await Tap(server.address).open(f"/api/stream?table={table}", {"x-forwarded-for": forged.format(n=n)}) for n in range(2)
        ]
        assert (server.limits.asking[address], len(server.limits.asking)) == (2, 1)
        for tap in taps:
            await tap.close()


def test_proxy_setting_must_be_an_address() -> None:
    for proxy in ("*", "localhost", "10.0.0.1/8", ""):
        with pytest.raises(OptionError, match="a proxy is an address"):
            Settings(proxies=(proxy,))


async def test_limit_is_logged_once_and_then_counted(caplog: pytest.LogCaptureFixture) -> None:
    tally = Tally(time := FakeTime(moves=False))
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"):
        tally.count("this", address)
    tally.count("that", "192.0.2.1")
    while tally._addresses:
        await time.pass_by(60)
    first, that, summed = complaints(caplog)
    assert ("this" in first, "that" in that) == (True, True)
    assert "this: 3 times more" in summed
    assert "addresses: 2" in summed
    # It was quiet since, so it is news again.
    tally.count("this", "192.0.2.1")
    assert complaints(caplog)[3] == first
    assert "192.0.2" not in caplog.text
