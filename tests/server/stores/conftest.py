"""Every test in this folder runs over each store: in memory, in memory and restarted before each call, and in a database.

The database is SQLite, or PostgreSQL with `--postgresql`.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from mekuri.desk.memory import Key
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.stores import Stores
from mekuri.server.storage.store import Store
from mekuri.table.time import Time
from tests.helpers.server.databases import ready
from tests.helpers.time import Counting


class Kept(MemoryStore):
    """A store in memory that keeps its entries in a dictionary."""

    def __init__(self, time: Time, kept: dict[Key, bytes]) -> None:
        super().__init__(time)
        self.kept = kept
        self.restore(kept.items())

    async def keep(self, entries: Mapping[Key, bytes | None]) -> None:
        for key, body in entries.items():
            if body is None:
                self.kept.pop(key, None)
            else:
                self.kept[key] = body


class Restarted:
    """A store in memory that is restored from its kept entries before each call, unless another call is in progress."""

    def __init__(self, time: Time) -> None:
        self.time = time
        self._store = Kept(time, {})
        self._running = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def call(*args: Any, **named: Any) -> Any:
            if not self._running:
                self._store = Kept(self.time, self._store.kept)
            self._running += 1
            try:
                return await getattr(self._store, name)(*args, **named)
            finally:
                self._running -= 1

        return call


@pytest.fixture
def time() -> Time:
    """A clock that shows 1000 the first time, then 1001."""
    return Counting(1000)


@pytest.fixture(params=["memory", "restarted", "sql"])
async def store(request: pytest.FixtureRequest, log_path: Path, time: Time) -> AsyncIterator[Stores]:
    if request.param == "sql":
        database = await Store.open(ready(log_path), time)
        yield database
        await database.close()
    else:
        yield MemoryStore(time) if request.param == "memory" else cast(Stores, Restarted(time))
