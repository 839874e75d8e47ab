"""A browser that a worker of the page stores its entries in, and the second worker of the page."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from mekuri.pocket.pocket import Pocket
from mekuri.pocket.second import Ask, run
from mekuri.pocket.store import Keep
from tests.helpers.time import fake_time


class Sent(bytes):
    """Bytes as JavaScript sends them."""

    def to_bytes(self) -> bytes:
        return self


class Second:
    """A second worker, which works when it may, and fails after some work.

    Attributes:
        asked: how often it was given work.
        may: set when it may work.
    """

    def __init__(self, does: int = 1000) -> None:
        self.asked = 0
        self.may = asyncio.Event()
        self._does = does

    async def __call__(self, work: bytes) -> Sent:
        self.asked += 1
        await self.may.wait()
        if self.asked > self._does:
            raise RuntimeError("the second worker cannot be loaded")
        return Sent(run(Sent(work)))


class Browser:
    """What a browser has stored, and the requests of its page.

    Attributes:
        stored: JSON by the JSON of its key.
        writes: the keys of each write.
        error: raised instead of a write, if it is set.
    """

    def __init__(self, stored: Iterable[tuple[str, str]] = ()) -> None:
        self.stored = dict(stored)
        self.writes: list[set[str]] = []
        self.error: Exception | None = None
        self.pocket = self.start()

    def start(self, keep: Keep | None = None, second: Ask | None = None) -> Pocket:
        """Start the worker anew, from what is stored."""
        kept = json.dumps([[json.loads(key), body] for key, body in self.stored.items()])
        return Pocket(keep or self.keep, kept, time=fake_time(), second=second)

    async def keep(self, entries: str) -> None:
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        changes = {json.dumps(key): body for key, body in json.loads(entries)}
        self.writes.append(set(changes))
        self.stored |= changes
        self.stored = {key: body for key, body in self.stored.items() if body is not None}

    async def ask(self, method: str, url: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        begun: list[tuple[int, str]] = []
        parts: list[bytes] = []
        asked = "" if body is None else json.dumps(body)
        await self.pocket.answer("1", method, url, asked, headers, lambda *given: begun.append(given), parts.append)
        [(status, media)] = begun
        assert media == "application/json"
        return status, json.loads(b"".join(parts))
