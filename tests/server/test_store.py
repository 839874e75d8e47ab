"""The log of the table server: others see what is written. What every log does is tried in `tests/table/test_keepers.py`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from mekuri.server.cluster_store import Process
from mekuri.server.guest_store import Person
from mekuri.server.store import Store, StoreError
from mekuri.table.log import Conflict, LogError
from mekuri.table.time import REAL
from tests.helpers.server import databases
from tests.helpers.server.stores import add, append, played, read_through, sql

# What a query may read through: the matches of one person, and those in which a bot is due.
FEW = ("SCAN seated", "SCAN matches USING INDEX matches_bot_due")


async def test_the_tables_are_not_read_through(store: Store, log_path: Path) -> None:
    """Every question finds what it asks for by an index."""
    asked: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(store._readers.engine, "before_cursor_execute", listen)
    await add(store, "m", played(0))
    await asyncio.gather(
        store.match("m"), store.rows("m"), store.ids("open"), store.bots_due(1), store.public_open(1, 1, {"m": ["ann"]})
    )
    await asyncio.gather(store.of_person("ann", ["open", "running"], 1), store.table_news(0), store.person_by_token("hash"))
    await asyncio.gather(store.unchanged("running", 1, ["mushi"], 1), store.lone(1, ["mushi"], 1), store.unfinished("ann"))
    await asyncio.gather(store.unattended(1, ["mushi"], 1), store.forget_households(1))
    await asyncio.gather(store.claim("m"), store.people_news(0), store.acts(0))
    assert len(asked) == 17
    through = [table for statement, values in asked for table in read_through(log_path, statement, values)]
    assert not [table for table in through if table not in FEW]
    if databases.running:
        return
    plans = [sql(log_path, f"EXPLAIN QUERY PLAN {statement}", values) for statement, values in asked]
    steps = [step for plan in plans for *_, step in plan]
    # Nor are all matches in a state, but by whoever wants just these.
    assert len([plan for plan in plans if "matches_changed (state=?)" in str(plan)]) == 1
    assert any("log_sits" in step for step in steps)


class TestConflict:
    async def test_a_place_is_written_once(self, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        await append(other, "m", played(1, by="other"))
        with pytest.raises(Conflict, match="read its rows"):
            await store.append("m", [played(2), played(1, by="store")], "over", bot_due=True)
        assert [row.body for row in await store.rows("m")] == [{}, {"by": "other"}]
        match = await store.match("m")
        assert match is not None
        assert (match.state, match.bot_due) == ("running", False)

    async def test_many_at_one_place(self, store: Store, other: Store) -> None:
        await add(store, "m")
        tries = [append((store, other)[i % 2], "m", played(0, by=i)) for i in range(20)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        won = [i for i, result in enumerate(results) if result is None]
        assert len(won) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        assert [row.body for row in await store.rows("m")] == [{"by": won[0]}]

    def test_is_told_from_other_trouble(self) -> None:
        assert issubclass(StoreError, LogError)


class TestNews:
    """What is written by others than the home of a match, such as `mekuri admin`, is told to all in the order in which it was."""

    async def test_each_sees_what_was_written_without_a_home(self, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        assert await other.table_news(0) == (0, [])
        await append(store, "m", played(1), played(2))
        await append(other, "m", played(3))
        await add(store, "n")
        await append(other, "n", played(0))
        for each in (store, other):
            assert await each.table_news(0) == (3, ["m", "n"])
            assert await each.table_news(2) == (3, ["n"])
            assert await each.table_news_place() == 3

    async def test_what_a_home_writes_is_no_news(self, store: Store, other: Store) -> None:
        await begin(store)
        await add(store, "m", played(0))
        assert await store.claim("m") is None
        await append(store, "m", played(1))
        assert await other.table_news(0) == (0, [])

    async def test_old_ones_are_forgotten(self, store: Store, other: Store, log_path: Path) -> None:
        other.time = REAL
        await add(other, "m")
        await add(other, "n")
        await append(store, "m", played(0))  # in 1970
        await store.sign_out("ann")
        await append(other, "n", played(0))
        await other.sign_out("ben")
        await other.delete_old_news()
        assert await store.table_news(0) == (2, ["n"])
        assert sql(log_path, "SELECT person FROM people_news") == [("ben",)]
        other.refusal = "disk-full"
        await other.delete_old_news()
        assert other.refusal == "disk-full", "nothing was old, so nothing was written, which would have shown that it can be"


async def begin(store: Store, lease: int = 60_000) -> None:
    """Let a store be that of a server."""
    await store.renew(Process(store.id, "127.0.0.1:1", None, "secret", {}), lease)
    store.serves = True


class TestPeople:
    async def test_are_known_by_their_token(self, store: Store) -> None:
        await store.add_person("p", "hash", "Ō 遊び")
        assert await store.person_by_token("hash") == Person("p", "Ō 遊び", 1000, 1, 1000)
        assert await store.person_by_token("other") is None
        await store.rename("p", "Ann")
        assert await store.person_by_token("hash") == Person("p", "Ann", 1000, 1, 1000)

    async def test_are_there_once(self, store: Store) -> None:
        await store.add_person("p", "hash", "Ann")
        for id, token_hash in [("p", "else"), ("q", "hash")]:
            with pytest.raises(Conflict, match="such a person"):
                await store.add_person(id, token_hash, "Ben")
        with pytest.raises(StoreError, match="there is no person q"):
            await store.rename("q", "Ben")
