"""The store of the table server: its lobby, and what other processes see. `tests/server/stores` tests what every store does."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from mekuri.server.storage.cluster_store import Process
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.log import Conflict, LogError, NewMatch
from mekuri.table.time import REAL
from tests.helpers.server import databases
from tests.helpers.server.stores import ROOT, add, append, played, read_through, sql

# Rows that a query may scan: the matches of one person, and the matches with a due bot.
FEW = ("SCAN seated", "SCAN matches USING INDEX matches_bot_due")


async def test_every_query_uses_an_index(store: Store, log_path: Path) -> None:
    """Every query uses an index."""
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
    # Nor does it scan all matches of a state, unless the query wants just these.
    assert len([plan for plan in plans if "matches_changed (state=?)" in str(plan)]) == 1
    assert any("log_sits" in step for step in steps)


class TestSelectedMatches:
    async def test_matches_are_listed_by_state(self, store: Store) -> None:
        await add(store, "c", state="open")
        await add(store, "b")
        await add(store, "a")
        await add(store, "d", state="over")
        assert await store.ids("running") == ["b", "a"]
        assert await store.ids("open") == ["c"]
        assert await store.ids("over") == ["d"]

    async def test_unchanged_matches_are_listed(self, store: Store) -> None:
        for id in ("first", "second", "third"):
            await add(store, id)  # at 1000, 1001, 1002
        await add(store, "open", state="open")
        assert await store.unchanged("running", 1002, ["tensho", "mushi"], 10) == ["first", "second"]
        assert await store.unchanged("running", 1002, ["tensho"], 1) == ["first"]
        assert await store.unchanged("running", 1002, ["mushi"], 10) == []
        await append(store, "first")
        assert await store.unchanged("running", 1004, ["tensho"], 10) == ["second", "third"]

    async def test_matches_alone_with_bots_are_listed(self, store: Store) -> None:
        for id, lone in (("first", True), ("second", False), ("third", True)):  # at 1000, 1001, 1002
            await store.add_match(NewMatch(id, "tensho", ROOT, None, True, [], "running", lone=lone))
        assert await store.lone(1000, ["tensho"], 10) == []
        assert await store.lone(2000, ["tensho", "mushi"], 10) == ["first", "third"]
        assert await store.lone(2000, ["tensho"], 1) == ["first"]
        assert await store.lone(2000, ["mushi"], 10) == []
        await store.append("first", [], "running", False, lone=True)
        await store.append("second", [], "running", False, lone=True)
        await store.append("third", [], "over", False)
        assert await store.lone(1004, ["tensho"], 10) == ["first"]

    async def test_matches_with_a_due_bot_are_listed(self, store: Store) -> None:
        await add(store, "early", bot_due=True)  # at 1000
        await add(store, "person", bot_due=False)
        await add(store, "later", bot_due=True)  # at 1002
        assert await store.bots_due(1000) == []
        assert await store.bots_due(1001) == ["early"]
        assert await store.bots_due(2000) == ["early", "later"]
        await store.append("early", [], "running", bot_due=True)
        assert await store.bots_due(2000) == ["later", "early"]
        await store.append("later", [], "running", bot_due=False)
        assert await store.bots_due(2000) == ["early"]

    async def test_public_open_tables_are_listed_newest_first(self, store: Store) -> None:
        await add(store, "first", state="open")
        await add(store, "private", state="open", public=False)
        await add(store, "running")
        await add(store, "last", state="open")
        assert await store.public_open(10, 10, {}) == ["last", "first"]
        assert await store.public_open(1, 10, {}) == ["last"]

    async def test_public_list_is_limited_per_maker_and_household(self, store: Store) -> None:
        made = [("old", "ben", "h"), *((f"ann-{n}", "ann", "h") for n in range(4)), *((f"of {who}", who, "h") for who in "cde")]
        for id, maker, household in made:
            await store.add_match(NewMatch(id, "tensho", ROOT, maker, True, [], "open", household=household))
        assert await store.public_open(10, 2, {}) == ["of e", "of d", "of c", "ann-3"]
        assert await store.public_open(10, 3, {}) == ["of e", "of d", "of c", "ann-3", "ann-2", "ann-1"]
        # Tables of present makers come first, whichever guests are there besides.
        attended = {"old": {"ben"}, "ann-0": {"ann", "x"}, "of c": {"ann"}, "nowhere": {"ann"}}
        assert await store.public_open(10, 2, attended) == ["ann-0", "old", "of e", "of d"]

    async def test_unattended_public_tables_are_listed(self, store: Store) -> None:
        for id in ("first", "second"):  # at 1000, 1001
            await add(store, id, state="open")
        await add(store, "private", state="open", public=False)
        await add(store, "running")
        assert await store.unattended(1001, ["tensho"], 10) == ["first"]
        assert await store.unattended(2000, ["tensho"], 10) == ["first", "second"]
        assert await store.unattended(2000, ["mushi"], 10) == []
        await store.attend(["first", "running", "nowhere"])  # at 1004
        assert await store.unattended(1004, ["tensho"], 10) == ["second"]
        found = await store.match("running")
        assert found
        assert found.changed_at == 1003


class TestConflict:
    async def test_row_number_is_written_once_by_two_stores(self, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        await append(other, "m", played(1, by="other"))
        with pytest.raises(Conflict, match="read its rows"):
            await store.append("m", [played(2), played(1, by="store")], "over", bot_due=True)
        assert [row.body for row in await store.rows("m")] == [{}, {"by": "other"}]
        match = await store.match("m")
        assert match is not None
        assert (match.state, match.bot_due) == ("running", False)

    async def test_concurrent_appends_of_two_stores_keep_one(self, store: Store, other: Store) -> None:
        await add(store, "m")
        tries = [append((store, other)[i % 2], "m", played(0, by=i)) for i in range(20)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        won = [i for i, result in enumerate(results) if result is None]
        assert len(won) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        assert [row.body for row in await store.rows("m")] == [{"by": won[0]}]

    def test_store_error_is_a_log_error(self) -> None:
        assert issubclass(StoreError, LogError)


class TestNews:
    """Rows written by other processes than the home, such as `mekuri admin`, are announced to all in order."""

    async def test_rows_written_without_a_home_are_news(self, store: Store, other: Store) -> None:
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

    async def test_rows_of_the_home_are_no_news(self, store: Store, other: Store) -> None:
        await begin(store)
        await add(store, "m", played(0))
        assert await store.claim("m") is None
        await append(store, "m", played(1))
        assert await other.table_news(0) == (0, [])

    async def test_old_news_is_deleted(self, store: Store, other: Store, log_path: Path) -> None:
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
