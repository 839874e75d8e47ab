"""Requests that are too large, or never whole: what comes before the application has any part in it."""

import asyncio
import logging
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mekuri.server.base.settings import Settings
from tests.helpers.patience import PATIENCE
from tests.helpers.server.raw import body_of, hang_up, head_of, request, send, status
from tests.helpers.server.serving import Serving, serving
from tests.helpers.time import moment, until

LIMITS = Settings()
HEAD = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n"
LINE = b"a:\r\n"
NO_BODY = HEAD + b"transfer-encoding: chunked\r\n\r\nx\r\n"


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


async def connect(server: Serving) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = urlsplit(server.address)
    return await asyncio.open_connection(url.hostname, url.port)


def check_refusal(heard: bytes, expected: int, error: str) -> None:
    """The refusal has the usual form, and the connection is closed after it."""
    assert status(heard) == expected, heard[:200]
    assert body_of(heard)["error"] == error
    assert body_of(heard)["message"]
    head = head_of(heard)
    assert head["content-type"] == "application/json"
    assert head["connection"] == "close"
    assert head["x-content-type-options"] == "nosniff"


class TestPlain:
    """Ambiguous requests are refused."""

    @pytest.mark.parametrize(
        ("headers", "reason"),
        [
            (b"host: evil.example\r\n", "more than one host"),
            (b"host: localhost\r\n", "more than one host"),
            (b"transfer-encoding: gzip, chunked\r\n", "packed"),
            (b"transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n", ""),
            (b"transfer-encoding: chunked\r\ncontent-length: 2\r\n", ""),
            (b"content-length: 2\r\ncontent-length: 2\r\n", ""),
            (b"content-length: +2\r\n", ""),
            (b"x: a\r\n b\r\n", ""),
            (b"x : a\r\n", ""),
        ],
    )
    async def test_ambiguous_head_is_refused(self, server: Serving, headers: bytes, reason: str) -> None:
        post = HEAD.replace(b"GET /api/games", b"POST /api/guests") + b"content-type: application/json\r\n"
        heard = await send(server.address, post + headers + b"\r\n2\r\n{}\r\n0\r\n\r\n")
        check_refusal(heard, 400, "malformed")
        assert reason in body_of(heard)["message"]

    @pytest.mark.parametrize("size", [b"-1", b"0x2", b" 2", b"2 ", b"", b"F" * 17, b"2\n"])
    async def test_malformed_chunk_size_is_refused(self, server: Serving, size: bytes) -> None:
        head = request("POST", "/api/guests", headers={"transfer-encoding": "chunked", "content-type": "application/json"})
        check_refusal(await send(server.address, head + size + b"\r\n{}\r\n0\r\n\r\n"), 400, "malformed")

    async def test_endless_body_gets_413_or_408(self, server: Serving, tmp_path: Path) -> None:
        """Neither with a declared length, nor byte by byte."""
        post = request("POST", "/api/guests", headers={"content-type": "application/json"})[:-2]
        head = post + b"content-length: 9223372036854775807\r\n\r\n"
        assert status(await send(server.address, head + b" ")) == 413
        chunk = post + b"transfer-encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n"
        async with serving(tmp_path / "mekuri.db") as hasty:
            assert status(await send(hasty.address, chunk + b" ")) == 408
            reader, writer = await connect(hasty)
            writer.write(chunk)
            heard = asyncio.create_task(reader.readline())  # what is written to a line that is closed may cut off the rest
            while not heard.done():
                writer.write(b" ")
                await moment()
            assert status(await heard) == 408
            await hang_up(writer)

    async def test_pipelined_requests_are_not_read(self, server: Serving) -> None:
        heard = await send(server.address, (HEAD + b"\r\n") * 1000)
        assert heard.count(b"HTTP/1.1 ") == 1
        assert status(heard) == 200

    async def test_half_closed_connection_is_answered(self, server: Serving) -> None:
        """A half-closed line is none that is gone; a stream of one is not kept."""
        for data, expected in ((HEAD + b"\r\n", 200), (HEAD.replace(b"games", b"tables/x"), 0), (b"", 0)):
            reader, writer = await connect(server)
            writer.write(data)
            writer.write_eof()
            assert status(await asyncio.wait_for(reader.read(), PATIENCE)) == expected
            await hang_up(writer)
        await until(lambda: not server.connections)


