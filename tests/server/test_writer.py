"""Writing to the log: no acknowledged row is lost, no write is partial, and writers do not affect each other."""

import asyncio
import itertools
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, update

from mekuri.server.storage import sqlite, writer
from mekuri.server.storage.schema import clocks, codes, log, matches, metadata, people
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.log import Conflict, State
from tests.helpers.server import databases
from tests.helpers.server.databases import place
from tests.helpers.server.stores import add, append, missing, numbers, played, sql


def count_transactions(store: Store) -> list[int]:
    """How many writes each transaction is begun with from now on."""
    sizes: list[int] = []
    transact = store._writer._transact

    async def counted(writes: list[writer.Write]) -> None:
        sizes.append(len(writes))
        await transact(writes)

    store._writer._transact = counted  # type: ignore[method-assign]
    return sizes


class TestGroups:
    async def test_waiting_writes_share_a_transaction(self, store: Store) -> None:
        for i in range(50):
            await add(store, f"m{i}")
        sizes = count_transactions(store)
        await asyncio.gather(*(append(store, f"m{i}", played(0), played(1)) for i in range(50)))
        assert sum(sizes) == 50
        assert len(sizes) <= 3
        assert [await numbers(store, f"m{i}") for i in range(50)] == [[0, 1]] * 50

    async def test_conflict_does_not_affect_others_of_a_group(self, store: Store) -> None:
        for i in range(10):
            await add(store, f"m{i}", played(0))
        appends = [append(store, f"m{i}", played(0 if i in (3, 7) else 1)) for i in range(10)]
        appends.insert(5, append(store, "none", played(0)))
        sizes = count_transactions(store)
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert sizes == [11, *[1] * 11]
        refused = {3: Conflict, 5: StoreError, 8: Conflict}
        assert {i: type(result) for i, result in enumerate(results) if result is not None} == refused
        assert [await numbers(store, f"m{i}") for i in range(10)] == [[0] if i in (3, 7) else [0, 1] for i in range(10)]

    async def test_unwritable_row_does_not_affect_others_of_a_group(self, store: Store) -> None:
        await add(store, "m")
        good, bad, worse = await asyncio.gather(
            append(store, "m", played(0)),
            append(store, "m", played(1 << 70)),
            append(store, "m", played(1, it=object())),
            return_exceptions=True,
        )
        assert good is None
        assert isinstance(bad, StoreError if databases.running else OverflowError)
        assert isinstance(worse, TypeError)
        assert await numbers(store, "m") == [0]

    async def test_match_and_its_next_rows_share_a_transaction(self, store: Store) -> None:
        sizes = count_transactions(store)
        await asyncio.gather(add(store, "m", played(0)), append(store, "m", played(1)))
        assert sizes == [2]
        assert await numbers(store, "m") == [0, 1]

    async def test_writes_keep_their_order(self, store: Store, log_path: Path) -> None:
        await add(store, "m")
        states: list[State] = ["running"] * 40
        states.append("over")
        await asyncio.gather(*(store.append("m", [played(n)], state, bot_due=False) for n, state in enumerate(states)))
        assert [n for (n,) in sql(log_path, "SELECT n FROM log ORDER BY id")] == list(range(41))
        assert await store.ids("over") == ["m"]

    async def test_concurrent_matches_are_written_completely(self, store: Store) -> None:
        for i in range(20):
            await add(store, f"m{i}")

        async def play(i: int) -> None:
            for n in range(0, 30, 3):
                await append(store, f"m{i}", played(n, decision=n), played(n + 1, seat=16), played(n + 2, seat=16))
                assert len(await store.rows(f"m{i}")) == n + 3  # it is there as soon as it is acknowledged

        await asyncio.gather(*map(play, range(20)))
        assert [await numbers(store, f"m{i}") for i in range(20)] == [list(range(30))] * 20

    async def test_failing_database_fails_each_write_once(self, store: Store, log_path: Path) -> None:
        await add(store, "m", played(0))
        sizes = count_transactions(store)
        sql(log_path, "ALTER TABLE log RENAME TO moved")
        results = await asyncio.gather(*(append(store, "m", played(n)) for n in range(5)), return_exceptions=True)
        assert [str(result) for result in results] == [f"the log cannot be written: {missing('log')}"] * 5
        assert sizes == [5]
        with pytest.raises(StoreError, match=f"the log cannot be read: {missing('log')}"):
            await store.rows("m")
        sql(log_path, "ALTER TABLE moved RENAME TO log")
        await append(store, "m", played(1))  # and it goes on when that is mended
        assert await numbers(store, "m") == [0, 1]


