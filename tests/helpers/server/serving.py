"""A real server on loopback, in the test's event loop or in a thread, and guests that use it by plain HTTP."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx
import pytest
from httpx_sse import ServerSentEvent, aconnect_sse

from mekuri import games
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings
from mekuri.server.guard.connection_limits import ConnectionLimits
from mekuri.server.http.run import Server, listen
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.time import Time
from tests.helpers.patience import PATIENCE
from tests.helpers.server.databases import ready
from tests.helpers.time import fake_time, held, moment, until

Json = dict[str, Any]


# Servers close a connection that was idle for five seconds, and a request sent just then would fail.
BRIEFLY_KEPT = httpx.Limits(keepalive_expiry=2)
# Settings without limits for guests, in which bots answer at once, and a lease outlasts every leap in time.
UNCOUNTED = {"requests": 0, "guests": 0, "budget": 0, "budget_each": 0, "pace": 0, "lease": 1e8}


_HERE: dict[str, Any] = {}  # by address, the applications of the servers in this event loop, and transports to other desks


class Shared:
    """A running server.

    Attributes:
        address: its address.
    """

    def __init__(self, address: str) -> None:
        self.address = address


def _address_of(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def shared(database: Path, **settings: Any) -> Iterator[Shared]:
    """Run a server in a thread, for many tests that change nothing of it."""
    with listen("127.0.0.1", 0) as listening, asyncio.Runner() as runner:
        server = Server(Settings(database=ready(database), **(UNCOUNTED | settings)), listening)
        thread = threading.Thread(target=lambda: runner.run(server.serve([listening])))
        thread.start()
        while not server.started:
            assert thread.is_alive()
        try:
            yield Shared(_address_of(listening))
        finally:
            runner.get_loop().call_soon_threadsafe(server.stop)
            thread.join()


class Serving(Shared):
    """A server in the event loop of a test."""

    def __init__(self, server: Server, listening: socket.socket, task: asyncio.Task[None]) -> None:
        super().__init__(_address_of(listening))
        self._server = server
        self._task = task

    @property
    def desk(self) -> ServerDesk:
        desk: ServerDesk = self._server._app.state.desk
        return desk

    @property
    def connections(self) -> set[Any]:
        """The connections that are open."""
        return self._server.server_state.connections

    @property
    def keepers(self) -> str:
        """The address for operators, which has `metrics`."""
        assert self._server.keepers
        return f"http://127.0.0.1:{self._server.keepers.getsockname()[1]}"

    @property
    def places(self) -> ConnectionLimits:
        """The counts of connections."""
        places: ConnectionLimits = self._server._app.state.places
        return places

    @property
    def limits(self) -> Limits:
        limits: Limits = self._server._app.state.limits
        return limits

    async def stop(self) -> None:
        """Stop the server, as Ctrl-C does."""
        _HERE.pop(self.address, None)
        self._server.stop()
        with held():
            await self._task


@asynccontextmanager
async def serving(
    database: Path, time: Time | None = None, port: int = 0, near: bool = True, **settings: Any
) -> AsyncIterator[Serving]:
    """Run a server on a free port, or on a given one, without limits unless the settings have them.

    Its time is the fake time of this event loop, unless another one is given. Guests call it without sockets where it is `near`.
    """
    free = {**UNCOUNTED, "patience": PATIENCE}
    with listen("127.0.0.1", port) as listening:
        server = Server(Settings(database=ready(database), **(free | settings)), listening, time=time or fake_time())
        task = asyncio.create_task(server.serve([listening]))
        await until(lambda: server.started or task.done())
        assert not task.done(), task.result()
        running = Serving(server, listening, task)
        if near:
            _HERE[running.address] = server.config.loaded_app
        try:
            yield running
        finally:
            await running.stop()


@contextmanager
def reached(transport: httpx.AsyncBaseTransport) -> Iterator[str]:
    """Let guests reach a desk without HTTP. Yields an address for it."""
    address = f"http://desk-{id(transport)}"
    _HERE[address] = transport
    try:
        yield address
    finally:
        del _HERE[address]


class Refusal(AssertionError):
    """Raised for an answer that is a problem, where none was expected."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status}: {problem}")
        self.status = status
        self.error = problem.get("error")
        self.problem = problem


async def refused(call: Awaitable[object]) -> tuple[int, str | None]:
    """Return the status and the error with which a request is refused. Fails where it is not."""
    with pytest.raises(Refusal) as refusal:
        await call
    return refusal.value.status, refusal.value.error


class Nearby(httpx.AsyncBaseTransport):
    """Calls the application of a server in this event loop directly. Other servers, and streams, are reached by sockets."""

    def __init__(self, verify: Any = False) -> None:
        # Else every client would read the certificates, which is slow.
        self._sockets = httpx.AsyncHTTPTransport(verify=verify, limits=BRIEFLY_KEPT)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        app = _HERE.get(f"http://{request.url.netloc.decode()}")
        if isinstance(app, httpx.AsyncBaseTransport):
            return await app.handle_async_request(request)
        if app is None or request.url.path == "/api/stream":
            return await self._sockets.handle_async_request(request)
        # A server goes on with a request whose client has gone away.
        call = httpx.ASGITransport(app, raise_app_exceptions=False).handle_async_request(request)
        return await asyncio.shield(asyncio.create_task(call))

    async def aclose(self) -> None:
        await self._sockets.aclose()


