"""What stands before the whole application: every request is paid for with the processor time that it takes."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from math import ceil
from time import monotonic, thread_time

import msgspec
from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from mekuri.server.budget import Bank, Purse
from mekuri.server.connection_limits import household_of
from mekuri.server.error_handlers import headers_of
from mekuri.server.guests import Guests
from mekuri.server.middleware import SAFE, always
from mekuri.server.settings import Settings
from mekuri.server.status import status_of
from mekuri.server.work import PURSE, Processor, metered
from mekuri.table.errors import ProblemError

_DOOR = 0.0002  # seconds of processor that a request takes before it is here
_HELD = 1.0  # seconds for which a refusal is held back, so that whoever asks again at once is in no haste
_LEAST = 0.001  # seconds that are waited for; with less a clock would not move on
_LONGEST = 64  # requests that wait for their turn
_MOST = 4  # of one guest
_APART = 0.002  # seconds between two requests that only look, where many come at once

Sleep = Callable[[float], Awaitable[object]]


class _Queue:
    """Where those who ask for much wait for one another: all together they use no more than a part of the server."""

    def __init__(self, bank: Bank, sleep: Sleep) -> None:
        self._bank = bank
        self._sleep = sleep
        self._turn = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    def full(self, name: str) -> bool:
        """Whether too many wait already."""
        return self._waiting[name] >= _MOST or self._waiting.total() >= _LONGEST

    async def enter(self, name: str) -> None:
        """Wait for a turn. It ends when `leave` is called."""
        self._waiting[name] += 1
        try:
            await self._turn.acquire()
            try:
                while wait := self._bank.heavy.wait(""):
                    await self._sleep(max(wait, _LEAST))
            except BaseException:
                self._turn.release()
                raise
        finally:
            self._waiting[name] -= 1
            self._waiting += Counter()  # lets go of those who do not wait

    def leave(self) -> None:
        """A turn is over."""
        self._turn.release()


class _Door:
    """Where those who only look come in, one after the other: between two of them, what happens at tables goes on.

    Many who come at once would otherwise be answered at once, and whoever plays just then wait for all of them.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._shut = False

    async def enter(self) -> None:
        """Wait until it is one's turn."""
        loop = asyncio.get_running_loop()
        if self._shut:
            turn = loop.create_future()
            self._waiting.append(turn)
            await turn
        else:
            self._shut = True
            loop.call_later(_APART, self._open)

    def _open(self) -> None:
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()  # who is gone
        self._shut = bool(self._waiting)
        if self._shut:
            self._waiting.popleft().set_result(None)
            asyncio.get_running_loop().call_later(_APART, self._open)


class Priced:
    """An application whose every request is paid for.

    Attributes:
        bank: the budgets.
    """

    def __init__(
        self,
        app: ASGIApp,
        guests: Callable[[], Guests | None],
        settings: Settings,
        clock: Callable[[], float] = monotonic,
        processor: Processor = thread_time,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._app = app
        self._guests = guests
        self._headers = [(name.encode(), value.encode()) for name, value in always(settings.secure).items()]
        self._processor = processor
        self._sleep = sleep
        self.bank = Bank(settings.budget, settings.budget_each, clock)
        self._queue = _Queue(self.bank, sleep)
        self._door = _Door()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        purse = self._purse(scope)
        PURSE.set(purse)
        purse.charge(_DOOR)
        await metered(self._answer(purse, scope, receive, send), self._processor)

    def _purse(self, scope: HTTPScope) -> Purse:
        client, guests = scope["client"], self._guests()
        guest = guests.known(Request(scope)) if guests else None
        return self.bank.purse(guest.id if guest else "", household_of(client[0] if client else ""))

    async def _answer(self, purse: Purse, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if wait := purse.wait:
            await self._refuse(wait, send)
        elif not purse.heavy:
            if scope["method"] in SAFE:
                await self._door.enter()
            await self._app(scope, receive, send)
        elif self._queue.full(purse.name):
            await self._refuse(_HELD, send)
        else:
            await self._in_turn(purse, scope, receive, send)

    async def _in_turn(self, purse: Purse, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer when those are answered who have come before. A turn ends when the answer begins: a stream has no end."""
        await self._queue.enter(purse.name)
        mine = True

        def leave() -> None:
            nonlocal mine
            if mine:
                mine = False
                self._queue.leave()

        async def begin(message: Message) -> None:
            leave()
            await send(message)

        try:
            await self._app(scope, receive, begin)
        finally:
            leave()

    async def _refuse(self, wait: float, send: Send) -> None:
        """Refuse, without haste. What the application is made of has no part in it, so that it costs little."""
        await self._sleep(min(wait, _HELD))
        refused = ProblemError("too-dear", seconds=max(1, ceil(wait)))
        body = msgspec.json.encode(refused.problem)
        own = {"content-type": "application/json", "content-length": str(len(body)), **headers_of(refused)}
        headers = [*self._headers, *((name.encode(), value.encode()) for name, value in own.items())]
        await send({"type": "http.response.start", "status": status_of(refused), "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})