class TestOrder:
    """The statements of a group are executed in an order that all foreign keys allow, each once."""

    def test_tables_are_declared_after_those_they_refer_to(self) -> None:
        tables = list(metadata.tables.values())
        places = [(tables.index(table), tables.index(key.column.table)) for table in tables for key in table.foreign_keys]
        assert places
        assert all(referred < at for at, referred in places)

    def test_statements_are_sorted_and_grouped(self) -> None:
        new_match, new_row, changed = (
            writer.Statement(one) for one in (insert(matches), insert(log), update(matches).values(state="over"))
        )
        no_code, new_code, no_person, in_time = (
            writer.Statement(one) for one in (delete(codes), insert(codes), delete(people), update(clocks).values(leap=0))
        )
        writes = [
            [in_time({"of": 1}), no_person({"of": 2}), new_code({"of": 3}), no_code({"of": 4})],
            [new_row({"n": 5}, {"n": 6}), changed({"of": 7}), new_match({"id": 8})],
            [changed({"of": 9}), new_row({"n": 10}), no_code()],
        ]
        assert writer._in_order(writes) == [
            (new_match, [{"id": 8}]),
            (no_code, [{"of": 4}]),
            (new_code, [{"of": 3}]),
            (changed, [{"of": 7}, {"of": 9}]),
            (new_row, [{"n": 5}, {"n": 6}, {"n": 10}]),
            (in_time, [{"of": 1}]),
            (no_person, [{"of": 2}]),
        ]


class TestCancelled:
    async def test_cancelled_writes_are_written_whole(self, store: Store) -> None:
        """It is written whole, and other writes are not affected."""
        for i in range(30):
            await add(store, f"m{i}")
        tasks = [asyncio.create_task(append(store, f"m{i}", played(0), played(1), played(2))) for i in range(30)]
        for i, task in enumerate(tasks):
            await asyncio.sleep(0)
            if i % 2:
                task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(result) for result in results[::2]} == {type(None)}
        assert {type(result) for result in results[1::2]} <= {type(None), asyncio.CancelledError}
        assert asyncio.CancelledError in {type(result) for result in results}
        await add(store, "after")  # which is written after all that came before it
        assert [await numbers(store, f"m{i}") for i in range(30)] == [[0, 1, 2]] * 30

    @pytest.mark.parametrize("steps", range(12))
    async def test_write_cancelled_at_any_step_is_whole_or_absent(self, store: Store, steps: int) -> None:
        await add(store, "m")
        task = asyncio.create_task(append(store, "m", played(0), played(1)))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await add(store, "after")
        # One that was never begun is nowhere; else it is there whole.
        assert await numbers(store, "m") == ([0, 1] if steps else [])

    async def test_cancelled_reads_keep_their_connections(self, store: Store) -> None:
        """A reader that goes away takes no connection with it."""
        await add(store, "m", played(0))
        for steps in range(20):
            tasks = [asyncio.create_task(store.rows("m")) for _ in range(5)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert await asyncio.gather(*(numbers(store, "m") for _ in range(20))) == [[0]] * 20


@pytest.mark.sqlite  # test_postgresql.py has the same of PostgreSQL
class TestConcurrency:
    async def test_reader_does_not_wait_for_a_writer(self, store: Store, log_path: Path) -> None:
        await add(store, "m", played(0))
        connection = sqlite3.connect(log_path, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        waits = asyncio.create_task(append(store, "m", played(1)))
        try:
            assert await numbers(store, "m") == [0]
            assert await store.ids("running") == ["m"]
            assert not waits.done()
        finally:
            connection.execute("ROLLBACK")
            connection.close()
        await waits
        assert await numbers(store, "m") == [0, 1]

    async def test_writer_gives_up_after_the_lock_timeout(self, log_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sqlite._ENGINE, "connect_args", {"timeout": 0.05})
        store = await Store.open(log_path)
        await add(store, "m")
        connection = sqlite3.connect(log_path, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="cannot be written: database is locked"):
            await append(store, "m", played(0))
        connection.execute("ROLLBACK")
        connection.close()
        await append(store, "m", played(0))
        assert await numbers(store, "m") == [0]
        await store.close()


WRITER = """
import asyncio, sys
from mekuri.server.storage.store import Store
from mekuri.table.log import NewMatch, Row

async def main(path):
    store = await Store.open(path)

    async def play(match):
        await store.add_match(NewMatch(match, "tensho", bytes(32), None, False, [], "running"))
        n = 0
        while True:
            rows = [Row(n + i, "play", 0, {"n": n + i}, 1, n + i) for i in range(3)]
            await store.append(match, rows, "running", True)
            print(match, n, flush=True)
            n += 3

    await asyncio.gather(*(play(f"m{i}") for i in range(8)))

asyncio.run(main(sys.argv[1]))
"""


class TestKilled:
    @pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
    @pytest.mark.parametrize("lines", [1, 100, 400])
    async def test_acknowledged_rows_survive_a_kill(self, log_path: Path, lines: int) -> None:
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(place(log_path))], stdout=subprocess.PIPE, text=True)
        with child:
            assert child.stdout is not None
            said = list(itertools.islice(child.stdout, lines))
            child.send_signal(signal.SIGKILL)
            said += child.stdout.readlines()
        assert child.returncode == -signal.SIGKILL
        assert len(said) >= lines
        acknowledged: dict[str, list[int]] = {}
        for match, n in (line.split() for line in said if line.endswith("\n")):
            acknowledged.setdefault(match, []).append(int(n))
        store = await Store.open(place(log_path))
        for match, ns in acknowledged.items():
            found = await store.rows(match)
            assert [row.n for row in found] == list(range(len(found)))  # none twice, none missing between
            assert len(found) % 3 == 0  # each append whole
            assert [row.body for row in found] == [{"n": row.n} for row in found]
            assert len(found) >= max(ns) + 3
            # At most the one that nobody was told of is there beside them.
            assert len(found) <= max(ns) + 6
            await append(store, match, played(len(found)))
        await store.close()