class Guest:
    """A client of a server: a guest once `arrive` is called, and nobody before. At the end of a test all are closed.

    Attributes:
        open: all that are not closed yet.
    """

    open: ClassVar[set["Guest"]] = set()

    def __init__(self, address: str, verify: Any = False, **options: Any) -> None:
        self.http = httpx.AsyncClient(base_url=address, timeout=PATIENCE, transport=Nearby(verify), **options)
        self.id = ""
        self.open.add(self)

    async def arrive(self, name: str = "Aki") -> "Guest":
        guest = await self.call("POST", "/api/guests", {"name": name})
        self.id = guest["id"]
        self.http.headers["authorization"] = f"Bearer {guest['token']}"
        self.http.cookies.clear()
        return self

    async def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Send a request and return the JSON of the answer.

        Raises:
            Refusal: the answer is a problem.
        """
        answer = await self.http.request(method, path, json=body, headers=headers)
        reply = answer.json()
        if answer.status_code >= 400:
            raise Refusal(answer.status_code, reply)
        return reply

    async def make(self, game: str, **asked: Any) -> str:
        """Make a table and return its id. Unless seats or options are given, greedy bots have all seats but the first."""
        if game in games.names() and not asked.keys() & {"seats", "options"}:
            asked["seats"] = ["person"] + ["greedy"] * (games.find(game).seats[0] - 1)
        return str((await self.call("POST", "/api/tables", {"game": game, **asked}))["id"])

    async def sit(self, table: str, **asked: Any) -> Json:
        return dict(await self.call("POST", f"/api/tables/{table}/seat", asked))

    async def leave(self, table: str) -> Json:
        return dict(await self.call("DELETE", f"/api/tables/{table}/seat"))

    async def look(self, table: str) -> Json:
        return dict(await self.call("GET", f"/api/tables/{table}"))

    async def events(self, table: str, since: int = 0) -> list[Json]:
        return list((await self.call("GET", f"/api/tables/{table}/events?since={since}"))["events"])

    async def play(self, table: str, version: int, action: str) -> Json:
        return dict(await self.call("POST", f"/api/tables/{table}/actions", {"version": version, "action": action}))

    async def ready(self, table: str, round: int, *, enough: bool | None = None) -> Json:
        asked = {"round": round} | ({} if enough is None else {"enough": enough})
        return dict(await self.call("POST", f"/api/tables/{table}/ready", asked))

    async def rematch(self, table: str) -> Json:
        """Ask for a rematch and return its table."""
        return dict(await self.call("POST", f"/api/tables/{table}/rematch"))

    @asynccontextmanager
    async def stream(self, *tables: str, last: str = "") -> AsyncIterator[AsyncIterator[ServerSentEvent]]:
        """Follow a stream, and yield its messages."""
        params = [("table", table) for table in tables]
        headers = {"last-event-id": last} if last else {}
        async with aconnect_sse(self.http, "GET", "/api/stream", params=params, headers=headers) as source:
            if source.response.status_code != 200:
                await source.response.aread()
                raise Refusal(source.response.status_code, source.response.json())
            yield source.aiter_sse()

    async def close(self) -> None:
        self.open.discard(self)
        await self.http.aclose()


async def act(guest: Guest, table: str, chance: Random, whole: Json | None = None) -> bool:
    """Do what a table waits for from a guest, with a random legal action. Returns False where it waits for nothing."""
    whole = whole or await guest.look(table)
    view, head = whole["view"], whole["head"]
    if head["state"] != "running":
        return False
    if view["legal"]:
        await guest.play(table, view["version"], chance.choice(view["legal"])["action"])
    elif view["over"] and whole["you"] is not None and not head["seats"][whole["you"]]["ready"]:
        await guest.ready(table, head["round"])
    else:
        return False
    return True


async def play_round(table: str, guests: list[Guest], seed: int = 0) -> None:
    """Play until the round is over for everybody."""
    chance = Random(seed)
    while not (await guests[0].look(table))["view"]["over"]:
        acted = False
        for guest in guests:
            whole = await guest.look(table)
            acted |= not whole["view"]["over"] and await act(guest, table, chance, whole)
        if not acted:
            await moment()


async def play_out(table: str, guests: list[Guest], seed: int = 0) -> Json:
    """Play a match to its end. Returns the table as the first guest sees it then."""
    chance = Random(seed)
    while (whole := await guests[0].look(table))["head"]["state"] != "over":
        if not any([await act(guest, table, chance) for guest in guests]):
            await moment()
    return whole


def data(message: ServerSentEvent) -> Json:
    return dict(json.loads(message.data))
