"""The log of the table server: others see what is written. What every log does is tried in `tests/table/test_keepers.py`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from mekuri.server.guest_store import Person
from mekuri.server.store import Store, StoreError
from mekuri.table.log import Conflict, LogError
from tests.helpers.server import databases
from tests.helpers.server.stores import add, append, played, read_through, sat, sql


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
    await asyncio.gather(store.of_person("ann", ["open", "running"], 1), store.news(0), store.person_by_token("hash"))
    await asyncio.gather(store.unchanged("running", 1, ["mushi"], 1), store.lone(1, ["mushi"], 1), store.unfinished("ann"))
    await asyncio.gather(store.unattended(1, ["mushi"], 1), store.forget_households(1))
    assert len(asked) == 15
    through = [table for statement, values in asked for table in read_through(log_path, statement, values)]
    assert not [table for table in through if table != "SCAN seated"]  # one person's matches
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
    async def test_each_sees_the_others_and_never_its_own(self, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        start = await store.place()
        assert await store.news(start) == (start, {})
        await append(other, "m", played(1), played(2))
        await append(store, "m", played(3))
        await add(other, "new", sat(0, "ann"))
        await append(other, "m", played(4))
        place, news = await store.news(start)
        assert place == await store.place() == start + 5
        assert news == {"m": [played(1), played(2), played(4)], "new": [sat(0, "ann")]}
        assert await store.news(place) == (place, {})
        place, news = await other.news(start)
        assert (place, news) == (start + 5, {"m": [played(3)]})

    async def test_only_own_rows_move_the_place_on(self, store: Store) -> None:
        await add(store, "m", played(0), played(1))
        assert await store.news(0) == (2, {})

    async def test_an_empty_log(self, store: Store) -> None:
        assert await store.place() == 0
        assert await store.news(0) == (0, {})

    async def test_more_than_are_told_at_once(self, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mekuri.server.store._MOST_NEWS", 4)
        await add(other, "m", *(played(n) for n in range(10)))
        place, seen = 0, []
        for _ in range(3):
            place, news = await store.news(place)
            seen += [row.n for row in news["m"]]
        assert seen == list(range(10))
        assert await store.news(place) == (10, {})

    async def test_nothing_is_missed_while_others_write(self, store: Store, other: Store) -> None:
        for i in range(5):
            await add(store, f"m{i}")

        async def play(i: int) -> None:
            for n in range(20):
                await append((store, other)[i % 2], f"m{i}", played(n))

        writing = asyncio.gather(*map(play, range(5)))
        place, seen = 0, {f"m{i}": list[int]() for i in (1, 3)}
        while not writing.done() or place < await store.place():
            place, news = await store.news(place)
            for match, rows in news.items():
                seen[match] += [row.n for row in rows]
            await asyncio.sleep(0.001)
        await writing
        assert seen == {"m1": list(range(20)), "m3": list(range(20))}


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
