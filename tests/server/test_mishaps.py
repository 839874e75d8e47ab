"""One table that cannot be opened harms no other: not in lists, not in sweeps, not in hearing of others, not in waking."""

import json
import logging
from pathlib import Path

import pytest

from mekuri.server.http.background import sweep_once
from mekuri.server.ops.admin import opened
from mekuri.server.storage.database import database_at
from tests.helpers.server.databases import place
from tests.helpers.server.gathering import at, begun, guests, hearing, pair, party
from tests.helpers.server.serving import Guest, Json, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, until

LOGS = ("mekuri.desk", "mekuri.server")
UNUSED = 5000  # seconds after which a table that never filled is closed

each_strangeness = pytest.mark.parametrize("strangeness", ["missing", "newer"])


def estrange(path: Path, table: str, strangeness: str) -> None:
    """The game of a table is not here any more, or is older than it was."""
    if strangeness == "missing":
        sql(path, "update matches set game = 'gone' where id = ?", [table])
        return
    body = json.loads(sql(path, "select body from log where match = ? and n = 0", [table])[0][0])
    sql(path, "update log set body = ? where match = ? and n = 0", [json.dumps(body | {"version": 99}), table])


def ids(tables: list[Json]) -> list[str]:
    return [table["id"] for table in tables]


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name in LOGS and record.levelno >= logging.WARNING]


async def two_open(path: Path, name: str, strangeness: str) -> tuple[Guest, str, str]:
    """Return a guest who sits at two open tables, a table whose rules are gone, and the other."""
    async with serving(path) as server, guests(server, "Aki") as (aki,):
        strange, sound = [await aki.make(name, **pair(name, public=True)) for _ in range(2)]
        for table in (strange, sound):
            await aki.sit(table)
    estrange(path, strange, strangeness)
    return aki, strange, sound


class TestStrangeRules:
    """A table waits for the rules it was begun with."""

    @each_strangeness
    async def test_lists_omit_a_table_with_unknown_rules(self, tmp_path: Path, name: str, strangeness: str) -> None:
        aki, _, sound = await two_open(tmp_path / "mekuri.db", name, strangeness)
        async with serving(tmp_path / "mekuri.db") as server:
            nobody, again = Guest(server.address), at(server, aki)
            assert ids((await nobody.call("GET", "/api/tables"))["open"]) == [sound]
            assert ids((await again.call("GET", "/api/tables"))["yours"]) == [sound]

    @each_strangeness
    async def test_sweep_skips_a_table_with_unknown_rules(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, strangeness: str
    ) -> None:
        """It is left unchanged, and the log has one line, however often a sweep meets it."""
        path = tmp_path / "mekuri.db"
        _, strange, sound = await two_open(path, name, strangeness)
        before = sql(path, "select * from log where match = ?", [strange])
        async with serving(path, time := FakeTime(), unused=UNUSED) as server:
            nobody = Guest(server.address)
            await nobody.call("GET", "/api/tables")
            time.move(UNUSED + 100)
            for _ in range(3):
                await sweep_once(server.desk)
            assert (await nobody.look(sound))["head"]["why"] == "abandoned"
            assert await server.desk.store.ids("open") == [strange]
        assert sql(path, "select * from log where match = ?", [strange]) == before
        assert len([each for each in complaints(caplog) if "waits for rules" in each]) == 1

    @each_strangeness
    async def test_due_bot_of_unknown_rules_is_logged_once(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, strangeness: str
    ) -> None:
        """The log has one line, though every sweep finds the turn uncomputed."""
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, "Aki") as (aki,):
            table = await begun([aki], USUAL, bots=["greedy"])
        estrange(path, table, strangeness)
        await write(path, "update matches set bot_due = true where id = ?", [table])
        async with serving(path, time := FakeTime()) as server:
            time.move(60)
            for _ in range(3):
                await sweep_once(server.desk)
        assert len(complaints(caplog)) == 1


class TestUnreadable:
    """A table whose rows cannot even be read."""

    async def test_unreadable_table_does_not_stop_waking_others(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(name)) as people:
            first, second = [await begun(people, name) for _ in range(2)]
        await write(path, "update log set body = '{' where match = ? and n = 3", [first])
        await write(path, "update matches set bot_due = true")
        async with serving(path) as server:
            await until(lambda: second in server.desk.tables.live_tables)

    async def test_unreadable_table_does_not_stop_the_sweep(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, "Aki") as (aki,):
            first, second = [await aki.make(name) for _ in range(2)]
        await write(path, "update log set body = '{' where match = ?", [first])
        async with serving(path, time := FakeTime(), unused=UNUSED) as server:
            time.move(UNUSED + 100)
            await sweep_once(server.desk)
            assert await server.desk.store.ids("open") == [first]
            assert await server.desk.store.ids("over") == [second]


async def test_failing_table_does_not_hide_events_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The operator's rows reach the followers of the table, though one stream fails."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, *party(name)) as people:
        first, second = [await begun(people, name) for _ in range(2)]
        failed: list[str] = []
        async with hearing(people[0], first, second) as heard:
            await heard.count("table", 2)
            read_again = server.desk.tables.read_again

            async def fail_at_first(id: str) -> None:
                if id == first:
                    failed.append(id)
                    raise ValueError("a fault of ours")
                await read_again(id)

            monkeypatch.setattr(server.desk.tables, "read_again", fail_at_first)
            async with opened(database_at(place(path))) as admin:
                for table in (first, second):
                    await admin.close(table)
            await until(lambda: failed and any(event["kind"] == "end" for event in heard.of("event", second)))
