"""The HTTP connection to a server: requests, and the stream of a table's events."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from functools import cache
from ssl import SSLContext
from types import TracebackType
from typing import BinaryIO, TypeVar, cast

import httpx
import msgspec
from httpx_sse import ServerSentEvent, aconnect_sse

from mekuri import __version__
from mekuri.engine.errors import MekuriError
from mekuri.protocol.coding import decode
from mekuri.protocol.table import Problem
from mekuri.protocol.version import API, HEADER, TIME
from mekuri.table.errors import ProblemError
from mekuri.table.time import REAL, Time, time_limit
from mekuri.terminal.base.translate import printable

T = TypeVar("T")

_PATIENCE = 15.0  # seconds until an answer must arrive
_SILENCE = 40.0  # seconds without a heartbeat after which a stream counts as lost; servers send one more often
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0  # seconds between two tries; doubled after each
_LARGEST = 4 << 20  # bytes of an answer, or of one message of a stream, as they are read
_LONGEST = 120.0  # seconds that a whole answer may take
_PIECE = 1 << 16  # bytes that are unpacked at once
_DIGITS = 16  # a time in milliseconds has fewer
_GZIP = 31  # the code of gzip in zlib
_BUSY = (408, 429, 502, 503, 504)  # statuses of a server or its proxy that mean: try again later
_LINK = re.compile(r"(?P<server>https?://[^?#]+?)/(?:t|api/tables)/(?P<table>[\w-]+)/?")


class LineError(MekuriError):
    """A server cannot be reached, refuses, or sends an answer that cannot be understood."""


class NoAnswer(LineError):
    """No answer arrived, or the server is busy. Asking again later may help."""


class ServerRefusal(LineError, ProblemError):
    """A server refuses a request.

    Attributes:
        status: the HTTP status.
    """

    def __init__(self, problem: Problem, status: int) -> None:
        self._set(msgspec.structs.replace(problem, message=printable(problem.message)))
        self.status = status


def parse_server(text: str) -> str:
    """Return the address of a server with its scheme and without a slash at its end. `http://` is added if there is no scheme.

    Raises:
        LineError: the text is no address of a server.
    """
    address = (text if "://" in text else f"http://{text}").rstrip("/")
    with suppress(httpx.InvalidURL):
        url = httpx.URL(address)
        if url.scheme in ("http", "https") and url.host and not url.query and not url.fragment:
            return address
    raise LineError(f"{text} is no address of a server: write one such as http://localhost:8413")


def parse_link(link: str) -> tuple[str, str]:
    """Return the server's address and the table's id of a link to a table.

    Raises:
        LineError: the text is no link to a table.
    """
    found = _LINK.fullmatch(link.strip() if "://" in link else f"http://{link.strip()}")
    if not found:
        raise LineError(f"{link} is no link to a table: it is written http://SERVER/t/TABLE")
    return parse_server(found["server"]), found["table"]


@cache
def _trusted() -> SSLContext:
    """Return the trusted certificates. They are read once, because reading them takes as long as some requests."""
    return httpx.create_ssl_context()


class _Bounded(httpx.AsyncByteStream):
    """The bytes of a stream of messages, each of 4 MiB at most.

    Args:
        stream: the bytes.
        strange: returns the error for a longer message.
    """

    def __init__(self, stream: httpx.AsyncByteStream, strange: Callable[[], LineError]) -> None:
        self._stream = stream
        self._strange = strange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive."""
        length = 0
        async for part in self._stream:
            end = part.rfind(b"\n\n")
            length = length + len(part) if end < 0 else len(part) - end
            if length > _LARGEST:
                raise self._strange()
            yield part

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


