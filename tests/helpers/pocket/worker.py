"""The real worker of a site without a server, in Node.js: its requests and answers over a pipe."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mekuri.pocket import site as built
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.tables import USUAL
from tools.build_page import find_node

Json = dict[str, Any]

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
            self._heard[message.get("id", "")].put_nowait(message)
        for waiting in self._heard.values():
            waiting.put_nowait({"kind": "dead"})

    async def up(self) -> Json:
        """Wait until the worker is up. Returns its message, which may be that it has failed."""
        return await self._heard[""].get()

    async def cached(self) -> None:
        """Wait until a snapshot is kept."""
        assert await self._heard[""].get() == {"kind": "cached"}

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
        storage: the file of what the browser stores; `refused` for a browser that stores nothing.
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
