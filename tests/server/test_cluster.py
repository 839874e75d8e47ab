"""Processes that share a log hear of each other, and notice when one of them is gone."""

from pathlib import Path

import pytest

from mekuri.server.cluster import Cluster
from mekuri.server.store import Lines, Store, StoreError
from tests.helpers.server import databases
from tests.helpers.server.stores import missing, sql, write

HERE: Lines = {"m": ["ann", "ben"], "n": ["ann"]}
THERE: Lines = {"m": ["ben", "eve"]}


@pytest.fixture
def one(store: Store) -> Cluster:
    return Cluster(store)


@pytest.fixture
def two(other: Store) -> Cluster:
    return Cluster(other)


async def acquaint(one: Cluster, two: Cluster) -> None:
    for _ in range(2):
        await one.heartbeat(HERE)
        await two.heartbeat(THERE)


class TestTogether:
    async def test_each_hears_of_the_others(self, one: Cluster, two: Cluster) -> None:
        await acquaint(one, two)
        assert await one.heartbeat(HERE) == {"m": {"ben", "eve"}}
        assert await two.heartbeat(THERE) == {"m": {"ann", "ben"}, "n": {"ann"}}

    async def test_of_several(self, one: Cluster, two: Cluster, log_path: Path) -> None:
        await acquaint(one, two)
        await write(log_path, """insert into processes (writer, beat, lines) values ('third', 1, '{"m": ["ida"], "o": ["ida"]}')""")
        assert await one.heartbeat(HERE) == {"m": {"ben", "eve", "ida"}, "o": {"ida"}}

    async def test_what_changes_is_told_at_once(self, one: Cluster, two: Cluster) -> None:
        await acquaint(one, two)
        for lines in (THERE, {}, HERE):
            await two.heartbeat(lines)
            assert await one.heartbeat(HERE) == {table: set(people) for table, people in lines.items()}

    async def test_a_line_opened_and_closed_between_is_never_told(self, one: Cluster, two: Cluster, log_path: Path) -> None:
        await acquaint(one, two)
        before = sql(log_path, "select * from processes")
        await two.heartbeat(THERE)
        assert sql(log_path, "select * from processes") == before


class TestAlone:
    async def test_it_is_written_that_one_is_there_and_no_more(self, one: Cluster, log_path: Path) -> None:
        beats = []
        for _ in range(12):
            assert await one.heartbeat(HERE) == {}
            beats += sql(log_path, "select beat, lines from processes")
        assert beats == [(1, "{}")] * 5 + [(6, "{}")] * 5 + [(11, "{}")] * 2

    async def test_again_when_the_others_have_left(self, one: Cluster, two: Cluster, other: Store, log_path: Path) -> None:
        await acquaint(one, two)
        await other.leave()
        assert await one.heartbeat(HERE) == {}
        assert sql(log_path, "select lines from processes") == [("{}",)]


class TestGone:
    async def test_who_says_nothing_for_long(self, one: Cluster, two: Cluster, log_path: Path) -> None:
        await acquaint(one, two)
        heard = [await one.heartbeat(HERE) for _ in range(16)]
        assert heard[0] == {"m": {"ben", "eve"}}
        assert heard[-1] == {}
        assert heard == sorted(heard, key=len, reverse=True), "once gone, always gone"
        assert len(sql(log_path, "select * from processes")) == 1

    async def test_who_was_only_slow_is_there_again(self, one: Cluster, two: Cluster) -> None:
        await acquaint(one, two)
        for _ in range(20):
            await one.heartbeat(HERE)
        for _ in range(5):
            await two.heartbeat(THERE)
        assert await one.heartbeat(HERE) == {"m": {"ben", "eve"}}

    async def test_nobody_who_goes_on(self, one: Cluster, two: Cluster) -> None:
        await acquaint(one, two)
        for _ in range(60):
            await two.heartbeat(THERE)
            assert await one.heartbeat(HERE) == {"m": {"ben", "eve"}}


# A table that can be read, and not be written.
BROKEN = "create trigger broken before insert on processes begin delete from nowhere; end"
BROKEN_POSTGRESQL = """
create function broken() returns trigger language plpgsql as 'begin delete from nowhere; end';
create trigger broken before insert on processes for each row execute function broken()
"""


async def test_a_database_that_fails(one: Cluster, two: Cluster, log_path: Path) -> None:
    """What could not be told is told when it can be."""
    await acquaint(one, two)
    sql(log_path, "alter table processes rename to moved")
    with pytest.raises(StoreError, match=f"cannot be read: {missing('processes')}"):
        await two.heartbeat(HERE)
    sql(log_path, "alter table moved rename to processes")
    await write(log_path, BROKEN_POSTGRESQL if databases.running else BROKEN)
    with pytest.raises(StoreError, match=r"cannot be written: .*nowhere"):
        await two.heartbeat(HERE)
    await write(log_path, "drop trigger broken on processes" if databases.running else "drop trigger broken")
    await two.heartbeat(HERE)
    assert await one.heartbeat({}) == {table: set(people) for table, people in HERE.items()}
