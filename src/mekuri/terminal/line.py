"""The line to a server: questions and answers, and the stream of what happens at a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import TypeVar

import httpx
import msgspec
from httpx_sse import ServerSentEvent, aconnect_sse

from mekuri import __version__
from mekuri.engine.errors import MekuriError
from mekuri.protocol.table import Problem
from mekuri.protocol.version import API, HEADER
from mekuri.terminal.translate import printable

T = TypeVar("T")

_PATIENCE = 15.0  # seconds for an answer
_SILENCE = 40.0  # seconds without a sign of life, after which a stream counts as lost; servers give one more often
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0  # seconds between tries
_BUSY = (408, 429, 502, 503, 504)  # statuses of a server, or of what stands before it, that will answer later
_LINK = re.compile(r"(?P<server>https?://[^?#]+?)/(?:t|api/tables)/(?P<table>[\w-]+)/?")


class LineError(MekuriError):
    """A server cannot be talked to."""


class NoAnswer(LineError):
    """No answer came. It may come later."""


class ServerRefusal(LineError):
    """A server refuses something.

    Attributes:
        problem: why.
        status: the HTTP status.
    """

    def __init__(self, problem: Problem, status: int) -> None:
        super().__init__(printable(problem.message))
        self.problem = problem
        self.status = status


def parse_server(told: str) -> str:
    """A server's address. Raises LineError where it is none."""
    address = (told if "://" in told else f"http://{told}").rstrip("/")
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        raise LineError(f"{told} is no address of a server: write one such as http://localhost:8413") from None
    if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment:
        raise LineError(f"{told} is no address of a server: write one such as http://localhost:8413")
    return address


def parse_link(link: str) -> tuple[str, str]:
    """The server and the table of a link. Raises LineError where it is none."""
    found = _LINK.fullmatch(link.strip() if "://" in link else f"http://{link.strip()}")
    if not found:
        raise LineError(f"{link} is no link to a table: it is written http://SERVER/t/TABLE")
    return parse_server(found["server"]), found["table"]


class Line:
    """A line to one server, as one guest. Open while it is entered.

    Attributes:
        server: the server's address.
        public_url: the server's address as other people see it.
        token: the guest's token; empty for somebody without one.
        lost: whether the stream is broken off for now.
    """

    def __init__(self, server: str, token: str = "") -> None:
        self.server = self.public_url = server
        self.token = token
        self.lost = False
        self._back = asyncio.Event()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Line:
        """Open it."""
        headers = {"User-Agent": f"mekuri/{__version__}", "Accept": "application/json", HEADER: str(API)}
        self._client = httpx.AsyncClient(base_url=self.server, timeout=_PATIENCE, headers=headers)
        await self._open.enter_async_context(self._client)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close it."""
        await self._open.aclose()

    @property
    def _identity(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        """Ask once.

        Raises:
            NoAnswer: none came, or the server has too much to do.
            ServerRefusal: the server says no.
            LineError: what answers is no server of this Mekuri's kind.
        """
        return self.understand(await self.fetch(method, path, body), kind)

    async def fetch(self, method: str, path: str, body: msgspec.Struct | None = None) -> bytes:
        """The answer as it stands. Raises as `ask`."""
        headers = self._identity | ({"Content-Type": "application/json"} if body else {})
        content = msgspec.json.encode(body) if body else None
        try:
            response = await self._client.request(method, path, headers=headers, content=content)
        except httpx.RequestError as error:
            raise self._no_answer(error) from error
        self._check(response)
        return response.content

    async def insist(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        """Ask until an answer comes. For questions that are safe to ask again. Raises ServerRefusal, LineError."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self.ask(method, path, kind, body)
            except NoAnswer:
                await self._rest(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    async def _rest(self, seconds: float) -> None:
        """Wait before a question is asked again; not longer than until a lost stream is back."""
        if not self.lost:
            await asyncio.sleep(seconds)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._back.wait(), seconds)

    async def follow(self, table: str, after: str, changed: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
        """What happens at a table, after the event of an id; from how it stands now if that is empty.

        A line that is lost is taken up again where it broke off; `changed` hears of both.

        Raises ServerRefusal, LineError.
        """
        last, pause = after, _FIRST_PAUSE
        while True:
            headers = self._identity | ({"Last-Event-ID": last} if last else {})
            timeout = httpx.Timeout(_PATIENCE, read=_SILENCE)
            try:
                async with aconnect_sse(
                    self._client, "GET", "/api/stream", params={"table": table}, headers=headers, timeout=timeout
                ) as source:
                    if source.response.is_error:
                        await source.response.aread()
                    self._check(source.response)
                    self._set_lost(False, changed)
                    async for message in source.aiter_sse():
                        last, pause = message.id or last, _FIRST_PAUSE
                        yield message
            except (httpx.RequestError, NoAnswer):
                pass  # tried again below, as after an end in good order
            self._set_lost(True, changed)
            await asyncio.sleep(pause)
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
        """What the server has said. Raises LineError where that is not what a server says."""
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self.strange() from None

    def strange(self) -> LineError:
        """The error for what cannot be understood."""
        return LineError(f"{self.server} is no Mekuri server, or of another version than this Mekuri ({__version__})")

    def _check(self, response: httpx.Response) -> None:
        """Raises NoAnswer, ServerRefusal or LineError for an answer that is none of success."""
        if response.is_success:
            return
        try:
            problem = msgspec.json.decode(response.content, type=Problem)
        except (msgspec.DecodeError, UnicodeDecodeError):
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
