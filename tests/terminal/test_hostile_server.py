"""Servers with endless, tightly packed or deeply nested answers: the client prints one line and uses little memory."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec
import pytest

from mekuri.protocol.guests import Guest
from mekuri.terminal.base import guest as account
from mekuri.terminal.base.line import Line, LineError

HEAD = b"HTTP/1.1 %d OK\r\ncontent-type: %b\r\nconnection: close\r\n"
JSON = b"application/json"
MUCH = 100_000_000  # bytes that a bomb unpacks to
MEMORY = 48 << 20  # bytes that may be used; an answer may have 4 MiB

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(answer: Answer) -> AsyncIterator[str]:
    """Run a server that gives every request the same answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            await answer(writer)
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()


@cache
def bomb() -> bytes:
    """Return a few bytes that unpack to a hundred million."""
    return gzip.compress(bytes(MUCH))


def answering(head: bytes, body: bytes = b"", kind: bytes = JSON, status: int = 200, endless: bytes = b"") -> Answer:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD % (status, kind) + head + b"\r\n" + body)
        while endless:
            writer.write(endless)
            await writer.drain()
        await writer.drain()

    return answer


def packed(kind: bytes = JSON, status: int = 200) -> Answer:
    async def answer(writer: asyncio.StreamWriter) -> None:
        await answering(b"content-encoding: gzip\r\n", bomb(), kind, status)(writer)

    return answer


DEEP = b"[" * 1_000_000
ANSWERS: dict[str, Answer] = {
    "without end": answering(b"", endless=b" " * 65_536),
    "packed a thousand times smaller": packed(),
    "packed, and refused": packed(status=503),
    "packed otherwise": answering(b"content-encoding: deflate\r\n", zlib.compress(b"{}")),
    "packed twice": answering(b"content-encoding: gzip, gzip\r\n", gzip.compress(gzip.compress(b"{}"))),
    "packed and broken": answering(b"content-encoding: gzip\r\n", b"\x1f\x8b nothing"),
    "nested without end": answering(b"content-length: %d\r\n" % len(DEEP), DEEP),
    "nested without end, and refused": answering(b"content-length: %d\r\n" % len(DEEP), DEEP, status=400),
}


@asynccontextmanager
async def little_memory() -> AsyncIterator[None]:
    bomb()
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("what", ANSWERS)
async def test_hostile_answer_is_refused_in_little_memory(what: str) -> None:
    async with server(ANSWERS[what]) as address, Line(address) as line, little_memory():
        with pytest.raises(LineError) as refused:
            await line.ask("GET", "/api/guests/me", Guest)
    assert "\n" not in str(refused.value)


STREAM = b"text/event-stream"
MESSAGES: dict[str, Answer] = {
    "without end": answering(b"", b"data: ", STREAM, endless=b"x" * 65_536),
    "of lines without end": answering(b"", b"", STREAM, endless=b"data: x\n" * 8_192),
    "packed": packed(STREAM),
    "refused without end": answering(b"", b"", status=404, endless=b" " * 65_536),
}


@pytest.mark.every_days(4)
@pytest.mark.parametrize("what", MESSAGES)
async def test_hostile_stream_is_refused_in_little_memory(what: str) -> None:
    async with server(MESSAGES[what]) as address, Line(address) as line, little_memory():
        with pytest.raises(LineError):
            await anext(line.follow("t", "", lambda: None))


@pytest.fixture
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """This device is a guest everywhere."""
    monkeypatch.setattr(account, "kept_token", lambda address: "token")


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("what", ["without end", "packed a thousand times smaller"])
async def test_oversized_export_leaves_no_file(what: str, tmp_path: Path) -> None:
    """The export is written as it arrives, and its file is deleted if it is too large."""
    path = tmp_path / "export.json"
    async with server(ANSWERS[what]) as address, little_memory():
        with pytest.raises(LineError, match="more than 8 MiB"):
            await account.save_export(address, path, 8 << 20)
    assert not path.exists()


@pytest.mark.usefixtures("_known")
async def test_large_export_is_saved_whole(tmp_path: Path) -> None:
    path, whole = tmp_path / "export.json", msgspec.json.encode(["x" * 100] * 100_000)
    async with server(answering(b"content-length: %d\r\n" % len(whole), whole)) as address:
        await account.save_export(address, path, 64 << 20)
    assert path.read_bytes() == whole