class Line:
    """An HTTP connection to one server as one guest. It is open inside `async with`.

    Attributes:
        server: the server's address.
        public_url: the server's address as other people reach it; empty for a desk in this process.
        token: the guest's token; empty for none.
        lost: whether the stream is interrupted.
        time: the clock, and the ways to wait for it.
        transport: answers the requests in place of a network; None for a network.
    """

    def __init__(self, server: str, token: str = "", time: Time = REAL, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.server = self.public_url = server
        self.transport = transport
        self.token = token
        self.lost = False
        self.time = time
        self._ahead = 0  # milliseconds by which the server's clock is ahead of this machine's
        self._back = asyncio.Event()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Line:
        """Open the connection."""
        # No other compression is read: a few bytes of it may stand for any number.
        headers = {"User-Agent": f"mekuri/{__version__}", "Accept": "application/json", "Accept-Encoding": "gzip", HEADER: str(API)}
        trusted = _trusted() if self.transport is None else False
        self._client = httpx.AsyncClient(
            base_url=self.server, timeout=_PATIENCE, headers=headers, verify=trusted, transport=self.transport
        )
        await self._open.enter_async_context(self._client)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the connection."""
        await self._open.aclose()

    def again(self) -> Line:
        """Return another connection to the same server as the same guest."""
        line = Line(self.server, self.token, self.time, self.transport)
        line.public_url = self.public_url
        return line

    def now(self) -> int:
        """Return the time by the server's clock, in milliseconds since 1970, from its last answer."""
        return self.time.now() + self._ahead

    def _note_time(self, response: httpx.Response) -> None:
        time = response.headers.get(TIME, "")
        if time.isascii() and time.isdecimal() and len(time) < _DIGITS:
            self._ahead = int(time) - self.time.now()

    @property
    def _identity(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(
        self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None, headers: dict[str, str] | None = None
    ) -> T:
        """Send a request once and return its decoded answer.

        Args:
            method: the HTTP method.
            path: the path and query at the server.
            kind: the type of the answer.
            body: the content, sent as JSON; None for none.
            headers: headers beside the usual ones.

        Raises:
            NoAnswer: no answer arrived, or the server is busy.
            ServerRefusal: the server refuses.
            LineError: the answer is not one of a server of this version.
        """
        return self.understand(await self.fetch(method, path, body, headers), kind)

    async def fetch(
        self, method: str, path: str, body: msgspec.Struct | None = None, headers: dict[str, str] | None = None
    ) -> bytes:
        """Send a request once and return the body of its answer, of 4 MiB at most. Raises the errors of `ask`."""
        headers = self._identity | ({"Content-Type": "application/json"} if body else {}) | (headers or {})
        content = msgspec.json.encode(body) if body else None
        try:
            async with (
                time_limit(self.time, _LONGEST),
                self._client.stream(method, path, headers=headers, content=content) as response,
            ):
                self._note_time(response)
                found = await self._read(response)
        except TimeoutError:
            raise NoAnswer(f"{self.server} does not answer in time") from None
        except httpx.RequestError as error:
            raise self._no_answer(error) from error
        self._check(response, found)
        return found

    async def save(self, path: str, file: BinaryIO, most: int) -> None:
        """Write the body of an answer to a file as it arrives.

        Args:
            path: the path and query at the server.
            file: the open file.
            most: the most bytes that the body may have.

        Raises:
            LineError: the body has more, or an error of `ask`.
        """
        try:
            async with self._client.stream("GET", path, headers=self._identity) as response:
                if response.is_error:
                    self._check(response, await self._read(response))
                async for part in self._parts(response, most):
                    file.write(part)
        except httpx.RequestError as error:
            raise self._no_answer(error) from error

    async def _read(self, response: httpx.Response) -> bytes:
        return b"".join([part async for part in self._parts(response, _LARGEST)])

    async def _parts(self, response: httpx.Response, most: int) -> AsyncIterator[bytes]:
        """Yield the unpacked body of an answer. Raises LineError if it has more bytes than `most` or an unknown encoding."""
        packed = response.headers.get("content-encoding", "identity")
        if packed not in ("identity", "gzip"):
            raise self.strange()
        left, unpacking = most, zlib.decompressobj(_GZIP)
        async for data in response.aiter_raw():
            rest = data
            while rest:
                if packed == "gzip":
                    try:
                        part = unpacking.decompress(rest, _PIECE)
                    except zlib.error:
                        raise self.strange() from None
                    rest = unpacking.unconsumed_tail
                else:
                    part, rest = rest, b""
                left -= len(part)
                if left < 0:
                    raise LineError(f"{self.server} answers with more than {most >> 20} MiB, which is not read")
                yield part

    async def insist(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        """Send a request again until an answer arrives. Only for requests that may be repeated.

        Raises:
            ServerRefusal: the server refuses.
            LineError: the answer is not one of a server of this version.
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self.ask(method, path, kind, body)
            except NoAnswer:
                await self._rest(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    async def _rest(self, seconds: float) -> None:
        """Wait before a request is repeated. While the stream is lost, wait until it is back at most."""
        if not self.lost:
            await self.time.sleep(seconds)
            return
        with suppress(TimeoutError):
            async with time_limit(self.time, seconds):
                await self._back.wait()

    async def follow(self, table: str, after: str, changed: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
        """Yield the messages of a table's stream. A lost stream is opened again at the message after the last one received.

        Args:
            table: the table's id.
            after: the id of the message after which to begin; empty to begin with the table as it is now.
            changed: called when the stream is lost and when it is back.

        Raises:
            ServerRefusal: the server refuses.
            LineError: the answer is not one of a server of this version.
        """
        last, pause = after, _FIRST_PAUSE
        while True:
            headers = self._identity | ({"Last-Event-ID": last} if last else {})
            timeout = httpx.Timeout(_PATIENCE, read=_SILENCE)
            try:
                async with aconnect_sse(
                    self._client, "GET", "/api/stream", params={"table": table}, headers=headers, timeout=timeout
                ) as source:
                    self._note_time(source.response)
                    if source.response.is_error:
                        self._check(source.response, await self._read(source.response))
                    if "content-encoding" in source.response.headers:
                        raise self.strange()
                    source.response.stream = _Bounded(cast(httpx.AsyncByteStream, source.response.stream), self.strange)
                    self._set_lost(False, changed)
                    async for message in source.aiter_sse():
                        last, pause = message.id or last, _FIRST_PAUSE
                        yield message
            except (httpx.RequestError, NoAnswer):
                pass  # open the stream again below, as after a regular end
            self._set_lost(True, changed)
            await self.time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _set_lost(self, lost: bool, changed: Callable[[], None]) -> None:
        if lost != self.lost:
            self.lost = lost
            if lost:
                self._back.clear()
            else:
                self._back.set()
            changed()

    def understand(self, data: bytes | str, kind: type[T]) -> T:
        """Decode JSON that the server has sent.

        Raises:
            LineError: it is not of this type.
        """
        try:
            return decode(data, kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self.strange() from None

    def strange(self) -> LineError:
        """Return the error for an answer that cannot be understood."""
        return LineError(f"{self.server} is no Mekuri server, or of another version than this Mekuri ({__version__})")

    def _check(self, response: httpx.Response, body: bytes) -> None:
        """Raise NoAnswer, ServerRefusal or LineError for an answer with an error status."""
        if response.is_success:
            return
        try:
            problem = decode(body, Problem)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            problem = None
        if response.status_code in _BUSY and (problem is None or problem.error in ("busy", "too-many", "too-dear", "too-slow")):
            raise NoAnswer(f"{self.server} has too much to do just now: try again in a moment")
        if problem is None:
            raise self.strange()
        raise ServerRefusal(problem, response.status_code)

    def _no_answer(self, error: httpx.RequestError) -> NoAnswer:
        if isinstance(error, httpx.TimeoutException):
            return NoAnswer(f"{self.server} does not answer in time")
        return NoAnswer(f"{self.server} does not answer: is a server there? `mekuri serve` starts one")
