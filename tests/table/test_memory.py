"""Stores in memory that are kept elsewhere: nothing is acknowledged or read before it is kept."""

import asyncio
from collections.abc import Mapping

import pytest

from mekuri.table.log import LogError
from mekuri.table.memory import Key
from mekuri.table.memory_store import MemoryStore
from mekuri.table.time import REAL
from tests.helpers.server.stores import add, append, numbers, played


class Slow(MemoryStore):
    """A store that keeps entries when it may, or fails to.

    Attributes:
        kept: the entries of each write.
    """

    def __init__(self) -> None:
        super().__init__(REAL)
        self.kept: list[Mapping[Key, bytes | None]] = []
        self.reached, self.may = asyncio.Event(), asyncio.Event()
        self.error: LogError | None = None

    async def keep(self, entries: Mapping[Key, bytes | None]) -> None:
        self.reached.set()
        await self.may.wait()
        if self.error:
            raise self.error
        self.kept.append(entries)


@pytest.fixture
async def store() -> Slow:
    store = Slow()
    store.may.set()
    await add(store, "m", played(0))
    store.may.clear()
    store.reached.clear()
    return store


async def test_nothing_is_read_before_it_is_kept(store: Slow) -> None:
    writing = asyncio.create_task(append(store, "m", played(1)))
    await store.reached.wait()
    assert await numbers(store, "m") == [0]
    assert not writing.done()
    store.may.set()
    await writing
    assert await numbers(store, "m") == [0, 1]
    assert [set(entries) for entries in store.kept] == [{("match", "m"), ("row", "m", n)} for n in (0, 1)]


async def test_a_write_that_cannot_be_kept_is_not_done(store: Slow) -> None:
    before = await store.match("m")
    store.error = LogError("the disk is full")
    store.may.set()
    with pytest.raises(LogError, match="disk is full"):
        await store.append("m", [played(1)], "over", bot_due=True)
    assert await numbers(store, "m") == [0]
    assert await store.match("m") == before
    store.error = None
    await append(store, "m", played(1))
    assert await numbers(store, "m") == [0, 1]


async def test_a_write_is_completed_though_its_caller_is_cancelled(store: Slow) -> None:
    writing = asyncio.create_task(append(store, "m", played(1), played(2)))
    await store.reached.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    store.may.set()
    await append(store, "m", played(3))  # which waits for the other
    assert await numbers(store, "m") == [0, 1, 2, 3]


async def test_deleted_values_are_deleted_where_they_are_kept(store: Slow) -> None:
    store.may.set()
    await store.add_person("ann", "hash", "Ann")
    await store.forget_person("ann")
    assert store.kept[-1] == dict.fromkeys(store.kept[-2], None)
