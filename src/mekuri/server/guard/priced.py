"""ASGI middleware that charges every request with the processor time it takes, and delays or refuses requests over budget."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from math import ceil
from time import thread_time

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from mekuri.desk.limits import Shares
from mekuri.desk.status import status_of
from mekuri.desk.work import PURSE, Processor, metered
from mekuri.protocol.coding import encode
from mekuri.server.base.budget import Bank, Purse
from mekuri.server.base.responses import FILES
from mekuri.server.base.settings import Settings
from mekuri.server.guard.error_handlers import headers_of
from mekuri.server.guard.middleware import SAFE, always
from mekuri.server.guests.visitors import Visitors
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time

_DOOR = 0.0002  # processor seconds that a request takes before it arrives here
_HELD = 1.0  # seconds by which a 429 response is delayed, which slows down clients that retry at once
_LEAST = 0.001  # the shortest sleep in seconds; a shorter one may not advance the clock
_LONGEST, _EACH = 64, 32  # heavy requests in the queue, and those of one neighbourhood
_MOST = 4  # heavy requests of one guest in the queue
_MOST_SHARED = 16  # those of one address without a guest: of a club's members, who open the page at the same time
_APART = 0.002  # seconds between two requests that only read, where many arrive at once


_AT_TABLE = re.compile(r"/api/tables/([^/]+)(?:/(?:actions|events|ready|seat))?")


class _Queue:
    """The queue of heavy requests, processed one at a time within a shared budget, so that others keep most of the server.

    Neighbourhoods take turns, however many requests of each wait.
    """

    def __init__(self, bank: Bank, time: Time) -> None:
        self._bank = bank
        self._time = time
        self._taken = False  # whether a request is being processed
        self._turns: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # who waits, by neighbourhood; the next first
        self._waiting: Counter[str] = Counter()  # requests by guest or household
        self._shares = Shares(_LONGEST, _EACH)

    def full(self, purse: Purse) -> bool:
        """Whether too many requests wait already: of the same guest or household, or of the same neighbourhood."""
        most = _MOST_SHARED if purse.shared else _MOST
        return self._waiting[purse.name] >= most or self._shares.full(purse.neighbourhood)

    async def enter(self, purse: Purse) -> None:
        """Wait for a turn, which lasts until `leave` is called."""
        self._waiting[purse.name] += 1
        self._shares.enter(purse.neighbourhood)
        try:
            await self._wait(purse.neighbourhood)
            try:
                while wait := self._bank.heavy.wait(""):
                    await self._time.sleep(max(wait, _LEAST))
            except BaseException:
                self.leave()
                raise
        finally:
            self._shares.leave(purse.neighbourhood)
            self._waiting[purse.name] -= 1
            self._waiting += Counter()  # removes the counts that are 0

    def leave(self) -> None:
        """End a turn: the next is of the neighbourhood that has waited longest since its last."""
        while self._turns:
            who, waiting = self._turns.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._turns[who] = waiting
            if not turn.done():  # else its request was cancelled
                turn.set_result(None)
                return
        self._taken = False

    async def _wait(self, who: str) -> None:
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._turns.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had just come
                self.leave()
            raise


class _Door:
    """Spaces out requests that only read, 2 ms apart, so that moves at tables are processed between them.

    A burst of readers would otherwise be answered first, while all players wait.
    """

    def __init__(self, time: Time) -> None:
        self._time = time
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._shut = False

    async def enter(self) -> None:
        """Wait for this request's turn."""
        if self._shut:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        else:
            self._shut = True
            self._time.call_later(_APART, self._open)

    def _open(self) -> None:
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()  # a cancelled request
        self._shut = bool(self._waiting)
        if self._shut:
            self._waiting.popleft().set_result(None)
            self._time.call_later(_APART, self._open)


class Priced:
    """ASGI middleware that charges processor time to the budgets of guests and addresses.

    Attributes:
        bank: the budgets.
    """

    def __init__(
        self,
        app: ASGIApp,
        visitors: Callable[[], Visitors | None],
        settings: Settings,
        time: Time,
        processor: Processor = thread_time,
    ) -> None:
        self._app = app
        self._visitors = visitors
        self._headers = [(name.encode(), value.encode()) for name, value in always(settings.secure).items()]
        self._processor = processor
        self._time = time
        self.bank = Bank(settings.budget, settings.budget_each, time.monotonic)
        self._queue = _Queue(self.bank, time)
        self._door = _Door(time)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Process a request, and charge its budgets."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        purse = self._purse(scope)
        PURSE.set(purse)
        purse.charge(_DOOR)
        await metered(self._answer(purse, scope, receive, send), self._processor)

    def _purse(self, scope: HTTPScope) -> Purse:
        client, visitors = scope["client"], self._visitors()
        guest = visitors.known(Request(scope)) if visitors else None
        file = scope["method"] in SAFE and scope["path"].startswith(FILES)
        return self.bank.purse(guest.id if guest else "", client[0] if client else "", file)

    async def _answer(self, purse: Purse, scope: HTTPScope, receive: Receive, send: Send) -> None:
        wait = purse.wait
        if purse.heavy and not wait and await self._plays(scope):
            purse.heavy = False
        if wait:
            await self._refuse(wait, send)
        elif not purse.heavy:
            if scope["method"] in SAFE:
                await self._door.enter()
            await self._app(scope, receive, send)
        elif self._queue.full(purse):
            await self._refuse(_HELD, send)
        else:
            await self._in_turn(purse, scope, receive, send)

    async def _plays(self, scope: HTTPScope) -> bool:
        """Whether a request is a look, a move or the like at a running table at which its guest sits: no such one is heavy."""
        asked, visitors = _AT_TABLE.fullmatch(scope["path"]), self._visitors()
        return bool(asked and visitors and await visitors.plays(Request(scope), asked[1]))

    async def _in_turn(self, purse: Purse, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Process a heavy request when its turn comes. The turn ends when the response begins, as a stream may never end."""
        await self._queue.enter(purse)
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
        """Answer 429 after a delay of up to a second, without the application, so that it costs little."""
        await self._time.sleep(min(wait, _HELD))
        refused = ProblemError("too-dear", seconds=max(1, ceil(wait)))
        body = encode(refused.problem)
        own = {"content-type": "application/json", "content-length": str(len(body)), **headers_of(refused)}
        headers = [*self._headers, *((name.encode(), value.encode()) for name, value in own.items())]
        await send({"type": "http.response.start", "status": status_of(refused), "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})
