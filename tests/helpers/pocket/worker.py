"""The real worker of a site without a server, in Node.js: its requests and answers over a pipe."""

from __future__ import annotations

import asyncio
import json
import threading
from asyncio.subprocess import PIPE, Process
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from mekuri.pocket import site as built
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.tables import USUAL
from tools.build_page import find_node

Json = dict[str, Any]
T = TypeVar("T")

_HARNESS = Path(__file__).with_name("node.mjs")
_LONGEST = 1 << 24  # bytes of a message


def make_site(folder: Path, compiled: Collection[str] = (USUAL,)) -> Path:
    """Write a site. Skips the test where the page is not built."""
    try:
        built.write_site(folder, compiled)
    except built.NoSite:
        pytest.skip(NO_PAGE)
    return folder


@dataclass
class Worker:
    """A worker that runs.

    Attributes:
        process: the process of Node.js.
    """

    process: Process
    _count: int = 0
    _heard: defaultdict[str, asyncio.Queue[Json]] = field(default_factory=lambda: defaultdict(asyncio.Queue))

    async def listen(self) -> None:
        """Sort the messages of the worker by their requests, until it ends."""
        assert self.process.stdout
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            kind = message["kind"]
            self._heard[kind if kind in ("cached", "there") else message.get("id", "")].put_nowait(message)
        for waiting in self._heard.values():
            waiting.put_nowait({"kind": "dead"})

    async def up(self) -> Json:
        """Wait until the worker is up. Returns its message, which may be that it has failed."""
        return await self._heard[""].get()

    async def there(self) -> None:
        """Wait until the worker asks whether there is another one."""
        assert await self._heard["there"].get() == {"kind": "there"}

    async def cached(self) -> None:
        """Wait until a snapshot is kept."""
        assert await self._heard["cached"].get() == {"kind": "cached"}

    def send(self, method: str, path: str, body: object = None, **headers: str) -> str:
        """Send a request. Returns its id."""
        self._count += 1
        id = str(self._count)
        asked = {"method": method, "url": path, "body": "" if body is None else json.dumps(body)}
        self.tell(
            {"kind": "ask", "id": id, "tab": "test", **asked, "headers": {k.replace("_", "-"): v for k, v in headers.items()}}
        )
        return id

    def tell(self, asked: Json) -> None:
        """Send a message to the worker."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")

    async def next(self, id: str) -> Json:
        """Return the next message about a request."""
        return await self._heard[id].get()

    def silent(self, id: str) -> bool:
        """Return whether there has been no message about a request."""
        return self._heard[id].empty()

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Send a request. Returns the status and the JSON of its answer."""
        id, status, parts = self.send(method, path, body, **headers), 0, ""
        while (message := await self.next(id))["kind"] != "end":
            assert message["kind"] != "dead"
            status = message.get("status", status)
            parts += message.get("bytes", "")
        del self._heard[id]
        return status, json.loads(parts)

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """Send a request. Returns the JSON of its answer, which is no refusal."""
        status, answer = await self.ask(method, path, body)
        assert status < 300, answer
        return answer


@asynccontextmanager
async def working(site: Path, storage: str) -> AsyncIterator[Worker]:
    """Run the worker of a site, and kill it at the end.

    Args:
        site: the folder of the site.
        storage: the file of what the browser stores; `refused` for a browser that stores nothing, `memory` for none.
    """
    node = find_node(CHECKOUT)
    if node is None:
        pytest.skip("NO NODE.JS: THE WORKER OF A PAGE WITHOUT A SERVER IS NOT TESTED")
    process = await asyncio.create_subprocess_exec(
        str(node / "node"), str(_HARNESS), str(site), storage, stdin=PIPE, stdout=PIPE, limit=_LONGEST
    )
    worker = Worker(process)
    listening = asyncio.create_task(worker.listen())
    try:
        yield worker
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


class Wire(httpx.AsyncBaseTransport):
    """A worker for clients of HTTP in any event loop.

    Each token that the worker gives is the number of a person at the browser. Clients without a token are nobody.

    Args:
        worker: the worker.
        loop: the event loop in which it runs.
    """

    def __init__(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        self._worker = worker
        self._loop = loop
        self._tokens = [""]  # of nobody, and then of all people

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        body = json.loads(await request.aread() or b"null")
        headers = {name: value for name, value in request.headers.items() if name in ("last-event-id", "idempotency-key")}
        headers["mekuri-player"] = str(self._tokens.index(token))
        path = request.url.raw_path.decode()
        id = await self._there(self._send(request.method, path, body, headers))
        begin = await self._there(self._worker.next(id))
        answer = httpx.Response(begin["status"], headers={"content-type": begin["media"]}, stream=_Parts(self, id))
        if begin["media"] == "application/json":
            found = json.loads(await answer.aread())
            if begin["status"] == 201 and path == "/api/guests":
                self._tokens.append(found["token"])
            elif request.method == "DELETE" and path == "/api/guests/me":
                self._tokens.remove(token)
        return answer

    async def next(self, id: str) -> Json:
        """Return the next message about a request."""
        return await self._there(self._worker.next(id))

    async def leave(self, id: str) -> None:
        """End the stream of a request."""
        await self._there(self._tell({"kind": "leave", "id": id}))

    async def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> str:
        return self._worker.send(method, path, body, **headers)

    async def _tell(self, asked: Json) -> None:
        self._worker.tell(asked)

    async def _there(self, call: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, self._loop))


class _Parts(httpx.AsyncByteStream):
    def __init__(self, wire: Wire, id: str) -> None:
        self._wire = wire
        self._id = id

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (message := await self._wire.next(self._id))["kind"] != "end":
            assert message["kind"] != "dead"
            yield message["bytes"].encode()

    async def aclose(self) -> None:
        await self._wire.leave(self._id)


@contextmanager
def wired(site: Path) -> Iterator[Wire]:
    """Run the worker of a site in a thread, for many tests that share it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def there(call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, loop).result()

    stack = AsyncExitStack()
    try:
        worker = there(stack.enter_async_context(working(site, "memory")))
        assert there(worker.up())["kind"] == "up"
        yield Wire(worker, loop)
    finally:
        there(stack.aclose())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