class TestSize:
    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (HEAD + LINE * (5 << 20), (431, "long-head")),
            (HEAD + b"a: " + b"b" * (1 << 20), (431, "long-head")),
            (HEAD + b"a" * (1 << 20), (431, "long-head")),
            (b"\r\n" * (1 << 19), (431, "long-head")),
            (b"GET /" + b"a" * (1 << 20), (414, "long-address")),
        ],
        ids=["headers", "value", "name", "nothing", "address"],
    )
    async def test_endless_head_is_refused_in_bounded_memory(self, server: Serving, data: bytes, expected: tuple[int, str]) -> None:
        """The server stores next to nothing of it, however much has arrived."""
        reader, writer = await connect(server)
        writer.write(data)
        heard = await asyncio.wait_for(reader.read(), PATIENCE)
        check_refusal(heard, *expected)
        for connection in server.connections:
            assert len(connection.headers or []) < 2000
            assert len(connection.url if connection.headers is not None else b"") < 2 * LIMITS.line
        await hang_up(writer)

    @pytest.mark.parametrize(
        ("path", "headers", "expected"),
        [
            ("/api/games", {}, 200),
            ("/api/games", {f"x{n}": "y" for n in range(LIMITS.headers - 2)}, 200),
            ("/api/games", {f"x{n}": "y" for n in range(LIMITS.headers - 1)}, 431),
            ("/api/games", {"x": "y" * (LIMITS.line - 1)}, 200),
            ("/api/games", {"x": "y" * LIMITS.line}, 431),
            ("/api/games", {f"x{n}": "y" * 4000 for n in range(3)}, 200),
            ("/api/games", {f"x{n}": "y" * 4000 for n in range(5)}, 431),
            ("/api/games?" + "x" * (LIMITS.line - len("/api/games?")), {}, 200),
            ("/api/games?" + "x" * (LIMITS.line - len("/api/games?") + 1), {}, 414),
        ],
    )
    async def test_head_up_to_the_limit_is_accepted(
        self, server: Serving, path: str, headers: dict[str, str], expected: int
    ) -> None:
        heard = await send(server.address, request("GET", path, headers=headers))
        assert status(heard) == expected, heard[:200]

    async def test_size_limit_counts_each_request_alone(self, server: Serving) -> None:
        """A kept-alive connection is not refused for its total size."""
        reader, writer = await connect(server)
        for _ in range(5):
            writer.write(HEAD + b"x: " + b"y" * 6000 + b"\r\n\r\n")
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            assert status(head) == 200
            await reader.readexactly(int(head_of(head)["content-length"]))
        await hang_up(writer)

    @pytest.mark.parametrize(("marks", "end", "expected"), [(3, 3, 201), (30_000, 0, 431), (1, 10_000, 431)])
    async def test_chunk_extensions_and_trailers_are_limited(self, server: Serving, marks: int, end: int, expected: int) -> None:
        """The marks of its chunks, and what looks like headers after the last."""
        head = request("POST", "/api/guests", headers={"transfer-encoding": "chunked", "content-type": "application/json"})
        heard = await send(server.address, head + b"2;" + b"x" * marks + b"\r\n{}\r\n0\r\n" + LINE * end + b"\r\n")
        assert status(heard) == expected

    async def test_refused_heads_are_logged_once(self, server: Serving, caplog: pytest.LogCaptureFixture) -> None:
        for _ in range(20):
            await send(server.address, HEAD + LINE * 200)
        (said,) = complaints(caplog)
        assert "size of a request's head" in said


class TestTime:
    async def test_incomplete_head_gets_408(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        async with serving(tmp_path / "mekuri.db") as server:
            check_refusal(await send(server.address, HEAD), 408, "too-slow")
        (said,) = complaints(caplog)
        assert "time for a request's head" in said

    async def test_slow_head_gets_408(self, tmp_path: Path) -> None:
        """Each byte gains it nothing."""
        async with serving(tmp_path / "mekuri.db") as server:
            reader, writer = await connect(server)
            answer = asyncio.create_task(reader.read())
            writer.write(HEAD)
            while not answer.done():
                writer.write(b"x")
                await moment()
            check_refusal(await answer, 408, "too-slow")
            await hang_up(writer)

    async def test_idle_connection_is_closed_without_a_log_line(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        """Browsers open such connections, to have one in hand: they are closed, and it is not worth a word."""
        async with serving(tmp_path / "mekuri.db") as server:
            assert await send(server.address, b"") == b""
        assert complaints(caplog) == []

    @pytest.mark.parametrize("more", [b"\r\n", b"x", b"G"])
    async def test_incomplete_next_request_gets_408(self, tmp_path: Path, more: bytes) -> None:
        """Other data than a next request does not keep the connection, nor does a body that no request waits for."""
        async with serving(tmp_path / "mekuri.db") as server:
            reader, writer = await connect(server)
            body = b"content-length: 100\r\n" if more == b"x" else b""
            writer.write(HEAD.replace(b"GET", b"PUT") + body + b"\r\n")
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            assert status(head) == 405
            await reader.readexactly(int(head_of(head)["content-length"]))
            writer.write(more)
            rest = await asyncio.wait_for(reader.read(), PATIENCE)
            assert status(rest) == (408 if more == b"G" else 0)
            await hang_up(writer)


class TestOrder:
    async def test_requests_before_the_answer_close_the_connection(self, server: Serving, caplog: pytest.LogCaptureFixture) -> None:
        """They would wait in memory. The first is answered and the connection closed; the client can repeat the others."""
        heard = await send(server.address, (HEAD + b"\r\n") * 5000)
        assert status(heard) == 200
        assert heard.count(b"HTTP/1.1 ") == 1
        assert complaints(caplog) == []

    async def test_upgrade_request_is_answered_as_plain_http(self, server: Serving, caplog: pytest.LogCaptureFixture) -> None:
        heard = await send(server.address, HEAD + b"connection: upgrade\r\nupgrade: websocket\r\n\r\n\x01\x02")
        assert status(heard) == 200
        assert head_of(heard)["connection"] == "close"
        assert complaints(caplog) == []

    @pytest.mark.parametrize(
        "data", [b"\x16\x03\x01\x00", b"GET\r\n\r\n", HEAD + b"a b\r\n\r\n", b"CONNECT x HTTP/1.1\r\n\r\n", NO_BODY]
    )
    async def test_garbage_gets_400(self, server: Serving, caplog: pytest.LogCaptureFixture, data: bytes) -> None:
        check_refusal(await send(server.address, data), 400, "malformed")
        assert complaints(caplog) == []


async def test_refused_connection_leaves_no_state(server: Serving) -> None:
    for data in (HEAD + LINE * 200, b"GET /" + b"a" * 9000, b"x", HEAD + b"\r\n", b""):
        _, writer = await connect(server)
        writer.write(data)
        await asyncio.sleep(0)
        await hang_up(writer)
    await until(lambda: not server.connections)
    assert not any([server.places._open, server.places._waiting, server.limits.connections, server.limits.asking])
