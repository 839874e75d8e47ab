"""The log of the table server: what is written is what is read, once, and others see it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from mekuri.engine.errors import MekuriError
from mekuri.server.store import Conflict, MatchRow, Person, Store, StoreError
from mekuri.table.log import Row
from tests.helpers.server.stores import ROOT, add, append, numbers, played, sat, sql


class TestMatches:
    async def test_is_as_it_was_added(self, store: Store) -> None:
        rows = [
            Row(0, "made", None, {}, at=5),
            Row(1, "sit", 0, {"name": "Ō 遊び 🎴 \x00 \"'", "deep": [{"a": [None, True, 1.5, -(2**53)]}]}, at=6, person="ann"),
            Row(2, "play", 0, {"action": "7I"}, at=1 << 41, decision=0, person="ann"),
        ]
        await add(store, "m", *rows, state="open", public=True, bot_due=True)
        assert await store.match("m") == MatchRow("m", "tensho", "open", True, ROOT, 1000, 1000, True)
        assert await store.rows("m") == rows
        assert await store.rows("m", since=2) == rows[2:]
        assert await store.rows("m", since=3) == []

    async def test_one_that_is_not_there(self, store: Store) -> None:
        assert await store.match("m") is None
        assert await store.rows("m") == []
        for rows in ([], [played(0)]):
            with pytest.raises(StoreError, match="there is no match m"):
                await append(store, "m", *rows)

    async def test_an_id_is_used_once(self, store: Store) -> None:
        await add(store, "m", played(0))
        with pytest.raises(Conflict, match="m is already there"):
            await add(store, "m", played(1), state="open")
        assert await numbers(store, "m") == [0]
        assert await store.ids("running") == ["m"]

    async def test_an_append_changes_the_match(self, store: Store) -> None:
        await add(store, "m", state="open")
        await store.append("m", [played(0)], "running", bot_due=True)
        assert await store.match("m") == MatchRow("m", "tensho", "running", True, ROOT, 1000, 1001, True)
        await store.append("m", [], "over", bot_due=False)
        assert await store.match("m") == MatchRow("m", "tensho", "over", True, ROOT, 1000, 1002, False)
        assert await numbers(store, "m") == [0]

    async def test_rows_come_in_order_of_their_places(self, store: Store) -> None:
        await add(store, "m", played(2), played(0))
        await append(store, "m", played(1))
        assert await numbers(store, "m") == [0, 1, 2]

    async def test_the_secret_is_not_printed(self, store: Store) -> None:
        await add(store, "m")
        match = await store.match("m")
        assert match is not None
        assert match.root == ROOT
        assert "m" in str(match)
        assert "root" not in f"{match} {match!r}"


class TestWhichMatches:
    async def test_in_a_state(self, store: Store) -> None:
        await add(store, "c", state="open")
        await add(store, "b")
        await add(store, "a")
        await add(store, "d", state="over")
        assert await store.ids("running") == ["b", "a"]
        assert await store.ids("open") == ["c"]
        assert await store.ids("over") == ["d"]

    async def test_bots_due(self, store: Store) -> None:
        await add(store, "early", bot_due=True)  # at 1000
        await add(store, "person", bot_due=False)
        await add(store, "open", state="open", bot_due=True)
        await add(store, "later", bot_due=True)  # at 1003
        assert await store.bots_due(1000) == []
        assert await store.bots_due(1001) == ["early"]
        assert await store.bots_due(2000) == ["early", "later"]
        await store.append("early", [], "running", bot_due=True)
        assert await store.bots_due(2000) == ["later", "early"]
        await store.append("later", [], "running", bot_due=False)
        assert await store.bots_due(2000) == ["early"]

    async def test_public_ones(self, store: Store) -> None:
        await add(store, "first", state="open")
        await add(store, "private", state="open", public=False)
        await add(store, "running")
        await add(store, "last", state="open")
        assert await store.public_open(10) == ["last", "first"]
        assert await store.public_open(1) == ["last"]

    async def test_of_a_person(self, store: Store) -> None:
        await add(store, "first", sat(0, "ann"), sat(1, "ben"))
        await add(store, "other", sat(0, "ben"), sat(1, "ann", kind="leave"))
        await add(store, "over", sat(0, "ann"), state="over")
        await add(store, "twice", sat(0, "ann"), sat(1, "ann", kind="leave"), sat(2, "ann"), state="open")
        assert await store.of_person("ann", ["open", "running", "over"], 10) == ["twice", "over", "first"]
        assert await store.of_person("ann", ["open", "running"], 10) == ["twice", "first"]
        assert await store.of_person("ann", ["open", "running"], 1) == ["twice"]
        assert await store.of_person("ann", [], 10) == []
        assert await store.of_person("eve", ["running"], 10) == []

    async def test_the_tables_are_not_read_through(self, store: Store, log_path: Path) -> None:
        """Every question finds what it asks for by an index."""
        asked: list[tuple[str, Any]] = []

        def listen(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
            asked.append((statement, values))

        event.listen(store._readers.sync_engine, "before_cursor_execute", listen)
        await add(store, "m", played(0))
        await asyncio.gather(store.match("m"), store.rows("m"), store.ids("open"), store.bots_due(1), store.public_open(1))
        await asyncio.gather(store.of_person("ann", ["open"], 1), store.news(0), store.person_by_token("hash"))
        assert len(asked) == 9
        plans = [sql(log_path, f"EXPLAIN QUERY PLAN {statement}", values) for statement, values in asked]
        steps = [step for plan in plans for *_, step in plan]
        assert not [step for step in steps if "SCAN" in step]
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

    async def test_a_decision_is_taken_once(self, store: Store) -> None:
        await add(store, "m", played(0, decision=0))
        await add(store, "another")
        with pytest.raises(Conflict):
            await append(store, "m", played(1, decision=0))
        await append(store, "m", played(1, decision=0, seat=1), played(2, decision=1))
        await append(store, "another", played(0, decision=0))
        assert await numbers(store, "m") == [0, 1, 2]

    async def test_the_driver_decides_nothing(self, store: Store) -> None:
        await add(
            store, "m", played(0, seat=16), played(1, seat=16), Row(2, "made", None, {}, at=1), Row(3, "made", None, {}, at=1)
        )
        assert await numbers(store, "m") == [0, 1, 2, 3]

    async def test_many_at_one_place(self, store: Store, other: Store) -> None:
        await add(store, "m")
        tries = [append((store, other)[i % 2], "m", played(0, by=i)) for i in range(20)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        won = [i for i, result in enumerate(results) if result is None]
        assert len(won) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        assert [row.body for row in await store.rows("m")] == [{"by": won[0]}]

    def test_is_told_from_other_trouble(self) -> None:
        assert issubclass(Conflict, MekuriError)
        assert issubclass(StoreError, MekuriError)
        assert not issubclass(Conflict, StoreError)


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
        assert await store.person_by_token("hash") == Person("p", "Ō 遊び", 1000)
        assert await store.person_by_token("other") is None
        await store.rename("p", "Ann")
        assert await store.person_by_token("hash") == Person("p", "Ann", 1000)

    async def test_are_there_once(self, store: Store) -> None:
        await store.add_person("p", "hash", "Ann")
        for id, token_hash in [("p", "else"), ("q", "hash")]:
            with pytest.raises(Conflict, match="such a person"):
                await store.add_person(id, token_hash, "Ben")
        with pytest.raises(StoreError, match="there is no person q"):
            await store.rename("q", "Ben")
