"""HTTP byte by byte: what is sent and what comes back, without a client library in between."""

import asyncio
import json
import re
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from tests.helpers.patience import PATIENCE

Headers = dict[str, str]
_CHUNKED = b"transfer-encoding: chunked"


def request(method: str, path: str, body: Any = None, headers: Headers | None = None) -> bytes:
    """Return a request. A body of bytes is sent as it is, any other as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    sent = {"host": "localhost", "connection": "close"}
    if body is not None:
        sent |= {"content-type": "application/json", "content-length": str(len(data))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in (sent | (headers or {})).items())]
    return "\r\n".join(lines).encode(errors="surrogateescape") + b"\r\n\r\n" + data


async def send(address: str, data: bytes, patience: float = PATIENCE) -> bytes:
    """Send bytes, and return all that comes back until the connection is closed, without the Date header.

    A connection that is cut off or takes too long returns what had come by then.
    """
    url = urlsplit(address)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    heard = bytearray()
    try:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(patience):
                writer.write(data)
                while part := await reader.read(1 << 16):
                    heard += part
    finally:
        await hang_up(writer)
    return undated(bytes(heard))


async def hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def undated(heard: bytes) -> bytes:
    return re.sub(rb"\r\ndate: [^\r]*", b"", heard)


def status(heard: bytes) -> int:
    """Return the status of an answer; 0 where there was none."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", heard)
    return int(found[1]) if found else 0


def head_of(heard: bytes) -> Headers:
    """Return the headers of an answer, with names in lower case."""
    lines = heard.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def body_of(heard: bytes) -> Any:
    """Return the JSON of an answer."""
    head, _, body = heard.partition(b"\r\n\r\n")
    return json.loads(_joined(body) if _CHUNKED in head else body)


class Tap:
    """A connection to the stream of events that keeps all that has come over it."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._heard = bytearray()

    async def open(self, path: str, headers: Headers) -> "Tap":
        url = urlsplit(self._address)
        self._reader, self._writer = await asyncio.open_connection(url.hostname, url.port)
        self._writer.write(request("GET", path, headers=headers))
        self._task = asyncio.create_task(self._listen())
        while not self._heard:
            await asyncio.sleep(0)
        return self

    async def _listen(self) -> None:
        while part := await self._reader.read(1 << 16):
            self._heard += part

    @property
    def heard(self) -> bytes:
        """All that has come, without the chunk sizes, which depend on time."""
        head, gap, rest = undated(bytes(self._heard)).partition(b"\r\n\r\n")
        return head + gap + (_joined(rest) if _CHUNKED in head else rest)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await hang_up(self._writer)


def _joined(chunks: bytes) -> bytes:
    found = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        length = int(size, 16)
        found, chunks = found + rest[:length], rest[length + 2 :]
    return found
