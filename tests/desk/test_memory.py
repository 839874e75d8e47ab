"""Memory stores with a saved copy: nothing is acknowledged or read before it is saved, and old entries are restored."""

import asyncio
import json
from collections.abc import Mapping

import pytest

from mekuri.desk.memory import Key
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.stores import Drawn, Mistake, Person, Try
from mekuri.table.log import LogError, MatchRow, Row
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


# Entries as the first version kept them, one of each kind: key and body. Browsers hold such entries for years: never change them.
KEPT = r"""
["match","m"] {"id":"m","game":"tensho","state":"over","public":false,"root":"AAE=","made_at":5,"changed_at":6,"bot_due":false}
["row","m",0] {"n":0,"kind":"sit","seat":0,"body":{"name":"Ann"},"at":1,"decision":null,"person":"ann"}
["person","ann"] {"id":"ann","name":"Ann","made_at":1}
["device","ann",7] {"id":7,"person":"ann","token_hash":"hash","made_at":2,"seen_at":3}
["code","ann"] {"person":"ann","code_hash":"code","until":9007199254740991}
["site","id"] {"id":"a61f443bd7180572"}
["try","2026-11-24","tensho","ann"] {"day":"2026-11-24","game":"tensho","person":"ann","match":"m","over":true,"points":4}
["result","ann","m"] {"match":"m","game":"tensho","at":4,"imported":false,"digest":"d","body":"{\"rounds\":[1],\"returns\":[3]}"}
["review","m",1,0] {"match":"m","round":1,"seat":0,"body":{"version":"1"}}
["searched","ann","m",1] {"match":"m","round":1}
["mistake","ann","m",1,2] {"match":"m","round":1,"seat":0,"number":2,"due":8,"state":"{}","tries":1,"told":"{}"}
["deal","2026-11-24","tensho"] {"game":"tensho","root":"AAE=","at":1}
["cut","2026-11-24","ann"] {"day":"2026-11-24","person":"ann","digest":"digest"}
"""


async def test_entries_of_the_first_version_are_restored() -> None:
    lines = (line.split(" ", 1) for line in KEPT.strip().split("\n"))
    kept = {tuple(json.loads(key)): body.encode() for key, body in lines}
    assert {key[0] for key in kept} == set(MemoryStore.kinds)
    store = MemoryStore(REAL)
    store.restore(kept.items())
    assert await store.match("m") == MatchRow("m", "tensho", "over", False, b"\x00\x01", 5, 6, False)
    assert await store.unfinished("ann") == 0
    assert await store.all_of_person("ann") == ["m"]
    assert await store.rows("m") == [Row(0, "sit", 0, {"name": "Ann"}, 1, None, "ann")]
    assert await store.person_by_token("hash") == Person("ann", "Ann", 1, 7, 3)
    assert await store.site_id() == "a61f443bd7180572"
    assert await store.own_daily_tries("ann") == [Try("2026-11-24", "tensho", "ann", "m", True, 4)]
    assert [result.outcome.returns for result in await store.results("ann")] == [[3]]
    assert await store.review("m", 1, 0) == b'{"version":"1"}'
    assert await store.searched("ann", ["m"]) == {("m", 1)}
    assert await store.mistakes("ann") == [Mistake("m", 1, 0, 2, 8, "{}", 1, "{}")]
    assert await store.daily_deals("2026-11-24") == [Drawn("tensho", b"\x00\x01", 1)]
    assert await store.own_daily_cuts("ann") == {"2026-11-24": "digest"}
    assert await store.use_code("code", "second")
    assert [device.id for device in await store.devices("ann")] == [7, 8]


@pytest.fixture
async def store() -> Slow:
    store = Slow()
    store.may.set()
    await add(store, "m", played(0))
    store.may.clear()
    store.reached.clear()
    return store


async def test_unsaved_rows_are_not_read(store: Slow) -> None:
    writing = asyncio.create_task(append(store, "m", played(1)))
    await store.reached.wait()
    assert await numbers(store, "m") == [0]
    assert not writing.done()
    store.may.set()
    await writing
    assert await numbers(store, "m") == [0, 1]
    assert [set(entries) for entries in store.kept] == [{("match", "m"), ("row", "m", n)} for n in (0, 1)]


async def test_failed_save_undoes_the_write(store: Slow) -> None:
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


async def test_write_completes_after_its_caller_is_cancelled(store: Slow) -> None:
    writing = asyncio.create_task(append(store, "m", played(1), played(2)))
    await store.reached.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    store.may.set()
    await append(store, "m", played(3))  # which waits for the other
    assert await numbers(store, "m") == [0, 1, 2, 3]


async def test_deleted_values_are_deleted_from_the_saved_copy(store: Slow) -> None:
    store.may.set()
    await store.add_person("ann", "hash", "Ann")
    await store.forget_person("ann")
    assert store.kept[-1] == dict.fromkeys(store.kept[-2], None)
